"""Questions that leave nothing to decide are spared; from the opponent's seat nobody sees which they were."""

from __future__ import annotations

from itertools import product

import pytest

from laager.campaign.engine import Campaign
from laager.campaign.facts import Side
from laager.campaign.forms import Number, Several
from laager.campaign.log import MemoryStore
from laager.campaign.questions import Question, no_decision
from laager.campaign.steps import NOTHING, Context, Procedure, Step, ask, ask_together, ask_where_undecided
from laager.campaign.views import view
from tests.campaign.toy import PointsChanged, SecretKept, Toy, closing, toy_campaign

CASES = list(product([False, True], repeat=3))
"""For each of three procedures whether red has something to decide in it."""


def part(name: str, cg: Context, side: Side, decides: bool, told: bool = True) -> Procedure[None]:
    """Ask how many, or ask in vain; then tell everybody, if it is `told`."""
    question = Question(name, side, "How many?", Number(0, 9), secret=True, default=0)
    amount = yield from ask(question if decides else no_decision(name, side, "You have none."))
    yield SecretKept(side=side, text=f"{name} {amount}", to=(side,))
    if told:
        yield PointsChanged(side=side, by=1)


def campaign(decides: tuple[bool, ...]) -> Campaign:
    """Return a campaign whose first step has three parts: one first, and two that are asked together at last."""

    def run(cg: Context, side: Side) -> Procedure[None]:
        first, second, third = decides if side == "red" else (True, True, True)
        last = ask_together(part("second", cg, side, second), part("third", cg, side, third))
        yield from ask_where_undecided(part("first", cg, side, first, told=False), last=last)

    return toy_campaign(toy=Toy(Step("saving", "TOY 1", "Saving", run, each_side=True), closing))


def asked(one: Campaign, side: Side) -> list[str]:
    return [pending.key for pending in one.pending() if pending.side == side]


def seen_by_blue(one: Campaign) -> tuple[list[object], bool]:
    """Return what blue sees of red: the log's entries, and if red is waited for."""
    shown = view(one, "blue")
    log: list[object] = [
        (seen.entry.type, seen.entry.body.get("fact")) for seen in shown.log if seen.entry.lane == "red"
    ]
    return log, "red" in shown.waiting_for


@pytest.mark.parametrize("decides", CASES)
def test_only_what_can_be_decided_is_asked(decides: tuple[bool, ...]) -> None:
    one = campaign(decides)
    first, *last = decides
    if first:
        assert asked(one, "red") == ["first"]
        one.answer("red", "first", 4)
    due = [name for name, so in zip(("second", "third"), last, strict=True) if so]
    assert asked(one, "red") == (due or [NOTHING])
    spared = {key for side, key in one.spared_questions() if side == "red"}
    assert spared == {name for name, so in zip(("first", "second", "third"), decides, strict=True) if not so}
    for name in asked(one, "red"):
        one.answer("red", name, 3 if name != NOTHING else [])
    assert asked(one, "red") == []
    told = [seen.entry.body["fact"] for seen in view(one, "red").log if seen.entry.type == "fact"]
    # What everybody may see of the last two comes when the side has answered everything.
    assert [fact["text"].split()[0] for fact in told if "text" in fact] == ["first", "third", "second"]


def test_the_other_side_never_sees_how_often_somebody_was_asked() -> None:
    looks = []
    for decides in CASES:
        one, during = campaign(decides), []
        while waiting := asked(one, "red"):
            during.append(seen_by_blue(one))
            one.answer("red", waiting[0], 3 if waiting[0] != NOTHING else [])
        # Whatever red still has to answer, blue sees the same: that it is waited for.
        assert all(look == during[0] for look in during)
        looks.append((during[0], seen_by_blue(one)))
    assert all(look == looks[0] for look in looks)
    (log, waited), (_, waited_after) = looks[0]
    assert waited
    assert log == []
    assert not waited_after


@pytest.mark.parametrize("decides", CASES)
def test_a_campaign_that_was_cut_off_goes_on_as_it_was(decides: tuple[bool, ...]) -> None:
    one = campaign(decides)
    while waiting := asked(one, "red"):
        store = one.store
        assert isinstance(store, MemoryStore)
        again = Campaign(MemoryStore(store.data), ruleset=one.ruleset)
        again.advance()
        assert asked(again, "red") == waiting
        one.answer("red", waiting[0], 3 if waiting[0] != NOTHING else [])


def test_a_form_with_one_answer_leaves_nothing_to_decide() -> None:
    assert Question("n", "red", "How many?", Number(2, 2), default=2).empty
    assert Question("s", "red", "Which?", Several((), most=0)).empty
    assert not Question("n", "red", "How many?", Number(0, 1), default=0).empty
