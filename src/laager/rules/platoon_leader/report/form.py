"""The form of the battle report (PL 2.9), and a side's record as a form already filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.campaign import Choice, Field, Number, Option, Record, Rows, Text, YesNo
from laager.rules.board.card.parts import SIDES
from laager.rules.board.report.form import (
    CAPTURED,
    ELIMINATED,
    EXITED,
    OBJECTIVE_EXIT,
    OFF_MAP,
    ON_MAP,
    PLACED,
    RECALLED,
    REMOVED,
    REVEALED,
    TAKEN_AWAY,
    new_form,
    taken_form,
    unit_form,
    unit_row,
)
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg

FATES: Mapping[str, str] = {
    ON_MAP: "on the map",
    OFF_MAP: "off the map, did not enter",
    EXITED: "left by a Friendly Map Edge, stays in the OB (CG8)",
    OBJECTIVE_EXIT: "left elsewhere to fulfil an Objective (CG8)",
    ELIMINATED: "eliminated, or left the map in any other way; a vehicle is a wreck",
    CAPTURED: "taken off the map by the enemy, or a weapon in his hands",
    RECALLED: "Recalled",
    REMOVED: "gone without loss: merged, used up",
}
"""What can become of a unit, and what each word means."""

NOBODY = "nobody"

TERRAIN = ("rubble", "shellholes", "trailbreak", "breach", "mousehole", "collapsed-hut")
"""Changes of the printed map that stay for the campaign (PL CG5)."""

FIRES = ("flame", "blaze", "none")

HELP = (
    "Only units that changed need be listed; the others stay as the record has them, and SW, Guns "
    "and passengers go where their unit goes. Of a unit on the map give its Location and all its "
    "markers. A prisoner on the map carries the marker prisoner, and `with: guard` or the marker "
    "unguarded. `type` is for units Reduced, Replaced or hardened; `new` for heroes, crews that "
    "bailed out and half-squads (`from` tells out of which unit); `taken` for enemy weapons in "
    "your hands. CVP follow from the losses; `cvp` is for what else you scored."
)


# The form ---------------------------------------------------------------------------------------


def report_form() -> Record:
    """Return the form of a side's battle report."""
    return Record(
        (
            Field("units", Rows(unit_form(FATES)), "What became of your units", []),
            Field("new", Rows(new_form(), most=60), "Units that came into being in play", []),
            Field("taken", Rows(taken_form(), most=60), "Enemy weapons that you hold", []),
            Field("oba", Rows(_oba_row(), most=20), "OBA modules", []),
            Field("control", Rows(_control_row()), "Locations that changed Control", []),
            Field("fires", Rows(_fire_row(), most=200), "Flames and Blazes that changed", []),
            Field("terrain", Rows(_terrain_row(), most=200), "Changes of the map", []),
            Field("forts", Rows(_fort_row(), most=100), "Fortifications that changed", []),
            Field("cvp", Rows(_cvp_row(), most=30), "CVP beside those for losses", []),
            Field("san", Number(-7, 7), "By how much your SAN changed in play", 0),
            Field("massacre", YesNo(), "Have you invoked Massacre (A20.4)?", False),
        )
    )


def _oba_row() -> Record:
    return Record(
        (
            Field("group", Text(20), "Module"),
            Field("used", YesNo(), "Was an FFE placed (IR and starshells do not count)?"),
        )
    )


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


def _fort_row() -> Record:
    kinds = tuple(Option(row.type, row.name) for row in charts().fortifications.rows)
    return Record(
        (
            Field("do", Choice.of(PLACED, TAKEN_AWAY, REVEALED), "What happened"),
            Field("fort", Text(20), "Which (removed, revealed)", ""),
            Field("kind", Choice((Option("", "-"), *kinds)), "Kind (placed)", ""),
            Field("at", Text(20), "Location (placed)", ""),
            Field("size", Text(20), "Size (placed)", ""),
            Field("factors", Number(0, 99), "Factors (placed)", 0),
        )
    )


def _cvp_row() -> Record:
    return Record((Field("points", Number(-99, 99), "CVP"), Field("why", Text(200), "For what")))


# The record as a report -------------------------------------------------------------------------


def report_of(cg: Cg, side: str) -> dict[str, Any]:
    """Return a side's record as a report that changes nothing: a form filled in, a template."""
    return {
        "units": [unit_row(unit) for unit in cg.state.units_of(side)],
        "new": [],
        "taken": [],
        "oba": [{"group": module.id, "used": False} for module in modules(cg, side)],
        "control": [],
        "fires": [],
        "terrain": [],
        "forts": [],
        "cvp": [],
        "san": 0,
        "massacre": False,
    }
