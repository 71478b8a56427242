"""The request that a thread works on: whether its client still waits, what it costs, how it gives up its place."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Visit:
    """A request under way.

    `gone` says that its client has gone away. `seconds` is what other processes have computed for it.
    `give_up_place` lets the next request begin while this one only waits.
    """

    give_up_place: Callable[[], object]
    gone: bool = False
    seconds: float = 0.0


VISIT: ContextVar[Visit | None] = ContextVar("visit", default=None)
"""The request that is worked on here; None outside a server. Threads of a request have its context."""
