"""Who one is: the account, and the tokens for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.calls import LOGGED_IN, Row, user_of
from laager.web.api.refusals import WRITE, answers
from laager.web.shared import tokens
from laager.web.shared.visitors import zone_of

router = Router(tags=["account"])


class MeOut(Schema):
    """Whose request it is."""

    username: str
    time_zone: str
    language: str
    version: str = Field(description="The version of Laager on the server.")


class TokenOut(Schema):
    """A token, without its key."""

    id: int
    name: str
    made: datetime
    used: datetime | None


class NewTokenIn(Schema):
    """What a new token is for."""

    name: Annotated[str, Field(min_length=1, max_length=80)]


class NewTokenOut(Schema):
    """A new token with its key, which is shown only once."""

    name: str
    token: str


@router.get("/me", response=answers(MeOut), operation_id="me")
def me(request: HttpRequest) -> Any:
    """Return the account of this token or session."""
    from laager import __version__

    user = user_of(request)
    zone = str(zone_of(user.time_zone))
    return {"username": user.username, "time_zone": zone, "language": user.language, "version": __version__}


@router.get("/tokens", response=answers(list[TokenOut]), operation_id="tokens")
def token_list(request: HttpRequest) -> Any:
    """List one's tokens."""
    return list(user_of(request).tokens.order_by("-made"))


@router.post("/tokens", response=answers(NewTokenOut, *WRITE, code=201), auth=LOGGED_IN, operation_id="make_token")
def make_token(request: HttpRequest, sent: NewTokenIn) -> Any:
    """Make a token. This needs a login: a token that leaks can't make others."""
    key = tokens.make(user_of(request), sent.name)
    return Status(201, {"name": sent.name, "token": key})


@router.delete("/tokens/{number}", response=answers(None, *WRITE, code=204), operation_id="revoke_token")
def revoke_token(request: HttpRequest, number: Row) -> Any:
    """Withdraw a token."""
    tokens.revoke(user_of(request), number)
    return Status(204, None)
