"""Patrols: formed in secret by both sides, then resolved one by one (PL 2.7 to 2.758)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem, did_you_mean
from laager.base.counting import count_of
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Placing,
    Procedure,
    Question,
    Rows,
    SecretQuestion,
    Several,
    Text,
    ask,
    ask_all,
    implements,
    roll,
    step,
)
from laager.dice import Dice, Rolled
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import (
    INFANTRY,
    MMC,
    carried_by,
    change_marks,
    hide,
    place_unit,
    put_under_guard,
    remove_unit,
    reveal,
)
from laager.rules.board.facts import Noted, UnitAttached
from laager.rules.board.places import find_location, hex_of, is_accessible, rooms_of
from laager.rules.board.rows import unit_choice, unit_list, wrong_row_counts
from laager.rules.board.setup.hiding import may_conceal
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import PatrolsChanged
from laager.rules.platoon_leader.patrols import rules
from laager.rules.platoon_leader.patrols.forming import forming, patrols_of, set_out
from laager.rules.platoon_leader.patrols.missions import MissionOutcome, conduct, free, suffers
from laager.rules.platoon_leader.patrols.outcome import CAPTURED, ELIMINATED, REDUCED
from laager.rules.platoon_leader.redeployment.redeploying import random_selection

DETECTION, RETURN = "patrol-detection", "patrol-return"

OUT_OF_SIGHT = (Mark.CLOAKED, Mark.HIP, Mark.CONCEALED)


@step(
    "PL 2.7",
    "Patrols",
    also=(
        "PL 2.71", "PL 2.74", "PL 2.74 step 1", "PL 2.74 step 2", "PL 2.74 step 3",
        "PL 2.74 step 4", "PL 2.74 step 5", "PL 2.755", "PL CG10",
    ),
    edition=3,
)  # fmt: skip
def patrolling(cg: Cg) -> Procedure[None]:
    """Both sides form their patrols, then these are resolved in the order chosen."""
    answers = yield from ask_all(forming(cg))
    patrols = {side: patrols_of(cg, side, answers.get(side, ())) for side in SIDES}
    for side in SIDES:
        for patrol in patrols[side]:
            yield from yield_facts(set_out(cg, patrol))
    for patrol in (yield from _in_order(cg, patrols)):
        yield from resolve(cg, patrol)
    for side in SIDES:
        bought = cg.state.side(side).patrols
        if bought:
            why = f"{len(patrols[side])} of {count_of(bought, 'Patrol')} went"
            yield PatrolsChanged(side=side, by=-bought, why=why, to=(side,))


# The order --------------------------------------------------------------------------------------


@implements("PL 2.74 note both patrolling")
def chooser(cg: Cg) -> str:
    """Return the side that orders the patrols if both have some: the last battle's defender.

    Idle Firefights don't count; in a Dual Attack the side that moved second defended; before the first
    battle it is the side that sets up first.
    """
    last = cg.state.last_played()
    return (last.defender if last is not None else "") or cg.state.fight.sets_up_first


def _in_order(cg: Cg, patrols: Mapping[str, Sequence[rules.Patrol]]) -> Procedure[list[rules.Patrol]]:
    everybody = {patrol.name: patrol for side in SIDES for patrol in patrols[side]}
    if not all(patrols[side] for side in SIDES):
        return list(everybody.values())
    side = chooser(cg)
    names = [patrol.name for each_side in (side, other_side(side)) for patrol in patrols[each_side]]
    options = tuple(Option(name) for name in names)
    order = yield from ask(
        Question(
            key="patrol-order",
            side=side,
            text="Both sides patrol. In which order do you resolve the patrols? List all of them.",
            form=Several(options, least=len(names), most=len(names)),
            rule="PL 2.74 note both patrolling",
            default=names,
            suggest=lambda rng: rng.sample(names, len(names)),
        )
    )
    return [everybody[name] for name in order]


# One patrol (PL 2.74) ---------------------------------------------------------------------------


def resolve(cg: Cg, patrol: rules.Patrol) -> Procedure[None]:
    """Roll for detection, carry the mission out unless the patrol was found, bring it home."""
    result, account = yield from _roll(cg, patrol, rules.members(cg, patrol), DETECTION, rules.Events())
    if result == "mission":
        outcome = yield from conduct(cg, patrol)
    else:
        yield from _apply_detection(cg, patrol, result, account)
        returning = tuple(unit.id for unit in rules.members(cg, patrol))
        outcome = MissionOutcome(patrol, rules.Events(), returning, {}, ())
    yield from _way_back(cg, outcome)
    yield from yield_facts(_left_over(cg, outcome))
    yield from _regain(cg, outcome)


@implements("PL 2.74 Detection Table", "PL 2.74 Return Table")
def _roll(
    cg: Cg, patrol: rules.Patrol, units: Sequence[Unit], table: str, events: rules.Events
) -> Procedure[tuple[str, str]]:
    """Make a sealed DR on one of the two tables; return the result and how it came about.

    Hexes next to the Mission Hex in which all enemies are out of sight add to the DR. The patrol's
    side learns the result and the DRM that it knows: the faces would give away what is there.
    """
    if table == RETURN:
        modifiers = rules.return_modifiers(cg, patrol, units, events)
        rule = "PL 2.74 Return Table"
    else:
        modifiers = rules.patrol_modifiers(cg, patrol, units, table)
        rule = "PL 2.74 Detection Table"
    title = cg.table(table).title
    _, times = rules.adjacent_enemies(cg, patrol)
    unseen = [cg.table(table).modifier("adjacent-enemy", times=times)]
    label = f"{title}, {patrol.name}, with DRM that only Laager knows"
    rolled: Rolled = yield from roll(patrol.side, label, Dice.DR, modifiers, rule=rule, unseen=unseen, table=table)
    result = str(cg.table(table).result(rolled.final))
    known = ", ".join(f"{modifier.value:+d} {modifier.reason}" for modifier in modifiers) or "none"
    account = (
        f"{title}, {patrol.name}: {cg.table(table).words(result)}. DRM that you know: {known}. "
        "The referee adds enemies that you cannot see, and keeps the dice to himself: they would "
        "tell you whether there are any."
    )
    yield Noted(text=account, rule=rule, to=(patrol.side,))
    return result, f"on patrol {patrol.name}"


@implements("PL 2.74 Detection note *")
def _apply_detection(cg: Cg, patrol: rules.Patrol, result: str, why: str) -> Procedure[None]:
    """Apply what detection costs: nothing, a Reduction, some of the patrol, all of it."""
    units = rules.members(cg, patrol)
    if result == "all-lost":
        yield from _suffer(cg, units, ELIMINATED, why)
    elif result in {"reduced", "some-lost"}:
        chosen = yield from random_selection(patrol.side, units, f"detection of {patrol.name}", secret=True)
        yield from _suffer(cg, chosen, REDUCED if result == "reduced" else ELIMINATED, why)


def _suffer(cg: Cg, units: Sequence[Unit], loss: str, why: str) -> Procedure[None]:
    for unit in units:
        yield from yield_facts(suffers(cg, cg.state.units[unit.id], loss, why))


# The way back (PL 2.74 step 3) ------------------------------------------------------------------


def _way_back(cg: Cg, outcome: MissionOutcome) -> Procedure[None]:
    """Units that must return roll once as a group. If they make it, place them."""
    patrol = outcome.patrol

    def rolling() -> list[Unit]:
        return [unit for unit in rules.members(cg, patrol) if unit.id in outcome.returning]

    if not rolling():
        yield from yield_facts(free(cg, outcome.prisoners))
        return
    yield from _drop(cg, outcome, rolling())
    result, why = yield from _roll(cg, patrol, rolling(), RETURN, outcome.events)
    yield from _apply_return(cg, patrol, rolling(), result, why)
    if result not in {"safe", "reduced"} or not rolling():
        yield from yield_facts(free(cg, outcome.prisoners))
    if rolling():
        yield from _placement(cg, outcome, rolling())


@implements("PL 2.74 Return note *", "PL 2.74 Return Table")
def _apply_return(cg: Cg, patrol: rules.Patrol, units: Sequence[Unit], result: str, why: str) -> Procedure[None]:
    """Apply the Return table: Reduced and captured units are selected at random."""
    if result == "all-lost":
        yield from _suffer(cg, units, ELIMINATED, why)
    if result not in {"reduced", "captured"}:
        return
    chosen = yield from random_selection(patrol.side, units, f"return of {patrol.name}", secret=True)
    if result == "reduced":
        yield from _suffer(cg, chosen, REDUCED, why)
        return
    names = {unit.id for unit in chosen}
    yield from _suffer(cg, chosen, CAPTURED, why)
    yield from _suffer(cg, [unit for unit in units if unit.id not in names], ELIMINATED, why)


def _drop(cg: Cg, outcome: MissionOutcome, units: Sequence[Unit]) -> Procedure[None]:
    """SW can be left behind before the Return roll, and must be if they leave fewer than 3 MF."""
    weapons = rules.sw_with(cg, outcome.patrol)
    if not weapons:
        return
    dropped = yield from ask(_drop_question(cg, outcome.patrol, units, weapons))
    for name in dropped:
        yield from yield_facts(_left_behind(cg, outcome, cg.state.units[name]))


def _drop_question(cg: Cg, patrol: rules.Patrol, units: Sequence[Unit], weapons: Sequence[Unit]) -> SecretQuestion:
    def check(names: Sequence[str]) -> list[Problem]:
        kept = [weapon for weapon in weapons if weapon.id not in names]
        if rules.enough_mf(cg, units, kept):
            return []
        return [Problem("the rest is too heavy", "the patrol must keep 3 MF (PL 2.757)")]

    return SecretQuestion(
        key="patrol-drop",
        side=patrol.side,
        text=f"Which SW does {patrol.name} leave behind before it rolls to return?",
        form=unit_list(weapons),
        rule="PL 2.757",
        default=must_drop(cg, units, weapons),
        check=check,
        suggest=lambda rng: _some_dropped(cg, units, weapons, rng),
        help="Each PP beyond the first adds 1 to the Return roll.",
    )


@implements("PL 2.757")
def must_drop(cg: Cg, units: Sequence[Unit], weapons: Sequence[Unit]) -> list[str]:
    """Return the SW that have to be left behind, the heaviest first."""
    kept = sorted(weapons, key=lambda weapon: rules.load_of(cg, weapon))
    dropped = []
    while not rules.enough_mf(cg, units, kept):
        dropped.append(kept.pop().id)
    return dropped


def _some_dropped(cg: Cg, units: Sequence[Unit], weapons: Sequence[Unit], rng: Random) -> list[str]:
    must = must_drop(cg, units, weapons)
    return [w.id for w in weapons if w.id in must or rng.random() < 0.2]


def _left_behind(cg: Cg, outcome: MissionOutcome, weapon: Unit) -> Iterator[Fact]:
    """An SW lies in the Mission Hex; if the patrol never got there it is lost."""
    patrol = outcome.patrol
    if not outcome.events.conducted:
        yield from remove_unit(cg, weapon, Place.REMOVED, f"abandoned by patrol {patrol.name}")
        return
    why = f"left in {patrol.hex} by patrol {patrol.name}"
    yield UnitAttached(unit=weapon.id, why=why, to=weapon.audience)
    yield place_unit(weapon, patrol.hex, Place.MAP, why)


def _left_over(cg: Cg, outcome: MissionOutcome) -> Iterator[Fact]:
    """SW without a bearer stay with the units that lie in wait; those of a lost patrol are lost."""
    patrol = outcome.patrol
    waiting = [name for name in patrol.units if cg.state.units[name].at == patrol.hex]
    for weapon in rules.sw_with(cg, patrol):
        if waiting:
            why = f"with those who lie in wait in {patrol.hex}"
            yield UnitAttached(unit=weapon.id, to_unit=waiting[0], why=why, to=weapon.audience)
            yield place_unit(weapon, patrol.hex, Place.MAP, why)
        else:
            yield from remove_unit(cg, weapon, Place.ELIMINATED, f"lost with patrol {patrol.name}")


# Placement (PL 2.74 step 4) ---------------------------------------------------------------------


def _placement(cg: Cg, outcome: MissionOutcome, units: Sequence[Unit]) -> Procedure[None]:
    patrol = outcome.patrol
    rows = yield from ask(placement_question(cg, patrol, units))
    for row in rows:
        yield from yield_facts(_put_back(cg, row))
    yield from yield_facts(_hand_over_sw(cg, patrol, rows))
    for name in outcome.prisoners:
        prisoner = cg.state.units[name]
        guard = cg.state.units.get(prisoner.with_unit)
        if prisoner.has(Mark.PRISONER) and prisoner.place is Place.PATROL:
            if guard is None or not guard.on_map:
                guard = cg.state.units[rows[0]["unit"]]
                yield from yield_facts(put_under_guard(prisoner, guard.id, "guards the prisoner now"))
            yield place_unit(prisoner, guard.at, Place.MAP, "brought back by a patrol")


def placement_question(cg: Cg, patrol: rules.Patrol, units: Sequence[Unit]) -> SecretQuestion:
    """Ask where returned units are placed, in any friendly MLR, and which go under "?"."""
    form = Rows.of(
        Field("unit", unit_choice(units), "Unit"),
        Field("at", Text(limit=20), "Location"),
        Field("hide", Choice.of("concealed", "none"), 'Under "?"', "none"),
    )
    return SecretQuestion(
        key="patrol-placement",
        side=patrol.side,
        text=f"{patrol.name} is back. Where in your MLRs are its units placed?",
        form=form,
        rule="PL 2.74 step 4",
        default=[_row_for(cg, unit, patrol.origins[unit.id]) for unit in units],
        check=lambda rows: placement_problems(cg, units, rows),
        suggest=lambda rng: _placed_by_chance(cg, patrol, units, rng),
        placing=Placing(lambda: {"at": back_to(cg, patrol.side)}),
    )


def _row_for(cg: Cg, unit: Unit, at: str) -> dict[str, str]:
    hidden = may_conceal(cg, unit, at)
    return {"unit": unit.id, "at": at, "hide": "concealed" if hidden else "none"}


def _placed_by_chance(cg: Cg, patrol: rules.Patrol, units: Sequence[Unit], rng: Random) -> list[dict[str, str]]:
    hexes = cg.sort(back_to(cg, patrol.side))
    return [_row_for(cg, unit, rng.choice(hexes)) for unit in units]


def back_to(cg: Cg, side: str) -> list[str]:
    """Return the hexes in which returned units can be placed."""
    return [name for name in cg.friendly_area(side) if is_accessible(cg, name)]


def placement_problems(cg: Cg, units: Sequence[Unit], rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return what is wrong with the places of returned units: any friendly MLR, each unit once."""
    problems = wrong_row_counts(units, rows)
    for number, row in enumerate(rows, 1):
        unit, here = cg.state.units[row["unit"]], f"[{number}]"
        area = cg.friendly_area(unit.side)
        at = find_location(cg, row["at"], rooms_of(cg, unit.side))
        if at is None or hex_of(at) not in area or not is_accessible(cg, hex_of(at)):
            advice = did_you_mean(row["at"], cg.sort(area), "its hexes are")
            problems.append(Problem(f"{row['at']!r} is not in your MLRs", advice, f"{here}.at"))
        elif row["hide"] == "concealed" and not may_conceal(cg, unit, at):
            right = "in Concealment Terrain or an entrenchment (PL CG10)"
            problems.append(Problem(f"{unit.label} can't hide in {at}", right, f"{here}.hide"))
    return problems


