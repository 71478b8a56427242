"""Patrols: which units can go where, and the DRM of their rolls (PL 2.71 to 2.74, 2.757)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.catalogue import Grade, Kind
from laager.dice import Modifier
from laager.hexmap import find_nearest
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY, LEADERS, MMC, VEHICLES
from laager.rules.board.places import is_accessible
from laager.rules.board.setup.hiding import is_in_cover
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.buying.groups import in_reserve
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.quality import is_inexperienced, is_lax, is_stealthy, leadership

RECON, AMBUSH, RAID, ANTI_VEHICLE = "recon", "ambush", "raid", "anti-vehicle"

RANKS = ("corporal", "sergeant", "lieutenant")
"""The ranks of a leader that can lead a patrol (PL 2.72)."""

SQUAD = 2
"""Half-squads in a squad."""

UNFIT = (
    Mark.BROKEN, Mark.DISRUPTED, Mark.BERSERK, Mark.PRISONER, Mark.MELEE, Mark.PIN, Mark.TI,
    Mark.ISOLATED, Mark.STUN, Mark.SHOCK,
)  # fmt: skip
"""Markers with which a unit can't go on patrol."""


@dataclass(frozen=True)
class Patrol:
    """A patrol as it was recorded: its type, its Mission Hex, its units and SW.

    `origins` are the Locations that its units left; `members` returns those that are still with it.
    """

    side: str
    number: int
    type: str
    hex: str
    leader: str
    rank: str
    units: tuple[str, ...]
    sw: tuple[str, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name: `axis-1`."""
        return f"{self.side}-{self.number}"


@dataclass(frozen=True)
class Events:
    """What happened on the mission and counts at the Return roll."""

    attacked: bool = False
    trip_flares: bool = False
    conducted: bool = False
    """True if the mission was begun, so that what is left behind lies in the Mission Hex."""


def members(cg: Cg, patrol: Patrol) -> list[Unit]:
    """Return the units that are still with a patrol."""
    units = (cg.state.units[name] for name in patrol.units)
    return [unit for unit in units if unit.place is Place.PATROL]


def sw_with(cg: Cg, patrol: Patrol) -> list[Unit]:
    """Return the SW that are still with a patrol."""
    weapons = (cg.state.units[name] for name in patrol.sw)
    return [weapon for weapon in weapons if weapon.place is Place.PATROL]


def first_bearer(cg: Cg, patrol: Patrol) -> str:
    """Return the unit that guards prisoners and takes weapons: the first MMC, else any unit, else ""."""
    units = sorted(members(cg, patrol), key=lambda unit: unit.kind not in MMC)
    return units[0].id if units else ""


# Composition (PL 2.72) --------------------------------------------------------------------------


def fit(cg: Cg, side: str) -> list[Unit]:
    """Return the units that may go on patrol: in the friendly MLR, in good order, no Reserves."""
    area = cg.friendly_area(side)
    return [
        unit
        for unit in cg.state.units_of(side, *INFANTRY)
        if unit.on_map
        and unit.hex in area
        and unit.kind != "armor-leader"
        and not unit.has(*UNFIT)
        and not in_reserve(cg, unit)
        and not _aboard(cg, unit)
    ]


def _aboard(cg: Cg, unit: Unit) -> bool:
    carrier = cg.state.units.get(unit.with_unit)
    return carrier is not None and carrier.kind in VEHICLES


def size_of(cg: Cg, units: Sequence[Unit]) -> int:
    """Return the size of some units in half-squads; a crew counts as one."""
    return sum(cg.nation_of(unit).hs_equivalents(unit.type) for unit in units)


@implements("PL 2.72")
def composition_problems(cg: Cg, units: Sequence[Unit], leader: Unit) -> Iterator[Problem]:
    """Return what is wrong with the units of a patrol, including their leader and Hero."""
    chart = cg.charts
    size = size_of(cg, units)
    least, most = chart.limit("patrol-half-squads"), chart.limit("patrol-squads") * SQUAD
    if not least <= size <= most:
        right = f"from {least} HS to {most // SQUAD} squads"
        yield Problem(f"{size} HS-equivalents", right, "units")
    for smc in units:
        if smc.kind not in MMC and smc.has(Mark.WOUNDED):
            where = "leader" if smc is leader else "hero"
            yield Problem(f"{smc.label} is Wounded", "one that is not", where)
    letters = {_mlr(cg, unit) for unit in units}
    if len(letters) > 1:
        right = "all from one friendly MLR"
        yield Problem(f"they come from MLR {', '.join(sorted(letters))}", right, "units")
    apart = chart.limit("patrol-gathering")
    for number, first in enumerate(units):
        for two in units[number + 1 :]:
            distance = cg.map.distance(first.hex or "", two.hex or "")
            if distance > apart:
                message = f"{first.label} and {two.label} are {distance} hexes apart"
                yield Problem(message, f"{apart} at most", "units")


def _mlr(cg: Cg, unit: Unit) -> str:
    """Return the letter of a unit's MLR; before there is one, its area stands for it."""
    drawn = cg.front
    return "" if drawn is None else drawn.mlr_of(unit.side, unit.hex or "") or ""


def home(cg: Cg, unit: Unit) -> frozenset[str]:
    """Return the hexes of the MLR that a unit is in; at first those of the setup area."""
    drawn = cg.front
    if drawn is None:
        return cg.setup_area(unit.side)
    letter = _mlr(cg, unit)
    own = next((mlr.hexes for mlr in drawn.mlrs[unit.side] if mlr.letter == letter), frozenset())
    return own & drawn.friendly_mlr[unit.side]


# SW (PL 2.757) ----------------------------------------------------------------------------------


def load_of(cg: Cg, weapon: Unit) -> int:
    """Return the PP of an SW on patrol: dismantled if that can be done."""
    return cg.nation_of(weapon).pp(weapon.type, dismantled=True)


@implements("PL 2.757")
def capacity(cg: Cg, unit: Unit) -> int:
    """Return the PP that a unit can carry and still have 3 MF: its own, one more for each MF."""
    type_ = cg.nation_of(unit).unit(unit.type, Kind(unit.kind))
    mf = min(type_.movement, 3) if unit.has(Mark.WOUNDED, Mark.INEXPERIENCED) else type_.movement
    return type_.portage + max(0, mf - cg.charts.limit("patrol-mf"))


def can_carry(loads: Sequence[int], rooms: Sequence[int]) -> bool:
    """True if units with these capacities can carry these loads; no load is split."""
    if not loads:
        return True
    heaviest, rest = max(loads), sorted(loads)[:-1]
    for room in set(rooms):
        if room >= heaviest:
            left = list(rooms)
            left.remove(room)
            if can_carry(rest, [*left, room - heaviest]):
                return True
    return False


def enough_mf(cg: Cg, units: Sequence[Unit], weapons: Sequence[Unit]) -> bool:
    """True if units that carry these SW keep 3 MF (PL 2.72, 2.757)."""
    loads = [load_of(cg, weapon) for weapon in weapons]
    return can_carry(loads, [capacity(cg, unit) for unit in units])


# Mission Hex (PL 2.73) --------------------------------------------------------------------------


@implements("PL 2.73")
def mission_hexes(cg: Cg, leader: Unit) -> frozenset[str]:
    """Return the hexes to which a patrol can go that leaves the leader's MLR; an Ambush can't go to all of them."""
    near = cg.map.hexes_within(home(cg, leader), cg.charts.limit("patrol-range")) & cg.map.playable
    return frozenset(name for name in near if is_accessible(cg, name))


@implements("PL 2.73")
def mission_hex_problems(cg: Cg, type_: str, text: str, leader: Unit) -> Iterator[Problem]:
    """Return what is wrong with a Mission Hex for a patrol that leaves the leader's MLR."""
    if text not in cg.map or cg.map.main(text) not in cg.map.playable:
        advice = did_you_mean(text, cg.sort(cg.map.playable), "there are")
        yield Problem(f"{text!r} is not a hex in play", advice, "hex")
        return
    name = cg.map.main(text)
    if not is_accessible(cg, name):
        yield Problem(f"Infantry can't enter {name}", "a hex that it can enter", "hex")
    away = find_nearest(cg.map, name, home(cg, leader)).distance
    most = cg.charts.limit("patrol-range")
    if away is None or away > most:
        yield Problem(f"{name} is {away} hexes from the patrol's MLR", f"{most} at most", "hex")
    if type_ == AMBUSH and not is_in_cover(cg, name):
        yield Problem(f"{name} is not Concealment Terrain", "an Ambush needs some", "hex")


# DRM (PL 2.74 DRM) ------------------------------------------------------------------------------


@implements("PL 2.74 DRM")
def patrol_modifiers(cg: Cg, patrol: Patrol, units: Sequence[Unit], table: str) -> list[Modifier]:
    """Return the DRM for detection and return that the patrol's own side may know.

    They are those of the units and SW that are still there. Hexes in which all enemies are out of
    sight are added without telling that side (`adjacent_enemies`).
    """
    rows = cg.table(table)
    leader = next((unit for unit in units if unit.kind in LEADERS), None)
    weapons = sw_with(cg, patrol)
    modifiers = [rows.modifier(name) for name in qualities(cg, units)]
    if patrol.type == RECON:
        modifiers.append(rows.modifier("recon"))
    if leader is not None:
        modifiers.append(rows.modifier("leadership", value=leadership(cg, leader)))
    seen, _ = adjacent_enemies(cg, patrol)
    modifiers.append(rows.modifier("adjacent-enemy", times=seen))
    modifiers.append(rows.modifier("distance", times=distance_steps(cg, patrol)))
    modifiers += [rows.modifier(name) for name in _light(cg)]
    modifiers.append(rows.modifier("size", times=max(0, size_of(cg, units) - SQUAD)))
    pp = sum(load_of(cg, weapon) for weapon in weapons)
    modifiers.append(rows.modifier("portage", times=max(0, pp - 1)))
    return [modifier for modifier in modifiers if modifier.value]


@implements("PL 2.74 DRM")
def return_modifiers(cg: Cg, patrol: Patrol, units: Sequence[Unit], events: Events) -> list[Modifier]:
    """Return the DRM for the return: those for detection, anew, and those of the mission."""
    table = "patrol-return"
    rows = cg.table(table)
    modifiers = patrol_modifiers(cg, patrol, units, table)
    if events.attacked:
        modifiers.append(rows.modifier("attacked"))
    if any(unit.has(Mark.PIN) for unit in units):
        modifiers.append(rows.modifier("pinned"))
    if any(unit.has(Mark.BROKEN) for unit in units):
        modifiers.append(rows.modifier("broken"))
    if events.trip_flares:
        modifiers.append(rows.modifier("trip-flares"))
    return modifiers


def qualities(cg: Cg, units: Sequence[Unit]) -> Iterator[str]:
    """Yield the qualities that are DRM: good ones if all MMC have them, bad ones if any has; each once."""
    mmc = [unit for unit in units if unit.kind in MMC]
    if mmc and all(cg.nation_of(unit).grade(unit.type) is Grade.ELITE for unit in mmc):
        yield "elite"
    if mmc and all(is_stealthy(cg, unit) for unit in mmc):
        yield "stealthy"
    if any(is_inexperienced(cg, unit) for unit in mmc):
        yield "inexperienced"
    if any(is_lax(cg, unit) for unit in mmc):
        yield "lax"


def _light(cg: Cg) -> Iterator[str]:
    night = cg.slot.night
    if night is None:
        if not cg.card.pto:
            yield "day"
        return
    if cg.card.pto:
        yield "night-pto"
    if night.moon in {"none", "full"}:
        yield "moon"


def distance_steps(cg: Cg, patrol: Patrol) -> int:
    """Return how often 3 hexes (FRU) lie between the third and the Mission Hex.

    Counted from the nearest hex of any friendly MLR.
    """
    away = find_nearest(cg.map, patrol.hex, cg.friendly_area(patrol.side)).distance or 0
    return max(0, -(-(away - cg.charts.limit("patrol-free-range")) // 3))


def adjacent_enemies(cg: Cg, patrol: Patrol) -> tuple[int, int]:
    """Return how many hexes next to the Mission Hex hold enemies: some seen, and all out of sight.

    Dummies, prisoners and wrecks don't count.
    """
    seen = unseen = 0
    for name in cg.map.neighbours(patrol.hex):
        there = enemies_in(cg, patrol.side, name)
        if any(unit.known for unit in there):
            seen += 1
        elif there:
            unseen += 1
    return seen, unseen


def enemies_in(cg: Cg, side: str, name: str) -> list[Unit]:
    """Return the enemy personnel and vehicles in a hex, hidden ones included."""
    return [
        unit
        for unit in cg.state.units_of(other_side(side), *INFANTRY, *VEHICLES)
        if unit.on_map and unit.hex == name and not unit.has(Mark.PRISONER, Mark.WRECK, Mark.ABANDONED)
    ]
