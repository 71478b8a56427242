"""Commands of `laager` in one process of its own: most of what a command takes is Python's beginning."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

SCRIPT = """
import contextlib, io, json, sys
from laager.cli import main

told = []
for words in json.loads(sys.argv[1]):
    sys.argv, sys.stdin, code = ["laager", *words], io.StringIO(), 0
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    told.append((code, said.getvalue()))
print(json.dumps(told))
"""


def told(
    python: Path, commands: Sequence[Sequence[str]], folder: Path, env: Mapping[str, str]
) -> list[tuple[int, str]]:
    """Run commands one after the other in a folder; return the exit code of each, and what it printed."""
    done = subprocess.run(
        [python, "-c", SCRIPT, json.dumps(commands)],
        capture_output=True, text=True, cwd=folder, env=env, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [(code, text) for code, text in json.loads(done.stdout)]
