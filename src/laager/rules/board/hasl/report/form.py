"""The forms of the report on a scenario: each side's own OB, and the ground for both together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Choice, Field, Number, Option, Record, Rows, Several, Text, YesNo
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.charts import Kind
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.units import Group
from laager.rules.board.report.form import (
    CAPTURED,
    ELIMINATED,
    EXITED,
    GUARD,
    OFF_MAP,
    ON_MAP,
    PLACED,
    RECALLED,
    REMOVED,
    TAKEN_AWAY,
    new_form,
    taken_form,
    unit_form,
    unit_row,
)
from laager.rules.board.units import Fort, Unit

FATES: Mapping[str, str] = {
    ON_MAP: "on the map",
    OFF_MAP: "off the map, did not enter",
    EXITED: "left the map where that is allowed, is Retained",
    ELIMINATED: "eliminated, or left the map in any other way; a vehicle is a wreck",
    CAPTURED: "taken off the map by the enemy, or a weapon in his hands",
    RECALLED: "Recalled",
    REMOVED: "gone without loss: merged, used up",
}
"""What can become of a unit, and what each word means."""

NOBODY = "nobody"

TERRAIN = (
    *("rubble", "shellholes", "trailbreak", "breach", "bridge-destroyed", "collapsed-hut"),
    *("palm-trees", "cleared"),
)
"""Changes of the printed map that stay for the campaign."""

FIRES = ("flame", "blaze", "none")

WORKS = (
    *("foxhole", "trench", "sangar", "pillbox", "wire", "roadblock", "minefield", "a-t-mines"),
    *("barricade", "a-t-ditch", "panji", "tetrahedron"),
)
"""What can be built in play, or come to light."""

HELP = (
    "Only units that changed need be listed; the others stay as the record has them, and SW, Guns "
    "and passengers go where their unit goes. Of a unit on the map give its Location and all its "
    "markers: what is not concealed, hidden or cloaked is known to the enemy. A prisoner on the "
    "map carries the marker prisoner, and `with: guard` or the marker unguarded. `type` is for "
    "units Reduced, Replaced or hardened; `new` for heroes, crews that bailed out and half-squads "
    "(`from` tells out of which unit); `taken` for enemy weapons in your hands. For a unit that "
    "exited `at` is the hex by which it left and `area` the Entry Area where it is Retained. CVP "
    "follow from the losses."
)

GROUND_HELP = (
    "Only what changed. Wrecks come from the units. Your own hidden fortifications are in your "
    "own report. `cvp` corrects what Laager makes of the losses."
)


# A side's own report ----------------------------------------------------------------------------


def report_form(cg: Hasl, side: str) -> Record:
    """Return the form of a side's report on its own OB."""
    return Record(
        (
            Field("units", Rows(_unit_row()), "What became of your units", []),
            Field("new", Rows(new_form(), most=60), "Units that came into being in play", []),
            Field("taken", Rows(taken_form(), most=60), "Enemy weapons that you hold", []),
            Field("modules", Rows(_module_row(cg, side), most=20), "OBA modules", []),
            Field("revealed", _own_works(cg, side), "Hidden fortifications that were found", []),
            Field("lost_works", _own_works(cg, side), "Hidden fortifications that are gone", []),
            *cg.variant.report_fields(cg, side),
        )
    )


def _unit_row() -> Record:
    return unit_form(FATES, Field("area", Text(20), "Entry Area (arrow hex) of one that exited", ""))


def modules(cg: Hasl, side: str) -> list[Group]:
    """Return a side's OBA modules that are still there."""
    return [one for one in cg.state.groups_of(side) if one.kind == Kind.OBA and not one.lost]


def _module_row(cg: Hasl, side: str) -> Record:
    options = tuple(Option(one.id, one.name) for one in modules(cg, side))
    return Record(
        (
            Field("group", Choice(options), "Module"),
            Field("in_play", YesNo(), "Was its radio, phone or observer in play?", False),
            Field("placed", YesNo(), "Was an FFE:1 of it placed?", False),
            Field("exhausted", YesNo(), "Is it exhausted?", False),
        )
    )


