"""Calibration: figures that made the losses are found again, and little data moves them little."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import laager
from laager.base import RefusedError
from laager.cli.app import app
from laager.simulation.battles.field import hit_chance
from laager.simulation.battles.parameters import shipped_battles
from laager.simulation.calibrate import INTERVALS, SideLosses, calibrate, calibration_sheets, read_losses
from laager.simulation.plan import read_plan
from laager.simulation.play import begin, keep_campaign, play_campaign


def made_up(count: int, rate: float, luck: float, seed: int = 1) -> list[SideLosses]:
    rng, data = Random(seed), []
    for number in range(count):
        ratio, exposed = rng.choice([0.5, 1.0, 2.0]), rng.randint(8, 20)
        chance = hit_chance(rate, 0.6, ratio, 1.0, rng.lognormvariate(0, luck))
        data.append(
            SideLosses(
                "made up", number, "axis", exposed, sum(rng.random() < chance for _ in range(exposed)), ratio, 1.0
            )
        )
    return data


def test_the_rate_that_made_the_losses_is_found_again() -> None:
    result = calibrate(made_up(150, rate=0.9, luck=0.3))
    assert result.fitted["losses.rate"] == pytest.approx(0.9, rel=0.15)
    assert not result.is_little
    for part in INTERVALS:
        assert result.coverage["fitted"][part] / 150 == pytest.approx(part, abs=0.12)
    assert result.coverage["fitted"][0.9] > result.coverage["stated"][0.9]


def test_little_data_moves_the_figures_little() -> None:
    two, many = calibrate(made_up(2, rate=1.5, luck=0.1)), calibrate(made_up(100, rate=1.5, luck=0.1))
    stated = two.stated["losses.rate"]
    assert stated < two.fitted["losses.rate"] < many.fitted["losses.rate"]
    assert two.is_little
    assert "That is little" in calibration_sheets(two)[0].notes[0]
    assert two.spread["losses.rate"] > many.spread["losses.rate"]


def test_what_finished_campaigns_had_is_read_and_those_under_way_are_refused(tmp_path: Path) -> None:
    plan = read_plan("sorgiva", axis="chance", allied="chance")
    over, open_ = tmp_path / "over.laager", tmp_path / "open.laager"
    keep_campaign(play_campaign(plan, 1).campaign, over)
    keep_campaign(begin(plan, 2), open_)
    data = read_losses([over], shipped_battles())
    assert data
    assert all(0 <= item.hit <= item.exposed for item in data)
    assert sum(item.hit for item in data) > 0
    with pytest.raises(RefusedError, match="isn't over"):
        read_losses([over, open_], shipped_battles())


def test_python_has_it_too() -> None:
    run = laager.simulate("training", 3, commanders={"axis": "chance", "allied": "chance"}, what_if=["axis.cp+2"])
    assert run.tally.campaigns == 3
    assert {"winners", "what-if"} <= {sheet.id for sheet in run.sheets()}
    assert "winners" in run.plots()


def test_the_command_calibrates_on_finished_campaigns(tmp_path: Path) -> None:
    file = tmp_path / "one.laager"
    keep_campaign(play_campaign(read_plan("training"), 1).campaign, file)
    ended = CliRunner().invoke(app, ["simulate", "--calibrate", str(file), "--json"])
    assert ended.exit_code == 0, ended.output
    figures, intervals = json.loads(ended.stdout)
    assert [row["Figure"] for row in figures["rows"]] == list(shipped_battles().fitted)
    assert [row["Interval"] for row in intervals["rows"]] == [f"{part:.0%}" for part in INTERVALS]
    assert "That is little" in figures["notes"][0]
    missing = CliRunner().invoke(app, ["simulate", "--calibrate", str(tmp_path / "none.laager")])
    assert "doesn't exist" in str(missing.exception)
