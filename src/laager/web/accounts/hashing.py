"""Passwords are hashed slowly on purpose, and one at a time: who tries many at once keeps nobody else waiting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection

from laager.web.shared.visits import VISIT

MOST_WAITING = 100
"""How many may wait for their turn."""


class _Turns:
    """One turn after the other; who waits keeps neither a place from other requests nor a connection."""

    def __init__(self) -> None:
        self._lock, self._counting = Lock(), Lock()
        self.waiting = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn. Raises BusyError if too many wait already."""
        if not self._lock.acquire(blocking=False):
            self._wait()
        try:
            yield
        finally:
            self._lock.release()

    def _wait(self) -> None:
        from laager.web.shared.processes import BusyError

        with self._counting:
            if self.waiting >= MOST_WAITING:
                raise BusyError("too many people log in just now", 10)
            self.waiting += 1
        visit = VISIT.get()
        if visit is not None:
            visit.give_up_place()
        if not connection.in_atomic_block:
            connection.close()
        self._lock.acquire()
        with self._counting:
            self.waiting -= 1


TURNS = _Turns()


class OneAtATime(PBKDF2PasswordHasher):
    """Django's own way to hash passwords; the hashes are the same."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password, as it is kept."""
        with TURNS.turn():
            return super().encode(password, salt, iterations)
