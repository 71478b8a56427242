"""What facts say of units and groups: where a unit goes, which markers it gets, what changes on a group's line.

Each clause about a unit follows its name: `4-4-7 (AL2)` `rallies`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.rules.board.units import Mark, Place

PLACE_WORDS: Mapping[Place, str] = {
    Place.MAP: "comes onto the map",
    Place.OFF_MAP: "is off the map",
    Place.POOL: "is off the map until it sets up again",
    Place.PATROL: "goes on patrol",
    Place.RECALLED: "is Recalled",
    Place.ELIMINATED: "is eliminated",
    Place.CAPTURED: "is captured",
    Place.EVACUATED: "is evacuated",
    Place.REMOVED: "is removed",
}
"""What is said of a unit that goes there."""

MARK_WORDS: Mapping[Mark, tuple[str, str]] = {
    Mark.BROKEN: ("breaks", "rallies"),
    Mark.DM: ("is under DM", "is no longer under DM"),
    Mark.DISRUPTED: ("is Disrupted", "is no longer Disrupted"),
    Mark.PIN: ("is pinned", "is no longer pinned"),
    Mark.TI: ("is TI", "is no longer TI"),
    Mark.CX: ("is CX", "is no longer CX"),
    Mark.BERSERK: ("goes berserk", "is no longer berserk"),
    Mark.FANATIC: ("is Fanatic", "is no longer Fanatic"),
    Mark.WOUNDED: ("is wounded", "has recovered"),
    Mark.HEROIC: ("is heroic", "is no longer heroic"),
    Mark.ENCIRCLED: ("is Encircled", "is no longer Encircled"),
    Mark.CONCEALED: ("is concealed", "is no longer concealed"),
    Mark.HIP: ("is hidden", "is no longer hidden"),
    Mark.CLOAKED: ("is cloaked", "is no longer cloaked"),
    Mark.PRISONER: ("is a prisoner", "is no longer a prisoner"),
    Mark.UNGUARDED: ("is unguarded", "is guarded"),
    Mark.CLIMBING: ("is climbing", "is no longer climbing"),
    Mark.MELEE: ("is in Melee", "is no longer in Melee"),
    Mark.TANK_HUNTER: ("is a Tank-Hunter", "is no longer a Tank-Hunter"),
    Mark.MALFUNCTIONED: ("is malfunctioned", "is repaired"),
    Mark.DISABLED: ("is disabled", "is no longer disabled"),
    Mark.LOW_AMMO: ("is low on ammunition", "is no longer low on ammunition"),
    Mark.DISMANTLED: ("is dismantled", "is no longer dismantled"),
    Mark.EMPLACED: ("is Emplaced", "is no longer Emplaced"),
    Mark.CAPTURED: ("is captured", "is no longer captured"),
    Mark.MOTION: ("is in Motion", "is no longer in Motion"),
    Mark.BUTTONED_UP: ("is Buttoned Up", "is no longer Buttoned Up"),
    Mark.CREW_EXPOSED: ("is Crew Exposed", "is no longer Crew Exposed"),
    Mark.HULL_DOWN: ("is Hull Down", "is no longer Hull Down"),
    Mark.STUN: ("is Stunned", "is no longer Stunned"),
    Mark.SHOCK: ("is Shocked", "is no longer Shocked"),
    Mark.UNKNOWN: ("is UK", "is no longer UK"),
    Mark.BOGGED: ("is Bogged", "is no longer Bogged"),
    Mark.MIRED: ("is Mired", "is no longer Mired"),
    Mark.IMMOBILIZED: ("is immobilized", "is no longer immobilized"),
    Mark.ABANDONED: ("is abandoned", "is no longer abandoned"),
    Mark.WRECK: ("is a wreck", "is no longer a wreck"),
    Mark.BURNING: ("is burning", "is no longer burning"),
    Mark.BURNT_OUT: ("is burnt out", "is no longer burnt out"),
    Mark.MA_MALFUNCTIONED: ("has a malfunctioned MA", "has its MA repaired"),
    Mark.MA_DISABLED: ("has a disabled MA", "has its MA again"),
    Mark.MINEFIELD: ("is in a minefield", "is no longer in a minefield"),
    Mark.RECALL: ("is under Recall", "is no longer under Recall"),
    Mark.ACQUIRED: ("is acquired", "is no longer acquired"),
    Mark.ISOLATED: ("is Isolated", "is no longer Isolated"),
    Mark.AMMUNITION_SHORTAGE: ("is short of ammunition", "is no longer short of ammunition"),
    Mark.REDEPLOYED: ("has redeployed", "is free to redeploy again"),
    Mark.HARDENED: ("is Battle Hardened", "is free to be hardened again"),
    Mark.FIXED: ("is fixed in place", "is no longer fixed in place"),
    Mark.WAS_REVEALED: ("has been seen", "has not been seen"),
    Mark.ENGINEERS: ("is Assault Engineers", "is no longer Assault Engineers"),
    Mark.WALKING_WOUNDED: ("is Walking Wounded", "is no longer Walking Wounded"),
    Mark.RESERVE: ("is In Reserve", "is no longer In Reserve"),
    Mark.HOOKED: ("is hooked up", "is no longer hooked up"),
    Mark.LIMBERED: ("is limbered", "is no longer limbered"),
    Mark.ESCAPED: ("has Escaped", "is free to Escape again"),
    Mark.SHIFTED: ("has Shifted", "is free to Shift again"),
    Mark.STEALTHY: ("is Stealthy", "is no longer Stealthy"),
    Mark.LAX: ("is Lax", "is no longer Lax"),
    Mark.INEXPERIENCED: ("is Inexperienced", "is no longer Inexperienced"),
}
"""What is said of a unit that gets a marker, and of one that no longer has it."""

FIELD_WORDS: Mapping[str, str] = {
    "sw": "SW",
    "area": "in area",
    "named": "leaders of the OB",
    "equipment": "directed by",
    "black": "black chits",
    "red": "red chits",
    "holder": "possessed by",
    "security": "Security Area",
    "pre_registered": "Pre-Registered hex",
    "setup": "comes",
}
"""What is said for fields whose names do not read well."""

SWITCHES: Mapping[str, tuple[str, str]] = {
    "in_play": ("not in play", "in play"),
    "used": ("not used", "used"),
    "placed": ("not placed", "placed"),
    "given": ("bought", "given"),
    "registers": ("without Pre-Registered hex", "with a Pre-Registered hex"),
    "usable": ("not usable", "usable"),
    "may_set_up": ("may not set up", "may set up"),
}
"""What is said for fields that are off or on."""

VALUE_WORDS: Mapping[tuple[str, str], str] = {
    ("arrival", "enter"): "enters",
    ("arrival", "on-map"): "set up on map",
    ("arrival", "reserve"): "in Reserve",
    ("leader", "none"): "no leader",
    ("strength", "D"): "Depleted",
    ("strength", "F"): "Full Strength",
}
"""What is said of a field that has one of these values."""


def say_change(name: str, value: Any) -> str:
    """Return what is said of a field of a group's line that has another value now."""
    if name in SWITCHES:
        return SWITCHES[name][bool(value)]
    if name == "lost":
        return f"lost, {value}" if value else "not lost"
    if isinstance(value, str) and (name, value) in VALUE_WORDS:
        return VALUE_WORDS[name, value]
    if name == "units" and value:
        return _value_in_words(value)
    word = FIELD_WORDS.get(name, name)
    if value is None or value in ("", [], (), {}):
        return f"{word} nobody" if name in ("holder", "equipment") else f"no {word}"
    return f"{word} {_value_in_words(value)}"


def _value_in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{count} x {type_}" for type_, count in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
