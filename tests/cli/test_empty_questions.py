"""Answers files need not name questions that leave nothing to decide."""

from __future__ import annotations

import pytest

from laager.base import RefusedError
from laager.campaign.engine import Campaign
from laager.campaign.forms import Text
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.questions import Question, no_decision
from laager.campaign.steps import Context, Procedure, Step, ask, step
from laager.cli.play.answers import AnswerEntry, give_one
from tests.campaign.test_sealed import NOON, Done, Scouts


@step("TOY 2", "Hiding")
def hiding(cg: Context) -> Procedure[None]:
    """Red hides nothing and is asked all the same; then both say something."""
    yield from ask(no_decision("hiding", "red", "You hide nothing."))
    for side in ("red", "blue"):
        yield from ask(Question(key="word", side=side, text="Say a word.", form=Text(9)))


class Hiding(Scouts):
    """A ruleset of this step alone."""

    steps = {hiding.id: hiding}

    def next_step(self, state: Done) -> Step | None:
        return None if state.steps else hiding


def begun() -> Campaign:
    store = MemoryStore()
    store.append(opening_entries("scouts", "Scouts", {}, False, bytes(32), NOON))
    campaign = Campaign(store, clock=lambda: NOON, ruleset=Hiding())  # type: ignore[arg-type]
    campaign.advance()
    return campaign


def given(campaign: Campaign, side: str, key: str, answer: object, only: str | None = None) -> None:
    entry = AnswerEntry.model_validate({"side": side, "for": key, "answer": answer})
    give_one(campaign, entry, only)


def test_a_file_may_leave_out_what_leaves_nothing_to_decide() -> None:
    campaign = begun()
    given(campaign, "red", "word", "hush")
    answers = [e.body["key"] for e in campaign.entries if e.type == "answer"]
    assert answers == ["hiding", "word"]


def test_a_file_may_name_it() -> None:
    campaign = begun()
    given(campaign, "red", "hiding", [])
    assert [pending.key for pending in campaign.pending()] == ["word"]


def test_nobody_answers_it_for_the_other_side() -> None:
    campaign = begun()
    with pytest.raises(RefusedError, match="blue isn't asked anything"):
        given(campaign, "blue", "word", "hush", only="blue")
    assert [pending.key for pending in campaign.pending()] == ["hiding"]


def test_a_file_of_both_sides_leaves_it_out_for_both() -> None:
    campaign = begun()
    with pytest.raises(RefusedError, match="blue isn't asked anything"):
        given(campaign, "blue", "word", "hush")
    assert [pending.key for pending in campaign.pending()] == ["word"], "red is asked for its word"
