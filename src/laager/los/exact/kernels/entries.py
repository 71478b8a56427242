"""The functions that Python calls: for all pairs of Locations, in a byte each, or for single pairs, in rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from laager.los.exact import fields as f
from laager.los.exact.compiled import entry, kernel, part, sources
from laager.los.exact.kernels.points import Arrays, State
from laager.los.exact.kernels.shortcuts import walk_along, walk_short
from laager.los.exact.kernels.start import restart, same_hex, set_line, set_source, set_target
from laager.los.exact.kernels.walk import walk_all

NO_CODES = np.zeros((0, 0), np.uint8)
NO_ROWS = np.zeros((0, f.OUT_FIELDS), np.int64), np.zeros((0, 0, 2), np.int64)
"""Handed over for the kind of answer that isn't asked for: `codes`, and `out` with `tables`."""


@part
def look(m: Arrays, s: State, table: State, source: int, target: int, short: bool) -> None:
    """Look from one Location to another; the answer is in the state, as `source` is. `short`: take the short cuts."""
    set_target(m, s, target)
    if source == target or _other_vertex(s, source, target):
        return
    if (s[f.SOURCE_FLAGS] | s[f.TARGET_FLAGS]) & f.UNKNOWN:
        s[f.FAILED] = 1
        return
    if s[f.SOURCE_HEX] == s[f.TARGET_HEX] and (s[f.SOURCE_CENTRE] or s[f.TARGET_CENTRE]):
        same_hex(m, s, source)
        return
    set_line(m, s)
    s[f.EASY] = short and _easy(m, s)
    every = not (short and _plain(m, s))
    if not every and s[f.ALONG]:
        walk_along(m, s, table)
        # What was skipped may only have ended the continuous slope.
        every = s[f.SKIPPED] != 0 and s[f.CONTINUOUS] != 0 and not (s[f.RULE] or s[f.FAILED] or s[f.OVER])
        if every:
            s[f.HINDRANCE], s[f.COUNTED] = 0, 0
            restart(m, s)
    elif not every:
        walk_short(m, s, table)
    if every:
        walk_all(m, s, table)
    if s[f.RULE] or s[f.FAILED] or s[f.OVER]:
        s[f.CONTINUOUS] = 0


@kernel
def _other_vertex(s: State, source: int, target: int) -> bool:
    """Return True for the two vertices of one hexside in bypass: to VASL they are one Location."""
    bypass = not (s[f.SOURCE_CENTRE] or s[f.TARGET_CENTRE])
    return bypass and s[f.SOURCE_HEX] == s[f.TARGET_HEX] and abs(source - target) == f.VERTICES_APART


@kernel
def _easy(m: Arrays, s: State) -> bool:
    """Return True for a line between centres without rooftops, cellars, hillocks, slopes, and not along hexsides."""
    if not (s[f.SOURCE_CENTRE] and s[f.TARGET_CENTRE]) or (s[f.SOURCE_FLAGS] | s[f.TARGET_FLAGS]) & (
        f.ROOFTOP | f.CELLAR
    ):
        return False
    return not (s[f.ALONG] or s[f.START_HILL] or s[f.END_HILL] or m.whole[f.HILLOCKS])


@kernel
def _plain(m: Arrays, s: State) -> bool:
    """Return True if the short cuts hold: no hillocks or embankments, both ends in the picture.

    Nor a line along hexsides that leaves or enters a depression.
    """
    if m.whole[f.HILLOCKS] or m.whole[f.EMBANKMENTS] or (s[f.ALONG] and (s[f.EXITS] or s[f.ENTERS])):
        return False
    wide, high = m.whole[f.WIDTH], m.whole[f.HEIGHT]
    return bool(
        0 <= s[f.SOURCE_X] < wide
        and 0 <= s[f.SOURCE_Y] < high
        and 0 <= s[f.TARGET_X] < wide
        and 0 <= s[f.TARGET_Y] < high
    )


@part
def _answer_byte(s: State) -> int:
    """Return what is known of a line in one byte."""
    if s[f.FAILED]:
        return f.BYTE_NO_ANSWER
    answer = s[f.HINDRANCE]
    if s[f.RULE]:
        answer |= f.BYTE_BLOCKED
    if s[f.CONTINUOUS]:
        answer |= f.BYTE_SLOPE
    return answer


@part
def _write_row(s: State, table: State, i: int, out: State, tables: State) -> None:
    """Write all that is known of a line."""
    out[i, f.O_STATUS] = f.NO_ANSWER if s[f.FAILED] else (f.BLOCKED if s[f.RULE] else f.CLEAR)
    out[i, f.O_X], out[i, f.O_Y], out[i, f.O_RULE] = s[f.BLOCK_X], s[f.BLOCK_Y], s[f.RULE]
    out[i, f.O_HINDRANCE], out[i, f.O_RANGE] = s[f.HINDRANCE], s[f.RANGE]
    out[i, f.O_SLOPE] = s[f.CONTINUOUS]
    if tables.shape[0] and s[f.COUNTED]:
        for away in range(s[f.RANGE] + 1):
            tables[i, away, 0], tables[i, away, 1] = table[away, 0], table[away, 1]


def _make_entry(version: int) -> Callable[..., Any]:
    """Return the function that Python calls. `version` is part of its name in Numba's cache on disk."""

    # One function for both: each that Python calls takes seconds to compile, with all that it calls.
    def run(
        m: Arrays, s: State, table: State, sources: State, targets: State,
        codes: State, out: State, tables: State, short: bool,
    ) -> int:  # fmt: skip
        """Look from each source to each target: `codes` (source, target) has a byte for each pair.

        If `out` (pair, field) has rows, look from each source to the target of the same number instead; `tables`
        (pair, range, 2) holds the hindrances if it isn't empty.
        """
        paired = out.shape[0] > 0
        for i in range(sources.shape[0]):
            set_source(m, s, sources[i])
            first, last = (i, i + 1) if paired else (0, targets.shape[0])
            for j in range(first, last):
                look(m, s, table, sources[i], targets[j], short)
                if paired:
                    _write_row(s, table, i, out, tables)
                else:
                    codes[i, j] = _answer_byte(s)
        return version

    return entry(run)


run = _make_entry(sources())
