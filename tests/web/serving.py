"""Starts `laager serve` as people do, as a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
from django.conf import settings
from django.db import connection, connections

from tests.forked import Forked, run_forked
from tests.web.postgres import free_port

T = TypeVar("T")
LAAGER = Path(sys.executable).with_name("laager")
PATIENCE = 600.0
"""Seconds that a test waits for what must come, on however busy a machine: only what hangs takes so long."""


@dataclass
class Served:
    """A server under way: its process, where it answers, all that it has said."""

    process: subprocess.Popen[bytes] | Forked
    url: str
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    begun: dict[int, str] = field(default_factory=dict)
    """The processes that have answered requests, and when each began: numbers of processes are used again."""

    def heard(self, line: str) -> None:
        """Take a line of its log."""
        self.err.append(line)
        found = re.search(r"Started server process \[(\d+)\]", line)
        if found:
            self.begun[int(found[1])] = begun_at(int(found[1]))

    @property
    def logs(self) -> list[dict[str, Any]]:
        """The lines of its log."""
        return [json.loads(line) for line in self.err if line.strip()]

    @property
    def workers(self) -> list[int]:
        """The processes that answer requests and still run."""
        return [pid for pid, at in list(self.begun.items()) if at and begun_at(pid) == at]

    @property
    def owner_link(self) -> str:
        """The one-time link that it printed; "" if none."""
        found = re.search(r"http\S+/invitation/\S+", "".join(self.out))
        return found[0] if found else ""

    def wait(self) -> None:
        """Wait until it answers."""
        end = time.monotonic() + PATIENCE
        with client() as visitor:
            while time.monotonic() < end and self.process.poll() is None:
                try:
                    if visitor.get(f"{self.url}/ready").status_code == 200:
                        return
                except httpx.TransportError:
                    time.sleep(0.05)
        raise AssertionError(f"the server does not answer: {self.out} {self.err}")

    def wait_for_workers(self, number: int) -> None:
        """Wait until so many processes answer."""
        end = time.monotonic() + PATIENCE
        while len(self.workers) < number:
            assert time.monotonic() < end, f"too few workers: {self.out} {self.err}"
            time.sleep(0.05)

    def end(self, how: int = signal.SIGTERM) -> int:
        """Tell it to end; return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE)
        finally:
            # With whatever it has started: a process left over would keep our pipes open.
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


def client(**more: Any) -> httpx.Client:
    """Return a client of servers without https: to read the machine's certificates for each takes 34 ms."""
    return httpx.Client(verify=False, timeout=PATIENCE, **more)


def begun_at(pid: int) -> str:
    """Return when a process began, by the clock of the system; "" if there is none with this number."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    state, *more = stat.rpartition(")")[2].split()
    return "" if state == "Z" else more[18]


def in_a_loop(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run something in an event loop in a thread of its own: the browser's has one in this."""

    def run() -> T:
        try:
            return asyncio.run(main())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(run).result()


def until(so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < end
        time.sleep(0.1)


def run_laager(data: Path, database: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a server whose data lie in a folder, to its end."""
    return run_forked(list(words), environment(data, database, **more), data.parent, PATIENCE)


def environment(data: Path, database: str, **more: str) -> dict[str, str]:
    """Return the environment of a server, without what the tests' own settings say."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LAAGER_", "DJANGO_", "DATABASE_URL", "COV_", "PYTEST_"))
    }
    given = {"LAAGER_DATA": str(data)}
    if database:
        given["DATABASE_URL"] = database
    return ours | given | more


def database_of_tests() -> str:
    """Return the address of the database that the tests themselves use."""
    chosen = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{chosen['NAME']}"
    return f"{server_of_tests()}/{chosen['NAME']}"


def server_of_tests() -> str:
    """Return the address of the PostgreSQL server that the tests use, without a database."""
    chosen = connection.settings_dict
    word = f":{chosen['PASSWORD']}" if chosen["PASSWORD"] else ""
    return f"postgresql://{chosen['USER']}{word}@{chosen['HOST']}:{chosen['PORT'] or 5432}"


def _keep(end: int, take: Callable[[str], None]) -> None:
    with os.fdopen(end, encoding="utf-8") as stream:
        for line in stream:
            take(line)  # Each line as it comes.


def _copy_tables(data: Path) -> None:
    """Begin a data folder with the tables of the tests' database: most of what a start takes is to make them.

    If no test of this run needs one, there is none, and the server makes its tables itself.
    """
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and name == connection.settings_dict["TEST"]["NAME"]:
        data.mkdir(mode=0o700)
        with closing(sqlite3.connect(name)) as ours, closing(sqlite3.connect(data / "laager.sqlite3")) as theirs:
            ours.backup(theirs)


@contextmanager
def serving(data: Path, database: str = "", *options: str, forked: bool = False, **more: str) -> Iterator[Served]:
    """Start a server and wait until it answers; end it afterwards.

    A `forked` one begins with everything imported, with empty tables, and forks its workers: it is there at once, but
    doesn't show that a server starts as people start it.
    """
    if forked and not database and not data.exists():
        _copy_tables(data)
    port = free_port()
    words, env = ["serve", "--port", str(port), *options], environment(data, database, **more)
    (out, said), (err, complained) = os.pipe(), os.pipe()
    process = (
        Forked(words, env, data.parent, said, complained)
        if forked
        else subprocess.Popen(
            [LAAGER, *words], env=env, stdout=said, stderr=complained, cwd=data.parent, start_new_session=True
        )
    )
    os.close(said)
    os.close(complained)
    served = Served(process, f"http://127.0.0.1:{port}")
    readers = [
        threading.Thread(target=_keep, args=(stream, take), daemon=True)
        for stream, take in ((out, served.out.append), (err, served.heard))
    ]
    for reader in readers:
        reader.start()
    try:
        served.wait()
        yield served
    finally:
        served.end()
        for reader in readers:
            reader.join(PATIENCE)


@contextmanager
def serving_tests_database(data: Path, *options: str, forked: bool = True, **more: str) -> Iterator[Served]:
    """Start a server on the database that the tests use, with their key: sessions hold in both."""
    key = {"LAAGER_SECRET_KEY": settings.SECRET_KEY}
    with serving(data, database_of_tests(), *options, forked=forked, **key, **more) as served:
        yield served
