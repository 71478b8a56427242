"""House rules in force: tables, charts and clauses as a group plays them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from laager.base import DataError, Problem
from laager.base.files import Document, Where, check
from laager.campaign.clauses import Clause, RulesIndex
from laager.campaign.house.cells import Complain, change_table
from laager.campaign.house.figures import change_figures, limits_of, names_of, parts_of, row_lists
from laager.campaign.house.file import AGREE, COLUMN, MODIFIERS, OFF, ROWS, SWITCH, WHY, HouseFile
from laager.tables import Table, TableSet, load_packaged

if TYPE_CHECKING:
    from laager.campaign.steps import Step

TABLES = "tables.yaml"

HOUSE = "house"
"""The field of the opening with the house rules; campaigns by the rules as printed have none."""


@dataclass(frozen=True, eq=False)
class HouseRules:
    """What a group plays differently. False if that is nothing.

    `data` is the file's, as it is kept in a campaign. Contexts take tables and charts through it; what the rules do
    with them doesn't know of it.
    """

    data: Mapping[str, Any]
    title: str = ""
    why: str = ""
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    index: RulesIndex = field(default_factory=lambda: RulesIndex({}))
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.rules)

    # What is changed ------------------------------------------------------------------------------

    def switch(self, clause: str) -> str:
        """Return `off` or `agree` if the clause is left out, or left to the players; else ""."""
        return str(self.rules.get(clause, {}).get(SWITCH, ""))

    def switch_of(self, step: Step) -> str:
        """Return `off` or `agree` if a step is left out, or left to the players; else ""."""
        for clause in self.rules:
            entry = self.index.get(clause)
            steps = entry.steps if entry else ()
            if self.switch(clause) and (step.id in steps if steps else step.clause == clause):
                return self.switch(clause)
        return ""

    def is_off(self, clause: str) -> bool:
        """True if the clause is left out."""
        return self.switch(clause) == OFF

    def is_applied(self, clause: str) -> bool:
        """True if Laager applies the clause: the house neither leaves it out nor leaves it to the players."""
        return not self.switch(clause)

    @property
    def asked_charts(self) -> frozenset[str]:
        """The tables of a module, by their names, whose results are left to the players."""
        left = (clause for clause in self.rules if self.switch(clause) == AGREE)
        return frozenset[str]().union(*map(self.charts_of, left))

    def charts_of(self, clause: str) -> frozenset[str]:
        """Return the tables of a module, by their names, that a clause is about."""
        entry = self.index.get(clause)
        return frozenset({*entry.tables, (entry.chart or "").replace("_", "-")}) - {""} if entry else frozenset()

    @property
    def adds_modifiers(self) -> bool:
        """True if it has modifiers of its own, which players are asked about."""
        return any(_adds(change) for change in self.rules.values())

    def without_left_out(self, clauses: Iterable[Clause]) -> tuple[Clause, ...]:
        """Return clauses without those that are left out, for reminders."""
        return tuple(clause for clause in clauses if not self.is_off(clause.id))

    def reason(self, clause: str) -> str:
        """Return why the clause is changed; "" if it isn't."""
        change = self.rules.get(clause)
        return "" if change is None else str(change.get(WHY) or self.why)

    def changed_for(self, clause: str) -> tuple[str, ...]:
        """Return the clauses under which something is changed that this one is about: itself, or its table or chart."""
        about = self._names(clause)
        return tuple(
            changed
            for changed in self.rules
            if changed == clause or (not self.switch(changed) and about & self._names(changed))
        )

    def _names(self, clause: str) -> set[str]:
        """Return a clause with the tables and the chart that it is about."""
        entry = self.index.get(clause)
        names = {clause, *(entry.tables if entry else ()), (entry.chart or "") if entry else ""}
        return names - {""}

    # Tables and charts ----------------------------------------------------------------------------

    def tables(self, printed: TableSet) -> TableSet:
        """Return tables as the house has them. Raises DataError if they can't be changed so."""
        if not self:
            return printed
        # By the tables themselves: they are kept as long as they are used here.
        kept = self._kept.get(id(printed))
        if kept is None or kept[0] is not printed:
            kept = self._kept[id(printed)] = printed, self._change_tables(printed)
        changed: TableSet = kept[1]
        return changed

    def _change_tables(self, printed: TableSet) -> TableSet:
        problems: list[Problem] = []
        changed = Changes(self.rules, self.index, _collect(problems)).tables(printed)
        if problems:
            raise DataError(problems)
        return changed

    def charts(self, model: type[BaseModel], data: Mapping[str, Any]) -> Any:
        """Return a file of charts as the house has it, from its data. Raises DataError if it can't be changed so."""
        problems: list[Problem] = []
        changed = Changes(self.rules, self.index, _collect(problems)).charts(data)
        if problems:
            raise DataError(problems)
        return check(Document(changed, self.title or HOUSE), model)

    def packaged_charts(self, package: str, printed: Any) -> Any:
        """Return the charts of a package as the house has them; `printed` as it is if nothing is changed."""
        if not self:
            return printed
        if package not in self._kept:
            self._kept[package] = self.charts(type(printed), chart_data(printed))
        return self._kept[package]


