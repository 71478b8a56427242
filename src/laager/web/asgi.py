"""The server's entry: `uvicorn laager.web.asgi:application`."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sqlite3
import threading
import warnings

from django.conf import settings
from django.core.asgi import get_asgi_application

from laager.web.bounded import Bounded

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "laager.web.settings")

# Files of the pages are small; that they are read at once needs no word in the log.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous")


def _end_with_parent() -> None:
    """End this worker when the process that started it is gone, be it killed.

    A worker left over would go on answering at the old address, and nobody could end it.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def _warm_up() -> None:
    """Make now what requests would wait for otherwise, and spare the garbage collector what stays for ever."""
    from django.urls import get_resolver

    _ = get_resolver().url_patterns  # Imports all pages.
    gc.collect()
    gc.freeze()


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


_end_with_parent()
_django = get_asgi_application()
from laager.web.hot.front import Front  # noqa: E402 - its models need Django.

_warm_up()
_kept = _keep_open()
application = Front(Bounded(_django, settings.CONFIG.at_once))
