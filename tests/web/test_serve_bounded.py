"""A rush of requests waits its turn; open pages take nobody's place."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from laager.web.shared.request_slots import IN_MEMORY, LARGEST, PIECE, Bounded
from tests.web.serving import in_a_loop

PLAIN, EVENTS = (b"content-type", b"text/html"), (b"Content-Type", b"text/event-stream")


class Busy:
    """An application whose requests go on until they are let go."""

    def __init__(self) -> None:
        self.under_way = 0
        self.most = 0
        self.done = 0
        self.go = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await send({"type": "http.response.start", "headers": [scope["answer"]]})
            if scope.get("fails"):
                raise OSError("broken")
            await self.go.wait()
        finally:
            self.under_way -= 1
            self.done += 1


async def _nothing(*_: Any) -> Any:
    return


_VISITORS = count()


def _scope(answer: Any = PLAIN, **more: Any) -> dict[str, Any]:
    """A request, by a visitor of its own unless `more` says whose."""
    visitor = (str(next(_VISITORS)), 80)
    return {"type": "http", "path": "/", "answer": answer, "client": visitor, **more}


async def _settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_only_so_many_requests_are_worked_on_at_a_time() -> None:
    async def run() -> None:
        busy = Busy()
        bounded = Bounded(busy, 3)
        tasks = [asyncio.create_task(bounded(_scope(), _nothing, _nothing)) for _ in range(10)]
        await _settle()
        assert busy.under_way == 3
        health = asyncio.create_task(bounded(_scope(path="/health"), _nothing, _nothing))
        await _settle()
        assert busy.under_way == 4
        busy.go.set()
        await asyncio.gather(*tasks, health)
        assert (busy.done, busy.most) == (11, 4)

    in_a_loop(run)


def test_one_visitor_has_half_of_the_places_and_others_come_between() -> None:
    async def run() -> None:
        busy = Busy()
        bounded = Bounded(busy, 4)
        mine = [asyncio.create_task(bounded(_scope(client=("me", 80)), _nothing, _nothing)) for _ in range(10)]
        await _settle()
        assert busy.under_way == 2
        others = [asyncio.create_task(bounded(_scope(), _nothing, _nothing)) for _ in range(3)]
        await _settle()
        assert busy.under_way == 4
        busy.go.set()
        await asyncio.gather(*mine, *others)
        assert (busy.done, busy.most, bounded.queue.taken) == (13, 4, 0)

    in_a_loop(run)


def test_made_up_tokens_are_no_way_to_come_first() -> None:
    """Addresses take turns, whatever their requests say of themselves; one has three quarters of the places."""

    async def run() -> None:
        busy = Busy()
        bounded = Bounded(busy, 4)
        foe = [
            asyncio.create_task(
                bounded(_scope(client=("foe", 80), headers=[(b"authorization", b"%d" % n)]), _nothing, _nothing)
            )
            for n in range(50)
        ]
        await _settle()
        assert busy.under_way == 3
        others = [asyncio.create_task(bounded(_scope(), _nothing, _nothing)) for _ in range(2)]
        await _settle()
        assert busy.under_way == 4
        # Of the next two places one goes to the other who waits; fifty of the foe's wait, too.
        foe[0].cancel()
        foe[1].cancel()
        await _settle()
        assert list(bounded.queue._waiting) == ["foe"]
        busy.go.set()
        await asyncio.gather(*foe, *others, return_exceptions=True)
        assert (bounded.queue.taken, dict(bounded.queue._held)) == (0, {})

    in_a_loop(run)


def test_a_body_for_which_there_is_no_room_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))

    async def run() -> None:
        bounded = Bounded(Echo(), 1)
        large, small = Sender(b"x" * (IN_MEMORY + 1), path="/api/v1/x"), Sender(b"small")
        await bounded(large.scope, large.receive, large.send)
        assert (status(large), json.loads(large.answer[1]["body"])["refused"]) == (503, "locked")
        await bounded(small.scope, small.receive, small.send)
        assert status(small) == 200

    in_a_loop(run)


def test_streams_free_their_place_when_they_begin() -> None:
    async def run() -> None:
        busy = Busy()
        bounded = Bounded(busy, 2)
        tasks = [asyncio.create_task(bounded(_scope(EVENTS), _nothing, _nothing)) for _ in range(8)]
        await _settle()
        assert busy.under_way == 8
        tasks += [asyncio.create_task(bounded(_scope(), _nothing, _nothing)) for _ in range(5)]
        await _settle()
        # A stream that began gives back one place, not one more at its end.
        assert busy.under_way == 8 + 2
        busy.go.set()
        await asyncio.gather(*tasks)
        assert bounded.queue.taken == 0

    in_a_loop(run)


def test_what_fails_and_who_goes_away_free_their_places() -> None:
    async def run() -> None:
        busy = Busy()
        bounded = Bounded(busy, 1)
        for answer in (PLAIN, EVENTS):
            failed = bounded(_scope(answer, fails=True), _nothing, _nothing)
            assert await asyncio.gather(failed, return_exceptions=True)
        gone = asyncio.create_task(bounded(_scope(), _nothing, _nothing))
        waiting = asyncio.create_task(bounded(_scope(), _nothing, _nothing))
        await _settle()
        waiting.cancel()
        gone.cancel()
        await asyncio.gather(gone, waiting, return_exceptions=True)
        busy.go.set()
        await bounded(_scope(), _nothing, _nothing)
        assert bounded.queue.taken == 0

    in_a_loop(run)


# Bodies -------------------------------------------------------------------------------------------


class Sender:
    """A client that sends a body in pieces, the last of them perhaps never."""

    def __init__(self, *pieces: bytes, ends: bool = True, path: str = "/") -> None:
        self.pieces = list(pieces)
        self.ends = ends
        self.answer: list[Any] = []
        self.scope = _scope(path=path, headers=[(b"content-length", b"9")], client=("192.0.2.1", 5000))

    async def receive(self) -> Any:
        if not self.pieces:
            await asyncio.Event().wait()
        more = len(self.pieces) > 1 or not self.ends
        return {"type": "http.request", "body": self.pieces.pop(0), "more_body": more}

    async def send(self, message: Any) -> None:
        self.answer.append(message)


class Echo:
    """An application that answers with the body that it got."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})


