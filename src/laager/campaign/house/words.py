"""House rules in words: what each clause has instead of what is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.campaign.house.cells import covered_rows, read_span
from laager.campaign.house.checking import Printed
from laager.campaign.house.figures import find_row, limits_of
from laager.campaign.house.file import AGREE, COLUMN, MODIFIERS, OFF, ROWS, SWITCH, WHY
from laager.campaign.house.rules import HouseRules, chart_data, chart_parts, tables_of_clause
from laager.tables import Table
from laager.tables.model import RESULT, spell


@dataclass(frozen=True)
class HouseLine:
    """A clause that a house plays differently: what it has instead, and why."""

    clause: str
    title: str
    what: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{self.clause}: {'; '.join(self.what)} ({self.why.rstrip('.')})"


def house_lines(house: HouseRules, printed: Printed) -> tuple[HouseLine, ...]:
    """Return the clauses that a house plays differently, in the order of its file."""
    return tuple(line_of(house, clause, printed) for clause in house.rules)


def line_of(house: HouseRules, clause: str, printed: Printed) -> HouseLine:
    """Return how a house plays one of the clauses that it changes."""
    entry = house.index.get(clause)
    return HouseLine(clause, entry.title if entry else "", tuple(_words(house, clause, printed)), house.reason(clause))


def _words(house: HouseRules, clause: str, printed: Printed) -> Iterator[str]:
    switch = house.switch(clause)
    if switch:
        yield {OFF: "left out", AGREE: "left to the players"}[switch]
    tables = {table.id: table for table in tables_of_clause(printed.tables, clause, house.index)}
    for key, value in house.rules[clause].items():
        if key in (SWITCH, WHY):
            continue
        if key in tables and isinstance(value, Mapping):
            for inner, changed in value.items():
                yield from (f"{tables[key].title}: {words}" for words in _in_table(tables[key], inner, changed))
        elif len(tables) == 1 and (key in (ROWS, MODIFIERS) or key.startswith(COLUMN)):
            yield from _in_table(next(iter(tables.values())), key, value)
        else:
            limits = [limits_of(chart_data(charts), clause) for charts in printed.charts]
            label = next((str(limit[key]["what"]) for limit in limits if key in limit), key)
            yield from _figures(label, value, _printed_figure(clause, key, printed))


def _in_table(table: Table, key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping):
        return
    if key == MODIFIERS:
        known = {modifier.id: modifier for modifier in table.modifiers}
        for id_, changed in value.items():
            was = known.get(id_)
            if was is None:
                yield f"new: {changed['value']:+d}, {changed['when']}" if isinstance(changed, Mapping) else id_
            elif changed in (OFF, False):
                yield f"“{was.when}” doesn't count"
            else:
                yield f"“{was.when}”: {changed:+d} instead of {was.value or 0:+d}"
        return
    column = key.removeprefix(COLUMN).strip() if key.startswith(COLUMN) else RESULT
    place = f" ({column})" if column != RESULT else ""
    for label, result in value.items():
        span = read_span(label)
        rows = covered_rows(table, span) if span is not None else ()
        before = " / ".join(dict.fromkeys(table.words(row.results[column]) for row in rows))
        yield f"{label}{place}: {table.words(result)} instead of {before}"


def _figures(name: str, value: Any, was: Any) -> Iterator[str]:
    """Yield the figures of a chart that are changed, each with its place in words."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            held = was.get(key) if isinstance(was, Mapping) else find_row(was, key) if isinstance(was, list) else None
            yield from _figures(f"{name}, {key}", inner, held)
        return
    before = f" instead of {_spell_figure(was)}" if was is not None and not isinstance(was, Mapping) else ""
    yield f"{name.replace('_', ' ')}: {_spell_figure(value)}{before}"


def _spell_figure(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_spell_figure, value)) or "none"
    return spell(value)


def _printed_figure(clause: str, key: str, printed: Printed) -> Any:
    """Return what the rules print for a figure or a row of a clause; None if it isn't known."""
    for charts in printed.charts:
        data = chart_data(charts)
        limits = limits_of(data, clause)
        if key in limits:
            return limits[key]["value"]
        for _, part in chart_parts(data, clause, printed.index.get(clause)):
            figure = part.get(key) if isinstance(part, Mapping) and key in part else find_row(part, key)
            if figure is not None:
                return figure
    return None
