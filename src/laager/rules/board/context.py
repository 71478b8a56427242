"""What the steps of card-driven campaigns have at hand: card, map, tables, catalogue, state."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from laager.base.files import Document
from laager.base.texts import Meanings, meanings_of
from laager.campaign import Context, Readings, implements, people
from laager.campaign.house import HOUSE, HouseRules, house_rules, printed_tables
from laager.campaign.opening import DRAWN, RECORD
from laager.catalogue import Catalogue, Nation, load_fortifications, load_with_files
from laager.hexmap import HexMap, sort_key
from laager.hexmap.areas.card_hexes import expand_hexes
from laager.hexmap.hexmap import kept_with_map
from laager.hexmap.wear import Turns, worn_map
from laager.rules.board.card.files import catalogues_from_opening
from laager.rules.board.card.parts import SIDES, CampaignCard, CardSide
from laager.rules.board.state import BoardGround, BoardState
from laager.rules.board.units import Unit
from laager.tables import Table, TableSet


@lru_cache(maxsize=64)
def _map(data: str) -> HexMap:
    """Return a map from its data as JSON: one and the same for all campaigns that are on it."""
    return HexMap.from_data(json.loads(data))


@lru_cache(maxsize=64)
def _catalogue(sides: tuple[tuple[str, ...], ...], own: tuple[tuple[str, str], ...]) -> Catalogue:
    """Return the nations of the sides, with what files enter (JSON and names): one for all campaigns alike."""
    nations = [name for names in sides for name in names]
    loaded = load_with_files(nations, [Document(json.loads(data), name) for data, name in own], recorded=True)
    return loaded.unite(sides)


@kept_with_map
def _playable_hexes(map_: HexMap, ranges: tuple[str, ...]) -> frozenset[str]:
    """Return the playable hexes that the ranges of a card name."""
    return frozenset(map_.main(name) for name in expand_hexes(map_, ranges)) & map_.playable


_NOTHING_AGREED: Mapping[str, Any] = {}


def _same_wear(old: BoardGround, new: BoardGround) -> bool:
    """True if the terrain of two grounds is surely the same: states share what didn't change."""
    return old.changes is new.changes and old.burnt is new.burnt and old.cleared is new.cleared


