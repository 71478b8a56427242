"""Questions about lines of sight on a map with terrain data, answered as VASL answers them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import cpu_count, environ
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from laager.los.exact import fields as f
from laager.los.exact.compiled import UNCOMPILED, as_plain_python, has_numba
from laager.los.exact.deviations import BOTH_WAYS
from laager.los.exact.kernels import entries
from laager.los.exact.losmap import LosMap
from laager.los.exact.readiness import compile_now, is_worth_compiling, need_numba, ready
from laager.los.exact.rulenames import RULES
from laager.los.exact.tables import read_pairs
from laager.los.result import Hindrance, Location, LosResult, Point

Bytes = NDArray[np.uint8]

NO_ANSWER = "VASL gives no answer"
SHARE = 32
"""Sources that a thread takes at a time; of a single one it takes a few hundred targets."""
AT_ONCE = min(4, cpu_count() or 1)
"""Threads that look from a single Location."""
_FAILS = "it fails on this line"


class Glance(NamedTuple):
    """A Location as it is seen from another one: `clear` is None where there is no answer."""

    target: Location
    clear: bool | None
    hindrance: int


@dataclass(frozen=True, eq=False)
class Viewshed:
    """The view from a Location, Location by Location of the map.

    `codes` has a byte for each: the hindrance in the lowest three bits, then flags for blocked (8), a continuous slope
    (16) and no answer (32).
    """

    map: LosMap
    source: Location
    codes: Bytes

    def __iter__(self) -> Iterator[Glance]:
        for target, code in zip(self.map.locations, self.codes.tolist(), strict=True):
            yield _glance(target, code)

    @cached_property
    def ground(self) -> Mapping[str, Glance]:
        """The ground Location of each hex, by the hex's name."""
        firsts = self.map.firsts[:-1].tolist()
        codes = self.codes[firsts].tolist()
        locations = self.map.locations
        return {locations[i].hex: _glance(locations[i], code) for i, code in zip(firsts, codes, strict=True)}

    @property
    def seen(self) -> tuple[Location, ...]:
        """The Locations to which the line is clear, hindered or not."""
        clear = (self.codes & (f.BYTE_BLOCKED | f.BYTE_NO_ANSWER)) == 0
        return tuple(self.map.locations[i] for i in np.flatnonzero(clear))


def _glance(target: Location, code: int) -> Glance:
    clear = None if code & f.BYTE_NO_ANSWER else not code & f.BYTE_BLOCKED
    return Glance(target, clear, code & 7)


def sight(on: LosMap, source: Location | str, target: Location | str) -> LosResult:
    """Return whether there is LOS from one Location to another, asked in that direction.

    Without Numba, or before anybody has compiled the engine, this takes milliseconds instead of microseconds. Raises
    DataError for a Location that the map doesn't have.
    """
    return sights(on, [(source, target)])[0]


def sights(on: LosMap, pairs: Iterable[tuple[Location | str, Location | str]]) -> tuple[LosResult, ...]:
    """Return the LOS of several pairs, each asked in its direction. Raises DataError for an unknown Location."""
    places = np.array([(on.place(a), on.place(b)) for a, b in pairs], np.int64).reshape(-1, 2)
    rows, tables = raw(on, places, tables=True)
    forward = [_make_result(on, ends, out, table) for ends, out, table in zip(places, rows, tables, strict=True)]
    if BOTH_WAYS not in on.deviations:
        return tuple(forward)
    back, tables = raw(on, places[:, ::-1].copy(), tables=True)
    other = [_make_result(on, ends, out, table) for ends, out, table in zip(places[:, ::-1], back, tables, strict=True)]
    return tuple(_worse(first, second) for first, second in zip(forward, other, strict=True))


def _worse(first: LosResult, other: LosResult) -> LosResult:
    """Return the answer that lets less be seen, in the direction that was asked."""
    if first.clear is None or other.clear is None:
        return first if first.clear is None else replace(other, source=first.source, target=first.target)
    if first.clear != other.clear:
        worse = other if first.clear else first
    else:
        worse = other if other.clear and other.hindrance > first.hindrance else first
    return replace(worse, source=first.source, target=first.target)


