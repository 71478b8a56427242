"""Passwords are hashed one at a time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password

from laager.web.accounts import hashing
from laager.web.accounts.hashing import OneAtATime
from laager.web.shared.fair_queue import VISIT, BusyError, Visit
from tests.web.serving import PATIENCE

pytestmark = pytest.mark.once


def test_passwords_are_hashed_one_at_a_time_and_who_waits_has_no_place(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """A hundred tries to log in at once would take all cores from everybody else."""
    settings.PASSWORD_HASHERS = ["laager.web.accounts.hashing.OneAtATime"]
    begun, go, freed = Semaphore(0), Event(), list[int]()

    def encode(*given: Any) -> str:
        begun.release()
        assert go.wait(PATIENCE)
        return "hash"

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)

    def one(number: int) -> str:
        VISIT.set(Visit(lambda: freed.append(number)))
        return make_password("word")

    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(one, 0)
        assert begun.acquire(timeout=PATIENCE)
        others = [threads.submit(one, number) for number in (1, 2)]
        end = time.monotonic() + PATIENCE
        while hashing.QUEUE.waiting < 2 or len(freed) < 2:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert not begun.acquire(blocking=False)
        monkeypatch.setattr(hashing.QUEUE, "_most_waiting", 2)
        with pytest.raises(BusyError, match="too many people log in just now; try again in 10 seconds"):
            make_password("word")
        go.set()
        assert [answer.result(PATIENCE) for answer in (first, *others)] == ["hash"] * 3
    assert sorted(freed) == [1, 2]
    assert (hashing.QUEUE.waiting, hashing.QUEUE.taken) == (0, 0)


def test_hashes_are_those_of_django() -> None:
    made = PBKDF2PasswordHasher().encode("word", "salt", 10)
    assert OneAtATime().encode("word", "salt", 10) == made
    assert OneAtATime().verify("word", made)
