"""The server's entry: `uvicorn laager.web.serving.asgi:application`."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import sys
import threading
import warnings
from functools import partial

from django.conf import settings
from django.core.asgi import get_asgi_application

from laager.web.shared.jobs import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "laager.web.serving.settings")

# Files of the pages are small; that they are read at once needs no word in the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")


SWITCH_EVERY = 0.001
"""Seconds after which a thread that computes lets another one go on: requests that need little come through."""
SECONDS_TO_START = 5.0
"""Seconds after which a worker has begun to answer."""
COLLECT_AFTER = (10_000, 10, 20)
"""How many objects are made before the garbage collector looks at new ones; every how often at older and all."""


def _warm_up() -> None:
    """Make now what requests would wait for otherwise, and spare the garbage collector what stays for ever."""
    from django.urls import get_resolver

    _ = get_resolver().url_patterns  # Imports all pages.
    gc.collect()
    gc.freeze()
    # Campaigns in memory are millions of objects that hold nothing in circles: to look for those often takes long.
    gc.set_threshold(*COLLECT_AFTER)
    sys.setswitchinterval(SWITCH_EVERY)


def _make_later() -> None:
    """Make what is public and takes a second when the start is over, and before anybody asks for it."""
    from laager.web.serving.api import api

    later = threading.Timer(SECONDS_TO_START, api.get_openapi_schema)
    later.daemon = True
    later.start()


def _keep_open() -> sqlite3.Connection | None:
    """Open SQLite's file once more and leave it open.

    Requests open and close it. The last to close it would have to put the whole write-ahead log into it, and wait
    for the disk several times.
    """
    from django.db import connection

    if connection.vendor != "sqlite":
        return None
    kept = sqlite3.connect(connection.settings_dict["NAME"], check_same_thread=False)
    kept.execute("PRAGMA journal_mode").fetchall()
    return kept


def _keep_doing_chores() -> None:
    """Let threads send mails and notices, sweep away what nobody needs, and play simulations, as long as this runs."""
    from laager.web.campaigns import thinking
    from laager.web.serving import chores
    from laager.web.simulating import runs

    threading.Thread(target=thinking.keep_thinking, args=(threading.Event(),), name="commanders", daemon=True).start()
    threading.Thread(target=runs.keep_playing, args=(threading.Event(),), name="simulations", daemon=True).start()
    threading.Thread(target=chores.keep_going, args=(threading.Event(),), name="chores", daemon=True).start()
    threading.Thread(target=chores.keep_posting, args=(threading.Event(),), name="webhooks", daemon=True).start()


# A worker left over would go on answering at the old address, and nobody could end it.
end_with_parent(partial(os.kill, os.getpid(), signal.SIGTERM))
_django = get_asgi_application()
from laager.web.play.short_way.front import ShortWay  # noqa: E402 - models need Django.
from laager.web.shared.request_slots import Bounded  # noqa: E402

_warm_up()
_kept = _keep_open()
_keep_doing_chores()
_make_later()
application = ShortWay(Bounded(_django, settings.CONFIG.at_once))
