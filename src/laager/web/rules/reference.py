"""The rules to browse: clauses, tables with their odds, readings, the sequence of play."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import Clause, PlayedRuleset, RulesIndex, Step
from laager.campaign.cards import installed_rulesets
from laager.campaign.house import PRINTED
from laager.campaign.readings import Reading, Readings, readings_in_force, ruled_readings
from laager.tables import Table, TableModifier, TableSet, load_packaged

if TYPE_CHECKING:
    from laager.web.campaigns.tables import Table as PlayTable

TABLES = "tables.yaml"

HIGHEST = 20
"""The highest count of a modifier, and the furthest value of one that is given, in a forecast."""


@dataclass(frozen=True)
class Book:
    """All that there is to read of one ruleset."""

    ruleset: PlayedRuleset
    index: RulesIndex
    tables: Mapping[str, Table]
    readings: Readings

    @property
    def id(self) -> str:
        """The ruleset's name in addresses."""
        return self.ruleset.id

    @property
    def title(self) -> str:
        """The ruleset's name for people."""
        return self.ruleset.title

    def clause(self, name: str) -> Clause:
        """Return a clause. Raises RefusedError, with advice."""
        return self.index.clause(name)

    def table(self, name: str) -> Table:
        """Return a table. Raises RefusedError, with advice."""
        if name not in self.tables:
            advice = did_you_mean(name, self.tables)
            raise RefusedError(Refusal.NO_SUCH, f"no table is called {name!r}", advice)
        return self.tables[name]

    def steps_of(self, clause: str) -> list[Step]:
        """Return the steps of the sequence of play that carry a clause out."""
        return [step for step in self.ruleset.steps.values() if clause in step.__clauses__]

    def tables_of(self, clause: Clause) -> list[Table]:
        """Return the tables that a clause is about or uses, and those whose modifiers it gives."""
        by_rule = (
            name
            for name, table in self.tables.items()
            if clause.id in (table.rule, *(modifier.rule for modifier in table.modifiers))
        )
        names = dict.fromkeys((*clause.tables, *by_rule))
        return [self.tables[name] for name in names if name in self.tables]

    def naming(self, clause: Clause) -> list[Clause]:
        """Return the clauses that refer to one, in the order of the rulebook."""
        return [other for other in self.index.values() if clause.id in other.see]

    def readings_of(self, clause: Clause) -> list[str]:
        """Return the ids of the readings that a clause leaves open."""
        return [name for name in clause.readings if name in self.readings]


def books() -> list[Book]:
    """Return every ruleset that is installed and can be loaded."""
    return [book(name) for name in installed_rulesets().rulesets]


def book(name: str) -> Book:
    """Return a ruleset to read. Raises RefusedError if there is none of this name."""
    rulesets = installed_rulesets().rulesets
    if name not in rulesets:
        advice = did_you_mean(name, rulesets)
        raise RefusedError(Refusal.NO_SUCH, f"no rules are called {name!r}", advice)
    return _book(name)


@cache
def _book(name: str) -> Book:
    ruleset = installed_rulesets().rulesets[name]
    package = ruleset.package
    # Rules whose tables are all the owner's to fill in print none of their own.
    own = files(package).joinpath(TABLES).is_file()
    tables = load_packaged(package, TABLES) if own else TableSet({}, "")
    return Book(ruleset, RulesIndex.load_packaged(package), tables, Readings.load_packaged(package))


@dataclass(frozen=True)
class InForce:
    """A reading as a campaign has it: which option, and whether it is another than usual."""

    reading: Reading
    option: str
    ruled: bool = False
    """True if a ruling has chosen it since the campaign began."""

    @property
    def unusual(self) -> bool:
        """True if the card or the players chose another option than the default."""
        return self.ruled or self.option != self.reading.default

    @property
    def meaning(self) -> str:
        """What the option means."""
        return self.reading.options.get(self.option, self.option)


