"""Strategic Terrain (PL 1.4) and the hexes that a side Controls by it (PL GEO G1, G2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from laager.base import Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import sort_key, split_location
from laager.hexmap.crest import crest_holders, crest_masks, crest_name
from laager.hexmap.hexmap import HexMap
from laager.hexmap.terrain import WOODS
from laager.hexmap.woodsline import woods_line_mask

PRINTED: tuple[str, ...] = (*("building", "rubble", "graveyard", "bridge", "ford", "crag", "wadi", "seawall", "pier"),)
"""What makes a hex Strategic Terrain because it is on the map."""

WORKS: tuple[str, ...] = ("pillbox", "entrenchment", "gun", "rubble", "bridge")
"""What makes a Location Strategic Terrain while it is there; a Gun only if it is emplaced."""

CREST, WOODS_LINE, TVP, CARD = "military-crest", "woods-line", "tvp", "card"


def strategic_terrain(
    map_: HexMap,
    *,
    tvp: Iterable[str] = (),
    extra: Iterable[str] = (),
    woods_kinds: Iterable[str] = WOODS,
    works: Mapping[str, frozenset[str]] | None = None,
) -> dict[str, frozenset[str]]:
    """Return every Strategic Terrain Location with the reasons, in the stated order.

    A building makes each of its Locations strategic, everything else the ground level. `tvp` are
    the Locations with a TVP value, `extra` those that the card adds (reason "card"), `works` what
    has been built or placed (one of `WORKS`) by Location. Playable hexes only. Raises
    RefusedError for an unknown hex or kind of works.
    """
    grid = map_.grid
    found: dict[str, set[str]] = {}

    def add(mask: int, reason: str) -> None:
        for name in grid.names(mask & grid.playable):
            found.setdefault(name, set()).add(reason)

    for feature in PRINTED:
        add(map_.having(feature), feature)
    add(woods_line_mask(map_, woods_kinds), WOODS_LINE)
    for crest in crest_masks(map_):
        add(crest, CREST)
    for name in grid.names(map_.having("building") & grid.playable):
        for location in map_.locations(name)[1:]:
            found.setdefault(location, set()).add("building")
    for location, reason in _placed(map_, tvp, extra, works or {}):
        if split_location(location)[0] in map_.playable:
            found.setdefault(location, set()).add(reason)
    return {location: frozenset(found[location]) for location in _in_order(map_, found)}


def _placed(
    map_: HexMap, tvp: Iterable[str], extra: Iterable[str], works: Mapping[str, frozenset[str]]
) -> Iterable[tuple[str, str]]:
    for location in tvp:
        yield map_.main_location(location), TVP
    for location in extra:
        yield map_.main_location(location), CARD
    for location, kinds in works.items():
        for kind in kinds:
            if kind not in WORKS:
                raise RefusedError(Refusal.BAD_DATA, f"{kind!r} is no kind of works", did_you_mean(kind, WORKS))
            yield map_.main_location(location), kind


def _in_order(map_: HexMap, locations: Iterable[str]) -> list[str]:
    """Return Locations in the stated order; the map knows that of its hexes."""
    levels: dict[str, list[str]] = {}
    for location in locations:
        levels.setdefault(location.partition(".")[0], []).append(location)
    return [
        location
        for name in map_.in_order(levels)
        for location in (sorted(levels[name], key=sort_key) if levels[name][1:] else levels[name])
    ]


def controlled_hexes(
    map_: HexMap,
    strategic: Mapping[str, frozenset[str]],
    crests: Sequence[frozenset[str]],
    control: Mapping[str, str],
    side: str,
    holders: Mapping[str, str] | None = None,
) -> frozenset[str]:
    """Return the hexes with at least one Strategic Location that a side Controls (PL GEO G2).

    `control` is the side in Control by Location. A hex that is strategic only as part of a
    Military Crest counts when the whole crest is the side's and the hex is not Controlled by the
    enemy. `holders` are the crests' owners by crest name (`crest_holders`, which knows the past);
    without it a crest is its side's only while that side Controls all of it.
    """
    who = {map_.main_location(location): owner for location, owner in control.items()}
    if holders is None:
        holders = crest_holders(crests, who)
    found = set()
    for location, owner in who.items():
        reasons = strategic.get(location, frozenset())
        if owner == side and reasons - {CREST}:
            found.add(location.partition(".")[0])
    for crest in crests:
        if holders.get(crest_name(crest)) == side:
            found.update(name for name in crest if who.get(name, side) == side)
    return frozenset(found)
