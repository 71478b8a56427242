"""One entry of the log with all that explains it: its step, its rule, where it comes from, what followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from laager.campaign import Clause, RulesIndex
from laager.campaign.answer_words import in_words
from laager.campaign.sighting import los_records
from laager.campaign.views import Seen, causes, find
from laager.campaign.wording import plain_lines
from laager.web.campaigns.tables import units_of
from laager.web.records.log.diary import DiaryLine, DiarySection, chapters, line_of, rule_of, title_of
from laager.web.rules.forecasts import tables_behind as behind_rule

if TYPE_CHECKING:
    from laager.web.campaigns.tables import Table


@dataclass(frozen=True)
class AnswerTable:
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
    blocks: tuple[AnswerTable, ...]
    causes: tuple[DiaryLine, ...]
    followed: tuple[DiaryLine, ...]
    units: tuple[str, ...]
    before: int | None
    after: int | None


def explain(table: Table, number: int) -> Explained:
    """Return an entry with all that explains it. Raises RefusedError if there is none."""
    seen = find(table.view, number)
    log, entry = table.log, seen.entry
    behind = causes(table.view, number) if entry.type == "fact" else ()
    spoken = [other.number for other in log if other.text]
    return Explained(
        line=line_of(log[number - 1], number),
        step=_step_of(table, number),
        clause=RulesIndex.load_packaged(table.ruleset.package).get(rule_of(entry)),
        tables=tuple(other.id for other in behind_rule(table, rule_of(entry))),
        blocks=(*answer_blocks(entry.body["value"]), *sight_blocks(entry.body)) if entry.type == "answer" else (),
        causes=tuple(line_of(log[other.number - 1], other.number) for other in behind),
        followed=tuple(_find_consequences(table, seen)),
        units=tuple(sorted(units_of(entry))) if entry.type == "fact" else (),
        before=max((other for other in spoken if other < number), default=None),
        after=min((other for other in spoken if other > number), default=None),
    )


def _step_of(table: Table, number: int) -> DiarySection | None:
    for line in reversed(table.log[:number]):
        if line.entry.type == "step":
            begun = [c for c in chapters(table) if c.number <= line.number]
            return DiarySection(begun[-1] if begun else None, line, title_of(line),
                           line.entry.body["clause"], ())  # fmt: skip
    return None


def _find_consequences(table: Table, seen: Seen) -> Iterator[DiaryLine]:
    """Yield the facts that followed from an answer or a roll: the other way round to `causes`."""
    if seen.entry.type not in {"answer", "roll"}:
        return
    any_yet = False
    for line in table.log[seen.number :]:
        entry = line.entry
        if entry.type in {"step", "done", "open", "undo", "redo"}:
            return
        if entry.lane != seen.entry.lane:
            continue
        if entry.type in {"answer", "roll"}:
            # Answers given at the same time count together.
            if any_yet:
                return
        elif line.text:
            any_yet = True
            yield line_of(line, line.number)


def answer_blocks(value: Any, title: str = "") -> Iterator[AnswerTable]:
    """Yield an answer in full: its single fields, then a table for each list of rows."""
    if isinstance(value, dict) and value:
        single = [(_without_underscores(name), _cell(part)) for name, part in value.items() if not _rows(part)]
        if single:
            yield AnswerTable(title, (), tuple(single))
        for name, part in value.items():
            if _rows(part):
                yield from answer_blocks(part, _without_underscores(name))
    elif _rows(value):
        names = list(dict.fromkeys(name for row in value for name in row))
        used = [name for name in names if any(row.get(name) not in (None, "", []) for row in value)]
        rows = tuple(tuple(_cell(row.get(name, "")) for name in used) for row in value)
        yield AnswerTable(title, tuple(_without_underscores(name) for name in used), rows)
    else:
        yield AnswerTable(title, (), (("", "\n".join(plain_lines(value))),))


def sight_blocks(body: Mapping[str, Any]) -> Iterator[AnswerTable]:
    """Yield what was found about LOS when an answer was given."""
    records = los_records(body)
    if not records:
        return
    engines = sorted({str(record.get("engine")) for record in records if record.get("engine")})
    boards = sorted(
        {f"{name} {str(sha)[:12]}" for record in records for name, sha in dict(record.get("boards", {})).items()}
    )
    rows = [(str(record.get("title", "")), str(record.get("proof", ""))) for record in records]
    yield AnswerTable(gettext("Line of sight"), ("", ", ".join((*engines, *boards))), tuple(rows))


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _cell(value: Any) -> str:
    if value in (None, "", []):
        return ""
    if isinstance(value, Mapping) or _rows(value):
        return "\n".join(plain_lines(value))
    return in_words(value)


def _without_underscores(name: str) -> str:
    return name.replace("_", " ")
