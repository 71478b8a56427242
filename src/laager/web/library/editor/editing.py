"""Editing files of one's own: what they can be made from, and the words of their schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.rewriting import dump_keeping_layout, load_with_comments
from laager.campaign.cards import installed_rulesets, shipped_cards
from laager.kinds import schema_of
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.web.library.files.checks import check_name

# What a file can be made from ---------------------------------------------------------------------


@dataclass(frozen=True)
class Template:
    """Something to begin a file with: its name in forms, what it is, and its group in a menu."""

    id: str
    title: str
    group: str
    make: Callable[[str], dict[str, str]]


SKELETONS, COPIES, CHARTS, BLANK = "skeletons", "copies", "charts", "blank"
"""Groups of templates: published campaigns with blanks, copies of what is shipped, charts to fill in, a bare map."""

FILES = ("map", "charts", "tables")
"""The fields of a card that name a file each."""


def templates() -> list[Template]:
    """Return everything that a new file can be made from."""
    return [*_skeletons(), *_copies(), *_charts(), *_blanks()]


def made_from(template: str, name: str) -> dict[str, str]:
    """Return new files by name, made from a template; the first is called `name`.

    Raises DataError or RefusedError.
    """
    by_id = {each.id: each for each in templates()}
    if template not in by_id:
        advice = did_you_mean(template, by_id, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"no template is called {template[:40]!r}", advice)
    return by_id[template].make(check_name(name if "." in name else f"{name}.yaml"))


def _skeletons() -> Iterator[Template]:
    from laager.rules.board.hasl.skeleton import skeleton, skeletons

    for id_, title in skeletons().items():

        def make(name: str, id_: str = id_) -> dict[str, str]:
            stem = name.rsplit(".", 1)[0]
            return skeleton(id_, stem)

        yield Template(f"skeleton-{id_}", title, SKELETONS, make)


def _copies() -> Iterator[Template]:
    for card in shipped_cards():
        # Bound now: the loop goes on.
        def make(name: str, path: Path = card.path, rules: str = card.ruleset) -> dict[str, str]:
            return _copy_card(path, rules, name)

        yield Template(f"copy-{card.id}", card.title, COPIES, make)


def _copy_card(path: Path, rules: str, name: str) -> dict[str, str]:
    """Return a shipped card and all that it names, calling one another by their new names."""
    from laager.rules.board.card.files import shipped_files

    text = path.read_text(encoding="utf-8")
    if rules == "dyo":
        return {name: text}
    yaml, data = load_with_comments(text, path.name)
    stem = name.rsplit(".", 1)[0]
    texts: dict[str, str] = {}
    for field in FILES:
        named = data.get(field)
        if not named:
            continue
        source = shipped_files(rules, f"-{field}").get(str(named)) or path.parent / str(named)
        data[field] = f"{stem}-{field}.yaml"
        texts[data[field]] = source.read_text(encoding="utf-8")
    for i, named in enumerate(data.get("catalogue") or ()):
        data["catalogue"][i] = f"{stem}-{Path(named).stem}.yaml"
        texts[data["catalogue"][i]] = (path.parent / named).read_text(encoding="utf-8")
    return {name: dump_keeping_layout(yaml, data, text), **texts}


def _charts() -> Iterator[Template]:
    from laager.rules.board.hasl.skeleton import charts_text, tables_text

    for id_, rules in installed_rulesets().rulesets.items():
        if not isinstance(rules, HaslRuleset):
            continue

        def make(name: str, rules: HaslRuleset[Any, Any] = rules) -> dict[str, str]:
            stem = name.rsplit(".", 1)[0].removesuffix("-charts")
            tables = f"{stem}-tables.yaml"
            return {name: charts_text(rules, tables), tables: tables_text(rules)}

        yield Template(f"charts-{id_}", rules.title, CHARTS, make)


def _blanks() -> Iterator[Template]:
    def make(name: str) -> dict[str, str]:
        stem = name.rsplit(".", 1)[0].lower()
        words = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem).strip("-")
        while "--" in words:
            words = words.replace("--", "-")
        return {name: BLANK_MAP.format(id=words or "map")}

    yield Template("blank-map", "map", BLANK, make)


BLANK_MAP = """\
laager: map/1
id: {id}
title: My map
source: own
# How many columns and rows the map has, and whether every second column begins with half a hex.
boards:
  - {{columns: 12, rows: 10, half_rows: true}}
"""


# The words of a schema ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Word:
    """A name that may stand in a file of a kind: where, what is expected, what it means."""

    name: str
    expects: str
    meaning: str
    required: bool


@dataclass(frozen=True)
class FileSection:
    """The names that may stand together in one place of a file."""

    title: str
    meaning: str
    words: tuple[Word, ...]


@cache
def schema(kind: str) -> Mapping[str, Any]:
    """Return the JSON Schema of a kind. Raises RefusedError if there is none."""
    return schema_of(kind)


@cache
def sections(kind: str) -> tuple[FileSection, ...]:
    """Return what can be written in a file of a kind, for people to read next to it."""
    whole = schema(kind)
    parts = [("", whole), *whole.get("$defs", {}).items()]
    return tuple(
        FileSection(
            title,
            first_lines(str(part.get("description", ""))),
            tuple(
                Word(
                    name,
                    expects(whole, section),
                    first_lines(str(section.get("description", ""))),
                    name in part.get("required", ()),
                )
                for name, section in part.get("properties", {}).items()
            ),
        )
        for title, part in parts
        if part.get("properties")
    )


def first_lines(text: str) -> str:
    """Return the text of a description, on one line."""
    return " ".join(text.replace("`", "").split())


def expects(whole: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """Return in words what a schema expects."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "const" in part:
        return str(part["const"])
    if "enum" in part:
        return " | ".join(map(str, part["enum"]))
    for several in ("anyOf", "oneOf"):
        if several in part:
            words = [expects(whole, choice) for choice in part[several]]
            return " | ".join(dict.fromkeys(word for word in words if word))
    kind = part.get("type")
    if kind == "array":
        return f"[{expects(whole, part.get('items') or {}) or '…'}, …]"
    if kind == "object":
        inner = part.get("additionalProperties")
        return f"{{name: {expects(whole, inner)}}}" if isinstance(inner, dict) else "{…}"
    names = {"string": "text", "integer": "number", "number": "number", "boolean": "true | false"}
    word = names.get(str(kind), "" if kind is None else str(kind))
    low, high = part.get("minimum"), part.get("maximum")
    if low is not None or high is not None:
        word += f" {'' if low is None else low}–{'' if high is None else high}"
    return word.replace("null", "nothing")
