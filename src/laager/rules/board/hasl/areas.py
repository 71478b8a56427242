"""Setup Areas: Strategic Locations, Control of Blocks, which units are where.

Everything here is worked out from the state; what only players know is asked in `steps.areas`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from laager.campaign import implements
from laager.hexmap import BlockFront, EnterablePath, HexMap, PathTerms, block_locations, isolation_aid
from laager.hexmap.hexmap import kept_with_map
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import holders
from laager.rules.board.hasl.charts import BlockControlRule
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Area
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark, Unit

ENTRENCHMENTS = frozenset({"foxhole", "trench", "sangar", "a-t-ditch"})

BUILDING, RUBBLE, ENTRENCHMENT, GUN, MAP = "building", "rubble", "entrenchment", "gun", "map"
"""Reasons why a Location is strategic."""

NOT_WORKING = frozenset({Mark.HOOKED, Mark.LIMBERED, Mark.MALFUNCTIONED, Mark.DISABLED, Mark.DISMANTLED})
"""Markers of Guns that make no Location strategic."""

INITIAL_AREA = "Setup"
"""The one area of a side to which the card gives no Blocks, until Blocks are determined."""

DECLARED = "declared-guns"
BLOCKHOUSE = "blockhouse"
"""Keys of `state.agreed`: the Guns declared, and the side of the Blockhouse."""


# Strategic Locations --------------------------------------------------------------------------


@implements("ABtF 9.2 Strategic Location")
def strategic_locations(cg: Hasl) -> Mapping[str, str]:
    """Return the Strategic Locations as the map stands, each with what makes it strategic.

    The map can list more of them. Locations that count only through a Gun are not among them (`gun_locations`). Hidden
    Entrenchments do not count.
    """
    locations = dict(_on_map(cg.map))
    for at, changes in cg.state.ground.changes.items():
        # Rubble upstairs is a Location of its building, and gone with it.
        if "rubble" in changes and at in locations:
            locations[at] = RUBBLE
    for fort in cg.state.forts.values():
        if fort.kind in ENTRENCHMENTS and fort.at is not None and not fort.hidden:
            locations.setdefault(cg.map.main_location(fort.at), ENTRENCHMENT)
    return locations


@kept_with_map
def _on_map(map_: HexMap) -> Mapping[str, str]:
    """Return the Locations that the printed ground makes strategic, each with what makes it so."""
    locations: dict[str, str] = {}
    for name in map_.in_order(map_.playable):
        hex_ = map_.hex(name)
        if hex_.has("rubble"):
            locations[name] = RUBBLE
        elif hex_.building is not None:
            locations |= dict.fromkeys(map_.locations(name), BUILDING)
        elif name in map_.strategic:
            locations[name] = MAP
    return locations


@implements("ABtF 9.2 Strategic Location")
def declarable_guns(cg: Hasl, side: str) -> list[Unit]:
    """Return a side's Guns that can be declared to make their Location strategic, which nothing else does.

    They work, and a qualified crew mans each of them.
    """
    others = strategic_locations(cg)
    return [
        gun
        for gun in cg.state.units_of(side, "gun")
        if gun.on_map and gun.at is not None and not gun.has(*NOT_WORKING) and gun.at not in others
        if qualified_crew(cg, gun) is not None
    ]


def qualified_crew(cg: Hasl, gun: Unit) -> Unit | None:
    """Return the crew that mans a Gun; None if nobody does who is fully qualified (A21.13)."""
    manned_by = next(iter(holders(cg, gun)), None)
    return manned_by if manned_by is not None and is_qualified(cg, manned_by) else None


def is_qualified(cg: Hasl, unit: Unit) -> bool:
    """True if a unit is fully qualified to man Guns (A21.13): a crew, but not one that comes with vehicles only."""
    if unit.kind != "crew" or unit.has(Mark.PRISONER):
        return False
    nation = cg.nation_of(unit)
    man_guns = {gun.crew for gun in nation.guns.values()}
    return unit.type in man_guns or unit.type not in {vehicle.crew for vehicle in nation.vehicles.values()}


def declared_guns(cg: Hasl) -> Mapping[str, str]:
    """Return the Guns on whose strength a Location was declared, with that Location.

    Each must be manned by a qualified crew, and set up there in the next scenario; it may not
    Shift.
    """
    held: Mapping[str, str] = cg.state.agreed.get(DECLARED, {})
    return {gun: at for gun, at in held.items() if (unit := cg.state.units.get(gun)) is not None and unit.in_play}


# Control of Blocks ----------------------------------------------------------------------------


@dataclass(frozen=True)
class BlockTally:
    """The Strategic Locations of a Block, by who Controls them."""

    by_side: Mapping[str, tuple[str, ...]]
    nobody: tuple[str, ...]

    @property
    def total(self) -> int:
        """Number of Strategic Locations of the Block."""
        return len(self.nobody) + sum(map(len, self.by_side.values()))

    def of(self, side: str) -> int:
        """Return the number that a side Controls."""
        return len(self.by_side[side])

    def in_words(self, cg: Hasl) -> str:
        """Return the tally in words: `2 German, 1 British, 3 nobody's`."""
        parts = [f"{self.of(side)} {cg.side(side).name}" for side in SIDES if self.of(side)]
        parts += [f"{len(self.nobody)} nobody's"] if self.nobody else []
        return ", ".join(parts) or "none"


@implements("HASL 6")
def tallies(cg: Hasl) -> Mapping[str, BlockTally]:
    """Return the Strategic Locations of each Block by who Controls them."""
    held = dict.fromkeys(strategic_locations(cg), "")
    held |= {at: side for at, side in cg.state.ground.control.items() if at in held}
    for gun, at in declared_guns(cg).items():
        held[at] = cg.state.units[gun].side
    return {name: _tally(held, block_locations(cg.map, name)) for name in cg.map.blocks.hexes}


def _tally(held: Mapping[str, str], locations: Iterable[str]) -> BlockTally:
    here = [location for location in locations if location in held]
    return BlockTally(
        {side: tuple(at for at in here if held[at] == side) for side in SIDES}, tuple(at for at in here if not held[at])
    )


@implements("HASL 6")
def controller(rule: BlockControlRule, tally: BlockTally, before: str) -> str:
    """Return who Controls a Block by its tally, "" for nobody.

    A Block without Strategic Locations stays whose it was. If the rule is true of both sides,
    neither Controls the Block.
    """
    if not tally.total:
        return before
    holding_sides = [side for side in SIDES if _holds(rule, tally, side)]
    return holding_sides[0] if len(holding_sides) == 1 else ""


def _holds(rule: BlockControlRule, tally: BlockTally, side: str) -> bool:
    enough = 100 * tally.of(side) >= rule.share * tally.total
    return enough and (rule.enemy is None or tally.of(other_side(side)) <= rule.enemy)


# Setup Areas ------------------------------------------------------------------------------------


def front_of(cg: Hasl, control: Mapping[str, str], blockhouse: Mapping[str, str] | None = None) -> BlockFront:
    """Return Setup Areas and front line for a state of Control that is not yet recorded."""
    agreed = cg.state.agreed
    if blockhouse is not None:
        agreed = {**agreed, BLOCKHOUSE: blockhouse}
    state = evolve(cg.state, block_control=dict(control), agreed=agreed)
    return cg.with_state(state).block_front()


@implements("HASL 5")
def block_areas(cg: Hasl, control: Mapping[str, str]) -> tuple[Area, ...]:
    """Return the Setup Areas that follow from the Control of Blocks."""
    return tuple(
        Area(name=area.name, side=area.side, hexes=tuple(cg.map.in_order(area.hexes)))
        for area in front_of(cg, control).areas
    )


@implements("HASL 5")
def initial_areas(cg: Hasl) -> tuple[Area, ...]:
    """Return the Setup Areas at the start of the campaign, as the card has them.

    Where Blocks count, a side to which the card gives none has the hexes of its setup as its one
    area, until Blocks are determined.
    """
    if not cg.blocks:
        return tuple(
            Area(name=name, side=side, hexes=tuple(cg.map.in_order(_listed_hexes(cg, side, name))))
            for side in SIDES
            for name in cg.side(side).areas
        )
    areas = list(block_areas(cg, initial_blocks(cg)))
    for side in SIDES:
        hexes = cg.hexes(cg.side(side).setup_hexes)
        if hexes and not any(area.side == side for area in areas):
            areas.append(Area(name=INITIAL_AREA, side=side, hexes=tuple(cg.map.in_order(hexes))))
    return tuple(areas)


def initial_blocks(cg: Hasl) -> Mapping[str, str]:
    """Return who Controls which Block at the start: those that the card lists."""
    if not cg.blocks:
        return {}
    blocks = cg.map.blocks.hexes
    return {name: side for side in SIDES for name in cg.side(side).controls if name in blocks}


def initial_control(cg: Hasl, side: str) -> tuple[str, ...]:
    """Return the Strategic Locations that a side Controls at the start, in the stated order.

    Those of what the card lists as its own (Blocks, areas, hexes or Locations), and those of its
    setup area that the enemy's listing and setup area leave to it.
    """
    listed = {name: _ground_listed(cg, name) for name in SIDES}
    setup = {name: cg.hexes(cg.side(name).setup_hexes) for name in SIDES}
    enemy = other_side(side)
    controlled = []
    for location in strategic_locations(cg):
        name = location.partition(".")[0]
        mine = location in listed[side] or name in listed[side]
        theirs = location in listed[enemy] or name in listed[enemy] or name in setup[enemy]
        if mine or (name in setup[side] and not theirs):
            controlled.append(location)
    return tuple(cg.sort(controlled))


def _ground_listed(cg: Hasl, side: str) -> frozenset[str]:
    """Return hexes and Locations that the card lists as Controlled by a side."""
    ground: set[str] = set()
    for name in cg.side(side).controls:
        if cg.blocks and name in cg.map.blocks.hexes:
            ground |= cg.map.blocks.hexes[name]
        elif name in cg.side(side).areas or name in cg.map.setup_areas:
            ground |= _listed_hexes(cg, side, name)
        elif "." in name:
            ground.add(cg.map.main_location(name))
        else:
            ground |= cg.hexes([name])
    return frozenset(ground)


def _listed_hexes(cg: Hasl, side: str, name: str) -> frozenset[str]:
    """Return the hexes of an area as the card lists it, else as the map does."""
    hexes = cg.side(side).areas.get(name)
    return cg.hexes(hexes) if hexes else cg.map.setup_areas[name]


def area_of_unit(areas: Iterable[Area], cg: Hasl, unit: Unit) -> str:
    """Return the area in which a unit is Retained once these areas are determined.

    A unit on the map is in the Setup Area of its side that holds its hex ("": outside all); one
    off the map stays in its Entry Area, open or not, or in its Setup Area while there is such an area.
    """
    standing = next((holder.hex for holder in (unit, *holders(cg, unit)) if holder.hex is not None), None)
    friendly = [area for area in areas if area.side == unit.side]
    if standing is not None:
        return next((area.name for area in friendly if standing in area.hexes), "")
    known = unit.area in {area.name for area in friendly} or unit.area in cg.all_arrows(unit.side)
    return unit.area if known else ""


def way_out(cg: Hasl, areas: Iterable[Area], area: Area) -> EnterablePath | None:
    """Return a way from an area to an Entry Area of its side that avoids Enemy Setup Areas, fire.

    It helps the players to say if the area is Isolated; the module's own test can differ.
    """
    all_areas = list(areas)
    friendly = {
        side: frozenset(name for friend in all_areas if friend.side == side for name in friend.hexes) for side in SIDES
    }
    no_hexes: frozenset[str] = frozenset()
    front = BlockFront(SIDES, {}, (), friendly, no_hexes, dict.fromkeys(SIDES, no_hexes), no_hexes)
    arrows = cg.arrows(area.side)
    entries = [name for arrow in arrows for name in cg.entry_hexes(arrow)]
    return isolation_aid(cg.map, front, area.side, area.hexes, entries, PathTerms(barred=burning_hexes(cg)))


def burning_hexes(cg: Hasl) -> frozenset[str]:
    """Return the hexes in which a terrain Blaze is."""
    return frozenset(cg.map.main(name.partition(".")[0]) for name in cg.state.ground.blazes)
