"""A server as it is when nobody is there, and its pages when a long campaign is on it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PAGES = ("", "log", "units", "map", "map.svg", "sheets", "history", "tag")
"""The pages that are measured, below a seat's address."""

BARE = """
import sys
import django
from django.conf import settings
settings.configure(DATABASES={}, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="x")
django.setup()
from django.core.asgi import get_asgi_application
from django.http import HttpResponse
from django.urls import path
urlpatterns = [path("health", lambda request: HttpResponse("good"))]
import uvicorn
uvicorn.run(get_asgi_application(), port=int(sys.argv[1]), log_level="error", lifespan="off")
"""
"""The least that Django and uvicorn need, as a baseline."""


@dataclass(frozen=True)
class Idle:
    """A server that has just begun to answer: after how many seconds, with how many MiB."""

    seconds: float
    mebibytes: float


def idle() -> Idle:
    """Start a server as people do, with one worker, on a database that is there already."""
    from tests.web.serving import serving as started

    with tempfile.TemporaryDirectory(prefix="laager-bench-") as place:
        data = Path(place) / "data"
        with started(data):
            # The first start makes the database; it is not what is measured.
            pass
        begun = time.perf_counter()
        with started(data) as served:
            return Idle(time.perf_counter() - begun, memory(served.process.pid))


def bare() -> Idle:
    """Start Django and uvicorn with nothing in them."""
    import httpx
    from tests.web.postgres import free_port

    port = free_port()
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", BARE, str(port)])
    try:
        while True:
            try:
                httpx.get(f"http://127.0.0.1:{port}/health")
                return Idle(time.perf_counter() - begun, memory(process.pid))
            except httpx.TransportError:
                time.sleep(0.02)
    finally:
        process.kill()
        process.wait()


def memory(pid: int) -> float:
    """Return the resident memory of a process, in MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


@contextmanager
def long_campaign() -> Iterator[tuple[Callable[[str], Callable[[], object]], int]]:
    """Put a long campaign on a server in this process; give what opens its pages, and its length.

    The pages are asked for without a network between, so that it is their making that is measured.
    """
    with tempfile.TemporaryDirectory(prefix="laager-bench-") as place:
        os.environ |= {"LAAGER_DATA": place, "DJANGO_SETTINGS_MODULE": "laager.web.serving.settings"}
        os.environ.pop("DATABASE_URL", None)
        client, home, length = _at_table()
        yield lambda page: lambda: _opened(client, home + page), length


@cache
def _at_table() -> tuple[Any, str, int]:
    import logging

    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    from bench.campaigns import played
    from laager.campaign.log import MemoryStore
    from laager.web.campaigns.store import DatabaseStore
    from laager.web.models import Game, Member, Player, Role

    settings.ALLOWED_HOSTS.append("testserver")
    call_command("migrate", verbosity=0)
    user = Player.objects.create_user("long", password=None)
    entries = MemoryStore(played()).load().entries
    game = Game.objects.create(title="Long", ruleset="pl", card="rzhavets", owner=user)
    DatabaseStore(game.pk).append(entries)
    Member.objects.create(game=game, user=user, role=Role.PLAYER, side="axis")
    client = Client()
    client.force_login(user)
    return client, f"/campaign/{game.pk}/axis/", len(entries)


def _opened(client: Any, address: str) -> object:
    answer = client.get(address)
    if answer.status_code != 200:
        raise AssertionError(f"{address}: {answer.status_code}")
    return answer.content
