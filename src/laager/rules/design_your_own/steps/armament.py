"""Optional armament: one Availability DR for each vehicle that is to have some (DYO H1.41)."""

from __future__ import annotations

from collections.abc import Sequence

from laager.base import Problem
from laager.campaign import Option, Procedure, Question, Several, ask, roll, step
from laager.catalogue.dyo import DyoNation
from laager.dice import Dice
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.counters import armament_breach, arrangement_breach
from laager.rules.design_your_own.facts import ArmamentSettled
from laager.rules.design_your_own.fullsets import full_sets
from laager.rules.design_your_own.ob import Arm, VehicleEntry
from laager.rules.design_your_own.pieces import weapons_of
from laager.rules.design_your_own.reckoning import Breach
from laager.rules.design_your_own.steps.buying import declined, taken_words, too_dear, why_not
from laager.rules.design_your_own.steps.ordnance import odds_words
from laager.rules.design_your_own.vehicles import OptionalWeapon, armament, weapon_cost


@step("DYO H1.41", "Optional armament", each_side=True, also=("DYO H1.12",))
def optional_armament(cg: Cg, side: str) -> Procedure[None]:
    """What comes with a full set comes by itself; for the rest each vehicle has its DR."""
    entries = cg.ob(side).vehicles.entries
    for key, carried in full_sets(cg.printed(side), cg.month, entries).items():
        yield ArmamentSettled(
            side=side,
            vehicle=key,
            arms=carried.arms,
            automatic=True,
            disabled=carried.disabled,
            rule="DYO H1.12",
            why="all vehicles of the type were bought",
            to=(side,),
        )
    armable = {entry.key: entry for entry in cg.ob(side).vehicles.entries if weapons(cg, side, entry)}
    if not armable:
        return
    for key in (yield from ask(_which(cg, side, armable))):
        yield from _armed(cg, side, armable[key])


def weapons(cg: Cg, side: str, entry: VehicleEntry) -> tuple[OptionalWeapon, ...]:
    """Return the weapons for which a vehicle may have a DR: current ones with a known price."""
    if entry.automatic or entry.op or entry.without_dr:
        return ()
    found = weapons_of(cg.nation(side).armament(entry.type, cg.month), cg.month)
    return tuple(one for one in found if one.current and isinstance(weapon_cost(one), int))


def _which(cg: Cg, side: str, armable: dict[str, VehicleEntry]) -> Question:
    options = []
    for key, entry in armable.items():
        names = ", ".join(f"{one.name} (RF {one.rf}, BPV {weapon_cost(one)})" for one in weapons(cg, side, entry))
        options.append(Option(key, f"{entry.type} {entry.id}: {names}"))
    return Question(
        key="optional-armament",
        side=side,
        text=f"For which vehicles do you roll for optional armament? You have {cg.left(side)}.",
        form=Several(tuple(options)),
        rule="DYO H1.41",
        secret=True,
        default=[],
        help=f"One DR for each, in this order. {odds_words(motorized=False)}",
        irrevocable=declined("Without a DR there is no optional armament, and no DR later."),
        nothing="No DR",
    )


def _armed(cg: Cg, side: str, entry: VehicleEntry) -> Procedure[None]:
    rolled = yield from roll(side, f"Optional armament, {entry.type} {entry.id}", Dice.DR, secret=True)
    offer = armament(rolled.final, weapons(cg, side, entry))
    chosen: list[str] = []
    legal = [one for one in offer.available if not _why_not(cg, side, entry, one)]
    if legal:
        chosen = yield from ask(_take(cg, side, entry, offer.available))
    arms = tuple(Arm(name=one.name, cost=_cost(one)) for one in offer.available
                 if one.name in chosen)  # fmt: skip
    why = f"Final DR {rolled.final}"
    if offer.refused:
        why += "; " + "; ".join(f"{breach.what}: {breach.right}" for breach in offer.refused)
    dr = evidence(rolled)
    yield ArmamentSettled(side=side, vehicle=entry.key, arms=arms, dr=dr, why=why, to=(side,))


def _cost(weapon: OptionalWeapon) -> int:
    cost = weapon_cost(weapon)
    assert isinstance(cost, int)
    return cost


def _why_not(cg: Cg, side: str, entry: VehicleEntry, weapon: OptionalWeapon) -> str:
    return why_not(_counted(cg, side, entry, weapon), too_dear(cg, side, _cost(weapon), weapon.name))


def _counted(cg: Cg, side: str, entry: VehicleEntry, weapon: OptionalWeapon) -> Breach | None:
    """Say whether the counters of one game show this weapon on fewer vehicles (DYO H1.12)."""
    equipped = sum(
        any(arm.name == weapon.name for arm in other.arms)
        for other in cg.ob(side).vehicles.entries
        if other.type == entry.type
    )
    agreed = cg.terms.agreements
    found = armament_breach(
        weapon.name, equipped, 1, weapon.vehicles_with_it, agreed=agreed.extra_pieces or agreed.any_arrangement
    )
    return found if isinstance(found, Breach) else None


def _take(cg: Cg, side: str, entry: VehicleEntry, available: Sequence[OptionalWeapon]) -> Question:
    options = tuple(Option(one.name, f"{one.name}: {_cost(one)}", _why_not(cg, side, entry, one)) for one in available)
    costs = {one.name: _cost(one) for one in available}
    return Question(
        key="armament",
        side=side,
        text=f"Which optional weapons does {entry.type} {entry.id} take? You have {cg.left(side)} points.",
        form=Several(options),
        rule="DYO H1.41",
        secret=True,
        default=[],
        help="What you leave is not offered again.",
        irrevocable=lambda names: taken_words(cg, side, sum(costs[name] for name in names)),
        nothing="Take nothing",
        check=lambda names: _problems(cg, side, entry, costs, names),
    )


def _problems(cg: Cg, side: str, entry: VehicleEntry, costs: dict[str, int], names: Sequence[str]) -> list[Problem]:
    groups = arrangements(cg.nation(side), entry.type)
    agreed = cg.terms.agreements.any_arrangement
    found = (
        too_dear(cg, side, sum(costs[name] for name in names), "all of it"),
        arrangement_breach(frozenset(names), groups, agreed=agreed),
    )
    return [breach.problem() for breach in found if breach]


def arrangements(nation: DyoNation, type_: str) -> frozenset[frozenset[str]]:
    """Return which optional weapons are together on the counters of a type; none: not known."""
    shown = nation.vehicle(type_).arrangements
    return frozenset(
        frozenset(part.strip() for part in group.split("+")) for group in (shown if isinstance(shown, tuple) else ())
    )
