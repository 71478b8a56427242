"""Strategic Terrain, Woods-Lines and Military Crests (PL 1.4), and who Controls hexes by them (PL GEO G1, G2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from laager.base import Refusal, RefusedError, did_you_mean
from laager.hexmap.coords import sort_key, split_location
from laager.hexmap.grid import union
from laager.hexmap.hexmap import HexMap, kept_with_map
from laager.hexmap.terrain import WOODS

PRINTED: tuple[str, ...] = (*("building", "rubble", "graveyard", "bridge", "ford", "crag", "wadi", "seawall", "pier"),)
"""What makes a hex Strategic Terrain because it is on the map."""

WORKS: tuple[str, ...] = ("pillbox", "entrenchment", "gun", "rubble", "bridge")
"""What makes a Location Strategic Terrain while it is there; a Gun only if it is emplaced."""

CREST, WOODS_LINE, TVP, CARD, MAP = "military-crest", "woods-line", "tvp", "card", "map"


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
    the Locations with a TVP value, `extra` those that the card adds (reason "card"; "map" are those that the map
    lists), `works` what
    has been built or placed (one of `WORKS`) by Location. Playable hexes only. Raises
    RefusedError for an unknown hex or kind of works.
    """
    printed = _on_map(map_, frozenset(woods_kinds))
    more: dict[str, set[str]] = {}
    for location, reason in _reasons_placed(map_, tvp, extra, works or {}):
        if split_location(location)[0] in map_.playable:
            more.setdefault(location, set()).add(reason)
    reasons_by_place = {**printed, **{at: printed.get(at, frozenset()) | reasons for at, reasons in more.items()}}
    return (
        reasons_by_place
        if printed.keys() >= more.keys()
        else {at: reasons_by_place[at] for at in sorted(reasons_by_place, key=sort_key)}
    )


@kept_with_map
def _on_map(map_: HexMap, woods_kinds: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """Return the Strategic Terrain that a map shows, in the stated order."""
    grid = map_.grid
    reasons_by_place: dict[str, set[str]] = {}

    def add(mask: int, reason: str) -> None:
        for name in grid.names(mask & grid.playable):
            reasons_by_place.setdefault(name, set()).add(reason)

    for feature in PRINTED:
        add(map_.feature_mask(feature), feature)
    add(woods_line_mask(map_, woods_kinds), WOODS_LINE)
    for crest in crest_masks(map_):
        add(crest, CREST)
    add(grid.mask(map_.strategic), MAP)
    for name in grid.names(map_.feature_mask("building") & grid.playable):
        for location in map_.locations(name)[1:]:
            reasons_by_place.setdefault(location, set()).add("building")
    return {location: frozenset(reasons_by_place[location]) for location in sorted(reasons_by_place, key=sort_key)}


def _reasons_placed(
    map_: HexMap, tvp: Iterable[str], extra: Iterable[str], works: Mapping[str, frozenset[str]]
) -> Iterable[tuple[str, str]]:
    for location in tvp:
        yield map_.main_location(location), TVP
    for location in extra:
        yield map_.main_location(location), CARD
    for location, kinds in works.items():
        for kind in kinds:
            if kind not in WORKS:
                raise RefusedError(Refusal.BAD_DATA, f"{kind!r} is not a kind of works", did_you_mean(kind, WORKS))
            yield map_.main_location(location), kind


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
    hexes = set()
    for location, owner in who.items():
        reasons = strategic.get(location, frozenset())
        if owner == side and reasons - {CREST}:
            hexes.add(location.partition(".")[0])
    for crest in crests:
        if holders.get(crest_name(crest)) == side:
            hexes.update(name for name in crest if who.get(name, side) == side)
    return frozenset(hexes)


CREST_LEVEL = 2
"""The least top level of a hill mass that has a crest."""


def crest_masks(map_: HexMap) -> list[int]:
    """Return each crest as bits of the map's grid, in the stated order of their first hexes."""
    grid = map_.grid
    groups = grid.pieces(map_.feature_mask("hillock-summit") & grid.playable)
    groups += grid.pieces(map_.feature_mask("hilltop") & grid.playable)
    levels = {level: mask & grid.playable for level, mask in map_.level_masks.items()}
    hills = 0
    for level, mask in levels.items():
        hills |= mask if level >= 1 else 0
    for hill in grid.pieces(hills):
        top = max(level for level, mask in levels.items() if mask & hill)
        if top >= CREST_LEVEL:
            groups += grid.pieces(levels[top] & hill)
    return grid.in_order(_merge(groups))


def _merge(groups: Sequence[int]) -> list[int]:
    """Return the groups, those that share a hex made into one."""
    merged: list[int] = []
    for group in groups:
        touched = [other for other in merged if other & group]
        merged = [other for other in merged if not other & group]
        merged.append(union([group, *touched]))
    return merged


def crests(map_: HexMap) -> tuple[frozenset[str], ...]:
    """Return the Military Crests of a map, each as the hexes that must all be Controlled.

    Three kinds (PL 1.4, PL GEO G1): adjacent Hillock Summits; adjacent hexes with a printed
    hilltop mark; in each hill mass (adjacent hexes of level 1 or more) that reaches level 2,
    each connected group at its highest level. Playable hexes only.
    """
    return tuple(map_.grid.names(mask) for mask in crest_masks(map_))


def crest_name(crest: frozenset[str]) -> str:
    """Return the name under which a crest is kept: its first hex in the stated order."""
    return min(crest, key=sort_key)


def crest_holders(
    crests: Sequence[frozenset[str]], control: Mapping[str, str], before: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the side that Controls each crest, by the crest's name.

    A side gains a crest by Controlling every hex of it, and keeps it until the other side has
    done the same (PL 1.4, PL GEO G2). `control` is who Controls each hex, `before` the result at
    the last time. Crests that nobody holds are left out.
    """
    holders = {}
    for crest in crests:
        name = crest_name(crest)
        sides = {control.get(hex_) for hex_ in crest}
        holder = sides.pop() if len(sides) == 1 else None
        holder = holder or (before or {}).get(name)
        if holder:
            holders[name] = holder
    return holders


def woods_line_mask(map_: HexMap, kinds: Iterable[str] = WOODS, minimum: int = 3) -> int:
    """Return the Woods-Line hexes as bits of the map's grid."""
    grid = map_.grid
    woods = map_.feature_mask(*kinds) & grid.playable
    border = woods & grid.grow(grid.playable & ~woods)
    mask = 0
    for group in grid.pieces(woods):
        if group.bit_count() >= minimum:
            mask |= group & border
    return mask


def woods_line(map_: HexMap, kinds: Iterable[str] = WOODS, minimum: int = 3) -> frozenset[str]:
    """Return the Woods-Line hexes of a map (PL 1.4, PL GEO G1).

    Woods-type hexes (`kinds`; mixed kinds form one group) that touch one another are a group; in
    each group of at least `minimum`, the hexes next to a playable hex of other terrain count.
    Hexes that are not playable neither belong to a group nor make their neighbours a border.
    """
    return map_.grid.names(woods_line_mask(map_, kinds, minimum))
