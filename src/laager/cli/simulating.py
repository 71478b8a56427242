"""What `laager simulate` does once its options are read."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from laager.cli.out import print_sheets, show
from laager.cli.play.campaign_file import SUFFIX
from laager.cli.play.session import BeginOptions
from laager.commanders import load_commander
from laager.simulation.battles import load_battles
from laager.simulation.plan import SimulationPlan, read_plan
from laager.simulation.play import keep_campaign, play_campaign
from laager.simulation.run import outcomes_of
from laager.simulation.sheets import result_sheets
from laager.simulation.tally import RunTally

BRIEF = frozenset({"winners", "slots", "groups"})
"""The sheets that people at a terminal see without --all."""


def plan_of(card: str, readings: Sequence[str], **how: Any) -> SimulationPlan:
    """Return the plan that the options name. Raises RefusedError or DataError before anything is played."""
    plan = read_plan(card, readings=BeginOptions(card, readings=readings).chosen_readings(), **how)
    for name in plan.commanders.values():
        load_commander(name)
    load_battles(plan.battles, plan.intensity)
    return plan


def keep_one(plan: SimulationPlan, number: int, file: Path | None, as_json: bool) -> None:
    """Write one campaign of a run as a file."""
    path = file or Path(f"{plan.card}-{number}{SUFFIX}")
    played = play_campaign(plan, number)
    keep_campaign(played.campaign, path)
    outcome = played.outcome
    won = f"won by {outcome.winner}" if outcome.winner else "a draw"
    data = {"file": str(path), "number": number, "winner": outcome.winner, "ending": outcome.ending}
    show(as_json, data, f"written: {path} (campaign {number}, {won}: {outcome.ending or outcome.dead_end})")


def play_many(plan: SimulationPlan, campaigns: int, workers: int, as_json: bool, as_csv: bool, whole: bool) -> None:
    """Play, and print what came out."""
    tally = RunTally()
    for outcome in outcomes_of(plan, range(1, campaigns + 1), workers):
        tally.add(outcome)
        _show_progress(tally.campaigns, campaigns)
    sheets = result_sheets(plan, tally)
    brief = [sheet for sheet in sheets if sheet.id in BRIEF] if not (as_json or as_csv or whole) else sheets
    print_sheets(brief, as_json, as_csv)


def _show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done} of {total} campaigns" + ("\n" if done == total else ""))
        sys.stderr.flush()
