"""The doubts in a map file that was read from colours: under `doubts`, by score and reason, hexes and hexsides.

Under `alike`, by number, are those that look alike and were taken for the same: they are settled together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laager.hexmap import HexMap
from laager.hexmap.coords import side_key
from laager.vasl.boards.board import Doubt

HOUSE_SUFFIX = " building"
"""Follows a building's material where a hex was taken for it."""


def doubt_lists(doubts: Iterable[Doubt]) -> dict[str, list[str]]:
    """Return doubts as a map file has them, the worst first: `80 colours without a meaning: [C4, C5/D5]`."""
    lists: dict[str, list[str]] = {}
    for doubt in sorted(doubts, key=lambda doubt: (-doubt.score, doubt.why)):
        places = lists.setdefault(f"{doubt.score} {doubt.why}", [])
        if doubt.where not in places:
            places.append(doubt.where)
    return lists


def alike_lists(doubts: Iterable[Doubt]) -> dict[str, list[str]]:
    """Return what is settled together as map files have it, by the number of the group: `1: [C4, C5]`."""
    lists: dict[str, list[str]] = {}
    for doubt in sorted(doubts, key=lambda doubt: doubt.alike):
        if doubt.alike and doubt.where not in lists.setdefault(str(doubt.alike), []):
            lists[str(doubt.alike)].append(doubt.where)
    return lists


def doubts_in(data: Mapping[str, Any]) -> tuple[Doubt, ...]:
    """Return the doubts in the data of a checked map file, the worst first."""
    groups = data.get("alike") or {}
    numbers = {_place(str(place)): int(number) for number, places in groups.items() for place in places}
    doubts = []
    for key, places in (data.get("doubts") or {}).items():
        score, _, why = key.partition(" ")
        doubts += [Doubt(str(place), int(score), why, numbers.get(_place(str(place)), 0)) for place in places]
    return tuple(sorted(doubts, key=lambda doubt: -doubt.score))


def group_alike(doubts: Iterable[Doubt]) -> tuple[tuple[Doubt, ...], ...]:
    """Return doubts in groups that are settled together, the highest sum of scores first; what is alone comes last."""
    groups: dict[object, list[Doubt]] = {}
    for doubt in doubts:
        groups.setdefault(doubt.alike or doubt.where, []).append(doubt)
    order = sorted(groups.values(), key=lambda group: (len(group) == 1, -sum(doubt.score for doubt in group)))
    return tuple(map(tuple, order))


def reading_of(map_: HexMap, place: str) -> str:
    """Return what a doubtful hex was taken for: its building or its terrain; "" for a hexside."""
    if "/" in place or place not in map_:
        return ""
    hex_ = map_.hex(place)
    return f"{hex_.building.material}{HOUSE_SUFFIX}" if hex_.building else hex_.terrain


def drop_settled(doubts: Mapping[str, list[str]], settled: Iterable[str]) -> dict[str, list[str]]:
    """Return lists of doubts without those about hexes or hexsides that somebody has settled."""
    settled_places = {_place(name) for name in settled}
    return {key: [place for place in places if _place(place) not in settled_places] for key, places in doubts.items()}


def _place(text: str) -> str:
    """Return a hex or a hexside by the one name that it has here."""
    first, slash, other = text.partition("/")
    return "/".join(side_key(first.strip(), other.strip())) if slash else first.strip()
