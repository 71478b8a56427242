"""A unit was forgotten in a battle report: the report is reopened, and what followed stays where it still holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from laager.base import RefusedError
from laager.campaign import rulings, undo
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry
from laager.campaign.rulings import Ruling
from laager.campaign.views import view
from laager.sheets.story.document import describe
from laager.sheets.story.reports import whole_story
from tests.historical import campaigns as hasl
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
    """Everybody takes what is proposed, but the Axis attack each date."""
    while not enough(campaign):
        pending = campaign.pending()[0]
        assert pending.question is not None
        value = pending.question.default
        attacks = pending.side == "axis" and isinstance(value, dict) and "attack" in value
        campaign.answer(pending.side, pending.key, {**value, "attack": True} if attacks else value)
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
