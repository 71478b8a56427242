"""What is wrong with the name of a place in a battle report."""

from __future__ import annotations

from laager.base import RefusedError
from laager.rules.platoon_leader.context import Cg


def place_problem(cg: Cg, side: str, text: str) -> tuple[str, str] | None:
    """Say what is wrong with a Location and what would be right; None if there is such a one.

    The Locations of a hex are those of the map and of the fortifications that the side knows.
    """
    try:
        location = cg.map.main_location(text.strip())
    except RefusedError as err:
        what, _, right = str(err).partition("; ")
        return what, right
    name = location.split(".", maxsplit=1)[0]
    if name not in cg.map.playable:
        return f"{name} is not in play", "a hex inside the playable area"
    known = cg.map.locations(name)
    built = {fort.at for fort in cg.state.forts.values() if fort.side == side or not fort.hidden}
    if location not in known and location not in built:
        return f"{name} has no Location {location}", f"it has {', '.join(known)}"
    return None


def hex_problem(cg: Cg, text: str) -> tuple[str, str] | None:
    """Say what is wrong with the name of a hex; None if it is one in play."""
    try:
        name = cg.map.main(text.strip())
    except RefusedError as err:
        what, _, right = str(err).partition("; ")
        return what, right
    return None if name in cg.map.playable else (f"{name} is not in play", "a hex in play")
