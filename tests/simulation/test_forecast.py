"""What a side can expect of a campaign under way: by what it knows, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from laager.base import RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.campaign.log import FileStore
from laager.campaign.views import view
from laager.cli.app import app
from laager.rules.board.report import REPORT_KEYS
from laager.simulation import forecast as forecasts
from laager.simulation.battles import load_battles
from laager.simulation.plan import read_plan
from laager.simulation.play import begin, keep_campaign, play_campaign, settle_battle


def under_way(buys: bool, card: str = "training") -> Campaign:
    """Return a campaign in its second battle, in which the Allies have bought something or nothing."""
    campaign = begin(read_plan(card), 1)
    for _ in range(400):
        pending = campaign.pending()[0]
        if pending.key == "purchases" and campaign.state.number == 2:
            break
        if pending.key in REPORT_KEYS:
            settle_battle(campaign, load_battles("stated", "usual"), "1/1")
        else:
            campaign.answer(pending.side, pending.key, pending.question.default)  # type: ignore[union-attr]
    allied = next(one for one in campaign.pending() if one.side == "allied" and one.key == "purchases")
    assert allied.question is not None
    value = allied.question.default
    campaign.answer("allied", "purchases", value if buys else allied.question.form.blank)
    # A record is of the start of a step: on to the one that follows.
    step = campaign.step
    while campaign.step is step:
        pending = campaign.pending()[0]
        campaign.answer(pending.side, pending.key, pending.question.default)  # type: ignore[union-attr]
    return campaign


def told(campaign: Campaign, side: Side) -> str:
    return repr([sheet.describe() for sheet in forecasts.forecast(campaign, side, 2).sheets()])


def test_the_enemys_secret_changes_nothing() -> None:
    one, other = under_way(buys=True), under_way(buys=False)
    assert view(one, "axis").state == view(other, "axis").state
    assert told(one, "axis") == told(other, "axis")
    # It is their own forecast that differs.
    assert told(one, "allied") != told(other, "allied")


def test_a_forecast_tells_of_what_comes_under_three_settings() -> None:
    reports: list[tuple[int, int]] = []
    made = forecasts.forecast(under_way(buys=True), "axis", 3, lambda done, total: reports.append((done, total)))
    assert reports == [(done, 9) for done in range(1, 10)]
    assert list(made.tallies) == ["mild", "usual", "bloody"]
    assert all(tally.campaigns == 3 and not tally.dead_ends for tally in made.tallies.values())
    sheets = {sheet.id: sheet for sheet in made.sheets()}
    assert {row[0] for row in sheets["cp"].rows} == {"3", "End"}
    assert {row[1] for row in sheets["cp"].rows} == {"Germans"}
    assert any("drawn" in note for note in sheets["forecast"].notes)


def test_the_command_refuses_a_campaign_that_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = under_way(buys=True)
    file = tmp_path / "under-way.laager"
    keep_campaign(campaign, file)
    # As with other commands, the only campaign of a folder needn't be named.
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(app, ["forecast", "-s", "axis", "-n", "1"])
    assert shown.exit_code == 0, shown.output
    assert "Who will win, by what your side knows" in shown.output
    over = play_campaign(read_plan("training"), 1).campaign
    with pytest.raises(RefusedError, match="over"):
        forecasts.forecast(over, "axis")
    assert Campaign(FileStore(file)).version == campaign.version
