"""What to look at on a map that was read by colours: doubts with the likely answers, for one key each.

Doubts that look alike and were taken for the same are one entry, which one answer settles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from laager.base.files import parse_document
from laager.hexmap import HexMap
from laager.hexmap.coords import side_key
from laager.hexmap.terrain import UNKNOWN
from laager.vasl import ABOUT_BARS, ABOUT_HOUSES, ABOUT_LEVELS, Doubt, doubts_in, group_alike, reading_of

MOST_WAYS = 4
"""How many answers a doubt has besides that the map is right."""
_USUAL = ("open", "woods", "brush", "grain", "orchard", "stone", "wooden")
"""What groups of hexes on painted boards are most often, where the map around them tells little."""
_MOST_USUAL = 7
"""How many answers a group has whose terrain isn't known."""


@dataclass(frozen=True)
class Doubted:
    """Hexes or hexsides to look at: `name` is what changes call them, `hex` the hex to show.

    `reading` is what hexes were taken for, `words` what they could be, as changes have them.
    """

    name: str
    places: tuple[str, ...]
    hex: str
    score: int
    why: str
    words: tuple[str, ...]
    reading: str = ""

    @property
    def of_hexsides(self) -> bool:
        """True if it is about hexsides."""
        return "/" in self.places[0]


def list_doubts(text: str, name: str, map_: HexMap, *, singly: bool = False) -> tuple[Doubted, ...]:
    """Return what to look at on a map, the worst first; what isn't on the map any more is left out.

    `singly` lists each hex and hexside for itself.
    """
    doubts = [
        doubt
        for doubt in doubts_in(parse_document(text, name).data)
        if all(end.strip() in map_ for end in doubt.where.split("/"))
    ]
    groups = tuple((doubt,) for doubt in doubts) if singly else group_alike(doubts)
    return tuple(_describe_group(map_, group) for group in groups)


def _describe_group(map_: HexMap, group: tuple[Doubt, ...]) -> Doubted:
    worst = max(group, key=lambda doubt: doubt.score)
    ends = [end.strip() for end in worst.where.split("/")]
    places = tuple(doubt.where for doubt in group)
    reading = reading_of(map_, ends[0]) if len(ends) == 1 else ""
    ways = _along(map_, ends, worst.why) if len(ends) == 2 else _inside(map_, ends[0], worst.why)
    words = tuple(islice(ways, MOST_WAYS))
    if len(group) == 1:
        return Doubted(worst.where, places, ends[0], worst.score, worst.why, words, reading)
    if reading == UNKNOWN:
        words = tuple(dict.fromkeys([*words, *_USUAL]))[:_MOST_USUAL]
    return Doubted(f"alike:{worst.alike}", places, ends[0], worst.score, worst.why, words, reading)


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
