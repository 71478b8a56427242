"""What every step of a purchase works with: terms, catalogue, shared counters, live state."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from laager.base.texts import Meanings, meanings_of
from laager.campaign import UMPIRE, Context, Readings, implements, people
from laager.campaign.house import HOUSE, HouseRules, house_rules
from laager.campaign.opening import RECORD
from laager.catalogue.dyo import DyoCatalogue, DyoNation, Gap, GivenEntry, Month, from_data, gaps, unite
from laager.dice import Rolled
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.charts import DyoCharts, printed_charts
from laager.rules.design_your_own.nations import Group, RowName, row_of
from laager.rules.design_your_own.ob import Dr, OrderOfBattle
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.state import DyoState, GivenValue, first_state
from laager.rules.design_your_own.terms import AXIS, Terms, other_side
from laager.tables import TableSet

SHOWN = ("squads", "guns", "vehicles", "armament", "transport")
"""The sections whose pieces have counters, and that a side shows before the Rosters are opened."""

COUNTED = (*SHOWN, "leaders", "armor_leaders", "support_weapons")
"""All sections whose pieces have counters."""

COUNTERS_RULE = "DYO H1.11"
"""What the catalogue names as the source of a number of squads that it has from the rules."""

Share = Callable[[str, str, int], int]
"""How many counters a side may use, by section, piece and the number that one game has."""


def share_counters(nation: DyoNation, share: Share) -> DyoNation:
    """Return a nation with the counters that one of two sides may use; unknown ones stay so."""
    sections: dict[str, Any] = {}
    for section in COUNTED:
        if nation.knows(section):
            sections[section] = [
                entry.model_copy(update={"counters": share(section, entry.key, counters)})
                if isinstance(counters := getattr(entry, "counters", None), int)
                else entry
                for entry in nation.entries_of(section)
            ]
    return DyoNation(nation.file.model_copy(update=sections), nation.warnings)


@implements("DYO H1.11")
def with_squad_counters(nation: DyoNation, number: int) -> DyoNation:
    """Return a nation with this number of squads of each type, where its catalogue leaves it to the rules (H1.11)."""
    squads = [
        entry.model_copy(update={"counters": number}) if entry.sources.get("counters") == COUNTERS_RULE else entry
        for entry in nation.entries_of("squads")
    ]
    return DyoNation(nation.file.model_copy(update={"squads": squads}), nation.warnings)


@implements("DYO H1.11")
def half(side: str) -> Share:
    """Return the share of a side that can't know what the other takes; Axis has an odd one (H1.11)."""

    def of(section: str, key: str, counters: int) -> int:
        return counters - counters // 2 if side == AXIS else counters // 2

    return of


@implements("DYO H1.11")
def rest(taken: Counter[str], side: str) -> Share:
    """Return what the other side has left of all that it has taken by section (H1.11).

    `taken` counts `section/type`; of a section that is not in it each side has half.
    """
    known = {name.partition("/")[0] for name in taken}
    halved = half(side)

    def of(section: str, key: str, counters: int) -> int:
        if section not in known:
            return halved(section, key, counters)
        return max(counters - taken[f"{section}/{key}"], 0)

    return of


def taken_by(ob: OrderOfBattle, nation: DyoNation, of: str, *, whole: bool) -> Counter[str]:
    """Return the counters that an order of battle has of a nation (`of`), by section and type.

    `whole`: leaders, SW and bonus squads too, which no side shows before the Rosters are opened.
    """
    taken: Counter[str] = Counter()
    for section, type_, number in ob.pieces(bonus=whole):
        if nation.ally(type_) == of and (whole or section in SHOWN):
            taken[f"{section}/{nation.plain_type(type_)}"] += number
    for section in COUNTED if whole else SHOWN:
        taken[f"{section}/"] += 0
    return taken


Pool = Literal["half", "shown", "all", "whole"]
"""How the counters of a nation that both sides have are shared: half for each, or what is left by
all that the other has shown, or by all that it has; or not at all."""


FILLED_KEPT = 200
"""Most rows of values of a purchase for which the nations are kept."""


@dataclass(frozen=True)
class NationStock:
    """The nations of a purchase, and what they are with each row of values that a side has given."""

    catalogue: DyoCatalogue
    filled: dict[tuple[str, tuple[GivenValue, ...]], DyoCatalogue] = field(default_factory=dict)

    def keep(self, given: tuple[str, tuple[GivenValue, ...]], catalogue: DyoCatalogue) -> None:
        """Keep the nations with these values; when there are many, what was kept before goes."""
        if len(self.filled) >= FILLED_KEPT:
            self.filled.clear()
        self.filled[given] = catalogue


@lru_cache(maxsize=8)
def _stock(opening: str) -> NationStock:
    """Return the stock of a purchase that begins so: a command opens the same one several times."""
    return NationStock(from_data(json.loads(opening)["catalogue"]))


