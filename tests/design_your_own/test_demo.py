"""The part of `make demo` about Design Your Own runs, and what it tells is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager import demo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.demo import GERMAN, TERMS, choose_language, purchase


def test_the_demo_buys_checks_and_suggests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    purchase(tmp_path)
    told = capsys.readouterr().out
    for line in (
        "laager dyo check, axis: 999 of 1000 points, no rule broken",
        "laager dyo check, allied: 898 of 900 points, no rule broken",
        "Suggested purchase, German",
        "OBA, DR 1 of 2, 1944",
    ):
        assert line in told
    with FileStore(tmp_path / f"{TERMS}.laager") as store:
        assert audit(Campaign(store)).sound


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        ([], {"LANG": "de_DE.UTF-8"}, "de"),
        ([], {"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        (["--language", "en"], {"LANG": "de_DE.UTF-8"}, "en"),
        (["--language", "de"], {}, "de"),
        ([], {"LANG": "fr"}, "en"),
    ],
)
def test_the_demo_speaks_the_language_of_the_machine_or_the_chosen(
    arguments: list[str], environment: dict[str, str], language: str
) -> None:
    assert choose_language(arguments, environment) == language


def test_the_demo_buys_in_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = demo._LANGUAGE.set("de")
    try:
        purchase(tmp_path)
    finally:
        demo._LANGUAGE.reset(before)
    told = capsys.readouterr().out
    assert "999 von 1000 Punkten, keine Regel verletzt" in told
    assert GERMAN["What Laager would have bought for the Germans, with other wishes:"] in told
    assert "Brückenkopf an der Weichsel" in told
    assert "no rule broken" not in told
