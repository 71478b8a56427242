"""The doubts in a map file that was read from colours: under `doubts`, by score and reason, hexes and hexsides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from laager.hexmap.coords import side_key
from laager.vasl.boards.board import Doubt


def doubt_lists(doubts: Iterable[Doubt]) -> dict[str, list[str]]:
    """Return doubts as a map file has them, the worst first: `80 colours without a meaning: [C4, C5/D5]`."""
    found: dict[str, list[str]] = {}
    for doubt in sorted(doubts, key=lambda one: (-one.score, one.why)):
        there = found.setdefault(f"{doubt.score} {doubt.why}", [])
        if doubt.where not in there:
            there.append(doubt.where)
    return found


def doubts_in(data: Mapping[str, Any]) -> tuple[Doubt, ...]:
    """Return the doubts in the data of a checked map file, the worst first."""
    found = []
    for key, places in (data.get("doubts") or {}).items():
        score, _, why = key.partition(" ")
        found += [Doubt(str(place), int(score), why) for place in places]
    return tuple(sorted(found, key=lambda one: -one.score))


def without(doubts: Mapping[str, list[str]], settled: Iterable[str]) -> dict[str, list[str]]:
    """Return lists of doubts without those about hexes or hexsides that somebody has settled."""
    gone = {_place(one) for one in settled}
    return {key: [place for place in places if _place(place) not in gone] for key, places in doubts.items()}


def _place(text: str) -> str:
    """Return a hex or a hexside by the one name that it has here."""
    one, slash, other = text.partition("/")
    return "/".join(side_key(one.strip(), other.strip())) if slash else one.strip()
