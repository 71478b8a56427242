"""The least of an HTTP client, so that a load measures the server: many times cheaper than the one for people."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from urllib.parse import urlsplit

import httptools


@dataclass(frozen=True)
class Got:
    """An answer of the server."""

    status: int
    body: bytes


class LostError(Exception):
    """The connection broke, or the answer took too long."""


class _Link(asyncio.Protocol):
    """One connection; one request at a time."""

    def __init__(self) -> None:
        self.open = False
        self._transport: asyncio.Transport | None = None
        self._waiting: asyncio.Future[Got] | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._body: list[bytes] = []

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport, self.open = transport, True

    def connection_lost(self, exc: Exception | None) -> None:
        self.open = False
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(LostError(f"the connection ended ({exc or 'closed'})"))

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.close()

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        body, self._body = b"".join(self._body), []
        if not self._parser.should_keep_alive():
            self.close()
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(Got(self._parser.get_status_code(), body))

    def send(self, data: bytes) -> asyncio.Future[Got]:
        assert self._transport is not None
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(data)
        return self._waiting

    def close(self) -> None:
        self.open = False
        if self._transport is not None:
            self._transport.close()


class Client:
    """A client of one player, who asks one thing after the other on one connection."""

    def __init__(self, token: str, patience: float) -> None:
        self._head = f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        self._patience = patience
        self._link: _Link | None = None
        self._url = ""

    async def ask(self, method: str, url: str, path: str, sent: bytes = b"") -> Got:
        """Return what a server answers. Raises LostError."""
        try:
            async with asyncio.timeout(self._patience):
                link = await self._linked(url)
                host = urlsplit(url).netloc
                length = f"Content-Length: {len(sent)}\r\n" if method == "POST" else ""
                head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{self._head}{length}\r\n"
                return await link.send(head.encode() + sent)
        except (TimeoutError, OSError) as err:
            self.close()
            raise LostError(str(err) or type(err).__name__) from err

    async def _linked(self, url: str) -> _Link:
        if self._link is None or not self._link.open or self._url != url:
            self.close()
            parts = urlsplit(url)
            loop = asyncio.get_running_loop()
            _, self._link = await loop.create_connection(_Link, str(parts.hostname), parts.port or 80)
            self._url = url
        return self._link

    def close(self) -> None:
        """End the connection."""
        if self._link is not None:
            self._link.close()
            self._link = None
