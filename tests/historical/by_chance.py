"""Campaigns of the historical modules for tests: opened from a card of the tests, played by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.pending import Pending
from laager.campaign.ruleset import NewCampaign, find_ruleset

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))

After = Callable[[Campaign, Pending], None]


@cache
def made_of(rules: str, path: Path, readings: tuple[tuple[str, str], ...] = ()) -> NewCampaign:
    return find_ruleset(rules).read_card(path, dict(readings))


def new_campaign(
    rules: str,
    path: Path,
    *,
    entered: bool = False,
    seed: bytes = SEED,
    readings: Mapping[str, str] | None = None,
    bare: bool = False,
    dates: int | None = None,
) -> Campaign:
    """A campaign gone on as far as it goes by itself; its clock stands still.

    `bare`: charts and tables are left out, as of an owner who has filled nothing in. `dates`: only
    so many of its CG Dates.
    """
    made = made_of(rules, path, tuple(sorted((readings or {}).items())))
    setting = dict(made.setting)
    if bare:
        setting.pop("tables", None)
        kept = {name: setting["charts"][name] for name in ("laager", "ruleset", "title")}
        setting["charts"] = {**kept, "source": "own", "source_note": "empty", "sides": {}}
    if dates is not None:
        setting["card"] = {**setting["card"], "dates": setting["card"]["dates"][:dates]}
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, setting, entered, seed, NOON))
    campaign = Campaign(store, clock=lambda: NOON, ruleset=find_ruleset(rules))
    campaign.advance()
    return campaign


def autoplay(campaign: Campaign, rng: Random, limit: int = 3000, after: After | None = None) -> int:
    """Answer whatever is asked, by chance, until the campaign is over; return how many answers.

    Sides answer in any order. `after` looks at the campaign after each. Fails if it is not over
    after `limit` answers.
    """
    for count in range(limit):
        waiting = campaign.pending()
        if not waiting:
            assert campaign.state.round == "over", f"dead end in round {campaign.state.round}"
            return count
        pending = rng.choice(waiting)
        answer_by_chance(campaign, pending, rng)
        if after is not None:
            after(campaign, pending)
    raise AssertionError(f"not over after {limit} answers; asked is {campaign.pending()[0].key}")


def answer_by_chance(campaign: Campaign, pending: Pending, rng: Random) -> None:
    """Give some legal answer, at times the proposal; roll what players were to roll."""
    if pending.question is None:
        campaign.roll_for(pending.side)
        return
    question = pending.question
    value: Any = question.default if rng.random() < 0.1 else question.sample(rng)
    stored = question.accept(value)
    assert question.accept(stored) == stored, f"{pending.key} is read otherwise a second time"
    campaign.answer(pending.side, pending.key, value)
