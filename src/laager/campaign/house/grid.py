"""House rules as a grid: what a clause prints in cells, what a house has there, what typed cells change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.campaign.clauses import Clause, Switch
from laager.campaign.house.cells import allowed_results, covered_rows, read_span, split_rows
from laager.campaign.house.checking import Printed
from laager.campaign.house.figures import SCALES, column_names, find_row, limits_of, names_of
from laager.campaign.house.file import AGREE, COLUMN, MODIFIERS, OFF, ROWS, SWITCH, WHY
from laager.campaign.house.rules import HouseRules, chart_data, chart_parts, tables_of_clause
from laager.tables import Table, Value
from laager.tables.model import RESULT, spell

SEP = "|"
"""Stands between the parts of a cell's name."""
OWN_ROWS = 2
"""Empty lines for further modifiers of one's own."""
HIDDEN = frozenset(
    {"rule", "laager", "source", "notes", "id", "name", "type", "kind", "letter", "level", "what", "formula", "counter"}
)
FIGURE = re.compile(r"-?\d+(/\d+|\.\d+)?( e\d)?( n\d| \*)?")
"""A figure that isn't a whole number as charts write it: a fraction, a cell with a note or an exponent."""


@dataclass(frozen=True)
class HouseCell:
    """A cell: its name in a form, what stands there now, what is printed; `options` are the only answers, if any."""

    name: str
    label: str
    value: str
    printed: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def is_changed(self) -> bool:
        """True if the house has something else than is printed."""
        return self.value != self.printed


@dataclass(frozen=True)
class OwnModifier:
    """A line for a modifier of the house's own; all empty for one that is to come."""

    prefix: str
    id: str = ""
    value: str = ""
    when: str = ""
    per: str = ""


@dataclass(frozen=True)
class HouseTable:
    """A table of a clause as cells: rows by final rolls, modifiers, and lines for modifiers of one's own."""

    table: Table
    rows: tuple[tuple[str, tuple[HouseCell, ...]], ...]
    modifiers: tuple[HouseCell, ...]
    own: tuple[OwnModifier, ...]

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """What the results mean that are typed as numbers."""
        return tuple((value, words) for value, words in self.table.results.items() if value.lstrip("-").isdigit())


@dataclass(frozen=True)
class ClauseGrid:
    """A clause as a house can change it."""

    clause: Clause
    tables: tuple[HouseTable, ...]
    figures: tuple[HouseCell, ...]
    switch: str
    why: str

    @property
    def switches(self) -> tuple[str, ...]:
        """What the clause can be as a whole, besides being as it is."""
        return {Switch.OFF: (OFF, AGREE), Switch.AGREE: (AGREE,), Switch.NO: ()}[self.clause.switch]

    @property
    def empty(self) -> bool:
        """True if there is nothing in it that a house can change."""
        return not (self.tables or self.figures or self.switches)


def clause_grid(
    house: HouseRules, clause: str, printed: Printed, cuts: Mapping[str, Sequence[str]] | None = None
) -> ClauseGrid:
    """Return a clause in cells. `cuts` are further rows by table, so that part of a printed row can be changed."""
    change = house.rules.get(clause, {})
    changed = house.tables(printed.tables)
    tables = [
        _table_cells(table, changed[table.id], (cuts or {}).get(table.id, ()))
        for table in tables_of_clause(printed.tables, clause, printed.index)
    ]
    figures = [
        HouseCell(
            SEP.join(("figure", *path)), label_figure(path, clause, printed), spell_figure(now), spell_figure(was)
        )
        for path, was in printed_figures(clause, printed)
        for now in (_present(change, path, was),)
    ]
    why = str(change.get(WHY, ""))
    return ClauseGrid(printed.index[clause], tuple(tables), tuple(figures), house.switch(clause), why)


def changeable_clauses(printed: Printed) -> list[Clause]:
    """Return the clauses in which a house can change something, in the order of the rulebook.

    A table or a chart that several clauses are about counts for the one that prints it.
    """
    homes = {_home_of(table, printed) for table in printed.tables.values()}
    seen: set[tuple[str, ...]] = set()
    ruled = {
        str(part["rule"])
        for charts in printed.charts
        for part in chart_data(charts).values()
        if isinstance(part, dict) and "rule" in part
    }
    names = []
    for clause in sorted(printed.index.values(), key=lambda clause: clause.id not in ruled):
        figures = {path for path, _ in printed_figures(clause.id, printed)}
        if clause.switch is not Switch.NO or clause.id in homes or figures - seen:
            names.append(clause.id)
        seen |= figures
    return [clause for clause in printed.index.values() if clause.id in names]