def begun_with(opening: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an opening with what a record has in the place of its terms and house rules, if it goes on from one."""
    record: Mapping[str, Any] = opening.get(RECORD) or {}
    return {**opening, **{name: record[name] for name in ("terms", HOUSE) if name in record}}


def rulebook_of(terms: Terms, opening: Mapping[str, Any]) -> Rulebook:
    """Return the rules that hold in a purchase that begins so."""
    chosen = {**terms.readings, **opening.get("readings", {})}
    return Rulebook(chosen, house_rules(opening.get(HOUSE), PACKAGE))


class Cg(Context):
    """The purchase as its steps see it. Only the engine changes `state`."""

    state: DyoState

    def __init__(self, opening: Mapping[str, Any]) -> None:
        self.record: Mapping[str, Any] | None = opening.get(RECORD)
        """What everybody knows of the record from which the purchase goes on, if it began on paper."""
        opening = begun_with(opening)
        self.terms: Terms = Terms.model_validate(opening["terms"])
        self.rulebook = rulebook_of(self.terms, opening)
        self._begun = {"terms": opening["terms"], "catalogue": opening["catalogue"]}
        # Who buys in the open after the other knows what is gone.
        one_first = self.terms.open and self.terms.first != "both"
        shared: Pool = "shown" if one_first else "half"
        # Old purchases don't say: each side had the counters of a whole game, and
        # reinforcements had no turns.
        self.of_old = opening.get("counters") != "shared"
        self.pool: Pool = "whole" if self.of_old else shared
        self._known: dict[tuple[str, str, str, tuple[GivenValue, ...], tuple[str, ...]], DyoNation] = {}
        self._gaps: dict[tuple[str, tuple[GivenValue, ...]], tuple[Gap, ...]] = {}

    @classmethod
    def of(cls, terms: Terms, catalogue: DyoCatalogue, house: Mapping[str, Any] | None = None) -> Cg:
        """Return the context of terms by themselves, before anything is bought by them; `house` is a file of rules."""
        begun = {"terms": terms.model_dump(mode="json"), "catalogue": (), "counters": "shared", HOUSE: house}
        made = cls(begun)
        made.catalogue = catalogue
        made.state = first_state(made.terms, UMPIRE, made.rulebook)
        return made

    @cached_property
    def texts(self) -> Mapping[str, Meanings]:
        """What the terms say in other languages: by language, by what they say in their own."""
        return meanings_of(self.terms)

    def people_of(self, side: str) -> str:
        """Return what players call a side: its people, or its half if both are of one nation."""
        names: dict[str, str] = {side: people(self.terms.name(side)) for side in self.terms.sides}
        return names[side] if len(set(names.values())) == len(names) else super().people_of(side)

    # Data -------------------------------------------------------------------------------------

    @property
    def catalogue(self) -> DyoCatalogue:
        """The nations of both sides, as they were when the purchase began."""
        return self._stock.catalogue

    @catalogue.setter
    def catalogue(self, catalogue: DyoCatalogue) -> None:
        self._stock = NationStock(catalogue)

    @cached_property
    def _stock(self) -> NationStock:
        return _stock(json.dumps(self._begun, sort_keys=True))

    @property
    def house(self) -> HouseRules:
        """What this purchase plays differently from the rules as printed."""
        return self.rulebook.house

    @property
    def charts(self) -> DyoCharts:
        """The charts of the rules, as the house has them."""
        return self.rulebook.charts

    @property
    def tables(self) -> TableSet:
        """The tables of the rules, as the house has them."""
        return self.rulebook.tables

    @property
    def chosen(self) -> Mapping[str, str]:
        """The readings chosen, by id."""
        return self.rulebook.chosen

    @cached_property
    def readings(self) -> Readings:
        """The places where groups differ, with what each choice means."""
        return Readings.load_packaged(PACKAGE)

    def reading(self, name: str) -> str:
        """Return the reading in force."""
        return self.rulebook.reading(name)

    @property
    def month(self) -> Month:
        """The current month and year."""
        return self.terms.month

    def nation(self, side: str, of: str = "") -> DyoNation:
        """Return a side's nation with the values that this side has added.

        It has the pieces of the side's contingents among its own, marked as theirs. `of` names a
        contingent, which is then returned by itself.
        """
        return self._nation(side, of, self.pool)

    def nation_with_all_counters(self, side: str) -> DyoNation:
        """Return a side's nation with the counters of one whole game, no matter who uses them."""
        return self._nation(side, "", "whole")

    def _nation(self, side: str, of: str, pool: Pool) -> DyoNation:
        given = self.state.given.get(side, ())
        terms = self.terms.side(side)
        shared = {name: self._share(side, name, pool) for name in terms.nations}
        taken = tuple(str(sorted(share.items())) if share else "" for share in shared.values())
        key = (side, of, pool, given, taken)
        if key not in self._known:
            catalogue = self._catalogue_with(side, given)

            def nation_of(name: str) -> DyoNation:
                whole = self._with_house_counters(catalogue.nation(name))
                if pool == "whole" or name not in self.terms.side(other_side(side)).nations:
                    return whole
                counted = shared[name]
                return share_counters(whole, rest(counted, side) if counted is not None else half(side))

            if of:
                united = nation_of(of)
            else:
                allies = {contingent.nation: nation_of(contingent.nation) for contingent in terms.contingents}
                united = unite(nation_of(terms.nation), allies, terms.allied_elr)
            self._known[key] = united
        return self._known[key]

    def _with_house_counters(self, nation: DyoNation) -> DyoNation:
        number = self.charts.counters.squads_of_a_type
        changed = number != printed_charts().counters.squads_of_a_type
        return with_squad_counters(nation, number) if changed and nation.knows("squads") else nation

    def _catalogue_with(self, side: str, given: tuple[GivenValue, ...]) -> DyoCatalogue:
        """Return the catalogue with these values of a side; what was given before is not filled in again."""
        filled = self._stock.filled
        known = next((n for n in range(len(given), 0, -1) if (side, given[:n]) in filled), 0)
        catalogue = filled[side, given[:known]] if known else self.catalogue
        if known < len(given):
            catalogue = catalogue.with_values([self.catalogue_value(side, value) for value in given[known:]])
            self._stock.keep((side, given), catalogue)
        return catalogue

    def _share(self, side: str, name: str, pool: Pool) -> Counter[str] | None:
        """Return what the enemy has of a nation that both sides have; None where it can't count."""
        enemy = self.terms.side(other_side(side))
        if name not in enemy.nations or pool in ("half", "whole"):
            return None
        of = "" if name == enemy.nation else name
        base = self.catalogue.nation(enemy.nation)
        allies = {contingent.nation: self.catalogue.nation(contingent.nation) for contingent in enemy.contingents}
        nation = unite(base, allies, {})
        return taken_by(self.ob(other_side(side)), nation, of, whole=pool == "all")

    def catalogue_value(self, side: str, value: GivenValue) -> GivenEntry:
        """Return a value that a side has given, as the catalogue takes it."""
        nation = value.nation or self.terms.side(side).nation
        return GivenEntry(nation, value.section, value.type, value.field, value.value, self.month)

    def nations(self, side: str) -> tuple[str, ...]:
        """The parts of a side by which leaders and SW are counted: "" its own, then contingents'.

        Use them as `of`.
        """
        return ("", *(contingent.nation for contingent in self.terms.side(side).contingents))

    def gaps(self, side: str) -> tuple[Gap, ...]:
        """Return what a side's catalogue lacks at the date, less what this side has added."""
        key = (side, self.state.given.get(side, ()))
        if key not in self._gaps:
            half = self.terms.side(side)
            self._gaps[key] = (
                *gaps(self.nation(side, half.nation), self.month),
                *(
                    replace(gap, nation=ally, what=f"{ally}: {gap.what}")
                    for ally in half.nations[1:]
                    for gap in gaps(self.nation(side, ally), self.month)
                    # Of these a side has those of its own nation alone.
                    if gap.section not in ("oba", "oba_options")
                ),
            )
        return self._gaps[key]

    def group(self, side: str, of: str = "") -> Group:
        """Return what a side's nation (or a contingent `of` it) counts as in the charts."""
        return Group(self.nation(side, of).group)

    def group_of(self, side: str, type_: str) -> Group:
        """Return what the nation of one of a side's pieces counts as in the charts."""
        return Group(self.nation(side).home(type_).group)

    def row(self, side: str, chart: RowName, of: str = "") -> Group | None:
        """Return the row of a chart for a side or contingent: its catalogue's, else its group's.

        None if the catalogue says that it has none.
        """
        return row_of(self.nation(side, of), chart)

    def enemy(self, side: str) -> Group:
        """Return what the other side's nation counts as; its catalogue is open to both."""
        return Group(self.catalogue.nation(self.terms.side(other_side(side)).nation).group)

    # The purchase -----------------------------------------------------------------------------

    def ob(self, side: str) -> OrderOfBattle:
        """Return what a side has so far."""
        return self.state.ob(side)

    @property
    @implements("DYO H1.6-n2", "DYO H1.6-n4")
    def limit_boards(self) -> int:
        """How many boards count for the limits of Fortifications: one at least (H1.6-n2)."""
        if self.reading("boards-in-part") == "none":
            return max(self.terms.whole_boards, 1)
        return max(len(self.terms.boards), 1)

    def points_left(self, side: str) -> int:
        """Return the points that a side has left."""
        return self.ob(side).left


def evidence(rolled: Rolled) -> Dr:
    """Return a roll as the Roster keeps it."""
    modifiers = tuple(str(modifier) for modifier in rolled.modifiers)
    return Dr(final=rolled.final, faces=rolled.faces, modifiers=modifiers)
