"""The grids of a file of tables: an overview, then the rows and the modifiers of each table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.base.blanks import is_blank
from laager.rules.board.hasl.charts import TABLES
from laager.rules.board.hasl.grids.cells import Amount, ChoiceCell, FinalRoll, Names, Result, Sentences, WordsCell
from laager.rules.board.hasl.grids.grid import ChartGrid, Column
from laager.rules.board.hasl.skeleton import RESULTS

OVERVIEW = (
    Column(("id",), "Table", "Its name in Laager, by which a step finds it.", WordsCell(lambda: list(TABLES)), True,
           16),
    Column(("title",), "Title", "What it is called on the chart.", WordsCell(), True, 24),
    Column(("rule",), "Rule", "The clause that it belongs to.", WordsCell(), True, 12),
    Column(("roll",), "Roll", "What is rolled on it.", ChoiceCell({"DR": "DR", "dr": "dr"}), True, 4),
    Column(("columns",), "Columns", "Names of its columns in small letters: german, british. Empty: one result a row.",
           Names(), wide=20),
    Column(("notes",), "Notes", "What players should read with the table, parted by |.", Sentences(), wide=20),
)  # fmt: skip

COUNTED = {
    "exhaustion": "Campaign Exhaustion DRM",
    "ammunition": "Ammunition Shortage level",
    "attacked": "chose an Attack chit",
    "idle": "chose an Idle chit for the date just played",
    "night": "the CG Date is a night",
    "cvp-lost": "CVP lost",
}
"""When each modifier applies that Laager counts itself."""
GIVEN = ("exhaustion", "ammunition")
CHIT_CLAUSES = {"ABtF": "ABtF 9.62132", "ER": "ER 1.5222"}
"""The clause of the chits, by the rule system that a clause begins with."""


def _modifiers(rule: str) -> tuple[Column, ...]:
    """Return the columns of the modifiers of a table, by the clause of the table."""
    chits = CHIT_CLAUSES.get(rule.partition(" ")[0], rule)
    return (
        Column(("id",), "Modifier", "Its name. Laager counts exhaustion, ammunition, attacked, idle, night and "
               "cvp-lost itself, and asks whether any other applies.", WordsCell(lambda: list(COUNTED)), True, 12),
        Column(("value",), "DRM", "A number, or given: what the card or the players say.", Amount(), True, 5,
               lambda row: "given" if row["id"] in GIVEN else ""),
        Column(("per",), "For each", "What it counts for, if it counts more than once.", WordsCell(), wide=14),
        Column(("when",), "When", "When it applies, in words. Empty: what its name says, if Laager counts it.",
               WordsCell(), True, 24, lambda row: COUNTED.get(row["id"], "")),
        Column(("rule",), "Rule", "The clause that it comes from. Empty: that of the chits, else of the table.",
               WordsCell(), True, 12, lambda row: chits if row["id"] in ("attacked", "idle") else rule),
    )  # fmt: skip


def table_grids(data: Mapping[str, Any]) -> Iterator[ChartGrid]:
    """Yield the grids of a file of tables."""
    yield ChartGrid("tables", "All tables", "Which tables there are. Their rows are below.", ("tables",), OVERVIEW)
    tables = data.get("tables")
    for i, table in enumerate(tables if isinstance(tables, list) else ()):
        if not isinstance(table, Mapping):
            continue
        id_, title = str(table.get("id", i + 1)), str(table.get("title", ""))
        about = f"Results: {RESULTS[id_]}." if id_ in RESULTS else "The results, by the final roll."
        yield ChartGrid(id_, title, about, ("tables", i, "rows"), _rows(table))
        about = "What changes the roll."
        clause = "" if is_blank(table.get("rule")) else str(table.get("rule", ""))
        columns = _modifiers(clause)
        yield ChartGrid(f"{id_}-modifiers", f"{title}: modifiers", about, ("tables", i, "modifiers"), columns)


def _rows(table: Mapping[str, Any]) -> tuple[Column, ...]:
    help_ = "As printed: ≤ 4, 5-9, 10, ≥ 11. Empty in the last line: all that are higher."
    roll = Column(("at",), "Final roll", help_, FinalRoll(), True, 7)
    listed = table.get("columns")
    names = [str(column) for column in listed if not is_blank(column)] if isinstance(listed, list) else []
    meaning = "The result. – stands for nothing."
    if not names:
        return (roll, Column(("result",), "Result", meaning, Result(), True, 18))
    return (roll, *(Column((name,), name, meaning, Result(), True, 14) for name in names))