def _home_of(table: Table, printed: Printed) -> str:
    """Return the clause that prints a table."""
    named = (clause.id for clause in printed.index.values() if table.id in clause.tables)
    return table.rule if table.rule in printed.index else next(named, "")


# Tables -------------------------------------------------------------------------------------------


def _table_cells(table: Table, now: Table, cuts: Sequence[str]) -> HouseTable:
    rows = now.rows
    for label in cuts:
        span = read_span(label)
        rows = split_rows(rows, span) if span is not None else rows
    columns = table.columns or (RESULT,)
    made = []
    for row in rows:
        cells = []
        for column in columns:
            known = allowed_results(table, column)
            options = tuple((spell(value), table.words(value)) for value in known) if known is not None else ()
            was = {spell(other.results[column]) for other in covered_rows(table, row.span)}
            name = SEP.join(("cell", table.id, column, str(row.span)))
            printed = was.pop() if len(was) == 1 else ""
            cells.append(HouseCell(name, f"{row.span} {column}", spell(row.results[column]), printed, options))
        made.append((str(row.span), tuple(cells)))
    by_id = {modifier.id: modifier for modifier in now.modifiers}
    modifiers = tuple(
        HouseCell(
            SEP.join(("modifier", table.id, modifier.id)),
            f"{modifier.when} (per {modifier.per})" if modifier.per else modifier.when,
            OFF if by_id[modifier.id].off else _amount(by_id[modifier.id].value),
            _amount(modifier.value),
        )
        for modifier in table.modifiers
    )
    return HouseTable(table, tuple(made), modifiers, tuple(_own_modifiers(table, now)))


def _amount(value: int | None) -> str:
    return "" if value is None else str(value)


def _own_modifiers(table: Table, now: Table) -> Iterator[OwnModifier]:
    if not table.own_modifiers:
        return
    own = [modifier for modifier in now.modifiers if modifier.asked]
    for number, modifier in enumerate(own, 1):
        prefix = SEP.join(("own", table.id, str(number)))
        yield OwnModifier(prefix, modifier.id, _amount(modifier.value), modifier.when, modifier.per)
    for number in range(len(own) + 1, len(own) + 1 + OWN_ROWS):
        yield OwnModifier(SEP.join(("own", table.id, str(number))))


# Figures ------------------------------------------------------------------------------------------


def printed_figures(clause: str, printed: Printed) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the figures of a clause's charts and limits, each with its path in a change and what is printed."""
    for charts in printed.charts:
        data = chart_data(charts)
        for id_, limit in limits_of(data, clause).items():
            yield (id_,), limit["value"]
        for _, part in chart_parts(data, clause, printed.index.get(clause)):
            yield from _leaves(part, ())


def _leaves(part: Any, path: tuple[str, ...], root: Any = None) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the figures in a part of a chart; `root` is the chart whose columns name the cells of a row."""
    for key, value in part.items() if isinstance(part, dict) else ():
        if key in HIDDEN or key in SCALES:
            continue
        columns = column_names(root, value) if isinstance(value, list) else []
        if columns:
            yield from (((*path, key, column), cell) for column, cell in zip(columns, value, strict=True))
        elif isinstance(value, dict):
            # Rows are named by themselves: `german`, not `rows, german`.
            yield from _leaves(value, path if key == ROWS else (*path, key), part if key == ROWS else root)
        elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            yield from _rows(part, value, path)
        elif is_figure(value) or (isinstance(value, list) and _plain(value)):
            yield (*path, key), value
    if isinstance(part, list):
        yield from _rows(part, part, path)


def _rows(part: Any, rows: Sequence[Any], path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for row in rows:
        name = next((name for name in names_of(row) if find_row(part, name) is row), None)
        if name is not None:
            yield from _leaves(row, (*path, name))


def is_figure(value: Any) -> bool:
    """True for what a chart has in numbers: 3, 3/2, 0.2, 4 n1; or nothing, where other rows have a number."""
    return value is None or isinstance(value, int) or (isinstance(value, str) and bool(FIGURE.fullmatch(value)))


def _plain(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _present(change: Mapping[str, Any], path: Sequence[str], was: Any) -> Any:
    """Return what a house has for a figure."""
    held: Any = change
    for key in path:
        if not isinstance(held, Mapping) or key not in held:
            return was
        held = held[key]
    return held


def label_figure(path: Sequence[str], clause: str, printed: Printed) -> str:
    """Return what a figure is called: what a limit limits, else its place in the chart."""
    for charts in printed.charts:
        limit = limits_of(chart_data(charts), clause).get(path[0])
        if limit is not None:
            return str(limit["what"])
    return " › ".join(path).replace("_", " ")


def spell_figure(value: Any) -> str:
    """Return a figure as it is typed into a cell."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else spell(value)


