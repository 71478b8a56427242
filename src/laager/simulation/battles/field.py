"""The field of a battle: where units are and what becomes of them, while the model works it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from math import exp, log
from typing import Any, TypeVar

from laager.hexmap import Hex, HexMap
from laager.hexmap.terrain import WOODS
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import INFANTRY, MMC, is_vehicle
from laager.rules.board.hasl import judgement
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.places import hex_of, is_accessible
from laager.rules.board.report.form import OFF_MAP, ON_MAP
from laager.rules.board.report.marks import LASTING, NOT_GOOD_ORDER, marks_replaced_by
from laager.rules.board.state import evolve
from laager.rules.board.units import HIDING, Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.play import held_back
from laager.simulation.forces import Figures, worth_of

T = TypeVar("T")


@dataclass(eq=False)
class UnitFate:
    """What becomes of one unit: where it is, its markers of play, its type, the unit it is with."""

    unit: Unit
    at: str
    fate: str
    marks: frozenset[Mark]
    type: str
    holder: str
    engaged: bool = False
    """True if it stood in the fight: then the enemy has seen it."""

    @classmethod
    def before(cls, unit: Unit) -> UnitFate:
        """Return a unit as it is when play begins."""
        fate = ON_MAP if unit.on_map else OFF_MAP
        return cls(unit, (unit.at or "") if unit.on_map else "", fate, unit.marks - LASTING, unit.type, unit.with_unit)

    @property
    def on_map(self) -> bool:
        """True if it is on the map."""
        return self.fate == ON_MAP

    @property
    def hex(self) -> str:
        """The hex where it is; "" if it is off the map."""
        return hex_of(self.at) if self.on_map else ""

    @property
    def in_good_order(self) -> bool:
        """True if it is on the map and can act."""
        return self.on_map and self.marks.isdisjoint(NOT_GOOD_ORDER)

    @property
    def has_changed(self) -> bool:
        """True if anything about it is other than before."""
        same = UnitFate.before(self.unit)
        mine = (self.at, self.fate, self.marks, self.type, self.holder)
        return mine != (same.at, same.fate, same.marks, same.type, same.holder)

    def mark(self, *marks: Mark) -> None:
        """Put markers on; those that can't be with them come off."""
        replaced = marks_replaced_by(self.unit.kind)
        for mark in marks:
            self.marks = (self.marks - replaced.get(mark, frozenset())) | {mark}

    def reveal(self) -> None:
        """The enemy sees it."""
        self.engaged = True
        self.marks -= HIDING