def status(one: Sender) -> int:
    return int(one.answer[0]["status"])


def test_bodies_that_never_end_keep_nobody_waiting() -> None:
    async def run() -> None:
        bounded = Bounded(Echo(), 2)
        slow = [Sender(b"half", ends=False) for _ in range(16)]
        tasks = [asyncio.create_task(bounded(one.scope, one.receive, one.send)) for one in slow]
        await _settle()
        other = Sender(b"a whole ", b"body")
        other.scope["client"] = ("192.0.2.2", 5000)
        await bounded(other.scope, other.receive, other.send)
        assert (status(other), other.answer[1]["body"]) == (200, b"a whole body")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    in_a_loop(run)


def test_a_body_that_takes_too_long_is_refused() -> None:
    async def run() -> None:
        slow = Sender(b"half", ends=False)
        await Bounded(Echo(), 1, seconds_for_body=0.01)(slow.scope, slow.receive, slow.send)
        assert status(slow) == 408

    in_a_loop(run)


def test_a_large_body_arrives_whole_and_one_too_large_not_at_all() -> None:
    async def run() -> None:
        bounded = Bounded(Echo(), 1)
        whole = [bytes([n]) * PIECE for n in range(3)]
        large = Sender(*whole)
        await bounded(large.scope, large.receive, large.send)
        assert large.answer[1]["body"] == b"".join(whole)
        too_large = Sender(*[b"x" * PIECE] * (LARGEST // PIECE + 1))
        await bounded(too_large.scope, too_large.receive, too_large.send)
        assert status(too_large) == 413

    in_a_loop(run)


def test_a_client_that_goes_away_in_the_middle_asks_nothing() -> None:
    async def run() -> None:
        busy, gone = Busy(), Sender()

        async def disconnected() -> Any:
            return {"type": "http.disconnect"}

        await Bounded(busy, 1)(gone.scope, disconnected, gone.send)
        assert (busy.done, gone.answer) == (0, [])

    in_a_loop(run)


def test_a_client_that_reads_slowly_holds_no_place() -> None:
    async def run() -> None:
        bounded, read = Bounded(Echo(), 1), asyncio.Event()

        async def slowly(message: Any) -> None:
            if message["type"] == "http.response.body":
                await read.wait()

        one, other = Sender(b"first"), Sender(b"second")
        task = asyncio.create_task(bounded(one.scope, one.receive, slowly))
        await _settle()
        await bounded(other.scope, other.receive, other.send)
        assert status(other) == 200
        read.set()
        await task

    in_a_loop(run)