class CardContext(Context, ABC):
    """A campaign as its steps see it. Only the engine changes `state`."""

    package: ClassVar[str]
    """The package with the tables and readings of the rule system."""
    card: CampaignCard
    state: BoardState

    def __init__(self, opening: Mapping[str, Any]) -> None:
        self._printed: HexMap = _map(json.dumps(opening["map"]))
        self._worn: tuple[BoardGround, HexMap] | None = None
        self._readings: Mapping[str, str] = opening.get("readings", {})
        self._in_force: tuple[Mapping[str, Any], dict[str, str]] = _NOTHING_AGREED, {}
        """The readings that were asked for, with what is agreed."""
        self.drawn: str = opening.get(DRAWN, "")
        """The key by which numbers of units are drawn; "" in campaigns that count them."""
        self._own_catalogue = catalogues_from_opening(opening)
        self.house_begun_with: Any = opening.get(HOUSE)
        self._house = house_rules(self.house_begun_with, self.package)
        self.record: Mapping[str, Any] | None = opening.get(RECORD)
        """What everybody knows of the record from which the campaign goes on, if it began on paper."""

    # The ground -----------------------------------------------------------------------------------

    turns: ClassVar[Turns] = frozenset()
    """Changes that make one kind of terrain another, beyond what happens to buildings, bridges and all that burns."""

    @property
    def map(self) -> HexMap:
        """The map as it is now: what has burnt down, fallen, been cleared or blown up is no longer what was printed.

        No rule has the printed map at hand. What lies under a change, `Hex.printed` tells, for the few who need it.
        """
        state: BoardState | None = getattr(self, "state", None)
        if state is None:
            return self._printed
        if self._worn is not None and self._worn[0] is state.ground:
            return self._worn[1]
        if self._worn is not None and _same_wear(self._worn[0], state.ground):
            self._worn = state.ground, self._worn[1]
        else:
            self._worn = state.ground, worn_map(self._printed, state.ground.wear, self.turns)
        return self._worn[1]

    def replace_map(self, printed: HexMap) -> None:
        """Play on another printed map."""
        self._printed, self._worn = printed, None

    # The card, as each rule system has it --------------------------------------------------------

    @abstractmethod
    def side(self, side: str) -> CardSide:
        """Return a side's half of the card."""

    @cached_property
    def texts(self) -> Mapping[str, Meanings]:
        """What card and charts say in other languages: by language, by what they say in their own."""
        return meanings_of(getattr(self, "card", None), getattr(self, "charts", None))

    def people_of(self, side: str) -> str:
        """Return what players call a side, in the plural: Germans, also where the card says German."""
        return people(self.side(side).name)

    def word_for(self, who: str) -> str:
        """Return what players call a side in an answer; what is not a side (nobody) as it is."""
        return self.people_of(who) if who in SIDES else who

    def group_name(self, group: Any) -> str:
        """Return what a side's chart calls a group."""
        return str(getattr(group, "name", "") or group.rg)

    @abstractmethod
    def chart_keys(self, side: str) -> Sequence[str]:
        """Return the names of the lines of a side's chart of groups; none if it isn't filled in."""

    @property
    def fort_kinds(self) -> Collection[str]:
        """The kinds of fortifications that a side can have bought."""
        return load_fortifications()

    @property
    @abstractmethod
    def nations(self) -> Iterable[str]:
        """The nations on the card, those of the sides and any others."""

    @property
    @abstractmethod
    def battles(self) -> int:
        """How many battles the card has, idle ones too."""

    @property
    def fixes_guns(self) -> bool:
        """True if a Gun that set up in a pillbox or Fortified Building can never be moved (PL CG3)."""
        return True

    @property
    def fortified_rubble(self) -> bool:
        """True if a Fortified Building counter stays in a Location that has become rubble."""
        return True

    recalled_return: ClassVar[bool] = False
    """True if Recalled units may come back (PL 3.461), so that they aren't lost yet."""

    # Data -----------------------------------------------------------------------------------------

    @property
    def house(self) -> HouseRules:
        """What this campaign plays differently: by a ruling, else from its beginning."""
        state: BoardState | None = getattr(self, "state", None)
        if state is None or HOUSE not in state.agreed:
            return self._house
        return house_rules(state.agreed[HOUSE], self.package)

    @property
    def tables(self) -> TableSet:
        """The tables of the rules, as the house has them."""
        return self.house.tables(printed_tables(self.package))

    @cached_property
    def readings(self) -> Readings:
        """The places where groups differ, with what each choice means."""
        return Readings.load_packaged(self.package)

    @cached_property
    def catalogue(self) -> Catalogue:
        """The nations on the card: those that ship, with what its own files enter."""
        own = tuple((json.dumps(document.data), document.name) for document in self._own_catalogue)
        return _catalogue(tuple(self.side(side).all_nations for side in SIDES), own)

    def table(self, name: str) -> Table:
        """Return one table of the rules."""
        return self.tables[name]

    def reading(self, name: str) -> str:
        """Return the reading in force: that of a ruling, else the campaign's, else the card's, else the default."""
        agreed = self.state.agreed if hasattr(self, "state") else _NOTHING_AGREED
        if self._in_force[0] is not agreed:
            self._in_force = agreed, {}
        in_force = self._in_force[1]
        if name not in in_force:
            chosen = {**self.card.readings, **self._readings, **agreed.get("readings", {})}
            in_force[name] = self.readings.value(chosen, name)
        return in_force[name]

    def chosen_readings(self) -> Mapping[str, str]:
        """Return the readings in force that aren't those of the card."""
        usual = self.readings.in_force(self.card.readings)
        return {name: value for name, value in self._readings.items() if usual.get(name) != value}

    def nation(self, side: str) -> Nation:
        """Return a side's nation."""
        return self.catalogue.nation(self.side(side).nation)

    def nation_of(self, unit: Unit) -> Nation:
        """Return a unit's nation."""
        return self.catalogue.nation(unit.nation)

    @implements("ABtF CG1", "ER CG1")
    def hexes(self, ranges: Iterable[str]) -> frozenset[str]:
        """Return the playable hexes that a list of hexes and ranges names."""
        return _playable_hexes(self.map, tuple(ranges))

    def sort(self, names: Iterable[str]) -> list[str]:
        """Return hexes or Locations in the stated order: column, then row."""
        return sorted(names, key=sort_key)
