"""Where a save's pieces are on the campaign's map: its boards by their names, then Locations.

A board with a number (01, 6a) is that of the map with the same number. Of the other boards the
first is the one whose hexes have nothing before their names on the map, as `board_prefixes` has it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from laager.base import DataError, Problem
from laager.hexmap import HexMap
from laager.hexmap.coords import parse_name
from laager.vasl.counters import Kind
from laager.vasl.game import Piece
from laager.vasl.placing import Laid

_NUMBER = re.compile(r"0*([0-9]{1,3}[a-z]{0,2})")
_FROM = re.compile(r"VASL board ([^,;]+)")
CASUALTIES = "Casualties"

ON_MAP, BESIDE, DEAD, NOWHERE = "on-map", "beside", "casualties", "nowhere"
"""A piece lies on the map, beside the boards, in the casualties bin, or where nobody can tell."""


@dataclass(frozen=True)
class Spot:
    """Where a piece is: one of the four words, its Location, and what is doubtful about it."""

    where: str
    at: str = ""
    doubt: str = ""
    climbing: bool = False


@dataclass(frozen=True)
class Boards:
    """A save's boards on the campaign's map: what stands before the hexes of each."""

    map: HexMap
    prefixes: Mapping[str, str]
    rooms: Collection[str]
    """Locations that fortifications make."""

    def spot(self, piece: Piece, stack: Sequence[Piece] = ()) -> Spot:
        """Return where a piece is; `stack` are the pieces on top of one another with it."""
        if piece.map == CASUALTIES:
            return Spot(DEAD)
        if not piece.on_map:
            return Spot(NOWHERE)
        if not piece.place.known:
            return Spot(NOWHERE, doubt="a board's size is not known here, so neither is its hex")
        if piece.place.hex is None:
            return Spot(BESIDE)
        prefix = self.prefixes.get(piece.place.board or "")
        if prefix is None:
            what = f"board {piece.place.board} is not on the campaign's map"
            return Spot(NOWHERE, doubt=f"{what} ({piece.place.location})")
        name = f"{prefix}{piece.place.hex}"
        if name not in self.map:
            return Spot(NOWHERE, doubt=f"the campaign's map has no hex {name}")
        name = self.map.main(name)
        if name not in self.map.playable:
            return Spot(NOWHERE, doubt=f"{name} is not in play")
        return self._level(name, piece, stack)

    def _level(self, name: str, piece: Piece, stack: Sequence[Piece]) -> Spot:
        room = f"{name}.p"
        if room in self.rooms and _under_pillbox(piece, stack):
            return Spot(ON_MAP, room)
        level = piece.level
        if level is None or level.kind in ("entrenchment", "crest"):
            return Spot(ON_MAP, name)
        if level.kind == "climb":
            return Spot(ON_MAP, name, climbing=True)
        number = level.level or 0
        at = name if number == 0 else f"{name}.c" if number < 0 else f"{name}.{number}"
        if level.kind == "roof" or at not in self.map.locations(name):
            has = ", ".join(self.map.locations(name))
            return Spot(ON_MAP, name, f"{level.name}: {name} has no such Location ({has})")
        return Spot(ON_MAP, at)


class Stacks:
    """Which pieces lie on top of one another, bottom to top."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        found: dict[str, list[Piece]] = {}
        for piece in pieces:
            if piece.stack is not None:
                found.setdefault(piece.stack, []).append(piece)
        self._found = {stack: tuple(sorted(inside, key=lambda one: one.order or 0)) for stack, inside in found.items()}

    def of(self, piece: Piece) -> tuple[Piece, ...]:
        """Return all pieces of the stack in which a piece lies, itself too."""
        return (piece,) if piece.stack is None else self._found[piece.stack]


def _under_pillbox(piece: Piece, stack: Sequence[Piece]) -> bool:
    for other in stack:
        higher = (other.order or 0) > (piece.order or 0)
        if higher and other.kind is Kind.FORTIFICATION and other.unit.endswith(("Pillbox", "PTObox")):
            return True
    return False


def boards_of(laid: Sequence[Laid], map_: HexMap, rooms: Collection[str], file: str) -> Boards:
    """Return the boards of a save on the map. Raises DataError if none of them is on it."""
    known = {name.board for name in map(parse_name, _all_names(map_)) if name is not None}
    found: dict[str, str] = {}
    others: list[str] = []
    for board in laid:
        number = _NUMBER.fullmatch(board.name) or _NUMBER.fullmatch(board.code)
        if number and number[1] in known:
            found.setdefault(board.name, number[1])
        elif not number and board.name not in others:
            others.append(board.name)
    free = sorted(known - set(found.values()), key=lambda prefix: (len(prefix), prefix))
    free = [prefix for prefix in free if not prefix[:1].isdigit()]
    if len(others) == len(free):
        found.update(zip(others, free, strict=True))
    if not found:
        raise DataError([_wrong_map(laid, map_, known, file)])
    return Boards(map_, found, rooms)


def _all_names(map_: HexMap) -> list[str]:
    return [name for one in map_.hexes.values() for name in (one.name, *one.aliases)]


def _wrong_map(laid: Sequence[Laid], map_: HexMap, known: Collection[str], file: str) -> Problem:
    named = ", ".join(board.name for board in laid) or "none"
    numbers = ", ".join(sorted(prefix for prefix in known if prefix))
    right = f"a save on its boards ({numbers})" if numbers else "a save on its one board"
    return Problem(f"its boards ({named}) are not those of the map {map_.title}", right, file=file)


def board_doubts(laid: Sequence[Laid], map_: HexMap) -> list[str]:
    """Return what is doubtful about the boards, in sentences."""
    found = []
    origin = {_plain(name): name for name in _FROM.findall(map_.source_note)}
    for board in laid:
        if board.shape is None:
            found.append(f"board {board.name}: its size is not known here; name the folder of your boards")
        elif origin and origin.keys().isdisjoint({_plain(board.name), _plain(board.code)}):
            what = " and ".join(sorted(origin.values()))
            found.append(f"the map was made from {what}, the save lies on {board.name}")
    return found


def _plain(name: str) -> str:
    """Return the name of a board without leading zeros."""
    return name.lstrip("0").lower()