def hidden_works(cg: Hasl, side: str) -> Iterator[Fort]:
    """Return a side's fortifications on the map that the enemy does not know."""
    return (fort for fort in cg.state.forts.values() if fort.side == side and fort.hidden and fort.at is not None)


def _own_works(cg: Hasl, side: str) -> Several:
    return Several(
        tuple(
            Option(fort.id, f"{fort.kind} {fort.size}".rstrip() + f" in {fort.at}") for fort in hidden_works(cg, side)
        )
    )


def report_of(cg: Hasl, side: str) -> dict[str, Any]:
    """Return a side's record as a report that changes nothing: a form filled in, a template."""
    return {
        "units": [_row_of(cg, unit) for unit in cg.state.units_of(side)],
        "new": [],
        "taken": [],
        "modules": [{"group": one.id} for one in modules(cg, side)],
        "revealed": [],
        "lost_works": [],
        **{part.name: part.default for part in cg.variant.report_fields(cg, side)},
    }


def _row_of(cg: Hasl, unit: Unit) -> dict[str, Any]:
    """Return a unit's row; who guards it is not named if its side does not know him."""
    row, guard = unit_row(unit), cg.state.units.get(unit.with_unit)
    if guard is not None and guard.side != unit.side and not guard.known:
        row["with"] = GUARD
    return row


# The ground, for both ---------------------------------------------------------------------------


def ground_form(cg: Hasl) -> Record:
    """Return the form of what became of the ground; what both sides can see."""
    fields = [
        Field("control", Rows(_control_row()), "Strategic Locations that changed Control", []),
        Field("fires", Rows(_fire_row(), most=200), "Flames and Blazes that changed", []),
        Field("terrain", Rows(_terrain_row(), most=200), "Lasting changes of the map", []),
        Field("works", Rows(_work_row(), most=100), "Fortifications that changed", []),
        Field("cvp", Rows(_cvp_row(), most=30), "CVP beside those for losses", []),
    ]
    turns = cg.variant.rain_turns
    if turns is not None:
        label = f"Did it rain for {turns} consecutive Player Turns or more?"
        fields.append(Field("rain", YesNo(), label, False))
    if cg.variant.massacre_lasts:
        label = "Who has committed a Massacre (A20.4)?"
        fields.append(Field("massacre", Several(_sides(cg)), label, []))
    return Record(tuple(fields))


def _sides(cg: Hasl) -> tuple[Option, ...]:
    return tuple(Option(side, cg.side(side).name) for side in SIDES)


def _control_row() -> Record:
    sides = Choice.of(*SIDES, NOBODY)
    return Record((Field("location", Text(20), "Location"), Field("side", sides, "Side")))


def _fire_row() -> Record:
    return Record((Field("at", Text(20), "Hex"), Field("now", Choice.of(*FIRES), "It is now")))


def _terrain_row() -> Record:
    return Record(
        (
            Field("at", Text(20), "Location"),
            Field("what", Choice.of(*TERRAIN), "What"),
            Field("gone", YesNo(), "Is it no longer there?", False),
        )
    )


def _work_row() -> Record:
    return Record(
        (
            Field("do", Choice.of(PLACED, TAKEN_AWAY), "What happened"),
            Field("fort", Text(20), "Which (removed)", ""),
            Field("side", Choice.of("", *SIDES), "Whose (placed)", ""),
            Field("kind", Choice.of("", *WORKS), "Kind (placed)", ""),
            Field("size", Text(20), "Size (placed)", ""),
            Field("at", Text(20), "Location (placed)", ""),
        )
    )


def _cvp_row() -> Record:
    return Record(
        (
            Field("side", Choice.of(*SIDES), "Who scores"),
            Field("points", Number(-99, 99), "CVP"),
            Field("why", Text(200), "For what"),
        )
    )
