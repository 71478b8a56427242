"""What the tests of the command line share: results, installing the parlour, real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, and what it printed on both streams."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return self.out + self.err


def install(folder: Path) -> Path:
    """Make the parlour rules look installed to whoever has this folder on its path."""
    info = folder / "parlour_rules-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: parlour-rules\nVersion: 1.0\n")
    points = "[laager.rulesets]\nparlour = tests.cli.parlour.ruleset:RULESET\n"
    (info / "entry_points.txt").write_text(points)
    return folder


def environment(installed: Path, **more: str) -> dict[str, str]:
    """Return the environment for a process of its own, with nothing of the caller's settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LAAGER")}
    kept.pop("COLUMNS", None)
    return {**kept, "PYTHONPATH": f"{ROOT}{os.pathsep}{installed}", **more}


COMMAND = (sys.executable, "-c", "from laager.cli import main; main()")


def process(folder: Path, installed: Path, *words: str, stdin: str = "", **env: str) -> Ended:
    """Run `laager` as a process of its own."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(installed, **env),
        timeout=600,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)
