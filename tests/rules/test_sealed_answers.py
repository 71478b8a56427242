"""What both sides are asked at once stays sealed until both have answered, in every ruleset."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from laager.campaign.describing import export_view, pending_json
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.campaign.lanes import TABLE
from laager.campaign.pending import Pending
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import view
from tests.design_your_own.harness import new_purchase
from tests.historical import campaigns as historical
from tests.platoon_leader import campaigns as platoon_leader

BEGUN: dict[str, Callable[[], Campaign]] = {
    **{card: partial(platoon_leader.new_campaign, card) for card in ("walkthrough", "training")},
    **{card: partial(historical.new_campaign, card) for card in historical.SHIPPED},
    "vistula": new_purchase,
}

SEALED = {
    "walkthrough": {"agreements", "redeployment-option", "mlr-links", "battle-report", "patrols"},
    "training": {"agreements", "redeployment-option", "mlr-links", "battle-report"},
    "rijnoord": {"agreements", "chit", "scenario-report", "own-equipment"},
    "kokusa-ridge": {"agreements", "chit", "scenario-report", "own-equipment"},
    "sorgiva": {"agreements", "chit", "scenario-report", "own-equipment"},
    "vistula": {"open-roster"},
}
"""Questions to both sides that each campaign must have come to, lest nothing was looked at."""

LOOKS = 2
"""How often the first answer to each question is looked at."""


def all_that_leaves(campaign: Campaign, viewer: str) -> str:
    """Return all that a viewer gets of a campaign, but for whose answer is missing."""
    seen = replace(view(campaign, viewer), waiting_for=())
    parts: list[Any] = [
        repr(replace(seen, pending=())),
        export_view(campaign, seen) | {"waiting_for": []},
        lines_of(log_in_words(campaign, seen), full=True),
        [pending_json(pending) for pending in seen.pending],
    ]
    return json.dumps(parts, default=str)


def others_asked(campaign: Campaign, asked: Pending) -> set[str]:
    """Return the other sides that are asked the same, or in secret, by the same procedure of the whole table."""
    return {
        pending.side
        for pending in campaign.pending()
        if pending.side != asked.side
        and pending.lane == asked.lane == TABLE
        and pending.step is asked.step
        and (pending.key == asked.key or (pending.secret and asked.secret))
    }


@pytest.mark.parametrize("name", BEGUN)
def test_no_answer_shows_before_all_that_is_asked_at_once_is_answered(name: str) -> None:
    """Answers by chance, in any order; the enemy and spectators get the same bytes after a first one as before."""
    campaign, rng = BEGUN[name](), Random(5)
    looked: Counter[str] = Counter()
    while waiting := campaign.pending():
        asked = rng.choice(waiting)
        others = others_asked(campaign, asked)
        viewers = [*others, SPECTATOR] if others and looked[asked.key] < LOOKS else []
        before = {viewer: all_that_leaves(campaign, viewer) for viewer in viewers}
        platoon_leader.answer_by_chance(campaign, asked, rng)
        if viewers:
            assert others == others_asked(campaign, asked), f"{asked.key} is over with one answer"
            looked[asked.key] += 1
        for viewer in viewers:
            assert all_that_leaves(campaign, viewer) == before[viewer], f"{viewer} sees {asked.side}'s {asked.key}"
    assert SEALED[name] <= looked.keys()
