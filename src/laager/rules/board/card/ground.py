"""Hexes, ranges and Locations that a card names, held against its map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from laager.base import DataError, RefusedError
from laager.base.files import Where
from laager.hexmap import HexMap, parse_name, split_location
from laager.hexmap.areas.card_hexes import find_hexes
from laager.hexmap.terrain import PACIFIC, count_not_pacific, describe_unknown
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.card.parts import SideId


def hexes_of(map_: HexMap, where: Where, texts: Sequence[str], findings: CardFindings) -> set[str]:
    """Return the playable hexes that a list on a card names, by main names."""
    names: set[str] = set()
    for i, text in enumerate(texts):
        try:
            hexes = find_hexes(map_, text)
        except DataError as err:
            for problem in err.problems:
                findings.add_problem((*where, i), problem.what, problem.right)
            continue
        strange = next((name for name in hexes if name not in map_), None)
        if strange is not None:
            message = f"no hex {strange} on the map"
            if strange != text:
                message = f"no hex {strange} on the map (in {text})"
            findings.add_problem((*where, i), message, _nearest(map_, strange), findings.map_end())
            continue
        inside = {map_.main(name) for name in hexes} & map_.playable
        if len(inside) < len({map_.main(name) for name in hexes}):
            message = f"{text} is not playable" if not inside else f"{text} is not playable in part"
            findings.add_doubt((*where, i), message, "hexes outside the playable area do not count")
        again = names & inside
        if again:
            message = f"{in_words(map_, again)} stands here already"
            findings.add_doubt((*where, i), message, "name each hex once")
        names |= inside
    return names


def check_setup_areas(map_: HexMap, areas: Mapping[SideId, set[str]], right: str, findings: CardFindings) -> None:
    """Doubt hexes that are in the setup areas of both sides."""
    both = areas["axis"] & areas["allied"]
    if both:
        first, more = ", ".join(map_.in_order(both)[:8]), len(both) - 8
        message = f"{first} lies in both setup areas" if len(both) == 1 else f"{first} lie in both setup areas"
        if more > 0:
            message = f"{first} and {more} more lie in both setup areas"
        findings.add_doubt(("sides", "allied", "setup"), message, right, findings.end_at("sides", "axis", "setup"))


def tell_of_unknown(map_: HexMap, findings: CardFindings) -> None:
    """Note a warning if nobody has said what hexes in play are: no rule can judge them."""
    doubt = describe_unknown(map_)
    if doubt:
        right = (
            "say what they are with laager vasl mark; until then Laager believes a side that hides a unit "
            "there, and fire does not spread to them by itself"
        )
        findings.add_doubt(("map",), doubt, right)


def tell_of_pto(map_: HexMap, findings: CardFindings) -> None:
    """Note a warning if a map for PTO Terrain has woods, orchard or brush: no rule about jungle looks at those."""
    there = count_not_pacific(map_)
    if there:
        counts = [f"{kind} in {count} {'hex' if count == 1 else 'hexes'}" for kind, count in there.items()]
        changes = " ".join(f"{kind}={PACIFIC[kind]}" for kind in there)
        message = (
            f"the map has {', '.join(counts)}; in PTO Terrain that is {', '.join(PACIFIC[kind] for kind in there)}"
        )
        findings.add_doubt(("map",), message, f"laager vasl mark MAP {changes}; or import its boards with --pto")


def _nearest(map_: HexMap, name: str) -> str:
    """Return advice for a hex that is not on the map: the ends of its column, or all columns."""
    wanted = parse_name(name)
    hexes = [parsed for text in map_.hexes if (parsed := parse_name(text)) is not None]
    same = [place for place in hexes if wanted and place[:2] == wanted[:2]]
    if same:
        return f"its column runs from {same[0]} to {same[-1]}"
    return f"the map runs from {hexes[0]} to {hexes[-1]}"


def in_words(map_: HexMap, names: set[str]) -> str:
    """Return hexes in their stated order, of many only the first."""
    ordered = map_.in_order(names)
    more = f" and {len(ordered) - 8} more" if len(ordered) > 8 else ""
    return ", ".join(ordered[:8]) + more


def location_of(map_: HexMap, where: Where, text: str, findings: CardFindings) -> str | None:
    """Return a Location by main names; None, and a problem, if the map doesn't have it."""
    try:
        name, _ = split_location(text)
    except RefusedError as err:
        findings.add_problem(where, err.problem.what, err.problem.right)
        return None
    if name not in map_:
        findings.add_problem(where, f"no hex {name} on the map", _nearest(map_, name), findings.map_end())
        return None
    location = map_.main_location(text)
    there = map_.locations(map_.main(name))
    if location not in there:
        findings.add_problem(
            where, f"there is no Location {text}", f"{name} has {', '.join(there)}", findings.map_end()
        )
        return None
    if map_.main(name) not in map_.playable:
        findings.add_problem(where, f"{text} is not playable", "name a Location of the playable area")
        return None
    return location
