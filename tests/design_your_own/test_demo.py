"""The part of `make demo` about Design Your Own runs, and what it tells is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.demo import TERMS, purchase


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
