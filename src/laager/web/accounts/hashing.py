"""Passwords are hashed slowly on purpose, and one at a time: who tries many at once keeps nobody else waiting."""

from __future__ import annotations

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from laager.web.shared.fair_queue import FairQueue

QUEUE = FairQueue(lambda: 1, most_waiting=100, crowded="too many people log in just now")


class OneAtATime(PBKDF2PasswordHasher):
    """Django's own way to hash passwords; the hashes are the same."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password, as it is kept. Raises BusyError if too many wait already."""
        with QUEUE.turn(""):
            return super().encode(password, salt, iterations)
