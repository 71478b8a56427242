"""Lets a commander answer what its side is asked: by the same questions and checks as a player."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import DataError
from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.campaign.pending import Pending
from laager.campaign.record import write_record
from laager.campaign.steps import Context
from laager.campaign.views import View, view
from laager.commanders.commander import Commander, SeatView

MOST_ANSWERS = 500
"""Most answers and rolls that a commander gives in one go: a table that can't agree must not keep it busy for ever."""

SETUP = "setup"
"""The question with whose answer orders are given."""

LONGEST_REMARK_CHARS = 2000
"""Longest reason, or orders, that are recorded, in characters."""


@dataclass(frozen=True)
class Replies:
    """What a commander gave in one go: answers, rolls, and how many answers were refused, proposals taken instead."""

    answers: int = 0
    rolls: int = 0
    refused: int = 0

    def __add__(self, other: Replies) -> Replies:
        """Return the sum of two goes."""
        return Replies(self.answers + other.answers, self.rolls + other.rolls, self.refused + other.refused)


def seat_view(campaign: Campaign, side: Side, rng: Random) -> SeatView:
    """Return what a commander of this side sees now."""
    questions = tuple(pending for pending in campaign.pending() if pending.side == side)
    ruleset, context = campaign.ruleset, campaign.context

    def make_context(seen: View) -> Context:
        # A copy: the campaign's own has the whole state, and the key by which numbers are drawn.
        made = ruleset.context_for(context, seen.state) if hasattr(ruleset, "context_for") else copy(context)
        made.state = seen.state
        if hasattr(made, "drawn"):
            made.drawn = ""
        return made

    return SeatView(
        side, questions, rng, lambda: view(campaign, side), make_context, lambda: write_record(campaign, side)
    )


def answer_for(campaign: Campaign, side: Side, commander: Commander, rng: Random) -> Replies:
    """Give all that a side is asked until it is asked nothing more; return what was given.

    Dice that players roll are rolled by the campaign's own source. Raises RefusedError or DataError as the engine
    does; what a question refuses is replaced by its proposal, and counted.
    """
    total = Replies()
    for _ in range(MOST_ANSWERS):
        pending = next((pending for pending in campaign.pending() if pending.side == side), None)
        if pending is None:
            break
        total += answer_pending(campaign, pending, commander, rng)
    return total


def answer_pending(
    campaign: Campaign, pending: Pending, commander: Commander, rng: Random, *, tells: bool = False
) -> Replies:
    """Give one thing that is asked: an answer, or dice from the campaign's own source.

    `tells`: what it says of its answer is recorded with it, if the answer is secret: its reasons, and with a setup its
    orders.
    """
    question = pending.question
    if question is None:
        campaign.roll_for(pending.side)
        return Replies(rolls=1)
    return give_thought(campaign, pending, think_over(campaign, pending, commander, rng, tells=tells))


@dataclass(frozen=True)
class Thought:
    """What a commander would answer to a question of its side, and what it says of that, once it has thought."""

    side: Side
    key: str
    value: Any
    remarks: Mapping[str, str] | None = None


def think_over(
    campaign: Campaign, pending: Pending, commander: Commander, rng: Random, *, tells: bool = True
) -> Thought:
    """Return what a commander answers to a question; the campaign stays as it is."""
    seat = seat_view(campaign, pending.side, rng)
    value = commander.decide(seat, pending)
    remarks = _remarks(commander, seat, pending) if tells and pending.secret else None
    return Thought(pending.side, pending.key, value, remarks)


def give_thought(campaign: Campaign, pending: Pending, thought: Thought) -> Replies:
    """Give an answer that a commander has thought over, or the proposal if it is refused."""
    assert pending.question is not None
    try:
        campaign.answer(thought.side, thought.key, thought.value, commander=thought.remarks)
    except DataError:
        campaign.answer(thought.side, thought.key, pending.question.default, commander=thought.remarks)
        return Replies(1, refused=1)
    return Replies(1)


def _remarks(commander: Commander, seat: SeatView, pending: Pending) -> dict[str, str]:
    """Return what a commander says of its answer: its name, and what there is of reasons and orders."""
    parts = {"name": commander.name, "why": commander.explain(seat, pending)}
    if pending.key == SETUP:
        parts["orders"] = commander.orders(seat)
    return {name: text[:LONGEST_REMARK_CHARS] for name, text in parts.items() if text}
