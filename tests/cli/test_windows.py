"""What the command line says through pipes and consoles of other code pages, and with Windows' editors."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from laager.base import disk
from laager.cli.asking.desk import editor

from .running import COMMAND, environment, install


@pytest.mark.parametrize("coding", ["cp437", "ascii"])
def test_a_pipe_gets_utf8_whatever_the_code_page(tmp_path: Path, coding: str) -> None:
    done = subprocess.run(
        [*COMMAND, "cards"],
        capture_output=True,
        cwd=tmp_path,
        env=environment(install(tmp_path / "installed"), PYTHONIOENCODING=coding),
        timeout=600,
        check=True,
    )
    assert "────" in done.stdout.decode("utf-8")


def test_what_a_shell_of_windows_pipes_in_may_begin_with_a_mark(tmp_path: Path) -> None:
    installed = install(tmp_path / "installed")
    env = environment(installed, PYTHONIOENCODING="cp1252")
    subprocess.run([*COMMAND, "new", "training"], cwd=tmp_path, env=env, timeout=600, check=True, capture_output=True)
    typed = "{}\r\nq\r\n".encode("utf-8-sig")
    done = subprocess.run(
        [*COMMAND, "next"], cwd=tmp_path, env=env, input=typed, timeout=600, check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert "Germans answer" in subprocess.run(
        [*COMMAND, "log"], cwd=tmp_path, env=env, timeout=600, check=True, capture_output=True
    ).stdout.decode("utf-8")


def test_an_editor_of_windows_keeps_its_backslashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(disk, "WINDOWS", True)
    monkeypatch.setenv("EDITOR", r'"C:\Program Files\Edit\edit.exe" --wait')
    assert editor() == [r"C:\Program Files\Edit\edit.exe", "--wait"]
