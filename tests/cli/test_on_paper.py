"""`laager export --record` and `laager new --from`: out and in again, and copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Laager
from tests.rules.record.test_files import text
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
