"""What processes of their own do for a worker (see `processes`). Nothing here knows Django or a database."""

from __future__ import annotations

import copyreg
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from types import MappingProxyType
from typing import Any, TypeVar

from laager.base import Refusal, RefusedError


def end_with_parent(end: Callable[[], object]) -> None:
    """Call `end`, in a thread of its own, when the process that started this one is gone, be it killed."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        end()

    threading.Thread(target=wait, name="parent", daemon=True).start()


K = TypeVar("K")
V = TypeVar("V")

LOW_PRIORITY = 5
"""How nice a process is: players' requests come first."""


def _proxy(of: dict[K, V]) -> MappingProxyType[K, V]:
    return MappingProxyType(of)


# Maps are made of read-only mappings, which pickle doesn't know.
copyreg.pickle(MappingProxyType, lambda proxy: (_proxy, (dict(proxy),)))


@dataclass(frozen=True)
class Answer:
    """What came of a job: its value or its error, and how many seconds it computed."""

    value: Any
    error: Exception | None
    seconds: float


def too_large() -> RefusedError:
    """Return the refusal of a job that needs more memory than it may have."""
    return RefusedError(Refusal.BAD_DATA, "this needs too much memory", "ask for something smaller")


def work(pipe: Connection, memory: int) -> None:
    """Do jobs as they come, until the pipe is closed or the worker is gone. `memory` is the limit in bytes."""
    end_with_parent(partial(os._exit, 1))
    _be_modest(memory)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            job, args = pipe.recv()
            pipe.send(_answer(job, args))


def _answer(job: Callable[..., Any], args: tuple[Any, ...]) -> Answer:
    begun = time.process_time()
    value: Any = None
    error: Exception | None = None
    try:
        value = job(*args)
    except MemoryError:
        error = too_large()
    except Exception as err:  # whatever it is, who asked gets to know
        error = err
    return Answer(value, error, time.process_time() - begun)


def _be_modest(memory: int) -> None:
    """Come after the requests of players, need no more than so much memory; Ctrl-C is for the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, OSError, AttributeError):
        os.nice(LOW_PRIORITY)
        import resource

        # Not the address space: libraries reserve much of it and use little.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
