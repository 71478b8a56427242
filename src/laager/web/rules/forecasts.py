"""What a table can bring: its odds in a campaign, as numbers and as a chart; rolls to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import RulesIndex
from laager.campaign.house import PRINTED, HouseLine, printed_tables
from laager.dice import Dice, Distribution, distribution
from laager.tables import TableSet
from laager.web.rules import reference
from laager.web.rules.reference import Chance

if TYPE_CHECKING:
    from laager.campaign import Roll
    from laager.tables import Table
    from laager.web.campaigns.tables import Asked
    from laager.web.campaigns.tables import Table as PlayTable

# Which tables ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CampaignTable:
    """A table of a campaign: printed in the rules, or entered by the owner of the module."""

    table: Table
    own: bool


def tables(play: PlayTable) -> Mapping[str, CampaignTable]:
    """Return the tables that the campaign plays by: those of its rules, then its module's own."""
    house = play.campaign.context.house or PRINTED
    printed = house.tables(printed_tables(play.ruleset.package))
    by_name = {name: CampaignTable(table, own=False) for name, table in printed.items()}
    entered = getattr(play.campaign.context, "chart_tables", None)
    if isinstance(entered, TableSet):
        by_name |= {name: CampaignTable(table, own=True) for name, table in entered.items()}
    return by_name


def table(play: PlayTable, name: str) -> Table:
    """Return a table of the campaign. Raises RefusedError, with advice."""
    known = tables(play)
    if name not in known:
        advice = did_you_mean(name, known)
        raise RefusedError(Refusal.NO_SUCH, f"no table is called {name!r}", advice)
    return known[name].table


def house_lines(play: PlayTable, table: Table) -> list[HouseLine]:
    """Return what the campaign plays differently in a table."""
    house = play.campaign.context.house
    changed = house.changed_for(table.rule) if house else ()
    return [line for line in play.house_lines if line.clause in changed]


# A forecast --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Final:
    """A final roll: how many ways give it, and what it brings."""

    value: int
    ways: int
    total: int
    row: int
    words: str

    @property
    def percent(self) -> float:
        """Its probability in percent, to a tenth."""
        return round(100 * self.ways / self.total, 1)


@dataclass(frozen=True)
class Bar:
    """A bar of the chart, in its own units; `even` tells neighbouring rows of the table apart."""

    final: Final
    x: float
    y: float
    width: float
    height: float
    even: bool

    @property
    def middle(self) -> float:
        """Where its number stands."""
        return round(self.x + self.width / 2, 1)

    @property
    def above(self) -> float:
        """Where its percentage stands."""
        return round(self.y - 4, 1)


WIDE, HIGH, FOOT, HEAD = 480.0, 200.0, 24.0, 18.0
"""The chart: its width and height, the room for numbers beneath and above the bars."""


