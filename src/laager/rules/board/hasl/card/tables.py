"""Checks of the tables that a card names: the steps that roll on them must be able to read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from laager.base import RefusedError, did_you_mean
from laager.base.files import Where
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.hasl.buying.strength import LEADER_VALUE, kind_of_leaders, leaders_in, read_strength
from laager.rules.board.hasl.charts import TABLES, Kind
from laager.rules.board.hasl.conditions import number_of, yes_of
from laager.rules.board.hasl.refit import escape, leaders, repair
from laager.rules.board.hasl.system import CheckedCard
from laager.tables import Table, TableSet, Value

READERS: Mapping[str, Callable[[Value], Any]] = {
    "strength": read_strength,
    "san": lambda value: number_of(value, "san"),
    "elr": lambda value: number_of(value, "elr"),
    "ammunition": lambda value: number_of(value, "ammunition"),
    "escape": escape.read_outcome,
    "shift": lambda value: yes_of(value, "shift"),
    "repair": repair.read_outcome,
    "wounded-leaders": leaders.read_healing,
    "battle-hardening": leaders.how_many,
}
"""Readers of the results of tables; each raises RefusedError for a result that it can't read."""

COLUMNS = frozenset({"leaders", "recon"})
"""Tables that may have columns; the steps read one result from the others."""

CVP_LOST = "cvp-lost"


def check_tables(named: CheckedCard, tables: TableSet, listed: CardFindings) -> None:
    """Check the tables of a card as the steps will read them."""
    check_results(tables, listed)
    for i, table in enumerate(tables.values()):
        counted = [modifier.id for modifier in table.modifiers]
        if CVP_LOST in counted and named.charts.cvp_step is None:
            fault = f"{CVP_LOST} counts steps of CVP lost, but the charts have no cvp_step"
            where: Where = ("tables", i, "modifiers", counted.index(CVP_LOST))
            listed.add_doubt(where, fault, "add it, or the players will be asked")
        if table.id == "leaders":
            _check_leaders(named, table, i, listed)


def check_results(tables: TableSet, listed: CardFindings) -> None:
    """Check names, columns and results of tables by themselves."""
    for i, table in enumerate(tables.values()):
        where: Where = ("tables", i)
        if table.id not in TABLES:
            advice = did_you_mean(table.id, TABLES, "tables that steps use are")
            listed.add_doubt((*where, "id"), f"no step uses the table {table.id!r}", advice)
        elif table.columns and table.id not in COLUMNS:
            listed.add_problem(
                (*where, "columns"),
                f"the table {table.id} has columns, but its step reads one result",
                "leave them out; a result for each row",
            )
        elif table.id in READERS:
            _check_readable(table, where, listed)


def _check_readable(table: Table, where: Where, listed: CardFindings) -> None:
    for j, row in enumerate(table.rows):
        try:
            READERS[table.id](row.results["result"])
        except RefusedError as err:
            listed.add_problem((*where, "rows", j, "result"), err.problem.what, err.problem.right)


# Leaders ------------------------------------------------------------------------------------------


def _check_leaders(named: CheckedCard, table: Table, number: int, listed: CardFindings) -> None:
    """Every column that groups use is there, and its leaders are those of the side's nation."""
    strange: set[tuple[str, int, str]] = set()
    for side, chart in named.charts.sides.items():
        lines = [(i, line) for i, line in enumerate(chart.rg or ()) if line.leader]
        for i, line in lines:
            if table.columns and line.leader not in table.columns:
                advice = did_you_mean(line.leader, table.columns, "its columns are")
                named.inside.add_doubt(
                    ("sides", side, "rg", i, "leader"),
                    f"{line.key}: the table of leaders has no column {line.leader!r}",
                    advice,
                )
                continue
            column = line.leader if table.columns else "result"
            for j, name, advice in _unknown_leaders(named, side, table, column, line.kind):
                if (column, j, name) not in strange:
                    strange.add((column, j, name))
                    listed.add_problem(
                        ("tables", number, "rows", j, column), f"{line.key} can't have a leader {name}", advice
                    )


def _unknown_leaders(
    named: CheckedCard, side: str, table: Table, column: str, kind: Kind
) -> Iterator[tuple[int, str, str]]:
    """Yield leader values of a column that a side's nation doesn't have: row, value, advice."""
    own = named.card.sides[side].nation  # type: ignore[index]
    nation = named.nations.get(own) if named.nations is not None else None
    if nation is None:
        return
    known = nation.types(kind_of_leaders(kind))
    for j, row in enumerate(table.rows):
        result = row.results[column]
        for name in leaders_in("" if result is None else str(result)):
            if LEADER_VALUE.fullmatch(name) and name not in known:
                yield j, name, did_you_mean(name, known)
