"""Hex names, and the arithmetic of a flat-topped grid.

A hex is named by an optional board (`20`, `6a`), its column (A to Z, then AA, BB to ZZ, AAA ...)
and its row: `H7`, `AA3`, `20F5`. A Location is a hex name with a level behind a dot: `H7.1`,
`H7.c`; the plain hex name is the ground level.

Positions are axial: `q` counts columns from the west, `r` counts along a column such that
`2 * r + q` is the height of the hex centre in half hexes, growing to the south.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean

MAX_COLUMNS = 104
MAX_ROWS = 400
MAX_ROW = 999

_NAME = r"([0-9]{0,3})([a-z]{0,2})(([A-Z])\4{0,3})([0-9]{1,3})"
_HEX = re.compile(_NAME)
_LOCATION = re.compile(_NAME + r"(?:\.([0-9]{1,2}|[a-z][a-z0-9]{0,7}))?")

DIRECTIONS: dict[str, tuple[int, int]] = {
    "n": (0, -1),
    "ne": (1, -1),
    "se": (1, 0),
    "s": (0, 1),
    "sw": (-1, 1),
    "nw": (-1, 0),
}
"""The six hex grains, clockwise from north, as steps of (q, r)."""

NAME_CACHE_SIZE = 2**14
"""Names that are parsed once and kept: those of several maps; one page reads thousands."""

SortKey = tuple[int, int, int, str, int, int, str]


class HexName(NamedTuple):
    """The parts of a hex name: board ("" if there is none), column from 0, row."""

    board: str
    column: int
    row: int

    def __str__(self) -> str:
        return f"{self.board}{column_name(self.column)}{self.row}"


def column_name(number: int) -> str:
    """Return the letters of a column counted from 0: A, B ... Z, AA, BB ... ZZ, AAA ..."""
    if not 0 <= number < MAX_COLUMNS:
        raise ValueError(f"column {number} has no letters; columns run from 0 to {MAX_COLUMNS - 1}")
    return chr(ord("A") + number % 26) * (number // 26 + 1)


def column_number(letters: str) -> int | None:
    """Return the number of a column from 0, or None if the letters are none of a column."""
    known = letters.isascii() and letters.isupper() and len(letters) <= MAX_COLUMNS // 26
    return _column(letters) if known and len(set(letters)) == 1 else None


@lru_cache(NAME_CACHE_SIZE)
def parse_name(text: str) -> HexName | None:
    """Return the parts of a hex name, or None if the text is not one."""
    match = _HEX.fullmatch(text)
    if match is None:
        return None
    return HexName(match[1] + match[2], _column(match[3]), int(match[5]))


def _column(letters: str) -> int:
    return ord(letters[0]) - ord("A") + 26 * (len(letters) - 1)


def _match_location(location: str) -> re.Match[str]:
    match = _LOCATION.fullmatch(location)
    if match is None:
        raise RefusedError(
            Refusal.BAD_DATA,
            f"{location!r} is not a Location",
            "write a hex such as H7 or 20F5, with a level behind a dot if it is not the ground level: H7.1, H7.c",
        )
    return match


@lru_cache(NAME_CACHE_SIZE)
def split_location(text: str) -> tuple[str, str | None]:
    """Split a Location into its hex and its level (None for the ground level).

    Raises RefusedError (BAD_DATA) if the text is not a Location.
    """
    level: str | None = _match_location(text)[6]
    return (text, None) if level is None else (text[: -len(level) - 1], level)


@lru_cache(NAME_CACHE_SIZE)
def sort_key(text: str) -> SortKey:
    """Return the key of the stated order: column, row, board, level.

    Lists, and choices among equals, go by this order. Takes a hex or a Location; raises
    RefusedError (BAD_DATA) for other text.
    """
    number, suffix, letters, _, row, level = _match_location(text).groups()
    if level is None:
        rank = (0, 0, "")
    elif level.isdigit():
        rank = (1, int(level), "")
    else:
        rank = (2, 0, level)
    return (_column(letters), int(row), int(number or -1), suffix, *rank)


def hex_advice(name: str, known: Iterable[str]) -> str:
    """Return advice on a hex name that is not on a map with the known names."""
    parts = parse_name(name)
    names = [hex_name for hex_name in map(parse_name, known) if hex_name is not None]
    column = [hex_name for hex_name in names if parts and hex_name[:2] == parts[:2]]
    if column:
        return f"that column runs from {min(column)} to {max(column)}"
    if not names:
        return "it has no hexes"
    boards = {hex_name.board for hex_name in names}
    if len(boards) > 1:
        return did_you_mean(parts.board if parts else name, sorted(boards), "its boards are")
    return f"its hexes run from {min(names)} to {max(names)}"


def side_key(a: str, b: str) -> tuple[str, str]:
    """Return the name of the hexside between two hexes: both names in the stated order."""
    return (a, b) if sort_key(a) <= sort_key(b) else (b, a)


def axial_distance(dq: int, dr: int) -> int:
    """Return the number of hexes between two positions that differ by (dq, dr)."""
    return max(abs(dq), abs(dr), abs(dq + dr))


LIST_EXAMPLE = "such as A1-A6, B2"
"""Example in a field for a list of hexes."""

WAY_EXAMPLE = "from end to end, such as E4-F4-G5"
"""Example in a field for hexes one after the other."""

_BETWEEN = re.compile(r"[\s,;]+")
_DASH = re.compile(r"\s*[-–]\s*")


def split_list(text: str) -> list[str]:
    """Return the parts of a list that is separated by commas, semicolons, blanks or line ends."""
    return [part for part in _BETWEEN.split(_DASH.sub("-", text)) if part]


def parse_hex_list(text: str) -> list[str]:
    """Return the hex names in a list of hexes and ranges, in the order written.

    Says nothing of whether they are on a map. Raises DataError with every part that is neither a
    hex nor a range; none of its problems has a field.
    """
    try:
        return expand_ranges(split_list(text))
    except DataError as err:
        raise DataError([Problem(problem.what, problem.right) for problem in err.problems]) from None


def parse_way(text: str) -> list[str]:
    """Return the names in a way, `E4-F4-G5` or `E4 F4 G5`; `C4-C1` is all hexes of the column.

    A word that isn't a hex is returned as written; the caller, who knows the map, refuses it.
    """
    names: list[str] = []
    for word in split_list(text):
        stops = [stop for stop in word.split("-") if stop]
        names += stops[:1]
        for start, end in pairwise(stops):
            names += _hexes_after(start, end) or [end]
    return names


def _hexes_after(start: str, two: str) -> list[str]:
    """Return the hexes after `start` up to `end` along a column or row; none if they share neither."""
    try:
        return parse_range(f"{start}-{two}")[1:]
    except DataError:
        return []


def expand_ranges(texts: Iterable[str], *, areas: bool = False) -> list[str]:
    """Return the hex names in hexes and ranges, in the order written; with `areas` also in rectangles.

    Says nothing of whether they are on a map. Raises DataError with every text that is neither a
    hex nor a range.
    """
    names: list[str] = []
    problems: list[Problem] = []
    for i, text in enumerate(texts):
        try:
            names += parse_range(text, areas=areas)
        except DataError as err:
            problems += [problem.inside(f"[{i + 1}]") for problem in err.problems]
    if problems:
        raise DataError(problems)
    return names


def parse_range(text: str, *, areas: bool = False) -> list[str]:
    """Return the hex names in one hex or range. Raises DataError if it is neither.

    With `areas` two corners stand for the rectangle between them, `A1-D5`.
    """
    parts = [parse_name(part.strip()) for part in text.split("-")]
    ends = [part for part in parts if part is not None]
    if len(parts) > 2 or len(ends) != len(parts):
        raise DataError([Problem(f"{text!r} is neither a hex nor a range of hexes", "write C4, or C4-C9, or C4-K4")])
    first, last = ends[0], ends[-1]
    if first.board == last.board and first.column == last.column:
        return [str(HexName(first.board, first.column, r)) for r in _inclusive_range(first.row, last.row)]
    if first.board == last.board and first.row == last.row:
        run = _inclusive_range(first.column, last.column)
        return [str(HexName(first.board, column, first.row)) for column in run]
    if areas and first.board == last.board:
        columns, rows = _inclusive_range(first.column, last.column), _inclusive_range(first.row, last.row)
        return [str(HexName(first.board, column, row)) for column in columns for row in rows]
    problem = f"{text} is neither along a column nor along a row"
    raise DataError([Problem(problem, "keep the letters or the number the same, as in C4-C9, C4-K4")])


def as_ranges(hexes: Iterable[str]) -> str:
    """Return hexes as a list of ranges along the columns: `A1-A4, B0, B2-B3`."""
    runs: list[list[str]] = []
    for name in sorted(hexes, key=sort_key):
        here, last = parse_name(name), parse_name(runs[-1][-1]) if runs else None
        assert here is not None, "these are hexes of the map"
        follows = last is not None and (last.board, last.column, last.row + 1) == (here.board, here.column, here.row)
        if follows:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _inclusive_range(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)
