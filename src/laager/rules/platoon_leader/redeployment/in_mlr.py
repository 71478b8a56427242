"""Redeployment of units in the friendly MLR before setup (PL 2.5): Option A or B, and "?".

All of it happens before the enemy looks at the map: only the owner sees what changes, and at the
end the enemy sees what it can see then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from laager.campaign import Fact, Procedure, SecretQuestion, Several, SightAsked, Sights, ask, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, change_marks, hide, is_unseen, is_vehicle, reveal, sort_by_holder
from laager.rules.board.facts import UnitHidden, UnitRevealed
from laager.rules.board.los_requests import ask_concealment, enemy_watchers
from laager.rules.board.markers import MarkEnd, marks_ended_by
from laager.rules.board.places import hex_of
from laager.rules.board.setup.hiding import may_conceal
from laager.rules.board.units import HIDING, Mark, Unit
from laager.rules.board.wording import run_in_secret, yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.moving import moving
from laager.rules.platoon_leader.redeployment.orders import Orders, Task
from laager.rules.platoon_leader.redeployment.parties import Party, StayTerms
from laager.rules.platoon_leader.redeployment.redeploying import redeploy
from laager.rules.platoon_leader.redeployment.setting_up_again import set_up_again
from laager.rules.platoon_leader.redeployment.situations import front_of, in_friendly_mlr, movers, on_map, order_in_mlr
from laager.rules.platoon_leader.state import Type

HELP = (
    "Leave out units that stay. By answering you confirm that the units can take these ways: as in "
    "an MPh, with at most twice the MF or MP, without CX; Uncontrolled Terrain doesn't stop them. "
    "Guns in pillboxes and fortified buildings stay. A 5/8-inch counter beneath a Trench can leave "
    "it (CG11)."
)


@step(
    "PL 2.5",
    "Redeployment of units in the friendly MLR",
    also=("PL 2.5 Option A", "PL 2.5 Option B", "PL CG11"),
    edition=4,
)
def redeploy_in_mlr(cg: Cg) -> Procedure[None]:
    """The defender of the coming firefight, completely, then the attacker; before an Idle one nobody."""
    if cg.initial or cg.front is None or cg.state.fight.type is Type.IDLE:
        for side in SIDES:
            yield from yield_facts(markers_removed(cg, side))
        return
    for side in order_in_mlr(cg):
        before = dict(cg.state.units)
        yield from run_in_secret(side, out_of_sight(cg, side))
        yield from yield_facts(looked_at(cg, side, before))


def out_of_sight(cg: Cg, side: str) -> Procedure[None]:
    """Redeploy by the option agreed on, take the markers off, conceal."""
    if cg.state.option == "B":
        yield from set_up_again(cg, side)
    else:
        yield from option_a(cg, side)
    yield from yield_facts(markers_removed(cg, side))
    yield from concealing(cg, side)


@implements("PL 3.11")
def losses_go_to(cg: Cg) -> int:
    """Return the firefight on whose line losses of 2.5 are put: the last one that was played."""
    last = cg.state.last_played()
    return cg.state.fight.number - 1 if last is None else last.number


# Option A ---------------------------------------------------------------------------------------


@implements("PL 2.5 Option A")
def may_redeploy(cg: Cg, side: str) -> list[Unit]:
    """Return a side's units in a friendly MLR that have not redeployed in this RePh."""
    return [unit for unit in movers(cg, side) if in_friendly_mlr(cg, unit)]


def option_a(cg: Cg, side: str) -> Procedure[None]:
    """Each unit that wants to go elsewhere rolls; the others stay."""
    units = [unit for unit in may_redeploy(cg, side) if not unit.has(Mark.PRISONER)]
    if not units:
        return
    task = Task(
        key="redeploy",
        rule="PL 2.5 Option A",
        text="Which of your units in a friendly MLR redeploy to other Controlled Terrain? Each party makes a DR.",
        terms=StayTerms(secret=True, firefight=losses_go_to(cg)),
        must=False,
        nearest=False,
        help=HELP,
    )
    orders = Orders(cg, side, units, task)
    rows = yield from ask(orders.question())
    for party in orders.parties(rows):
        if moves_freely(cg, party):
            yield from moving(cg, party, "moves inside its cluster", task.terms)
        else:
            yield from redeploy(cg, party, task.terms)


