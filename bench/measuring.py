"""How `bench` measures: the best of several runs beside a baseline, the memory of one, the time of a command."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """One line of the report: seconds and MiB of ours, seconds of the baseline."""

    name: str
    seconds: float
    baseline: str
    baseline_seconds: float
    target: str
    mebibytes: float

    @property
    def times(self) -> float:
        return self.baseline_seconds / self.seconds


def best(run: Callable[[], object], repeat: int = 5) -> float:
    """Return the shortest time of several runs, in seconds."""
    found = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def peak(run: Callable[[], object]) -> float:
    """Return the peak of what a run allocates, in MiB."""
    tracemalloc.start()
    run()
    _, top = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return top / 2**20


def command(*words: str) -> float:
    """Return the median wall time of a command over nine runs, in seconds."""
    times = []
    for _ in range(9):
        start = time.perf_counter()
        subprocess.run(words, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def command_memory(*words: str) -> float:
    """Return the peak of a command in MiB."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True)
    return float(done.stdout)
