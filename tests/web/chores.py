"""What tests let processes of their own do; such processes know no Django."""

from __future__ import annotations

import os
import time
from pathlib import Path

from laager.base import DataError, Problem, Refusal, RefusedError


def who() -> int:
    return os.getpid()


def hoard(megabytes: int) -> int:
    return len(bytearray(megabytes * 2**20))


def refuse(what: str) -> None:
    if what == "data":
        raise DataError([Problem("wrong", "right", "a.b", 3, "x.yaml")], heading="Look")
    raise RefusedError(Refusal.NO_SUCH, "there is none", "take another")


def die() -> None:
    os._exit(3)


def sleep(seconds: float, mark: str = "") -> str:
    if mark:
        Path(mark).touch()
    time.sleep(seconds)
    return mark


def compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