@implements("PL 2.5 Option A")
def moves_freely(cg: Cg, party: Party) -> bool:
    """True if no DR is made: only where agreed, inside the cluster in which all of them are."""
    if cg.reading("option-a-free-moves") != "within-cluster":
        return False
    hexes = {unit.hex or "" for unit in party.units} | {hex_of(to) for to in party.to}
    return any(hexes <= cluster for cluster in front_of(cg).clusters[party.side])


# Before the enemy looks -------------------------------------------------------------------------


def markers_removed(cg: Cg, side: str) -> Iterator[Fact]:
    """Take the markers off units that have redeployed, or were hardened as they did."""
    for unit in cg.state.units_of(side):
        yield from change_marks(unit, remove=marks_ended_by(MarkEnd.REDEPLOYMENT), why="redeployment is over")


def concealing(cg: Cg, side: str) -> Procedure[None]:
    """Ask which units go under a "?" (CG10; A12.12 and A12.34 for others), and put them there."""
    able = concealable(cg, side)
    if not able:
        return
    chosen = yield from ask(conceal_question(cg, side, able))
    for name in chosen:
        unit = cg.state.units[name]
        yield from yield_facts(hide(unit, Mark.CONCEALED, "concealed before the enemy looks"))
        for item in cg.state.units.values():
            if item.with_unit == name and item.on_map and not item.has(*HIDING):
                yield from yield_facts(hide(item, Mark.CONCEALED, "with the unit that possesses it"))


def concealable(cg: Cg, side: str) -> list[Unit]:
    """Return a side's Infantry and emplaced Guns in its MLR that are not hidden or concealed."""
    return [unit for unit in on_map(cg, side) if _concealable(cg, unit)]


def _concealable(cg: Cg, unit: Unit) -> bool:
    if unit.has(*HIDING, Mark.PRISONER) or not in_friendly_mlr(cg, unit):
        return False
    rides = is_vehicle(cg.state.units.get(unit.with_unit, unit))
    sort = unit.kind in INFANTRY or (unit.kind == "gun" and unit.has(Mark.EMPLACED))
    return sort and not rides


@implements("PL CG10")
def conceal_question(cg: Cg, side: str, able: Sequence[Unit]) -> SecretQuestion:
    """Ask which units are concealed; propose all that CG10 allows whatever the LOS."""
    free = [unit.id for unit in able if may_conceal(cg, unit, unit.at or "")]
    options = {
        unit.id: f"{unit.label} in {unit.at}, " + ("by CG10" if unit.id in free else "only by A12.12 or A12.34")
        for unit in able
    }
    return SecretQuestion(
        key="conceal",
        side=side,
        text='Which of your units in the friendly MLR go under a "?" before the enemy looks?',
        form=Several.of_labels(options),
        rule="PL CG10",
        default=free,
        sights=Sights(lambda chosen, seen: tuple(doubtful_sights(side, able, free, chosen, seen)), settle),
        help="Infantry in Concealment Terrain or an entrenchment can, whatever the LOS. Choose "
        "others only if A12.12 or A12.34 allows it.",
    )


def doubtful_sights(
    side: str, able: Sequence[Unit], free: Sequence[str], chosen: Sequence[str], seen: Any
) -> Iterator[SightAsked]:
    """Yield whether the units that CG10 doesn't conceal anyway are out of enemy LOS (A12.12)."""
    units = ((unit, unit.at or "", unit.id in chosen) for unit in able if unit.id not in free)
    yield from ask_concealment(units, enemy_watchers(seen, side))


def settle(chosen: Sequence[str], seen_by_name: Mapping[str, bool]) -> list[str]:
    """Return the choice with every unit that is out of LOS, and without those that are seen."""
    kept = [name for name in chosen if not seen_by_name.get(name)]
    return kept + [name for name, seen in seen_by_name.items() if not seen and name not in kept]


def looked_at(cg: Cg, side: str, before: Mapping[str, Unit]) -> Iterator[Fact]:
    """The enemy looks: what it knows of units that are not concealed is brought up to date."""
    for unit in sort_by_holder(cg, cg.state.units_of(side)):
        if is_unseen(cg, unit):
            if unit.known:
                yield UnitHidden(unit=unit.id, side=side, why="with a concealed unit")
        elif not unit.known:
            if unit.on_map:
                yield from reveal(unit, "seen after redeployment")
        elif before.get(unit.id) != unit:
            yield UnitRevealed(unit=unit, why="seen after redeployment")
    for unit in list(cg.state.units.values()):
        wrecked = unit.side == side and unit.known and not unit.in_play and unit.has(Mark.WRECK)
        if wrecked and before.get(unit.id) != unit:
            yield UnitRevealed(unit=unit, why="seen after redeployment")
