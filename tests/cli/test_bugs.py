"""When Laager itself is at fault: one line, a file with the details, exit code 70."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from .conftest import Laager

SECRET = "SECRET-IN-A-TRACEBACK"


@pytest.fixture
def faulty(evening: Laager, monkeypatch: pytest.MonkeyPatch) -> Laager:
    """A Laager that fails while it tells the log, with a secret in what it says of it."""

    def told(*_: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr("laager.campaign.telling.log_in_words", told)
    return evening


def test_a_bug_is_one_line_and_a_file_beside_the_campaign(faulty: Laager) -> None:
    ended = faulty("log", "--side", "red")
    (written,) = Path().glob("laager-bug-*.txt")
    assert (ended.code, ended.out) == (70, "")
    assert ended.err == (
        "laager: this is a bug in Laager (ZeroDivisionError); the details are in "
        f"{written}; what you confirmed before is kept\n"
    )


def test_the_line_has_no_secret_and_the_file_has_the_traceback(faulty: Laager) -> None:
    ended = faulty("log", "--side", "red")
    (written,) = Path().glob("laager-bug-*.txt")
    text = written.read_text(encoding="utf-8")
    assert SECRET not in ended.text
    assert "Traceback" not in ended.text
    assert "Traceback (most recent call last):" in text
    assert f"ZeroDivisionError: {SECRET}" in text
    assert "command: laager log --side red" in text
    assert "do not show it to the other side" in text
    assert stat.S_IMODE(written.stat().st_mode) == 0o600


@pytest.mark.parametrize("how", ["-c {}", "--campaign {}", "--campaign={}"])
def test_the_file_lies_beside_the_campaign_wherever_that_is(
    faulty: Laager, tmp_path_factory: pytest.TempPathFactory, how: str
) -> None:
    home = tmp_path_factory.mktemp("elsewhere")
    Path("evening.laager").rename(home / "evening.laager")
    ended = faulty("log", *how.format(home / "evening.laager").split())
    assert ended.code == 70
    assert str(home) in ended.err
    assert len(list(home.glob("laager-bug-*.txt"))) == 1


def test_where_nothing_can_be_written_it_goes_elsewhere(
    faulty: Laager, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(elsewhere))
    monkeypatch.setattr("laager.cli.bugs._campaign_folder", lambda: Path("/nowhere"))
    assert str(elsewhere) in faulty("log").err
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/nowhere")
    assert "the details couldn't be saved" in faulty("log").err


def test_a_bug_in_a_rule_is_told_alike_and_harms_nothing(evening: Laager, monkeypatch: pytest.MonkeyPatch) -> None:
    from .parlour import ruleset

    before = Path("evening.laager").read_bytes()

    def apply(*_: object) -> None:
        raise RecursionError(SECRET)

    with monkeypatch.context() as patch:
        patch.setattr(ruleset.SecretKept, "apply", apply)
        ended = evening("next", "--side", "red", stdin="\n5\n")
    assert ended.code == 70
    assert SECRET not in ended.text
    assert evening.well("verify").endswith("sound\n")
    assert Path("evening.laager").read_bytes().startswith(before)
