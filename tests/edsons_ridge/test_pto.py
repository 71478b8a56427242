"""PTO Terrain on an owner's own map: what the check of a card says, and that the rules of the jungle count there."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.campaign.facts import UMPIRE
from laager.campaign.ruleset import NewCampaign
from laager.hexmap.ways.paths import path_cost
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.ruleset import RULESET
from laager.rules.edsons_ridge.state import ErState
from laager.rules.edsons_ridge.terrain import jungle_hit
from laager.vasl import mark

from .campaigns import CARD

WARNING = (
    "the map has woods in 21 hexes, orchard in 1 hex, brush in 2 hexes; in PTO Terrain that is jungle, palm, bamboo"
)


def card_with(folder: Path, map_text: str) -> NewCampaign:
    for path in CARD.parent.glob("ridge*.yaml"):
        (folder / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")
    (folder / "ridge-map.yaml").write_text(map_text, encoding="utf-8")
    return RULESET.read_card(folder / "ridge.yaml", {})


@pytest.fixture
def as_printed() -> str:
    """The map as a board gives it that shows dense jungle, but the light one as woods."""
    text = (CARD.parent / "ridge-map.yaml").read_text("utf-8")
    return mark(text, ["jungle=woods", "palm=orchard", "bamboo=brush", "A1-A7=open"])


def test_the_check_warns_of_woods_and_names_the_change(tmp_path: Path, as_printed: str) -> None:
    warnings = [str(one) for one in card_with(tmp_path, as_printed).warnings if "PTO" in str(one)]
    assert len(warnings) == 1
    assert WARNING in warnings[0]
    assert "laager vasl mark MAP woods=jungle orchard=palm brush=bamboo" in warnings[0]
    assert "--pto" in warnings[0]


def test_after_the_change_the_jungle_counts(tmp_path: Path, as_printed: str) -> None:
    made = card_with(tmp_path, mark(as_printed, ["woods=jungle", "orchard=palm", "brush=bamboo"]))
    assert not [one for one in made.warnings if "PTO" in str(one)]
    cg = Er(made.setting)
    cg.state = ErState.empty(UMPIRE)
    assert jungle_hit(cg, "C3", 80).change == "shellholes"
    assert path_cost(cg.map, ["Z5", "C3"]) == 3
