"""The campaign file survives: kills, two processes, disks that are full or read only, Ctrl-C."""

from __future__ import annotations

import errno
import io
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from filelock import FileLock

from laager.campaign.log import read_lines
from laager.cli import main

from .conftest import Laager
from .evenings import RED_PLAN
from .running import COMMAND, environment, install, process

Write = Callable[[str, str], Path]

PATIENCE = 600
"""Seconds that a test waits for what must come, on however busy a machine."""

LOOP = """
import sys
from pathlib import Path
from laager.cli import main
sys.stdin.close()
for _ in range(200):
    for words in (["new", "evening.yaml"], ["next", "--defaults", "1"], ["undo"], ["redo"]):
        sys.argv = ["laager", *words]
        try:
            main()
        except SystemExit:
            pass
"""
"""A process that answers, takes back and brings back as fast as it can."""


@pytest.fixture
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with campaigns that have just begun."""
    folder, there = tmp_path_factory.mktemp("begun"), install(tmp_path_factory.mktemp("installed"))
    for words in (["evening"], ["rzhavets"], ["evening", "--entered-dice", "--file", "entered.laager"]):
        assert process(folder, there, "new", *words).code == 0
    return folder


@pytest.fixture
def evening_file(begun: Path, tmp_path: Path) -> Path:
    """A campaign of the parlour rules in the folder, just begun."""
    return copyfile(begun / "evening.laager", tmp_path / "evening.laager")


@pytest.fixture
def rzhavets_file(begun: Path, tmp_path: Path) -> Path:
    """A campaign of Platoon Leader in the folder, just begun."""
    return copyfile(begun / "rzhavets.laager", tmp_path / "rzhavets.laager")


# Kills ------------------------------------------------------------------------------------------


def test_a_campaign_survives_being_killed_at_any_moment(tmp_path: Path, installed: Path) -> None:
    rng = random.Random(1)
    path = tmp_path / "evening.laager"
    card = "laager: parlour-card/1\ntitle: A long evening\nsource: house\nrounds: 100000\n"
    (tmp_path / "evening.yaml").write_text(card, encoding="utf-8")
    before = b""
    for _ in range(2):
        child = subprocess.Popen(
            [COMMAND[0], "-c", LOOP],
            cwd=tmp_path,
            env=environment(installed),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + PATIENCE
        # Once it is at work, it is killed at some moment.
        while child.poll() is None and time.monotonic() < deadline:
            if _size(path) > len(before):
                break
            time.sleep(0.002)
        assert _size(path) > len(before), "it is at work"
        time.sleep(rng.random() * 0.15)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        data = path.read_bytes()
        entries = read_lines(data, "it")[0].entries
        assert data.startswith(before), "what was stored is never lost"
        before = data[: data.rindex(b"\n") + 1]
        assert len(entries) >= 2
        # A lock that a dead process left behind holds nobody up.
        proof = process(tmp_path, installed, "verify")
        assert proof.out.endswith("sound\n"), proof
    assert len(before) > 1000
    ended = process(tmp_path, installed, "next", "--defaults", "1")
    assert ended.code == 0, ended


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("keep", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_write_that_was_cut_off_anywhere_is_taken_up_again(evening: Laager, write: Write, keep: float) -> None:
    path = Path("evening.laager")
    before = path.read_bytes()
    evening.well("answer", write("a.yaml", RED_PLAN))
    added = len(path.read_bytes()) - len(before)
    path.write_bytes(path.read_bytes()[: len(before) + int(added * keep)])
    assert evening("next", "--defaults", "20").code == 0
    assert evening.well("verify").endswith("sound\n")


# Two at once ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("evening_file")
def test_two_processes_at_once_are_told_apart(tmp_path: Path, installed: Path) -> None:
    before = (tmp_path / "evening.laager").read_bytes()
    with FileLock(tmp_path / ".evening.laager.lock"):
        ended = process(tmp_path, installed, "next", "--defaults", "1")
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == (
            "laager: another laager is using evening.laager; nothing was changed: try again when it is done\n"
        )
        assert process(tmp_path, installed, "status").code == 0
    assert (tmp_path / "evening.laager").read_bytes() == before
    assert process(tmp_path, installed, "next", "--defaults", "1").code == 0


@pytest.mark.usefixtures("evening_file")
def test_many_processes_answering_at_once_leave_a_sound_campaign(tmp_path: Path, installed: Path) -> None:
    children = [
        subprocess.Popen(
            [*COMMAND, "next", "--defaults", "1", "--side", side],
            cwd=tmp_path,
            env=environment(installed),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for side in ("red", "blue", "red", "blue")
    ]
    for child in children:
        _, err = child.communicate(timeout=PATIENCE)
        assert child.returncode in {0, 1}
        assert err == b"" or b"another laager is using" in err
    assert process(tmp_path, installed, "verify").out.endswith("sound\n")


@pytest.mark.usefixtures("evening_file")
def test_the_file_is_free_while_a_person_thinks(tmp_path: Path, installed: Path) -> None:
    thinking = subprocess.Popen(
        [*COMMAND, "next", "--side", "red"],
        cwd=tmp_path,
        env=environment(installed, PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert thinking.stdout is not None
    for line in thinking.stdout:
        if "one line of YAML" in line:
            break
    ended = process(tmp_path, installed, "next", "--side", "blue", stdin="\n\n")
    assert ended.code == 0, ended
    out, _ = thinking.communicate("\n\n", timeout=PATIENCE)
    assert thinking.returncode == 0
    assert "[red] Does it rain?" in out
    assert process(tmp_path, installed, "verify").out.endswith("sound\n")


def test_a_question_that_is_gone_meanwhile_is_told(
    evening: Laager, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    write("a.yaml", RED_PLAN)

    class Slow(io.StringIO):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            assert evening("answer", "a.yaml").code == 0
            return super().readline(size)

    monkeypatch.setattr(sys, "argv", ["laager", "next", "--side", "red"])
    monkeypatch.setattr(sys, "stdin", Slow("\n"))
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 1
    assert "red isn't asked anything" in evening.capsys.readouterr().err


# Disks ------------------------------------------------------------------------------------------


def failing(error: int, after: int = 0, real: Callable[..., Any] = Path.open) -> Callable[..., Any]:
    """Return an `open` whose files take so many bytes and then fail."""

    class Failing:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> Failing:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def write(self, data: bytes) -> int:
            self.file.write(data[:after])
            self.file.flush()
            raise OSError(error, os.strerror(error))

    def opened(path: Path | int, mode: str = "r", *args: Any, **more: Any) -> Any:
        file = real(path, mode, *args, **more)
        return Failing(file) if mode in {"r+b", "wb"} else file

    return opened


@pytest.mark.parametrize("after", [0, 1, 300, 1500])
def test_a_full_disk_costs_the_answer_and_nothing_else(
    evening: Laager, monkeypatch: pytest.MonkeyPatch, write: Write, after: int
) -> None:
    path, answers = Path("evening.laager"), write("a.yaml", RED_PLAN)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", failing(errno.ENOSPC, after))
        ended = evening("answer", answers)
    assert ended.code == 3
    assert ended.err == ("laager: evening.laager could not be written (No space left on device); nothing counts\n")
    assert path.read_bytes() == before
    evening.well("answer", answers)
    assert evening.well("verify").endswith("sound\n")


def test_a_new_campaign_on_a_full_disk_is_not_begun(laager: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", failing(errno.ENOSPC, 100, os.fdopen))
        ended = laager("new", "evening")
    assert ended.code == 3
    assert "No space left on device" in ended.err
    assert not Path("evening.laager").exists()
    # The first lines have room, what follows them does not.
    before = sorted(Path().iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", failing(errno.ENOSPC, 100))
        ended = laager("new", "evening")
    assert "No space left on device" in ended.err
    assert sorted(Path().iterdir()) == before
    laager.well("new", "evening")


def test_a_drawing_on_a_full_disk_leaves_nothing_half_made(evening: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.well("map", "--out", "old.svg")
    before, old = sorted(Path().iterdir()), Path("old.svg").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", failing(errno.ENOSPC, 100, os.fdopen))
        for name in ("old.svg", "new.svg", "new.png"):
            ended = evening("map", "--out", name)
            assert ended.code == 3
            assert f"{name}: can't be written (No space left on device)" in ended.err
    assert sorted(Path().iterdir()) == before
    assert Path("old.svg").read_bytes() == old


def test_a_campaign_that_can_only_be_read_can_be_looked_at(
    evening: Laager, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    real, answers = Path.open, write("a.yaml", RED_PLAN)

    def opened(path: Path, mode: str = "r", *args: Any, **more: Any) -> Any:
        if mode not in {"r", "rb"}:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, mode, *args, **more)

    before = Path("evening.laager").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", opened)
        for words in ("status", "log", "sheet", "verify", "export"):
            evening.well(words)
        ended = evening("answer", answers)
    assert ended.code == 3
    assert ended.err == ("laager: evening.laager could not be written (Permission denied); nothing counts\n")
    assert Path("evening.laager").read_bytes() == before


def test_a_folder_that_can_only_be_read_is_told(evening: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    def acquire(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), ".evening.laager.lock")

    monkeypatch.setattr("filelock.FileLock.acquire", acquire)
    assert evening("status").code == 0
    ended = evening("next", "--defaults", "1")
    assert ended.code == 3
    assert "Permission denied" in ended.err
    assert ended.err.count("\n") == 1


# Ctrl-C and closed pipes ------------------------------------------------------------------------


@pytest.mark.usefixtures("hears_ctrl_c")
def test_ctrl_c_while_a_line_is_awaited(tmp_path: Path, installed: Path, begun: Path) -> None:
    copyfile(begun / "entered.laager", tmp_path / "evening.laager")
    child = subprocess.Popen(
        [*COMMAND, "next", "--side", "red"],
        cwd=tmp_path,
        env=environment(installed, PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()
    for line in child.stdout:
        if "Red answers" in line:
            break
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=PATIENCE)
    assert (child.returncode, err) == (130, "laager: stopped; what you confirmed is kept\n")
    assert "red is asked [roll]" in process(tmp_path, installed, "status").out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("next", 0, "stopped; go on with laager next"),
        ("login http://localhost:1", 1, "no token was given; make a token on http://localhost:1/account/tokens/"),
        ("dyo new", 2, "nothing was begun; still open: --month"),
        ("answer -", 3, "-: there is no such file"),
        ("check -", 3, "-: there is no such file"),
    ],
)
@pytest.mark.usefixtures("rzhavets_file")
def test_an_input_that_the_caller_has_closed(tmp_path: Path, installed: Path, words: str, code: int, said: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" <&-', "sh", *COMMAND, *words.split()],
        capture_output=True, text=True, cwd=tmp_path, env=environment(installed), timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True), done
    assert not list(tmp_path.glob("laager-bug-*"))


def test_an_output_that_the_caller_has_closed(tmp_path: Path, installed: Path) -> None:
    for words, code in (["cards"], 0), (["check", "nothing.yaml"], 3):
        closed = ["/bin/sh", "-c", '"$@" >&- 2>&-', "sh", *COMMAND, *words]
        assert (
            subprocess.run(closed, cwd=tmp_path, env=environment(installed), timeout=PATIENCE, check=False).returncode
            == code
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("rzhavets_file")
def test_a_reader_that_has_seen_enough(tmp_path: Path, installed: Path) -> None:
    for words in (["rules", "pl"], ["export"], ["log"]):
        child = subprocess.Popen(
            [*COMMAND, *words], cwd=tmp_path, env=environment(installed), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(1)
        child.stdout.close()
        assert child.wait(timeout=PATIENCE) == 0
        assert child.stderr.read() == b""
        child.stderr.close()