# What was typed -----------------------------------------------------------------------------------


def read_cells(fields: Mapping[str, str], clause: str, printed: Printed) -> dict[str, Any]:
    """Return the change of a clause that typed cells make; nothing, if all is as printed.

    What can't be read stays as it was typed: the check of the file tells what is wrong with it.
    """
    change: dict[str, Any] = {}
    if fields.get(SWITCH) in (OFF, AGREE):
        change[SWITCH] = fields[SWITCH]
    tables = {table.id: table for table in tables_of_clause(printed.tables, clause, printed.index)}
    for table in tables.values():
        made = {**_read_rows(fields, table), **_read_modifiers(fields, table)}
        if made:
            change |= made if len(tables) == 1 else {table.id: made}
    for path, was in printed_figures(clause, printed):
        typed = fields.get(SEP.join(("figure", *path)))
        if typed is not None and typed.strip() != spell_figure(was):
            _put(change, path, _read_figure(typed.strip(), was))
    why = fields.get(WHY, "").strip()
    return {WHY: why, **change} if why and change else change


def _read_rows(fields: Mapping[str, str], table: Table) -> dict[str, dict[str, Value]]:
    changes: dict[str, dict[str, Value]] = {}
    for name, typed in fields.items():
        parts = name.split(SEP)
        if parts[0] != "cell" or len(parts) != 4 or parts[1] != table.id:
            continue
        column, label = parts[2], parts[3]
        span = read_span(label)
        if span is None or column not in (table.columns or (RESULT,)):
            continue
        value = _read_result(table, column, typed.strip())
        if any(row.results[column] != value for row in covered_rows(table, span)):
            key = f"{COLUMN}{column}" if table.columns else ROWS
            changes.setdefault(key, {})[label] = value
    return changes


def _read_result(table: Table, column: str, typed: str) -> Value:
    known = allowed_results(table, column)
    if known is not None:
        return next((value for value in known if spell(value) == typed), typed)
    return _number(typed)


def _number(typed: str) -> int | str:
    text = typed.replace("−", "-").removeprefix("+")
    return int(text) if text.lstrip("-").isdigit() and len(text) < 10 else typed


def _read_modifiers(fields: Mapping[str, str], table: Table) -> dict[str, dict[str, Any]]:
    changes: dict[str, Any] = {}
    for modifier in table.modifiers:
        typed = fields.get(SEP.join(("modifier", table.id, modifier.id)))
        if typed is None or typed.strip() == _amount(modifier.value):
            continue
        changes[modifier.id] = typed.strip() if typed.strip() == OFF else _number(typed.strip() or OFF)
    taken = {modifier.id for modifier in table.modifiers}
    numbers = sorted({name.split(SEP)[2] for name in fields if name.startswith(f"own{SEP}{table.id}{SEP}")})
    for number in numbers:
        line = {part: fields.get(SEP.join(("own", table.id, number, part)), "").strip() for part in OWN_PARTS}
        if not line["when"] and not line["value"]:
            continue
        id_ = line["id"] or _name_for(line["when"], taken)
        taken.add(id_)
        per = {"per": line["per"]} if line["per"] else {}
        changes[id_] = {"value": _number(line["value"]), "when": line["when"], **per}
    return {MODIFIERS: changes} if changes else {}


OWN_PARTS = ("id", "value", "when", "per")
"""The cells of a line for a modifier of one's own."""


def _name_for(when: str, taken: set[str]) -> str:
    """Return an id for a new modifier, made of the words of its condition."""
    words = ["".join(c for c in word if c.isascii() and c.isalnum()) for word in when.lower().split()]
    stem = "-".join([word for word in words if word][:4]) or "own"
    return next(name for number in range(1, 1000) if (name := stem if number == 1 else f"{stem}-{number}") not in taken)


def _read_figure(typed: str, was: Any) -> Any:
    if isinstance(was, list):
        return [word.strip() for word in typed.split(",") if word.strip()]
    if isinstance(was, bool):
        return {"true": True, "false": False}.get(typed, typed)
    return None if typed == "" else _number(typed)


def _put(change: dict[str, Any], path: Sequence[str], value: Any) -> None:
    for key in path[:-1]:
        change = change.setdefault(key, {})
    change[path[-1]] = value
