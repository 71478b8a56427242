"""`laager export --record` and `laager new --from`: out and in again, copies, and a person who names a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from laager.campaign.record import KEY
from laager.cli.asking.menus import fill
from tests.cli.conftest import Laager
from tests.rules.record.test_files import begin, questions_of, text
from tests.rules.record.test_from_record import lines_of_log

CUT = 1500


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.laager"
    path.write_bytes(b"".join(lines_of_log("pl-rzhavets")[:CUT]))
    return path


def test_out_and_in_again(old: Path, laager: Laager) -> None:
    record = old.with_name("record.yaml")
    record.write_text(laager.well("export", "--record", "-c", str(old)), encoding="utf-8")
    new = str(old.with_name("new.laager"))
    laager.well("new", "rzhavets", "--from", str(record), "--file", new)
    asked = "axis is asked [purchases]: What do you buy for this firefight? You have 13 CP."
    assert asked in laager.well("status", "-c", new)
    assert laager.well("verify", new).rstrip().endswith("sound")
    again = laager.well("export", "--record", "-c", new)
    assert again == record.read_text(encoding="utf-8")


def test_a_side_writes_out_its_own(old: Path, laager: Laager) -> None:
    mine = laager.well("export", "--record", "--side", "axis", "-c", str(old))
    assert mine.rstrip() == text("axis").rstrip()


def test_a_copy_to_try_what_would_be_if(old: Path, laager: Laager) -> None:
    laager.well("new", "--from", str(old), "--file", str(old.with_name("what-if.laager")))
    assert "You have 13 CP" in laager.well("status", "-c", str(old.with_name("what-if.laager")))
    assert "leave CARD" in laager("new", "rzhavets", "--from", str(old)).err


def test_what_is_wrong_is_said_and_nothing_is_made(old: Path, laager: Laager) -> None:
    record = old.with_name("record.yaml")
    record.write_text(text().replace("next: buying", "next: bying"), encoding="utf-8")
    ended = laager("new", "rzhavets", "--from", str(record), "--file", str(old.with_name("new.laager")))
    assert ended.code != 0
    assert "did you mean buying?" in ended.err
    assert not old.with_name("new.laager").exists()


def test_a_person_names_the_file_with_the_answer(tmp_path: Path) -> None:
    (question,) = questions_of(begin(text("axis")), "allied")
    assert question.key == KEY
    path = tmp_path / "mine.yaml"
    path.write_text(text("allied"), encoding="utf-8")
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(f"{path}\r")
        assert question.accept(fill(question.form, "Your answer", question.default))["numbers"]["cp"] == 27
        pipe.send_text("\r")
        assert fill(question.form, "Your answer", question.default) == {}
