"""Stacks: who lies with whom, and what the counters in a stack tell of the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from laager.base import DataError, Problem
from laager.vasl.saves.counters import UNITS, Kind, markers, plain
from laager.vasl.saves.game import Piece, Stack, StackLevel
from laager.vasl.saves.sequence import MAX_PIECES, Added, decode
from laager.vasl.saves.traits import position

_BUILDING = re.compile(r"(?:Building|Fort Bldg|Strongpoint) (?:(Ground Level)|(Cellar)|Level ([1-9])|(Roof Level))")
_DUG = re.compile(r"[1-9]S (?:Soft Sand )?Foxhole(?: Sand| BRT)?|Trench|A-T Ditch")
_CREST = re.compile(r"Crest(?: ca[1-6])?")
_CLIMB = re.compile(r"Climb (-?[0-9]): 1(?: ca[1-6])?")
_BRT = "Trench BRT"


@dataclass(frozen=True)
class _Sign:
    """A counter that tells a location; `above` says where those lie that are in it."""

    level: StackLevel
    above: bool


def sign_of(name: str) -> _Sign | None:
    """Return what location a counter tells by its name, or None."""
    name = name.strip()
    found = _BUILDING.fullmatch(name)
    if found:
        ground, cellar, upper, roof = found.groups()
        if roof:
            return _Sign(StackLevel(name, "roof"), above=True)
        number = 0 if ground else -1 if cellar else int(upper)
        return _Sign(StackLevel(name, "building", number), above=True)
    if name.startswith(_BRT):
        return _Sign(StackLevel(name, "entrenchment", 0), above=True)
    if _DUG.fullmatch(name):
        return _Sign(StackLevel(name, "entrenchment"), above=False)
    if _CREST.fullmatch(name):
        return _Sign(StackLevel(name, "crest"), above=True)
    found = _CLIMB.fullmatch(name)
    if found:
        return _Sign(StackLevel(name, "climb", int(found[1])), above=True)
    return None


def read_stacks(
    added: Sequence[Added], pieces: Container[str], clean: Callable[[str], str]
) -> tuple[tuple[Stack, ...], int]:
    """Return the stacks of `pieces`, and how many stacks have none. Raises DataError.

    `clean` makes the name of a map fit to show.
    """
    found = []
    seen: set[str] = set()
    for one in added:
        fields = decode(one.state, ";", MAX_PIECES)
        inside = tuple(piece for piece in fields[3:] if piece in pieces)
        if not inside:
            continue
        at = position(fields)
        on = None if at.map is None else clean(at.map)
        if not seen.isdisjoint(inside) or len(set(inside)) != len(inside):
            raise DataError([Problem("has a piece in two stacks at once")])
        seen.update(inside)
        found.append(Stack(one.id, on, at.x, at.y, inside))
    return tuple(found), len(added) - len(found)


def settled(pieces: Mapping[str, Piece], stacks: Sequence[Stack]) -> dict[str, Piece]:
    """Return the pieces with what their stacks tell: position, order, level and status."""
    found = dict(pieces)
    for stack in stacks:
        inside = [found[one] for one in stack.pieces if one in found]
        for order, piece in enumerate(_told(inside)):
            found[piece.id] = replace(piece, stack=stack.id, order=order, map=stack.map, x=stack.x, y=stack.y)
    for piece in found.values():
        if piece.stack is None:
            sign = sign_of(piece.name)
            if sign:
                found[piece.id] = replace(piece, level=replace(sign.level, itself=True))
    return found


def _told(inside: list[Piece]) -> list[Piece]:
    """Return the pieces of a stack, bottom to top, with levels and status."""
    signs = [sign_of(piece.name) for piece in inside]
    levels = _levels(signs)
    certain, perhaps = _statuses(inside)
    return [
        replace(
            piece,
            level=level,
            status=_once((*piece.status, *sure)),
            perhaps=_once(one for one in maybe if one not in (*piece.status, *sure)),
        )
        for piece, level, sure, maybe in zip(inside, levels, certain, perhaps, strict=True)
    ]


def _levels(signs: list[_Sign | None]) -> list[StackLevel | None]:
    """Return the location of each place in a stack, bottom to top."""
    below: list[StackLevel | None] = []
    latest: StackLevel | None = None
    for sign in signs:
        if sign and sign.above:
            latest = sign.level
        below.append(latest)
    over: list[StackLevel | None] = []
    nearest: StackLevel | None = None
    for sign in reversed(signs):
        if sign and not sign.above:
            nearest = sign.level
        over.append(nearest)
    return [
        replace(sign.level, itself=True) if sign else under or above
        for sign, under, above in zip(signs, below, reversed(over), strict=True)
    ]


def _statuses(inside: list[Piece]) -> tuple[list[list[str]], list[list[str]]]:
    """Return for each piece what counters right above it tell, and what those higher up may."""
    certain: list[list[str]] = [[] for _ in inside]
    perhaps: list[list[str]] = [[] for _ in inside]
    higher: list[str] = []
    direct: list[str] = []
    for number in range(len(inside) - 1, -1, -1):
        piece = inside[number]
        status = markers().get(plain(piece.unit).strip())
        if status and piece.kind not in UNITS:
            direct.insert(0, status)
        elif piece.kind in UNITS:
            certain[number], perhaps[number] = direct, list(higher)
            higher = list(_once((*direct, *higher)))
            direct = []
        elif piece.kind not in (Kind.CONCEALMENT, Kind.CLOAK):
            # A location counter or the like: what lies above it is about no one below.
            higher = list(_once((*direct, *higher)))
            direct = []
    return certain, perhaps


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
