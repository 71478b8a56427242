"""Spoil files that Laager reads and maps that it writes, for so long: `python -m bench.fuzz [--minutes 10]`.

Each reader and writer of VASL's files gets the same share of the processor's time. A case is a number: the tests' own
functions spoil a file by it, and read it or refuse it with a sentence. Printed for each: cases, how many were read, the
slowest in seconds, the most memory so far; and every case that failed, by its number, to be tried alone. `--only maps`
tries only what has that word in its name. Ctrl-C goes on to the next.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.vasl import test_board_fuzz as boards
from tests.vasl import test_board_making_fuzz as making
from tests.vasl import test_colour_fuzz as colours
from tests.vasl import test_log_hostile as logs
from tests.vasl import test_save_hostile as saves
from tests.vasl import test_scenario_fuzz as scenario
from tests.vasl import test_setup_fuzz as setups

SLOWEST = 2.0
"""Most seconds of processor time that a file may take."""


def read_save(number: int) -> bool:
    """Read a spoilt game."""
    return bool(saves.be_tried(saves.random_case(random.Random(number), [saves.own_game()])))


def targets(folder: Path) -> dict[str, Callable[[int], bool]]:
    """Return what is fuzzed: by its name a function that tries the case of a number."""
    return {
        "board archives": boards.check,
        "boards by their colours": colours.check,
        "boards by their colours, changed": colours.check_changed,
        "lists of colours, markers, legends": colours.check_texts,
        "scenario rules and overlays": lambda number: scenario.check(number, folder),
        "labels in saves": scenario.labelled,
        "saves": read_save,
        "logs": logs.survives,
        "modules": setups.tried,
        "extensions": lambda number: setups.tried_extension(number, folder / "BFP.vmdx"),
        "boards made of maps": making.write_board,
    }


def fuzz(name: str, attempt: Callable[[int], bool], first: int, seconds: float) -> int:
    """Try cases for so long, print what came of them, and return how many failed."""
    began, cases, read, failed, slowest = time.process_time(), 0, 0, 0, 0.0
    try:
        while (before := time.process_time()) - began < seconds:
            number = first + cases
            cases += 1
            try:
                read += attempt(number)
            except Exception:
                failed += 1
                if failed <= 3:
                    print(f"{name}: case {number}\n{traceback.format_exc(limit=-6)}", flush=True)
            took = time.process_time() - before
            slowest = max(slowest, took)
            if took > SLOWEST:
                print(f"{name}: case {number} took {took:.1f} s", flush=True)
    except KeyboardInterrupt:
        print(f"{name}: ended early", flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name:36} {cases:8} cases, {read:8} read, {failed} failed, {slowest:.2f} s, {memory} MB", flush=True)
    return failed


def main() -> int:
    """Fuzz everything; return how many cases failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--from", type=int, default=1_000_000, dest="first")
    parser.add_argument("--only", default="", help="words in the name of what is fuzzed, such as 'made of maps'")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chosen = {name: attempt for name, attempt in targets(Path(folder)).items() if words.only in name}
        if not chosen:
            parser.error(f"nothing is called so; there are: {', '.join(targets(Path(folder)))}")
        seconds = 60 * words.minutes / len(chosen)
        return sum(fuzz(name, attempt, words.first, seconds) for name, attempt in chosen.items())


if __name__ == "__main__":
    sys.exit(min(main(), 1))
