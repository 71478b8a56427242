"""Whole campaigns played by chance: they come to an end, hold together and keep their secrets."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest
from ruamel.yaml import YAML

from laager.base import DataError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.pending import Pending
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.ruleset import RULESET
from laager.rules.bridge_too_far.state import AbtfState
from tests.bridge_too_far.campaigns import new_campaign
from tests.bridge_too_far.scene import CARD, FOLDER, data
from tests.historical.by_chance import autoplay


def test_it_is_installed() -> None:
    assert find_ruleset("abtf") is RULESET
    assert RULESET.moment("play") == "play"
    assert RULESET.moment("nothing") == ""
    assert set(RULESET.moments) <= set(RULESET.steps)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("bare", [False, True])
def test_campaigns_come_to_an_end(seed: int, bare: bool) -> None:
    campaign = new_campaign(seed=bytes([seed] * 32), bare=bare)
    autoplay(campaign, Random(seed))
    assert campaign.state.ending
    assert audit(campaign).sound


READINGS = {
    "setup-areas": "connected-blocks",
    "wide-roads": "both",
    "entry-corners": "same-edge",
    "front-line-buildings": "ground",
    "unspent-fpp": "kept",
    "assumed-chits": "counted",
    "unreleased-at-night": "eliminated",
    "sniper-distance": "13",
    "shifted-guns": "bound",
}


def test_a_campaign_with_the_other_readings() -> None:
    campaign = new_campaign(readings=READINGS)
    autoplay(campaign, Random(5))
    assert campaign.state.ending


def test_a_conceded_campaign_ends_under_its_clause() -> None:
    campaign = new_campaign()
    campaign.declare(RULESET.concession_fact("axis"))
    assert campaign.state.winner == "allied"
    fact = next(entry for entry in campaign.entries if entry.type == "declared").body["fact"]
    assert fact["rule"] == "ABtF 9.2 CG End"


# Secrets ------------------------------------------------------------------------------------------


def told(campaign: Campaign, side: str) -> str:
    """All that a side can get of the module's own: state, JSON, sheets, the headline."""
    seen = view(campaign, side)
    parts = [
        json.dumps(RULESET.describe(seen.state), default=str),
        repr(seen.state),
        *RULESET.headline(campaign.context, seen.state),
        *(str(sheet.describe()) for sheet in RULESET.sheets(campaign.context, seen.state)),
    ]
    for pending in seen.pending:
        beside = RULESET.sheets_beside(campaign.context, seen.state, pending.key, side)
        parts += [str(sheet.describe()) for sheet in beside]
        if pending.question is not None:
            parts.append(json.dumps(pending.question.describe()))
    return "\n".join(parts)


def leaks(campaign: Campaign, side: str) -> list[str]:
    """What a side would know too much of."""
    whole: AbtfState = campaign.state
    seen: AbtfState = view(campaign, side).state
    enemy = other_side(side)
    found = []
    if side == "axis" and not whole.headquarters_known and seen.headquarters is not None:
        found.append("the Headquarters")
    if any(owner == enemy for owner, _ in seen.usage):
        found.append("modules in play")
    if any(whole.units[name].side == enemy for name in seen.records):
        found.append("notes on vehicles")
    if any(group.side == enemy for group in seen.groups.values()):
        found.append("purchases and strength")
    wounded = [u for u in seen.units.values() if u.has(Mark.WALKING_WOUNDED) and not u.known]
    if side == "axis" and wounded:
        found.append("where Walking Wounded are")
    text = told(campaign, side)
    shown = {
        entry.body["fact"]["unit"]["id"]
        for entry in campaign.entries
        if entry.type == "fact" and entry.body["kind"] == "unit-revealed"
    }
    for unit in whole.units_of(enemy):
        if not unit.known and unit.id not in shown and f'"{unit.id}"' in text:
            found.append(f"{unit.label}")
    return found


@pytest.mark.parametrize("seed", [7, pytest.param(8, marks=pytest.mark.soak)])
def test_nobody_learns_the_secrets_of_the_other_side(seed: int) -> None:
    campaign = new_campaign(seed=bytes([seed] * 32))
    rng = Random(seed)
    looked = 0

    def look(campaign: Campaign, _: Pending) -> None:
        nonlocal looked
        if rng.random() < 0.06 and campaign.state.round != "over":
            looked += 1
            for side in SIDES:
                assert leaks(campaign, side) == []

    autoplay(campaign, rng, after=look)
    assert looked > 2


def test_chits_are_sealed_until_both_are_in() -> None:
    campaign = new_campaign()
    rng = Random(3)

    def sealed(campaign: Campaign, pending: Pending) -> None:
        if pending.key == "chit" and any(p.key == "chit" for p in campaign.pending()):
            seen = view(campaign, other_side(pending.side))
            assert not any(
                one.entry.type == "answer" and one.entry.body["key"] == "chit"
                for one in seen.log[-3:]
                if one.entry.body.get("side") == pending.side
            )

    autoplay(campaign, rng, after=sealed)


# The card -----------------------------------------------------------------------------------------


def test_a_card_with_a_wrong_calendar_is_refused(tmp_path: Path) -> None:
    card = json.loads(json.dumps(data("arnhem"), default=str))
    card["dates"][1], card["dates"][2] = card["dates"][2], card["dates"][1]
    card["initial"]["moves_first"] = "axis"
    for name in ("charts", "tables", "map"):
        shutil.copy(FOLDER / f"arnhem-{name}.yaml", tmp_path)
    path = tmp_path / "card.yaml"
    YAML().dump(card, path)
    with pytest.raises(DataError, match="18AM comes after 18PM of the same day"):
        RULESET.read_card(path, {})
    card["dates"][1], card["dates"][2] = card["dates"][2], card["dates"][1]
    YAML().dump(card, path)
    assert any("axis moves first" in doubt for doubt in RULESET.read_card(path, {}).warnings)
    assert RULESET.read_card(CARD, {}).title == "The worked example"


def test_what_a_side_exports() -> None:
    campaign = new_campaign()
    shown = RULESET.describe(view(campaign, "axis").state)
    assert shown["ww_box"] == {}
    assert shown["headquarters"] is None
    ids = [sheet.id for sheet in RULESET.sheets(campaign.context, campaign.state)]
    assert "rules-now" in ids
    beside = RULESET.sheets_beside(campaign.context, campaign.state, "play", "axis")
    assert beside[-1].id == "rules-now"
    assert all(
        s.id != "rules-now" for s in RULESET.sheets_beside(campaign.context, campaign.state, "purchases", "axis")
    )


def test_a_map_that_gives_kg_graebner_nine_hexes_is_doubted(tmp_path: Path) -> None:
    for name in ("charts", "tables"):
        shutil.copy(FOLDER / f"arnhem-{name}.yaml", tmp_path)
    text = (FOLDER / "arnhem-map.yaml").read_text(encoding="utf-8")
    for map_, told in ((text, False), (text.replace(", single: true", ""), True)):
        (tmp_path / "arnhem-map.yaml").write_text(map_, encoding="utf-8")
        shutil.copy(CARD, tmp_path / "card.yaml")
        warnings = RULESET.read_card(tmp_path / "card.yaml", {}).warnings
        doubts = [doubt for doubt in warnings if "KG Graebner has 9 hexes" in doubt]
        assert bool(doubts) is told, warnings
