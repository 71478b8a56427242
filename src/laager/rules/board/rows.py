"""Answers in rows about units: what to choose from, and what is wrong with names that come twice or never."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laager.base import Problem
from laager.base.counting import count_of
from laager.campaign import Choice, Option, Several
from laager.rules.board.units import Unit

Rows = Sequence[Mapping[str, Any]]


def unit_options(units: Iterable[Unit], *, placed: bool = False) -> tuple[Option, ...]:
    """Return units as options; `placed`: with the Location of each."""
    return tuple(Option(unit.id, f"{unit.label} in {unit.at}" if placed else unit.label) for unit in units)


def unit_choice(units: Iterable[Unit], *, placed: bool = False) -> Choice:
    """Return the choice of one of these units."""
    return Choice(unit_options(units, placed=placed))


def unit_list(units: Iterable[Unit], least: int = 0, most: int = 999, *, placed: bool = False) -> Several:
    """Return the choice of some of these units."""
    return Several(unit_options(units, placed=placed), least, most)


def repeated_names(rows: Rows, field: str = "unit", at: str = "") -> list[Problem]:
    """Return a problem for each row that names what an earlier one names; `at` is where the rows are."""
    names = [row[field] for row in rows]
    return [
        Problem(f"{name} is named twice", "name it once", f"{at}[{number}].{field}")
        for number, name in enumerate(names, 1)
        if name in names[: number - 1]
    ]


def wrong_row_counts(units: Iterable[Unit], rows: Rows) -> list[Problem]:
    """Return a problem for each unit that does not have exactly one row."""
    names = [row["unit"] for row in rows]
    counts = ((unit, names.count(unit.id)) for unit in units)
    return [Problem(f"{unit.label} has {count_of(n, 'row')}", "give it one row") for unit, n in counts if n != 1]
