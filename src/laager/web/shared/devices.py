"""Browsers in which somebody has logged in: tries at the account from elsewhere don't slow them down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

if TYPE_CHECKING:
    from laager.web.models import Player

COOKIE = "known"
SALT = "laager.device"
SECONDS = 365 * 24 * 60 * 60
"""How long a browser is remembered, in seconds."""


def remember(response: HttpResponse, user: Player) -> None:
    """Let a browser keep that somebody has logged in there."""
    value = signing.dumps(user.username.casefold(), salt=SALT)
    response.set_cookie(
        COOKIE, value, SECONDS, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax", path="/login/"
    )


def is_known(request: HttpRequest, name: str) -> bool:
    """Return True if somebody has logged in to an account in this browser before."""
    try:
        known: object = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=SECONDS)
    except signing.BadSignature:
        return False
    return known == name.strip().casefold()
