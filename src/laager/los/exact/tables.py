"""The table of all pairs of Locations of a map: looked along once, kept on disk, read from then on.

A table has the engine's byte for each pair (`engine.Viewshed.codes`), or `EMPTY` where nobody has looked yet; who needs
such a pair looks along it and writes it in. Height 0 is from all Locations to all, height 1 to `MOST_ABOVE` from all
Locations to the points so high above the ground of the hexes.

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

import numpy as np
from numpy.typing import NDArray

from laager.base import Refusal, RefusedError, disk
from laager.los.exact import readiness
from laager.los.exact.compiled import has_numba, sources
from laager.los.exact.losmap import LosMap
from laager.los.result import MOST_ABOVE

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


def read_pairs(on: LosMap, asked: Numbers, targets: Numbers, compute: Compute) -> Bytes:
    """Return the bytes from places to places out of the map's table; `compute` gives those that it lacks.

    Without a table, or for places that aren't in one (bypass, points above the ground as sources), all are computed.
    """
    height = _height_of(on, asked, targets)
    table = None if height is None else table_at_hand(on, height)
    if table is None:
        return compute(asked, targets)
    columns = targets - _first_column(on, height or 0)
    codes: Bytes = table[np.ix_(asked, columns)]
    missing = codes == EMPTY
    if missing.any():
        rows, lacking = np.flatnonzero(missing.any(axis=1)), np.flatnonzero(missing.any(axis=0))
        part = np.ix_(rows, lacking)
        codes[part] = table[np.ix_(asked[rows], columns[lacking])] = compute(asked[rows], targets[lacking])
        on.unsaved_heights.add(height or 0)
    return codes


def table_at_hand(on: LosMap, height: int = 0) -> Bytes | None:
    """Return a table that was begun in this process or is on disk; None without one.

    Where there is the table of height 0, one for the points above the ground is begun when it is asked for.
    """
    if height not in on.tables:
        table = _load(on, height)
        if table is None and height and 0 in on.tables:
            table = _empty_table(on, height)
        if table is not None:
            on.tables[height] = table
    return on.tables.get(height)


def begin_table(on: LosMap) -> Bytes:
    """Return the table of the map's Locations, begun if there is none. Raises RefusedError if the map is too large."""
    count = len(on.locations)
    if count**2 > MOST_PAIRS:
        problem = f"{on.name} has {count} Locations, too many to keep all pairs"
        raise RefusedError(Refusal.BAD_DATA, problem, f"{isqrt(MOST_PAIRS)} at most; looks from one of them still work")
    table = table_at_hand(on)
    if table is None:
        table = on.tables[0] = _empty_table(on, 0)
    return table


def take_from_disk(on: LosMap) -> None:
    """Take into the map's tables what another process has made of them."""
    for height, table in on.tables.items():
        kept = _load(on, height)
        if kept is not None:
            np.copyto(table, kept, where=table == EMPTY)


def is_kept(on: LosMap) -> bool:
    """True if all pairs of Locations are in the map's table, and on disk whatever was looked along above the ground."""
    table = on.tables.get(0)
    return table is not None and not on.unsaved_heights and bool((table != EMPTY).all())


def save_tables(on: LosMap) -> None:
    """Write the map's tables to disk, and remove old ones. Where nothing can be written, they last for the process."""
    while on.unsaved_heights:
        height = on.unsaved_heights.pop()
        path = _path(on, height)
        if path is not None:
            packed = zlib.compress(on.tables[height].tobytes(), 1)
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                disk.replace(path, hashlib.sha256(packed).digest() + packed)
    _remove_old()


def _load(on: LosMap, height: int) -> Bytes | None:
    """Return a table from disk; None if there is none, or if it is damaged: then the file goes."""
    if not has_numba() or not any(readiness.cache_folder().glob(f"*{_SUFFIX}")):
        # The fingerprint takes longer than a look.
        return None
    path = _path(on, height)
    assert path is not None
    shape = _shape(on, height)
    size = shape[0] * shape[1]
    try:
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    checksum, packed = data[:_CHECKSUM_BYTES], data[_CHECKSUM_BYTES:]
    if hashlib.sha256(packed).digest() == checksum:
        with suppress(zlib.error):
            table = zlib.decompressobj().decompress(packed, size + 1)
            if len(table) == size:
                # A copy: what lacks is written in.
                return np.frombuffer(table, np.uint8).reshape(shape).copy()
    with suppress(OSError):
        path.unlink()
    return None


def _path(on: LosMap, height: int) -> Path | None:
    """Return where a table is kept, beside the compiled engine; None without Numba, which has that folder."""
    if not has_numba():
        return None
    return readiness.cache_folder() / f"{on.fingerprint}-{FORMAT}-{sources():x}-{height}{_SUFFIX}"


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


def _height_of(on: LosMap, asked: Numbers, targets: Numbers) -> int | None:
    """Return the height of the table in which these pairs are; None if there is none."""
    count = len(on.locations)
    if not (len(asked) and len(targets)) or asked.max() >= count:
        return None
    first, last = int(targets.min()), int(targets.max())
    if last < count:
        return 0
    points = _first_column(on, 1)
    if first < points:
        return None
    height = (first - points) // len(on.names) + 1
    return height if last < _first_column(on, height + 1) else None


def _first_column(on: LosMap, height: int) -> int:
    """Return the number of the place in a table's first column."""
    return len(on.locations) + (11 + height) * len(on.names) if height else 0


def _shape(on: LosMap, height: int) -> tuple[int, int]:
    return len(on.locations), len(on.names) if height else len(on.locations)


def _empty_table(on: LosMap, height: int) -> Bytes:
    assert 0 <= height <= MOST_ABOVE
    return np.full(_shape(on, height), EMPTY, np.uint8)
