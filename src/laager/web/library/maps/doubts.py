"""What to look at on a map that was read by colours: doubts with the likely answers, for one key each.

Doubts that look alike are one entry, which one answer settles. What is alone comes last, and one answer leaves all of
it as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from laager.base.files import parse_document
from laager.hexmap import HexMap
from laager.hexmap.coords import side_key
from laager.hexmap.terrain import UNKNOWN
from laager.vasl import (
    ABOUT_BARS,
    ABOUT_HOUSES,
    ABOUT_LEVELS,
    HOUSE_SUFFIX,
    MOSTLY_WRONG,
    Doubt,
    doubts_in,
    group_alike,
    reading_of,
)

MOST_WAYS = 4
"""How many answers a doubt has besides that the map is right."""
_USUAL = ("open", "woods", "brush", "grain", "orchard", "stone", "wooden")
"""What groups of hexes on painted boards are most often, where the map around them tells little."""
_MOST_USUAL = 7
"""How many answers a group has whose terrain isn't known."""
_FEWEST_OF_A_KIND = 3
"""Fewest groups for one reason that can be said to be right together."""


@dataclass(frozen=True)
class Doubted:
    """Hexes or hexsides to look at: `name` is what changes call them, `hex` the hex to show.

    `reading` is what most of the hexes were taken for, `mixed` tells if some were taken for something else, `words` are
    what they could be, as changes have them.
    """

    name: str
    places: tuple[str, ...]
    hex: str
    score: int
    why: str
    words: tuple[str, ...]
    reading: str = ""
    mixed: bool = False

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


@dataclass(frozen=True)
class Leaving:
    """Doubts that one answer leaves as they are: why they are doubted, where they are, how many stay unknown."""

    why: str
    places: tuple[str, ...]
    unknown: int = 0


def list_alone(doubts: Sequence[Doubted]) -> Leaving | None:
    """Return what is in no group, if there are groups: as much work as all of them, for a hex each."""
    alone = [doubt for doubt in doubts if len(doubt.places) == 1]
    if len(alone) in {0, len(doubts)}:
        return None
    return Leaving("", _places_of(alone), sum(doubt.reading == UNKNOWN for doubt in alone))


def list_kinds(doubts: Sequence[Doubted]) -> tuple[Leaving, ...]:
    """Return what is doubted for one reason in several groups: for most reasons few of them are wrong.

    Left out is what wasn't known, and what lies under print: that is mostly wrong.
    """
    kinds: dict[str, list[Doubted]] = {}
    for doubt in doubts:
        if doubt.why not in MOSTLY_WRONG:
            kinds.setdefault(doubt.why, []).append(doubt)
    return tuple(Leaving(why, _places_of(some)) for why, some in kinds.items() if len(some) >= _FEWEST_OF_A_KIND)


def _places_of(doubts: Sequence[Doubted]) -> tuple[str, ...]:
    return tuple(place for doubt in doubts for place in doubt.places)


def _describe_group(map_: HexMap, group: tuple[Doubt, ...]) -> Doubted:
    readings = Counter(reading_of(map_, doubt.where) for doubt in group)
    reading = readings.most_common(1)[0][0]
    worst = max(group, key=lambda doubt: (reading_of(map_, doubt.where) == reading, doubt.score))
    ends = [end.strip() for end in worst.where.split("/")]
    places = tuple(doubt.where for doubt in group)
    ways = _along(map_, ends, worst.why) if len(ends) == 2 else _inside(map_, ends[0], worst.why)
    words = tuple(islice(ways, MOST_WAYS))
    name = worst.where if len(group) == 1 else f"alike:{worst.alike}"
    if len(group) > 1 and reading == UNKNOWN:
        words = tuple(dict.fromkeys([*words, *_USUAL]))[:_MOST_USUAL]
    elif len(readings) > 1:
        # As some were taken for something else, that all are what most of them are is an answer of its own.
        words = (reading.removesuffix(HOUSE_SUFFIX), *words)
    return Doubted(name, places, ends[0], worst.score, worst.why, words, reading, len(readings) > 1)


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
