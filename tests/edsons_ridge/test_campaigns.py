"""Whole campaigns played by chance: they come to an end, hold together and keep their secrets."""

from __future__ import annotations

import json
from random import Random

import pytest

from laager.base import DataError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.facts import UMPIRE
from laager.campaign.pending import Pending
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.hasl.card.card import Card
from laager.rules.board.hasl.charts import HaslCharts
from laager.rules.board.units import Mark
from laager.rules.edsons_ridge.card_checks import card_problems, date_doubts
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.groups import chart_problems
from laager.rules.edsons_ridge.ruleset import RULESET
from laager.rules.edsons_ridge.state import ErState
from tests.edsons_ridge.campaigns import new_campaign
from tests.edsons_ridge.scene import opening
from tests.historical.by_chance import autoplay


def test_it_is_installed() -> None:
    assert find_ruleset("er") is RULESET
    assert RULESET.moment("play") == "play"
    assert set(RULESET.moments) <= set(RULESET.steps)


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("bare", [False, True])
def test_campaigns_come_to_an_end(seed: int, bare: bool) -> None:
    campaign = new_campaign(seed=bytes([seed] * 32), bare=bare)
    autoplay(campaign, Random(seed))
    assert campaign.state.ending
    assert audit(campaign).sound


READINGS = {
    "objective-sides": "both",
    "given-strength": "rolled",
    "pillbox-isolated": "forbidden",
    "hip-half-squads": "ignored",
    "reserve-price": "1",
    "entry-corner": "turns",
    "reserve-stacks": "dummies",
    "reserve-entry-areas": "open",
    "night-release": "group",
    "bombardment-idle": "lost",
    "bombardment-shape": "level",
    "jungle-path-gaps": "several",
    "fpf-unplaced": "attack-only",
    "fpf-shape": "zigzag",
    "fpf-fourth-turn": "plus-3",
    "sniper-spacing": "11",
}


@pytest.mark.parametrize("seed", [5, pytest.param(6, marks=pytest.mark.soak)])
def test_campaigns_with_the_other_readings(seed: int) -> None:
    campaign = new_campaign(readings=READINGS)
    autoplay(campaign, Random(seed))
    assert campaign.state.ending


def test_what_is_secret_stays_secret() -> None:
    """No side's view names what the other has bought, hides, noted or placed as Dummies."""
    looked = 0

    def look(campaign: Campaign, _: Pending) -> None:
        nonlocal looked
        looked += 1
        if looked % 7:
            return
        truth: ErState = campaign.state
        for side in SIDES:
            seen = view(campaign, side)
            state: ErState = seen.state
            enemy = other_side(side)
            assert not [key for key in state.groups if key[0] == enemy]
            assert not [key for key in state.dummies if key[0] == enemy]
            assert not [key for key in state.recon if key[0] == enemy]
            assert not [n for n in state.notes_on if truth.units[n].side == enemy]
            assert not [n for n in state.set_dc if truth.forts[n].side == enemy]
            for unit in state.units.values():
                if unit.side == enemy and unit.in_play:
                    real = truth.units[unit.id]
                    assert real.known
                    assert not real.has(Mark.RESERVE) or not real.has(Mark.CLOAKED)
            told = json.dumps([entry.entry.body for entry in seen.log])
            for fort in truth.forts.values():
                if fort.side == enemy and fort.hidden:
                    assert f'"{fort.id}"' not in told

    campaign = new_campaign(seed=bytes([9] * 32), dates=3)
    autoplay(campaign, Random(9), after=look)
    assert looked > 50


def test_sheets_and_views_of_a_campaign() -> None:
    names: set[str] = set()

    def look(campaign: Campaign, pending: Pending) -> None:
        if pending.key not in ("play", "scenario-report", "chit"):
            return
        for viewer in (UMPIRE, *SIDES):
            seen = view(campaign, viewer)
            shown = RULESET.sheets(campaign.context, seen.state)
            names.update(sheet.id for sheet in shown)
            json.dumps(RULESET.describe(seen.state))
        cg = campaign.context
        assert isinstance(cg, Er)
        assert any(s.id == "rules-now" for s in RULESET.sheets_beside(cg, campaign.state, "play", "axis"))
        assert not any(s.id == "rules-now" for s in RULESET.sheets_beside(cg, campaign.state, "purchases", "axis"))

    for seed in (11, 20):
        autoplay(new_campaign(seed=bytes([seed] * 32), dates=3), Random(seed), after=look)
    assert {"rules-now", "recon", "notes"} <= names


# Cards --------------------------------------------------------------------------------------------


def card(**changes: object) -> Card:
    return Card.model_validate(opening(changes)["card"])


def test_a_card_is_held_against_the_rules() -> None:
    assert list(card_problems(card())) == []
    first = {"attacker": "allied", "sets_up_first": "axis", "moves_first": "allied"}
    half = {"arrow_dates": {"L0": "13X", "K0": "13D"}}
    wrong = card(initial=first, areas="blocks", sides={"axis": half})
    told = "\n".join(map(str, card_problems(wrong)))
    assert "the Japanese attack in the Initial Scenario" in told
    assert "Setup Areas are listed" in told
    assert "there is no CG Date '13X'; did you mean 13D" in told
    assert "K0 isn't an Entry Area of Japanese" in told


def test_a_published_campaign_with_other_dates_is_doubted() -> None:
    whole = card(source="published")
    assert list(date_doubts(whole)) == []
    fewer = whole.model_copy(update={"dates": whole.dates[:2]})
    assert "2 CG Dates" in str(next(date_doubts(fewer)))
    assert list(date_doubts(fewer.model_copy(update={"source": "own"}))) == []


def test_charts_that_cannot_be_played_are_refused() -> None:
    data = opening()["charts"]
    lines = data["sides"]["axis"]["rg"]
    weak = {**lines[2], "sw": [{"type": "HMG"}, {"type": "MMG", "need": 1}], "leader": "japanese"}
    other_column = {**lines[0], "leader": "american"}
    changed = {**data["sides"]["axis"], "rg": [other_column, lines[1], weak]}
    charts = HaslCharts.model_validate({**data, "sides": {**data["sides"], "axis": changed}})
    told = "\n".join(map(str, chart_problems(charts)))
    assert "HW1 can get 1 SW when Depleted; a HW group must end with 2" in told
    assert "HW1: 'japanese' isn't its column of the leader table; it has no leader" in told
    assert "I1: 'american' isn't its column of the leader table; leader: japanese" in told
    assert list(chart_problems(HaslCharts.model_validate(data))) == []


def test_a_card_with_such_charts_is_not_read(tmp_path: object) -> None:
    from pathlib import Path
    from shutil import copy

    from tests.edsons_ridge.scene import FOLDER

    folder = Path(str(tmp_path))
    for file in FOLDER.glob("*.yaml"):
        copy(file, folder / file.name)
    chart = folder / "ridge-charts.yaml"
    text = chart.read_text("utf-8").replace("{type: HMG}, {type: MMG, need: 3}", "{type: HMG}")
    chart.write_text(text.replace("{type: HMG}, {type: 50* MTR, need: 2}", "{type: HMG}"), "utf-8")
    with pytest.raises(DataError, match="HW1 can get 1 SW"):
        RULESET.read_card(folder / "ridge.yaml", {})
