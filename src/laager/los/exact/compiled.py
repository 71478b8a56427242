"""Numba where it is installed; the same functions uncompiled where it isn't.

Compiling takes half a minute the first time and is kept on disk, in Numba's usual place. `laager.los.prepare` does it
ahead of time; `laager.los.ready` says whether it has been done.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

UNCOMPILED = "LAAGER_LOS_UNCOMPILED"
"""Set this in the environment to run everything uncompiled, as where Numba is missing."""

KERNELS: list[Any] = []
"""The compiled functions that others call, to count how many of them are done."""


@cache
def has_numba() -> bool:
    """True if Numba is here and not switched off."""
    if os.environ.get(UNCOMPILED):
        return False
    try:
        return importlib.util.find_spec("numba") is not None
    except ValueError:
        return False


@cache
def sources() -> int:
    """Return a number that changes with the kernels' sources; compiled code of other sources isn't used.

    Numba looks only at the file of the function that it was asked for, not at those it calls.
    """
    digest = hashlib.sha256()
    here = Path(__file__).parent
    for path in (here / "compiled.py", here / "fields.py", here / "rulenames.py", *sorted(here.glob("kernels/*.py"))):
        digest.update(path.read_bytes())
    return int.from_bytes(digest.digest()[:6], "big")


def kernel(function: F) -> F:
    """Compile a function when it is first called from another one; leave it alone where Numba is missing."""
    if not has_numba():
        return function
    njit = _njit()
    # Without reference counting: arrays in tuples are counted at each call otherwise, which takes most of the time.
    # Python never calls these, so that they need no wrappers; that saves a third of the time to compile.
    compiled: F = njit(
        function, _nrt=False, nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )
    KERNELS.append(compiled)
    return compiled


def part(function: F) -> F:
    """Compile a function as a part of the only other one that calls it.

    Numba optimises each kernel again in every one that calls it, up to the function that Python calls: the fewer
    steps on that way, the sooner it is done, and the faster a line is looked at.
    """
    if not has_numba():
        return function
    compiled: F = _njit()(function, inline="always", _nrt=False, nogil=True, error_model="numpy")
    return compiled


def entry(function: F) -> F:
    """Compile a function that Python calls, and keep the result on disk. It must be a closure over `sources()`."""
    if not has_numba():
        return function
    compiled: F = _njit()(function, _nrt=False, nogil=True, error_model="numpy", cache=True)
    return compiled


@cache
def as_plain_python(function: F) -> F:
    """Return a function as plain Python, with all kernels that it calls: the same answers, a thousand times slower."""
    plain = getattr(function, "py_func", function)
    names = dict(plain.__globals__)
    names |= {
        name: as_plain_python(names[name]) for name in plain.__code__.co_names if hasattr(names.get(name), "py_func")
    }
    twin = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
    return cast("F", twin)


def _njit() -> Any:
    """Return Numba's decorator; its type stubs don't know all of its options."""
    from numba import njit

    return njit
