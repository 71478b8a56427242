"""The end of a scenario after its play: Melees, markers, rally, Encirclement, Bog and Shock.

Steps without a side: where each side tells of its own, both are asked at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from laager.campaign import Fact, Procedure, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import INFANTRY, change_control, change_marks
from laager.rules.board.course.after_play import can_fight, free_crew, mounted_units, sole_occupant, take_markers_off
from laager.rules.board.facts import GroupChanged, Noted, UnitAttached
from laager.rules.board.hasl.areas import strategic_locations
from laager.rules.board.hasl.buying.groups import line_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import ScenarioEnded
from laager.rules.board.hasl.refit import outcome_rows as rows
from laager.rules.board.hasl.refit.outcome import OutcomeStep, own_outcomes, shared_outcomes
from laager.rules.board.hasl.report.form import modules_left
from laager.rules.board.hasl.state import Group
from laager.rules.board.markers import MarkEnd, marks_ended_by
from laager.rules.board.places import unit_id
from laager.rules.board.units import Mark

# Melee ------------------------------------------------------------------------------------------

MELEE = OutcomeStep(
    key="melee",
    title="Conclusion of Melee",
    text="How did the Melees end that were left when play ended?",
    offered=(rows.ELIMINATED, rows.CAPTURED, rows.REDUCED, rows.REPLACED, rows.MOVED, rows.HARDENED, rows.CHANGED),
    about=lambda _, unit: unit.on_map and unit.has(Mark.MELEE),
    help="Fight them out as the module says. Units that withdrew have moved.",
)


@implements("ABtF 9.601", "ER 1.501")
@step("HASL 11", "Conclusion of Melee", edition=2)
def melee(cg: Hasl) -> Procedure[None]:
    """Melees end as the players say; a side left alone with an MMC gains Control (A26.11)."""
    units = (unit for unit in cg.state.units.values() if unit.on_map and unit.has(Mark.MELEE))
    places = cg.sort({unit.at or "" for unit in units})
    yield from shared_outcomes(cg, MELEE)
    for unit in list(cg.state.units.values()):
        if unit.in_play:
            yield from change_marks(unit, remove=[Mark.MELEE], why="the Melee is over")
    yield from _control_after(cg, places)
    for at in places:
        if {unit.side for unit in cg.state.at(at) if can_fight(unit)} == set(SIDES):
            yield Noted(text=f"both sides are still in {at} after the Melee", why="as the players say")


def _control_after(cg: Hasl, places: Sequence[str]) -> Iterator[Fact]:
    strategic = strategic_locations(cg)
    winners = {at: sole_occupant(filter(can_fight, cg.state.at(at))) for at in places if at in strategic}
    yield from change_control(cg, {at: side for at, side in winners.items() if side}, "Melee")


# Markers ----------------------------------------------------------------------------------------


@implements("HASL 11", "ABtF CG7", "ER CG14(1)")
def removed_markers() -> frozenset[Mark]:
    """Return the markers of passing states, which come off; all others stay on.

    Those of broken units stay for the rally, Encirclement, Bog and Shock for their own steps.
    """
    return marks_ended_by(MarkEnd.PLAY) | {Mark.CLIMBING}


@implements("ER 1.502")
@step("HASL 11", "Marker removal", edition=2)
def marker_removal(cg: Hasl) -> Procedure[None]:
    """Markers of passing states go, Tank-Hunter Heroes with them; OBA is used up or restored."""
    yield from take_markers_off(cg, (unit for unit in cg.state.units.values() if unit.in_play), removed_markers())
    for side in SIDES:
        for module in modules_left(cg, side):
            yield from _module_after(cg, module)


def _module_after(cg: Hasl, module: Group) -> Iterator[Fact]:
    """A module used up is gone with what directs it; another has its Draw Pile as it began."""
    lost = cg.variant.module_loss(cg, module)
    if lost:
        changes: dict[str, Any] = {"lost": lost, "pre_registered": ()}
        why = f"{module.equipment or 'radio'} and module are gone: {lost}"
    elif module.in_play or module.used:
        pile = line_of(cg, module).module
        black, red = (pile.black, pile.red) if pile is not None else (module.black, module.red)
        changes = {"black": black, "red": red, "used": False}
        why = f"Retained: its Draw Pile is {black} black and {red} red again"
    else:
        return
    yield GroupChanged(side=module.side, group=module.id, changes=changes, why=why, to=(module.side,))


# Rally and unloading ----------------------------------------------------------------------------

BROKEN = marks_ended_by(MarkEnd.RALLY)

RALLY = OutcomeStep(
    key="rally",
    title="Rally",
    text="Which of your broken units do not rally, and what becomes of them?",
    offered=(rows.STAYS, rows.ELIMINATED, rows.CAPTURED, rows.REDUCED, rows.REPLACED),
    about=lambda _, unit: unit.has(*BROKEN) and not unit.has(Mark.PRISONER),
    help="All that you do not list rally; what is Reduced or Replaced rallies too.",
)


@implements("ABtF 9.2 CG Scenario End", "ABtF 9.603", "ER 1.503")
@step("HASL 11", "Rally and unloading", edition=2)
def rally_and_unloading(cg: Hasl) -> Procedure[None]:
    """Broken units rally, except those that players name; units on vehicles get off."""
    outcomes = yield from own_outcomes(cg, RALLY)
    for side in SIDES:
        stay = {unit_id(row["unit"]) for row in outcomes[side] if row["what"] == rows.STAYS}
        for unit in list(cg.state.units_of(side)):
            if unit.id not in stay and not unit.has(Mark.PRISONER):
                yield from change_marks(unit, remove=BROKEN, why="rallies")
    for side in SIDES:
        yield from _unloading(cg, side)
    points = ", ".join(f"{cg.side(side).name} {cg.state.side(side).cvp}" for side in SIDES)
    yield ScenarioEnded(why=f"CVP amassed: {points}")


def _unloading(cg: Hasl, side: str) -> Iterator[Fact]:
    """Passengers and Riders get off, Guns are unhooked; crews first, who then man their Guns."""
    for unit in sorted(mounted_units(cg, side, INFANTRY - {"armor-leader"}), key=lambda unit: unit.kind == "gun"):
        crew = free_crew(cg, unit) if unit.kind == "gun" else ""
        yield UnitAttached(unit=unit.id, to_unit=crew, why="unloads", to=unit.audience)
        yield from change_marks(unit, remove=[Mark.HOOKED], why="unhooked")


# Encirclement, minefields, Bog, Shock -----------------------------------------------------------

TROUBLE = frozenset({Mark.ENCIRCLED, Mark.MINEFIELD, Mark.BOGGED, Mark.MIRED, Mark.SHOCK, Mark.UNKNOWN, Mark.STUN})

ENCIRCLEMENT = OutcomeStep(
    key="encirclement",
    title="Encirclement, minefields, Bog and Shock",
    text="What became of your units that are Encircled, in minefields, Bogged, Shocked or Stunned?",
    offered=(
        *(rows.ELIMINATED, rows.CAPTURED, rows.REDUCED, rows.REPLACED, rows.UNMARKED, rows.MARKED),
        rows.MOVED,
        rows.RECALLED,
    ),
    about=lambda _, unit: unit.has(*TROUBLE),
    help="Resolve each as the module says: minefields attack, vehicles get free or are mired, "
    "Shock ends. Encircled markers come off later by themselves.",
)


@implements("ABtF 9.604", "ER 1.504")
@step("HASL 11", "Encirclement, Minefields, Bog, Shock", edition=2)
def encirclement(cg: Hasl) -> Procedure[None]:
    """Each side tells what Encirclement, minefields, Bog and Shock did to its units."""
    yield from own_outcomes(cg, ENCIRCLEMENT)


@implements("ABtF 9.606", "ER 1.506")
@step("HASL 11", "Encircled markers off")
def encircled_removal(cg: Hasl) -> Procedure[None]:
    """Encircled markers come off."""
    for unit in list(cg.state.units.values()):
        if unit.in_play:
            yield from change_marks(unit, remove=[Mark.ENCIRCLED], why="no longer Encircled")
