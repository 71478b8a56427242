"""A file of house rules to begin with: everything that can be changed, as it is printed, commented out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign.clauses import Switch
from laager.campaign.house.checking import Printed
from laager.campaign.house.file import COLUMN, MODIFIERS, OFF, ROWS
from laager.campaign.house.grid import changeable_clauses, printed_figures
from laager.campaign.house.rules import tables_of_clause
from laager.tables.model import RESULT, spell


def house_template(printed: Printed, title: str, *, bare: bool = False) -> str:
    """Return a file of house rules that changes nothing yet; `bare`: without what could be changed."""
    lines = [
        f"# House rules for {title}.",
        "laager: house/1",
        f"ruleset: {printed.ruleset}",
        "title: House rules",
        "why: As we agreed.",
        "rules:",
    ]
    if not bare:
        lines += [
            "  # What can be changed, as it is printed. Take the # off a clause and off the lines that you change,",
            "  # and leave out the rest. Clauses with off or agree can be left out, or left to the players.",
            *_list_changeable(printed),
        ]
    return "\n".join(lines) + "\n"


def _list_changeable(printed: Printed) -> Iterator[str]:
    said: set[str] = set()
    for clause in changeable_clauses(printed):
        inside = [*_in_tables(clause.id, printed), *_in_charts(clause.id, printed)]
        # A table or a chart stands with the first clause that is about it.
        inside = [line for line in inside if line not in said]
        said |= set(inside)
        alone = {Switch.OFF: " off  # or agree;", Switch.AGREE: " agree  #", Switch.NO: "  #"}[clause.switch]
        beside = {Switch.OFF: ", or off, or agree", Switch.AGREE: ", or agree", Switch.NO: ""}[clause.switch]
        if inside or clause.switch is not Switch.NO:
            yield f"  # {clause.id}:  # {clause.title}{beside}" if inside else f"  # {clause.id}:{alone} {clause.title}"
            yield from (f"  #   {line}" for line in inside)


def _in_tables(clause: str, printed: Printed) -> Iterator[str]:
    tables = list(tables_of_clause(printed.tables, clause, printed.index))
    for table in tables:
        indent = ""
        if len(tables) > 1:
            yield f"{table.id}:"
            indent = "  "
        for column in table.columns or (RESULT,):
            key = f"{COLUMN}{column}" if table.columns else ROWS
            cells = {str(row.span): spell(row.results[column]) for row in table.rows}
            yield f"{indent}{key}: {_flow(cells)}"
        modifiers = {
            modifier.id: OFF if modifier.value is None else str(modifier.value) for modifier in table.modifiers
        }
        if modifiers:
            yield f"{indent}{MODIFIERS}: {_flow(modifiers)}"


def _in_charts(clause: str, printed: Printed) -> Iterator[str]:
    tree: dict[str, Any] = {}
    for path, value in printed_figures(clause, printed):
        part = tree
        for key in path[:-1]:
            part = part.setdefault(key, {})
        part[path[-1]] = value
    for key, value in tree.items():
        yield f"{key}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    return value if isinstance(value, str) else spell(value)