def _adds(change: Any) -> bool:
    """True if a change, or what is changed in one of its tables, adds a modifier."""
    if not isinstance(change, Mapping):
        return False
    modifiers = change.get(MODIFIERS)
    own = isinstance(modifiers, Mapping) and any(isinstance(value, Mapping) for value in modifiers.values())
    return own or any(_adds(inner) for key, inner in change.items() if key != MODIFIERS)


PRINTED = HouseRules({})
"""The rules as they are printed."""


def chart_data(charts: BaseModel) -> Any:
    """Return charts as plain data, as they are in their file."""
    return charts.model_dump(mode="json", by_alias=True)


def _collect(problems: list[Problem]) -> Complain:
    def complain(where: Where, wrong: str, right: str) -> None:
        problems.append(Problem(wrong, right, ".".join(map(str, where))))

    return complain


@cache
def printed_tables(package: str) -> TableSet:
    """Return the tables that ship with a ruleset; some have none."""
    return load_packaged(package, TABLES) if files(package).joinpath(TABLES).is_file() else TableSet({})


def house_rules(data: Mapping[str, Any] | None, package: str) -> HouseRules:
    """Return the house rules of a campaign from what it keeps of them; PRINTED for nothing.

    Raises DataError if they aren't a file of house rules.
    """
    return _house_rules(json.dumps(data), package) if data else PRINTED


@lru_cache(maxsize=64)
def _house_rules(data: str, package: str) -> HouseRules:
    return read_house(Document(json.loads(data), "house rules"), RulesIndex.load_packaged(package))


def read_house(document: Document, index: RulesIndex) -> HouseRules:
    """Return the house rules of a document. Raises DataError with what its form has wrong."""
    file = check(document, HouseFile)
    kept = file.model_dump(mode="json", exclude_unset=True)
    return HouseRules(kept, file.title, file.why, MappingProxyType(dict(file.rules)), index)


# Applying -----------------------------------------------------------------------------------------


