"""Stacks: the pieces in each, and the level and status that counters in a stack give the others."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from laager.base import DataError, Problem
from laager.vasl.saves.counters import UNITS, CounterKind, status_by_marker, without_status
from laager.vasl.saves.game import Piece, Stack, StackLevel
from laager.vasl.saves.sequence import MAX_PIECES, AddCommand, decode
from laager.vasl.saves.traits import parse_position

_BUILDING = re.compile(r"(?:Building|Fort Bldg|Strongpoint) (?:(Ground Level)|(Cellar)|Level ([1-9])|(Roof Level))")
_ENTRENCHMENT = re.compile(r"[1-9]S (?:Soft Sand )?Foxhole(?: Sand| BRT)?|Trench|A-T Ditch")
_CREST = re.compile(r"Crest(?: ca[1-6])?")
_CLIMB = re.compile(r"Climb (-?[0-9]): 1(?: ca[1-6])?")
_BRT = "Trench BRT"


@dataclass(frozen=True)
class _LocationCounter:
    """A counter that stands for a location; `above`: the pieces in that location lie above it."""

    level: StackLevel
    above: bool


def sign_of(name: str) -> _LocationCounter | None:
    """Return the location for which a counter stands, by its name, or None."""
    name = name.strip()
    match = _BUILDING.fullmatch(name)
    if match:
        ground, cellar, upper, roof = match.groups()
        if roof:
            return _LocationCounter(StackLevel(name, "roof"), above=True)
        number = 0 if ground else -1 if cellar else int(upper)
        return _LocationCounter(StackLevel(name, "building", number), above=True)
    if name.startswith(_BRT):
        return _LocationCounter(StackLevel(name, "entrenchment", 0), above=True)
    if _ENTRENCHMENT.fullmatch(name):
        return _LocationCounter(StackLevel(name, "entrenchment"), above=False)
    if _CREST.fullmatch(name):
        return _LocationCounter(StackLevel(name, "crest"), above=True)
    match = _CLIMB.fullmatch(name)
    if match:
        return _LocationCounter(StackLevel(name, "climb", int(match[1])), above=True)
    return None


def read_stacks(
    added: Sequence[AddCommand], pieces: Container[str], clean: Callable[[str], str]
) -> tuple[tuple[Stack, ...], int]:
    """Return the stacks of `pieces`, and how many stacks have none. Raises DataError.

    `clean` makes the name of a map fit to show.
    """
    stacks = []
    placed: set[str] = set()
    for stack in added:
        fields = decode(stack.state, ";", MAX_PIECES)
        inside = tuple(piece for piece in fields[3:] if piece in pieces)
        if not inside:
            continue
        at = parse_position(fields)
        map_name = None if at.map is None else clean(at.map)
        if not placed.isdisjoint(inside) or len(set(inside)) != len(inside):
            raise DataError([Problem("has a piece in two stacks at once")])
        placed.update(inside)
        stacks.append(Stack(stack.id, map_name, at.x, at.y, inside))
    return tuple(stacks), len(added) - len(stacks)


def apply_stacks(pieces: Mapping[str, Piece], stacks: Sequence[Stack]) -> dict[str, Piece]:
    """Return the pieces with position, order, level and status from their stacks."""
    by_id = dict(pieces)
    for stack in stacks:
        inside = [by_id[id_] for id_ in stack.pieces if id_ in by_id]
        for order, piece in enumerate(_with_levels_and_status(inside)):
            by_id[piece.id] = replace(piece, stack=stack.id, order=order, map=stack.map, x=stack.x, y=stack.y)
    for piece in by_id.values():
        if piece.stack is None:
            sign = sign_of(piece.name)
            if sign:
                by_id[piece.id] = replace(piece, level=replace(sign.level, itself=True))
    return by_id


def _with_levels_and_status(inside: list[Piece]) -> list[Piece]:
    """Return the pieces of a stack, bottom to top, with levels and status."""
    signs = [sign_of(piece.name) for piece in inside]
    levels = _levels(signs)
    certain, perhaps = _statuses(inside)
    return [
        replace(
            piece,
            level=level,
            status=_unique((*piece.status, *sure)),
            perhaps=_unique(status for status in maybe if status not in (*piece.status, *sure)),
        )
        for piece, level, sure, maybe in zip(inside, levels, certain, perhaps, strict=True)
    ]


def _levels(signs: list[_LocationCounter | None]) -> list[StackLevel | None]:
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
    """Return for each piece the status by counters right above it, and the status perhaps meant by higher ones."""
    certain: list[list[str]] = [[] for _ in inside]
    perhaps: list[list[str]] = [[] for _ in inside]
    higher: list[str] = []
    direct: list[str] = []
    for number in range(len(inside) - 1, -1, -1):
        piece = inside[number]
        status = status_by_marker().get(without_status(piece.unit).strip())
        if status and piece.kind not in UNITS:
            direct.insert(0, status)
        elif piece.kind in UNITS:
            certain[number], perhaps[number] = direct, list(higher)
            higher = list(_unique((*direct, *higher)))
            direct = []
        elif piece.kind not in (CounterKind.CONCEALMENT, CounterKind.CLOAK):
            # A location counter or the like: what lies above it is about no one below.
            higher = list(_unique((*direct, *higher)))
            direct = []
    return certain, perhaps


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))
