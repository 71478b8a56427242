"""What the other side may learn of a ruling in a secret record: that there is one, how much it corrects, and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from laager.base import RefusedError
from laager.campaign import rulings, undo
from laager.campaign.audit import audit
from laager.campaign.describing import entry_json, explain_entry, export_view, pending_json, refusals, wishes
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.campaign.forms import Number
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.questions import Question
from laager.campaign.rulings import Ruling
from laager.campaign.steps import Context, Procedure, ask, roll, step
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from laager.dice import Dice
from tests.campaign.toy import SEED, PointsChanged, SecretKept, Toy, bidding, closing, saving
from tests.worlds import Look, look

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
WHY = "a purchase was typed wrong"


@step("TOY 5", "Spending", each_side=True)
def spending(cg: Context, side: str) -> Procedure[None]:
    """A side spends what it keeps in secret: how much it may, only it knows."""
    most = len(cg.state.secrets.get(side, "")) % 5
    spent = yield from ask(Question("spent", side, "How much do you spend?", Number(0, most), secret=True, default=0))
    yield from roll(side, "Luck", Dice.dr, secret=True)
    yield PointsChanged(side=side, by=-spent, to=(side,))


@step("TOY 6", "Drawing", each_side=True)
def drawing(cg: Context, side: str) -> Procedure[None]:
    """A side draws in secret from a pool that everybody knows."""
    most = 5 + cg.state.points.get("pool", 0)
    drawn = yield from ask(Question("drawn", side, "How many do you draw?", Number(0, most), secret=True, default=0))
    yield SecretKept(side=side, text=f"{side} drew {drawn}", to=(side,))


RULES = Toy(saving, spending, bidding, closing)
POOL = Toy(drawing, bidding, closing)


def begun(**terms: Any) -> Campaign:
    """Red has saved and spent, blue has saved; both act in secret."""
    store = MemoryStore()
    store.append(opening_entries("toy", "A toy", terms, seed=SEED, at=NOON))
    campaign = Campaign(store, ruleset=RULES, clock=lambda: NOON)
    campaign.advance()
    campaign.answer("red", "amount", 3)
    campaign.answer("blue", "amount", 4)
    most = len(campaign.state.secrets["red"]) % 5
    campaign.answer("red", "spent", most)
    assert most
    return campaign


def seen_by(campaign: Campaign, viewer: str) -> str:
    """All that leaves the engine towards a viewer."""
    seen = view(campaign, viewer)
    lines = log_in_words(campaign, seen)
    return json.dumps(
        [
            export_view(campaign, seen),
            [line.line for line in lines],
            [line.line for line in log_in_words(campaign, seen, "de")],
            [entry_json(line, seen.log) for line in lines],
            [repr(wish) for wish in wishes(campaign, seen)],
            [repr(one) for one in refusals(seen)],
            [repr(rulings.open_ruling(campaign, viewer))],
            [repr(rulings.outcome(campaign, viewer))],
            [explain_entry(campaign, seen, one.number, "laager.rules.platoon_leader") for one in seen.log],
            [pending_json(one) for one in seen.pending],
            [seen.turn, dict(seen.given), seen.waiting_for, str(seen.state)],
        ],
        default=str,
    )


def secret(text: str) -> Ruling:
    return Ruling("red", WHY, (SecretKept(side="red", text=text, to=("red",)),))


SAME, LESS = "as much to spend as b4", "less than it has spent: a gun in H7"
"""What red's secret is corrected to: its answer holds with one, not with the other."""


def ask_for(campaign: Campaign, ruling: Ruling) -> None:
    rulings.propose(campaign, ruling)


def refuse(campaign: Campaign, ruling: Ruling) -> None:
    rulings.propose(campaign, ruling)
    rulings.consent(campaign, "blue", agree=False)


def withdraw(campaign: Campaign, ruling: Ruling) -> None:
    rulings.propose(campaign, ruling)
    rulings.consent(campaign, "red", agree=False)


def agree(campaign: Campaign, ruling: Ruling) -> None:
    rulings.propose(campaign, ruling)
    rulings.consent(campaign, "blue", agree=True)


def agree_and_answer(campaign: Campaign, ruling: Ruling) -> None:
    agree(campaign, ruling)
    (asked,) = (pending for pending in campaign.pending() if pending.side == "red")
    assert asked.former is not None
    assert asked.question is not None
    campaign.answer("red", "spent", asked.former if asked.question.allows(asked.former) else 0)


