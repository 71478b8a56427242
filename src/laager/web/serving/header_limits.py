"""Connections: a request's head (its first line and headers) must arrive soon and be short; idle ones stay open.

With several workers each connection goes to the one that its campaign belongs to.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from laager.web.serving.handover import FOLDER, Handover

SECONDS_FOR_HEAD = 15.0
"""How long a connection may be open without a whole head having arrived."""
LONGEST_HEAD = 64 * 2**10
"""Bytes of a head."""
SECONDS_IDLE = 75
"""How long a connection stays open between requests. It is longer than proxies (60 s) and people who think keep theirs:
whoever sends just when the server closes it gets no answer."""


class HeaderLimits(HttpToolsProtocol):
    """Uvicorn's protocol, for clients that may never say what they want: their connections are closed."""

    _handover: ClassVar[Handover | None] = None
    """How this worker deals with the others, if there are any."""
    _late: asyncio.TimerHandle | None = None
    _first = b""
    """What another worker has read of this connection."""
    _head_bytes = 0
    """Length of what has come of a head, in bytes."""
    _in_head = _in_message = False
    """True from the first byte of a request to the end of its head, and to its own end."""
    _message_ended = False
    """True if a request has ended in what was just read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._wait()
        self._meet()
        if self._first and not transport.is_closing():
            self.data_received(self._first)

    def data_received(self, data: bytes) -> None:
        """Take some bytes; wait on if there is no whole head yet."""
        if self._handover is not None and self._is_idle() and self._handover.hands_on(self.transport, data):
            return
        self._message_ended = False
        super().data_received(data)
        answering = self._is_answering()
        if answering:
            self._stop_waiting()
        if answering and not self._in_head:
            self._head_bytes = 0
            return
        self._head_bytes = 0 if self._message_ended else self._head_bytes + len(data)
        if self._head_bytes > LONGEST_HEAD:
            self.transport.close()
        elif not answering:
            self._wait()

    def on_message_begin(self) -> None:
        """Begin with a request."""
        self._in_head = self._in_message = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Begin with the body of a request, if it has one."""
        self._in_head = False
        super().on_headers_complete()
        if self.parser.should_upgrade():
            # The parser takes what follows for another protocol, which nobody speaks here.
            self.cycle.keep_alive = False

    def on_message_complete(self) -> None:
        """End with a request: the next byte begins another."""
        self._in_message = False
        self._message_ended = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if self._in_message and not self._is_answering() and not self.transport.is_closing():
            self._wait()

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
            HeaderLimits._handover = Handover(Path(folder), self.config.workers, self.loop, self._taken_over)
        assert self._handover is not None
        # If the folder can't be used, each worker serves what it accepts.
        with suppress(OSError):
            self._handover.join()

    def _taken_over(self, data: bytes) -> HeaderLimits:
        """Return a protocol for a connection that another worker has begun to read."""
        protocol = type(self)(self.config, self.server_state, self.app_state, self.loop)
        protocol._first = data
        return protocol

    def _is_idle(self) -> bool:
        """True if the next byte begins a request, and none is being answered.

        Half a request that came together with the one before is with the parser already.
        """
        return not self._in_message and not self._is_answering()

    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        """Wait for a head."""
        if self._late is None:
            self._late = self.loop.call_later(SECONDS_FOR_HEAD, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
