"""Spoil files that Laager reads and maps that it writes, for so long: `python -m bench.fuzz [--minutes 10] [--from 0]`.

Each reader and writer of VASL's files gets the same share of the processor's time. A case is a number: the tests' own
functions spoil a file by it, and read it or refuse it with a sentence. Printed for each: cases, how many were read, the
slowest in seconds, the most memory so far; and every case that failed, by its number, to be tried alone.
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
from typing import Any
from unittest.mock import patch

from tests.vasl import test_board_fuzz as boards
from tests.vasl import test_colour_fuzz as colours
from tests.vasl import test_log_hostile as logs
from tests.vasl import test_save_hostile as saves
from tests.vasl import test_scenario_fuzz as scenario
from tests.vasl import test_setup_fuzz as setups
from tests.vasl.test_board_making import typed

from laager.base import DataError
from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, TERRAINS
from laager.vasl import board_of, find_losses, make_board_archive
from laager.vasl.making import archive

SLOWEST = 2.0
"""Most seconds of processor time that a file may take."""
_COLUMNS, _ROWS = "ABCDEF", range(6)
_NAMES = ("A", "B", "AA", "Old Mill", "Mühle", "<&>", '"', "a_b", "Z" * 21, "7", "\u202e")
_STREETS = [{"kind": "paved", "along": [f"{column}{row}" for row in _ROWS]} for column in ("B", "D", "F")]


def write_board(number: int) -> bool:
    """Make a board of a map of chance and read it back; return whether the map was sound."""
    dice = random.Random(number)
    inner = [f"{column}{row}" for column in "BCDE" for row in range(1, 5)]

    def some() -> list[str]:
        return dice.sample(inner, dice.randrange(5))

    parts: dict[str, Any] = {
        "terrain": {dice.choice(TERRAINS): some()},
        "also": {dice.choice(TERRAINS): some()},
        "levels": {str(dice.randint(-3, 9)): some()},
        "features": {dice.choice(FEATURES): some()},
        "hexsides": {dice.choice(HEXSIDES): [f"{name[0]}{name[1]}/{name[0]}{int(name[1]) + 1}" for name in some()]},
        "buildings": [
            {"material": dice.choice(MATERIALS), "levels": dice.randint(0, 9), "hexes": [name]} for name in some()
        ],
    }
    if dice.random() < 0.7:
        parts["roads"] = _STREETS
        parts["block_names"] = dict(zip(dice.sample(_NAMES, 3), ("A2", "C2", "E2"), strict=True))
    try:
        map_ = typed(**parts)
        made = make_board_archive(map_, dice.choice(("bdMine", "bd1", "bd" + "x" * 20)))
    except DataError:
        return False
    assert board_of(made).known
    find_losses(map_, made)
    return True


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
        "boards made of maps": write_board,
    }


def fuzz(name: str, attempt: Callable[[int], bool], first: int, seconds: float) -> int:
    """Try cases for so long, print what came of them, and return how many failed."""
    began, cases, read, failed, slowest = time.process_time(), 0, 0, 0, 0.0
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
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{name:36} {cases:8} cases, {read:8} read, {failed} failed, {slowest:.2f} s, {memory} MB", flush=True)
    return failed


def main() -> int:
    """Fuzz everything; return how many cases failed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--from", type=int, default=1_000_000, dest="first")
    words = parser.parse_args()
    # The picture is for people, and drawing takes nearly all of the time.
    blank = patch.object(archive, "to_gif", lambda png, tints: png)
    with tempfile.TemporaryDirectory() as folder, blank:
        all_targets = targets(Path(folder))
        seconds = 60 * words.minutes / len(all_targets)
        return sum(fuzz(name, attempt, words.first, seconds) for name, attempt in all_targets.items())


if __name__ == "__main__":
    sys.exit(min(main(), 1))
