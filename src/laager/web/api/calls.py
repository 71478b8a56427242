"""What a call of the API brings: whose it is, and JSON that is no trap."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, NoReturn, cast

from django.http import HttpRequest
from ninja import Path
from ninja.parser import Parser
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
            throttle.count_opening(address_of(request))
            raise NobodyError("this token doesn't work, or no longer works; make another one")
        request.counted_for = user.pk  # type: ignore[attr-defined]
        if request.method in SAFE:
            throttle.LOOKS.take(user.pk)
        else:
            throttle.count_change(user)
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


# JSON ---------------------------------------------------------------------------------------------

DEEPEST = 40
"""How deep lists and objects may lie in one another; answers to questions need six."""


class StrictParser(Parser):
    """Reads the bodies of requests. Raises ValueError with a sentence for people."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the value that was sent."""
        try:
            value = json.loads(request.body, parse_constant=_no_number)
        except RecursionError:
            raise ValueError("the JSON is nested too deep") from None
        except ValueError as err:
            raise ValueError(f"this is not JSON: {err}") from None
        check(value)
        return value


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that aren't text, and that no database stores."""


def check(value: Any) -> None:
    """Raise ValueError if a value is nested too deep, or holds invalid text."""
    beneath = [(value, 0)]
    while beneath:
        nested, depth = beneath.pop()
        if depth > DEEPEST:
            raise ValueError(f"the JSON is nested more than {DEEPEST} deep")
        match nested:
            case str():
                if NO_TEXT.search(nested):
                    raise ValueError("a text holds characters that are not text")
            case dict():
                beneath += [(part, depth + 1) for pair in nested.items() for part in pair]
            case list():
                beneath += [(part, depth + 1) for part in nested]


Row = Annotated[int, Path(ge=1, le=2**63 - 1)]