def agree_and_take_back(campaign: Campaign, ruling: Ruling) -> None:
    agree(campaign, ruling)
    undo.ask(campaign, "blue", undo.target(campaign, "blue"))
    undo.consent(campaign, "red", agree=True)
    campaign.advance()


@pytest.mark.parametrize("happens", [ask_for, refuse, withdraw, agree, agree_and_answer, agree_and_take_back])
def test_the_others_see_the_same_whatever_is_corrected(happens: Callable[[Campaign, Ruling], None]) -> None:
    seats = []
    for text in (SAME, LESS):
        campaign = begun()
        happens(campaign, secret(text))
        seats.append({viewer: seen_by(campaign, viewer) for viewer in ("blue", SPECTATOR)})
        assert audit(campaign).sound
        assert text in seen_by(campaign, "red") or happens is withdraw
        for viewer, bytes_ in seats[-1].items():
            assert WHY in bytes_, viewer
            assert text not in bytes_
            assert "H7" not in bytes_
    assert seats[0] == seats[1]


def test_numbers_in_what_the_others_see_are_their_own() -> None:
    campaign = begun()
    agree_and_take_back(campaign, secret(SAME))
    seen = view(campaign, "blue")
    bodies = [entry_json(line, seen.log) for line in log_in_words(campaign, seen)]
    numbers = [(entry["number"], entry["body"]["to"]) for entry in bodies if "to" in entry["body"]]
    real = [entry.body["to"] for entry in campaign.entries if entry.type == "undo"]
    assert all(to < number for number, to in numbers)
    assert not {to for _, to in numbers} & set(real)


def test_a_side_cannot_correct_what_only_the_other_knows() -> None:
    campaign = begun()
    fact = SecretKept(side="blue", text="guess", to=("blue",))
    with pytest.raises(Exception, match="another side alone"):
        rulings.propose(campaign, Ruling("red", WHY, (fact,)))


def test_an_answer_given_in_secret_is_reopened_in_secret() -> None:
    campaign = begun()
    number = next(seen.number for seen in view(campaign, "red").log if seen.entry.body.get("key") == "amount")
    rulings.propose(campaign, Ruling("red", WHY, reopens=number))
    before = seen_by(campaign, "blue")
    assert "amount" not in json.dumps(json.loads(before)[3][3:])
    rulings.consent(campaign, "blue", agree=True)
    asked = {pending.side: pending for pending in campaign.pending()}
    assert set(asked) == {"red"}
    assert (asked["red"].key, asked["red"].former) == ("amount", 3)
    campaign.answer("red", "amount", 3)
    # What red answered since is red's to confirm, though it holds; blue's answers came by themselves.
    assert {(p.side, p.key) for p in campaign.pending()} == {("red", "spent"), ("blue", "spent")}
    assert rulings.answer_as_before(campaign, "red") == 1
    assert [(p.side, p.key) for p in campaign.pending()] == [("blue", "spent")]
    assert audit(campaign).sound


def test_terms_can_leave_secret_records_to_the_umpire_or_to_nobody() -> None:
    campaign = begun(corrections="none")
    with pytest.raises(RefusedError, match="nobody corrects"):
        rulings.propose(campaign, secret(SAME))
    campaign = begun(corrections="umpire")
    rulings.propose(campaign, secret(SAME))
    with pytest.raises(RefusedError, match="for the umpire"):
        rulings.consent(campaign, "blue", agree=True)
    rulings.consent(campaign, "umpire", agree=True)
    assert campaign.state.secrets["red"] == SAME


def test_an_umpire_who_does_not_rule_alone_needs_both_sides() -> None:
    campaign = begun(umpire_alone=False)
    fact = PointsChanged(side="red", by=1)
    assert not rulings.propose(campaign, Ruling("umpire", WHY, (fact,)))
    rulings.consent(campaign, "blue", agree=True)
    asked = rulings.open_ruling(campaign, "red")
    assert asked is not None
    assert (asked.agreed, asked.waiting_for) == (("blue",), ("red",))
    with pytest.raises(RefusedError, match="agreed already"):
        rulings.consent(campaign, "blue", agree=True)
    rulings.consent(campaign, "red", agree=True)
    assert [ruled.agreed for ruled in audit(campaign).rulings] == [("blue", "red")]


def entries_of(campaign: Campaign) -> Iterator[str]:
    yield from (entry.type for entry in campaign.entries)


