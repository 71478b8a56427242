"""VASSAL's own engine with VASL, as a witness.

It lies outside the project; without it the tests that ask it are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[3] / "shared"
HOME = Path(os.environ.get("VASSAL_HOME", SHARED / "vassal"))
DUMP, MODULE = HOME / "vassal-dump", HOME / "VASL.vmod"
BOARDS = SHARED / "data" / "boards"
_UNAVAILABLE = 3
_SECONDS = "400"
"""How long one run may take, on a machine that does much else at the time: a few seconds on one that doesn't."""

needs_module = pytest.mark.skipif(not MODULE.is_file(), reason=f"VASL's module is not in {HOME}")
needs_engine = pytest.mark.skipif(
    not DUMP.is_file() or shutil.which("java") is None or shutil.which("xvfb-run") is None,
    reason=f"VASSAL's engine is not in {HOME}, or there is no Java or no display",
)
needs_boards = pytest.mark.skipif(not BOARDS.is_dir(), reason=f"there are no boards of VASL in {BOARDS}")


@dataclass(frozen=True)
class Told:
    """What the engine told of a save: boards and pieces of the main map, and probed points."""

    boards: list[dict[str, Any]] = field(default_factory=list)
    pieces: list[dict[str, Any]] = field(default_factory=list)
    probes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def by_id(self) -> dict[str, dict[str, Any]]:
        return {one["id"]: one for one in self.pieces}

    @property
    def stacks(self) -> dict[str, list[dict[str, Any]]]:
        """The pieces of each stack, from the bottom up."""
        found: dict[str, list[dict[str, Any]]] = {}
        for one in sorted(self.pieces, key=lambda piece: piece["order"]):
            found.setdefault(one["stack"], []).append(one)
        return found


def ask(save: Path, boards: Path | None = None, *options: object) -> Told:
    """Load a save in the engine and return what it makes of it; skips where the engine can't run."""
    words = [DUMP, save, *([] if boards is None else [boards]), *options]
    patient = {"VASSAL_DUMP_TIMEOUT": _SECONDS, **os.environ}
    done = subprocess.run([str(one) for one in words], capture_output=True, text=True, check=False, env=patient)
    if done.returncode == _UNAVAILABLE:
        pytest.skip(f"VASSAL's engine does not run here: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr[-2000:]
    told = Told()
    for line in done.stdout.splitlines():
        one = json.loads(line) if line.startswith("{") else {}
        if one.get("kind") == "probe":
            told.probes.append(one)
        elif one.get("map") == "Main Map":
            {"board": told.boards, "piece": told.pieces}[one["kind"]].append(one)
    return told


def probed(points: Sequence[tuple[int, int]], folder: Path) -> Path:
    """Return a file of points for `--probe`."""
    path = folder / "points.txt"
    path.write_text("".join(f"{x} {y}\n" for x, y in points), encoding="utf-8")
    return path
