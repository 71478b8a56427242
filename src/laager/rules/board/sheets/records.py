"""The record sheets that all campaigns on a board have, with their columns and rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from laager.base.counting import list_counts
from laager.campaign import UMPIRE, Column, Sheet
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.state import BoardState
from laager.rules.board.units import Fort, Mark, Unit

SECRET = "secret"
"""What a cell says that only the other side could fill."""

SHORTAGE = "Amm. Shortage"

HIDDEN_MARKS = frozenset({Mark.HARDENED, Mark.REDEPLOYED})

RIGHT = frozenset(
    {
        *("FF", "ELR", "SAN", "CVP", "CVP total", "TVP", "TVP total", "CP", "FP"),
        *("CPP", "Spent", "Left", "FPP", "Total", SHORTAGE, "#P", "#R"),
        *("Off map", "On Map", "Reserve", "Bought"),
    }
)
"""Columns of figures."""

Row = tuple[str, ...]


def sees_secrets(state: BoardState, side: str) -> bool:
    """True if the viewer of a state can see this side's secrets."""
    return state.viewer in (UMPIRE, side)


def seen_sides(state: BoardState) -> tuple[str, ...]:
    """Return the sides whose secrets the viewer of a state can see."""
    return tuple(side for side in SIDES if sees_secrets(state, side))


def make_sheet(
    name: str, title: str, columns: Sequence[str], rows: Iterable[Row], notes: Iterable[str] = (), side: str = ""
) -> Sheet:
    """Return a sheet; columns of figures are aligned to the right."""
    heads = tuple(Column(head, "right" if head in RIGHT else "left") for head in columns)
    return Sheet(name, title, heads, tuple(rows), tuple(notes), side)


def make_side_sheet(
    cg: CardContext, side: str, name: str, title: str, rows: Sequence[Mapping[str, str]], notes: Iterable[str] = ()
) -> Sheet:
    """Return a sheet of a side from rows by column; the first row names the columns."""
    columns = tuple(rows[0]) if rows else ()
    return make_sheet(
        name, f"{title}: {cg.side(side).name} ({side})", columns, (tuple(r.values()) for r in rows), notes, side
    )


def fortifications(
    cg: CardContext, side: str, head: str, points: str, when: Callable[[int], str], notes: Iterable[str] = ()
) -> Sheet:
    """Return a side's fortifications with their Locations.

    `head` and `when`: the column of the battle for which each was bought; `points`: what it cost in.
    """
    rows = (
        (
            fort.id,
            when(fort.firefight),
            strength(fort),
            str(fort.fp),
            fort.at or "not placed",
            "hidden" if fort.hidden else "on map",
        )
        for fort in cg.state.forts.values()
        if fort.side == side
    )
    title = f"Fortifications: {cg.side(side).name} ({side})"
    return make_sheet(
        "fortifications", title, ("ID", head, "Fortification", points, "Where", "State"), rows, notes, side
    )


def strength(fort: Fort) -> str:
    """Return what a fortification is, how strong, and how many of it."""
    parts = [fort.kind, fort.size, f"{fort.factors} factors" if fort.factors else ""]
    return " ".join(part for part in parts if part) + (f" x{fort.count}" if fort.count > 1 else "")


def unit_name(unit: Unit) -> str:
    """Return a unit's type and letter."""
    return f"{unit.type} {unit.name}".strip()


def unit_rest(unit: Unit) -> Row:
    """Return the cells Where, With and Markers of a unit."""
    marks = ", ".join(sorted(mark.value for mark in unit.marks - HIDDEN_MARKS))
    return unit.at if unit.on_map and unit.at else unit.place.value, unit.with_unit, marks


def order_of_battle(cg: CardContext, side: str, columns: Sequence[str], rows: Iterable[Row]) -> Sheet:
    """Return a side's units as the viewer knows them."""
    notes = () if sees_secrets(cg.state, side) else ("only what is known of the enemy",)
    title = f"Order of battle: {cg.side(side).name} ({side})"
    return make_sheet("ob", title, (*columns, "Where", "With", "Markers"), rows, notes, side)


def text_sheet(name: str, title: str, rows: Iterable[tuple[str, str]], heads: tuple[str, str] = ("", "Rule")) -> Sheet:
    """Return a sheet of texts with what each is about; what is empty is left out."""
    kept = ((subject, text.strip()) for subject, text in rows if text.strip())
    return make_sheet(name, title, heads, kept)


def count_types(units: Iterable[Unit]) -> str:
    """Return the types of units as people list them."""
    return list_counts(Counter(unit.type for unit in units))
