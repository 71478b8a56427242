"""A rush of requests waits its turn; open pages take nobody's place."""

from __future__ import annotations

import asyncio
from typing import Any

from laager.web.bounded import Bounded
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


def _scope(answer: Any = PLAIN, **more: Any) -> dict[str, Any]:
    return {"type": "http", "path": "/", "answer": answer, **more}


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
        assert bounded._places._value == 2

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
        assert bounded._places._value == 1

    in_a_loop(run)
