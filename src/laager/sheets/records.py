"""The record sheets as printed forms: rosters, purchase records, order of battle, special rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from laager.campaign import Column, Sheet
from laager.sheets.desk import Desk
from laager.sheets.leaf import Block, FormRow, FormTable, Leaf, SideBySide
from laager.sheets.offer import FormOffer

PENCIL_ROWS = 6
"""Empty lines to be written in on a purchase record."""

ROW_HEIGHT = 15.0
"""Rows that are written in by hand, in points."""


TOTALS = frozenset({"Total", "TOTALS"})
"""What a row of sums begins with."""

DATE_HEIGHT = 20.0
"""Lines of a roster, in points."""


@dataclass(frozen=True)
class RecordForm:
    """A form made of several record sheets: the first it must have, and what goes with it.

    Each inner tuple of `lines` is a line of the form, its sheets side by side. `rules` limits it to
    one rule system: others may call something else `points`.
    """

    id: str
    title: str
    lines: tuple[tuple[str, ...], ...]
    pencil: bool = False
    dates: bool = False
    rules: str = ""

    @property
    def head(self) -> str:
        """The sheet that the form needs."""
        return self.lines[0][0]

    @property
    def names(self) -> tuple[str, ...]:
        """All sheets on it."""
        return tuple(name for line in self.lines for name in line)


FORMS: tuple[RecordForm, ...] = (
    RecordForm("roster", "CG Roster", (("roster",),), dates=True),
    RecordForm("purchases", "RG Purchase Record", (("purchases",), ("fortifications",)), pencil=True),
    RecordForm(
        "purchase-roster",
        "DYO Purchase Roster",
        (
            ("points", "leaders", "sw"),
            ("infantry",),
            ("ordnance",),
            ("vehicles",),
            ("oba",),
            ("fortifications",),
            ("values",),
        ),
        pencil=True,
        rules="dyo",
    ),
    RecordForm("ob", "Order of battle", (("ob",),)),
    RecordForm("rules", "Special rules", (("rules",), ("rules-now",), ("about",))),
)
"""Record sheets that share a form. Sheets that are on none have one to themselves."""


def record_offers(desk: Desk) -> Iterator[FormOffer]:
    """Yield the forms that the rules' own sheets fill, sides in order, then those for both."""
    for side in (*desk.sides, ""):
        held = [sheet for sheet in desk.sheets if sheet.side == side]
        used: set[str] = set()
        for form in FORMS:
            here = form.rules in ("", desk.ruleset.id)
            if here and any(sheet.id == form.head for sheet in held):
                used |= set(form.names)
                yield _form_offer(desk, form, side, held)
        for sheet in held:
            if sheet.id not in used:
                yield _single(desk, sheet, side)


def _form_offer(desk: Desk, form: RecordForm, side: str, held: Sequence[Sheet]) -> FormOffer:
    title = _title_of(desk, form, side)
    sheets = tuple(sheet for sheet in held if sheet.id in form.names)

    def make() -> Leaf:
        return Leaf(title, desk.boxes(side), tuple(_blocks(desk, form, sheets)))

    return FormOffer(form.id, title, side, make, sheets)


def _single(desk: Desk, sheet: Sheet, side: str) -> FormOffer:
    title = desk.words.title(sheet.title)

    def make() -> Leaf:
        return Leaf(title, desk.boxes(side), (grid_of(desk, sheet, titled=False),))

    return FormOffer(sheet.id, title, side, make, (sheet,))


def _title_of(desk: Desk, form: RecordForm, side: str) -> str:
    return desk.of_side(desk.words(form.title), side) if side else desk.words(form.title)


def _blocks(desk: Desk, form: RecordForm, sheets: Sequence[Sheet]) -> Iterator[Block]:
    alone = len(sheets) == 1
    for line in form.lines:
        shown = [sheet for name in line for sheet in sheets if sheet.id == name]
        grids = tuple(grid_of(desk, sheet, titled=not alone) for sheet in shown)
        if form.dates:
            grids = tuple(_with_dates(desk, grid) for grid in grids)
        if len(grids) > 1:
            yield SideBySide(grids)
        else:
            yield from grids
    if form.pencil:
        yield _pencil(desk)


def grid_of(desk: Desk, sheet: Sheet, *, titled: bool = True) -> FormTable:
    """Return a record sheet as a ruled table."""
    words = desk.words
    columns = tuple(Column(words.title(column.title), column.align) for column in sheet.columns)
    title = words.title(sheet.title) if titled else ""
    notes = tuple(sheet.notes)
    rows = tuple(FormRow(row, bold=bool(row) and row[0] in TOTALS) for row in sheet.rows)
    return FormTable(title, columns, rows, notes, empty=words("nothing so far"))


def _with_dates(desk: Desk, grid: FormTable) -> FormTable:
    """Return a roster with an empty line for each date of the campaign that is still to come."""
    dates = desk.card.get("firefights") or desk.card.get("dates") or ()
    blank = FormRow(tuple("" for _ in grid.columns))
    missing = max(0, len(dates) - len(grid.rows))
    rows = (*grid.rows, *(blank for _ in range(missing)))
    return FormTable(grid.title, grid.columns, rows, grid.notes, DATE_HEIGHT, empty=grid.empty)


def _pencil(desk: Desk) -> FormTable:
    """Return room to note what is bought next, before Laager is told."""
    columns = desk.columns("ID", "What", "Cost", "Notes")
    rows = tuple(FormRow(("", "", "", "")) for _ in range(PENCIL_ROWS))
    return FormTable(desk.words("To be entered"), columns, rows, least=ROW_HEIGHT, weights=(1, 4, 1, 3))