class Luck:
    """Chance by name: the same name gives the same number, whatever else is asked.

    So no unit's luck depends on how many others there are, hidden ones among them; and two campaigns that are
    compared have the same luck as far as the same things happen.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def __call__(self, *about: str) -> float:
        """Return a number from 0 up to 1."""
        text = "|".join((self._seed, *about))
        return int.from_bytes(blake2b(text.encode(), digest_size=7).digest(), "big") / 2**56

    def normal(self, *about: str) -> float:
        """Return a number of the standard normal distribution, near enough: twelve uniform ones less six."""
        return sum(self(*about, str(n)) for n in range(12)) - 6

    def lognormal(self, deviation: float, *about: str) -> float:
        """Return a factor around 1 (its median)."""
        return exp(deviation * self.normal(*about))

    def choose(self, parts: Mapping[T, float], *about: str) -> T:
        """Return one of the keys, as often as its part of the whole says."""
        left = self(*about) * sum(parts.values())
        for key, part in parts.items():
            left -= part
            if left < 0:
                return key
        return list(parts)[-1]

    def shuffle(self, names: Iterable[str], *about: str) -> list[str]:
        """Return names in an order by chance."""
        return sorted(names, key=lambda name: self(*about, name))


@dataclass
class FoughtField:
    """The units of both sides and the ground; `figures` are the model's."""

    cg: Any
    figures: Figures
    luck: Luck
    fates: dict[str, UnitFate] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.map: HexMap = self.cg.map
        self._passable: dict[tuple[bool, str], bool] = {}
        self._worths: dict[str, float] = {}
        self._of_side: dict[str, list[UnitFate]] = {}
        for side in SIDES:
            self._of_side[side] = [UnitFate.before(unit) for unit in self.cg.state.units_of(side)]
            self.fates |= {fate.unit.id: fate for fate in self._of_side[side]}

    # The battle -----------------------------------------------------------------------------------

    @cached_property
    def line(self) -> Any:
        """The roster's line of the battle."""
        return self.cg.state.fight if isinstance(self.cg, Cg) else self.cg.state.scenario

    @property
    def turns(self) -> int:
        """The Game Turns that were played."""
        return max(1, self.line.last_turn or round(self.figures["losses.turns"]))

    @cached_property
    def night(self) -> bool:
        """True if the battle is at night."""
        return bool(self.cg.slot.night if isinstance(self.cg, Cg) else self.cg.date.night)

    @cached_property
    def efforts(self) -> Mapping[str, float]:
        """How hard each side tries to win ground, from 0 to 1."""
        if isinstance(self.cg, Cg):
            attackers = tuple(side for side in SIDES if self.line.attacked.get(side))
            attackers = attackers or ((self.line.attacker,) if self.line.attacker else ())
        else:
            attackers = self.line.attackers()
        attackers = attackers or ((self.cg.state.moves_first,) if self.cg.state.moves_first else ())
        effort = self.figures["effort.probe" if len(attackers) > 1 else "effort.attack"]
        by_night = self.figures["effort.night"] if self.night else 1.0
        defend = self.figures["effort.defend"]
        return {side: (effort if side in attackers else defend) * by_night for side in SIDES}

    @property
    def strategic(self) -> Collection[str]:
        """The Locations that change Control, as both sides know them."""
        if isinstance(self.cg, Cg):
            return self._pl_strategic
        return self._hasl_strategic

    @cached_property
    def _pl_strategic(self) -> Collection[str]:
        # A concealed Gun makes its Location Strategic too, but the enemy doesn't know of it.
        state = self.cg.state
        known = {name: unit for name, unit in state.units.items() if unit.known}
        return frozenset(self.cg.with_state(evolve(state, units=known)).strategic())

    @cached_property
    def _hasl_strategic(self) -> Collection[str]:
        from laager.rules.board.hasl.areas import strategic_locations

        return frozenset(strategic_locations(self.cg))

    @cached_property
    def prizes(self) -> Mapping[str, Mapping[str, float]]:
        """What each hex counts for a side that hasn't got it: its TVP, and 1 where the card's conditions name it."""
        return {side: self._pl_prizes(side) if isinstance(self.cg, Cg) else self._hasl_prizes(side) for side in SIDES}

    def _pl_prizes(self, side: str) -> Mapping[str, float]:
        objectives = self.cg.card.objectives
        goals = [*objectives.sudden, *(objectives.initial if self.line.initial else ())]
        prizes = Counter({at: float(tvp) for at, tvp in self.cg.card.tvp.items()})
        prizes.update({at: 1.0 for goal in goals if goal.side == side for at in goal.controls})
        counted: Counter[str] = Counter()
        for at, prize in prizes.items():
            if self.holder_of(at) != side:
                counted[hex_of(at)] += prize
        return counted

    def _hasl_prizes(self, side: str) -> Mapping[str, float]:
        return dict.fromkeys(judgement.goals(self.cg, side), 1.0)

    def holder_of(self, location: str) -> str:
        """Return the side that Controls a Location; "" for nobody."""
        return str(self.cg.state.ground.control.get(location, ""))

    # Units ----------------------------------------------------------------------------------------

    def of(self, side: str, *kinds: str) -> Iterator[UnitFate]:
        """Return what becomes of a side's units, of these kinds or all, that stand by themselves or with others."""
        fates = self._of_side[side]
        return (fate for fate in fates if fate.unit.kind in kinds) if kinds else iter(fates)

    def with_unit(self, fate: UnitFate) -> list[UnitFate]:
        """Return what is with a unit: SW, Guns, passengers; prisoners of the enemy too."""
        return [other for other in self._loads.get(fate.unit.id, ()) if other.holder == fate.unit.id]

    @cached_property
    def _loads(self) -> Mapping[str, list[UnitFate]]:
        """What is with each unit when play begins; nothing joins another unit later."""
        loads: dict[str, list[UnitFate]] = {}
        for fate in self.fates.values():
            if fate.holder:
                loads.setdefault(fate.holder, []).append(fate)
        return loads

    def stands_alone(self, fate: UnitFate) -> bool:
        """True if a unit isn't with one of its own side and isn't a prisoner."""
        return fate.holder not in self.fates and not fate.unit.has(Mark.PRISONER)

    def is_tied(self, fate: UnitFate) -> bool:
        """True if a unit guards prisoners or mans a Gun: then it stays where it is."""
        return any(o.unit.kind == "gun" or o.unit.side != fate.unit.side for o in self.with_unit(fate))

    def worth(self, fate: UnitFate) -> float:
        """Return what a unit is worth with all it has."""
        return sum(self._printed_worth(load.unit) for load in self.with_unit(fate)) + self._printed_worth(fate.unit)

    def _printed_worth(self, unit: Unit) -> float:
        """Return what a unit was worth by itself when play began."""
        worth = self._worths.get(unit.id)
        if worth is None:
            worth = self._worths[unit.id] = worth_of(self.cg.nation_of(unit), unit, self.figures)
        return worth

    def fighters(self, side: str) -> list[UnitFate]:
        """Return a side's units on the map that can fight: personnel and vehicles, not prisoners or passengers."""
        return [fate for fate in self._able[side] if fate.on_map and self.stands_alone(fate)]

    @cached_property
    def _able(self) -> Mapping[str, list[UnitFate]]:
        """Personnel and vehicles of both sides, on the map or not."""
        return {side: list(self.of(side, *INFANTRY, "afv", "vehicle")) for side in SIDES}

    def near(self, fates: Iterable[UnitFate], hexes: Iterable[str], reach: int) -> list[UnitFate]:
        """Return the units within `reach` hexes of any of these hexes."""
        grid = self.map.grid
        ball = grid.ball(self.map.mask(hexes), reach) & grid.everything
        return [fate for fate in fates if ball & grid.bit.get(fate.hex, 0)]

    def seen_hexes(self, side: str) -> frozenset[str]:
        """Return the hexes in which a side sees enemies: known before, or seen in the fight."""
        enemy = self.of(other_side(side))
        return frozenset(f.hex for f in enemy if f.on_map and (f.engaged or f.unit.known))

    @cached_property
    def hex_names(self) -> Mapping[tuple[int, int], str]:
        """The names of the map's hexes by their place."""
        return {(hex_.q, hex_.r): hex_.name for hex_ in self.map.hexes.values()}

    def may_stand(self, fate: UnitFate, name: str) -> bool:
        """True if a unit can be in a hex, by the ground alone."""
        key = is_vehicle(fate.unit), name
        if key not in self._passable:
            there = self.map.hex(name)
            built = key[0] and (there.building is not None or there.has("rubble"))
            self._passable[key] = not built and is_accessible(self.cg, name)
        return self._passable[key]

    def distance(self, first: str, second: str) -> int:
        """Return the hexes from one to another."""
        (q1, r1), (q2, r2) = self._places[first], self._places[second]
        return (abs(q1 - q2) + abs(r1 - r2) + abs(q1 + r1 - q2 - r2)) // 2

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, int]]:
        return {hex_.name: (hex_.q, hex_.r) for hex_ in self.map.hexes.values()}

    # Entering ---------------------------------------------------------------------------------------

    def enter(self) -> None:
        """Bring on the units that may enter: near the edge, out of sight of enemies that their side sees."""
        for side in SIDES:
            edge, waiting = self._edge(side)
            if not edge:
                continue
            seen = self.seen_hexes(side)
            near = [name for name in self.map.in_order(self.map.hexes_within(edge, 2)) if name not in seen]
            for fate in list(self.of(side, *INFANTRY, "afv", "vehicle")):
                if fate.fate != OFF_MAP or not self.stands_alone(fate) or fate.unit.id in waiting:
                    continue
                if self.luck("enters", fate.unit.id) < self.figures["reach.enter"]:
                    self._place(fate, near)

    def _edge(self, side: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the hexes by which a side enters, and its units that don't enter in this battle."""
        cg = self.cg
        if isinstance(cg, Cg):
            return frozenset(cg.edge(side)), frozenset(unit.id for unit in held_back(cg, side))
        assert isinstance(cg, Hasl)
        edge = frozenset(name for arrow in cg.arrows(side) for name in cg.entry_hexes(arrow))
        return edge, frozenset(u.id for u in cg.state.units_of(side) if cg.variant.waiting_reason(cg, u))

    def _place(self, fate: UnitFate, hexes: Sequence[str]) -> None:
        able = [name for name in hexes if self.may_stand(fate, name)]
        if able:
            self.move(fate, able[int(self.luck("enters at", fate.unit.id) * len(able))])

    def move(self, fate: UnitFate, at: str) -> None:
        """Have a unit stand elsewhere, with all that is with it; what moves is seen."""
        fate.at, fate.fate = at, ON_MAP
        fate.marks -= HIDING
        for load in self.with_unit(fate):
            if load.unit.side == fate.unit.side:
                self.move(load, at)

    # Ground -----------------------------------------------------------------------------------------

    def ground_cover(self, name: str) -> float:
        """Return how much the terrain of a hex helps whoever holds it."""
        figures, there = self.figures, self.map.hex(name)
        if there.building is not None or there.has("rubble"):
            return figures["cover.building"]
        return figures["cover.woods" if any(there.has(kind) for kind in WOODS) else "cover.open"]

    def cover(self, side: str, name: str) -> float:
        """Return how much the ground and its works in a hex help the side that holds it."""
        figures, cover = self.figures, self.ground_cover(name)
        works = any(fort.side == side and fort.hex == name for fort in self.cg.state.forts.values())
        return cover * (figures["cover.works"] if works else 1.0)


def odds(ratio: float, steepness: float, even: float) -> float:
    """Return a probability: `even` to 1 at equal strength, by a power of the ratio of strengths."""
    weight = even * exp(steepness * log(max(ratio, 1e-6)))
    return weight / (1 + weight)


def hit_chance(rate: float, exponent: float, ratio: float, turns: float, luck: float) -> float:
    """Return the chance that a unit in contact is hit: 1 - exp(-rate x turns x ratio^exponent x luck)."""
    return 1 - exp(-rate * turns * max(ratio, 1e-3) ** exponent * luck)


def mmc_kinds() -> tuple[str, ...]:
    """Return the kinds of units that win ground."""
    return tuple(sorted(MMC - {"crew"}))


def straight_way(map_: HexMap, names: Mapping[tuple[int, int], str], start: str, end: str) -> list[str]:
    """Return the hexes of a straight line from the one after `start` to `end`; `names` are the map's by place."""
    first, last, steps = map_.hex(start), map_.hex(end), map_.distance(start, end)
    way = (_between(first, last, n / steps) for n in range(1, steps + 1))
    return [names[place] for place in way if place in names]


def _between(first: Hex, last: Hex, part: float) -> tuple[int, int]:
    """Return the axial place of the hex at a part of the way."""
    q, r = first.q + (last.q - first.q) * part + 1e-6, first.r + (last.r - first.r) * part + 2e-6
    s = -q - r
    near = [round(q), round(r), round(s)]
    off = [abs(near[0] - q), abs(near[1] - r), abs(near[2] - s)]
    if off[0] == max(off):
        near[0] = -near[1] - near[2]
    elif off[1] == max(off):
        near[1] = -near[0] - near[2]
    return near[0], near[1]