@dataclass(frozen=True)
class Forecast:
    """What dice can bring with a modifier: every final roll, and each row of the table if any."""

    dice: Dice
    drm: int
    finals: tuple[Final, ...]
    rows: tuple[Chance, ...]
    columns: tuple[str, ...]
    mean: Fraction

    @property
    def wide(self) -> float:
        """The width of the chart."""
        return WIDE

    @property
    def high(self) -> float:
        """The height of the chart."""
        return HIGH

    @property
    def foot(self) -> float:
        """Where the numbers beneath the bars stand."""
        return HIGH - 7

    @property
    def ground(self) -> float:
        """Where the bars stand."""
        return HIGH - FOOT

    @property
    def average(self) -> float:
        """The average final roll, to a tenth."""
        return round(float(self.mean), 1)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The chart of all final rolls."""
        most = max(final.ways for final in self.finals)
        step = WIDE / len(self.finals)
        room = HIGH - FOOT - HEAD
        return tuple(
            Bar(
                final,
                x=round(i * step + step * 0.1, 1),
                y=round(HIGH - FOOT - room * final.ways / most, 1),
                width=round(step * 0.8, 1),
                height=round(room * final.ways / most, 1),
                even=final.row % 2 == 1,
            )
            for i, final in enumerate(self.finals)
        )

    @property
    def said(self) -> str:
        """The chart in words."""
        return ", ".join(f"{final.value}: {final.percent} %" for final in self.finals)


def of_table(table: Table, drm: int) -> Forecast:
    """Return what a table can bring under a modifier."""
    thrown = distribution(table.dice)
    finals = []
    for original, ways in thrown.weights.items():
        row = table.row(original + drm)
        words = "; ".join(table.words(value) for value in row.results.values())
        finals.append(Final(original + drm, ways, thrown.total, table.rows.index(row), words))
    rows = tuple(reference.chances(table, drm))
    return Forecast(table.dice, drm, tuple(finals), rows, table.columns, thrown.mean + drm)


def of_dice(dice: Dice, drm: int) -> Forecast:
    """Return what dice can bring with a modifier, of no table."""
    thrown: Distribution = distribution(dice)
    finals = tuple(Final(value + drm, ways, thrown.total, 0, "") for value, ways in thrown.weights.items())
    return Forecast(dice, drm, finals, (), (), thrown.mean + drm)


# Rolls to come -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Coming:
    """A roll that waits to be made, with all modifiers known, and the tables it is for."""

    asked: Asked
    roll: Roll
    rule: str
    drm: int
    plain: Forecast
    on: tuple[tuple[Table, Forecast], ...]


def coming_rolls(play: PlayTable) -> list[Coming]:
    """Return the rolls that wait for this seat (of all sides, for the umpire) with their odds."""
    rolls = []
    for asked in play.asked:
        roll = asked.pending.roll
        if roll is None:
            continue
        rule = roll.rule or asked.pending.step.clause
        drm = sum(modifier.value for modifier in roll.modifiers)
        on = tuple(
            (table, of_table(table, drm))
            for table in tables_behind(play, rule, asked.pending.step.clause)
            if table.dice is roll.dice
        )
        rolls.append(Coming(asked, roll, rule, drm, of_dice(roll.dice, drm), on))
    return rolls


def tables_behind(play: PlayTable, *clauses: str) -> Sequence[Table]:
    """Return the tables that belong to clauses: those of the first that has any.

    They are the ones that the clause names, and those that name the clause.
    """
    index = RulesIndex.load_packaged(play.ruleset.package)
    known = tables(play)
    for name in clauses:
        clause = index.get(name)
        named = clause.tables if clause else ()
        naming = (other for other, known_ in known.items() if name and known_.table.rule == name)
        behind_clause = [known[other].table for other in dict.fromkeys((*named, *naming)) if other in known]
        if behind_clause:
            return behind_clause
    return ()


# Modifiers in force ------------------------------------------------------------------------------


@dataclass(frozen=True)
class LastUse:
    """The modifiers of a table as they counted when it was last rolled on; where that was told."""

    given: Mapping[str, str]
    entry: int


def last_used(play: PlayTable, table: Table) -> LastUse | None:
    """Return the modifiers of the last roll by a table's rule, if they are modifiers of its own.

    They are read from the viewer's log; None if there was no such roll, or none that fits.
    """
    for line in reversed(play.log):
        entry = line.entry
        if entry.type != "roll" or not line.counts or entry.body["dice"] != table.dice.value:
            continue
        rule = entry.body.get("rule", "")
        if table not in tables_behind(play, rule):
            continue
        given = _modifiers_by_id(table, entry.body["modifiers"])
        return LastUse(given, line.number)
    return None


def _modifiers_by_id(table: Table, modifiers: Sequence[Mapping[str, object]]) -> Mapping[str, str]:
    """Return a roll's modifiers by the names that the table has for them."""
    by_id: dict[str, str] = {}
    for known in table.modifiers:
        for modifier in modifiers:
            reason, value = str(modifier["reason"]), modifier["value"]
            if not reason.endswith(known.when) or not isinstance(value, int):
                continue
            if known.value is None:
                by_id[known.id] = str(value)
            elif known.value and value % known.value == 0:
                by_id[known.id] = str(value // known.value)
    return by_id
