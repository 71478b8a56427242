"""Connections: a request's head (its first line and headers) must arrive soon and be short; idle ones stay open.

With several workers each connection goes to the one that its campaign belongs to.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from laager.web.handover import FOLDER, Handover

SECONDS_FOR_HEAD = 15.0
"""How long a connection may be open without a whole head having arrived."""
LONGEST_HEAD = 64 * 2**10
"""Bytes of a head."""
SECONDS_IDLE = 75
"""How long a connection stays open between requests. It is longer than proxies (60 s) and people who think keep theirs:
whoever sends just when the server closes it gets no answer."""
UNFINISHED = 200
"""Heads that may be under way at a time from one address; a proxy's are not counted, which speaks for many."""
MANY = 4_000
"""With so many connections open, idle ones are closed soon."""
SECONDS_IDLE_OF_MANY = 2


class PromptHeads(HttpToolsProtocol):
    """Uvicorn's protocol, for clients that may never say what they want: their connections are closed."""

    _open_heads: ClassVar[Counter[str]] = Counter()
    """The heads under way in this process, by address."""
    _handover: ClassVar[Handover | None] = None
    """How this worker deals with the others, if there are any."""
    _late: asyncio.TimerHandle | None = None
    _first = b""
    """What another worker has read of this connection."""
    _waited_for = 0
    """Bytes that have come since the last whole head."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._peer = "" if self.client is None or self.client[0] in _proxies(self.config) else self.client[0]
        self._wait()
        self._meet()
        if self._first and not transport.is_closing():
            self.data_received(self._first)

    def data_received(self, data: bytes) -> None:
        """Take some bytes; wait on if there is no whole head yet."""
        if self._handover is not None and self._rests() and self._handover.hands_on(self.transport, data):
            return
        super().data_received(data)
        if self._answers():
            self._waited_for = 0
            self._stop_waiting()
            return
        self._waited_for += len(data)
        if self._waited_for > LONGEST_HEAD:
            self.transport.close()
        elif self._late is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request, not as long if many others are there."""
        self.timeout_keep_alive = SECONDS_IDLE if len(self.connections) < MANY else SECONDS_IDLE_OF_MANY
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Finish what is under way: the server ends."""
        if self._handover is not None:
            self._handover.close()
        super().shutdown()

    def _meet(self) -> None:
        """Find the other workers, if there are any."""
        folder = os.environ.get(FOLDER)
        if folder is None:
            return
        if self._handover is None:
            PromptHeads._handover = Handover(Path(folder), self.config.workers, self.loop, self._taken_over)
        assert self._handover is not None
        # If the folder can't be used, each worker serves what it accepts.
        with suppress(OSError):
            self._handover.join()

    def _taken_over(self, data: bytes) -> PromptHeads:
        """Return a protocol for a connection that another worker has begun to read."""
        found = PromptHeads(self.config, self.server_state, self.app_state, self.loop)
        found._first = data
        return found

    def _rests(self) -> bool:
        """True if the next byte begins a request, and none is being answered."""
        cycle: Any = self.cycle
        return not self._waited_for and (cycle is None or (cycle.response_complete and not cycle.more_body))

    def _answers(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        """Wait for a head, unless too many from the same address are waited for already."""
        if self._peer and self._open_heads[self._peer] >= UNFINISHED:
            self.transport.close()
            return
        self._open_heads[self._peer] += 1
        self._late = self.loop.call_later(SECONDS_FOR_HEAD, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
            self._open_heads[self._peer] -= 1
            if not self._open_heads[self._peer]:
                del self._open_heads[self._peer]


def _proxies(config: Config) -> list[str]:
    """Return the addresses of trusted proxies."""
    given = config.forwarded_allow_ips
    return [one.strip() for one in given.split(",")] if isinstance(given, str) else list(given or ())
