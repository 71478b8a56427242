"""Ranges of hexes as people write them: `C4`, `C4-C9` along a column, `C4-K4` along a row."""

from __future__ import annotations

from collections.abc import Iterable

from laager.base import DataError, Problem
from laager.hexmap.coords import HexName, parse_name, sort_key


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
        what = f"{text!r} is neither a hex nor a range of hexes"
        raise DataError([Problem(what, "write C4, or C4-C9, or C4-K4")])
    first, last = ends[0], ends[-1]
    if first.board == last.board and first.column == last.column:
        return [str(HexName(first.board, first.column, r)) for r in _run(first.row, last.row)]
    if first.board == last.board and first.row == last.row:
        run = _run(first.column, last.column)
        return [str(HexName(first.board, column, first.row)) for column in run]
    what = f"{text} is neither along a column nor along a row"
    right = "keep the letters or the number the same, as in C4-C9, C4-K4"
    raise DataError([Problem(what, right)])


def as_ranges(hexes: Iterable[str]) -> str:
    """Return hexes as a list of ranges along the columns: `A1-A4, B0, B2-B3`."""
    runs: list[list[str]] = []
    for name in sorted(hexes, key=sort_key):
        here, last = parse_name(name), parse_name(runs[-1][-1]) if runs else None
        assert here is not None, "these are hexes of the map"
        follows = last is not None and (last.board, last.column, last.row + 1) == (
            here.board,
            here.column,
            here.row,
        )
        if follows:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _run(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)
