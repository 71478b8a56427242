"""What a record needn't say because the card says it: nations, kinds of units, lines of the chart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.base import RefusedError
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.units import Place

Section = Mapping[str, Any]

UNKNOWN = "unknown"
"""What players write for what they don't know any more."""
MAY_STAY_OPEN: Mapping[str, frozenset[str]] = {
    "past": frozenset(
        {"weather", "ec", "wind", "nvr", "last_turn", "start", "spent", "left", "fpp", "elr", "san", "tvp"}
    ),
    "forts": frozenset({"fp"}),
}
"""Fields by part that no rule needs: they are on the sheets alone, or are only checked."""
GROUND, CONTROL = "ground", "control"


def leave_open(section: Section) -> dict[str, Any]:
    """Return a section without what its players don't know any more, as far as no rule needs it."""
    left: dict[str, Any] = {}
    for name, held in section.items():
        if name in MAY_STAY_OPEN and isinstance(held, Mapping):
            left[name] = {key: _without_open(line, MAY_STAY_OPEN[name]) for key, line in held.items()}
        else:
            left[name] = leave_open(held) if name in SIDES and isinstance(held, Mapping) else held
    return left


def _without_open(line: Any, names: frozenset[str]) -> Any:
    if not isinstance(line, Mapping):
        return line
    return {name: value for name, value in line.items() if value != UNKNOWN or name not in names}


def expand_public(cg: CardContext, section: Section) -> dict[str, Any]:
    """Return the public section with what the card says written out."""
    written = {**section, GROUND: _control_by_location(section[GROUND])} if GROUND in section else section
    return {
        name: expand_side(cg, name, held) if name in SIDES and isinstance(held, Mapping) else held
        for name, held in written.items()
    }


def shorten_public(cg: CardContext, section: Section) -> dict[str, Any]:
    """Return the public section without what the card says."""
    written = {**section, GROUND: _control_by_side(section[GROUND])} if GROUND in section else section
    return {name: shorten_side(cg, name, held) if name in SIDES else held for name, held in written.items()}


def _control_by_side(ground: Section) -> dict[str, Any]:
    """Return the ground with the Locations that each side Controls: `control: {axis: [H7, H8]}`."""
    control = ground.get(CONTROL, {})
    by_side = {side: [at for at, holder in control.items() if holder == side] for side in SIDES}
    return {**ground, CONTROL: by_side} if control else dict(ground)


def _control_by_location(ground: Any) -> Any:
    """Return the ground with who Controls each Location; as it is if it isn't written by side."""
    control = ground.get(CONTROL) if isinstance(ground, Mapping) else None
    if not isinstance(control, Mapping) or not all(isinstance(control.get(side, []), list) for side in SIDES):
        return ground
    others = {at: holder for at, holder in control.items() if at not in SIDES}
    return {**ground, CONTROL: {str(at): side for side in SIDES for at in control.get(side, ())} | others}


def expand_side(cg: CardContext, side: str, section: Section, known: Section | None = None) -> dict[str, Any]:
    """Return a side's lines with what the card says written out; lines that are `known` say only what they add."""
    expanded = dict(section)
    for name, implied in (("units", _implied_of_unit), ("groups", _implied_of_group)):
        lines = section.get(name)
        if isinstance(lines, Mapping):
            there = (known or {}).get(name, ())
            expanded[name] = {
                key: {**implied(cg, side, key, line), **line}
                if isinstance(line, Mapping) and key not in there
                else line
                for key, line in lines.items()
            }
    return expanded


def shorten_side(cg: CardContext, side: str, section: Section) -> dict[str, Any]:
    """Return a side's lines without what the card says."""
    short = dict(section)
    for name, implied in (("units", _implied_of_unit), ("groups", _implied_of_group)):
        if name in section:
            short[name] = {key: _less(line, implied(cg, side, key, line)) for key, line in section[name].items()}
    return short


def _less(line: Section, implied: Section) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in implied or implied[name] != value}


def _implied_of_unit(cg: CardContext, side: str, key: str, line: Section) -> dict[str, Any]:
    """Return a unit's nation, kind and place, as far as they follow from side, type and Location."""
    own = cg.side(side).nation
    nation = line.get("nation", own)
    implied: dict[str, Any] = {"nation": own}
    if "at" in line:
        implied["place"] = Place.MAP.value
    try:
        implied["kind"] = cg.catalogue.nation(str(nation)).unit(str(line.get("type", ""))).kind.value
    except RefusedError:
        # What isn't in the catalogue says its kind itself; of a type that there isn't the checks say so.
        implied["kind"] = "squad"
    return implied


def _implied_of_group(cg: CardContext, side: str, key: str, line: Section) -> dict[str, Any]:
    """Return the line of the chart that a group's number names: I1 of I1/2."""
    return {"rg": key.rpartition("/")[0]}