def raw(
    on: LosMap, asked: NDArray[np.int64], *, short: bool = True, tables: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what the kernels say of pairs of places: rows as `fields.O_...` name them, and the hindrances by range.

    `asked` (pair, 2) are numbers of places. `short` off looks at every pixel, to test the short cuts. A few lines are
    looked along uncompiled if the engine isn't ready.
    """
    count = len(asked)
    run = entries.run
    if not ready() and not is_worth_compiling(count):
        run = as_plain_python(run)
    else:
        compile_now()
    state, table = _empty_state(on)
    out = np.zeros((count, f.OUT_FIELDS), np.int64)
    shape = (count, len(table), 2) if tables else (0, 0, 2)
    by_range = np.zeros(shape, np.int64)
    run(on.arrays, state, table, *asked.T.copy(), entries.NO_CODES, out, by_range, short)
    return out, by_range


def _empty_state(on: LosMap) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.zeros(f.STATE, np.int64), np.zeros((on.grid.columns + on.grid.rows + 2, 2), np.int64)


def _make_result(on: LosMap, ends: NDArray[np.int64], out: NDArray[np.int64], table: NDArray[np.int64]) -> LosResult:
    source, target = on.location_of(int(ends[0])), on.location_of(int(ends[1]))
    status, x, y, rule, hindrance, away, slope = out.tolist()
    reason = on.reason_unanswered(int(ends[0]), int(ends[1]))
    if reason or status == f.NO_ANSWER:
        reason_given = f"{NO_ANSWER}: {reason or _FAILS}"
        return LosResult(source, target, None, away, reason=reason_given, deviations=on.deviations)
    hindrances = tuple(Hindrance(on.names[number], drm) for drm, number in table[: away + 1].tolist() if drm)
    block = Point(on.hex_at(x, y), x, y) if rule else None
    return LosResult(
        *(source, target, status == f.CLEAR, away, RULES[rule].number, RULES[rule].words, block),
        *(hindrance, hindrances, bool(slope)),
        deviations=on.deviations,
    )


def viewshed(on: LosMap, source: Location | str) -> Viewshed:
    """Return what a Location sees: all other Locations of the map, in that direction.

    Raises DataError if the map doesn't have the Location, RefusedError (NOT_INSTALLED) if Numba is missing.
    """
    number = on.place(source)
    codes = fans(on, np.array([number], np.int64), threads=AT_ONCE)[0]
    return Viewshed(on, on.location_of(number), codes)


def all_pairs(
    on: LosMap, sources: Sequence[Location | str] | None = None, *, hexes: bool = False, threads: int = 1
) -> Bytes:
    """Return the LOS from Locations (all, or `sources`) to all: bytes (source, target) as in `Viewshed.codes`.

    `hexes` takes the ground Location of each hex instead of all Locations. Raises DataError for an unknown Location,
    RefusedError (NOT_INSTALLED) if Numba is missing.
    """
    targets = on.firsts[:-1] if hexes else np.arange(len(on.locations))
    chosen = targets if sources is None else np.array([on.place(source) for source in sources], np.int64)
    return fans(on, chosen, targets, threads)


def fans(on: LosMap, sources: NDArray[np.int64], targets: NDArray[np.int64] | None = None, threads: int = 1) -> Bytes:
    """Return the same between places by their numbers; without `targets` to all Locations.

    Read from the map's table where there is one (`tables`), else looked along.
    """
    if targets is None:
        targets = np.arange(len(on.locations))
    return read_pairs(on, sources, targets, partial(compute_fans, on, threads=threads))


def compute_fans(on: LosMap, sources: NDArray[np.int64], targets: NDArray[np.int64], threads: int = 1) -> Bytes:
    """Look from places to places, whatever table there is. Raises RefusedError (NOT_INSTALLED) if Numba is missing."""
    if not has_numba() and not environ.get(UNCOMPILED):
        need_numba()
    compile_now()
    out = _compute_in_shares(on, sources, targets, threads)
    if BOTH_WAYS in on.deviations:
        back = _compute_in_shares(on, targets, sources, threads).T
        worst = np.maximum(out & 7, back & 7) | (out & f.BYTE_SLOPE) | ((out | back) & f.BYTE_BLOCKED)
        out = np.where((out | back) & f.BYTE_NO_ANSWER, np.uint8(f.BYTE_NO_ANSWER), worst)
    if on.silent:
        out[:] = f.BYTE_NO_ANSWER
    elif on.unclear:
        _take_back_answers(on, sources, targets, out)
    return out


def _compute_in_shares(on: LosMap, sources: NDArray[np.int64], targets: NDArray[np.int64], threads: int) -> Bytes:
    # Numbers that lie apart in memory would be another type to Numba, and compiled for anew.
    sources, targets = np.ascontiguousarray(sources), np.ascontiguousarray(targets)
    out = np.zeros((len(sources), len(targets)), np.uint8)

    def compute_part(part: tuple[slice, slice]) -> None:
        part_sources, part_targets = part
        codes = np.zeros((len(sources[part_sources]), len(targets[part_targets])), np.uint8)
        entries.run(
            on.arrays, *_empty_state(on), sources[part_sources], targets[part_targets], codes, *entries.NO_ROWS, True
        )
        out[part] = codes

    # Small shares: sources in open country take longer than those in woods.
    step = max(200, len(targets) // (4 * threads)) if len(sources) == 1 else max(1, len(targets))
    parts = [(a, b) for a in _shares(len(sources), SHARE) for b in _shares(len(targets), step)]
    if threads == 1 or len(parts) == 1:
        for part in parts:
            compute_part(part)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(compute_part, parts))
    return out


def _shares(count: int, share: int) -> list[slice]:
    return [slice(i, i + share) for i in range(0, count, share)]


def _take_back_answers(on: LosMap, sources: NDArray[np.int64], targets: NDArray[np.int64], out: Bytes) -> None:
    """Take the answers back that VASL doesn't give."""
    for i, source in enumerate(sources.tolist()):
        for j, target in enumerate(targets.tolist()):
            if on.reason_unanswered(source, target):
                out[i, j] = f.BYTE_NO_ANSWER
