"""What is stored beside a look: nobody misses it, and on a full disk people go on reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import RLock

from django.db import Error, connection


@contextmanager
def store_if_possible() -> Iterator[None]:
    """Go on without what is stored inside if the database doesn't take it. Not for use within a transaction."""
    with suppress(Error):
        yield


_TURN = RLock()


@contextmanager
def in_turn() -> Iterator[None]:
    """Let the changes of a worker wait here for one another, if only one may write at a time.

    SQLite would let them all wait for its lock by looking again and again, which takes long and is
    nobody's turn.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with _TURN:
        yield
