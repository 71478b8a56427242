"""Missions of patrols: what players resolve on the table, and what follows (PL 2.74 step 2, 2.75).

The patrolling side and its enemy answer side by side; neither sees the other's answer before both
are in. Whatever is fought there is the players' business, its outcome is recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Procedure, Record, SecretQuestion, ask, ask_all, implements, roll
from laager.dice import Dice, Modifier
from laager.rules.board import changes
from laager.rules.board.card.parts import other_side
from laager.rules.board.facts import CvpScored, Noted, UnitAttached, UnitMarked
from laager.rules.board.rows import unit_choice, unit_list
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols import outcome as told
from laager.rules.platoon_leader.patrols import rules
from laager.rules.platoon_leader.quality import is_lax, is_stealthy, leadership

NOTHING, DESTROYED, TAKEN = "none", "destroyed", "taken"

OBSTACLES = frozenset({"wire", "panji"})
"""Fortifications that make hiding harder (PL 2.752)."""


@dataclass(frozen=True)
class MissionOutcome:
    """How a mission ended: the patrol as it is now, its events, the units that must roll to return.

    `prisoners` maps each to the Location where it was taken; `revealed` are enemies that were
    seen and survived.
    """

    patrol: rules.Patrol
    events: rules.Events
    returning: tuple[str, ...]
    prisoners: Mapping[str, str]
    revealed: tuple[str, ...]


def conduct(cg: Cg, patrol: rules.Patrol) -> Procedure[MissionOutcome]:
    """Carry a mission out (PL 2.74 step 2)."""
    who = cg.side(patrol.side).name
    text = f"{patrol.name}: a patrol of the {who} is in {patrol.hex}, under a Cloaking counter"
    yield Noted(text=text, rule="PL 2.74 step 2")
    searched = 0
    if patrol.type == rules.RECON:
        label = f"Recon of {patrol.name}: hexes that may be Searched"
        searched = (yield from roll(patrol.side, label, Dice.dr, rule="PL 2.74 RECON")).final
    # After losses there can be no enemy left to attack.
    met = told.met_enemy(cg, patrol)
    answers = yield from ask_all((told.own_question(cg, patrol, searched), told.enemy_question(cg, patrol, searched)))
    own, theirs = answers[patrol.side], answers[other_side(patrol.side)]["units"]
    yield from yield_facts(_own_losses(cg, patrol, own))
    prisoners: dict[str, str] = {}
    for row in theirs:
        yield from _enemy_loss(cg, patrol, row, prisoners)
    patrol = yield from equipment(cg, patrol)
    events = rules.Events(own["attacked"], own["abort"] == told.FLARES, conducted=True)
    returning = tuple(unit.id for unit in rules.members(cg, patrol))
    if patrol.type == rules.AMBUSH and not met and own["abort"] == told.NO:
        returning = yield from lie_in_wait(cg, patrol)
    named = [cg.state.units[row["unit"]] for row in theirs]
    revealed = tuple(u.id for u in named if u.on_map and not u.has(Mark.PRISONER))
    return MissionOutcome(patrol, events, returning, prisoners, revealed)


# Losses -----------------------------------------------------------------------------------------


def _own_losses(cg: Cg, patrol: rules.Patrol, answer: Mapping[str, Any]) -> Iterator[Fact]:
    for row in answer["units"]:
        unit = cg.state.units[row["unit"]]
        if row["state"] in told.OWN_STATES:
            why = f"{row['state']} on patrol {patrol.name}"
            yield from changes.change_marks(unit, add=[told.OWN_STATES[row["state"]]], why=why)
        yield from suffers(cg, cg.state.units[row["unit"]], row["lost"])
    for name in answer["spent"]:
        weapon = cg.state.units[name]
        yield from changes.remove_unit(cg, weapon, Place.REMOVED, f"used up on patrol {patrol.name}")


@implements("PL 2.756")
def suffers(cg: Cg, unit: Unit, loss: str, why: str = "on patrol") -> Iterator[Fact]:
    """A unit is Reduced, eliminated or captured; its CVP are those of the firefight to come.

    Captured by a patrol's fate it is a guarded prisoner and gone: double CVP for personnel.
    """
    if loss == told.REDUCED:
        facts: Iterable[Fact] = changes.reduce_unit(cg, unit, f"Reduced {why}")
    elif loss == told.ELIMINATED:
        facts = changes.eliminate(cg, unit, f"eliminated {why}")
    elif loss == told.CAPTURED:
        cvp = cg.nation_of(unit).cvp(unit.type, prisoner=unit.kind in changes.INFANTRY)
        facts = changes.remove_unit(cg, unit, Place.CAPTURED, f"captured {why}", cvp=cvp)
    else:
        return
    for fact in facts:
        # The enemy scores, but need not learn which counter it was.
        unnamed = isinstance(fact, CvpScored) and not unit.known
        yield fact.but(why=f"losses {why}") if unnamed else fact


def _enemy_loss(cg: Cg, patrol: rules.Patrol, row: Mapping[str, Any], prisoners: dict[str, str]) -> Procedure[None]:
    """A unit that met the patrol is revealed, then suffers; the captured go along as prisoners."""
    why = f"met by patrol {patrol.name}"
    for name in (row["unit"], *(item.id for item in changes.carried_by(cg, cg.state.units[row["unit"]]))):
        met = cg.state.units[name]
        yield from yield_facts(changes.reveal(met, why))
        if met.kind == "gun" and met.has(Mark.HIP):
            yield from yield_facts(changes.change_marks(cg.state.units[name], add=[Mark.WAS_REVEALED], why=why))
    unit = cg.state.units[row["unit"]]
    if row["state"] in told.ENEMY_STATES:
        yield from yield_facts(changes.change_marks(unit, add=[told.ENEMY_STATES[row["state"]]], why=why))
    if row["lost"] != told.CAPTURED:
        yield from yield_facts(suffers(cg, cg.state.units[unit.id], row["lost"], "by a patrol"))
    elif guard := rules.first_bearer(cg, patrol):
        prisoners[unit.id] = unit.at or patrol.hex
        yield from yield_facts(_taken_along(cg, unit, guard, why))


def _taken_along(cg: Cg, unit: Unit, guard: str, why: str) -> Iterator[Fact]:
    for item in changes.carried_by(cg, unit):
        yield from changes.leave_alone(item, f"{unit.label} is a prisoner")
    yield UnitMarked(unit=unit.id, add=frozenset({Mark.PRISONER}), why=why, to=unit.audience)
    yield UnitAttached(unit=unit.id, to_unit=guard, why=why, to=unit.audience)
    yield changes.place_unit(unit, None, Place.PATROL, why)


def free(cg: Cg, prisoners: Mapping[str, str]) -> Iterator[Fact]:
    """Prisoners that a patrol loses are free again, where they were taken."""
    for name, at in prisoners.items():
        unit = cg.state.units[name]
        if unit.has(Mark.PRISONER) and unit.place is Place.PATROL:
            marks = [Mark.PRISONER, Mark.UNGUARDED]
            yield from changes.change_marks(unit, remove=marks, why="the patrol lost its prisoners")
            yield UnitAttached(unit=name, why="free again", to=unit.audience)
            yield changes.place_unit(unit, at, why="free again")


# Lying in wait (PL 2.74 AMBUSH) -----------------------------------------------------------------


@implements("PL 2.74 AMBUSH")
def hiding_modifiers(cg: Cg, patrol: rules.Patrol, unit: Unit, leader: Unit | None) -> list[Modifier]:
    """Return the drm of an MMC's dr to stay Cloaked in the Mission Hex (PL 2.752 included)."""
    table = cg.table("patrol-concealment")
    modifiers = []
    if leader is not None:
        modifiers.append(table.modifier("leadership", value=leadership(cg, leader)))
    if is_stealthy(cg, unit):
        modifiers.append(table.modifier("stealthy"))
    if is_lax(cg, unit):
        modifiers.append(table.modifier("lax"))
    forts = cg.state.forts.values()
    if any(fort.hex == patrol.hex and fort.kind in OBSTACLES for fort in forts):
        modifiers.append(table.modifier("wire-or-panji"))
    return modifiers


