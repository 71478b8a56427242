"""`python -m bench.soak --minutes 30`: people play for long while everything breaks, then in peace.

In the first half (`--breaking`) workers are killed (`--kills` in all), the database dies and comes again
(`--restarts`), and clients are slow, rude or greedy: bodies that never end, connections that say nothing, pictures that
nobody waits for. In the second half only those clients go on, and the memory of each process is measured: the slope is
what the server grows in a minute. At the end every log is proven, and every answer that was confirmed must be in it
exactly once.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from bench.hall import Hall, Plan, proportional
from bench.load import RESULTS, run

EVERY = 5.0
"""Seconds between two looks at the memory."""
STEP = 300.0
"""Seconds between two figures of the memory in the table."""
ANSWERS = 35
"""So many answers of a player each campaign takes at least: whose campaign is over begins the next one."""
GREEDY = 4
"""How many clients of each bad kind there are."""


@dataclass(frozen=True)
class Soak:
    """How long, and how much breaks in the first part of it."""

    seconds: float
    kills: int
    restarts: int
    breaking: float = 0.5
    """In this share of the time things break; then there is peace."""
    bad_clients: bool = True


@dataclass
class Watch:
    """What was seen of the server: its memory by process over time, and what was done to it."""

    begun: float = field(default_factory=time.monotonic)
    kills: int = 0
    restarts: int = 0
    memory: dict[int, list[tuple[float, float]]] = field(default_factory=dict)
    """By process: seconds since the beginning, and MiB (proportional set size, without helpers)."""
    helpers: float = 0.0
    """The most MiB that processes for drawing and checking had together."""
    rude: int = 0
    """How many requests of slow, rude and greedy clients there were."""

    @property
    def now(self) -> float:
        return time.monotonic() - self.begun

    def last(self, since: float) -> dict[int, float]:
        """Return the memory of the processes that were there at the end."""
        return {pid: round(seen[-1][1]) for pid, seen in self.memory.items() if seen and seen[-1][0] >= since}

    def course(self, since: float) -> dict[int, list[int]]:
        """Return the memory of the processes that were there at the end, in steps of `STEP` seconds."""
        return {
            pid: [round(mib) for i, (at, mib) in enumerate(seen) if not i or at // STEP > seen[i - 1][0] // STEP]
            for pid, seen in self.memory.items()
            if seen and seen[-1][0] >= since
        }

    def slopes(self, since: float) -> dict[int, float]:
        """Return by how many MiB each process that lived on grew in a minute, by least squares."""
        found = {pid: [one for one in seen if one[0] >= since] for pid, seen in self.memory.items()}
        return {pid: round(60 * slope(seen), 2) for pid, seen in found.items() if len(seen) > 5}


def slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the line that lies nearest to some points."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


@contextmanager
def beside(soak: Soak, watch: Watch, hall: Hall, seats: list[dict[str, str]]) -> Iterator[None]:
    """Let everything break, and measure, while people play."""
    over = threading.Event()
    watch.begun = time.monotonic()
    tasks = [threading.Thread(target=_measure, args=(soak, watch, hall, over), daemon=True)]
    tasks.append(threading.Thread(target=_break, args=(soak, watch, hall, over), daemon=True))
    if soak.bad_clients:
        for bad in (_never_ends, _says_nothing, _walks_away):
            tasks += [
                threading.Thread(target=_again, args=(bad, watch, hall, seats[i % len(seats)], over), daemon=True)
                for i in range(GREEDY)
            ]
    for one in tasks:
        one.start()
    try:
        yield
    finally:
        over.set()
        for one in tasks:
            one.join(60)


def _break(soak: Soak, watch: Watch, hall: Hall, over: threading.Event) -> None:
    """Kill workers and the database at even times in the first part."""
    half = soak.seconds * soak.breaking
    deeds = [((i + 1) * half / (soak.kills + 1), "kill") for i in range(soak.kills)]
    deeds += [((i + 1) * half / (soak.restarts + 1), "restart") for i in range(soak.restarts)]
    for at, deed in sorted(deeds):
        if over.wait(max(0.0, at - watch.now)) or watch.now > half * 1.5:
            return
        if deed == "kill":
            before = hall.killed
            # The one that was killed last may not be replaced yet.
            while hall.killed == before and watch.now < half and not over.wait(0.1):
                with suppress(ProcessLookupError):
                    hall.kill_a_worker()
            watch.kills = hall.killed
        else:
            hall.restart_the_database()
            watch.restarts += 1


def _measure(soak: Soak, watch: Watch, hall: Hall, over: threading.Event) -> None:
    while not over.wait(EVERY) and watch.now < soak.seconds:
        workers = hall.served.workers
        for pid in workers:
            with suppress(OSError):
                watch.memory.setdefault(pid, []).append((watch.now, proportional(pid) / 1024))
        helpers = 0.0
        for pid in descendants(workers):
            with suppress(OSError):
                helpers += proportional(pid) / 1024
        watch.helpers = max(watch.helpers, helpers)


def descendants(pids: list[int]) -> list[int]:
    """Return the processes that these have started, and those that they have started."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    found, new = list[int](), list(pids)
    while new:
        new = [pid for pid, parent in parents.items() if parent in new]
        found += new
    return found


