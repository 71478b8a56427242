"""What a good player of Platoon Leader buys, and when he attacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from statistics import mean
from typing import TYPE_CHECKING, Any

from laager.campaign.temperament import Temperament
from laager.rules.board.card.parts import UnitLine, other_side
from laager.rules.board.judgement.buying import ARMOUR, ARTILLERY, GUNS, INFANTRY, OTHER, Buyer
from laager.rules.board.judgement.strength import own_strength, seen_strength, worth_of_cvp, worth_of_lines
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.buying.offers import (
    Cart,
    FirefightShop,
    Wanted,
    attack_refused,
    must_attack,
    patrol_limit,
)
from laager.rules.platoon_leader.buying.replenishment import intensity
from laager.rules.platoon_leader.card.card import ReinforcementGroup, RgKind, Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.firefight.victory import is_fulfilled, points, total_cvp

KINDS = {
    RgKind.INFANTRY: INFANTRY,
    RgKind.HEAVY_WEAPONS: INFANTRY,
    RgKind.GUN: GUNS,
    RgKind.AFV: ARMOUR,
    RgKind.VEHICLE: ARMOUR,
    RgKind.OBA: ARTILLERY,
    RgKind.AIR: ARTILLERY,
    RgKind.BOMBARDMENT: ARTILLERY,
}
"""What kind of forces the groups of a chart are; the others count as other things."""

SUPPORT = {RgKind.OBA: 10.0, RgKind.AIR: 8.0, RgKind.BOMBARDMENT: 8.0, RgKind.SAN: 3.0, RgKind.CAPABILITY: 2.0}
"""Worth of groups without units. A module that fires is worth a platoon where it falls, and may not fire."""

LEADERS = 2.5
"""Worth of the leaders that a DR of PL 2.36 brings, on average."""

OFF_MAP = {True: 0.9, False: 0.7}
"""How good it is to come from off map, for an attacker and for a defender: it takes turns to be where the fight is."""

RESERVE = {True: 0.5, False: 0.75}
"""How good it is to be In Reserve, for an attacker and for a defender: hidden, far from the enemy, and late."""

WORTH_FOR_CP = 3.5
"""Strength that a side gets for a CP, where its chart has no infantry to tell."""

LEAST_SEEN = 0.3
"""Part of what the enemy can have that is assumed, however much he has lost."""

if TYPE_CHECKING:
    from laager.rules.platoon_leader.buying.fortifications import FpShop

# When to attack ---------------------------------------------------------------------------------


def wants_attack(cg: Cg, side: str, temper: Temperament) -> bool:
    """True if a side attacks: it is strong enough for what sitting still would bring."""
    if attack_refused(cg, side):
        return False
    cost = cg.side(side).attack_cost
    held = cg.state.side(side).cp
    if cost > held:
        return False
    if must_attack(cg, side):
        return True
    bought = (held - cost) * _worth_for_cp(cg, side)
    ratio = (own_strength(cg, side) + bought) / max(1.0, enemy_strength(cg, side))
    return ratio >= temper[f"attack.{urgency(cg, side)}"]


def urgency(cg: Cg, side: str) -> str:
    """Return how a side stands; "last" if it is behind and no firefight comes after this one."""
    stands = standing(cg, side)
    return "last" if stands == "behind" and cg.next_slot is None else stands


def standing(cg: Cg, side: str) -> str:
    """Return how a side stands if nothing changes until the campaign's end: ahead, behind or even."""
    enemy = other_side(side)
    if any(goal.side == side and _nearly(cg, goal) for goal in cg.card.objectives.sudden):
        return "behind"  # One more push decides it.
    campaign = cg.card.objectives.campaign
    lead = float(points(cg, side) - points(cg, enemy))
    if campaign.points in {"tvp", "tvp+cvp"}:
        left = len(cg.card.firefights) - cg.state.fight.number + 1
        lead += left * (ground(cg, side) - ground(cg, enemy))
    if campaign.points == "asked":
        return "even"
    if abs(lead) < campaign.margin:
        lead = 0.0 if not campaign.tie else 0.5 if campaign.tie == side else -0.5
    return "ahead" if lead > 0 else "behind" if lead < 0 else "even"


def ground(cg: Cg, side: str) -> int:
    """Return the TVP that the Locations are worth that a side Controls."""
    return sum(tvp for at, tvp in cg.card.tvp.items() if cg.state.ground.control.get(at) == side)


def _nearly(cg: Cg, goal: Any) -> bool:
    """True if a goal that can be computed lacks a Location or two."""
    if not goal.controls or is_fulfilled(cg, goal):
        return False
    held = sum(cg.state.ground.control.get(at) == goal.side for at in goal.controls)
    return bool((goal.count or len(goal.controls)) - held <= 2)


def enemy_strength(cg: Cg, side: str) -> float:
    """Return what the enemy is likely to have: what is seen of him, or what the card gives him less what he lost."""
    enemy = other_side(side)
    card, nation = cg.side(enemy), cg.nation(enemy)
    lines: list[UnitLine] = list(card.ob.units)
    given = [item for item in card.ob.groups if item.firefight <= cg.state.fight.number]
    lines += [line for item in given if (group := card.group(item.rg)) for line in group.units]
    started = worth_of_lines(nation, lines)
    slots = cg.card.firefights[: cg.state.fight.number]
    cp: float = card.cp
    for slot in slots[1:]:
        cp += slot.cp.get(enemy, usual_cp(cg, enemy))  # type: ignore[call-overload]
    gained = cp * _worth_for_cp(cg, enemy)
    lost = total_cvp(cg, side) * worth_of_cvp(cg, enemy)
    return max(seen_strength(cg, enemy), started + gained - lost, LEAST_SEEN * (started + gained))


