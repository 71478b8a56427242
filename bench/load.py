"""`python -m bench.load`: many people answer questions at one server, over loopback.

Each plays a side by the API as a program would: asks where the campaign stands, answers with the
proposal, waits for news when nothing is asked. Nobody thinks (or `--think` seconds on average), so
that the server is as busy as it can be. They come one after the other, open their campaigns and play
(`--ramp` seconds); latencies count after that, and each quarter of the time by itself. Whose campaign is over
goes on with the next one (`--campaigns`). What this program itself costs is told, too. Afterwards every log
is proven, and every answer that was confirmed must be in it exactly once. With `--trouble`, workers are killed
meanwhile, and the database (on SQLite the whole server) is killed and started again. Of several servers (`--servers`)
one is killed and comes again, then all are restarted one after the other.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import psycopg
import uvloop

from bench.client import Client, LostError
from bench.clusters import Cluster, cpu_time
from bench.loading import inside

if TYPE_CHECKING:
    from tests.web.serving import Served

RESULTS = Path("bench-results")
BREAK_ALL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
PATIENCE = 60.0
"""Seconds that a request may take."""


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


@dataclass
class Tally:
    """What all players did together; latencies in seconds, by what was asked."""

    latencies: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """When each was answered, and after how long."""
    since: float = 0.0
    """When all players had come: latencies count from then on."""
    until: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    cpu: Mapping[str, float] = field(default_factory=dict)
    """Seconds of CPU of `server` and `client`, once all players had come."""
    broken: Counter[str] = field(default_factory=Counter)
    """Requests without an answer: what was asked, and why there was none."""
    resolved: int = 0
    """Answers whose confirmation was lost on the way, and which had been stored."""
    strange: list[str] = field(default_factory=list)
    troubled: bool = False
    """True until all that is to break has broken: so long everybody goes on."""

    def took(self, what: str, seconds: float) -> None:
        self.latencies.setdefault(what, []).append((time.monotonic(), seconds))

    def quantile(self, what: str, share: float, quarter: int | None = None) -> float:
        """Return the latency below which a share of requests stayed, in ms; 0 for none."""
        since, until = self.since, self.until
        if quarter is not None:
            part = (until - since) / 4
            since, until = since + quarter * part, since + (quarter + 1) * part
        found = sorted(took for at, took in self.latencies.get(what, ()) if since <= at <= until)
        return 1000 * found[min(len(found) - 1, int(share * len(found)))] if found else 0.0

    def steady(self, what: str) -> int:
        """Return how many requests were answered once all players had come."""
        return sum(self.since <= at <= self.until for at, _ in self.latencies.get(what, ()))


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


class Asked(msgspec.Struct):
    """What a player reads of a question; the proposal is sent back as it came."""

    mark: str
    default: msgspec.Raw = msgspec.Raw(b"null")


class Status(msgspec.Struct):
    """What a player reads of a campaign's status."""

    tag: str
    over: bool
    asked: list[Asked]


STATUS = msgspec.json.Decoder(Status)


