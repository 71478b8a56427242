"""Runs commands of `laager`, each in a process of its own that begins with everything imported.

Most of what a short command takes is Python's beginning. A server of processes imports what commands import, once,
and forks for each of them; what a process reads for itself (settings, environment, folder) it reads as ever.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any

FORKS = multiprocessing.get_context("forkserver")
IMPORTED = [
    "pytest", "tests.forked", "laager.cli.app", "laager.cli.server.commands", "laager.web.serving.serve",
    "laager.web.serving.readiness", "laager.web.serving.backup.rows", "django.contrib.admin.options",
    "django.core.management.commands.migrate", "django.db.backends.sqlite3.base", "django.db.models",
    "django.db.backends.postgresql.base", "django.forms", "django.urls", "django.views.generic", "uvicorn",
]  # fmt: skip
"""What needs no settings of Django; a name that can't be imported is left out."""
PAGES = "tests.web.awake"
"""The module that imports what needs settings, too; see tests/web/conftest.py."""


class Forked:
    """A command under way in a process of its own, with what tests use of `subprocess.Popen`."""

    def __init__(self, words: list[str], env: Mapping[str, str], folder: Path, out: int, err: int) -> None:
        FORKS.set_forkserver_preload(IMPORTED)
        given = words, dict(env), str(folder), _Lent(out), _Lent(err)
        self._process = FORKS.Process(target=_carry_out, args=given)
        self._process.start()
        self.pid = self._process.pid or 0

    def poll(self) -> int | None:
        """Return its exit code; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return its exit code. Raises TimeoutExpired if it takes longer."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("laager", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()


class _Lent:
    """A file that the process gets, too."""

    def __init__(self, file: int) -> None:
        self._file = file

    def __reduce__(self) -> tuple[Callable[[Any], Any], tuple[Any]]:
        return _identity, (DupFd(self._file),)


def _identity(lent: Any) -> Any:
    return lent


def run_forked(
    words: list[str], env: Mapping[str, str], folder: Path, patience: float
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder with this environment alone, to its end. Raises TimeoutExpired if it takes longer."""
    with tempfile.TemporaryDirectory() as written:
        out, err = Path(written, "out"), Path(written, "err")
        with out.open("w") as said, err.open("w") as complained:
            process = Forked(words, env, folder, said.fileno(), complained.fileno())
        try:
            code = process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(words, code, out.read_text("utf-8"), err.read_text("utf-8"))


def _carry_out(words: list[str], env: dict[str, str], folder: str, out: Any, err: Any) -> None:
    """Become the command, the first of a session of its own."""
    os.setsid()
    for stream, file in ((sys.stdout, out), (sys.stderr, err)):
        given = file.detach()
        os.dup2(given, stream.fileno())
        os.close(given)
    os.chdir(folder)
    tempfile.tempdir = None
    os.environ.clear()
    os.environ.update(env)
    if PAGES in sys.modules:
        sys.modules[PAGES].forget_settings()
    _fork_workers()
    sys.argv = ["laager", *words]
    from laager.cli import main

    try:
        main()
    finally:
        # multiprocessing ends its processes without.
        atexit._run_exitfuncs()


def _fork_workers() -> None:
    """Let uvicorn fork the workers of a server from the process that starts them."""
    from uvicorn import _subprocess

    _subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
