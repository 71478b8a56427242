"""What of a map its board doesn't say, or says otherwise: found by reading the board back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from laager.hexmap import HexMap, parse_name
from laager.hexmap.coords import side_key
from laager.hexmap.terrain import bed_level, is_depression
from laager.hexmap.values import Course, Hex
from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of
from laager.vasl.boards.layout import arrange
from laager.vasl.maps.tomap import import_boards, place_alone

Facts = Mapping[str, frozenset[str]]
"""What is said of each hex (C4) and hexside (C4/C5), in words."""


@dataclass(frozen=True)
class BoardLoss:
    """Something that a map has and its board hasn't, or (`added`) the other way round, and where."""

    what: str
    where: tuple[str, ...]
    added: bool = False


def find_losses(map_: HexMap, archive: Archive) -> tuple[BoardLoss, ...]:
    """Return how the map that is read from a board differs from the map that it was made of."""
    board = board_of(archive)
    read = import_boards(arrange([place_alone(board)]), [board]).map
    known = frozenset(map(_bare, map_.hexes))
    on_map, on_board = _facts(map_), _facts(read, known)
    losses = []
    for here, there, added in ((on_map, on_board, False), (on_board, on_map, True)):
        where: dict[str, list[str]] = {}
        for name, words in here.items():
            for word in sorted(words - there.get(name, frozenset())):
                where.setdefault(word, []).append(name)
        losses += [BoardLoss(word, tuple(names), added) for word, names in sorted(where.items())]
    return tuple(losses)


def _facts(map_: HexMap, known: frozenset[str] | None = None) -> Facts:
    """Return what a map says; of hexes that aren't `known` only that they are there, if they aren't cut."""
    facts = {}
    for name, hex_ in map_.hexes.items():
        if known is None or _bare(name) in known:
            facts[_bare(name)] = frozenset(_hex_facts(map_, hex_))
        elif not hex_.half:
            facts[_bare(name)] = frozenset({"hex"})
    sides: dict[str, set[str]] = {}
    for (a, b), kinds in map_.hexsides.items():
        sides.setdefault(_side(a, b), set()).update(kinds)
    for name, beyond in map_.slopes.items():
        for other in sorted(beyond):
            sides.setdefault(_side(name, other), set()).add(f"slope of {_bare(name)}")
    for noun, courses in (("road", map_.roads), ("watercourse", map_.watercourses)):
        for a, b, kind in _crossings(map_, courses):
            sides.setdefault(_side(a, b), set()).add(f"{kind} {noun}")
    for building in map_.buildings:
        for a in building.hexes:
            for b in set(map_.neighbours(a)) & {*building.hexes}:
                sides.setdefault(_side(a, b), set()).add("one building")
    return facts | {name: frozenset(kinds) for name, kinds in sides.items()}


def _hex_facts(map_: HexMap, hex_: Hex) -> Iterator[str]:
    """Yield what a map says of a hex."""
    yield f"{hex_.terrain} terrain"
    yield from (hex_.also | hex_.features) - {hex_.terrain}
    level = bed_level(map_, hex_) if is_depression(hex_) else hex_.level
    if level:
        yield f"level {level}"
    if hex_.building is not None:
        levels = hex_.building.levels_in(hex_.name)
        yield f"{hex_.building.material} building, {levels} upper level{'s' * (levels != 1)}"


def _crossings(map_: HexMap, courses: tuple[Course, ...]) -> Iterator[tuple[str, str, str]]:
    for course in courses:
        for a, b in pairwise(map(map_.main, course.along)):
            yield a, b, course.kind


def _bare(name: str) -> str:
    """Return the name of a hex without its board."""
    parsed = parse_name(name)
    assert parsed is not None, "a map's reader takes no other names"
    return str(parsed._replace(board=""))


def _side(a: str, b: str) -> str:
    return "/".join(side_key(_bare(a), _bare(b)))
