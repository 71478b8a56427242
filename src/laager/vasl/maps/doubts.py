"""The doubts in a map file that was read from colours: under `doubts`, by score and reason, hexes and hexsides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laager.hexmap.coords import side_key
from laager.vasl.boards.board import Doubt


def doubt_lists(doubts: Iterable[Doubt]) -> dict[str, list[str]]:
    """Return doubts as a map file has them, the worst first: `80 colours without a meaning: [C4, C5/D5]`."""
    lists: dict[str, list[str]] = {}
    for doubt in sorted(doubts, key=lambda doubt: (-doubt.score, doubt.why)):
        places = lists.setdefault(f"{doubt.score} {doubt.why}", [])
        if doubt.where not in places:
            places.append(doubt.where)
    return lists


def doubts_in(data: Mapping[str, Any]) -> tuple[Doubt, ...]:
    """Return the doubts in the data of a checked map file, the worst first."""
    doubts = []
    for key, places in (data.get("doubts") or {}).items():
        score, _, why = key.partition(" ")
        doubts += [Doubt(str(place), int(score), why) for place in places]
    return tuple(sorted(doubts, key=lambda doubt: -doubt.score))


def drop_settled(doubts: Mapping[str, list[str]], settled: Iterable[str]) -> dict[str, list[str]]:
    """Return lists of doubts without those about hexes or hexsides that somebody has settled."""
    settled_places = {_place(name) for name in settled}
    return {key: [place for place in places if _place(place) not in settled_places] for key, places in doubts.items()}


def _place(text: str) -> str:
    """Return a hex or a hexside by the one name that it has here."""
    first, slash, other = text.partition("/")
    return "/".join(side_key(first.strip(), other.strip())) if slash else first.strip()