def test_a_preview_shows_a_side_its_own_record_only() -> None:
    campaign = begun()
    before = list(entries_of(campaign))
    preview = rulings.preview(campaign, secret(LESS), "red")
    assert preview.after.secrets["red"] == LESS
    assert (preview.asked_again, preview.fallen) == ((), ())
    assert (
        rulings.preview(campaign, secret(LESS), "blue").after == rulings.preview(campaign, secret(LESS), "blue").before
    )
    umpire = rulings.preview(campaign, secret(LESS), "umpire")
    assert [entry.body.get("key", "roll") for entry in umpire.asked_again] == ["spent", "roll"]
    assert list(entries_of(campaign)) == before


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({}, ""),
        ({"corrections": "umpire"}, "only the umpire lets secret records be corrected"),
        ({"umpire_alone": False}, "the umpire's rulings need both sides"),
    ],
)
def test_the_terms_are_said_when_the_campaign_begins(terms: dict[str, Any], words: str) -> None:
    campaign = begun(**terms)
    for viewer in ("red", "blue", SPECTATOR):
        assert log_in_words(campaign, view(campaign, viewer))[0].text.partition("…; ")[2] == words


# What everybody knows is put right ------------------------------------------------------------------


def drawn(red: int) -> Campaign:
    """Red has drawn from the pool in secret, and blue is about to."""
    store = MemoryStore()
    store.append(opening_entries("toy", "A toy", {}, seed=SEED, at=NOON))
    campaign = Campaign(store, ruleset=POOL, clock=lambda: NOON)
    campaign.advance()
    campaign.answer("red", "drawn", red)
    return campaign


POOL_SHRINKS = Ruling("blue", "the pool had three fewer", (PointsChanged(side="pool", by=-3),))
HOLDS, FALLS = 1, 5
"""What red drew: with the smaller pool one answer holds, the other doesn't."""


def test_after_a_public_ruling_nobody_sees_whose_secret_answer_no_longer_holds() -> None:
    """Two worlds that differ in red's secret answer alone: blue sees the same before, when asked again, and after."""
    looks: list[list[Look]] = []
    texts: list[list[str]] = []
    for red in (HOLDS, FALLS):
        campaign = drawn(red)
        looks.append([look(campaign, viewer) for viewer in ("blue", SPECTATOR)])
        texts.append([seen_by(campaign, viewer) for viewer in ("blue", SPECTATOR)])
        rulings.propose(campaign, POOL_SHRINKS)
        rulings.consent(campaign, "red", agree=True)
        looks[-1] += [look(campaign, viewer) for viewer in ("blue", SPECTATOR)]
        texts[-1] += [seen_by(campaign, viewer) for viewer in ("blue", SPECTATOR)]
        assert {pending.side for pending in campaign.pending()} == {"red", "blue"}
        (asked,) = (pending for pending in campaign.pending() if pending.side == "red")
        assert asked.former == red
        if red == HOLDS:
            assert rulings.answer_as_before(campaign, "red") == 1
        else:
            with pytest.raises(RefusedError, match="nothing that you are asked now"):
                rulings.answer_as_before(campaign, "red")
            campaign.answer("red", "drawn", 2)
        looks[-1] += [look(campaign, viewer) for viewer in ("blue", SPECTATOR)]
        texts[-1] += [seen_by(campaign, viewer) for viewer in ("blue", SPECTATOR)]
        assert audit(campaign).sound
    assert [here.leak(there) for here, there in zip(*looks, strict=True)] == [""] * 6
    assert texts[0] == texts[1]


def test_only_who_gave_secret_answers_confirms_them() -> None:
    campaign = drawn(HOLDS)
    rulings.propose(campaign, POOL_SHRINKS)
    rulings.consent(campaign, "red", agree=True)
    (head,) = [entry for entry in campaign.history.counted if entry.type == "ruling"]
    assert head.body["confirm"] == ["red"]
    # A correction of red's own secret is red's alone, as before.
    campaign = begun()
    agree(campaign, secret(SAME))
    (head,) = [entry for entry in campaign.history.counted if entry.type == "ruling"]
    assert "confirm" not in head.body


def test_a_log_of_before_goes_on_as_it_was() -> None:
    """A ruling that was agreed to before sides confirmed their answers brought them back by itself."""
    campaign = drawn(HOLDS)
    rulings.propose(campaign, POOL_SHRINKS)
    plan = rulings._read_request(campaign, _request_of(campaign))
    campaign.begin_again(rulings._entries(plan, ["red"], []))
    assert [(pending.side, pending.key) for pending in campaign.pending()] == [("blue", "drawn")]
    assert audit(campaign).sound


def _request_of(campaign: Campaign) -> Any:
    return next(entry for entry in reversed(campaign.entries) if entry.type == "ruling-asked")