def usual_cp(cg: Cg, side: str) -> float:
    """Return the CP that a side's replenishment brings on average, by the card's DRM."""
    table = cg.table("cp-replenishment")
    gained = table.result(7 + cg.side(side).drm.cp, intensity(cg, side).value)
    return float(gained) if isinstance(gained, int) else 0.0


def _worth_for_cp(cg: Cg, side: str) -> float:
    platoons = [line for line in cg.side(side).chart if line.kind is RgKind.INFANTRY and line.units and line.cost]
    if not platoons:
        return WORTH_FOR_CP
    return mean(worth_of_lines(cg.nation(side), line.units) / line.cost for line in platoons)


# What to buy --------------------------------------------------------------------------------------


class FirefightBuyer(Buyer[ReinforcementGroup]):
    """Buys for a firefight."""

    cg: Cg

    def kind_of(self, line: ReinforcementGroup) -> str:
        """Return what kind of forces a group is."""
        return KINDS.get(line.kind, OTHER)

    def worth(self, line: ReinforcementGroup) -> float:
        """Return what a group is worth: its units and leaders, or what it does."""
        if line.kind in SUPPORT:
            return SUPPORT[line.kind]
        return worth_of_lines(self.cg.nation(self.side), line.units) + LEADERS * line.leader_dice

    def weigh_way(self, line: ReinforcementGroup, way: Setup) -> float:
        """Return how good it is that a group comes in a form of setup."""
        if line.kind in SUPPORT or way is Setup.ON_MAP:
            return 1.0
        return RESERVE[self.attacks] if way is Setup.RESERVE else OFF_MAP[self.attacks]

    def row(self, line: ReinforcementGroup, way: Setup) -> Wanted:
        """Return the row for one group."""
        return Wanted(line.id, way, 1)


def judge_purchases(cg: Cg, side: str, temper: Temperament) -> dict[str, Any]:
    """Return what somebody of a temperament buys for a firefight."""
    shop = FirefightShop(cg, side)
    attacks = wants_attack(cg, side, temper)
    initially = cg.state.side(side).attack
    kept = tuple(module.pre_registered for module in modules(cg, side) if module.pre_registered)
    cart = Cart(attack=attacks, pre_registered=kept)
    held = shop.points_held - shop.cost(cart)
    works = 0 if attacks or initially or cg.side(side).fortifications is None else temper["buy.works"]
    cart = FirefightBuyer(shop, temper, attacks=attacks or initially).fill(cart, round(held * (1 - works)))
    sent = replace(cart, patrols=1) if temper["buy.patrols"] and patrol_limit(cg, side) else cart
    if not shop.problems(sent):
        cart = sent
    return _answer(cg, side, cart)


def _answer(cg: Cg, side: str, cart: Cart) -> dict[str, Any]:
    rows: list[Mapping[str, Any]] = []
    for row in cart.groups:
        same = {"rg": row.key, "setup": row.way.value, "count": 1}
        if rows and {**rows[-1], "count": 1} == same:
            rows[-1] = {**same, "count": rows[-1]["count"] + 1}
        else:
            rows.append(same)
    answer: dict[str, Any] = {"groups": rows}
    if not attack_refused(cg, side):
        answer["attack"] = cart.attack
    if patrol_limit(cg, side):
        answer["patrols"] = cart.patrols
    if cg.side(side).pre_registered:
        answer["pre_registered"] = [{"hex": name} for name in cart.pre_registered]
    return answer


# What to build --------------------------------------------------------------------------------------

WORKS = ("foxhole", "trench", "a-p-mines", "wire", "fortified-building", "a-t-mines", "foxhole", "roadblock")
"""What a defender builds, in this order: cover for his troops first, then what stops the enemy."""

FACTORS = {"a-p-mines": 6, "a-t-mines": 3}
"""Factors of a minefield that is worth its points."""

MOST_WORKS = 8
"""Most fortifications that are proposed at once."""


def judge_works(shop: FpShop, temper: Temperament) -> dict[str, Any]:
    """Return what somebody of a temperament builds: a defender turns what he kept for it into FP."""
    from laager.rules.platoon_leader.buying.works import kind_refused

    cg, side = shop.cg, shop.side
    own, card = cg.state.side(side), shop.card
    defends = not own.attack
    most = own.cp if card.max_cp is None else min(own.cp, card.max_cp)
    kept = 0 if cg.next_slot is None else cg.side(side).attack_cost
    cp = max(0, min(most, own.cp - kept)) if defends and temper["buy.works"] else 0
    works: list[dict[str, Any]] = []
    for kind in WORKS if own.fp or cp else ():
        row = cg.charts.fortifications.row(kind)
        if len(works) >= MOST_WORKS or kind_refused(cg, side, kind):
            continue
        size = next(iter(row.sizes), "")
        wanted = {"type": kind, "count": 1, "size": size, "factors": FACTORS.get(kind, 0), "fp": 0}
        if not shop.problems({"cp": cp, "works": [*works, wanted]}):
            works.append(wanted)
    spent = shop.cost(shop.works({"works": works})) - own.fp
    return {"cp": max(0, ceil(spent / card.fp_per_cp)), "works": works}
