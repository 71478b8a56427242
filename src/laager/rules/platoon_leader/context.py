"""What every step of Platoon Leader has at hand: card, map, tables, catalogue, live state."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from laager.campaign.house import HouseRules
from laager.hexmap import Front, FrontLink, HexMap, controlled_hexes, crest_holders, crests, front, strategic_terrain
from laager.hexmap.areas.card_hexes import expand_hexes
from laager.hexmap.terrain import WOODS
from laager.rules.board.context import CardContext
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.card.card import Card, Firefight, SideCard
from laager.rules.platoon_leader.charts import PlCharts, charts
from laager.rules.platoon_leader.state import FrontLine, PlState, Type

DRAWINGS_KEPT = 4
"""Drawings of the front that are kept: the same is drawn again while a step looks at it."""

PACKAGE = "laager.rules.platoon_leader"

WORKS = {
    "foxhole": "entrenchment",
    "sangar": "entrenchment",
    "trench": "entrenchment",
    "a-t-ditch": "entrenchment",
    "pillbox": "pillbox",
}
"""Fortifications that are Strategic Terrain, and as what (PL 1.4 Strategic Terrain)."""


class Cg(CardContext):
    """The campaign as its steps see it. Only the engine changes `state`."""

    package = PACKAGE
    recalled_return = True
    state: PlState

    def __init__(self, opening: Mapping[str, Any]) -> None:
        super().__init__(opening)
        self.card: Card = Card.model_validate(opening["card"])
        self._front: tuple[FrontLine, Front] | None = None
        self._drawings: deque[tuple[HexMap, Any, Front]] = deque(maxlen=DRAWINGS_KEPT)
        """The fronts drawn last, each with its map and what it was drawn from."""
        self._charts: tuple[HouseRules, PlCharts] | None = None

    def with_state(self, state: PlState) -> Cg:
        """Return the same campaign with another state: that of a viewer, for sheets and maps."""
        other = super().with_state(state)
        other._front = None
        return other

    # The card -----------------------------------------------------------------------------------

    def side(self, side: str) -> SideCard:
        """Return a side's half of the card."""
        return self.card.sides[side]  # type: ignore[index]

    def name_battle(self, kind: str) -> str:
        """Return what players call a kind of firefight: an Assault by its side's name."""
        assaults = {Type.AXIS_ASSAULT.value: "axis", Type.ALLIED_ASSAULT.value: "allied"}
        if kind not in assaults:
            return kind
        attacker = self.people_of(assaults[kind])
        return f"Assault by the {attacker}"

    def group_name(self, group: Any) -> str:
        """Return what a side's chart calls a group."""
        line = self.side(group.side).group(group.rg)
        return line.name if line is not None else str(group.rg)

    def chart_keys(self, side: str) -> Sequence[str]:
        """Return the names of the lines of a side's RG chart."""
        return [line.id for line in self.side(side).chart]

    @property
    def nations(self) -> Iterable[str]:
        """The nations of the two sides, with further ones among their units."""
        return dict.fromkeys(name for side in self.card.sides.values() for name in side.all_nations)

    @property
    def charts(self) -> PlCharts:
        """The charts of the rules, as the house has them."""
        house = self.house
        if self._charts is None or self._charts[0] is not house:
            self._charts = house, house.packaged_charts(PACKAGE, charts())
        return self._charts[1]

    # The calendar -----------------------------------------------------------------------------

    @property
    def battles(self) -> int:
        """How many firefights the card has."""
        return len(self.card.firefights)

    @property
    def slot(self) -> Firefight:
        """The present firefight's line on the card."""
        return self.card.firefights[self.state.fight.number - 1]

    @property
    def next_slot(self) -> Firefight | None:
        """The next firefight's line; None if the present one is the last."""
        later = self.card.firefights[self.state.fight.number :]
        return later[0] if later else None

    @property
    def initial(self) -> bool:
        """True if this is the Initial Firefight."""
        return self.state.fight.initial

    # The ground -------------------------------------------------------------------------------

    @cached_property
    def crests(self) -> tuple[frozenset[str], ...]:
        """The Military Crests of the map."""
        return crests(self.map)

    @property
    def fortified_rubble(self) -> bool:
        """True if by the reading a Fortified Building counter stays in rubble (PL CG5)."""
        return self.reading("fortified-rubble") == "stays"

    def setup_area(self, side: str) -> frozenset[str]:
        """Return the hexes of a side's Initial Firefight setup area (PL 1.4)."""
        return self.hexes(self.side(side).setup)

    def edge(self, side: str) -> frozenset[str]:
        """Return the hexes of a side's Friendly Map Edges and entry hexes (PL 1.4)."""
        return frozenset[str]().union(*self.edges(side))

    def edges(self, side: str) -> tuple[frozenset[str], ...]:
        """Return each Friendly Map Edge of a side; entry hexes elsewhere are one more."""
        card = self.side(side)
        named = [self.map.edge(name) & self.map.playable for name in card.friendly_edges]
        return (*named, self.hexes(card.entry_hexes).difference(*named))

    def strategic(self, hidden: Iterable[str] = ()) -> Mapping[str, frozenset[str]]:
        """Return the Strategic Terrain as it is now: Location -> what makes it so (PL 1.4).

        Hidden fortifications and Guns count only if named in `hidden` (their ids), that is, if
        their owner chose to reveal them.
        """
        shown = set(hidden)
        works: dict[str, set[str]] = {}
        for fort in self.state.forts.values():
            kind = WORKS.get(fort.kind)
            if kind and fort.at and (not fort.hidden or fort.id in shown):
                works.setdefault(fort.at, set()).add(kind)
        for unit in self.state.units.values():
            if self._counts_as_gun(unit, shown) and unit.at:
                works.setdefault(unit.at, set()).add("gun")
        for location, changes in self.state.ground.changes.items():
            # Rubble upstairs is a Location of its building, and gone with it.
            if "rubble" in changes and location in self.map.locations(location.partition(".")[0]):
                works.setdefault(location, set()).add("rubble")
        return strategic_terrain(
            self.map,
            tvp=tuple(self.card.tvp),
            extra=tuple(expand_hexes(self.map, self.card.strategic)),
            woods_kinds=WOODS | set(self.card.woods_line_also),
            works={location: frozenset(kinds) for location, kinds in works.items()},
        )

    def _counts_as_gun(self, unit: Unit, shown: set[str]) -> bool:
        if unit.kind != "gun" or not unit.on_map or not unit.has(Mark.EMPLACED):
            return False
        if unit.has(Mark.HIP) and unit.id not in shown:
            return False
        crew = self.state.units.get(unit.with_unit)
        return crew is not None and crew.on_map and crew.side == unit.side

    def line_now(self, stage: str, hidden: Iterable[str] = ()) -> FrontLine:
        """Return what a drawing of the front would be made from at this moment (PL GEO G2)."""
        strategic = self.strategic(hidden)
        control = self.state.ground.control
        holders = crest_holders(self.crests, control, self.state.ground.crests)
        controlled: dict[str, tuple[str, ...]] = {
            side: tuple(self.sort(controlled_hexes(self.map, strategic, self.crests, control, side, holders)))
            for side in self.card.sides
        }
        contested = set(controlled["axis"]) & set(controlled["allied"])
        ground = {name: control[name] for name in sorted(contested) if name in control}
        return FrontLine(self.state.fight.number, stage, controlled, ground)

    def draw(self, line: FrontLine) -> Front:
        """Return the front drawn from a line: clusters, MLR, No Man's Land and the rest."""
        radius, nearest = int(self.reading("cthc-radius")), self.reading("edge-links") == "nearest"
        made_of = line.controlled, line.ground, line.links, radius, nearest
        for map_, before, drawn in self._drawings:
            if map_ is self.map and before == made_of:
                return drawn
        links = {
            side: tuple(FrontLink.from_data(link) for link in chosen) for side, chosen in (line.links or {}).items()
        }
        drawn = front(
            self.map,
            {side: frozenset(hexes) for side, hexes in line.controlled.items()},
            line.ground,
            {side: self.edges(side) for side in self.card.sides},
            links=links,
            radius=radius,
            nearest_edge_only=nearest,
        )
        self._drawings.append((self.map, made_of, drawn))
        return drawn

    @property
    def front(self) -> Front | None:
        """The front as last drawn; None before the first Reorganization Phase."""
        line = self.state.line
        if line is None:
            return None
        if self._front is None or self._front[0] is not line:
            self._front = (line, self.draw(line))
        return self._front[1]

    def friendly_area(self, side: str) -> frozenset[str]:
        """Return the friendly MLR; before there is one, the setup area that stands for it."""
        drawn = self.front
        return self.setup_area(side) if drawn is None else drawn.friendly_mlr[side]

    def enemy_clusters(self, side: str) -> frozenset[str]:
        """Return the hexes of the enemy's clusters, drawn from Control as it is if need be."""
        enemy = next(name for name in self.card.sides if name != side)
        drawn = self.front or self.draw(self.line_now("setup"))
        return drawn.controlled[enemy]
