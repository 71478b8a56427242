"""Random rulings at random moments: the log stays sound, and says the same to everybody who reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.campaign import rulings, undo
from laager.campaign.again import roll_id
from laager.campaign.audit import audit
from laager.campaign.consent import open_request
from laager.campaign.describing import export_view, wishes
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.rulings import Ruling
from laager.campaign.views import view
from tests.campaign.test_rulings_secret import NOON, RULES, seen_by
from tests.campaign.toy import SEED, SIDES, PointsChanged, SecretKept
from tests.tries import tries

VIEWERS = (*SIDES, UMPIRE, SPECTATOR)


def standing(campaign: Campaign) -> list[Any]:
    """Where a campaign stands, for all who look at it."""
    seats: list[Any] = [campaign.state, [(p.side, p.key, p.former) for p in campaign.pending()]]
    for viewer in VIEWERS:
        seen = view(campaign, viewer)
        seats += [json.dumps(export_view(campaign, seen), default=str), [wish.text for wish in wishes(campaign, seen)]]
        seats += [rulings.outcome(campaign, viewer), [repr(pending.question) for pending in seen.pending]]
    return seats


class Worker:
    """Another reader of the same log, who catches up with what is stored."""

    def __init__(self, store: MemoryStore) -> None:
        self.campaign = Campaign(MemoryStore(store.data), ruleset=RULES)

    def catch_up(self, store: MemoryStore) -> Campaign:
        self.campaign.catch_up(store.load().entries[self.campaign.version :])
        return self.campaign


def answer(campaign: Campaign, rng: Random) -> None:
    pending = rng.choice(campaign.pending())
    assert pending.question is not None
    if pending.key == "more":
        campaign.answer(pending.side, pending.key, True)
    elif pending.former is not None and rng.random() < 0.5:
        rulings.answer_as_before(campaign, pending.side, onward=rng.random() < 0.5)
    else:
        campaign.answer(pending.side, pending.key, pending.question.sample(rng))


def rule(campaign: Campaign, rng: Random) -> None:
    by = rng.choice((*SIDES, UMPIRE))
    facts: list[Any] = []
    for _ in range(rng.randint(1, 2)):
        side = rng.choice(SIDES) if by == UMPIRE else by
        if rng.random() < 0.5:
            facts.append(PointsChanged(side=rng.choice(SIDES), by=rng.randint(-3, 3)))
        else:
            facts.append(SecretKept(side=side, text="x" * rng.randint(0, 9), to=(side,)))
    propose(campaign, Ruling(by, "chance", tuple(facts)), rng)


def reopen(campaign: Campaign, rng: Random) -> None:
    by = rng.choice((*SIDES, UMPIRE))
    log = view(campaign, by).log
    own = [s.number for s in log if s.counts and s.entry.type == "answer" and by in (UMPIRE, s.entry.body["side"])]
    if own:
        propose(campaign, Ruling(by, "chance", reopens=rng.choice(own)), rng)


def propose(campaign: Campaign, ruling: Ruling, rng: Random) -> None:
    if rulings.propose(campaign, ruling):
        return
    other = next(side for side in SIDES if side != ruling.by)
    if rng.random() < 0.7:
        rulings.consent(campaign, other, agree=True)
    else:
        rulings.consent(campaign, rng.choice(SIDES), agree=False)


def take_back(campaign: Campaign, rng: Random) -> None:
    by = rng.choice((UMPIRE, UMPIRE, *SIDES))
    if by != UMPIRE:
        undo.ask(campaign, by, undo.target(campaign, by))
        if open_request(campaign, "undo") is not None:
            undo.consent(campaign, next(side for side in SIDES if side != by), agree=rng.random() < 0.7)
        campaign.advance()
        return
    to = None if rng.random() < 0.5 else rng.randint(1, view(campaign, UMPIRE).version)
    undo.ask(campaign, UMPIRE, undo.target(campaign, UMPIRE, to))
    campaign.advance()


def bring_back(campaign: Campaign, rng: Random) -> None:
    undo.redo(campaign, UMPIRE)
    campaign.advance()


ACTIONS: Sequence[Callable[[Campaign, Random], None]] = (*[answer] * 5, rule, rule, reopen, take_back, bring_back)


def act(campaign: Campaign, rng: Random) -> None:
    with suppress(RefusedError):
        rng.choice(ACTIONS)(campaign, rng)


def begin() -> tuple[MemoryStore, Campaign]:
    store = MemoryStore()
    store.append(opening_entries("toy", "A toy", {}, seed=SEED, at=NOON))
    campaign = Campaign(store, ruleset=RULES, clock=lambda: NOON)
    campaign.advance()
    return store, campaign


@tries(12)
@given(st.integers(0, 10**9))
def test_every_reader_of_the_log_finds_the_same(seed: int) -> None:
    rng = Random(seed)
    store, campaign = begin()
    worker = Worker(store)
    for _ in range(25):
        act(campaign, rng)
        if rng.random() < 0.15:
            assert standing(worker.catch_up(store)) == standing(campaign)
    assert standing(worker.catch_up(store)) == standing(campaign)
    assert standing(Campaign(MemoryStore(store.data), ruleset=RULES)) == standing(campaign)
    assert audit(campaign).sound, audit(campaign).findings[:3]
    counted = [roll_id(entry) for entry in campaign.history.counted if entry.type == "roll"]
    assert len(counted) == len(set(counted)), "no dice count twice"


@tries(40)
@given(st.integers(0, 10**9))
def test_a_ruling_taken_back_leaves_no_trace_in_what_counts(seed: int) -> None:
    rng = Random(seed)
    _, campaign = begin()
    for _ in range(12):
        act(campaign, rng)
    counted, before = list(campaign.history.counted), campaign.state
    waiting = [(p.side, p.key) for p in campaign.pending()]
    version = campaign.version
    rulings.propose(campaign, Ruling(UMPIRE, "chance", (PointsChanged(side="red", by=1),)))
    ruling = next(e for e in campaign.entries[version:] if e.type == "ruling")
    undo.ask(campaign, UMPIRE, ruling.number - 1)
    campaign.advance()
    assert campaign.history.counted == counted
    assert campaign.state == before
    assert [(p.side, p.key) for p in campaign.pending()] == waiting


@tries(40)
@given(st.integers(0, 10**9))
def test_nobody_rolls_again_for_what_has_not_changed(seed: int) -> None:
    """With a ruling that no step looks at, all that was rolled and answered stands again."""
    rng = Random(seed)
    _, campaign = begin()
    for _ in range(20):
        answer(campaign, rng)
    inputs = [input_of(entry) for entry in campaign.history.counted if entry.type in {"roll", "answer"}]
    rulings.propose(campaign, Ruling(UMPIRE, "chance", (PointsChanged(side="red", by=1),)))
    assert [input_of(e) for e in campaign.history.counted if e.type in {"roll", "answer"}] == inputs


def input_of(entry: Entry) -> tuple[Any, ...]:
    body = entry.body
    if entry.type == "answer":
        return entry.lane, body["side"], body["key"], body["value"]
    return entry.lane, *roll_id(entry), tuple(body["faces"])


@tries(25)
@given(st.integers(0, 10**9))
def test_a_secret_ruling_at_any_moment_tells_nobody_what_it_corrects(seed: int) -> None:
    seats = []
    for text in ("a", "quite another text, which changes how much can be spent"):
        rng = Random(seed)
        _, campaign = begin()
        for _ in range(rng.randint(1, 12)):
            act(campaign, rng)
        rulings.propose(campaign, Ruling(UMPIRE, "chance", (SecretKept(side="red", text=text, to=("red",)),)))
        seats.append([seen_by(campaign, viewer) for viewer in ("blue", SPECTATOR)])
    assert seats[0] == seats[1]


@pytest.mark.parametrize("seed", range(3))
def test_what_a_preview_says_comes_true(seed: int) -> None:
    rng = Random(seed)
    _, campaign = begin()
    for _ in range(15):
        act(campaign, rng)
    ruling = Ruling(UMPIRE, "chance", (PointsChanged(side="red", by=1),))
    preview = rulings.preview(campaign, ruling)
    version = campaign.version
    rulings.propose(campaign, ruling)
    assert campaign.version > version
    result = rulings.outcome(campaign, UMPIRE)
    assert (preview.asked_again, preview.fallen) == (result.asked, result.fallen)
