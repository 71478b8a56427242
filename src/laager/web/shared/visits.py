"""The request that a thread works on: whether its client still waits, what it costs, how it gives up its slot."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

from django.db import connection


@dataclass
class Visit:
    """A request under way.

    `gone` says that its client has gone away. `seconds` is what other processes have computed for it.
    `give_up_slot` lets the next request begin while this one only waits.
    """

    give_up_slot: Callable[[], object]
    gone: bool = False
    seconds: float = 0.0


VISIT: ContextVar[Visit | None] = ContextVar("visit", default=None)
"""The request that is worked on here; None outside a server. Threads of a request have its context."""


def hold_nothing(keep_slot: bool = False) -> None:
    """Give up the request's slot, unless it is to be kept, and its connection: it only waits now."""
    visit = VISIT.get()
    if visit is not None and not keep_slot:
        visit.give_up_slot()
    if not connection.in_atomic_block:
        connection.close()
