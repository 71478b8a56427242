"""Sending mails in the background: no request waits for the mail server.

A mail tells nothing that is secret; what could not be sent is written to the log without its text.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock
from typing import Any

from django.core.mail import EmailMessage
from django.template.loader import render_to_string

from laager.web.shared import meters

LOG = logging.getLogger("laager.web.mails")
PATIENCE = 10
"""Seconds that the end of the server waits for mails under way."""

_POST = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mails")
_lock = Lock()
_under_way: set[Future[bool]] = set()


def texts(subject: str, text: str, context: Mapping[str, Any]) -> tuple[str, str]:
    """Return a mail's subject, on one line, and its text, from their templates."""
    first = "".join(render_to_string(subject, dict(context)).splitlines()).strip()
    return first, render_to_string(text, dict(context)).strip() + "\n"


def send(to: Sequence[str], subject: str, text: str) -> None:
    """Queue a mail, one for each address."""
    for address in to:
        done = _POST.submit(deliver, address, subject, text)
        with _lock:
            _under_way.add(done)
        done.add_done_callback(_forget)


def _forget(done: Future[bool]) -> None:
    with _lock:
        _under_way.discard(done)


def deliver(address: str, subject: str, text: str) -> bool:
    """Send a mail now, for who can wait; return False if that fails."""
    try:
        EmailMessage(subject, text, to=[address]).send()
    except Exception:
        # One mail that cannot be sent stops no other, whatever the reason.
        LOG.exception("a mail could not be sent")
        meters.count_failed_mail()
        return False
    return True


def drain(seconds: float = PATIENCE) -> None:
    """Wait until what was handed over is sent."""
    with _lock:
        waiting = list(_under_way)
    wait(waiting, timeout=seconds)


atexit.register(drain)
