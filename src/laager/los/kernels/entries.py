"""What Python calls: pairs of Locations with all that is known of them, or from some to others in a byte each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from laager.los import fields as f
from laager.los.compiled import entry, kernel, sources
from laager.los.kernels.points import Arrays, State
from laager.los.kernels.shortcuts import walk_along, walk_short
from laager.los.kernels.start import restart, same_hex, set_line, set_source, set_target
from laager.los.kernels.walk import walk_all


@kernel
def look(m: Arrays, s: State, table: State, source: int, target: int, short: bool) -> None:
    """Look from one Location to another; the answer is in the state, as `source` is. `short`: take the short cuts."""
    set_target(m, s, target)
    if (s[f.S_FLAGS] | s[f.T_FLAGS]) & f.UNKNOWN:
        s[f.FAILED] = source != target
        return
    if source == target:
        return
    if s[f.SRC] == s[f.TGT] and (s[f.S_CENTRE] or s[f.T_CENTRE]):
        same_hex(m, s)
        return
    set_line(m, s)
    s[f.EASY] = short and _easy(m, s)
    if not (short and _plain(m, s)):
        walk_all(m, s, table)
    elif s[f.ALONG]:
        walk_along(m, s, table)
        # What was skipped may only have ended the continuous slope.
        if s[f.SKIPPED] and s[f.CONT] and not (s[f.RULE] or s[f.FAILED] or s[f.OVER]):
            s[f.HINDRANCE], s[f.COUNTED] = 0, 0
            restart(m, s)
            walk_all(m, s, table)
    else:
        walk_short(m, s, table)
    if s[f.RULE] or s[f.FAILED] or s[f.OVER]:
        s[f.CONT] = 0


@kernel
def _easy(m: Arrays, s: State) -> bool:
    """Return True for a line between centres without rooftops, cellars, hillocks, slopes, and not along hexsides."""
    if not (s[f.S_CENTRE] and s[f.T_CENTRE]) or (s[f.S_FLAGS] | s[f.T_FLAGS]) & (f.ROOFTOP | f.CELLAR):
        return False
    return not (s[f.ALONG] or s[f.START_HILL] or s[f.END_HILL] or m.whole[f.HILLOCKS])


@kernel
def _plain(m: Arrays, s: State) -> bool:
    """Return True if the short cuts hold: no depression, hillocks or embankments, both ends in the picture."""
    if s[f.EXITS] or s[f.ENTERS] or m.whole[f.HILLOCKS] or m.whole[f.EMBANKMENTS]:
        return False
    wide, high = m.whole[f.WIDTH], m.whole[f.HEIGHT]
    return bool(0 <= s[f.SX] < wide and 0 <= s[f.SY] < high and 0 <= s[f.TX] < wide and 0 <= s[f.TY] < high)


def _compiled(version: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the two functions that Python calls. `version` is part of their name in Numba's cache on disk."""

    def pairs(m: Arrays, s: State, table: State, asked: State, out: State, tables: State, short: bool) -> int:
        """Look at each of some pairs. `tables` (pair, range, 2) holds the hindrances if it isn't empty."""
        for i in range(asked.shape[0]):
            set_source(m, s, asked[i, 0])
            look(m, s, table, asked[i, 0], asked[i, 1], short)
            out[i, f.O_STATUS] = f.NO_ANSWER if s[f.FAILED] else (f.BLOCKED if s[f.RULE] else f.CLEAR)
            out[i, f.O_X], out[i, f.O_Y], out[i, f.O_RULE] = s[f.BX], s[f.BY], s[f.RULE]
            out[i, f.O_HINDRANCE], out[i, f.O_RANGE] = s[f.HINDRANCE], s[f.R]
            out[i, f.O_SLOPE] = s[f.CONT]
            if tables.shape[0] and s[f.COUNTED]:
                for away in range(s[f.R] + 1):
                    tables[i, away, 0], tables[i, away, 1] = table[away, 0], table[away, 1]
        return version

    def fans(m: Arrays, s: State, table: State, sources: State, targets: State, out: State) -> int:
        """Look from each of some Locations to each of others; a byte for each pair."""
        for i in range(sources.shape[0]):
            set_source(m, s, sources[i])
            for j in range(targets.shape[0]):
                look(m, s, table, sources[i], targets[j], True)
                said = s[f.HINDRANCE]
                if s[f.RULE]:
                    said |= f.BYTE_BLOCKED
                if s[f.CONT]:
                    said |= f.BYTE_SLOPE
                if s[f.FAILED]:
                    said = f.BYTE_NO_ANSWER
                out[i, j] = said
        return version

    return entry(pairs), entry(fans)


pairs, fans = _compiled(sources())
