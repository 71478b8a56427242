"""What the setup sheets of all campaigns with a board have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from laager.campaign import Column, Sheet
from laager.rules.board.units import Fort, Unit


def order_sheet(side: str, rows: Iterable[tuple[str, str]]) -> Sheet:
    """Return the sheet that says who sets up and moves first, and what else goes before."""
    return _sheet("setup-order", "Order", ("", ""), rows, side)


def ground_sheet(side: str, rows: Iterable[tuple[str, str]]) -> Sheet:
    """Return the sheet of the ground: what it is, and its hexes."""
    return _sheet("setup-ground", "Where", ("What", "Hexes"), rows, side)


def units_sheet(side: str, rows: Iterable[tuple[Unit, str, str, bool]]) -> Sheet:
    """Return the sheet of the units: each with its group, what it may do, if it sets up now."""
    titles = ("ID", "Unit", "Kind", "Group", "At", "May", "Sets up")
    lines = (
        (
            unit.id,
            f"{unit.type} {unit.name}".strip(),
            unit.kind,
            group,
            unit.at if unit.on_map and unit.at else "",
            may,
            "yes" if now else "",
        )
        for unit, group, may, now in rows
    )
    return _sheet("setup-units", "Units", titles, lines, side)


def works_sheet(side: str, forts: Iterable[Fort]) -> Sheet:
    """Return the sheet of fortifications and allowances that wait to be placed or used."""
    rows = ((fort.id, _strength(fort)) for fort in forts)
    return _sheet("setup-works", "Fortifications to place", ("ID", "What"), rows, side)


def _strength(fort: Fort) -> str:
    parts = [fort.kind, fort.size, f"{fort.factors} factors" if fort.factors else ""]
    return " ".join(part for part in parts if part) + (f" x{fort.count}" if fort.count > 1 else "")


def _sheet(name: str, title: str, columns: Sequence[str], rows: Iterable[tuple[str, ...]], side: str) -> Sheet:
    return Sheet(name, title, tuple(Column(one) for one in columns), tuple(rows), (), side)
