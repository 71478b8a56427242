"""What a worker does now and then, in a thread of its own: mails that are due, old counts that are swept away."""

from __future__ import annotations

import logging
import time
from threading import Event

from django.db import connection

from laager.web.campaigns import notices
from laager.web.shared import throttle

LOG = logging.getLogger("laager.web")
EVERY = 15.0
"""Seconds between two looks at what is due."""


def keep_going(ended: Event) -> None:
    """Do what is due until the end, in the thread that calls this."""
    swept = time.monotonic()
    while not ended.wait(EVERY):
        # What can't be done now can be the next time.
        try:
            notices.post()
            if time.monotonic() - swept >= throttle.SWEEP_EVERY:
                swept = time.monotonic()
                throttle.sweep()
        except Exception as err:
            LOG.warning("a chore failed, will try again: %s", type(err).__name__)
        connection.close()
