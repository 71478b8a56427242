"""What `bench` plays at: one or more servers on a database of their own (`Hall`), and what can be broken in them."""

from __future__ import annotations

import os
import secrets
import signal
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from bench.clusters import Cluster, cpu_time

if TYPE_CHECKING:
    from tests.web.serving import Served

BREAK_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"


@dataclass(frozen=True)
class Plan:
    """What is to be done: how many people, for how long or how many answers each."""

    players: int = 200
    seconds: float = 60.0
    answers: int = 0
    """So many of each player at least, if not 0; else as many as the time allows."""
    think: float = 0.0
    ramp: float = 0.0
    """Seconds before latencies count; the players come within the first two thirds of it."""
    campaigns: int = 1
    """So many campaigns each two people play, one after the other."""
    workers: int = 2
    servers: int = 1
    """So many servers work on one database; each campaign is asked for at one of them, as a proxy would do it."""
    database: str = "sqlite"
    trouble: bool = False
    seed: int = 1
    forked: bool = False
    """Servers begin with everything imported, see `serving`: not for measuring."""


@dataclass
class Where:
    """Where each server answers just now; one may come back at another port."""

    urls: list[str]
    homes: dict[str, int] = field(default_factory=dict)
    """Which server a campaign is asked for at: they are dealt out in turn."""

    @property
    def url(self) -> str:
        """Where the first server answers."""
        return self.urls[0]

    def of(self, game: str, failed: str) -> str:
        """Return which server is asked for a campaign: always the same one, or the next if that one has just failed."""
        home = self.homes.setdefault(game, len(self.homes))
        url = self.urls[home % len(self.urls)]
        return url if url != failed else self.urls[(home + 1) % len(self.urls)]


class Hall:
    """One or more servers under way on a database of their own, and what can be broken in them."""

    def __init__(self, plan: Plan, stack: ExitStack, url: str = "", more: Mapping[str, str] | None = None) -> None:
        from tests.web.serving import environment

        self.plan = plan
        self.data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="laager-load-")))
        self.cluster: Cluster | None = None
        if plan.database == "postgresql" and not url:
            self.cluster = stack.enter_context(Cluster.started())
            url = self.cluster.url
        self.url = url
        self.more = {"LAAGER_WRITES_A_MINUTE": "1000000", **(more or {})}
        if plan.servers > 1:
            # Each has a folder of its own, as on a machine of its own, unless the database lies in it.
            self.more["LAAGER_SECRET_KEY"] = secrets.token_urlsafe(48)
        self.environ = environment(self.folder(0), url, **self.more)
        self.serving = stack.enter_context(ExitStack())
        self.where = Where([])
        self.killed = 0
        self.ended: list[Served] = []
        """Servers that were killed or restarted."""
        self.start()

    @property
    def served(self) -> Served:
        """The first server."""
        return self.servers[0]

    def start(self) -> None:
        self.servers = [self.start_server(number) for number in range(self.plan.servers)]
        self.where.urls[:] = [one.url for one in self.servers]
        # It answers as soon as one of them does; without a second one none could be killed.
        for one in self.servers:
            one.wait_for_workers(self.plan.workers)

    def folder(self, number: int) -> Path:
        """Return the data folder of a server."""
        return self.data / ("data" if not self.url else f"data{number}")

    def start_server(self, number: int) -> Served:
        from tests.web.serving import serving

        options = ("--workers", str(self.plan.workers))
        return self.serving.enter_context(
            serving(self.folder(number), self.url, *options, forked=self.plan.forked, **self.more)
        )

    def replace_server(self, number: int) -> None:
        """Let another server take the place of one that has ended, as at the same machine."""
        self.ended.append(self.servers[number])
        self.servers[number] = self.start_server(number)
        self.where.urls[number] = self.servers[number].url

    def kill_a_server(self) -> None:
        """Kill a server with all its processes in the middle of whatever they do, and start another one."""
        os.killpg(self.served.process.pid, signal.SIGKILL)
        self.served.process.wait()
        self.killed += 1
        self.replace_server(0)

    def restart_server(self, number: int) -> None:
        """End a server as a host does, and start it again."""
        self.servers[number].end()
        self.replace_server(number)

    @staticmethod
    def number_of_answers(server: Served) -> int:
        """Return how many answers a server says that it has taken."""
        return sum('"method": "POST"' in line and '"status": 200' in line for line in server.err)

    def kill_a_worker(self) -> None:
        """Kill a worker in the middle of whatever it does; the server starts another one."""
        workers = self.served.workers
        if len(workers) > 1:
            os.kill(workers[0], signal.SIGKILL)
            self.killed += 1

    def restart_the_database(self) -> None:
        """Let the database die and come again; with SQLite, which is in it, the whole server."""
        if self.cluster is not None:
            self.cluster.crash()
            return
        if self.url:
            # Somebody else's server: at least every connection is broken.
            server, _slash, name = self.url.rpartition("/")
            with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
                connection.execute(BREAK_ALL, [name])
            return
        for pid in self.processes:
            os.kill(pid, signal.SIGKILL)
        for one in self.servers:
            one.process.wait()
        self.start()

    @property
    def processes(self) -> set[int]:
        """The servers and their workers. A single worker is the server itself."""
        return {pid for one in self.servers for pid in (one.process.pid, *one.workers)}

    def cpu(self) -> float:
        """Return the CPU time of servers, workers and our own PostgreSQL so far, in seconds."""
        return sum(cpu_time(pid) for pid in self.processes) + (self.cluster.cpu() if self.cluster else 0.0)

    def memory(self) -> float:
        """Return the memory of servers and workers together, in MiB (proportional set size)."""
        found = 0.0
        for pid in self.processes:
            # One that has been killed may be gone by now.
            with suppress(OSError):
                found += proportional(pid)
        return found / 1024


def proportional(pid: int) -> int:
    """Return the memory of a process in KiB; what it shares counts in part."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0
