"""What a good player of the HASL campaigns buys and builds, and which chit he chooses."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from laager.campaign.temperament import Temperament
from laager.rules.board.card.parts import UnitLine, other_side
from laager.rules.board.hasl.areas import tallies
from laager.rules.board.hasl.buying.offers import (
    OBSERVER,
    OBSERVERS,
    REGISTRATION,
    Cart,
    DateShop,
    Wanted,
    Way,
    equipments,
    wants_hex,
)
from laager.rules.board.hasl.card.card import Given
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import GroupArrival
from laager.rules.board.hasl.victory import is_fulfilled
from laager.rules.board.judgement.buying import ARMOUR, ARTILLERY, GUNS, INFANTRY, OTHER, Buyer
from laager.rules.board.judgement.strength import own_strength, seen_strength, worth_of_cvp, worth_of_lines
from laager.rules.board.places import hex_of
from laager.rules.board.setup.posts import steps_from

if TYPE_CHECKING:
    from laager.rules.board.hasl.buying.fortifications import FppShop

KINDS = {
    Kind.INFANTRY: INFANTRY,
    Kind.HEAVY_WEAPONS: INFANTRY,
    Kind.GUN: GUNS,
    Kind.AFV: ARMOUR,
    Kind.OBA: ARTILLERY,
    Kind.MISCELLANEOUS: ARTILLERY,
}
"""What kind of forces the groups of a chart are; the others count as other things."""

SUPPORT = {Kind.OBA: 10.0, Kind.MISCELLANEOUS: 6.0, Kind.SAN: 3.0}
"""Worth of groups without units. A module that fires is worth a platoon where it falls, and may not fire."""

DIRECTION = 1.5
"""Worth of what makes a module that is there fire sooner, or where it should: an observer, a Pre-Registered hex."""

FOR_FPP = {True: 0.1, False: 0.5}
"""Worth of an FPP, for an attacker and for a defender."""

LEADER = 2.5
"""Worth of the leader that a group rolls for, on average."""

ENTERS = {True: 0.9, False: 0.7}
"""How good it is to enter, for an attacker and for a defender: it takes turns to be where the fight is."""

RESERVE = {True: 0.5, False: 0.75}
"""How good it is to be In Reserve, for an attacker and for a defender: hidden, far from the enemy, and late."""

DEPLETED = 0.85
"""Part of a group that arrives on average, as some come Depleted."""

LEAST_SEEN = 0.3
"""Part of what the enemy can have that is assumed, however much he has lost."""


# When to attack ---------------------------------------------------------------------------------


def wants_attack(cg: Hasl, side: str, temper: Temperament) -> bool:
    """True if a side attacks: it is strong enough for what sitting still would bring."""
    if cg.initial:
        return cg.card.initial.attacker == side
    bought = cg.state.side(side).cpp * _worth_for_cpp(cg, side)
    ratio = (own_strength(cg, side) + bought) / max(1.0, enemy_strength(cg, side))
    return ratio >= temper[f"attack.{urgency(cg, side)}"]


def urgency(cg: Hasl, side: str) -> str:
    """Return how a side stands; "last" if it is behind and no CG Date comes after this one."""
    stands = standing(cg, side)
    return "last" if stands == "behind" and cg.next_date is None else stands


def standing(cg: Hasl, side: str) -> str:
    """Return how a side stands if nothing changes until the campaign's end: ahead, behind or even."""
    final = cg.card.victory.final
    if any(condition.asked for condition in final):
        return "even"
    winner = next((condition.side for condition in final if is_fulfilled(cg, condition)), cg.card.victory.otherwise)
    if not winner:
        return "even"
    return "ahead" if winner == side else "behind"


def enemy_strength(cg: Hasl, side: str) -> float:
    """Return what the enemy is likely to have: what is seen of him, or what the card gives him less what he lost."""
    enemy = other_side(side)
    card, dates = cg.side(enemy), cg.card.dates[: cg.state.number]
    given = [card.ob, *(date.given[enemy] for date in dates if enemy in date.given)]
    gained = sum(_worth_given(cg, enemy, part) for part in given)
    later = [date.cpp.get(enemy) or cg.side_charts(enemy).cpp for date in dates[1:]]  # type: ignore[call-overload]
    cpp = card.cpp + sum(points.fixed + (3.5 if points.dice else 0.0) for points in later if points)
    gained += cpp * _worth_for_cpp(cg, enemy)
    lost = cg.state.side(side).cvp_total * worth_of_cvp(cg, enemy)
    return max(seen_strength(cg, enemy), gained - lost, LEAST_SEEN * gained)


def _worth_given(cg: Hasl, side: str, given: Given) -> float:
    lines = [UnitLine(type=unit.type, count=unit.count) for unit in given.units]
    for group in given.groups:
        if line := cg.line(side, group.rg):
            lines += line.full
    return worth_of_lines(cg.nation(side), lines)


def _worth_for_cpp(cg: Hasl, side: str) -> float:
    platoons = [line for line in cg.lines(side) if line.kind is Kind.INFANTRY and line.cost]
    return max((DEPLETED * worth_of_lines(cg.nation(side), line.full) / line.cost for line in platoons), default=2.0)


