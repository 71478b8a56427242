"""Scenario rules that change a board's terrain, by the names that saves use for them.

What a rule does stands in `packs/vasl/scenario.csv`. Rules about looks alone (white hex numbers,
mud, winter) change nothing of a map. In the Pacific rules woods are jungle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from laager.vasl.archive import packed_table
from laager.vasl.boards.losdata import by_name
from laager.vasl.scenario.land import Land, Mask

How = Literal["none", "terrain", "level", "terrain-level", "level-terrain", "special"]

PACIFIC = frozenset({"PalmTrees", "DenseJungle", "Bamboo", "SwampToSwampPattern"})
"""The rules that mean Pacific terrain: what is left of woods becomes Light Jungle."""

PTO = ("PalmTrees", "Bamboo", "SwampToSwampPattern")
"""The rules that together are PTO Terrain (ASL G2 to G7), its jungle light; with `DenseJungle` it is dense."""

_WOODS = ("Woods", "Light Jungle", "Dense Jungle")


@dataclass(frozen=True)
class Rule:
    """A part of a scenario rule: what it does, with which terrain or level, and the result.

    `how` is none (looks alone), terrain (one becomes another), level, terrain-level (terrain
    becomes ground of a level), level-terrain (a level becomes level 0, its open ground terrain), or special.
    """

    name: str
    how: How
    old: tuple[str, ...]
    new: str


@cache
def rules() -> Mapping[str, tuple[Rule, ...]]:
    """Return the parts of each rule by its name."""
    by_name_: dict[str, list[Rule]] = {}
    for row in packed_table("scenario.csv"):
        old = tuple(filter(None, row["from"].split("|")))
        part = Rule(row["rule"], row["how"], old, row["to"])  # type: ignore[arg-type]
        by_name_.setdefault(part.name, []).append(part)
    return MappingProxyType({name: tuple(parts) for name, parts in by_name_.items()})


def changes_ground(name: str) -> bool:
    """Return True if a rule is about more than looks. Raises KeyError for one that is not known."""
    return any(part.how != "none" for part in rules()[name])


def apply(name: str, land: Land) -> None:
    """Change a board's ground by a rule. Raises KeyError for one that is not known."""
    for part in rules()[name]:
        _apply(part, land)


def make_pacific(land: Land) -> None:
    """Make Light Jungle of the woods that are left, as all Pacific rules do."""
    land.become(["Woods"], "Light Jungle")


def _apply(part: Rule, land: Land) -> None:
    match part.how:
        case "none":
            pass
        case "terrain":
            land.become(part.old, part.new)
        case "level":
            land.relevel(int(part.old[0]), int(part.new))
        case "terrain-level":
            land.to_level(part.old, int(part.new))
        case "level-terrain":
            land.replace_level(int(part.old[0]), part.new)
        case "special":
            _SPECIAL[part.name](land)


def _no_stairwells(land: Land) -> None:
    land.stairways = frozenset()


def _bridge_to_ford(land: Land) -> None:
    land.codes[_remove_bridges(land)] = by_name("Ford").code


def _remove_bridges(land: Land) -> Mask:
    """Let what a bridge crosses flow on; return where it was."""
    return land.fill_from_neighbours(land.categories("bridge"), land.categories("depression", "water"))


def _no_woods_roads(land: Land) -> None:
    """Let woods grow over the roads that lead through them."""
    woods, grown = _roads_in_woods(land)
    land.codes[woods] = grown.codes[woods]


def _roads_to_paths(land: Land) -> None:
    """Make paths of the roads that lead through woods; others stay."""
    woods, _ = _roads_in_woods(land)
    land.codes[woods] = by_name("Path").code


def _roads_in_woods(land: Land) -> tuple[Mask, Land]:
    """Return where roads lead through woods, and the land without roads: what is next to them decides."""
    roads = land.categories("road")
    grown = land.copy()
    grown.fill_from_neighbours(roads)
    return roads & grown.categories("woods"), grown


def _dense_jungle(land: Land) -> None:
    land.fill_hexes(land.centre_hexes(["Woods"]), "Dense Jungle")
    land.become(["Woods"], "Dense Jungle")


def _bamboo(land: Land) -> None:
    land.become(["Brush"], "Bamboo")
    land.fill_hexes(land.centre_hexes(["Bamboo"]), "Bamboo")


def _swamp(land: Land) -> None:
    """Make swamp of the marsh hexes beside jungle."""
    near: Sequence[Sequence[int]] = land.points.near.tolist()
    jungle = set(land.centre_hexes(_WOODS))
    marsh = land.centre_hexes(["Marsh"])
    beside = [number for number in marsh if jungle.intersection(near[number])]
    land.fill_hexes(beside, "Swamp", only="Marsh")


_SPECIAL: Mapping[str, Callable[[Land], object]] = {
    "NoStairwells": _no_stairwells,
    "NoBridge": _remove_bridges,
    "BridgeToFord": _bridge_to_ford,
    "NoWoodsRoads": _no_woods_roads,
    "NoWoodsRoad": _no_woods_roads,
    "RoadsToPaths": _roads_to_paths,
    "DenseJungle": _dense_jungle,
    "Bamboo": _bamboo,
    "SwampToSwampPattern": _swamp,
}
