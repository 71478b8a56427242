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
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from bench.client import Client, LostError
from bench.hall import Hall, Plan, Where
from bench.loading import inside

RESULTS = Path("bench-results")
PATIENCE = 60.0
"""Seconds that a request may take."""


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
