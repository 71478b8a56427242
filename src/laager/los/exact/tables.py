"""The table of all pairs of Locations of a map: looked along once, kept on disk, read from then on.

A table has the engine's byte for each pair (`engine.Viewshed.codes`), or `EMPTY` where it isn't made yet. A look
only reads the table. If it wrote anything in, the next look from there would be quicker, and the enemy could time it.
So `keeping` alone fills a table, in its own order; lines that aren't in it are looked along each time.

A table belongs to what the kernels read of a map (`LosMap.fingerprint`) and to the kernels' sources: another board,
layout, rule, overlay, deviation or version of the engine has another table. It stands for the engine on that map alone;
what a campaign has changed since on the ground is up to whoever asks the engine.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Callable
from contextlib import suppress
from math import isqrt
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from laager.base import Refusal, RefusedError, disk
from laager.los.exact import readiness
from laager.los.exact.compiled import has_numba, sources
from laager.los.exact.losmap import LosMap

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Compute = Callable[[Numbers, Numbers], Bytes]
"""Looks from places to places, by their numbers: a byte for each pair."""

EMPTY = 255
"""A pair along which nobody has looked; no answer has this byte."""
FORMAT = 1
"""The version of the files, and of what `engine.compute_fans` makes of the kernels' answers."""
MOST_PAIRS = 16_000_000
"""Most pairs in a table; of larger maps none is kept."""
MOST_BYTES = 64 * 2**20
MOST_FILES = 256
"""What the folder may hold; the tables that weren't read for longest go first."""
_SUFFIX = ".lospairs"
_CHECKSUM_BYTES = 32
_at_hand: WeakKeyDictionary[LosMap, Bytes] = WeakKeyDictionary()
"""The tables that were begun or read in this process."""


def read_pairs(on: LosMap, asked: Numbers, targets: Numbers, compute: Compute) -> Bytes:
    """Return the bytes from places to places out of the map's table; `compute` gives those that it lacks.

    Without a table, or for places that aren't in one (bypass, points above the ground), all are computed.
    """
    table = table_at_hand(on) if _are_locations(on, asked) and _are_locations(on, targets) else None
    if table is None:
        return compute(asked, targets)
    codes: Bytes = table[np.ix_(asked, targets)]
    missing = codes == EMPTY
    if missing.any():
        rows, lacking = np.flatnonzero(missing.any(axis=1)), np.flatnonzero(missing.any(axis=0))
        codes[np.ix_(rows, lacking)] = compute(asked[rows], targets[lacking])
    return codes


def table_at_hand(on: LosMap) -> Bytes | None:
    """Return a table that was begun in this process or is on disk; None without one."""
    if on not in _at_hand:
        table = _load(on)
        if table is None:
            return None
        _at_hand[on] = table
    return _at_hand[on]


def begin_table(on: LosMap) -> Bytes:
    """Return the table of the map's Locations, begun if there is none. Raises RefusedError if the map is too large."""
    count = len(on.locations)
    if count**2 > MOST_PAIRS:
        problem = f"{on.name} has {count} Locations, too many to keep all pairs"
        raise RefusedError(Refusal.BAD_DATA, problem, f"{isqrt(MOST_PAIRS)} at most; looks from one of them still work")
    table = table_at_hand(on)
    if table is None:
        table = _at_hand[on] = np.full((count, count), EMPTY, np.uint8)
    return table


def take_from_disk(on: LosMap, table: Bytes) -> None:
    """Take into a map's table what another process has made of it."""
    kept = _load(on)
    if kept is not None:
        np.copyto(table, kept, where=table == EMPTY)


def is_whole(on: LosMap) -> bool:
    """True if all pairs of Locations are in the map's table."""
    table = table_at_hand(on)
    return table is not None and bool((table != EMPTY).all())


def save_table(on: LosMap, table: Bytes) -> None:
    """Write a map's table to disk, and remove old ones. Where nothing can be written, it lasts for the process."""
    path = _path(on)
    if path is not None:
        packed = zlib.compress(table.tobytes(), 1)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            disk.replace(path, hashlib.sha256(packed).digest() + packed)
    _remove_old()


def _load(on: LosMap) -> Bytes | None:
    """Return a table from disk; None if there is none, or if it is damaged: then the file goes."""
    if not has_numba() or not any(readiness.cache_folder().glob(f"*{_SUFFIX}")):
        # The fingerprint takes longer than a look.
        return None
    path = _path(on)
    assert path is not None
    count = len(on.locations)
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    checksum, packed = data[:_CHECKSUM_BYTES], data[_CHECKSUM_BYTES:]
    if hashlib.sha256(packed).digest() == checksum:
        with suppress(zlib.error):
            table = zlib.decompressobj().decompress(packed, count**2 + 1)
            if len(table) == count**2:
                # A copy: what lacks is written in.
                return np.frombuffer(table, np.uint8).reshape(count, count).copy()
    with suppress(OSError):
        path.unlink()
    return None


def _path(on: LosMap) -> Path | None:
    """Return where a table is kept, beside the compiled engine; None without Numba, which has that folder."""
    if not has_numba():
        return None
    return readiness.cache_folder() / f"{on.fingerprint}-{FORMAT}-{sources():x}-0{_SUFFIX}"


def _remove_old() -> None:
    """Remove the tables that weren't read for longest, beyond `MOST_BYTES` and `MOST_FILES`."""
    files = []
    for path in readiness.cache_folder().glob(f"*{_SUFFIX}"):
        with suppress(OSError):
            status = path.stat()
            files.append((status.st_mtime, status.st_size, path))
    kept = 0
    for number, (_, size, path) in enumerate(sorted(files, reverse=True), 1):
        kept += size
        if kept > MOST_BYTES or number > MOST_FILES:
            with suppress(OSError):
                path.unlink()


def _are_locations(on: LosMap, places: Numbers) -> bool:
    return len(places) > 0 and int(places.max()) < len(on.locations)
