"""Whole campaigns by themselves: the same each time, on one worker or two, and as sound as one that was played."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from laager.base import RefusedError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.cli import simulating
from laager.cli.app import app
from laager.simulation.plan import SimulationPlan, read_plan
from laager.simulation.play import keep_campaign, play_campaign
from laager.simulation.run import outcomes_of
from laager.simulation.tally import RunTally

CARDS = ("training", "rzhavets", "kokusa-ridge", "rijnoord", "sorgiva")


def plan_of(card: str, **how: object) -> SimulationPlan:
    return read_plan(card, **({"axis": "chance", "allied": "chance"} | how))  # type: ignore[arg-type]


@pytest.mark.parametrize("card", CARDS)
def test_a_campaign_comes_to_its_end_and_its_file_is_sound(card: str, tmp_path: Path) -> None:
    played = play_campaign(plan_of(card), 1)
    assert played.campaign.over
    assert not played.outcome.dead_end
    assert played.outcome.fought >= 1
    file = tmp_path / "kept.laager"
    keep_campaign(played.campaign, file)
    again = Campaign(FileStore(file))
    assert again.state == played.campaign.state
    assert audit(again).sound


def test_the_same_seed_plays_the_same_campaign() -> None:
    one, two = (play_campaign(plan_of("training"), 3).campaign for _ in range(2))
    assert one.entries == two.entries
    assert play_campaign(plan_of("training", seed=2), 3).campaign.entries != one.entries


def test_two_workers_give_what_one_gives() -> None:
    plan = plan_of("training")
    alone = [outcome.model_dump() for outcome in outcomes_of(plan, range(1, 8))]
    assert [outcome.model_dump() for outcome in outcomes_of(plan, range(1, 8), workers=2)] == alone


def test_a_tally_is_the_same_in_any_order() -> None:
    outcomes = list(outcomes_of(plan_of("training"), range(1, 6)))
    assert RunTally.of(outcomes) == RunTally.of(reversed(outcomes))
    assert sum(RunTally.of(outcomes).wins.values()) == 5


def test_who_is_not_there_cannot_command() -> None:
    with pytest.raises(RefusedError, match="no commander"):
        list(outcomes_of(plan_of("training", axis="napoleon"), [1]))


def test_one_can_not_keep_over_another_file(tmp_path: Path) -> None:
    file = tmp_path / "kept.laager"
    file.write_text("mine")
    with pytest.raises(RefusedError, match="exists"):
        keep_campaign(play_campaign(plan_of("training"), 1).campaign, file)


def test_a_card_is_tried_with_a_map_for_each_battle(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["try", "training", "--maps", str(tmp_path / "maps")])
    assert told.exit_code == 0, told.output
    for part in ("The Mill at Olshanka: 10 campaigns", "Every group is bought by somebody", "Rules that never came up"):
        assert part in told.output
    drawn = {file.stem for file in (tmp_path / "maps").glob("control-*.svg")}
    assert drawn >= {"control-1", "control-2", "control-end"}


def test_the_game_end_dr_ends_play_and_no_commander() -> None:
    ends = {
        entry.body["fact"]["why"].partition(" dr ")[0]
        for number in range(1, 7)
        for entry in play_campaign(read_plan("training", axis="chance", allied="chance"), number).campaign.entries
        if entry.body.get("kind") == "play-ended"
    }
    assert ends == {"Game End"}


def test_the_time_left_is_that_of_what_is_still_to_be_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that goes on from a file has most campaigns at once."""
    clock = iter([100.0, 103.0, 106.0])
    monkeypatch.setattr(simulating, "monotonic", lambda: next(clock))
    line = simulating.ProgressLine()
    for done in (30, 31, 32):
        line(done, 40)
    written = [text.strip() for text in capsys.readouterr().err.split("\r") if text]
    assert written == ["30 of 40 campaigns", "31 of 40 campaigns, 27 s left", "32 of 40 campaigns, 24 s left"]
