"""A campaign under way as one side knows it: played on as often as wanted, what the other side alone knows drawn.

Everything comes from what that side's view and everybody's hold (`campaign.record`). The other side's points are those
of simulated campaigns of the card at the same battle, of its troops only those count that the side knows. Two campaigns
that differ only in the other side's secrets are played on alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from laager.base.files import parse_document
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.record import ENGINE, begin_on_paper, write_record
from laager.campaign.ruleset import NewCampaign, find_ruleset
from laager.campaign.views import view
from laager.commanders import Commander
from laager.rules.board.record.sections import NUMBERS, side_section
from laager.simulation.plan import SimulationPlan
from laager.simulation.play import Played, Watch, play_campaign

DRAWN_CAMPAIGNS = 4
"""Campaigns of the card from which the other side's points are drawn."""
POINTS = ("cp", "cpp", "fp")
"""What of a side's numbers is drawn."""


@dataclass(frozen=True)
class KnownCampaign:
    """A campaign that goes on from a side's record; `slot` is the present battle.

    `own` is the side's part of the record, `draws` what the other sides could have.
    """

    side: str
    plan: SimulationPlan
    slot: int
    own: Mapping[str, Any] = field(repr=False)
    draws: Sequence[Mapping[str, Any]] = field(repr=False)

    def play_on(
        self,
        number: int,
        watch: Watch | None = None,
        *,
        intensity: str = "usual",
        commanders: Mapping[str, Commander] | None = None,
    ) -> Played:
        """Play it on, by the luck that a number from 1 stands for; see `play_campaign`."""
        secrets = {**self.own, **self.draws[number % len(self.draws)]}
        plan = replace(self.plan, intensity=intensity)
        return play_campaign(plan, number, watch, secrets=secrets, commanders=commanders)


@dataclass(frozen=True)
class KnownRecord:
    """From what a forecast goes on, as it can be kept: a side's record, what the log opens with, the present battle.

    `seed` comes from the record, so that the same knowledge gives the same forecast.
    """

    record: str = field(repr=False)
    opening: Mapping[str, Any] = field(repr=False)
    side: str
    slot: int
    seed: int

    @classmethod
    def of(cls, campaign: Campaign, side: str) -> KnownRecord:
        """Return what a side knows of a campaign. Raises RefusedError once it is over, for rules without a record."""
        text = write_record(campaign, side)
        slot = view(campaign, SPECTATOR).state.number
        return cls(text, campaign.opening, side, slot, int(sha256(text.encode()).hexdigest()[:12], 16))

    def read(self) -> KnownCampaign:
        """Return the campaign as the side's record has it."""
        return read_known(self.record, self.opening, self.side, self.slot, self.seed)


def read_known(record: str, opening: Mapping[str, Any], side: str, slot: int, seed: int) -> KnownCampaign:
    """Return a campaign as a side's record has it; `opening` is what its log opens with."""
    rules, title = opening["ruleset"], str(opening["title"])
    setting = {name: part for name, part in opening.items() if name not in ENGINE}
    document = parse_document(record, "the record", own=True)
    on_paper = begin_on_paper(rules, NewCampaign(title, setting), document)
    commanders = dict.fromkeys(find_ruleset(rules).sides, "sensible")
    # What could be is the same whoever asks, and however often.
    fresh = SimulationPlan("", rules, title, setting, commanders)
    draws = _draw_points(_Course(fresh.key, fresh), slot, tuple(enemy for enemy in commanders if enemy != side))
    plan = replace(fresh, setting=on_paper.made.setting, seed=seed)
    return KnownCampaign(side, plan, slot, on_paper.secrets, draws)


@dataclass(frozen=True)
class _Course:
    key: str
    plan: SimulationPlan = field(compare=False)


@lru_cache(maxsize=64)
def _draw_points(course: _Course, slot: int, enemies: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """Return what the enemy could have at a battle, from campaigns that begin at the beginning; at least one draw."""
    draws: list[Mapping[str, Any]] = []

    def is_there(campaign: Campaign) -> bool:
        return bool(campaign.state.number == slot)

    for number in range(1, DRAWN_CAMPAIGNS + 1):
        campaign = play_campaign(course.plan, number, is_there).campaign
        if is_there(campaign) and not campaign.over:
            public = view(campaign, SPECTATOR).state
            draws.append({enemy: _points_of(campaign, enemy, public) for enemy in enemies})
    return tuple(draws) or ({},)


def _points_of(campaign: Campaign, side: str, public: Any) -> Mapping[str, Any]:
    numbers = side_section(view(campaign, UMPIRE).state, side, public).get(NUMBERS, {})
    return {NUMBERS: {name: numbers[name] for name in POINTS if name in numbers}}
