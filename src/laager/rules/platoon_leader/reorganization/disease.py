"""Disease and starvation (PL 3.41); only where the card's firefight invokes it."""

from __future__ import annotations

from random import Random

from laager.base import Problem
from laager.campaign import Procedure, SecretQuestion, ask, roll, step
from laager.dice import Dice
from laager.rules.board.changes import replace_unit
from laager.rules.board.rows import unit_list
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg

SQUAD = 2
"""Half-squads in a squad."""


def sufferers(cg: Cg, side: str) -> list[Unit]:
    """Return the squads and half-squads to choose from, Isolated ones first."""
    units = [unit for unit in cg.state.units_of(side, "squad", "half-squad") if not unit.has(Mark.PRISONER)]
    return sorted(units, key=lambda unit: not unit.has(Mark.ISOLATED))


def _size(unit: Unit) -> int:
    return SQUAD if unit.kind == "squad" else 1


def chosen_problems(units: list[Unit], chosen: list[str], squads: int) -> list[Problem]:
    """Return what is against a choice of units that fall ill: number, and Isolated ones first."""
    picked = [unit for unit in units if unit.id in chosen]
    rest = [unit for unit in units if unit.id not in chosen]
    due, size = squads * SQUAD, sum(_size(unit) for unit in picked)
    problems = []
    if size > due:
        problems.append(Problem(f"{size} half-squads chosen", f"{due} at most ({squads} squads)"))
    if any(_size(unit) <= due - size for unit in rest):
        problems.append(Problem(f"only {size} of {due} half-squads chosen", "choose more"))
    spared = [unit for unit in rest if unit.has(Mark.ISOLATED)]
    if spared and any(not unit.has(Mark.ISOLATED) for unit in picked):
        right = f"choose {spared[0].label} first"
        problems.append(Problem("Isolated units must all be chosen before others", right))
    return problems


def propose(units: list[Unit], squads: int) -> list[str]:
    """Return a legal choice: Isolated units first, of those squads before half-squads.

    Otherwise a half-squad could take the room of an Isolated squad, and others would fall ill in its place.
    """
    room, chosen = squads * SQUAD, []
    for unit in sorted(units, key=lambda unit: (not unit.has(Mark.ISOLATED), -_size(unit))):
        if _size(unit) <= room:
            room -= _size(unit)
            chosen.append(unit.id)
    return chosen


@step("PL 3.41", "Disease and starvation", each_side=True, also=("PL 3.41 table", "PL 3.4"), edition=3)
def disease(cg: Cg, side: str) -> Procedure[None]:
    """An open dr gives the squads that are Replaced; the owner chooses which.

    A side without squads rolls too, and gets the question: so the enemy learns nothing.
    """
    units = sufferers(cg, side)
    if not cg.slot.disease:
        return
    table = cg.table("disease")
    card = cg.side(side)
    hist = table.modifier("historical", value=card.historical.disease + card.drm.disease)
    rolled = yield from roll(side, "Disease and starvation", Dice.dr, [hist], table=table.id)
    squads = table.result(rolled.final)
    assert isinstance(squads, int)

    def suggest(rng: Random) -> list[str]:
        return propose(rng.sample(units, len(units)), squads)

    question = SecretQuestion(
        key="disease",
        side=side,
        text=f"Which squads or equivalents fall ill? {squads} in all, Isolated ones first.",
        form=unit_list(units),
        default=propose(units, squads),
        check=lambda chosen: chosen_problems(units, chosen, squads),
        suggest=suggest,
    )
    for name in (yield from ask(question)):
        yield from replace_unit(cg, cg.state.units[name], f"disease, final dr {rolled.final}")
