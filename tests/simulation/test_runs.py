"""Runs: what is changed, kept, continued, broken off and drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError, RefusedError
from laager.simulation.compare import Winners, compare
from laager.simulation.figures import campaigns_needed, paired_difference, share
from laager.simulation.outcome import CampaignOutcome
from laager.simulation.plan import SimulationPlan, describe_change, read_plan
from laager.simulation.plots import hex_shares, plots_of
from laager.simulation.run import outcomes_of, run_plan
from laager.simulation.sheets import context_of, result_sheets, winners_sheet
from laager.simulation.store import ResultsFile
from laager.simulation.tally import END, RunTally


@pytest.fixture(scope="module")
def plan() -> SimulationPlan:
    return read_plan("training", axis="chance", allied="chance")


@pytest.fixture(scope="module")
def outcomes(plan: SimulationPlan) -> list[CampaignOutcome]:
    return list(outcomes_of(plan, range(1, 7)))


def test_a_run_goes_on_from_its_file(plan: SimulationPlan, outcomes: list[CampaignOutcome], tmp_path: Path) -> None:
    file = tmp_path / "results.parquet"
    first = run_plan(plan, 3, results=file)
    assert first.tally.campaigns == 3
    played: list[int] = []
    second = run_plan(plan, 6, results=file, progress=lambda done, total: played.append(done))
    assert second.tally == run_plan(plan, 6).tally
    # What the file had comes at once: it says nothing of how long the others take.
    assert played == [3, 4, 5, 6]
    with ResultsFile(file, plan) as kept:
        assert [outcome.model_dump() for outcome in kept.earlier()] == [outcome.model_dump() for outcome in outcomes]
    assert not kept.journal.exists()


def test_what_was_played_before_a_crash_counts_once(
    plan: SimulationPlan, outcomes: list[CampaignOutcome], tmp_path: Path
) -> None:
    file = tmp_path / "results.parquet"
    kept = ResultsFile(file, plan).__enter__()
    for outcome in (*outcomes[:2], outcomes[1]):
        kept.add(outcome)
    kept.__exit__(MemoryError, None, None)
    with kept.journal.open("ab") as journal:
        journal.write(b'{"number": 3, "wi')
    assert not file.exists()
    assert run_plan(plan, 6, results=file).tally == run_plan(plan, 6).tally


def test_ctrl_c_keeps_what_is_done(plan: SimulationPlan, tmp_path: Path) -> None:
    file = tmp_path / "results.parquet"

    def stop(done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    run = run_plan(plan, 6, results=file, progress=stop)
    assert run.stopped
    assert run.tally.campaigns == 4
    with ResultsFile(file, plan) as kept:
        assert [outcome.number for outcome in kept.earlier()] == [1, 2, 3, 4]


def test_results_of_another_run_are_not_mixed_in(plan: SimulationPlan, tmp_path: Path) -> None:
    file = tmp_path / "results.parquet"
    run_plan(plan, 1, results=file)
    with pytest.raises(DataError, match="another run"):
        run_plan(read_plan("training", axis="chance", allied="chance", seed=2), 1, results=file)
    file.write_bytes(b"PAR?")
    with pytest.raises(DataError, match="isn't a Parquet file"):
        run_plan(plan, 1, results=file)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("axis.cp", "is not a change"),
        ("axsi.cp+2", "did you mean axis"),
        ("axis.name+2", "isn't a number"),
        ("axis.pc+2", "the card has no 'pc' there; numbers are"),
        ("axis.elr=9", "sides.axis.elr: 9 is too high; write 5 or less"),
        ("axis.nothing.cp+2", "the card has no 'nothing'"),
    ],
)
def test_what_is_wrong_with_a_change_is_said(plan: SimulationPlan, change: str, wrong: str) -> None:
    with pytest.raises(DataError, match=wrong):
        plan.with_change(change)


def test_a_change_is_on_the_card_and_nowhere_else(plan: SimulationPlan) -> None:
    before = plan.setting["card"]["sides"]["axis"]["cp"]
    changed = plan.with_change("axis.cp+2")
    assert changed.setting["card"]["sides"]["axis"]["cp"] == before + 2
    assert plan.setting["card"]["sides"]["axis"]["cp"] == before
    assert changed.campaign_seed(1) == plan.campaign_seed(1)
    assert changed.key != plan.key


def test_no_change_makes_no_difference(plan: SimulationPlan) -> None:
    run = run_plan(plan, 4, ["axis.cp+0"])
    changes = run.comparisons[0].by_side.values()
    assert all(change.change == 0 for change in changes)
    assert all(change.low < -0.2 and change.high > 0.2 for change in changes), "four campaigns prove little"


def test_the_other_settings_of_the_model_are_compared_with_the_same_dice(plan: SimulationPlan) -> None:
    run = run_plan(plan, 4, ["setting=bloody", "setting=usual"])
    bloody, usual = (dict(change.by_side) for change in run.comparisons)
    assert usual["axis"].more == usual["axis"].fewer == 0
    changed = plan.with_change("setting=bloody")
    assert (changed.intensity, changed.setting) == ("bloody", plan.setting)
    winners = [outcome.winner for outcome in outcomes_of(changed, range(1, 5))]
    assert bloody["axis"].more - bloody["axis"].fewer == winners.count("axis") - run.tally.wins["axis"]
    with pytest.raises(RefusedError, match="gory"):
        plan.with_change("setting=gory")


def test_figures_of_the_first_battle_are_those_of_the_card(
    plan: SimulationPlan, outcomes: list[CampaignOutcome]
) -> None:
    sides = plan.setting["card"]["sides"]
    for outcome in outcomes:
        for side, figures in outcome.slots[0].figures.items():
            assert (figures["cp"], figures["elr"]) == (sides[side]["cp"], sides[side]["elr"])
            assert figures["strength"] > 0
        assert outcome.slots[0].control["axis"]


def test_comparisons_go_campaign_by_campaign() -> None:
    base = Winners({1: "axis", 2: "allied", 3: "allied", 4: "", 5: "?"})
    changed = Winners({1: "axis", 2: "axis", 3: "axis", 4: "axis", 5: "axis", 6: "axis"})
    axis = compare("x", base, changed, ("axis", "allied")).by_side["axis"]
    assert (axis.more, axis.fewer, axis.total) == (3, 0, 4)
    assert axis.p == pytest.approx(0.25)


def test_intervals_are_those_of_textbooks() -> None:
    part = share(10, 100)  # Wilson: 5.5 % to 17.4 %
    assert (part.low, part.high) == pytest.approx((0.0552, 0.1744), abs=1e-4)
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)
    assert paired_difference(0, 0, 10).p == 1
    pair = paired_difference(59, 16, 232)  # Agresti and Min: 43/234 ± 1.96 sqrt((76/234 - (43/234)²) / 234)
    assert (pair.low, pair.high) == pytest.approx((0.1146, 0.2529), abs=1e-4)
    assert campaigns_needed(0.03) > campaigns_needed(0.06) > campaigns_needed(0.06, apart=0.2)


def test_sheets_and_plots_show_all_of_it(plan: SimulationPlan) -> None:
    run = run_plan(plan, 4, ["axis.cp+2"])
    sheets = {sheet.id: sheet for sheet in result_sheets(plan, run.tally)}
    assert {"winners", "slots", "cp", "strength", "tvp", "ground", "groups", "clauses"} <= set(sheets)
    assert sum(int(row[2]) for row in sheets["winners"].rows) == 4
    plots = plots_of(plan, run.tally, run.comparisons)
    assert {"winners", "cp", "control-end", "what-if"} <= set(plots)
    assert all(svg.startswith("<?xml") and "</svg>" in svg for svg in plots.values())
    assert plots == plots_of(plan, run.tally, run.comparisons)
    assert all(0 <= part <= 1 for parts in hex_shares(run.tally, END).values() for part in parts)


def test_endings_are_told_in_the_words_of_players(plan: SimulationPlan) -> None:
    ways = ("FIREFIGHTS: Axis 3, Allied 2", "FIREFIGHTS: Axis 1, Allied 4", "TVP+CVP: Axis 9, Allied 2", "CG End: G5")
    outcomes = [CampaignOutcome(number=i, winner="axis", ending=way) for i, way in enumerate(ways)]
    notes = winners_sheet(plan, RunTally.of(outcomes), context_of(plan)).notes
    assert "Endings: Firefights won (2), TVP and CVP (1), CG End (1)." in notes


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("axis.cp+2", "Germans: 2 CP more"),
        ("allied.drm.leader-1", "Soviets: 1 DRM leader less"),
        ("axis.attack_cost=3", "Germans: attack cost 3"),
        ("setting=bloody", "Battles: bloody"),
    ],
)
def test_a_change_is_named_in_words(change: str, words: str) -> None:
    assert describe_change(change, {"axis": "Germans", "allied": "Soviets"}) == words