class Player:
    """One person at one seat, who answers whatever is asked with the proposal."""

    def __init__(self, seats: list[dict[str, str]], plan: Plan, where: Where, tally: Tally) -> None:
        self.names = [f"{seat['game']}/{seat['seat']}" for seat in seats]
        self.client = Client(seats[0]["token"], PATIENCE)
        self.plan, self.where, self.tally = plan, where, tally
        self.rng = random.Random(f"{plan.seed}/{self.names[0]}")
        self.at = 0
        """Which of the campaigns is played now."""
        self.failed = ""
        """The server that broke off or wasn't there when it was asked last."""
        self.given = [0] * len(seats)
        self.doubtful = ""

    async def play(self, end: float) -> None:
        """Play until the time is over, or all answers are given."""
        await asyncio.sleep(self.rng.uniform(0, self.plan.ramp * 2 / 3))
        while time.monotonic() < end and not self.done:
            status = await self.status()
            # The answer that it was in doubt about may have been its last one.
            if status is None or self.done:
                continue
            if status.asked:
                await self.answer(status.asked[0])
                await asyncio.sleep(self.rng.uniform(0, 2 * self.plan.think))
            elif status.over and self.at + 1 < len(self.names):
                self.at += 1
            elif status.over:
                break
            else:
                left = min(10.0, max(0.0, end - time.monotonic()))
                await self.ask("wait", "GET", f"/wait?tag={status.tag}&seconds={left:.1f}")
        self.client.close()

    @property
    def done(self) -> bool:
        enough = bool(self.plan.answers) and sum(self.given) >= self.plan.answers
        return enough and not self.doubtful and not self.tally.troubled

    async def status(self) -> Status | None:
        """Look where the campaign stands; None if the server does not say."""
        got = await self.ask("status", "GET", "")
        if got is None:
            return None
        status = STATUS.decode(got)
        self.settle({one.mark for one in status.asked})
        return status

    async def answer(self, asked: Asked) -> None:
        self.doubtful = asked.mark
        sent = b'{"answer":' + bytes(asked.default) + b"}"
        got = await self.ask("answer", "POST", f"/asked/{asked.mark}/answer", sent)
        if got is not None:
            self.given[self.at] += 1
            self.doubtful = ""

    def settle(self, marks: set[str]) -> None:
        """Find out what became of an answer without a confirmation: is it still asked?"""
        if self.doubtful and self.doubtful not in marks:
            self.given[self.at] += 1
            self.tally.resolved += 1
        self.doubtful = ""

    async def ask(self, what: str, method: str, path: str, sent: bytes = b"") -> bytes | None:
        """Return what the server answers; None if it could not."""
        begun = time.perf_counter()
        url = self.where.of(self.names[self.at].partition("/")[0], self.failed)
        try:
            address = f"/api/v1/campaigns/{self.names[self.at]}{path}"
            got = await self.client.ask(method, url, address, sent)
        except LostError as err:
            self.tally.broken[f"{what}: {err}"] += 1
            self.failed = url
            await asyncio.sleep(0.1)
            return None
        self.tally.statuses[got.status] += 1
        if got.status == 200:
            self.tally.took(what, time.perf_counter() - begun)
            return got.body
        if got.status not in {409, 503}:
            self.tally.strange.append(f"{what}: {got.status} {got.body[:300].decode(errors='replace')}")
        await asyncio.sleep(0.1)
        return None


# The run ------------------------------------------------------------------------------------------


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
        return self.serving.enter_context(serving(self.folder(number), self.url, *options, **self.more))

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


async def played(hall: Hall, seats: list[dict[str, str]], tally: Tally) -> tuple[list[Player], float]:
    """Let everybody play; return the players, and how long it took in seconds."""
    plan = hall.plan
    own: dict[str, list[dict[str, str]]] = {}
    for seat in seats:
        own.setdefault(seat["token"], []).append(seat)
    players = [Player(mine, plan, hall.where, tally) for mine in own.values()]
    begun = time.monotonic()
    tally.since, tally.until = begun + plan.ramp, begun + plan.ramp + plan.seconds
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(player.play(tally.until)) for player in players]
        if plan.trouble:
            group.create_task(trouble(hall, tasks, tally))
        spent = group.create_task(steadily(hall, tasks, tally))
    tally.cpu = spent.result()
    return players, time.monotonic() - begun


async def steadily(hall: Hall, tasks: list[asyncio.Task[None]], tally: Tally) -> Mapping[str, float]:
    """Return the CPU that was used between the ramp and the end, in seconds: the server's, and our own."""
    await asyncio.sleep(max(0.0, tally.since - time.monotonic()))
    server, own = hall.cpu(), time.process_time()
    while time.monotonic() < tally.until - 0.1 and not all(task.done() for task in tasks):
        await asyncio.sleep(0.1)
    tally.until = time.monotonic()
    return {"server": max(0.0, hall.cpu() - server), "client": time.process_time() - own}


async def trouble(hall: Hall, tasks: list[asyncio.Task[None]], tally: Tally) -> None:
    """Kill a worker, then the database, as soon as some answers have been given.

    Of several servers kill one, then restart all in turn.
    """
    deeds: tuple[Callable[[], None], ...] = (hall.kill_a_worker, hall.restart_the_database)
    if hall.plan.servers > 1:
        turns = [partial(hall.restart_server, number) for number in range(hall.plan.servers)]
        deeds = (hall.kill_a_server, *turns)
    for deed in deeds:
        if not await some_answers(hall, tasks, tally):
            return
        await asyncio.to_thread(deed)
    await some_answers(hall, tasks, tally)
    tally.troubled = False


