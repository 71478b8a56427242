"""What to look at on a map that was read by colours: each doubt with the likely answers, for one key each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from laager.base.files import parse_document
from laager.hexmap import HexMap
from laager.hexmap.coords import side_key
from laager.hexmap.terrain import UNKNOWN
from laager.vasl import ABOUT_BARS, ABOUT_HOUSES, ABOUT_LEVELS, doubts_in

MOST_WAYS = 4
"""How many answers a doubt has besides that the map is right."""


@dataclass(frozen=True)
class Doubted:
    """A hex or hexside to look at: `hex` is the hex to show, `words` what it could be, as changes have them."""

    where: str
    hex: str
    score: int
    why: str
    words: tuple[str, ...]


def list_doubts(text: str, name: str, map_: HexMap) -> tuple[Doubted, ...]:
    """Return what to look at on a map, the worst first; what isn't on the map any more is left out."""
    doubts = []
    for doubt in doubts_in(parse_document(text, name).data):
        ends = [end.strip() for end in doubt.where.split("/")]
        if all(end in map_ for end in ends):
            words = _along(map_, ends, doubt.why) if len(ends) == 2 else _inside(map_, ends[0], doubt.why)
            doubts.append(Doubted(doubt.where, ends[0], doubt.score, doubt.why, tuple(islice(words, MOST_WAYS))))
    return tuple(doubts)


def _along(map_: HexMap, ends: list[str], why: str) -> Iterator[str]:
    """Yield what a hexside could be: nothing, if something is there, else a bar's wall, what is common on the map."""
    there = map_.hexsides.get(side_key(*map(map_.main, ends)), frozenset())
    if there:
        yield "+".join(f"-{kind}" for kind in sorted(there))
        return
    common = Counter(kind for kinds in map_.hexsides.values() for kind in kinds)
    kinds = ["rowhouse"] * (why in ABOUT_BARS) + [kind for kind, _ in common.most_common()]
    yield from dict.fromkeys(kinds)


def _inside(map_: HexMap, name: str, why: str) -> Iterator[str]:
    """Yield what a hex could be: another level, no building, or the terrain in it, around it, elsewhere on the map."""
    hex_ = map_.hex(name)
    around = [map_.hexes[other] for other in map_.neighbours(hex_.name)]
    if why in ABOUT_LEVELS:
        levels = {other.level for other in around} | {hex_.level - 1, hex_.level + 1}
        nearest = sorted(levels - {hex_.level}, key=lambda level: (abs(level - hex_.level), -level))
        yield from (f"level:{level}" for level in nearest)
    elif why in ABOUT_HOUSES and hex_.building is not None:
        yield "-building"
    else:
        near = [kind for kind, _ in Counter(other.terrain for other in around).most_common()]
        common = [kind for kind, _ in Counter(other.terrain for other in map_.hexes.values()).most_common()]
        kinds = dict.fromkeys([*sorted(hex_.also), *near, "open", *common])
        yield from (kind for kind in kinds if kind not in {hex_.terrain, UNKNOWN})
