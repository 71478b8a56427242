"""Places and units as people name them in a battle report, and what is wrong with a name."""

from __future__ import annotations

import re

from laager.base import RefusedError
from laager.rules.board.context import CardContext
from laager.rules.board.units import Unit

_ID = re.compile("[A-Za-z]{2}[0-9]+")


def place_problem(cg: CardContext, side: str, text: str) -> tuple[str, str] | None:
    """Say what is wrong with a Location and what would be right; None if there is such a one.

    The Locations of a hex are those of the map and of the fortifications that the side knows.
    """
    try:
        location = cg.map.main_location(text.strip())
    except RefusedError as err:
        return err.problem.what, err.problem.right
    name = location.split(".", maxsplit=1)[0]
    if name not in cg.map.playable:
        return f"{name} is not in play", "a hex inside the playable area"
    known = cg.map.locations(name)
    built = {fort.at for fort in cg.state.forts.values() if fort.side == side or not fort.hidden}
    if location not in known and location not in built:
        return f"{name} has no Location {location}", f"it has {', '.join(known)}"
    return None


def hex_problem(cg: CardContext, text: str) -> tuple[str, str] | None:
    """Say what is wrong with the name of a hex; None if it is one in play."""
    try:
        name = cg.map.main(text.strip())
    except RefusedError as err:
        return err.problem.what, err.problem.right
    return None if name in cg.map.playable else (f"{name} is not in play", "a hex in play")


def main_location(cg: CardContext, text: str) -> str:
    """Return a Location by its main name; the text itself if there is no such hex."""
    try:
        return cg.map.main_location(text.strip())
    except RefusedError:
        return text.strip()


def unit_id(text: str | None) -> str:
    """Return the id that somebody typed, however he wrote it; other text as it is."""
    text = (text or "").strip()
    return text.upper() if _ID.fullmatch(text) else text


def is_number_of(side: str, text: str) -> bool:
    """Whether a text looks like the number of a unit of a side, whether or not there is one."""
    return bool(_ID.fullmatch(text.strip())) and unit_id(text)[:2] == side[:2].upper()


def unit_named(cg: CardContext, side: str, text: str | None) -> Unit | None:
    """Return the unit of a side that a report means, in play or gone; None if it has none such."""
    found = cg.state.units.get(unit_id(text))
    return found if found is not None and found.side == side else None
