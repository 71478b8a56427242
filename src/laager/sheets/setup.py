"""The setup sheet of a side: who sets up first, where, which units how, what to remember."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from laager.campaign import Column, Moment, Sheet
from laager.campaign.house.in_campaign import list_reminders
from laager.sheets.desk import Desk
from laager.sheets.leaf import Block, FormLine, FormRow, FormTable, Leaf, Lines, bold, room, ticks
from laager.sheets.offer import FormOffer
from laager.sheets.words import Words, mark_texts

KEY = "setup-sheet"
"""Under this key rulesets put before a side what it needs on paper to set up."""

WAYS = mark_texts("open", "?", "HIP", "Cloak")

(LEGEND,) = mark_texts(
    "How: open, under a concealment counter (?), hidden (HIP), Cloaked. "
    "With: who possesses the SW or Gun, or the vehicle that a passenger rides. "
    "Tick or write, then give it to Laager (laager next, or the page)."
)

HEIGHT = 14.0
"""Rows that are written in by hand, in points."""


def setup_offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield the setup sheet of each side whose units the viewer may know."""
    if desk.over:
        return
    for side in desk.sides:
        sheets = {sheet.id: sheet for sheet in desk.sheets_beside(KEY, side)} if desk.mine(side) else {}
        if sheets.get("setup-units") and sheets["setup-units"].rows:
            yield _offer(desk, side, sheets)


def _offer(desk: Desk, side: str, sheets: Mapping[str, Sheet]) -> FormOffer:
    words = desk.words
    title = desk.of_side(words("Setup sheet"), side)

    def make() -> Leaf:
        blocks = tuple(_blocks(desk, sheets))
        return Leaf(title, desk.boxes(side), blocks, legend=(words(LEGEND),))

    return FormOffer("setup", title, side, make, tuple(sheets.values()))


def _blocks(desk: Desk, sheets: Mapping[str, Sheet]) -> Iterator[Block]:
    words = desk.words
    if "setup-order" in sheets:
        yield pairs(words, words("Order"), sheets["setup-order"])
    if "setup-ground" in sheets:
        yield pairs(words, words("Where"), sheets["setup-ground"])
    yield _units(desk, sheets["setup-units"])
    works = sheets.get("setup-works")
    if works is not None and works.rows:
        yield _works(desk, works)
    rules = next((sheet for sheet in desk.sheets if sheet.id == "rules"), None)
    if rules is not None and rules.rows:
        yield pairs(words, words("Special rules"), rules)
    reminders = tuple(_reminders(desk))
    if reminders:
        yield Lines(words("To be remembered at setup"), reminders, wide=62)


def pairs(words: Words, title: str, sheet: Sheet) -> FormTable:
    """Return a sheet of two columns as a table whose first column is bold."""
    rows = tuple(FormRow((bold(words.title(row[0])), row[1])) for row in sheet.rows)
    return FormTable(title, (Column(""), Column("")), rows, weights=(0, 1), most=(0.3, 1))


def _units(desk: Desk, sheet: Sheet) -> FormTable:
    words = desk.words
    rows: list[FormRow] = []
    for group, lines in _by_group(sheet.rows):
        rows.append(FormRow((group or words("Units of no group"),), heading=True))
        rows += [_unit_row(desk, line) for line in lines]
    columns = desk.columns("ID", "Unit", "Kind", "At", "May", "Set up in / enters by", "How", "With")
    return FormTable(words("Units"), columns, tuple(rows), least=HEIGHT, weights=(0, 0, 0, 0, 1, 2, 0, 1))


def _by_group(rows: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield the rows by group, groups in the order in which they come; those of none first."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for row in rows:
        groups.setdefault(row[3], []).append(row)
    yield from sorted(groups.items(), key=lambda item: bool(item[0]))


def _unit_row(desk: Desk, line: tuple[str, ...]) -> FormRow:
    id_, unit, kind, _, at, how, asked = line
    if not asked:
        return FormRow((bold(id_), unit, kind, at, how, "", "", ""))
    return FormRow((bold(id_), unit, kind, at, how, room(72), desk.ticks(*WAYS), room(44)))


def _works(desk: Desk, sheet: Sheet) -> FormTable:
    columns = desk.columns("ID", "What", "Set up in / enters by", "Hexside", "Shown")
    rows = tuple(FormRow((bold(id_), work, room(72), room(44), ticks(("",)))) for id_, work in sheet.rows)
    return FormTable(desk.words("Fortifications to place"), columns, rows, least=HEIGHT, weights=(0, 1, 2, 1, 0))


def _reminders(desk: Desk) -> Iterator[FormLine]:
    for clause in list_reminders(desk.campaign.context, desk.ruleset.package, Moment.SETUP):
        yield FormLine(clause.id, " ".join(clause.text.split()), clause.title)
