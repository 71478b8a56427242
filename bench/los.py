"""Lines of sight to measure: all pairs of boards, viewsheds, random pairs, with and without short cuts and Numba."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from laager.los import board_map, make_table, prepare, viewshed
from laager.los.exact.engine import AT_ONCE, compute_fans, raw
from laager.los.exact.losmap import LosMap
from laager.los.exact.tables import table_at_hand
from laager.vasl import Archive, open_archive

BOARDS = Path(__file__).parents[2] / "shared" / "data" / "boards"
JAVA = {"01": 26_700, "RBv2": 22_700}
"""Pairs a second of VASL's own classes, sources grouped, one thread: published, not measured in this run."""


def there(name: str) -> bool:
    return (BOARDS / f"bd{name}").exists()


@cache
def archive(name: str) -> Archive:
    return open_archive(BOARDS / f"bd{name}")


def made(name: str) -> LosMap:
    """Make a board ready."""
    return board_map(archive(name))


@cache
def board(name: str) -> LosMap:
    prepare()
    return made(name)


def whole(name: str, threads: int = 1) -> int:
    """Look from each hex of a board to each, whatever table is kept; return how many pairs that is."""
    on = board(name)
    return compute_fans(on, on.firsts[:-1], on.firsts[:-1], threads).size


@cache
def scattered(name: str, count: int) -> NDArray[np.int64]:
    """Some pairs of hexes of a board in random order."""
    on = board(name)
    return on.firsts[np.random.default_rng(count).integers(0, len(on.names), (count, 2))]


def pairs(name: str, count: int, *, short: bool = True) -> int:
    return len(raw(board(name), scattered(name, count), short=short)[0])


def views(name: str, every: int) -> tuple[float, float]:
    """Return the mean and the longest time of looking from a hex to all others, in seconds."""
    on = board(name)
    return _times(lambda source: compute_fans(on, on.firsts[[source]], on.firsts[:-1], AT_ONCE), name, every)


def kept_views(name: str, every: int) -> tuple[float, float]:
    """Return the same out of the table of all pairs: all Locations, and not only the hexes."""
    on = board(name)
    make_table(on)
    return _times(lambda source: viewshed(on, on.names[source]), name, every)


def _times(look: Callable[[int], object], name: str, every: int) -> tuple[float, float]:
    found = []
    for source in range(0, len(board(name).names), every):
        start = time.perf_counter()
        look(source)
        found.append(time.perf_counter() - start)
    return sum(found) / len(found), max(found)


def table_read(name: str) -> int:
    """Read a table from disk for a map that is made anew; return how many pairs it has."""
    on = replace(board(name))
    return 0 if (table := table_at_hand(on)) is None else table.size


_SLOW = """
import sys, time
from bench.los import board, pairs, scattered
name, count = sys.argv[1], int(sys.argv[2])
from bench import los
los.prepare = lambda: None
scattered(name, count)
start = time.perf_counter()
pairs(name, count)
print(time.perf_counter() - start)
"""


def uncompiled(name: str, count: int) -> float:
    """Return how long random pairs take without Numba, in seconds."""
    done = subprocess.run(
        [sys.executable, "-c", _SLOW, name, str(count)],
        env=os.environ | {"LAAGER_LOS_UNCOMPILED": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)
