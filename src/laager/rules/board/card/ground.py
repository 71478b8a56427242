"""Hexes, ranges and Locations that a card names, held against its map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laager.base import DataError, RefusedError
from laager.base.files import Where
from laager.hexmap import HexMap, parse_name, split_location
from laager.hexmap.coords import parse_range
from laager.hexmap.terrain import PACIFIC, count_not_pacific, describe_unknown
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.card.parts import SideId


def hexes_of(map_: HexMap, where: Where, texts: Sequence[str], found: CardFindings) -> set[str]:
    """Return the playable hexes in a list of hexes and ranges, by main names."""
    names: set[str] = set()
    for i, text in enumerate(texts):
        try:
            hexes = parse_range(text)
        except DataError as err:
            for problem in err.problems:
                found.add_problem((*where, i), problem.what, problem.right)
            continue
        strange = next((name for name in hexes if name not in map_), None)
        if strange is not None:
            what = f"no hex {strange} on the map" + (f" (in {text})" if strange != text else "")
            found.add_problem((*where, i), what, _nearest(map_, strange))
            continue
        inside = {map_.main(name) for name in hexes} & map_.playable
        if len(inside) < len({map_.main(name) for name in hexes}):
            what = f"{text} is not playable" if not inside else f"{text} is not playable in part"
            found.add_doubt((*where, i), what, "hexes outside the playable area do not count")
        again = names & inside
        if again:
            what = f"{in_words(map_, again)} stands here already"
            found.add_doubt((*where, i), what, "name each hex once")
        names |= inside
    return names


def check_setup_areas(map_: HexMap, areas: Mapping[SideId, set[str]], right: str, found: CardFindings) -> None:
    """Doubt hexes that are in the setup areas of both sides."""
    both = areas["axis"] & areas["allied"]
    if both:
        what = f"{in_words(map_, both)} {'lies' if len(both) == 1 else 'lie'} in both setup areas"
        found.add_doubt(("sides", "allied", "setup"), what, right)


def tell_of_unknown(map_: HexMap, found: CardFindings) -> None:
    """Note a warning if nobody has said what hexes in play are: no rule can judge them."""
    told = describe_unknown(map_)
    if told:
        right = (
            "say what they are with laager vasl mark; until then Laager believes a side that hides a unit "
            "there, and fire does not spread to them by itself"
        )
        found.add_doubt(("map",), told, right)


def tell_of_pto(map_: HexMap, found: CardFindings) -> None:
    """Note a warning if a map for PTO Terrain has woods, orchard or brush: no rule about jungle looks at those."""
    there = count_not_pacific(map_)
    if there:
        counts = [f"{kind} in {count} {'hex' if count == 1 else 'hexes'}" for kind, count in there.items()]
        changes = " ".join(f"{kind}={PACIFIC[kind]}" for kind in there)
        what = f"the map has {', '.join(counts)}; in PTO Terrain that is {', '.join(PACIFIC[kind] for kind in there)}"
        found.add_doubt(("map",), what, f"laager vasl mark MAP {changes}; or import its boards with --pto")


def _nearest(map_: HexMap, name: str) -> str:
    """Return advice for a hex that is not on the map: the ends of its column, or all columns."""
    wanted = parse_name(name)
    hexes = [found for text in map_.hexes if (found := parse_name(text)) is not None]
    same = [one for one in hexes if wanted and one[:2] == wanted[:2]]
    if same:
        return f"its column runs from {same[0]} to {same[-1]}"
    return f"the map runs from {hexes[0]} to {hexes[-1]}"


def in_words(map_: HexMap, names: set[str]) -> str:
    """Return hexes in their stated order, of many only the first."""
    ordered = map_.in_order(names)
    more = f" and {len(ordered) - 8} more" if len(ordered) > 8 else ""
    return ", ".join(ordered[:8]) + more


def location_of(map_: HexMap, where: Where, text: str, found: CardFindings) -> str | None:
    """Return a Location by main names; None, and a problem, if the map doesn't have it."""
    try:
        name, _ = split_location(text)
    except RefusedError as err:
        found.add_problem(where, err.problem.what, err.problem.right)
        return None
    if name not in map_:
        found.add_problem(where, f"no hex {name} on the map", _nearest(map_, name))
        return None
    location = map_.main_location(text)
    there = map_.locations(map_.main(name))
    if location not in there:
        found.add_problem(where, f"there is no Location {text}", f"{name} has {', '.join(there)}")
        return None
    if map_.main(name) not in map_.playable:
        found.add_problem(where, f"{text} is not playable", "name a Location of the playable area")
        return None
    return location
