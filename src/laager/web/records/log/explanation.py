"""One entry of the log with all that explains it: its step, its rule, where it comes from, what followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from laager.campaign import Clause, RulesIndex
from laager.campaign.sighting import los_records
from laager.campaign.telling import in_words
from laager.campaign.views import Seen, causes, find
from laager.campaign.wording import plain_lines
from laager.web.campaigns.tables import units_of
from laager.web.records.log.diary import DiaryLine, DiarySection, chapters, line_of, title_of
from laager.web.records.log.filters import rule_of
from laager.web.rules.forecasts import behind as behind_rule

if TYPE_CHECKING:
    from laager.web.campaigns.tables import Table


@dataclass(frozen=True)
class Block:
    """A part of an answer: a table with its title, or single fields if it has no columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Explained:
    """An entry with what explains it: its step, its rule, where it comes from, what followed."""

    line: DiaryLine
    step: DiarySection | None
    clause: Clause | None
    tables: tuple[str, ...]
    """The tables of the rule, by their names in forecasts."""
    blocks: tuple[Block, ...]
    causes: tuple[DiaryLine, ...]
    followed: tuple[DiaryLine, ...]
    units: tuple[str, ...]
    before: int | None
    after: int | None


def explained(table: Table, number: int) -> Explained:
    """Return an entry with all that explains it. Raises RefusedError if there is none."""
    seen = find(table.view, number)
    log, entry = table.log, seen.entry
    behind = causes(table.view, number) if entry.type == "fact" else ()
    spoken = [one.number for one in log if one.text]
    return Explained(
        line=line_of(log[number - 1], number),
        step=_step_of(table, number),
        clause=RulesIndex.load_packaged(table.ruleset.package).get(rule_of(entry)),
        tables=tuple(one.id for one in behind_rule(table, rule_of(entry))),
        blocks=(*answer_blocks(entry.body["value"]), *sight_blocks(entry.body)) if entry.type == "answer" else (),
        causes=tuple(line_of(log[one.number - 1], one.number) for one in behind),
        followed=tuple(_followed(table, seen)),
        units=tuple(sorted(units_of(entry))) if entry.type == "fact" else (),
        before=max((one for one in spoken if one < number), default=None),
        after=min((one for one in spoken if one > number), default=None),
    )


def _step_of(table: Table, number: int) -> DiarySection | None:
    for one in reversed(table.log[:number]):
        if one.entry.type == "step":
            begun = [c for c in chapters(table) if c.number <= one.number]
            return DiarySection(begun[-1] if begun else None, one, title_of(one),
                           one.entry.body["clause"], ())  # fmt: skip
    return None


def _followed(table: Table, seen: Seen) -> Iterator[DiaryLine]:
    """Yield the facts that followed from an answer or a roll: the other way round to `causes`."""
    if seen.entry.type not in {"answer", "roll"}:
        return
    any_yet = False
    for one in table.log[seen.number :]:
        entry = one.entry
        if entry.type in {"step", "done", "open", "undo", "redo"}:
            return
        if entry.lane != seen.entry.lane:
            continue
        if entry.type in {"answer", "roll"}:
            # Answers given at the same time count together.
            if any_yet:
                return
        elif one.text:
            any_yet = True
            yield line_of(one, one.number)


def answer_blocks(value: Any, title: str = "") -> Iterator[Block]:
    """Yield an answer in full: its single fields, then a table for each list of rows."""
    if isinstance(value, dict) and value:
        single = [(_spaced(name), _cell(part)) for name, part in value.items() if not _rows(part)]
        if single:
            yield Block(title, (), tuple(single))
        for name, part in value.items():
            if _rows(part):
                yield from answer_blocks(part, _spaced(name))
    elif _rows(value):
        names = list(dict.fromkeys(name for row in value for name in row))
        used = [name for name in names if any(row.get(name) not in (None, "", []) for row in value)]
        rows = tuple(tuple(_cell(row.get(name, "")) for name in used) for row in value)
        yield Block(title, tuple(_spaced(name) for name in used), rows)
    else:
        yield Block(title, (), (("", "\n".join(plain_lines(value))),))


def sight_blocks(body: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what was found about LOS when an answer was given."""
    records = los_records(body)
    if not records:
        return
    engines = sorted({str(one.get("engine")) for one in records if one.get("engine")})
    boards = sorted({f"{name} {str(sha)[:12]}" for one in records for name, sha in dict(one.get("boards", {})).items()})
    rows = [(str(one.get("title", "")), str(one.get("proof", ""))) for one in records]
    yield Block(gettext("Line of sight"), ("", ", ".join((*engines, *boards))), tuple(rows))


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _cell(value: Any) -> str:
    if value in (None, "", []):
        return ""
    if isinstance(value, Mapping) or _rows(value):
        return "\n".join(plain_lines(value))
    return in_words(value)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
