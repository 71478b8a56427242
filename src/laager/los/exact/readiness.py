"""Compiling the engine ahead of time, so that nobody waits for it inside a page's request."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from laager.base.extras import extra
from laager.base.problems import RefusedError
from laager.los.exact import fields as f
from laager.los.exact import kinds
from laager.los.exact.compiled import KERNELS, UNCOMPILED, has_numba
from laager.los.exact.kernels import entries
from laager.los.exact.kernels.points import Arrays

UNCOMPILED_LINES = 200
"""Lines that a process looks along uncompiled before it compiles the engine: they take about two seconds."""
_uncompiled_lines: list[int] = []
_done = threading.Event()
_lock, _starting = threading.Lock(), threading.Lock()
_running: list[threading.Thread] = []


def ready() -> bool:
    """Return True if lines are computed at once: compiled in this process, or loaded from the cache on disk.

    Where Numba is missing nothing has to be compiled, but then only single lines are computed.
    """
    return _done.is_set() or not has_numba()


def is_worth_compiling(lines: int) -> bool:
    """Return True if some lines more are worth compiling the engine, or loading it from disk; count them if not.

    A single line takes milliseconds uncompiled, and compiling half a minute.
    """
    with _starting:
        _uncompiled_lines.append(lines)
        return sum(_uncompiled_lines) > UNCOMPILED_LINES


def progress() -> float:
    """Return how much of the engine is compiled in this process, from 0 to 1."""
    if ready():
        return 1.0
    return sum(bool(kernel.signatures) for kernel in KERNELS) / (len(KERNELS) + 1)


def prepare(report: Callable[[float], None] | None = None) -> None:
    """Compile the engine, or load it from the cache on disk; call `report` every half second with the share done.

    Raises RefusedError (NOT_INSTALLED) if Numba is missing.
    """
    need_numba()
    if report is None or _done.is_set():
        compile_now()
        return
    work = threading.Thread(target=compile_now, daemon=True)
    work.start()
    while work.is_alive():
        work.join(0.5)
        report(progress())


def load_compiled() -> bool:
    """Load what was compiled before, and return True; False if nothing was, or Numba is missing. Takes seconds."""
    if not has_numba():
        return False
    if not _done.is_set():
        if not any(cache_folder().glob(_CACHED)):
            return False
        compile_now()
    return True


def prepare_in_background() -> None:
    """Begin to compile the engine if nobody has, and come back at once. Nothing happens without Numba."""
    if ready():
        return
    with _starting:
        if not _running:
            work = threading.Thread(target=compile_now, daemon=True)
            _running.append(work)
            work.start()


def need_numba() -> None:
    """Raise RefusedError, saying what to install, if Numba is missing."""
    if not has_numba():
        try:
            with extra("los"):
                raise ModuleNotFoundError("No module named 'numba'", name="numba")
        except RefusedError as err:
            right = f"{err.problem.right}; where there is no Numba, set {UNCOMPILED}=1 and have patience"
            raise RefusedError(err.code, err.problem.what, right) from None


def compile_now() -> None:
    """Compile the engine, or load it from the cache on disk, once in this process. Nothing happens without Numba."""
    if ready():
        return
    with _lock, lock_folder("laager-los.lock"):
        if _done.is_set():
            return
        try:
            _first_calls()
        except _UNREADABLE:
            # A cache that another version of Laager, Numba or Python has left behind.
            for path in cache_folder().glob(_CACHED):
                path.unlink(missing_ok=True)
            _first_calls()
        _done.set()


_UNREADABLE = (AttributeError, ImportError, EOFError, pickle.UnpicklingError, IndexError, TypeError, ValueError)


_CACHED = "entries.*.nbi"
"""The names of what Numba keeps of the engine's entries."""


def cache_folder() -> Path:
    """Return the folder in which Numba keeps what it has compiled. There must be Numba."""
    return Path(entries.run.stats.cache_path)  # type: ignore[attr-defined]


@contextmanager
def lock_folder(name: str) -> Iterator[None]:
    """Let one process at a time work on what is kept in the folder: the others then load what it has made."""
    from filelock import FileLock

    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        lock = FileLock(cache_folder() / name)
        lock.acquire()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _first_calls() -> None:
    hexes = np.zeros((1, f.HEX_FIELDS), np.int64)
    ground = Arrays(
        hexes,
        np.zeros((1, f.PLACE_FIELDS), np.int64),
        kinds.flags(),
        kinds.heights(),
        np.zeros(2, np.int32),
        np.zeros((1, 1, 2), np.int32),
        np.zeros(f.WHOLE_FIELDS, np.int64),
    )
    s, table, nobody = np.zeros(f.STATE, np.int64), np.zeros((1, 2), np.int64), np.zeros(0, np.int64)
    entries.run(ground, s, table, nobody, nobody, entries.NO_CODES, *entries.NO_ROWS, True)