def lie_in_wait(cg: Cg, patrol: rules.Patrol) -> Procedure[tuple[str, ...]]:
    """Each MMC tries to hide in the Mission Hex; return the units that failed and must roll to return.

    SMC hide by themselves. Pinned and broken units abort, and all do if the leader does.
    """
    units = rules.members(cg, patrol)
    leader = next((unit for unit in units if unit.kind in changes.LEADERS), None)
    able = [unit for unit in units if not unit.has(Mark.PIN, Mark.BROKEN)]
    if leader is not None and leader not in able:
        return tuple(unit.id for unit in units)
    table = cg.table("patrol-concealment")
    stay: list[Unit] = []
    for unit in (unit for unit in able if unit.kind in changes.MMC):
        modifiers = hiding_modifiers(cg, patrol, unit, leader)
        label = f"{patrol.name} hides in {patrol.hex}: {unit.label}"
        rolled = yield from roll(
            patrol.side, label, Dice.dr, modifiers, rule="PL 2.74 AMBUSH", secret=True, table=table.id
        )
        if table.result(rolled.final):
            stay.append(unit)
    smc = [unit for unit in able if unit.kind not in changes.MMC]
    if smc and len(stay) < sum(unit.kind in changes.MMC for unit in units):
        smc = yield from _who_stays(cg, patrol, smc, stay)
    for unit in (*stay, *smc):
        yield from yield_facts(_stays(cg, patrol, unit))
    return tuple(unit.id for unit in rules.members(cg, patrol))


