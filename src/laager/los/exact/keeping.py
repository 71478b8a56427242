"""Making the table of all pairs of a map (`tables`): at once, or in the background at the lowest priority."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import numpy as np

from laager.los.exact.engine import compute_fans
from laager.los.exact.losmap import LosMap
from laager.los.exact.readiness import compile_now, lock_folder, need_numba
from laager.los.exact.tables import EMPTY, MOST_PAIRS, Bytes, Numbers, begin_table, is_whole, save_table, take_from_disk

SHARE = 8
"""Sources between two reports: less than a tenth of a second on a large board."""
LOWEST = 19
"""The niceness of a thread that works in the background."""

_lock = threading.Lock()
_waiting: list[LosMap] = []
_running: list[threading.Thread] = []
_may_go_on = threading.Event()
_may_go_on.set()


def make_table(on: LosMap, report: Callable[[float], object] = lambda share: None) -> Bytes:
    """Make what lacks of the table of all pairs of Locations and keep it on disk.

    `report` hears the share that is done. Ground to ground comes first, and is kept before the rest is begun. Raises
    RefusedError (BAD_DATA) if the map has too many Locations, RefusedError (NOT_INSTALLED) if Numba is missing.
    """
    need_numba()
    table = begin_table(on)
    compile_now()
    with lock_folder("laager-los-pairs.lock"):
        # Another process may have made it meanwhile.
        take_from_disk(on, table)
        ground, everywhere = on.firsts[:-1], np.arange(len(on.locations))
        upper = np.setdiff1d(everywhere, ground)
        parts = ((ground, ground), (ground, upper), (upper, everywhere))
        done, pairs = 0, table.size
        for sources, targets in parts:
            has_more = False
            for some in _shares(sources):
                has_more |= _fill(on, table, some, targets)
                done += len(some) * len(targets)
                report(done / pairs)
            if has_more:
                save_table(on, table)
    return table


def make_in_background(on: LosMap) -> None:
    """See to it that the table of a map is made and kept, and come back at once."""
    if is_whole(on) or len(on.locations) ** 2 > MOST_PAIRS:
        return
    with _lock:
        if any(waiting is on for waiting in _waiting):
            return
        _waiting.append(on)
        if not _running:
            work = threading.Thread(target=_make_waiting, daemon=True)
            _running.append(work)
            work.start()


@contextmanager
def pause_making() -> Iterator[None]:
    """Let the background rest meanwhile, so that it neither slows down a look nor counts as computing for it."""
    _may_go_on.clear()
    try:
        yield
    finally:
        _may_go_on.set()


def wait_for_tables() -> None:
    """Wait until nothing is being made in the background."""
    with _lock:
        running = list(_running)
    for work in running:
        work.join()


def _make_waiting() -> None:
    with suppress(OSError):
        if sys.platform.startswith("linux"):
            # There a thread has a priority of its own.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST)
    while True:
        with _lock:
            if not _waiting:
                _running.clear()
                return
            on = _waiting[0]
        try:
            make_table(on, lambda _: _may_go_on.wait())
        finally:
            with _lock:
                _waiting.remove(on)


def _fill(on: LosMap, table: Bytes, sources: Numbers, targets: Numbers) -> bool:
    """Look along what lacks of these pairs; return whether anything did."""
    part = np.ix_(sources, targets)
    lacking = (table[part] == EMPTY).any(axis=1)
    if not lacking.any():
        return False
    table[np.ix_(sources[lacking], targets)] = compute_fans(on, sources[lacking], targets)
    return True


def _shares(numbers: Numbers) -> Iterator[Numbers]:
    for first in range(0, len(numbers), SHARE):
        yield numbers[first : first + SHARE]
