"""Hexes as people write them: `C4`, `C4-C9` along a column, `C4-K4` along a row; lists and ways.

`listed` and `chain` read what is typed into any field for several hexes; `LIKE` and `LIKE_WAY` are
what such a field says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from laager.base import DataError, Problem
from laager.hexmap.coords import HexName, parse_name, sort_key

LIKE = "such as A1-A6, B2"
"""What a field for a list of hexes says of itself."""

LIKE_WAY = "from end to end, such as E4-F4-G5"
"""What a field for hexes one after the other says of itself."""

_BETWEEN = re.compile(r"[\s,;]+")
_DASH = re.compile(r"\s*[-–]\s*")


def words(text: str) -> list[str]:
    """Return the parts of a list: between them are commas, semicolons, blanks or line ends."""
    return [part for part in _BETWEEN.split(_DASH.sub("-", text)) if part]


def listed(text: str) -> list[str]:
    """Return the hex names in a list of hexes and ranges, in the order written.

    Says nothing of whether they are on a map. Raises DataError with every part that is neither a
    hex nor a range; none of its problems has a field.
    """
    try:
        return expand(words(text))
    except DataError as err:
        raise DataError([Problem(one.what, one.right) for one in err.problems]) from None


def chain(text: str) -> list[str]:
    """Return the names in a way, `E4-F4-G5` or `E4 F4 G5`; `C4-C1` is all hexes of the column.

    What is not a hex stays as it is written: whoever knows the map says what is wrong with it.
    """
    found: list[str] = []
    for word in words(text):
        stops = [stop for stop in word.split("-") if stop]
        found += stops[:1]
        for one, two in pairwise(stops):
            found += _straight(one, two) or [two]
    return found


def _straight(one: str, two: str) -> list[str]:
    """Return the hexes after one up to another along a column or row; none if they are on none."""
    try:
        return span(f"{one}-{two}")[1:]
    except DataError:
        return []


def expand(texts: Iterable[str]) -> list[str]:
    """Return the hex names in hexes and ranges, in the order written.

    Says nothing of whether they are on a map. Raises DataError with every text that is neither a
    hex nor a range.
    """
    found: list[str] = []
    problems: list[Problem] = []
    for i, text in enumerate(texts):
        try:
            found += span(text)
        except DataError as err:
            problems += [problem.inside(f"[{i + 1}]") for problem in err.problems]
    if problems:
        raise DataError(problems)
    return found


def span(text: str) -> list[str]:
    """Return the hex names in one hex or range. Raises DataError if it is neither."""
    parts = [parse_name(part.strip()) for part in text.split("-")]
    ends = [part for part in parts if part is not None]
    if len(parts) > 2 or len(ends) != len(parts):
        raise DataError([Problem(f"{text!r} is neither a hex nor a range of hexes", "write C4, or C4-C9, or C4-K4")])
    first, last = ends[0], ends[-1]
    if first.board == last.board and first.column == last.column:
        return [str(HexName(first.board, first.column, r)) for r in _run(first.row, last.row)]
    if first.board == last.board and first.row == last.row:
        run = _run(first.column, last.column)
        return [str(HexName(first.board, column, first.row)) for column in run]
    what = f"{text} is neither along a column nor along a row"
    raise DataError([Problem(what, "keep the letters or the number the same, as in C4-C9, C4-K4")])


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


def _run(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)
