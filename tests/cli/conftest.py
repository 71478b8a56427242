"""A way to run `laager` inside the tests, and a rule system installed for them."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from laager.cli import main

from .running import Ended, install


@dataclass
class Laager:
    """Runs `laager` with these words, in this process, in a folder of its own."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: str | Path, stdin: str = "", **env: str) -> Ended:
        with self.monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["laager", *(str(word) for word in words)])
            patch.setattr(sys, "stdin", io.StringIO(stdin))
            for name, value in env.items():
                patch.setenv(name, value)
            self.capsys.readouterr()
            code: Any = 0
            try:
                main()
            except SystemExit as end:
                code = end.code
        out, err = self.capsys.readouterr()
        assert isinstance(code, int)
        return Ended(code, out, err)

    def well(self, *words: str | Path, stdin: str = "", **env: str) -> str:
        """Run, be sure that it went well and silently, and return what was printed."""
        ended = self(*words, stdin=stdin, **env)
        assert (ended.code, ended.err) == (0, ""), ended
        return ended.out


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Let children hear Ctrl-C: a run of the tests in the background ignores it, and so would they.

    A handler of our own is not inherited, so the child has the default.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def laager(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Laager:
    monkeypatch.chdir(tmp_path)
    for name in ("LAAGER_CAMPAIGN", "LAAGER_SIDE", "LAAGER_SOLO", "COLUMNS", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.syspath_prepend(install(tmp_path_factory.mktemp("installed")))
    return Laager(tmp_path, monkeypatch, capsys)


@pytest.fixture
def evening(laager: Laager) -> Laager:
    """A campaign of the parlour rules in the folder, just begun."""
    laager.well("new", "evening", "--entered-dice")
    return laager


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file into the folder."""

    def _write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return _write
