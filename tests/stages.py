"""Runs all stages of `make test`, even after one has failed: `python -m tests.stages make`.

There are three lanes, for two cores: while a stage of one lane waits (for a server, a browser, its last
test), those of the others have both. What failed is said at the end; then the exit code is 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

SHOWN = ("unit-rules",)
"""A long stage, which says how far it is."""
BESIDE = (("unit-front", "menus", "unit-commands"), ("lint", "scripts", "types", "contracts", "browsers", "postgresql"))
"""Lanes next to it, whose stages run one after the other; what each says is shown at its end.

Those of the second one wait most and have two processes each: a stage of one process, left alone at the end, would
leave a core idle.
"""


@dataclass(frozen=True)
class Result:
    """How a stage ended, after how many seconds, and how many of computing it and all that it started took."""

    stage: str
    passed: bool
    seconds: float
    computed: float

    def __str__(self) -> str:
        word = "passed" if self.passed else "FAILED"
        return f"  {self.stage:<14}{word:<8}{self.seconds:>6.0f} s{self.computed:>8.0f} s of computing"


def run(make: str, stages: tuple[str, ...], at_once: bool) -> list[Result]:
    """Run stages one after the other; each is a target of the Makefile.

    `at_once`: show what a stage says while it says it; otherwise all of it at its end.
    """
    results = []
    for stage in stages:
        begun = time.monotonic()
        command = [make, "--no-print-directory", stage]
        pipe = None if at_once else subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=None if at_once else subprocess.STDOUT) as process:
            said = process.stdout.read() if process.stdout else b""
            # It is waited for here, as this alone says what it has computed.
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if said:
            sys.stdout.buffer.write(said)
            sys.stdout.flush()
        computed = used.ru_utime + used.ru_stime
        results.append(Result(stage, process.returncode == 0, time.monotonic() - begun, computed))
    return results


def main() -> int:
    """Run everything; return an exit code."""
    make = sys.argv[1]
    with ThreadPoolExecutor(len(BESIDE)) as beside:
        others = [beside.submit(run, make, lane, at_once=False) for lane in BESIDE]
        results = run(make, SHOWN, at_once=True)
        results += [result for lane in others for result in lane.result()]
    sys.stdout.write("\n".join(["", "make test:", *map(str, results), ""]))
    failed = [one.stage for one in results if not one.passed]
    if failed:
        sys.stdout.write(f"failed: {', '.join(failed)}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
