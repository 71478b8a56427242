"""Keys that open something for people who hold them. Only their hashes are kept."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from laager.base import Refusal, RefusedError
from laager.web.models import ApiToken
from laager.web.shared.storing import store_if_possible

if TYPE_CHECKING:
    from laager.web.models import Player

PREFIX = "laager_"
"""What every API token begins with, so that a leaked one is recognised as what it is."""
MOST = 20
"""How many tokens a person may have."""


def new_key() -> str:
    """Return a key with 256 bits of chance, fit for an address."""
    return secrets.token_urlsafe(32)


def digest(key: str) -> str:
    """Return what is kept of a key. A plain hash will do: such keys cannot be guessed."""
    return hashlib.sha256(key.encode()).hexdigest()


def make(user: Player, name: str) -> str:
    """Make a token for programs and return it; it cannot be shown again."""
    if user.tokens.count() >= MOST:
        raise RefusedError(Refusal.BAD_ANSWER, f"you can have {MOST} tokens at most", "withdraw one first")
    key = PREFIX + new_key()
    ApiToken.objects.create(user=user, name=name, digest=digest(key))
    return key


def find(key: str) -> Player | None:
    """Return whose token this is; None for a key that nobody has, or of a closed account."""
    token = ApiToken.objects.select_related("user").filter(digest=digest(key)).first()
    if token is None or not token.user.is_active:
        return None
    now = timezone.now()
    if token.used is None or now - token.used > timedelta(minutes=1):
        with store_if_possible():
            ApiToken.objects.filter(pk=token.pk).update(used=now)
    return token.user


def revoke(user: Player, pk: int) -> None:
    """Revoke one of somebody's tokens. Raises RefusedError if it isn't theirs."""
    if not ApiToken.objects.filter(user=user, pk=pk).delete()[0]:
        raise RefusedError(Refusal.NO_SUCH, "you don't have this token")