def _who_stays(cg: Cg, patrol: rules.Patrol, smc: Sequence[Unit], stay: Sequence[Unit]) -> Procedure[list[Unit]]:
    """SMC can stay whatever the MMC rolled, or go back with the others."""
    chosen = yield from ask(
        SecretQuestion(
            key="ambush-smc",
            side=patrol.side,
            text=f"{len(stay)} MMC of {patrol.name} stay in {patrol.hex}, others return. Which SMC stay?",
            form=unit_list(smc),
            rule="PL 2.74 AMBUSH",
            default=[unit.id for unit in smc] if stay else [],
        )
    )
    return [unit for unit in smc if unit.id in chosen]


def _stays(cg: Cg, patrol: rules.Patrol, unit: Unit) -> Iterator[Fact]:
    """A unit begins play in the Mission Hex, Cloaked, with the SW that it possesses."""
    why = f"lies in wait in {patrol.hex}"
    for item in (unit, *(w for w in rules.sw_with(cg, patrol) if w.with_unit == unit.id)):
        yield changes.place_unit(item, patrol.hex, Place.MAP, why)
    for item in changes.carried_by(cg, unit):
        if item.at != patrol.hex:
            yield UnitAttached(unit=item.id, why="left where it stood", to=item.audience)


# Taking weapons (PL 2.758) ----------------------------------------------------------------------


@implements("PL 2.758")
def takeable_items(cg: Cg, patrol: rules.Patrol) -> list[Unit]:
    """Return the Guns and SW that a patrol can try to take: unpossessed, with no enemy to stop it."""
    able = [unit for unit in rules.members(cg, patrol) if not unit.has(Mark.BROKEN, Mark.PIN)]
    enemy = rules.enemies_in(cg, patrol.side, patrol.hex)
    if not able or any(unit.at == patrol.hex and unit.kind in changes.INFANTRY for unit in enemy):
        return []
    return [
        item
        for item in cg.state.units.values()
        if item.kind in {"sw", "gun"} and item.on_map and item.at == patrol.hex and not _is_possessed(cg, item)
    ]


def _is_possessed(cg: Cg, item: Unit) -> bool:
    holder = cg.state.units.get(item.with_unit)
    return holder is not None and holder.on_map


def equipment(cg: Cg, patrol: rules.Patrol) -> Procedure[rules.Patrol]:
    """Ask for the one attempt to take a weapon; returns the patrol with what it carries now."""
    items = takeable_items(cg, patrol)
    if not items:
        return patrol
    answer = yield from ask(_equipment_question(cg, patrol, items))
    if answer["result"] == NOTHING:
        return patrol
    item = cg.state.units[answer["item"]]
    if answer["result"] == DESTROYED:
        yield from yield_facts(changes.remove_unit(cg, item, Place.ELIMINATED, f"destroyed by patrol {patrol.name}"))
        return patrol
    bearer = rules.first_bearer(cg, patrol)
    if item.side == patrol.side:
        yield UnitAttached(unit=item.id, to_unit=bearer, why="picked up", to=item.audience)
        yield changes.place_unit(item, None, Place.PATROL, "picked up")
        return replace(patrol, sw=(*patrol.sw, item.id))
    before = set(cg.state.units)
    yield from yield_facts(changes.remove_unit(cg, item, Place.CAPTURED, f"taken by patrol {patrol.name}"))
    yield from yield_facts(changes.change_hands(cg, item, bearer, item.marks & {Mark.MALFUNCTIONED}))
    (new,) = set(cg.state.units) - before
    return replace(patrol, sw=(*patrol.sw, new))


def _equipment_question(cg: Cg, patrol: rules.Patrol, items: Sequence[Unit]) -> SecretQuestion:
    def check(answer: Mapping[str, str]) -> list[Problem]:
        item = cg.state.units[answer["item"]]
        loads = [*rules.sw_with(cg, patrol), item]
        if answer["result"] != TAKEN:
            return []
        if item.kind == "gun" or not rules.enough_mf(cg, rules.members(cg, patrol), loads):
            right = "destroy it, or leave it"
            return [Problem(f"you can't carry {item.label} with 3 MF left", right, "result")]
        return []

    return SecretQuestion(
        key="patrol-equipment",
        side=patrol.side,
        text=f"{patrol.name} can try once to take a weapon in {patrol.hex}. How did it go?",
        form=Record.of(
            Field("item", unit_choice(items), "Weapon"),
            Field("result", Choice.of(NOTHING, DESTROYED, TAKEN), "Result", NOTHING),
        ),
        rule="PL 2.758",
        default={"item": items[0].id, "result": NOTHING},
        check=check,
        suggest=lambda rng: {"item": rng.choice(items).id, "result": rng.choice([NOTHING, DESTROYED])},
        help="Make the Acquisition dr of A4.44. None: you didn't try, or it failed.",
    )
