"""The commander who looks ahead: plays out what the others would answer, and takes what comes out best.

It plays on from its own side's record (`laager.simulation.known`): the enemy's secrets are drawn, never read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Any, ClassVar

from laager.base import RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.pending import Pending
from laager.campaign.record import find_record_point
from laager.campaign.ruleset import find_ruleset
from laager.campaign.temperament import Temperament, find_temperament
from laager.commanders.commander import SeatView
from laager.commanders.sensible import Sensible
from laager.rules.board.card.parts import other_side
from laager.simulation.known import KnownCampaign, read_known
from laager.simulation.outcome import figures_of

WEIGHED = frozenset({"purchases", "chit", "setup"})
"""What it plays out: what is bought, who attacks, and where the weight lies. The rest decides little."""

PLAY_OUTS = 24
"""Times that it plays on for one answer, all candidates together.

A play-out takes about a fifth of a second, and a player waits. The usual four candidates get six each, with the same
luck: enough to tell what loses from what wins, not a difference of some per cent.
"""

BATTLES_AHEAD = 2
"""Battles that it plays out after the present one. What comes later hangs on the dice more than on this answer."""

MARGIN = 0.5
"""What the sides' means count beside victory. Six victories and defeats tell little; how clear they are tells more."""

STANDS = {"ahead": 0.75, "even": 0.5, "behind": 0.25}
"""Chance of victory of a side that wins, or doesn't, if nothing changes after what was played out."""

MEANS = ("tvp", "ground", "strength")
"""Figures by whose shares the means of both sides are compared, where a campaign has them."""


NEVER, ALWAYS = 10.0, 0.0
"""Odds at which a temperament attacks that always defends, and one that always attacks."""


WAYS = {
    "sensible": "sensible",
    "bold": "bold",
    "cautious": "cautious",
    "attacking": "sensible, and attack",
    "defending": "sensible, and defend",
    "chance": "best, though nobody would have thought of it",
}
"""Candidates in the words of a reason."""


