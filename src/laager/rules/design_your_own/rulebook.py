"""The rules as a purchase plays them: charts and tables as its house has them, and the readings chosen.

Rule functions without a purchase take it as their first argument. A purchase has one: `cg.rulebook`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from laager.campaign import Readings, RulesIndex
from laager.campaign.house import PRINTED, HouseRules, Printed, printed_tables
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.charts import DyoCharts, printed_charts
from laager.tables import TableSet

RULES = "dyo"
"""The ruleset, as files name it."""


def printed_rules() -> Printed:
    """Return what house rules can change in Design Your Own."""
    return Printed(RULES, RulesIndex.load_packaged(PACKAGE), printed_tables(PACKAGE), (printed_charts(),))


@dataclass(frozen=True, eq=False)
class Rulebook:
    """What holds in a purchase; without arguments the rules as printed, by their usual readings."""

    chosen: Mapping[str, str] = field(default_factory=dict)
    """The readings chosen, by id; the others are the usual ones."""
    house: HouseRules = PRINTED

    @cached_property
    def charts(self) -> DyoCharts:
        """The charts, as the house has them."""
        changed: DyoCharts = self.house.packaged_charts(PACKAGE, printed_charts())
        return changed

    @property
    def tables(self) -> TableSet:
        """The tables that are rolled on, as the house has them."""
        return self.house.tables(printed_tables(PACKAGE))

    def reading(self, name: str) -> str:
        """Return the option in force of a reading. Raises RefusedError for an unknown one."""
        return Readings.load_packaged(PACKAGE).value(self.chosen, name)
