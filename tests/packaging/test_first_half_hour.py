"""The script of the first half hour (docs/contributing/first-half-hour.md), played from the built wheel."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, text_of
from tests.one_process import told
from tests.packaging.installed import BIN, LAAGER, PINNED, UV, WINDOWS, Installed, offline_first

SCRIPT = DOCS / "contributing" / "first-half-hour.md"
DOWN, ENTER = "\x1b[B", "\r"


def parts() -> Mapping[str, list[str]]:
    """Return the lines of the script's console, by heading."""
    found = {}
    for part in re.split(r"^## ", text_of(SCRIPT), flags=re.MULTILINE)[1:]:
        lines = "".join(re.findall(r"^```console\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)).splitlines()
        if lines:
            found[part.splitlines()[0]] = lines
    return found


PARTS = parts()
INSTALLING = "Installing"


Said = Callable[[list[list[str]]], list[str]]
"""Runs commands, and returns what each of them printed."""


def play(said: Said, lines: list[str]) -> None:
    """Type the commands, and look for the words below each in what it prints."""
    typed = [shlex.split(line[2:]) for line in lines if line.startswith("$ ")]
    assert {words[0] for words in typed} == {"laager"}
    answers = iter(said([words[1:] for words in typed]))
    command, answer = "", ""
    for line in lines:
        if line.startswith("$ "):
            command, answer = line, " ".join(next(answers).split())
        else:
            assert line in answer, f"{command}\n{answer}"


@pytest.mark.parametrize("heading", [name for name in PARTS if name != INSTALLING])
def test_the_script_is_played_as_it_stands(heading: str, bare: Installed, tmp_path: Path) -> None:
    there = bare.elsewhere(tmp_path / "play")
    play(lambda commands: [text for _, text in told(there.python, commands, there.folder, there.env)], PARTS[heading])


def test_the_script_has_all_rule_systems() -> None:
    assert {"Platoon Leader", "A Bridge Too Far", "Edson's Ridge", "Design Your Own"} < PARTS.keys()


# Each way of installing ---------------------------------------------------------------------------


def by_uv(wheel: Path, folder: Path) -> Installed:
    env = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    offline_first([UV, "tool", "install", "-q", *PINNED, wheel], env)
    return Installed(folder / "bin" / LAAGER, folder / "play")


def by_pipx(wheel: Path, folder: Path) -> Installed:
    env = {
        "PIPX_HOME": str(folder / "tools"),
        "PIPX_BIN_DIR": str(folder / "bin"),
        "PATH": f"{BIN}{os.pathsep}{os.defpath}",
    }
    pinned = f"--pip-args={' '.join(PINNED)}"
    offline_first([BIN / "pipx", "install", "-q", "--backend", "uv", pinned, wheel], env)
    return Installed(folder / "bin" / LAAGER, folder / "play")


def by_uvx(wheel: Path, folder: Path) -> Installed:
    words: list[str | Path] = [UV, "tool", "run", "-q", *PINNED, "--from", wheel, "laager"]
    offline_first([*words, "--version"])
    cache = subprocess.run([UV, "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()
    command = folder / "uvx-laager"
    settings = f"UV_OFFLINE=1 UV_CACHE_DIR={shlex.quote(cache)}"
    command.write_text(f'#!/bin/sh\n{settings} exec {shlex.join(map(str, words))} "$@"\n')
    command.chmod(0o755)
    return Installed(command, folder / "play")


WAYS = [
    by_uv,
    pytest.param(by_pipx, marks=pytest.mark.soak),
    pytest.param(by_uvx, marks=[pytest.mark.soak, pytest.mark.skipif(WINDOWS, reason="calls uvx by a shell script")]),
]
"""All three put the same wheel into an environment of its own."""


@pytest.mark.parametrize("install", WAYS)
def test_each_way_of_installing_ends_at_the_same_place(
    install: Callable[[Path, Path], Installed], wheel: Path, tmp_path: Path
) -> None:
    laager = install(wheel, tmp_path)
    laager.folder.mkdir()
    play(lambda commands: [laager(*words, code=None) for words in commands], PARTS[INSTALLING])


# At a terminal ------------------------------------------------------------------------------------


class Terminal:
    """A program at a terminal of its own, typed at key by key."""

    def __init__(self, laager: Installed) -> None:
        pty = pytest.importorskip("pty", reason="a terminal to type at is made on POSIX systems only")
        self.screen = ""
        self._hand, its = pty.openpty()
        env = {**laager.env, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        self._process = subprocess.Popen(
            [laager.command], stdin=its, stdout=its, stderr=its, cwd=laager.folder, env=env
        )
        os.close(its)
        os.set_blocking(self._hand, False)

    def type(self, keys: str) -> None:
        """Press some keys."""
        os.write(self._hand, keys.encode())

    def until(self, words: str) -> None:
        """Wait until words stand on the screen that weren't there at the last wait."""
        seen, end = "", time.monotonic() + 600
        while words not in " ".join(_plain(seen).split()):
            assert time.monotonic() < end, f"waited for {words!r}: {_plain(seen)[-2000:]}"
            try:
                seen += os.read(self._hand, 65536).decode(errors="replace")
            except BlockingIOError:
                time.sleep(0.02)
            except OSError:
                pytest.fail(f"it ended before {words!r}: {_plain(seen)[-2000:]}")
        self.screen += seen

    def end(self) -> None:
        """Close the terminal."""
        self._process.kill()
        self._process.wait(timeout=600)
        os.close(self._hand)


def _plain(text: str) -> str:
    return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>()][A-Z0-9]?)", "", text)


@pytest.fixture
def terminal(bare: Installed, tmp_path: Path) -> Iterator[Terminal]:
    found = Terminal(bare.elsewhere(tmp_path / "play"))
    yield found
    found.end()


def test_the_training_campaign_is_begun_with_two_keys(terminal: Terminal, tmp_path: Path) -> None:
    terminal.until("What do you want to do?")
    terminal.until("See all commands")
    terminal.type(DOWN)
    terminal.type(ENTER)
    terminal.until("Hint: Optional rules count only if both sides tick them.")
    assert "Which optional rules do you want?" in terminal.screen
    assert (tmp_path / "play" / "training.laager").exists()