MOST_HEXES, MOST_GOALS = 40, 8
"""Hexes of an area, and goals, between which distances are looked at."""


# What to buy --------------------------------------------------------------------------------------


class DateBuyer(Buyer[RgLine]):
    """Buys for a CG Date."""

    cg: Hasl

    def kind_of(self, line: RgLine) -> str:
        """Return what kind of forces a group is."""
        return OTHER if line.special in {REGISTRATION, OBSERVERS} else KINDS.get(line.kind, OTHER)

    def worth(self, line: RgLine) -> float:
        """Return what a group is worth: its units, weapons and leader, or what it does."""
        if line.special in {REGISTRATION, OBSERVERS}:
            return DIRECTION
        if line.kind is Kind.FORTIFICATION:
            return line.fpp * FOR_FPP[self.attacks]
        if line.kind in SUPPORT:
            return SUPPORT[line.kind]
        lines = [*line.full, *(UnitLine(type=sw.type, count=sw.count) for sw in line.sw if sw.need is None)]
        return DEPLETED * worth_of_lines(self.cg.nation(self.side), lines) + LEADER * bool(line.leader)

    def weigh_way(self, line: RgLine, way: Way) -> float:
        """Return how good it is that a group comes in a way."""
        if way is None or way is GroupArrival.ON_MAP:
            return 1.0
        return RESERVE[self.attacks] if way is GroupArrival.RESERVE else ENTERS[self.attacks]

    def row(self, line: RgLine, way: Way) -> Wanted:
        """Return the row for one group: in the area nearest to ground that counts and isn't held."""
        shop = self.shop
        assert isinstance(shop, DateShop)
        places = shop.areas(line, way)
        able = [name for name in equipments(self.cg, self.side, line) if name != OBSERVER]
        area = self._best_area(places, way) if places else ""
        objective = (self._goals or [""])[0] if wants_hex(self.cg, self.side, line) else ""
        return Wanted(line.key, way, 1, area, objective, able[0] if able else "")

    def _best_area(self, places: tuple[str, ...], way: Way) -> str:
        if not self._goals:
            return places[0]
        map_ = self.cg.map

        def away(place: str) -> int:
            area = self.cg.state.area(self.side, place) if way is not GroupArrival.ENTER else None
            hexes = area.hexes if area is not None else (place,) if place in map_ else ()
            return min((self._steps_to_goals[map_.main(name)] for name in hexes[:MOST_HEXES]), default=99)

        return min(places, key=lambda place: (away(place), places.index(place)))

    @cached_property
    def _goals(self) -> list[str]:
        return goals(self.cg, self.side)

    @cached_property
    def _steps_to_goals(self) -> Mapping[str, int]:
        return steps_from(self.cg.map, self._goals[:MOST_GOALS])


def goals(cg: Hasl, side: str) -> list[str]:
    """Return hexes of what decides the campaign and isn't the side's: those that the card's conditions name first."""
    control = cg.state.ground.control
    victory = cg.card.victory
    named = [name for condition in (*victory.sudden, *victory.final) for name in condition.controls]
    in_blocks = tallies(cg) if cg.blocks else {}
    hexes: list[str] = []
    for name in dict.fromkeys(named):
        if name in in_blocks:
            inside = cg.map.blocks.hexes[name]
            hexes += [hex_of(at) for at, owner in control.items() if owner != side and hex_of(at) in inside]
            # What nobody has counts for a Block as much as what the enemy has, and is easier to take.
            hexes += [hex_of(at) for at in in_blocks[name].nobody]
        elif name.partition(".")[0] in cg.map and control.get(name) != side:
            hexes.append(cg.map.main(hex_of(name)))
    if not hexes:
        hexes = [hex_of(at) for at, owner in control.items() if owner != side]
    return cg.sort(dict.fromkeys(hexes))


def judge_purchases(cg: Hasl, side: str, temper: Temperament) -> dict[str, Any]:
    """Return what somebody of a temperament buys for a CG Date."""
    shop = DateShop(cg, side)
    buyer = DateBuyer(shop, temper, attacks=wants_attack(cg, side, temper))
    cart = buyer.fill(Cart(), round(shop.points_held * temper["buy.spend"]))
    return {"groups": [row.row for row in cart.groups]}


# What to build --------------------------------------------------------------------------------------

WORKS = ("foxhole", "trench", "fortified-building", "pillbox", "wire", "a-p-mines", "foxhole", "trench", "roadblock",
    "a-t-mines", "foxhole", "wire", "concealment")  # fmt: skip
"""What a defender builds, in this order: cover for his troops first, then what stops the enemy."""


def judge_works(shop: FppShop, temper: Temperament) -> dict[str, Any]:
    """Return what somebody of a temperament builds: all that the points are enough for."""
    rows: list[dict[str, Any]] = []
    for kind in WORKS:
        price = next((price for price in shop.chart if price.kind == kind and price.cost), None)
        if price is None:
            continue
        row = {"work": price.key, "count": 1}
        again = next((old for old in rows if old["work"] == price.key), None)
        more = [old for old in rows if old is not again]
        more.append(row if again is None else {**again, "count": again["count"] + 1})
        if not shop.problems({"works": more}):
            rows = more
    return {"works": rows}
