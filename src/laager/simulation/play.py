"""One campaign, played from its opening to its end: by commanders, with a model for the battles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laager.base import DataError, RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore
from laager.campaign.record import KEY
from laager.campaign.ruleset import find_ruleset
from laager.commanders import Commander, load_commander
from laager.commanders.answering import answer_pending
from laager.commanders.seats import AT_THE_TABLE
from laager.rules.board.report import REPORT_KEYS
from laager.simulation.battles import BattleModel, load_battles
from laager.simulation.outcome import CampaignOutcome, Recorder
from laager.simulation.plan import CLOCK, EntryList, SimulationPlan

MOST_ANSWERS = 5_000
"""Answers after which a campaign that isn't over is reported as a dead end."""

Watch = Callable[[Campaign], bool]
"""Looks at a campaign after every answer; true ends it there."""


@dataclass(frozen=True)
class Played:
    """A campaign that was played, and what came out of it."""

    campaign: Campaign
    outcome: CampaignOutcome


def begin(plan: SimulationPlan, number: int) -> Campaign:
    """Return a campaign of a plan as it begins, in memory."""
    store = EntryList(plan.opening(number))
    campaign = Campaign(store, clock=lambda: CLOCK, ruleset=find_ruleset(plan.ruleset))
    campaign.advance()
    return campaign


def play_campaign(
    plan: SimulationPlan,
    number: int,
    watch: Watch | None = None,
    *,
    secrets: Mapping[str, Any] | None = None,
    commanders: Mapping[str, Commander] | None = None,
) -> Played:
    """Play one campaign of a plan to its end, or until `watch` says that it is enough.

    `secrets` are the sides' own parts of the record from which it goes on. `commanders` decide for their sides instead
    of those of the plan.

    What goes wrong in it is part of the outcome: a simulation goes on with the next campaign. Raises RefusedError if
    there is no such commander or model of battles.
    """
    decide = {side: load_commander(name) for side, name in plan.commanders.items()} | dict(commanders or {})
    battles = load_battles(plan.battles, plan.intensity)
    campaign = begin(plan, number)
    recorder = Recorder(plan, number, campaign)
    try:
        for side, section in (secrets or {}).items():
            campaign.answer(side, KEY, section)
        _play(plan, number, campaign, recorder, decide, battles, watch)
    except (DataError, RefusedError, LookupError, ValueError, TypeError, AssertionError, RecursionError) as err:
        recorder.dead_end = f"{type(err).__name__}: {err}"
    return Played(campaign, recorder.outcome())


def _play(
    plan: SimulationPlan,
    number: int,
    campaign: Campaign,
    recorder: Recorder,
    commanders: Mapping[str, Commander],
    battles: BattleModel,
    watch: Watch | None,
) -> None:
    chances = {side: plan.chance(number, side) for side in plan.commanders}
    for _ in range(MOST_ANSWERS):
        waiting = campaign.pending()
        if not waiting:
            break
        pending = waiting[0]
        if pending.key in REPORT_KEYS:
            settle_battle(campaign, battles, f"{plan.seed}/{number}")
            recorder.refused = getattr(battles, "refused", 0)
        elif pending.question is not None and pending.key in AT_THE_TABLE:
            # No commander says when play ends: *chance* would end it after a turn, which helps the side that holds.
            campaign.answer(pending.side, pending.key, pending.question.default)
        else:
            answer_pending(campaign, pending, commanders[pending.side], chances[pending.side])
        recorder.look(campaign)
        if watch is not None and watch(campaign):
            return
    else:
        recorder.dead_end = f"not over after {MOST_ANSWERS} answers"
    if not campaign.over and not recorder.dead_end:
        recorder.dead_end = f"nothing is asked in {campaign.step.id if campaign.step else 'no step'}"


def settle_battle(campaign: Campaign, battles: BattleModel, luck: str) -> None:
    """Have the model give the reports that are asked now; `luck` is that of the campaign."""
    for (side, key), answer in battles.reports(campaign, f"{luck}/battle {campaign.state.number}").items():
        campaign.answer(side, key, answer)


def keep_campaign(campaign: Campaign, file: Path) -> None:
    """Write a campaign as a file like any other. Raises RefusedError if it exists."""
    with FileStore(file) as store:
        store.create(campaign.entries)
