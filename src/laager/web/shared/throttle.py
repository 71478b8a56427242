"""How often something may be tried. Counted in the database, so that all workers count together.

A count belongs to a window of time that begins at full multiples of its length. Each worker sweeps old windows away
once an hour, in a thread of its own (`serving.chores`): no request does more than another for it.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection

from laager.base import Refusal, RefusedError
from laager.web.models import Throttle

if TYPE_CHECKING:
    from laager.web.models import Player

MINUTE, QUARTER, DAY = 60, 15 * 60, 24 * 60 * 60
"""Windows, in seconds."""
SWEEP_EVERY = 60 * MINUTE
"""Seconds between two sweeps of old windows."""


class TooOftenError(RefusedError):
    """Something was tried too often. `seconds` is how long to wait, for Retry-After."""

    def __init__(self, seconds: int) -> None:
        super().__init__(Refusal.TOO_OFTEN, f"this was tried too often; try again in {seconds} seconds")
        self.seconds = seconds


REMEMBERED = 10_000
"""Most people, and most refused tries, that a worker remembers."""
OVER: OrderedDict[str, int] = OrderedDict()
"""Until when what is refused, as far as this worker has seen it: who goes on trying costs the database nothing."""


def count(key: str, most: int, period: int = MINUTE) -> None:
    """Count one try. Raises TooOftenError from the first one above `most` in the period on."""
    now = int(time.time())
    window = now - now % period
    if OVER.get(key) == window + period:
        raise TooOftenError(window + period - now)
    with _without_waiting():
        tries = add(key, window)
    if tries > most:
        OVER[key] = window + period
        while len(OVER) > REMEMBERED:
            OVER.popitem(last=False)
        raise TooOftenError(window + period - now)


def add(key: str, window: int, number: int = 1) -> int:
    """Count tries in a window, and return how many there are now; one statement."""
    with connection.cursor() as cursor:
        cursor.execute(
            'INSERT INTO web_throttle (what, "window", count) VALUES (%s, %s, %s) '
            'ON CONFLICT (what, "window") DO UPDATE SET count = web_throttle.count + EXCLUDED.count RETURNING count',
            [key, window, number],
        )
        ((tries,),) = cursor.fetchall()
    return int(tries)


@contextmanager
def _without_waiting() -> Iterator[None]:
    """Let SQLite write without waiting for the disk: a count that a power cut loses is nobody's loss."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        (before,) = cursor.execute("PRAGMA synchronous").fetchone()
        cursor.execute("PRAGMA synchronous=OFF" if not before else "PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA synchronous={before}")


def forget(key: str) -> None:
    """Count anew from nothing: it went well at last."""
    OVER.pop(key, None)
    Throttle.objects.filter(what=key).delete()


def sweep() -> None:
    """Delete the counts of windows that are long over."""
    Throttle.objects.filter(window__lt=int(time.time()) - DAY).delete()


def login_key(name: str, address: str) -> str:
    """Return what tries at one account from one address are counted under.

    Whether there is such an account plays no part. What was typed is not kept: it may have been a
    password in the wrong field.
    """
    typed = f"{name.strip().casefold()}\n{address}"
    return "login:" + hashlib.sha256(typed.encode()).hexdigest()


def account_key(name: str) -> str:
    """Return what tries at one account from everywhere are counted under, whether it exists or not."""
    return login_key(name, "everywhere")


def count_login(name: str, address: str, known: bool = False) -> None:
    """Count a try to log in. Raises TooOftenError.

    From everywhere together an account can be tried so often a minute as from one address in a quarter of an hour.
    Where somebody has logged in to it before (`known`) that doesn't count: nobody can lock its owner out.
    """
    tries = settings.CONFIG.login_tries
    count(login_key(name, address), tries, QUARTER)
    if not known:
        count(account_key(name), tries, MINUTE)
    # Many names from one place: a list of passwords tried on all of them.
    count(f"logins:{address}", tries * 10, QUARTER)


def count_reset(email: str, address: str) -> None:
    """Count a request for a mail that resets a password. Raises TooOftenError."""
    typed = hashlib.sha256(email.strip().casefold().encode()).hexdigest()
    count(f"reset:{typed}", settings.CONFIG.login_tries, QUARTER)
    count(f"resets:{address}", settings.CONFIG.login_tries, QUARTER)


def count_opening(address: str) -> None:
    """Count the opening of an invitation, or an attempt to register. Raises TooOftenError."""
    count(f"opening:{address}", settings.CONFIG.login_tries * 3, QUARTER)


def count_change(user: Player) -> None:
    """Count a change that somebody wishes to make. Raises TooOftenError.

    Pages are counted by `ThrottleMiddleware`; the API calls this once it knows whose token it is.
    """
    count(f"write:{user.pk}", settings.CONFIG.writes_a_minute)


CHECKS_FOR_A_WRITE = 10
"""Checks that count as one change: pages ask for them while somebody types."""


def count_check(user: Player) -> None:
    """Count a look at what is being typed, which changes no campaign. Raises TooOftenError.

    Counted separately, so that fast typists can still submit the answer.
    """
    count(f"check:{user.pk}", settings.CONFIG.writes_a_minute * CHECKS_FOR_A_WRITE)


SECOND_OF_WORK = 40
"""Looks that a second of computing counts as."""


class Allowance:
    """What each person may still look at, in this worker; who isn't logged in counts by address. It fills up evenly.

    Nothing is written for it: a look should cost the database no change. What a request really cost
    is known afterwards, so that somebody may owe some looks for a while.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._left: OrderedDict[int | str, tuple[float, float]] = OrderedDict()

    def take(self, who: int | str) -> None:
        """Take one look. Raises TooOftenError if none is left."""
        left = self._take(who, 1, least=1)
        if left < 1:
            raise TooOftenError(math.ceil((1 - left) * MINUTE / settings.CONFIG.reads_a_minute))

    def charge(self, who: int | str, seconds: float) -> None:
        """Take what a request cost besides, in seconds of computing."""
        self._take(who, seconds * SECOND_OF_WORK)

    def _take(self, who: int | str, looks: float, least: float = -math.inf) -> float:
        """Take some looks if at least `least` are left; return how many were left before."""
        most, now = float(settings.CONFIG.reads_a_minute), time.monotonic()
        with self._lock:
            kept, at = self._left.pop(who, (most, now))
            left = min(most, kept + (now - at) * most / MINUTE)
            self._left[who] = (left - looks if left >= least else left), now
            while len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
        return left

    def clear(self) -> None:
        """Give everybody everything again."""
        with self._lock:
            self._left.clear()


LOOKS = Allowance()


def count_knock(address: str) -> None:
    """Count a change that somebody not logged in wishes to make. Raises TooOftenError."""
    count(f"knock:{address}", settings.CONFIG.writes_a_minute)
