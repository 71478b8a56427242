"""Checks of a card against its map: setup areas, edges, TVP and objective Locations."""

from __future__ import annotations

from collections.abc import Sequence

from laager.base import DataError, RefusedError
from laager.base.files import Where
from laager.hexmap import HexMap, parse_name, split_location, strategic_terrain
from laager.hexmap.ranges import span
from laager.hexmap.terrain import WOODS
from laager.rules.common.card import SideId
from laager.rules.common.card_findings import Findings
from laager.rules.platoon_leader.card import Card


def check_ground(card: Card, map_: HexMap, found: Findings) -> None:
    """Check every hex and Location that the card names."""
    areas: dict[SideId, set[str]] = {}
    for side, half in card.sides.items():
        where: Where = ("sides", side)
        areas[side] = _hexes(map_, (*where, "setup"), half.setup, found)
        if not half.setup:
            found.wrong((*where, "setup"), "is empty", "name hexes or ranges such as A1-A9")
        entry = _hexes(map_, (*where, "entry_hexes"), half.entry_hexes, found)
        _entry(card, map_, side, entry, found)
    tvp = _tvp(card, map_, found)
    extra = _hexes(map_, ("strategic",), card.strategic, found)
    strategic = strategic_terrain(
        map_, tvp=tvp, extra=extra, woods_kinds=WOODS | set(card.woods_line_also)
    )
    for side, area in areas.items():
        if area and not any(_hex(location) in area for location in strategic):
            found.doubtful(
                ("sides", side, "setup"),
                "there is no Strategic Terrain in it, so this side Controls nothing at first",
                "add hexes with buildings, woods-line, …, or list hexes under strategic (PL 1.32)",
            )
    both = areas["axis"] & areas["allied"]
    if both:
        shown = _listed(map_, both)
        found.doubtful(
            ("sides", "allied", "setup"),
            f"{shown} {'lies' if len(both) == 1 else 'lie'} in both setup areas",
            "they begin Uncontrolled (PL 1.32); let one side have them",
        )
    _objectives(card, map_, frozenset(strategic), found)


# Hexes ------------------------------------------------------------------------------------------


def _hexes(map_: HexMap, where: Where, texts: Sequence[str], found: Findings) -> set[str]:
    """Return the playable hexes in a list of hexes and ranges, by main names."""
    names: set[str] = set()
    for i, text in enumerate(texts):
        try:
            hexes = span(text)
        except DataError as err:
            for problem in err.problems:
                found.wrong((*where, i), problem.what, problem.right)
            continue
        strange = next((name for name in hexes if name not in map_), None)
        if strange is not None:
            what = f"no hex {strange} on the map" + (f" (in {text})" if strange != text else "")
            found.wrong((*where, i), what, _nearest(map_, strange))
            continue
        inside = {map_.main(name) for name in hexes} & map_.playable
        if len(inside) < len({map_.main(name) for name in hexes}):
            what = f"{text} is not playable" if not inside else f"{text} is not playable in part"
            found.doubtful((*where, i), what, "hexes outside the playable area do not count")
        again = names & inside
        if again:
            what = f"{_listed(map_, again)} stands here already"
            found.doubtful((*where, i), what, "name each hex once")
        names |= inside
    return names


def _nearest(map_: HexMap, name: str) -> str:
    """Return advice for a hex that the map has not: the ends of its column, or all columns."""
    wanted = parse_name(name)
    hexes = [found for text in map_.hexes if (found := parse_name(text)) is not None]
    same = [one for one in hexes if wanted and one[:2] == wanted[:2]]
    if same:
        return f"its column runs from {same[0]} to {same[-1]}"
    return f"the map runs from {hexes[0]} to {hexes[-1]}"


def _hex(location: str) -> str:
    return location.partition(".")[0]


def _listed(map_: HexMap, names: set[str]) -> str:
    ordered = map_.in_order(names)
    more = f" and {len(ordered) - 8} more" if len(ordered) > 8 else ""
    return ", ".join(ordered[:8]) + more


def _entry(card: Card, map_: HexMap, side: SideId, entry: set[str], found: Findings) -> None:
    half = card.sides[side]
    where: Where = ("sides", side)
    if not half.friendly_edges and not half.entry_hexes:
        what = "has neither Friendly Map Edge nor entry hexes, so nothing can ever enter"
        found.doubtful(where, what, "add friendly_edges: [north] or entry_hexes (PL 1.4)")
    for i, edge in enumerate(half.friendly_edges):
        if edge in half.friendly_edges[:i]:
            found.wrong((*where, "friendly_edges", i), f"{edge} is there twice", "name it once")
        elif side == "allied" and edge in card.sides["axis"].friendly_edges:
            what = f"the {edge} edge is friendly to both sides"
            found.doubtful((*where, "friendly_edges", i), what, "give it to one side")
    border = frozenset[str]().union(*(map_.edge(e) for e in ("north", "south", "east", "west")))
    inner = entry - border
    if inner:
        what = f"{_listed(map_, inner)} is not at the edge of the map"
        found.doubtful((*where, "entry_hexes"), what, "units enter from outside the map")


# Locations --------------------------------------------------------------------------------------


def _location(map_: HexMap, where: Where, text: str, found: Findings) -> str | None:
    """Return a Location by main names; None, and a complaint, if the map has none such."""
    try:
        name, _ = split_location(text)
    except RefusedError as err:
        what, _, right = str(err).partition("; ")
        found.wrong(where, what, right)
        return None
    if name not in map_:
        found.wrong(where, f"no hex {name} on the map", _nearest(map_, name))
        return None
    location = map_.main_location(text)
    there = map_.locations(map_.main(name))
    if location not in there:
        found.wrong(where, f"there is no Location {text}", f"{name} has {', '.join(there)}")
        return None
    if map_.main(name) not in map_.playable:
        found.wrong(where, f"{text} is not playable", "name a Location of the playable area")
        return None
    return location


def _tvp(card: Card, map_: HexMap, found: Findings) -> list[str]:
    good: list[str] = []
    for text, points in card.tvp.items():
        where: Where = ("tvp", text)
        location = _location(map_, where, text, found)
        if points < 1:
            found.wrong(where, f"{points} TVP will not do", "1 or more")
        if location is None:
            continue
        if location in good:
            found.wrong(where, f"{text} is {location}, which has TVP already", "keep one")
        else:
            good.append(location)
    return good


def _objectives(card: Card, map_: HexMap, strategic: frozenset[str], found: Findings) -> None:
    for part in ("initial", "sudden"):
        for i, objective in enumerate(getattr(card.objectives, part)):
            seen: set[str] = set()
            for j, text in enumerate(objective.controls):
                where: Where = ("objectives", part, i, "controls", j)
                location = _location(map_, where, text, found)
                if location is None:
                    continue
                if location in seen:
                    found.wrong(where, f"{text} is there twice", "name each Location once")
                elif location not in strategic:
                    what = f"{text} is not Strategic Terrain, so nobody can Control it"
                    found.wrong(where, what, "add it under strategic or tvp, or name another")
                seen.add(location)
