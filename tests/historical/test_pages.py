"""How often a side is asked from the end of play to the next purchase, when it takes what is proposed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from laager.base import DataError
from laager.base.files import check, parse_document
from laager.campaign.engine import Campaign
from laager.campaign.steps import NOTHING
from laager.campaign.views import view
from laager.cli.play.answers import AnswersFile, give_all
from laager.rules.board.card.parts import SIDES
from tests.historical.campaigns import new_campaign

Page = tuple[str, ...]


@cache
def pages(card: str) -> dict[str, list[Page]]:
    """The keys on each page of each side: what is open to it at once, answered together."""
    campaign = new_campaign(card, seed=bytes(32))
    found: dict[str, list[Page]] = {side: [] for side in SIDES}
    refit = False
    while not all("purchases" in (found[side] or [()])[-1] for side in SIDES):
        refit = refit or campaign.state.round == "refit"
        for side in SIDES:
            keys = answer_page(campaign, side)
            if refit and keys and "purchases" not in (found[side] or [()])[-1]:
                found[side].append(keys)
    return found


def answer_page(campaign: Campaign, side: str) -> Page:
    """Take the proposals for all that a side is asked at once."""
    asked = [one for one in campaign.pending() if one.side == side]
    for one in asked:
        assert one.question is not None
        campaign.answer(side, one.key, one.question.default)
    return tuple(one.key for one in asked)


@pytest.mark.parametrize(
    ("card", "side", "most"),
    [
        # Before what hangs together was asked together: 11 and 11, 8 and 8.
        ("rijnoord", "axis", 6),
        ("rijnoord", "allied", 6),
        ("kokusa-ridge", "axis", 4),
        ("kokusa-ridge", "allied", 6),
    ],
)
def test_pages_from_play_to_purchase(card: str, side: str, most: int) -> None:
    shown = pages(card)[side]
    assert 0 < len(shown) <= most, shown
    assert shown[-1][-1] == "purchases"


@pytest.mark.parametrize("card", ["rijnoord", "kokusa-ridge"])
def test_who_has_nothing_to_decide_is_asked_once_in_place_of_several(card: str) -> None:
    shown = [page for side in SIDES for page in pages(card)[side]]
    assert any(NOTHING in page for page in shown)
    # No half-squads, nobody Encircled, no broken units: nobody is asked about them.
    assert not {"rally", "encirclement"} & {key for page in shown for key in page}


# Answers files -----------------------------------------------------------------------------------

OLD_FILE = """
laager: answers/1
answers:
  - {side: allied, for: ww-box, answer: [{type: 6-4-8}]}
  - {side: axis, for: ww-box-agreed, default: true}
  - {side: axis, for: rally, default: true}
  - {side: allied, for: rally, default: true}
  - {side: axis, for: encirclement, default: true}
  - {side: axis, for: block-control, default: true}
  - {side: allied, for: block-control-agreed, default: true}
"""


def given(text: str) -> tuple[Campaign, Sequence[str]]:
    campaign = new_campaign("rijnoord", seed=bytes(32))
    while campaign.state.round != "refit":
        answer_page(campaign, campaign.pending()[0].side)
    document = parse_document(text, "old.yaml")
    return campaign, give_all(campaign, document, check(document, AnswersFile).answers, None)


def test_a_file_from_before_is_accepted_with_a_remark() -> None:
    campaign, remarks = given(OLD_FILE)
    assert [one.key for one in campaign.pending()] == ["isolated"]
    spared = ("axis isn't asked rally", "allied isn't asked rally", "axis isn't asked encirclement")
    assert [remark.partition(":")[0] for remark in remarks] == list(spared)


def test_what_was_never_asked_is_refused_and_nothing_is_given() -> None:
    with pytest.raises(DataError, match="answers\\[8\\]: axis isn't asked 'ralley'"):
        given(OLD_FILE + "  - {side: axis, for: ralley, default: true}\n")


def test_the_watcher_sees_only_that_a_side_is_asked() -> None:
    campaign, _ = given("laager: answers/1\nanswers: []")
    assert campaign.spared_questions() >= {("axis", "rally"), ("allied", "encirclement")}
    seen = view(campaign, "allied")
    assert {one.side for one in seen.pending} == {"allied"}
    assert seen.waiting_for == ("axis", "allied")
