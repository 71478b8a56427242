"""An answer to a server, stage by stage: in memory, with a database, as a request, with the status before it."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack
from typing import Any

import uvloop

from bench.client import Client
from bench.hall import Hall, Plan
from bench.load import STATUS
from bench.loading import CARDS, inside

ANSWERS = 60
"""So many answers of a campaign are given; the first campaign warms the server up."""
LOOKS = 300


def engine() -> float:
    """Return the seconds of an answer in memory, on average."""
    from laager.campaign.cards import find_card
    from laager.campaign.engine import Campaign
    from laager.campaign.log import MemoryStore
    from laager.campaign.opening import opening_entries
    from laager.campaign.ruleset import find_ruleset
    from laager.campaign.views import view

    took = 0.0
    for _ in range(2):
        path, rules = find_card(CARDS[0], None)
        made = find_ruleset(rules).read_card(path, {})
        store = MemoryStore()
        store.append(opening_entries(rules, made.title, made.setting, False, drawn=True))
        campaign = Campaign(store)
        campaign.advance()
        begun = time.perf_counter()
        for _ in range(ANSWERS):
            wanted = campaign.pending()[0]
            assert wanted.question is not None
            campaign.answer(wanted.side, wanted.key, wanted.question.default)
            view(campaign, wanted.side)
        took = (time.perf_counter() - begun) / ANSWERS
    return took


def served() -> dict[str, float]:
    """Return the seconds of `/health`, services, an answer, a status with an answer, and the server's CPU for both."""
    with ExitStack() as stack:
        hall = Hall(Plan(players=2, workers=1), stack)
        seats = inside(hall.environ, "begin", "1", str(4 * len(CARDS)))
        found: dict[str, float] = uvloop.run(_asked(hall, seats))
        return found | {"services": float(inside(hall.environ, "services", str(ANSWERS)))}


async def _asked(hall: Hall, seats: list[dict[str, str]]) -> dict[str, float]:
    url = hall.where.url
    clients = {seat["token"]: Client(seat["token"], 60.0) for seat in seats}
    anybody = next(iter(clients.values()))
    begun = time.perf_counter()
    for _ in range(LOOKS):
        await anybody.ask("GET", url, "/health")
    health = (time.perf_counter() - begun) / LOOKS
    # The same card comes again after the others.
    first, again = seats[:2], seats[2 * len(CARDS) :][:2]
    await _played(url, first, clients)
    before = hall.cpu()
    request, cycle = await _played(url, again, clients)
    used = (hall.cpu() - before) / ANSWERS
    for client in clients.values():
        client.close()
    return {"health": health, "request": request, "cycle": cycle, "used": used}


async def _played(url: str, seats: list[dict[str, str]], clients: dict[str, Client]) -> tuple[float, float]:
    """Play a campaign; return the seconds of an answer, and of a status with an answer, on average."""
    looks: list[float] = []
    answers: list[float] = []
    while len(answers) < ANSWERS:
        for seat in seats:
            client, base = clients[seat["token"]], f"/api/v1/campaigns/{seat['game']}/{seat['seat']}"
            begun = time.perf_counter()
            status: Any = STATUS.decode((await client.ask("GET", url, base)).body)
            looked = time.perf_counter()
            if not status.asked:
                await asyncio.sleep(0)
                continue
            sent = b'{"answer":' + bytes(status.asked[0].default) + b"}"
            await client.ask("POST", url, f"{base}/asked/{status.asked[0].mark}/answer", sent)
            looks.append(looked - begun)
            answers.append(time.perf_counter() - looked)
    request = sum(answers) / len(answers)
    return request, request + sum(looks) / len(looks)
