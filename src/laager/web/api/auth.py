"""Whose request it is: a program with a token, or a page of somebody who is logged in."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from laager.base import Refusal, RefusedError
from laager.web.api.refusals import NobodyError
from laager.web.models import Player
from laager.web.shared import throttle, tokens
from laager.web.shared.http import address_of

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Token(HttpBearer):
    """A token in the header `Authorization: Bearer …`."""

    def authenticate(self, request: HttpRequest, token: str) -> Player:
        """Return whose token it is. A wrong one is refused, even in a session that is logged in."""
        user = tokens.find(token)
        if user is None:
            throttle.opening(address_of(request))
            raise NobodyError("this token doesn't work, or no longer works; make another one")
        request.counted_for = user.pk  # type: ignore[attr-defined]
        if request.method in SAFE:
            throttle.LOOKS.take(user.pk)
        else:
            throttle.writing(user)
        return user


class Session(APIKeyCookie):
    """The session of somebody who is logged in; what changes something needs the CSRF token too."""

    param_name = "sessionid"

    def __init__(self) -> None:
        super().__init__(csrf=False)

    def authenticate(self, request: HttpRequest, key: str | None) -> Player | None:
        """Return who is logged in. Raises RefusedError for a change without the CSRF token."""
        if not key or not request.user.is_authenticated:
            return None
        if request.method not in SAFE and check_csrf(request) is not None:
            raise RefusedError(
                Refusal.NOT_YOURS, "the CSRF token is missing or wrong", "send it as X-CSRFToken, or use an API token"
            )
        return request.user


EITHER = (Token(), Session())
LOGGED_IN = (Session(),)


def user_of(request: HttpRequest) -> Player:
    """Return whose request it is, once it has been found out."""
    return cast("Player", request.auth)  # type: ignore[attr-defined]
