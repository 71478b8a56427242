"""Talking to the JSON API in tests: as a program with a token, the same ways as at a server.

What the short way (`laager.web.play.short_way`) leaves to Django goes through Django's test client.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.http import HttpResponse
from django.test import Client

from laager.web.models import Game, Player
from laager.web.play.short_way.batch import Reply, SeatRequest
from laager.web.play.short_way.batcher import RequestBatcher
from laager.web.play.short_way.front import ShortWay
from laager.web.shared import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = "/api/v1"


class RefusedCallError(Exception):
    """A call that was refused: its status and what was told."""

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        super().__init__(f"{status}: {told}")
        self.status, self.told = status, told


# The ways to an answer ----------------------------------------------------------------------------


class HandedOnError(Exception):
    """The short way leaves a request to Django."""


class NearBatcher(RequestBatcher):
    """A batcher in this thread, on the connection of the test."""

    def __init__(self) -> None:
        self._tokens = set()
        self._tokens_stored_at = time.monotonic()
        self._replies: dict[SeatRequest, Reply | None] = {}

    async def ask(self, kind: Any, seat_key: Any, mark: str = "", value: Any = None, counts: bool = True) -> Any:
        call = SeatRequest(kind, seat_key, cast("Any", None), mark, value, counts)
        self._handle([call])
        return self._replies.pop(call)

    def _send(self, replies: Iterable[tuple[SeatRequest, Reply | None]]) -> None:
        for call, reply in replies:
            call.sent = True
            self._replies[call] = reply


class NearShortWay(ShortWay):
    """The short way without an event loop: nothing has to be waited for."""

    def __init__(self) -> None:
        super().__init__(_handed_on)
        self._batcher = NearBatcher()

    async def _receive_body(self, receive: Any) -> Any:
        return await receive()


async def _handed_on(_scope: Any, _receive: Any, _send: Any) -> None:
    raise HandedOnError


def short_way(method: str, path: str, body: str, key: str) -> HttpResponse | None:
    """Return what the short way answers; None if it leaves the request to Django."""
    where, _, query = path.partition("?")
    headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {key}".encode())]
    if body:
        headers.append((b"content-length", str(len(body.encode())).encode()))
    scope = {"type": "http", "method": method, "path": where, "query_string": query.encode(), "headers": headers}
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    try:
        NearShortWay()(scope, receive, send).send(None)
    except StopIteration:
        given = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return HttpResponse(sent[1]["body"], status=sent[0]["status"], headers=given)
    except HandedOnError:
        return None
    raise AssertionError("the short way waits for something")


def long_way(method: str, path: str, body: str, key: str) -> Any:
    """Return what Django answers."""
    headers = {"Authorization": f"Bearer {key}"}
    return Client().generic(method, path, body, content_type="application/json", headers=headers)


@dataclass
class Program:
    """A program with the token of somebody; keeps every byte that it was ever answered."""

    user: Player
    heard: list[str]
    key: str

    @staticmethod
    def of(user: Player) -> Program:
        """Return a program of somebody, with a token of its own."""
        return Program(user, [], tokens.make(user, "tests"))

    def ask(self, method: str, path: str, sent: Any = None) -> Any:
        """Make a call. Raises RefusedCallError."""
        body = "" if sent is None else json.dumps(sent)
        response: Any = short_way(method, ROOT + path, body, self.key)
        if response is None:
            response = long_way(method, ROOT + path, body, self.key)
        text = response.content.decode("utf-8", "replace")
        self.heard.append(text)
        self.heard += [f"{name}: {value}" for name, value in response.items()]
        if response.status_code >= 400:
            raise RefusedCallError(response.status_code, json.loads(text))
        kind = response.get("Content-Type", "")
        return json.loads(text) if text and kind.startswith("application/json") else text

    def get(self, path: str) -> Any:
        """Look at something."""
        return self.ask("GET", path)

    def post(self, path: str, sent: Any = None) -> Any:
        """Change something."""
        return self.ask("POST", path, sent)


def at(game: Game, seat: str) -> str:
    """Return the path of a seat."""
    return f"/campaigns/{game.pk}/{seat}"