@dataclass
class Changes:
    """Changes of clauses, to be made in tables and in data of charts; `complain` takes what is wrong with them."""

    rules: Mapping[str, Mapping[str, Any]]
    index: RulesIndex
    complain: Complain
    used: set[Where] = field(default_factory=set)
    """The changes that found what they change."""
    in_tables: set[Where] = field(default_factory=set)
    """Those of them that are changes of tables."""

    def _figures(self, clause: str) -> dict[str, Any]:
        return {key: value for key, value in self.rules[clause].items() if key not in (SWITCH, WHY)}

    def tables(self, printed: TableSet) -> TableSet:
        """Return tables with the changes made in them."""
        tables = dict(printed.tables)
        for clause in self.rules:
            own = {table.id: table for table in tables_of_clause(printed, clause, self.index)}
            for id_, change, where in self._by_table(clause, own):
                tables[id_] = change_table(tables[id_], change, clause, where, self.complain)
        return TableSet(tables, printed.source)

    def _by_table(self, clause: str, own: Mapping[str, Table]) -> Iterator[tuple[str, Mapping[str, Any], Where]]:
        """Yield what is changed in which table of a clause: named, or the only one."""
        for key, value in self._figures(clause).items():
            where: Where = ("rules", clause, key)
            if key in own:
                self._use_in_tables(where)
                if isinstance(value, Mapping):
                    yield key, value, where
                else:
                    self.complain(where, "is a table", "say which rows or modifiers: {modifiers: {…}}")
            elif key in (ROWS, MODIFIERS) or key.startswith(COLUMN):
                # A chart may have rows as well; tables come first.
                if len(own) == 1:
                    self._use_in_tables(where)
                    yield next(iter(own)), {key: value}, where[:-1]
                elif own:
                    self._use_in_tables(where)
                    self.complain(where, f"{clause} has several tables", f"write {key} under one of {', '.join(own)}")

    def _use_in_tables(self, where: Where) -> None:
        self.used.add(where)
        self.in_tables.add(where)

    def charts(self, data: Mapping[str, Any]) -> Any:
        """Return the data of a file of charts with the changes made in them."""
        made = deepcopy(dict(data))
        for clause in self.rules:
            entry = self.index.get(clause)
            parts = [part for _, part in chart_parts(made, clause, entry)]
            limits = limits_of(made, clause)
            for key, value in self._figures(clause).items():
                where: Where = ("rules", clause, key)
                if where in self.in_tables:
                    continue
                if key in limits:
                    self.used.add(where)
                    self._change_limit(limits[key], value, where)
                elif any(change_figures(part, key, value, where[:-1], self.complain) for part in parts):
                    self.used.add(where)
        return made

    def _change_limit(self, limit: dict[str, Any], value: Any, where: Where) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            self.complain(where, f"“{value}” isn't a number", f"a whole number instead of {limit['value']}")
        else:
            limit["value"] = value

    def find_unused(self) -> Iterator[Where]:
        """Yield the changes that have found nothing to change."""
        for clause in self.rules:
            for key in self._figures(clause):
                if ("rules", clause, key) not in self.used:
                    yield "rules", clause, key


SIDES_CHARTS = frozenset({"rg", "cpp", "given", "recon", "support_weapons"})
"""Charts that each side of a module has for itself; in its file they stand under `sides`."""


def chart_parts(data: Mapping[str, Any], clause: str, entry: Clause | None) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a file of charts that a clause is about."""
    chart = entry.chart if entry else None
    if chart in SIDES_CHARTS and chart not in data and "sides" in data:
        yield "sides", data["sides"]
        return
    yield from parts_of(data, clause, chart)


def tables_of_clause(tables: TableSet, clause: str, index: RulesIndex) -> Iterator[Table]:
    """Yield the tables that a clause has: by its index entry, or by the rule that they name."""
    entry = index.get(clause)
    # A module's table is called like the chart that the clause is about.
    chart = (entry.chart or "").replace("_", "-") if entry else ""
    named = {*((entry.tables) if entry else ()), chart}
    for table in tables.values():
        if table.id in named or table.rule == clause:
            yield table


def known_keys(clause: str, index: RulesIndex, tables: TableSet, charts: Mapping[str, Any]) -> list[str]:
    """Return what can be changed under a clause, for advice."""
    own = list(tables_of_clause(tables, clause, index))
    keys = [table.id for table in own] if len(own) > 1 else []
    for table in own if len(own) == 1 else ():
        keys += [f"{COLUMN}{name}" for name in table.columns] or [ROWS]
        keys.append(MODIFIERS)
    keys += limits_of(charts, clause)
    for _, part in chart_parts(charts, clause, index.get(clause)):
        keys += [names_of(row)[0] for rows in row_lists(part) for row in rows if names_of(row)]
        keys += [key for key in part if key not in ("rule", "rows", "notes")] if isinstance(part, dict) else []
    return keys
