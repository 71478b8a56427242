"""What a battle report says: the rows of its answer as types, and the forms that ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, TypedDict

from laager.campaign import Choice, Field, Number, Option, Record, Rows, Several, Text, YesNo
from laager.rules.board.card.parts import SIDES
from laager.rules.board.report.marks import FITS, LASTING
from laager.rules.board.units import MARK_ORDER, Unit

ON_MAP, OFF_MAP, EXITED, OBJECTIVE_EXIT = "on-map", "off-map", "exited", "objective-exit"
ELIMINATED, CAPTURED, RECALLED, REMOVED = "eliminated", "captured", "recalled", "removed"

GONE = frozenset({ELIMINATED, CAPTURED, RECALLED, REMOVED})
"""With these fates a unit is no longer usable."""

LEFT = frozenset({EXITED, OBJECTIVE_EXIT})

PLACED, TAKEN_AWAY, REVEALED = "placed", "removed", "revealed"
"""What can happen to a fortification."""

GUARD = "guard"
"""Stands for the enemy unit that guards a prisoner in its Location."""

NOBODY = "nobody"
"""Stands for the side that Controls a Location which nobody Controls."""

HELP = (
    "List only the units that changed. The others stay as the record has them, and SW, Guns and "
    "passengers go where their unit goes. For a unit on the map, give its Location and all its "
    "markers: the enemy knows every unit that isn't concealed, hidden or cloaked. A prisoner on the "
    "map carries the marker prisoner, and either `with: guard` or the marker unguarded. `type` is for "
    "units that were Reduced, Replaced or hardened; `new` for heroes, crews that bailed out and "
    "half-squads (`from` names the unit they came from); `taken` for enemy weapons in your hands. "
)
"""Help for the part of a report about units."""


# The answer -------------------------------------------------------------------------------------


UnitRow = TypedDict(
    "UnitRow",
    {
        "unit": str,
        "fate": str,
        "at": str,
        "marks": list[str] | None,
        "with": str | None,
        "type": str,
        "entered": bool | None,
        "name": str,
        "area": NotRequired[str],
    },
)
"""What became of one unit. None leaves a field as the record has it."""

NewRow = TypedDict(
    "NewRow", {"type": str, "kind": str, "at": str, "marks": list[str], "with": str, "from": str, "name": str}
)
"""A unit that came into being in play."""


class TakenRow(TypedDict):
    """An enemy weapon that a side holds."""

    type: str
    by: str
    marks: list[str]


class UnitsAnswer(TypedDict):
    """The part about units, in the reports of all rule systems."""

    units: list[UnitRow]
    new: list[NewRow]
    taken: list[TakenRow]


class ControlRow(TypedDict):
    """A Location that changed Control."""

    location: str
    side: str


class FireRow(TypedDict):
    """A hex in which a fire began, grew or went out."""

    at: str
    now: str


class TerrainRow(TypedDict):
    """A change of the printed map that is there now, or no longer."""

    at: str
    what: str
    gone: bool


class ReportFortRow(TypedDict):
    """A fortification that was placed, removed or found."""

    do: str
    fort: str
    kind: str
    at: str
    size: str
    factors: NotRequired[int]
    side: NotRequired[str]


class CvpRow(TypedDict):
    """CVP besides those for losses."""

    side: NotRequired[str]
    points: int
    why: str


class GroundAnswer(TypedDict):
    """The part about the ground."""

    control: list[ControlRow]
    fires: list[FireRow]
    terrain: list[TerrainRow]
    cvp: list[CvpRow]


# The form ---------------------------------------------------------------------------------------


def fates(**left: str) -> dict[str, str]:
    """Return what can become of a unit; `left` are the words for one that left the map and stays in the OB."""
    return {
        ON_MAP: "on the map",
        OFF_MAP: "off the map, did not enter",
        **{fate.replace("_", "-"): words for fate, words in left.items()},
        ELIMINATED: "eliminated, or left the map in any other way; a vehicle is a wreck",
        CAPTURED: "taken off the map by the enemy, or a weapon in enemy hands",
        RECALLED: "Recalled",
        REMOVED: "gone without loss: merged, used up",
    }


def unit_fields(fates: Mapping[str, str], *more: Field) -> tuple[Field, ...]:
    """Return the fields about units; `more` are further fields of a unit's row."""
    labels = {fate.replace("-", "_"): words for fate, words in fates.items()}
    marks = Several(tuple(Option(mark.value) for mark in FITS))
    holder = "Its possessor, vehicle or guard"
    unit = Record.of(
        Field("unit", Text(40), "Unit"),
        Field("fate", Choice.of(**labels), "Fate", ON_MAP),
        Field("at", Text(20), "Location (if it left: the hex of the edge)", ""),
        Field("marks", marks, "All markers on it", None),
        Field("with", Text(40), holder, None),
        Field("type", Text(40), "What it is now, if it changed", ""),
        Field("entered", YesNo(), "Did it take part?", None),
        Field("name", Text(40), "Its name, if it changed", ""),
        *more,
    )
    new = Record.of(
        Field("type", Text(40), "Type"),
        Field("kind", Choice.of("", "commissar", "armor-leader"), "What it is, if the type leaves that open", ""),
        Field("at", Text(20), "Location"),
        Field("marks", marks, "All markers on it", []),
        Field("with", Text(40), holder, ""),
        Field("from", Text(40), "The unit it came from", ""),
        Field("name", Text(40), "Name, by which other rows can refer to it", ""),
    )
    by = Field("by", Text(40), "The unit that possesses it")
    taken = Record.of(Field("type", Text(40), "Type"), by, Field("marks", marks, "All markers on it", []))
    return (
        Field("units", Rows(unit), "What became of your units", []),
        Field("new", Rows(new, most=60), "Units that came into being in play", []),
        Field("taken", Rows(taken, most=60), "Enemy weapons that you hold", []),
    )


def ground_fields(terrain: Iterable[str], forts: Field, *scorer: Field) -> tuple[Field, ...]:
    """Return the fields about the ground; `terrain` are the changes of the map that last."""
    control = Record.of(Field("location", Text(20), "Location"), Field("side", Choice.of(*SIDES, NOBODY), "Side"))
    fire = Record.of(Field("at", Text(20), "Hex"), Field("now", Choice.of("flame", "blaze", "none"), "It is now"))
    change = Record.of(
        Field("at", Text(20), "Location"),
        Field("what", Choice.of(*terrain), "What"),
        Field("gone", YesNo(), "Is it no longer there?", False),
    )
    cvp = Record.of(*scorer, Field("points", Number(-99, 99), "CVP"), Field("why", Text(200), "For what"))
    return (
        Field("control", Rows(control), "Strategic Locations that changed Control", []),
        Field("fires", Rows(fire, most=200), "Flames and Blazes that changed", []),
        Field("terrain", Rows(change, most=200), "Lasting changes of the map", []),
        forts,
        Field("cvp", Rows(cvp, most=30), "CVP besides those for losses", []),
    )


def unit_row(unit: Unit) -> dict[str, Any]:
    """Return a unit's row as the record has it; what is empty is left out."""
    row: dict[str, Any] = {"unit": unit.id, "type": unit.type}
    if unit.name:
        row["name"] = unit.name
    row["fate"] = ON_MAP if unit.on_map else OFF_MAP
    if unit.on_map:
        row["at"] = unit.at or ""
    marks = unit.marks - LASTING
    row["marks"] = [mark.value for mark in sorted(marks, key=MARK_ORDER.__getitem__)]
    if unit.with_unit:
        row["with"] = unit.with_unit
    return row
