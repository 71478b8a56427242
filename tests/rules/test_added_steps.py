"""A step that is added to a sequence: campaigns begun without it go on, are asked it where it fits, and verify."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.campaign import Context, Procedure, Question, Text, ask, find_ruleset, step
from laager.campaign.audit import Audit, audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore, read_lines
from laager.rules.board.sequence import Sequences
from tests.old_campaigns.test_logs import text

LOGS = {"pl": "pl-walkthrough", "abtf": "abtf-rijnoord", "er": "er-kokusa-ridge", "hasl": "hasl-sorgiva"}


@step("NEW 1", "A note", each_side=True, since=2)
def note(cg: Context, side: str) -> Procedure[None]:
    yield from ask(Question("note", side, "Is there anything to note?", Text(), default=""))


def with_note(name: str, place: float, since: int = 2) -> Any:
    """Return a ruleset that has the new step somewhere in each round, but not at its end."""
    ruleset = copy(find_ruleset(name))
    added = replace(note, since=since)
    rounds = {}
    for round_, steps in ruleset.sequences.rounds.items():  # type: ignore[attr-defined]
        at = int(place * len(steps))
        rounds[round_] = (*steps[:at], added, *steps[at:]) if steps else ()
    ruleset.sequences = Sequences(rounds, ruleset.sequences.optional)  # type: ignore[attr-defined]
    ruleset.steps = ruleset.sequences.steps  # type: ignore[misc,attr-defined]
    return ruleset


@cache
def begun(name: str) -> tuple[int, ...]:
    """Return the numbers of the entries that begin a step of an old log."""
    loaded, _ = read_lines(text(LOGS[name]), name)
    return tuple(entry.number for entry in loaded.entries if entry.type == "step")


def opened(name: str, ruleset: Any, entries: int) -> Campaign:
    return Campaign(MemoryStore(b"".join(text(LOGS[name]).splitlines(keepends=True)[:entries])), ruleset=ruleset)


def verified(campaign: Campaign) -> Audit:
    assert isinstance(campaign.store, MemoryStore)
    return audit(Campaign(MemoryStore(campaign.store.data), ruleset=campaign.ruleset))


@pytest.mark.parametrize("name", LOGS)
@given(place=st.floats(0, 1, exclude_max=True), at=st.integers(0, 30), more=st.integers(0, 20))
@settings(max_examples=4, deadline=None)
def test_a_campaign_begun_without_it_goes_on_and_verifies(name: str, place: float, at: int, more: int) -> None:
    at = begun(name)[min(at, len(begun(name)) - 1)]
    campaign = opened(name, with_note(name, place), at + more)
    assert verified(campaign).sound
    campaign.advance()
    for _ in range(6):
        for pending in campaign.pending()[:1]:
            assert pending.question is not None
            campaign.answer(pending.side, pending.key, pending.question.default)
    result = verified(campaign)
    assert result.sound, result.findings[:3]


def test_it_is_asked_unless_a_later_step_of_the_round_is_done() -> None:
    name, asked = "hasl", []
    for number in begun(name)[:4]:
        # The entries before this one begin no step: the new one comes first in the round.
        campaign = opened(name, with_note(name, 0.0), number - 1)
        campaign.advance()
        asked.append([pending.key for pending in campaign.pending()] == ["note", "note"])
    assert asked == [True, False, False, False]


def test_a_log_that_knew_the_step_may_not_leave_it_out() -> None:
    name = "hasl"
    without = audit(opened(name, with_note(name, 0.0, since=1), begun(name)[3] - 1))
    assert "was not due" in without.findings[0].what


def test_an_entry_names_the_edition_of_the_sequence_unless_it_is_the_first() -> None:
    campaign = opened("hasl", with_note("hasl", 0.0), begun("hasl")[0] - 1)
    campaign.advance()
    assert campaign.entries[-1].body == {"step": "note", "clause": "NEW 1", "sequence": 2}
    assert "sequence" not in note.record()
