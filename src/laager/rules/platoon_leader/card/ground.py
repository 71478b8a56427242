"""Checks of a card against its map: setup areas, edges, TVP and objective Locations."""

from __future__ import annotations

from laager.base.files import Where
from laager.hexmap import HexMap, strategic_terrain
from laager.hexmap.terrain import WOODS
from laager.rules.board.card.findings import CardFindings, check_count
from laager.rules.board.card.ground import (
    check_setup_areas,
    hexes_of,
    in_words,
    location_of,
    tell_of_pto,
    tell_of_unknown,
)
from laager.rules.board.card.parts import SideId
from laager.rules.board.places import hex_of
from laager.rules.platoon_leader.card.card import Card


def check_ground(card: Card, map_: HexMap, findings: CardFindings) -> None:
    """Check every hex and Location that the card names."""
    tell_of_unknown(map_, findings)
    if card.pto:
        tell_of_pto(map_, findings)
    areas: dict[SideId, set[str]] = {}
    for side, half in card.sides.items():
        where: Where = ("sides", side)
        areas[side] = hexes_of(map_, (*where, "setup"), half.setup, findings)
        if not half.setup:
            findings.add_problem((*where, "setup"), "is empty", "name hexes or ranges such as A1-A9")
        entry = hexes_of(map_, (*where, "entry_hexes"), half.entry_hexes, findings)
        _entry(card, map_, side, entry, findings)
    tvp = _tvp(card, map_, findings)
    extra = hexes_of(map_, ("strategic",), card.strategic, findings)
    strategic = strategic_terrain(map_, tvp=tvp, extra=extra, woods_kinds=WOODS | set(card.woods_line_also))
    for side, area in areas.items():
        if area and not any(hex_of(location) in area for location in strategic):
            findings.add_doubt(
                ("sides", side, "setup"),
                "there is no Strategic Terrain in it, so this side Controls nothing at first",
                "add hexes with buildings, woods-line, …, or list hexes under strategic (PL 1.32)",
            )
    check_setup_areas(map_, areas, "they begin Uncontrolled (PL 1.32); let one side have them", findings)
    _objectives(card, map_, frozenset(strategic), findings)


def _entry(card: Card, map_: HexMap, side: SideId, entry: set[str], findings: CardFindings) -> None:
    half = card.sides[side]
    where: Where = ("sides", side)
    if not half.friendly_edges and not half.entry_hexes:
        message = "has neither Friendly Map Edge nor entry hexes, so nothing can ever enter"
        findings.add_doubt(where, message, "add friendly_edges: [north] or entry_hexes (PL 1.4)")
    findings.check_repeats((*where, "friendly_edges"), half.friendly_edges)
    for i, edge in enumerate(half.friendly_edges):
        if side == "allied" and edge in card.sides["axis"].friendly_edges:
            message = f"the {edge} edge is friendly to both sides"
            other = findings.end_at("sides", "axis", "friendly_edges")
            findings.add_doubt((*where, "friendly_edges", i), message, "give it to one side", other)
    border = frozenset[str]().union(*(map_.edge(e) for e in ("north", "south", "east", "west")))
    inner = entry - border
    if inner:
        message = f"{in_words(map_, inner)} is not at the edge of the map"
        findings.add_doubt((*where, "entry_hexes"), message, "units enter from outside the map")


# Locations ----------------------------------------------------------------------------------------


def _tvp(card: Card, map_: HexMap, findings: CardFindings) -> list[str]:
    good: dict[str, str] = {}
    for text, points in card.tvp.items():
        where: Where = ("tvp", text)
        location = location_of(map_, where, text, findings)
        if points < 1:
            findings.add_problem(where, f"{points} TVP is too low", "1 or more")
        if location is None:
            continue
        if location in good:
            end = findings.end_at("tvp", good[location])
            findings.add_problem(where, f"{text} is {location}, which has TVP already", "keep one", end)
        else:
            good[location] = text
    return list(good)


def _objectives(card: Card, map_: HexMap, strategic: frozenset[str], findings: CardFindings) -> None:
    for part in ("initial", "sudden"):
        for i, objective in enumerate(getattr(card.objectives, part)):
            check_count(("objectives", part, i), objective, findings)
            seen: set[str] = set()
            for j, text in enumerate(objective.controls):
                where: Where = ("objectives", part, i, "controls", j)
                location = location_of(map_, where, text, findings)
                if location is None:
                    continue
                if location in seen:
                    findings.add_problem(where, f"{text} is there twice", "name each Location once")
                elif location not in strategic:
                    message = f"{text} is not Strategic Terrain, so nobody can Control it"
                    right = "add it under strategic or tvp, or name another"
                    findings.add_problem(where, message, right, findings.end_at("tvp"))
                seen.add(location)