# Bad clients --------------------------------------------------------------------------------------


def _again(bad: Any, watch: Watch, hall: Hall, seat: dict[str, str], over: threading.Event) -> None:
    while not over.is_set():
        with suppress(OSError, httpx.HTTPError):
            bad(hall.where.url, seat, over)
        watch.rude += 1
        over.wait(0.5)


def _connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((str(parts.hostname), parts.port), timeout=5)


def _never_ends(url: str, _seat: dict[str, str], over: threading.Event) -> None:
    """Send a part of a body, and nothing more."""
    with _connected(url) as one:
        one.sendall(b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\nusername=")
        over.wait(20)


def _says_nothing(url: str, _seat: dict[str, str], over: threading.Event) -> None:
    """Send a part of a head, and nothing more."""
    with _connected(url) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: local")
        over.wait(20)


def _walks_away(url: str, seat: dict[str, str], _over: threading.Event) -> None:
    """Ask for a large picture, and don't wait for it."""
    address = f"{url}/api/v1/campaigns/{seat['game']}/{seat['seat']}/map.png?width=3200"
    httpx.get(address, headers={"Authorization": f"Bearer {seat['token']}"}, timeout=1.0)


def main() -> int:
    """Run, print what came of it, write it beside the other figures."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--think", type=float, default=4.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kills", type=int, default=None, help="in that time; without it, one every 4.5 seconds")
    parser.add_argument("--restarts", type=int, default=None, help="of the database; without it, one in two minutes")
    parser.add_argument("--breaking", type=float, default=0.5, help="the share of the time in which things break")
    parser.add_argument("--campaigns", type=int, help="of each two people; without it enough for a quick machine")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--campaigns-megabytes", type=int, default=128)
    given = parser.parse_args()
    seconds = 60 * given.minutes
    kills = round(seconds / 9) if given.kills is None else given.kills
    restarts = max(1, round(seconds / 240)) if given.restarts is None else given.restarts
    found = []
    for kind in ("sqlite", "postgresql") if given.database == "both" else (given.database,):
        watch, soak = Watch(), Soak(seconds, kills, restarts, given.breaking)
        plan = Plan(
            players=given.players,
            seconds=seconds,
            think=given.think,
            campaigns=given.campaigns or 1 + round(seconds / (given.think + 1) / ANSWERS),
            workers=given.workers,
            database=kind,
        )
        more = {"LAAGER_CAMPAIGNS_MEGABYTES": str(given.campaigns_megabytes)}
        outcome = run(plan, beside=partial(beside, soak, watch), more=more)
        rows = outcome.rows() | {
            "workers killed": watch.kills,
            "database restarted": watch.restarts,
            "bad requests": watch.rude,
            "helpers MiB": round(watch.helpers),
            "MiB at the end": watch.last(seconds - 20),
            "MiB by 5 minutes": watch.course(seconds - 20),
            "MiB a minute": watch.slopes(seconds * (given.breaking + 0.3 * (1 - given.breaking))),
        }
        found.append(rows)
        for name, value in rows.items():
            sys.stdout.write(f"{name:18} {value}\n")
        sys.stdout.write("\n")
        sys.stdout.flush()
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "soak.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 1 if any(one["faults"] for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
