"""Hexes as cards name them: a hex, a range, a rectangle, a Map Edge, an area of the map."""

from __future__ import annotations

import re
from collections.abc import Iterable

from laager.base import DataError, Problem, did_you_mean
from laager.hexmap.coords import parse_name, parse_range
from laager.hexmap.hexmap import EDGES, HexMap

_EDGE = re.compile(r"(north|south|east|west) edge(?: ([1-9][0-9]?))?")
_LIKE_HEXES = re.compile(r"[0-9A-Za-z]*[0-9](?:\s*-\s*[0-9A-Za-z]*[0-9])*")
FORMS = "write C4, C4-C9, A1-D5, west edge, west edge 3, or a Setup Area of the map"


def expand_hexes(map_: HexMap, texts: Iterable[str]) -> list[str]:
    """Return the hexes that a list on a card names. Raises DataError with every text that names none."""
    names: list[str] = []
    problems: list[Problem] = []
    for text in texts:
        try:
            names += find_hexes(map_, text)
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    return names


def find_hexes(map_: HexMap, text: str) -> list[str]:
    """Return the hexes that one text on a card names, some of which may not be on the map.

    `west edge` is the edge hexes, `west edge 3` also those behind them, three deep. A Setup Area goes
    by its name. Raises DataError for text that is nothing of the kind.
    """
    if text in map_.setup_areas:
        return map_.in_order(map_.setup_areas[text])
    edge = _EDGE.fullmatch(" ".join(text.lower().split()))
    if edge:
        strip = map_.grid.ball(map_.mask(map_.edge(edge[1])), int(edge[2] or 1) - 1)
        return map_.grid.names_in_order(strip & map_.grid.playable)
    if parse_name(text) or _LIKE_HEXES.fullmatch(text.strip()):
        return parse_range(text, areas=True)
    if text.lower().strip() in EDGES:
        raise DataError([Problem(f"{text} is a direction", f"write {text.lower().strip()} edge")])
    known = did_you_mean(text, map_.setup_areas, "its Setup Areas are") if map_.setup_areas else ""
    right = "; ".join(filter(None, (FORMS, known)))
    raise DataError([Problem(f"{text!r} names no hexes", right)])
