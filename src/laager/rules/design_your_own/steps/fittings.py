"""What vehicles get by a DR each: optional armament, Schuerzen and Gyrostabilizers, Armor Leaders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Rows, Several, ask, roll, step
from laager.dice import Dice
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import ArmamentSettled, ArmorLeaderSettled, FittingsSettled
from laager.rules.design_your_own.lines import fittings, pieces, vehicles
from laager.rules.design_your_own.ob import Arm, Trio, VehicleEntry
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.steps.buying import (
    named_twice,
    pick,
    problems,
    taken_words,
    warn_of_declining,
    why_not,
)
from laager.rules.design_your_own.steps.ordnance import odds_words


@step("DYO H1.41", "Optional armament", each_side=True)
def optional_armament(cg: Cg, side: str) -> Procedure[None]:
    """A full set brings its armament without a DR; every other vehicle can have one (H1.41)."""
    entries = cg.ob(side).vehicles.entries
    for key, carried in vehicles.full_sets(cg.nation_with_all_counters(side), cg.month, entries).items():
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
    armable = {entry.key: entry for entry in cg.ob(side).vehicles.entries if vehicles.weapons(cg, side, entry)}
    if not armable:
        return
    for key in (yield from ask(_which_arms(cg, side, armable))):
        yield from _roll_armament(cg, side, armable[key])


def _which_arms(cg: Cg, side: str, armable: dict[str, VehicleEntry]) -> Question:
    options = []
    for key, entry in armable.items():
        offered = vehicles.weapons(cg, side, entry)
        names = ", ".join(f"{weapon.name} (RF {weapon.rf}, BPV {vehicles.weapon_cost(weapon)})" for weapon in offered)
        options.append(Option(key, f"{entry.type} {entry.id}: {names}"))
    odds = odds_words(cg.rulebook)
    return Question(
        key="optional-armament",
        side=side,
        text=f"For which vehicles do you roll for optional armament? You have {cg.points_left(side)} points.",
        form=Several(tuple(options)),
        rule="DYO H1.41",
        secret=True,
        default=[],
        help=f"One DR for each, in this order. {odds}",
        irrevocable=warn_of_declining("Without a DR there is no optional armament, and no DR later."),
        nothing="No DR",
    )


def _roll_armament(cg: Cg, side: str, entry: VehicleEntry) -> Procedure[None]:
    label = f"Optional armament, {entry.type} {entry.id}"
    rolled = yield from roll(side, label, Dice.DR, secret=True, table=pieces.TABLE)
    offer = vehicles.armament(cg.rulebook, rolled.final, vehicles.weapons(cg, side, entry))
    chosen: list[str] = []
    legal = [weapon for weapon in offer.available if not _why_not(cg, side, entry, weapon)]
    if legal:
        chosen = yield from ask(_take_arms(cg, side, entry, offer.available))
    costs = vehicles.costs_of(offer.available)
    arms = tuple(Arm(name=name, cost=cost) for name, cost in costs.items() if name in chosen)
    why = f"Final DR {rolled.final}"
    if offer.refused:
        why += "; " + "; ".join(f"{breach.what}: {breach.right}" for breach in offer.refused)
    dr = evidence(rolled)
    yield ArmamentSettled(side=side, vehicle=entry.key, arms=arms, dr=dr, why=why, to=(side,))


def _why_not(cg: Cg, side: str, entry: VehicleEntry, weapon: vehicles.OptionalWeapon) -> str:
    armed = sum(
        any(arm.name == weapon.name for arm in other.arms)
        for other in cg.ob(side).vehicles.entries
        if other.type == entry.type
    )
    dear = pieces.too_dear(cg, side, vehicles.costs_of([weapon])[weapon.name], weapon.name)
    return why_not(vehicles.weapon_short(cg, weapon, armed + 1), dear)


def _take_arms(cg: Cg, side: str, entry: VehicleEntry, available: Sequence[vehicles.OptionalWeapon]) -> Question:
    costs = vehicles.costs_of(available)
    options = tuple(
        Option(weapon.name, f"{weapon.name}: {costs[weapon.name]}", _why_not(cg, side, entry, weapon))
        for weapon in available
    )
    return Question(
        key="armament",
        side=side,
        text=f"Which optional weapons does {entry.type} {entry.id} take? You have {cg.points_left(side)} points.",
        form=Several(options),
        rule="DYO H1.41",
        secret=True,
        default=[],
        help="What you leave is not offered again.",
        irrevocable=lambda names: taken_words(cg, side, sum(costs[name] for name in names)),
        nothing="Take nothing",
        check=lambda names: problems(
            pieces.too_dear(cg, side, sum(costs[name] for name in names), "all of it"),
            vehicles.weapons_apart(cg, side, entry.type, names),
        ),
    )


MOST_DRM = 6
"""A bound on what the players supply by D11.1, so that a slip of the finger is refused."""


@step("DYO H1.42", "Schuerzen and Gyrostabilizers", each_side=True)
def schuerzen_and_gyros(cg: Cg, side: str) -> Procedure[None]:
    """The owner names the AFV to roll for, and can decline what the dr gives (H1.42)."""
    fit = {entry.key: entry for entry in cg.ob(side).vehicles.entries if fittings.wreck_fittings(cg, side, entry)}
    if not fit or fittings.column_of(cg.month) is None:
        return
    for row in (yield from ask(_which_afv(cg, side, fit))):
        yield from _roll_fittings(cg, side, fit[row["afv"]], row["drm"])


def _which_afv(cg: Cg, side: str, fit: Mapping[str, VehicleEntry]) -> Question:
    options = tuple(Option(key, f"{entry.type} {entry.id}: {_chances(cg, side, entry)}") for key, entry in fit.items())
    row = Record((Field("afv", Choice(options), "AFV"), Field("drm", Number(-MOST_DRM, MOST_DRM), "drm by D11.1", 0)))
    return Question(
        key="fittings",
        side=side,
        text=f"For which AFV do you roll for Schuerzen or a Gyrostabilizer? You have {cg.points_left(side)} points.",
        form=Rows(row, most=len(fit)),
        rule="DYO H1.42",
        secret=True,
        default=[],
        help="One dr for each AFV. The drm of D11.1 are in your rulebook.",
        check=lambda rows: named_twice([row["afv"] for row in rows], right="one dr for each AFV"),
        irrevocable=warn_of_declining("Without a dr there are no Schuerzen or Gyrostabilizer."),
        nothing="No dr",
        suggest=lambda rng: [{"afv": key, "drm": 0} for key in fit if rng.random() < 0.5],
    )


def _chances(cg: Cg, side: str, entry: VehicleEntry) -> str:
    parts = []
    for fitting in fittings.wreck_fittings(cg, side, entry):
        drm = sum(modifier.value for modifier in fittings.modifiers(cg, side, entry, [fitting], 0))
        parts.append(f"{fitting.value} {fittings.odds_fitting(cg.rulebook, fitting, cg.month, drm)[True] * 6}/6")
    return ", ".join(parts)


def _roll_fittings(cg: Cg, side: str, entry: VehicleEntry, other: int) -> Procedure[None]:
    drm = fittings.modifiers(cg, side, entry, fittings.wreck_fittings(cg, side, entry), other)
    label = f"Schuerzen or Gyrostabilizer, {entry.type} {entry.id}"
    rolled = yield from roll(side, label, Dice.dr, drm, secret=True, table=fittings.TABLE)
    results = fittings.fitting_results(cg, side, entry, rolled.final, other)
    costs = {fitting: result.cost for fitting, result in results.items() if result.received}
    taken: list[str] = []
    if any(not pieces.too_dear(cg, side, cost, fitting.value) for fitting, cost in costs.items()):
        taken = yield from ask(_take_fittings(cg, side, entry, costs))
    kept = tuple(fitting for fitting in costs if fitting.value in taken)
    cost = sum(costs[fitting] for fitting in kept)
    offered = " and ".join(fitting.words for fitting in costs) or "nothing"
    yield FittingsSettled(
        side=side,
        vehicle=entry.key,
        fittings=tuple(fitting.value for fitting in kept),
        dr=evidence(rolled),
        cost=cost,
        why=f"dr {rolled}: {offered}",
        to=(side,),
    )


def _take_fittings(cg: Cg, side: str, entry: VehicleEntry, costs: Mapping[fittings.Fitting, int]) -> Question:
    options = tuple(
        Option(fitting.value, f"{fitting.words}: {cost}", why_not(pieces.too_dear(cg, side, cost, fitting.words)))
        for fitting, cost in costs.items()
    )

    def cost_of(names: Sequence[str]) -> int:
        return sum(cost for fitting, cost in costs.items() if fitting.value in names)

    return Question(
        key="fitting",
        side=side,
        text=f"Does {entry.type} {entry.id} take what the dr gives? You have {cg.points_left(side)} points.",
        form=Several(options),
        rule="DYO H1.42",
        secret=True,
        default=[],
        check=lambda names: problems(pieces.too_dear(cg, side, cost_of(names), "both together")),
        irrevocable=lambda names: taken_words(cg, side, cost_of(names)),
        nothing="Take nothing",
    )


@step("DYO H1.43", "Armor Leaders", each_side=True)
def armor_leaders(cg: Cg, side: str) -> Procedure[None]:
    """The owner names three AFV, rolls for their leader, and seats him in one of them (H1.43)."""
    for of in cg.nations(side):
        yield from _leaders_of(cg, side, of)


def _leaders_of(cg: Cg, side: str, of: str) -> Procedure[None]:
    """Make the DR of one nation of a side: the table tells nations apart, so threes are of one."""
    row = cg.row(side, "armor_leader_row", of)
    drm = fittings.armor_leader_drm(cg.rulebook, row, cg.month.year, cg.terms.theatre)
    nation = cg.nation(side)
    free = {key: vehicle for key, vehicle in fittings.afvs_of(cg, side).items() if nation.ally(vehicle.type) == of}
    entitled = int(fittings.armor_leader_drs(cg.rulebook, len(free))) if drm is not None else 0
    for number in range(1, entitled + 1):
        assert drm is not None
        named = yield from ask(_which_three(cg.rulebook, free, side, number, entitled, drm.value))
        if not named:
            break
        label = f"Armor Leader, DR {number} of {entitled}"
        rolled = yield from roll(side, label, Dice.DR, [drm], secret=True, table=pieces.TABLE)
        leader = fittings.armor_leader(cg.rulebook, rolled.final) or ""
        if leader and not fittings.counters_left(cg, side, leader, of):
            leader = ""
        trio = Trio(vehicles=tuple(named), dr=evidence(rolled))
        if leader:
            trio = yield from _seat_leader(cg, side, of, trio, leader)
        why = f"DR {rolled}: {trio.leader or 'no Armor Leader'}"
        yield ArmorLeaderSettled(side=side, trio=trio, why=why, to=(side,))
        free = {key: entry for key, entry in free.items() if key not in named}


def _which_three(
    rulebook: Rulebook, free: Mapping[str, VehicleEntry], side: str, number: int, entitled: int, drm: int
) -> Question:
    each = rulebook.charts.armor_leaders.afv_for_each
    options = tuple(Option(key, f"{entry.type} {entry.id}") for key, entry in free.items())
    chances = fittings.odds_armor_leader(rulebook, drm).items()
    odds = ", ".join(f"{leader or 'none'} {chance * 36}/36" for leader, chance in chances)
    text = f"Which three AFV make Armor Leader DR {number} of {entitled}? None: no DR."
    if each != 3:
        text = f"Which {each} AFV make Armor Leader DR {number} of {entitled}? None: no DR."
    return Question(
        key="armor-leader-dr",
        side=side,
        text=text,
        form=Several(options, most=each),
        rule="DYO H1.43",
        secret=True,
        default=list(free)[:each],
        help=f"The leader serves in one of them. {odds}.",
        check=lambda names: problems(*fittings.trio_breaches(rulebook, [names] if names else [], list(free))),
        suggest=lambda rng: rng.sample(list(free), each) if rng.random() < 0.9 else [],
    )


def _seat_leader(cg: Cg, side: str, of: str, trio: Trio, leader: str) -> Procedure[Trio]:
    """Take the leader or the better one that the crews allow, and choose his AFV."""
    better = fittings.leader_choices(cg, side, of, trio)[-1]
    if better != leader and fittings.counters_left(cg, side, better, of):
        options = (Option(leader, leader), Option(better, f"{better}, as the crews' morale"))
        leader = yield from ask(
            pick(
                side,
                "armor-leader",
                "DYO H1.43",
                f"The DR gives a {leader}. Which leader do you take?",
                options,
                default=better,
            )
        )
    text = f"Which AFV carries the Armor Leader {leader}?"
    vehicle = yield from ask(pick(side, "armor-leader-afv", "DYO H1.43", text, map(Option, trio.vehicles)))
    return trio.model_copy(update={"leader": leader, "vehicle": vehicle})
