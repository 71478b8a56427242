"""Taking weapons on a patrol (PL 2.758)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from laager.base import Problem
from laager.campaign import Choice, Field, Option, Procedure, Question, Record, ask, implements
from laager.rules.board.changes import INFANTRY, changes_hands, gone, moved
from laager.rules.board.facts import UnitAttached
from laager.rules.board.telling import tell
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols.rules import Patrol, carried, enemies_in, enough_mf, first_bearer, members

NOTHING, DESTROYED, TAKEN = "none", "destroyed", "taken"


@implements("PL 2.758")
def unpossessed(cg: Cg, patrol: Patrol) -> list[Unit]:
    """Return the Guns and SW that a patrol may try to take: nobody's, with no enemy to stop it."""
    able = [unit for unit in members(cg, patrol) if not unit.has(Mark.BROKEN, Mark.PIN)]
    enemy = enemies_in(cg, patrol.side, patrol.hex)
    if not able or any(unit.at == patrol.hex and unit.kind in INFANTRY for unit in enemy):
        return []
    return [
        item
        for item in cg.state.units.values()
        if item.kind in {"sw", "gun"} and item.on_map and item.at == patrol.hex and not _possessed(cg, item)
    ]


def _possessed(cg: Cg, item: Unit) -> bool:
    holder = cg.state.units.get(item.with_unit)
    return holder is not None and holder.on_map


def equipment(cg: Cg, patrol: Patrol) -> Procedure[Patrol]:
    """Ask for the one attempt to take a weapon; returns the patrol with what it carries now."""
    items = unpossessed(cg, patrol)
    if not items:
        return patrol
    answer = yield from ask(_equipment_question(cg, patrol, items))
    if answer["result"] == NOTHING:
        return patrol
    item = cg.state.units[answer["item"]]
    if answer["result"] == DESTROYED:
        yield from tell(gone(cg, item, Place.ELIMINATED, f"destroyed by patrol {patrol.name}"))
        return patrol
    bearer = first_bearer(cg, patrol)
    if item.side == patrol.side:
        yield UnitAttached(unit=item.id, to_unit=bearer, why="picked up", to=item.audience)
        yield moved(item, None, Place.PATROL, "picked up")
        return replace(patrol, sw=(*patrol.sw, item.id))
    before = set(cg.state.units)
    yield from tell(gone(cg, item, Place.CAPTURED, f"taken by patrol {patrol.name}"))
    yield from tell(changes_hands(cg, item, bearer, item.marks & {Mark.MALFUNCTIONED}))
    (new,) = set(cg.state.units) - before
    return replace(patrol, sw=(*patrol.sw, new))


def _equipment_question(cg: Cg, patrol: Patrol, items: Sequence[Unit]) -> Question:
    def check(answer: Mapping[str, str]) -> list[Problem]:
        item = cg.state.units[answer["item"]]
        loads = [*carried(cg, patrol), item]
        if answer["result"] != TAKEN:
            return []
        if item.kind == "gun" or not enough_mf(cg, members(cg, patrol), loads):
            right = "destroy it, or leave it"
            return [Problem(f"{item.label} cannot be carried with 3 MF left", right, "result")]
        return []

    return Question(
        key="patrol-equipment",
        side=patrol.side,
        text=f"{patrol.name} may try once to take a weapon in {patrol.hex}. How did it go?",
        form=Record(
            (
                Field("item", Choice(tuple(Option(i.id, i.label) for i in items)), "Weapon"),
                Field("result", Choice.of(NOTHING, DESTROYED, TAKEN), "Result", NOTHING),
            )
        ),
        rule="PL 2.758",
        secret=True,
        default={"item": items[0].id, "result": NOTHING},
        check=check,
        suggest=lambda rng: {"item": rng.choice(items).id, "result": rng.choice([NOTHING, DESTROYED])},
        help="Acquisition dr as A4.44. None: no try, or it failed.",
    )