async def some_answers(hall: Hall, tasks: list[asyncio.Task[None]], tally: Tally) -> bool:
    """Wait until more answers have been given, and some at each server; return whether somebody still plays."""
    wanted = len(tally.latencies.get("answer", ())) + max(2, hall.plan.players // 4)
    while len(tally.latencies.get("answer", ())) < wanted or not all(map(hall.number_of_answers, hall.servers)):
        if all(task.done() for task in tasks):
            return False
        await asyncio.sleep(0.02)
    return True


@dataclass
class Outcome:
    """What came of a run."""

    plan: Plan
    seconds: float
    answers: int
    entries: int
    tally: Tally
    memory: float
    killed: int
    faults: list[str]

    def rows(self) -> dict[str, Any]:
        """Return the figures."""
        tally = self.tally
        requests = sum(map(tally.steady, tally.latencies))
        answers, seconds = tally.steady("answer"), max(0.001, tally.until - tally.since)
        return {
            "database": self.plan.database,
            "players": self.plan.players,
            "servers": self.plan.servers,
            "think s": self.plan.think,
            "seconds": round(self.seconds, 1),
            "answers": self.answers,
            "entries": self.entries,
            "answers/s": round(answers / seconds, 1),
            "requests/s": round(requests / seconds, 1),
            **{
                f"{what} p{int(100 * share)} ms": round(tally.quantile(what, share), 1)
                for what in ("answer", "status")
                for share in (0.5, 0.95, 0.99)
            },
            **{
                f"{what} p95 ms, by quarter": [round(tally.quantile(what, 0.95, part), 1) for part in range(4)]
                for what in ("answer", "status")
            },
            "server CPU ms/answer": round(1000 * tally.cpu["server"] / max(1, answers), 2),
            "server CPU share": round(tally.cpu["server"] / seconds, 2),
            "client CPU ms/request": round(1000 * tally.cpu["client"] / max(1, requests), 3),
            "client CPU share": round(tally.cpu["client"] / seconds, 2),
            "load average": os.getloadavg(),
            "statuses": dict(tally.statuses),
            "broken": tally.broken.total(),
            "broken, by cause": dict(tally.broken),
            "resolved": tally.resolved,
            "workers killed": self.killed,
            "memory MiB": round(self.memory),
            "faults": self.faults,
        }


Beside = Callable[["Hall", list[dict[str, str]]], AbstractContextManager[None]]


def run(plan: Plan, url: str = "", beside: Beside | None = None, more: Mapping[str, str] | None = None) -> Outcome:
    """Play a plan on a new server, and prove what came of it; `url` is a database that is there.

    `beside` goes on while people play; `more` are settings of the server.
    """
    tally = Tally(troubled=plan.trouble)
    with ExitStack() as stack:
        hall = Hall(plan, stack, url, more)
        seats = inside(hall.environ, "begin", str(plan.players // 2), str(plan.campaigns))
        with nullcontext() if beside is None else beside(hall, seats):
            players, seconds = uvloop.run(played(hall, seats, tally))
        memory = hall.memory()
        asyncio.run(settled(players))
        proof = inside(hall.environ, "proof")
    faults = [*proof["faults"], *tally.strange]
    for player in players:
        for name, given in zip(player.names, player.given, strict=True):
            stored = proof["given"][name]
            if stored != given:
                faults.append(f"{name}: {given} answers confirmed, {stored} stored")
    answers = sum(sum(player.given) for player in players)
    return Outcome(plan, seconds, answers, proof["entries"], tally, memory, hall.killed, faults)


async def settled(players: list[Player]) -> None:
    """Let those look once more who do not know what became of their last answer."""
    for player in players:
        while player.doubtful:
            await player.status()
        player.client.close()


def main() -> int:
    """Run, print the figures, write them beside those of `make bench`."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    defaults = Plan()
    parser.add_argument("--players", type=int, default=defaults.players)
    parser.add_argument("--seconds", type=float, default=defaults.seconds)
    parser.add_argument("--think", type=float, default=defaults.think)
    parser.add_argument("--ramp", type=float, default=defaults.ramp)
    parser.add_argument("--campaigns", type=int, help="without it 1, and 4 if nobody thinks")
    parser.add_argument("--workers", type=int, help="without it 1, and 2 if there is trouble")
    parser.add_argument("--servers", type=int, default=defaults.servers)
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--trouble", action="store_true")
    given = parser.parse_args()
    given.campaigns = given.campaigns or (1 if given.think else 4)
    given.workers = given.workers or (2 if given.trouble else 1)
    kinds = ("sqlite", "postgresql") if given.database == "both" else (given.database,)
    found = []
    for kind in kinds:
        plan = Plan(
            players=given.players, seconds=given.seconds, think=given.think, ramp=given.ramp,
            campaigns=given.campaigns, workers=given.workers, servers=given.servers, database=kind,
            trouble=given.trouble,
        )  # fmt: skip
        outcome = run(plan)
        found.append(outcome.rows())
        for name, value in outcome.rows().items():
            sys.stdout.write(f"{name:18} {value}\n")
        sys.stdout.write("\n")
    RESULTS.mkdir(exist_ok=True)
    name = f"load{'-trouble' if given.trouble else ''}.json"
    (RESULTS / name).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 1 if any(one["faults"] for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
