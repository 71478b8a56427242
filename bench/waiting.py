"""`python -m bench.waiting`: what a thousand programs cost that wait for news, and how soon they hear of some.

They wait at one server over loopback, twelve for each seat. Then one answer is given, and those of the campaign who can
see something new hear of it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import uvloop

from bench.client import Client
from bench.hall import Hall, Plan
from bench.load import STATUS
from bench.loading import inside

OF_A_SEAT = 12
"""How many calls of one person may wait (`laager.web.play.table.news.MOST_WAITING`)."""
SETTLED = 10.0
"""Seconds until all wait."""
WAIT = 55


async def waited(hall: Hall, seats: list[dict[str, str]], listeners: int, seconds: float) -> dict[str, Any]:
    """Let listeners wait; return the figures."""
    keep = asyncio.Event()
    asks = 0

    async def listen(seat: dict[str, str]) -> None:
        nonlocal asks
        client, base = Client(seat["token"], 2 * WAIT), f"/api/v1/campaigns/{seat['game']}/{seat['seat']}"
        tag = STATUS.decode((await client.ask("GET", hall.where.url, base)).body).tag
        while not keep.is_set():
            await client.ask("GET", hall.where.url, f"{base}/wait?tag={tag}&seconds={WAIT}")
            asks += 1

    # Nobody stands in the same second as all others.
    tasks = []
    for i in range(listeners):
        tasks.append(asyncio.create_task(listen(seats[i // OF_A_SEAT])))
        await asyncio.sleep(SETTLED / listeners)
    await asyncio.sleep(SETTLED)
    cpu, begun, before = hall.cpu(), time.monotonic(), asks
    await asyncio.sleep(seconds)
    share = (hall.cpu() - cpu) / (time.monotonic() - begun)
    threads = len(list(Path(f"/proc/{hall.served.process.pid}/task").iterdir()))
    found = {"listeners": listeners, "CPU share": round(share, 4), "threads": threads, "calls": asks - before}
    keep.set()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


def main() -> None:
    """Measure on both databases, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--listeners", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    given = parser.parse_args()
    pairs = -(-given.listeners // (2 * OF_A_SEAT))
    for kind in ("sqlite", "postgresql") if given.database == "both" else (given.database,):
        with ExitStack() as stack:
            hall = Hall(Plan(players=2 * pairs, workers=1, database=kind), stack)
            seats = inside(hall.environ, "begin", str(pairs))
            found = uvloop.run(waited(hall, seats, given.listeners, given.seconds))
        for name, value in ({"database": kind} | found).items():
            sys.stdout.write(f"{name:18} {value}\n")


if __name__ == "__main__":
    main()
