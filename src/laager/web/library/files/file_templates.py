"""What files of one's own can be made from: skeletons, copies of what is shipped, charts, a bare map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laager.base import Refusal, RefusedError
from laager.base.rewriting import dump_keeping_layout, load_with_comments
from laager.campaign.cards import installed_rulesets, shipped_cards
from laager.campaign.house import Printed, printed_of
from laager.campaign.house.template import house_template
from laager.rules.board.hasl.ruleset import HaslRuleset
from laager.web.library.files.checks import check_name


@dataclass(frozen=True)
class Template:
    """Something to begin a file with: its name in forms, what it is, and its group in a menu."""

    id: str
    title: str
    group: str
    make: Callable[[str], dict[str, str]]


SKELETONS, COPIES, CHARTS, HOUSE, BLANK = "skeletons", "copies", "charts", "house", "blank"
"""Groups of templates: published campaigns with blanks, copies of cards, charts to fill in, house rules, a bare map."""

FILES = ("map", "charts", "tables")
"""The fields of a card that name a file each."""


def templates() -> list[Template]:
    """Return everything that a new file can be made from."""
    return [*_skeletons(), *_copies(), *_charts(), *_houses(), *_blanks()]


def made_from(template: str, name: str) -> dict[str, str]:
    """Return new files by name, made from a template; the first is called `name`.

    Raises DataError or RefusedError.
    """
    by_id = {each.id: each for each in templates()}
    if template not in by_id:
        titles = ", ".join(dict.fromkeys(each.title for each in by_id.values()))
        wrong = "nothing is chosen that the file can be made from"
        raise RefusedError(Refusal.NO_SUCH, wrong, f"choose one of {titles}")
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


def _houses() -> Iterator[Template]:
    for id_, rules in installed_rulesets().rulesets.items():
        with suppress(RefusedError):
            printed = printed_of(rules)

            def make(name: str, title: str = rules.title, printed: Printed = printed) -> dict[str, str]:
                return {name: house_template(printed, title, bare=True)}

            yield Template(f"house-{id_}", rules.title, HOUSE, make)


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
