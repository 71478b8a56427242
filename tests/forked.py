"""Runs commands of `laager`, each in a process of its own that begins with everything imported.

Most of what a short command takes is Python's beginning. A server of processes imports what commands import, once,
and forks for each of them; what a process reads for itself (settings, environment, folder) it reads as ever.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

FORKS = multiprocessing.get_context("forkserver")
IMPORTED = (
    "pytest", "tests.forked", "laager.cli.app", "laager.cli.server.commands", "laager.web.serving.serve",
    "laager.web.serving.readiness", "laager.web.serving.backup.rows", "django.contrib.admin.options",
    "django.core.management.commands.migrate", "django.db.backends.sqlite3.base", "django.db.models",
    "django.db.backends.postgresql.base", "django.forms", "django.urls", "django.views.generic", "uvicorn",
)  # fmt: skip
"""What needs no settings of Django; a name that can't be imported is left out."""


def run_forked(
    words: list[str], env: Mapping[str, str], folder: Path, patience: float
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder with this environment alone, to its end. Raises TimeoutExpired if it takes longer."""
    FORKS.set_forkserver_preload(list(IMPORTED))
    with TemporaryDirectory() as written:
        out, err = Path(written, "out"), Path(written, "err")
        process = FORKS.Process(target=_carry_out, args=(words, dict(env), str(folder), str(out), str(err)))
        process.start()
        process.join(patience)
        code = process.exitcode
        if code is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, patience)
        process.close()
        return subprocess.CompletedProcess(words, code, out.read_text("utf-8"), err.read_text("utf-8"))


def _carry_out(words: list[str], env: dict[str, str], folder: str, out: str, err: str) -> None:
    """Become the command: what it writes goes to two files."""
    from laager.cli import main

    for stream, file in ((sys.stdout, out), (sys.stderr, err)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), stream.fileno())
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["laager", *words]
    main()
