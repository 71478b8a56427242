"""The line of a log that holds the seed of the dice, sealed while it lies in the database.

The key follows from the secret key that the server keeps outside the database, and from the
campaign: a copy of the database gives no dice, and a sealed line copied to another campaign cannot
be opened there. Opened again it is the same line byte for byte, so hashes stay what they are.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.conf import settings

from laager.base import DataError, Problem, Refusal

if TYPE_CHECKING:
    from uuid import UUID

    from cryptography.fernet import Fernet

MARK = "sealed/1:"
"""What a sealed line begins with. A line of a log begins with a brace."""
SEED_LINE = 2
"""The number of the line that holds the seed."""


def seal(game: UUID, line: str) -> str:
    """Return a line as it is stored: sealed with the server's present key."""
    return MARK + next(_locks(game)).encrypt(line.encode()).decode()


def unseal(game: UUID, stored: str) -> str:
    """Return a line as it stands in the log. Raises DataError if the server's keys don't open it.

    A line that is not sealed is returned as it is.
    """
    if not stored.startswith(MARK):
        return stored
    for lock in _locks(game):
        line = _decrypt(lock, stored)
        if line is not None:
            return line
    raise DataError(
        [
            Problem(
                "the dice of this campaign are sealed with a key that the server doesn't have",
                "give the server that key again: the file secret-key in its data folder, "
                "LAAGER_SECRET_KEY, or LAAGER_OLD_SECRET_KEYS",
                line=SEED_LINE,
            )
        ],
        Refusal.BROKEN_LOG,
    )


def reseal(game: UUID, stored: str) -> str:
    """Return a stored line sealed with the present key, whichever key it was sealed with.

    Raises DataError as `unseal` does.
    """
    if stored.startswith(MARK) and _decrypt(next(_locks(game)), stored) is not None:
        return stored
    return seal(game, unseal(game, stored))


def _decrypt(lock: Fernet, stored: str) -> str | None:
    from cryptography.fernet import InvalidToken

    try:
        return lock.decrypt(stored.removeprefix(MARK)).decode()
    except InvalidToken:
        return None


def _locks(game: UUID) -> Iterator[Fernet]:
    """Yield a campaign's lock by the present key, then those by older keys."""
    from cryptography.fernet import Fernet
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        made = HKDF(SHA256(), 32, salt=None, info=b"laager.seed:" + game.bytes)
        yield Fernet(base64.urlsafe_b64encode(made.derive(key.encode())))
