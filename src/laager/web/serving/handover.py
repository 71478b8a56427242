"""Several workers: each campaign belongs to one, and the others hand it the connections that ask for that campaign.

Any worker can serve any campaign, but one that hasn't seen the last answers must read them first. The campaign's id
tells the worker, as it tells a proxy the server. If that worker is starting or has no room, the connection stays where
it is. On Windows all of them do.
"""

from __future__ import annotations

import os
import re
import socket
import sys
import time
from binascii import crc32
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

FOLDER = "LAAGER_HANDOVER"
"""Where the workers of a server find each other's sockets: set for them by `meeting`."""
PREFIX, SERVER = "laager-workers-", "server.lock"
"""How the folder's name begins, and what the server keeps locked in it."""
CAMPAIGN = re.compile(rb"[A-Z]{3,7} /(?:api/v1/campaigns|campaign)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[/ ]")
"""How a request about a campaign begins."""
LONGEST = 2**18
"""Bytes that are read from a connection at a time."""
TRY_AGAIN = 5.0
"""Seconds after which a worker looks again for a free place: one that is to be replaced may still have it."""


@contextmanager
def meeting(workers: int) -> Iterator[None]:
    """Make the folder in which the workers that are started meanwhile find each other."""
    if workers < 2 or not hasattr(socket, "send_fds"):
        yield
        return
    _sweep()
    with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder, FileLock(Path(folder) / SERVER):
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]


def _sweep() -> None:
    """Remove the folders of servers that were killed: nobody has them locked any more."""
    for lock in Path(gettempdir()).glob(f"{PREFIX}*/{SERVER}"):
        # Where everybody may write, a folder or a link of somebody else could be a trap.
        with suppress(OSError, Timeout):
            if lock.parent.lstat().st_uid == os.getuid():
                with FileLock(lock, blocking=False):
                    rmtree(lock.parent, ignore_errors=True)


def owner(campaign: bytes, workers: int) -> int:
    """Return the number of the worker that a campaign belongs to, by its id."""
    return crc32(campaign) % workers


class Handover:
    """A worker among others: once it has joined them it takes the connections that belong to it, and hands on others.

    `accept` makes a protocol for a connection that is taken over, of which these bytes have been read already.
    """

    def __init__(
        self, folder: Path, workers: int, loop: asyncio.AbstractEventLoop, accept: Callable[[bytes], asyncio.Protocol]
    ) -> None:
        self.folder, self.workers, self.loop, self.accept = folder, workers, loop, accept
        self.number: int | None = None
        self._looked = float("-inf")
        self._ended = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._sending = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._sending.setblocking(False)

    def join(self) -> None:
        """Take a free number, if there is one and this worker has none. Raises OSError if the folder can't be used."""
        if self.number is not None or self._ended or time.monotonic() - self._looked < TRY_AGAIN:
            return
        self._looked = time.monotonic()
        for number in range(self.workers):
            # The system lets go of it however this worker ends.
            lock = FileLock(self.folder / f"{number}.lock")
            with suppress(Timeout):
                lock.acquire(blocking=False)
                try:
                    self._taking = self._open_socket(self._at(number))
                except OSError:
                    lock.release()
                    raise
                self._lock, self.number = lock, number
                return

    def hands_on(self, transport: asyncio.Transport, data: bytes) -> bool:
        """Hand a connection on if the request that begins with these bytes belongs to another worker.

        If so, it is that worker's, and closed here. Nothing may be under way in it.
        """
        match = CAMPAIGN.match(data)
        if match is None or self.number is None:
            return False
        to = owner(match[1], self.workers)
        if to == self.number or transport.get_write_buffer_size():
            return False
        given = transport.get_extra_info("socket")
        try:
            # Python's send_fds forgets the address.
            handle = (socket.SOL_SOCKET, socket.SCM_RIGHTS, given.fileno().to_bytes(4, sys.byteorder))
            self._sending.sendmsg([data], [handle], 0, str(self._at(to)))
        except OSError:
            return False
        transport.pause_reading()
        transport.abort()
        return True

    def close(self) -> None:
        """Take and hand on nothing more: this worker ends."""
        self._ended = True
        self._sending.close()
        if self.number is not None:
            self.loop.remove_reader(self._taking)
            self._taking.close()
            self._lock.release()
            self.number = None

    def _at(self, number: int) -> Path:
        return self.folder / f"{number}.socket"

    def _open_socket(self, path: Path) -> socket.socket:
        """Return a socket at which connections arrive."""
        path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            listener.setblocking(False)
            listener.bind(str(path))
        except OSError:
            listener.close()
            raise
        self.loop.add_reader(listener, self._take_connection)
        return listener

    def _take_connection(self) -> None:
        """Take over a connection."""
        with suppress(BlockingIOError):
            data, given, _flags, _address = socket.recv_fds(self._taking, LONGEST, 1)
            for descriptor in given:
                task = self.loop.create_task(self._take(socket.socket(fileno=descriptor), data))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _take(self, connection: socket.socket, data: bytes) -> None:
        connection.setblocking(False)
        # It may be gone already.
        with suppress(OSError):
            await self.loop.connect_accepted_socket(lambda: self.accept(data), connection)
