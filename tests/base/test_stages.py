"""`make test` goes through all its stages and says what failed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_after_a_stage_that_fails_the_others_run_and_it_is_named(tmp_path: Path) -> None:
    make = tmp_path / "make"
    make.write_text('#!/bin/sh\necho "$2" >> ran\n[ "$2" != types ] && [ "$2" != menus ]\n')
    make.chmod(0o755)
    command = [sys.executable, str(ROOT / "tests" / "stages.py"), str(make)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout.endswith("failed: menus, types\n")
    assert re.search(r"^  types +FAILED +\d+ s +\d+ s of computing$", done.stdout, re.MULTILINE)
    stages = {
        "unit-front",
        "unit-commands",
        "unit-rules",
        "lint",
        "scripts",
        "types",
        "contracts",
        "menus",
        "browsers",
        "postgresql",
    }
    assert set((tmp_path / "ran").read_text().split()) == stages