def _put_back(cg: Cg, row: Mapping[str, Any]) -> Iterator[Fact]:
    """Put a unit back on the map with the SW it possesses; its Cloaking counter comes off."""
    why = f"back from patrol in {row['at']}"
    at = cg.map.main_location(row["at"])
    items = [item for item in carried_by(cg, cg.state.units[row["unit"]]) if _with_it(item, at)]
    for name in (row["unit"], *(item.id for item in items)):
        unit = cg.state.units[name]
        yield place_unit(unit, at, Place.MAP, why)
        hiding = {Mark.CONCEALED} if row["hide"] == "concealed" else set()
        off = {*OUT_OF_SIGHT, Mark.PIN} - hiding
        yield from change_marks(cg.state.units[name], add=hiding, remove=off, why=why)
        if not hiding:
            yield from reveal(cg.state.units[name], why)
    for item in carried_by(cg, cg.state.units[row["unit"]]):
        if item.on_map and item.at != at:
            yield UnitAttached(unit=item.id, why="left where it stood", to=item.audience)


def _with_it(item: Unit, at: str) -> bool:
    return item.kind == "sw" and (item.place is Place.PATROL or item.at == at)


def _hand_over_sw(cg: Cg, patrol: rules.Patrol, rows: Sequence[Mapping[str, Any]]) -> Iterator[Fact]:
    """SW whose possessor is lost go to the units that came back."""
    heirs = [cg.state.units[row["unit"]] for row in rows]
    heirs.sort(key=lambda unit: unit.kind not in MMC)
    for weapon in rules.sw_with(cg, patrol):
        why = f"carried home by {heirs[0].label}"
        yield UnitAttached(unit=weapon.id, to_unit=heirs[0].id, why=why, to=weapon.audience)
        yield place_unit(weapon, heirs[0].at, Place.MAP, why)
        marks = frozenset(OUT_OF_SIGHT)
        hiding = {Mark.CONCEALED} & heirs[0].marks
        now = cg.state.units[weapon.id]
        yield from change_marks(now, add=hiding, remove=marks - hiding, why=why)
        if not hiding:
            yield from reveal(cg.state.units[weapon.id], why)


@implements("PL 2.74 step 4", "PL CG10")
def may_regain(cg: Cg, unit: Unit) -> bool:
    """True if a unit that a patrol revealed may be put under "?" again."""
    return unit.on_map and unit.kind in INFANTRY and may_conceal(cg, unit, unit.at or "")


def _regain(cg: Cg, outcome: MissionOutcome) -> Procedure[None]:
    """The other side's units that were seen may regain concealment."""
    units = [cg.state.units[name] for name in outcome.revealed]
    units = [unit for unit in units if may_regain(cg, unit)]
    if not units:
        return
    chosen = yield from ask(
        SecretQuestion(
            key="regain-concealment",
            side=units[0].side,
            text='The patrol is over. Which of these units regain "?"?',
            form=unit_list(units, placed=True),
            rule="PL 2.74 step 4",
            default=[unit.id for unit in units],
        )
    )
    for name in chosen:
        for item in (cg.state.units[name], *carried_by(cg, cg.state.units[name])):
            yield from yield_facts(hide(item, Mark.CONCEALED, 'under "?" again'))
