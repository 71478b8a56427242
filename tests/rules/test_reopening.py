"""A unit was forgotten in a battle report: the report is reopened, and what followed stays where it still holds."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from laager.base import RefusedError
from laager.campaign import rulings, undo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.rulings import Ruling
from laager.campaign.views import view
from laager.sheets.story.document import describe
from laager.sheets.story.reports import whole_story
from tests.campaign.test_rulings_secret import seen_by
from tests.historical import campaigns as hasl
from tests.old_campaigns.test_logs import LOGS
from tests.platoon_leader import campaigns as pl

WHY = "the squad on the hill broke up, and we forgot it"


def begin_pl() -> Campaign:
    return pl.new_campaign("walkthrough", seed=bytes(32))


def begin_hasl() -> Campaign:
    return hasl.new_campaign("sorgiva", seed=bytes(32))


def reports(campaign: Campaign, side: str = "axis") -> list[Entry]:
    """The battle reports of a side that count."""
    keys = {"battle-report", "scenario-report"}
    counted = campaign.history.counted
    return [e for e in counted if e.type == "answer" and e.body["key"] in keys and e.body["side"] == side]


def play_until(campaign: Campaign, enough: Callable[[Campaign], bool]) -> Campaign:
    """Everybody takes what is proposed, but the Axis attack each date, and buy nothing beside that."""
    while not enough(campaign):
        pending = campaign.pending()[0]
        assert pending.question is not None
        value = pending.question.default
        attacks = pending.side == "axis" and isinstance(value, dict) and "attack" in value
        campaign.answer(pending.side, pending.key, {**value, "groups": [], "attack": True} if attacks else value)
    return campaign


def steps_since(campaign: Campaign, entry: Entry) -> int:
    """In how many steps somebody has answered since, that of the entry left out."""
    answered = 0
    fresh = done = False
    for other in campaign.history.counted:
        if other.number > entry.number:
            done |= other.type == "done"
            answered += fresh and other.type == "answer" and done
            fresh = other.type == "step" or (fresh and other.type != "answer")
    return answered


def three_steps_later(campaign: Campaign) -> bool:
    return bool(reports(campaign)) and steps_since(campaign, reports(campaign)[0]) >= 3


def a_battle_later(campaign: Campaign) -> bool:
    return len(reports(campaign)) == 2 and steps_since(campaign, reports(campaign)[1]) >= 1


def dice(campaign: Campaign) -> dict[tuple[str, str, str, int], tuple[int, ...]]:
    """The faces of all rolls that count, by what they were rolled for."""
    rolled = (entry.body for entry in campaign.history.counted if entry.type == "roll")
    return {(b["side"], b["label"], b["stream"], b["number"]): tuple(b["faces"]) for b in rolled}


def with_loss(report: Mapping[str, Any], unit: str) -> dict[str, Any]:
    """A battle report in which a unit is eliminated."""
    rows = [
        {"unit": row["unit"], "type": row["type"], "fate": "eliminated"} if row["unit"] == unit else row
        for row in report["units"]
    ]
    return {**report, "units": rows}


def reopen(campaign: Campaign, entry: Entry, side: str = "axis") -> None:
    number = next(seen.number for seen in view(campaign, side).log if seen.entry is entry)
    rulings.propose(campaign, Ruling(side, WHY, reopens=number))
    rulings.consent(campaign, "allied" if side == "axis" else "axis", agree=True)


def asked(campaign: Campaign) -> list[tuple[str, str]]:
    return [(pending.side, pending.key) for pending in campaign.pending()]


def go_through(campaign: Campaign) -> Iterator[str]:
    """The side that reported anew gives its later answers as before; yield what it must give anew."""
    while True:
        try:
            rulings.answer_as_before(campaign, "axis", onward=True)
        except RefusedError:
            again = [pending for pending in campaign.pending() if pending.former is not None]
            if not again:
                return
            assert again[0].question is not None
            yield again[0].key
            campaign.answer(again[0].side, again[0].key, again[0].question.default)


@pytest.mark.parametrize("begin", [begin_pl, begin_hasl])
@pytest.mark.parametrize("later", [three_steps_later, a_battle_later])
def test_a_report_given_anew_as_it_was_changes_nothing(
    begin: Callable[[], Campaign], later: Callable[[Campaign], bool]
) -> None:
    campaign = play_until(begin(), later)
    units, rolled, waiting = campaign.state.units, dice(campaign), asked(campaign)
    reopen(campaign, reports(campaign)[0])
    (pending,) = campaign.pending()
    campaign.answer("axis", pending.key, pending.former)
    assert not list(go_through(campaign))
    assert (campaign.state.units, dice(campaign), asked(campaign)) == (units, rolled, waiting)
    assert audit(campaign).sound


@pytest.mark.parametrize("begin", [begin_pl, begin_hasl])
@pytest.mark.parametrize("later", [three_steps_later, a_battle_later])
def test_a_forgotten_loss_is_entered_later(begin: Callable[[], Campaign], later: Callable[[Campaign], bool]) -> None:
    campaign = play_until(begin(), later)
    before, rolled, waiting = campaign.state, dice(campaign), asked(campaign)
    laden = {row.get("with") for row in reports(campaign)[0].body["value"]["units"]}
    squad = next(unit for unit in before.units_of("axis", "squad") if unit.on_map and unit.id not in laden)
    reopen(campaign, reports(campaign)[0])
    (pending,) = campaign.pending()
    campaign.answer("axis", pending.key, with_loss(pending.former, squad.id))
    anew = list(go_through(campaign))
    assert not campaign.state.units[squad.id].in_play
    others = {name: unit for name, unit in before.units.items() if unit.side == "allied"}
    assert {name: campaign.state.units[name] for name in others} == others
    # Nobody rolled again: each roll of before is there, or what it was for is not.
    assert set(dice(campaign).items()) <= set(rolled.items())
    assert asked(campaign) == waiting, anew
    outcome = rulings.outcome(campaign, "allied")
    assert outcome.stayed
    assert all(entry.to is None or "allied" in entry.to for entry in (*outcome.stayed, *outcome.fallen))
    assert audit(campaign).sound
    assert [ruled.reopens for ruled in audit(campaign).rulings]
    for language, title in (("en", "Rulings"), ("de", "Entscheidungen")):
        story = describe(whole_story(campaign, "allied", language))
        assert title in json.dumps(story)
        assert WHY in json.dumps(story)


def test_a_reopened_report_is_taken_back_like_an_answer() -> None:
    campaign = play_until(begin_pl(), three_steps_later)
    counted, state = list(campaign.history.counted), campaign.state
    reopen(campaign, reports(campaign)[0])
    undo.ask(campaign, "axis", undo.target(campaign, "axis"))
    undo.consent(campaign, "allied", agree=True)
    campaign.advance()
    assert campaign.history.counted == counted
    assert campaign.state == state
    assert audit(campaign).sound


@pytest.mark.parametrize("agreed", [False, True])
def test_which_secret_answer_is_reopened_is_secret(agreed: bool) -> None:
    """The enemy sees in which step something is opened again: not what, and not what comes of it."""
    seats = []
    for key in ("purchases", "fortifications"):
        campaign = begin_pl()
        play_until(campaign, lambda campaign: ("axis", "fortifications") in given(campaign))
        number = next(s.number for s in view(campaign, "axis").log if s.entry.body.get("key") == key)
        rulings.propose(campaign, Ruling("axis", WHY, reopens=number))
        if agreed:
            rulings.consent(campaign, "allied", agree=True)
            assert ("axis", key) in asked(campaign)
        seats.append([seen_by(campaign, viewer) for viewer in ("allied", SPECTATOR)])
    assert seats[0] == seats[1]
    assert WHY in seats[0][0]


def given(campaign: Campaign) -> set[tuple[str, str]]:
    answers = (entry.body for entry in campaign.history.counted if entry.type == "answer")
    return {(body["side"], body["key"]) for body in answers}


@pytest.mark.parametrize(("begin", "number"), [(begin_pl, 1), (begin_hasl, 1)])
def test_random_answers_reopened_at_random_leave_the_log_sound(begin: Callable[[], Campaign], number: int) -> None:
    by_chance(begin(), Random(number), answers=60)


@pytest.mark.soak
@pytest.mark.parametrize("begin", [begin_pl, begin_hasl])
@pytest.mark.parametrize("number", range(100, 130))
def test_many_campaigns_with_answers_reopened(begin: Callable[[], Campaign], number: int) -> None:
    by_chance(begin(), Random(number), answers=500)


def by_chance(campaign: Campaign, rng: Random, answers: int) -> None:
    """Play by chance; now and then an answer is opened again, or a ruling taken back. All readers agree at the end."""
    store = campaign.store
    assert isinstance(store, MemoryStore)
    worker = Campaign(MemoryStore(store.data), ruleset=campaign.ruleset)
    for count in range(1, answers):
        if not campaign.pending():
            break
        pending = rng.choice(campaign.pending())
        assert pending.question is not None
        assert pending.question.allows(pending.question.default), pending.key
        as_before = pending.former is not None and rng.random() < 0.6
        value = pending.question.default if as_before else pending.question.sample(rng)
        campaign.answer(pending.side, pending.key, value)
        if count % 12 == 0 and not campaign.over:
            change_mind(campaign, rng)
            worker.catch_up(store.load().entries[worker.version :])
            assert worker.state == campaign.state
            assert repr(worker.pending()) == repr(campaign.pending())
    assert audit(campaign).sound, audit(campaign).findings[:3]
    read = Campaign(MemoryStore(store.data), ruleset=campaign.ruleset)
    assert read.state == campaign.state
    assert repr(read.pending()) == repr(campaign.pending())


def change_mind(campaign: Campaign, rng: Random) -> None:
    counted = campaign.history.counted
    last = [entry.number for entry in counted if entry.type == "answer"][-30:]
    ruled = [entry.number for entry in counted if entry.type == "ruling"]
    if ruled and rng.random() < 0.3:
        undo.ask(campaign, UMPIRE, ruled[-1] - 1)
        campaign.advance()
    else:
        rulings.propose(campaign, Ruling(UMPIRE, WHY, reopens=rng.choice(last)))


@pytest.mark.parametrize("name", ["pl-rzhavets", "hasl-sorgiva", "abtf-rijnoord", "er-kokusa-ridge", "dyo-vistula"])
def test_answers_of_old_campaigns_are_reopened(name: str) -> None:
    """Campaigns that older versions made open, put right what they must, go on and verify."""
    lines = gzip.decompress((LOGS / f"{name}.laager.gz").read_bytes()).splitlines(keepends=True)
    rng = Random(name)
    store = MemoryStore(b"".join(lines[: rng.randrange(len(lines) // 2, len(lines) - 1)]))
    campaign = Campaign(store)
    campaign.advance()
    change_mind(campaign, rng)
    for _ in range(3):
        for pending in campaign.pending()[:1]:
            assert pending.question is not None
            campaign.answer(pending.side, pending.key, pending.question.default)
    assert audit(campaign).sound, audit(campaign).findings[:3]
    assert Campaign(MemoryStore(store.data)).state == campaign.state
