"""`laager vasl watch`: new saves in a folder become reports; what can't be one is said and skipped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from laager.campaign.log import FileStore
from laager.campaign.views import view
from laager.cli.play.file_session import FileSession
from laager.cli.vasl.watching import SaveFolder, Watcher, changes_of
from laager.vasl import propose, shapes_in
from tests.cli.running import COMMAND, environment

from ..vasl.fields import CODE, board_under, first_battle, later_battle
from ..vasl.module_writer import small
from .conftest import Laager


@pytest.fixture
def fought(laager: Laager) -> Laager:
    """A folder with two campaigns in different battles, and a save of the first one's battle."""
    for name, campaign in (("one", first_battle("rzhavets")), ("two", later_battle("rzhavets", 2, 3))):
        with FileStore(laager.folder / f"{name}.laager") as store:
            store.create(campaign.entries)
    board_under(first_battle("rzhavets"), laager.folder)
    small().write(laager.folder / "VASL.vmod")
    (laager.folder / "saves").mkdir()
    where = ("--module", "VASL.vmod", "--layout", CODE, "--boards", ".")
    laager.well("vasl", "setup", *where, "-s", "axis", "-c", "one.laager", "-o", "battle.vsav")
    return laager


def watcher(laager: Laager, campaign: str, side: str = "axis") -> Watcher:
    return Watcher(FileSession(laager.folder / f"{campaign}.laager", side), laager.folder, laager.folder)


def test_a_file_is_news_when_it_is_new_or_changed_and_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "old.vsav").write_bytes(b"old")
    watched = SaveFolder(tmp_path)
    assert list(watched.list_changes()) == []
    new = tmp_path / "New.VSAV"
    new.write_bytes(b"1")
    (tmp_path / "notes.txt").write_bytes(b"1")
    assert list(watched.list_changes()) == []
    new.write_bytes(b"12")
    assert list(watched.list_changes()) == [(new, False)]
    assert list(watched.list_changes()) == [(new, True)]
    assert list(watched.list_changes()) == []
    (tmp_path / "old.vsav").write_bytes(b"other")
    assert [list(watched.list_changes()) for _ in range(2)][1] == [(tmp_path / "old.vsav", True)]


def test_a_save_becomes_a_report_that_can_be_given(fought: Laager, capsys: pytest.CaptureFixture[str]) -> None:
    report = watcher(fought, "one").tell(fought.folder / "battle.vsav")
    assert report == fought.folder / "battle-axis.yaml"
    said = capsys.readouterr().out
    assert said.startswith("battle.vsav: no changes\n")
    assert "laager report --side axis" in said
    assert "Read from battle.vsav, for axis:" in report.read_text("utf-8")
    fought.well("report", report, "-s", "axis", "-c", "one.laager")


def test_what_changes_is_said_row_by_row() -> None:
    recorded = {"units": [{"unit": "AX1", "fate": "on-map", "marks": ["cx"]}, {"unit": "AX2", "fate": "on-map"}]}
    report = {
        "units": [{"unit": "AX1", "fate": "on-map", "marks": []}, {"unit": "AX2", "fate": "eliminated"}],
        "control": [{"location": "B4", "side": "axis"}],
        "cvp": 3,
    }
    lines = ["AX1: marks none", "AX2: fate eliminated", "control: location B4, side axis", "cvp: 3"]
    assert list(changes_of(report, recorded)) == lines


def test_a_report_that_was_changed_is_not_overwritten(fought: Laager) -> None:
    at = watcher(fought, "one")
    first = at.tell(fought.folder / "battle.vsav")
    assert first is not None
    assert at.tell(fought.folder / "battle.vsav") == first
    first.write_text(first.read_text("utf-8") + "# mine\n", "utf-8")
    second = at.tell(fought.folder / "battle.vsav")
    assert second == fought.folder / "battle-axis-2.yaml"
    assert first.read_text("utf-8").endswith("# mine\n")


def test_saves_of_another_battle_are_skipped(fought: Laager, capsys: pytest.CaptureFixture[str]) -> None:
    assert watcher(fought, "two").tell(fought.folder / "battle.vsav") is None
    assert "its counters are those of battle 1; this is battle 2" in capsys.readouterr().out
    assert not list(fought.folder.glob("*.yaml"))


def test_saves_of_another_campaign_have_that_doubt(fought: Laager) -> None:
    other = view(later_battle("rzhavets", 1, 4), "axis")
    data = (fought.folder / "battle.vsav").read_bytes()
    proposal = propose(other, data, shapes=shapes_in(fought.folder))
    assert proposal.doubts[0] == "its counters were written for another campaign"


def test_broken_saves_and_saves_at_other_times_are_skipped(fought: Laager, capsys: pytest.CaptureFixture[str]) -> None:
    broken = fought.folder / "broken.vsav"
    broken.write_bytes((fought.folder / "battle.vsav").read_bytes()[:3000])
    assert watcher(fought, "one").tell(broken) is None
    said = capsys.readouterr().out
    assert said == "broken.vsav is skipped: is not a ZIP archive; name a board or a save of VASL\n"
    fought.well("new", "rzhavets", "--file", "new.laager")
    assert watcher(fought, "new").tell(fought.folder / "battle.vsav") is None
    assert "no battle report or setup is wanted of axis just now" in capsys.readouterr().out


def test_a_save_that_comes_before_its_report_is_asked_waits(fought: Laager, capsys: pytest.CaptureFixture[str]) -> None:
    fought.well("new", "rzhavets", "--file", "new.laager")
    at, save = watcher(fought, "new"), fought.folder / "battle.vsav"
    assert at.tell_waiting() is None
    assert at.tell(save) is None
    assert capsys.readouterr().out.startswith("battle.vsav waits: no battle report or setup is wanted of axis just now")
    assert at.tell_waiting() is None
    (fought.folder / "one.laager").replace(fought.folder / "new.laager")
    assert at.tell_waiting() == fought.folder / "battle-axis.yaml"
    assert capsys.readouterr().out.startswith("battle.vsav: no changes\n")
    assert at.waiting is None
    assert at.tell_waiting() is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.usefixtures("hears_ctrl_c")
def test_a_folder_is_watched_until_it_is_interrupted(fought: Laager, tmp_path: Path) -> None:
    words = ["vasl", "watch", "saves", "-s", "axis", "-c", "one.laager", "--boards", ".", "--every", "0.1"]
    running = subprocess.Popen(
        [*COMMAND, *words],
        cwd=fought.folder,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stdout.readline().startswith("watching saves for saves of Night March to Rzhavets, for axis")
    (fought.folder / "battle.vsav").replace(fought.folder / "saves" / "battle.vsav")
    try:
        assert running.stdout.readline() == "battle.vsav: no changes\n"
        assert running.stdout.readline().startswith("written: battle-axis.yaml; ")
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    finally:
        running.kill()
        running.communicate()
    assert (running.returncode, out, err) == (0, "", "")
    assert (fought.folder / "battle-axis.yaml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("saves",), "--side"),
        (("nowhere", "-s", "axis"), "nowhere is not a folder"),
        (("saves", "-s", "axis", "--out", "nowhere"), "nowhere is not a folder"),
    ],
)
def test_wrong_options_are_refused(fought: Laager, words: tuple[str, ...], message: str) -> None:
    ended = fought("vasl", "watch", *words, "-c", "one.laager")
    assert ended.code
    assert message in ended.err
