"""What a worker does now and then, in threads of its own: mails and notices that are due, old counts swept away.

Receivers of notices have a thread to themselves: who is slow holds up no mail.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event

from django.db import connection

from laager.web.campaigns import notices, reminding
from laager.web.serving import errors
from laager.web.shared import throttle

LOG = logging.getLogger("laager.web")
EVERY = 15.0
"""Seconds between two looks at what is due."""


def keep_going(ended: Event) -> None:
    """Do what is due until the end, in the thread that calls this."""
    swept = time.monotonic()

    def send_and_sweep() -> None:
        nonlocal swept
        reminding.remind()
        notices.post()
        errors.store_counts()
        if time.monotonic() - swept >= throttle.SWEEP_EVERY:
            swept = time.monotonic()
            throttle.sweep()

    _repeat(send_and_sweep, ended)


def keep_posting(ended: Event) -> None:
    """Tell webhooks and devices what is due until the end, in the thread that calls this."""
    _repeat(notices.post_to_receivers, ended)


def _repeat(work: Callable[[], None], ended: Event) -> None:
    while not ended.wait(EVERY):
        # What can't be done now can be the next time.
        try:
            work()
        except Exception as err:
            LOG.warning("a chore failed, will try again: %s", type(err).__name__)
        connection.close()