def in_force(book: Book, opening: Mapping[str, Any], state: Any) -> list[InForce]:
    """Return how a campaign reads its rules, as a viewer's state has it, the unusual readings first."""
    chosen, ruled = readings_in_force(opening, state), ruled_readings(state)
    readings = [
        InForce(reading, str(chosen.get(name, reading.default)), name in ruled)
        for name, reading in book.readings.items()
    ]
    return sorted(readings, key=lambda reading: not reading.unusual)


@dataclass(frozen=True)
class Chance:
    """A row of a table in a forecast: what it says, and how likely it is."""

    span: str
    words: tuple[str, ...]
    ways: int
    total: int

    @property
    def share(self) -> Fraction:
        """Its probability."""
        return Fraction(self.ways, self.total)

    @property
    def percent(self) -> float:
        """Its probability in percent, to a tenth."""
        return round(100 * self.ways / self.total, 1)


@dataclass(frozen=True)
class Weight:
    """A modifier in a forecast: how often it counts, or the value given for it."""

    modifier: TableModifier
    given: int

    @property
    def amount(self) -> int:
        """What it changes the roll by."""
        own = self.modifier.value
        return self.given if own is None else own * self.given


def weigh_modifiers(table: Table, given: Mapping[str, str]) -> list[Weight]:
    """Return a table's modifiers as somebody sets them; anything that isn't a number counts as 0."""
    used = [modifier for modifier in table.modifiers if not modifier.off]
    return [Weight(modifier, _number(given.get(modifier.id, ""), modifier)) for modifier in used]


def _number(text: str, modifier: TableModifier) -> int:
    try:
        number = int(text)
    except ValueError:
        return 0
    if modifier.value is None:
        return max(-HIGHEST, min(HIGHEST, number))
    return max(0, min(HIGHEST if modifier.per else 1, number))


def chances(table: Table, drm: int) -> list[Chance]:
    """Return what a table can bring under a modifier: every row with its exact odds."""
    columns: Sequence[str] = table.columns or ("result",)
    return [
        Chance(
            str(odds.row.span),
            tuple(table.words(odds.row.results[column]) for column in columns),
            odds.ways,
            odds.total,
        )
        for odds in table.odds(drm)
    ]


def search(book: Book, text: str) -> Iterable[Clause]:
    """Return the clauses that a search finds, the best first."""
    return book.index.search(text)


def reminders(table: PlayTable, step: str) -> Sequence[Clause]:
    """Return the rules to remember at a step."""
    moment = table.ruleset.moment(step)
    if not moment:
        return ()
    house = table.campaign.context.house or PRINTED
    return house.without_left_out(RulesIndex.load_packaged(table.ruleset.package).reminders(moment))


# Marking what was searched for --------------------------------------------------------------------


register = template.Library()

AROUND = 110
"""Characters on either side of the first word that a search finds."""


@register.filter
def found_in(text: str, words: str) -> SafeString:
    """Return the part of a text around what was searched for, each word marked."""
    wanted = [re.escape(word) for word in words.split()]
    if not wanted:
        return conditional_escape(text)
    pattern = re.compile("|".join(sorted(wanted, key=len, reverse=True)), re.IGNORECASE)
    first = pattern.search(text)
    start = max(0, first.start() - AROUND) if first else 0
    end = min(len(text), (first.end() if first else 0) + 2 * AROUND)
    shown = text[start:end]
    before, after = "…" if start else "", "…" if end < len(text) else ""
    return format_html("{}{}{}", before, _mark_hits(shown, pattern), after)


def _mark_hits(text: str, pattern: re.Pattern[str]) -> SafeString:
    parts, at = [], 0
    for hit in pattern.finditer(text):
        parts.append((text[at : hit.start()], hit.group()))
        at = hit.end()
    marked = format_html_join("", "{}<mark>{}</mark>", parts)
    return format_html("{}{}", marked, text[at:])