class ReplayingCommander(Sensible):
    """Gives the answers that were given before, each once when it is asked again, and then sensible ones."""

    name: ClassVar[str] = "sensible"

    def __init__(self, answers: list[tuple[str, Any]]) -> None:
        self._answers = list(answers)

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return the answer of before, or the proposal."""
        for answer in self._answers:
            if answer[0] == asked.key:
                self._answers.remove(answer)
                return answer[1]
        return super().decide(seat, asked)


@dataclass
class WeighedAnswer:
    """An answer, whose it is, and what it was worth each time that it was played out."""

    name: str
    value: Any
    worths: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """What it is worth on average."""
        return mean(self.worths)

    def is_better_than(self, other: WeighedAnswer) -> bool:
        """True if it is worth more by more than the standard error: less than that is a tie."""
        leads = [mine - theirs for mine, theirs in zip(self.worths, other.worths, strict=True)]
        error = stdev(leads) / sqrt(len(leads)) if len(leads) > 1 else 0.0
        return mean(leads) > error


class Ahead(Sensible):
    """Plays its candidates out and takes the best; small questions it answers as *sensible* does."""

    name: ClassVar[str] = "ahead"
    takes_long: ClassVar[bool] = True

    def __init__(self, play_outs: int = PLAY_OUTS) -> None:
        self.play_outs = play_outs
        self._compared: list[WeighedAnswer] = []
        self._best = ""

    def ponders(self, asked: Pending) -> bool:
        """Return True for what it plays out."""
        return asked.key in WEIGHED

    def decide(self, seat: SeatView, asked: Pending) -> Any:
        """Return the candidate that does best, the sensible one if none does better."""
        self._compared = []
        if not self.ponders(asked):
            return super().decide(seat, asked)
        candidates = find_candidates(seat, asked)
        if len(candidates) == 1 and self.progress is None:
            return candidates[0].value  # With an opponent who waits it thinks no less: he would know what it has.
        seed = seat.random.getrandbits(48)
        try:
            known = read_known(seat.record, seat.view.opening, seat.side, seat.view.state.number, seed)
        except RefusedError:
            return candidates[0].value  # These rules keep no record, or it is being taken up.
        self._play_out(known, seat, asked, candidates)
        best = choose_best(candidates)
        self._compared, self._best = candidates, best.name
        return best.value

    def _play_out(self, known: KnownCampaign, seat: SeatView, asked: Pending, candidates: list[WeighedAnswer]) -> None:
        """Play all candidates out equally often, with the same luck for each."""
        before = list(answers_in_step(seat))
        rounds = max(1, round(self.play_outs / len(candidates)))
        for number in range(1, rounds + 1):
            for candidate in candidates:
                given = [*before, (asked.key, candidate.value)]
                candidate.worths.append(play_out(known, given, number))
            if self.progress is not None:
                self.progress(round(100 * number / rounds), 100)

    def explain(self, seat: SeatView, asked: Pending) -> str:
        """Return what was compared, and how it came out."""
        if not self._compared:
            return super().explain(seat, asked)
        means = ", ".join(f"{candidate.name} {candidate.mean:.2f}" for candidate in self._compared)
        times = len(self._compared[0].worths)
        return f"I played out {times} times each what others would do ({means}); I do what is {WAYS[self._best]}."


def find_candidates(seat: SeatView, asked: Pending) -> list[WeighedAnswer]:
    """Return what each of the others would answer, sensible first; the same answer once, no refused one."""
    question = asked.question
    assert question is not None
    values = {temper.name: question.propose(temper) for temper in _tempers()}
    values["chance"] = question.sample(Random(seat.random.random()))
    distinct: dict[str, WeighedAnswer] = {}
    for name, value in values.items():
        if question.allows(value):
            distinct.setdefault(json.dumps(value, sort_keys=True), WeighedAnswer(name, value))
    return list(distinct.values())


def _tempers() -> Iterator[Temperament]:
    yield from (find_temperament(name) for name in ("sensible", "bold", "cautious"))
    usual = find_temperament("sensible").figures
    for name, odds in (("attacking", ALWAYS), ("defending", NEVER)):
        yield Temperament(name, {figure: odds if figure.startswith("attack.") else usual[figure] for figure in usual})


def choose_best(candidates: Sequence[WeighedAnswer]) -> WeighedAnswer:
    """Return the candidate with the best mean; the first one, the sensible one, where it is no better than that."""
    first, *others = candidates
    return max([first, *(other for other in others if other.is_better_than(first))], key=lambda other: other.mean)


def answers_in_step(seat: SeatView) -> Iterator[tuple[str, Any]]:
    """Yield key and value of what the side has answered since the point of its record, in order."""
    seen = seat.view
    begun = find_record_point(seen, find_ruleset(seen.opening["ruleset"])) or 0
    since = list(takewhile(lambda line: line.number > begun, reversed(seen.log)))
    for line in reversed(since):
        body = line.entry.body
        if line.counts and line.entry.type == "answer" and body["side"] == seat.side and "value" in body:
            yield body["key"], body["value"]


def play_out(known: KnownCampaign, answers: list[tuple[str, Any]], number: int) -> float:
    """Return what a campaign is worth for the side after some battles, if it begins with these answers."""
    last = known.slot + BATTLES_AHEAD

    def is_far_enough(campaign: Campaign) -> bool:
        return bool(campaign.state.number > last)

    played = known.play_on(number, is_far_enough, commanders={known.side: ReplayingCommander(answers)})
    return worth_of(played.campaign, known.side)


def worth_of(campaign: Campaign, side: str) -> float:
    """Return what a campaign is worth for a side: 1 for victory, or its chance, and `MARGIN` times its share of all."""
    state = campaign.state
    if campaign.over:
        victory = 0.5 if not state.winner else float(state.winner == side)
    else:
        victory = STANDS[_standing(campaign.context, side)]
    return victory + MARGIN * share_of_means(figures_of(campaign.context), side)


def _standing(context: Any, side: str) -> str:
    from laager.rules.board.hasl import judgement as hasl
    from laager.rules.platoon_leader import judgement as pl
    from laager.rules.platoon_leader.context import Cg

    return pl.standing(context, side) if isinstance(context, Cg) else hasl.standing(context, side)


def share_of_means(figures: Mapping[str, Mapping[str, int]], side: str) -> float:
    """Return a side's share of what both have, from 0 to 1, on average over `MEANS`."""
    enemy = other_side(side)
    shares = []
    for name in MEANS:
        if name in figures[side]:
            mine, theirs = max(0, figures[side][name]), max(0, figures[enemy][name])
            shares.append(mine / (mine + theirs) if mine + theirs else 0.5)
    return sum(shares) / len(shares)
