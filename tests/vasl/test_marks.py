"""The numbers by which Laager knows its own counters again: certain for their side, chance for everybody else."""

from __future__ import annotations

import json

import pytest

from laager.base import RefusedError
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.views import view
from laager.vasl.saves.marks import DIGITS, Marks, marks_of
from tests.sheets.campaigns import played

SIDES = ("axis", "allied")


def test_a_mark_is_a_number_like_any_other_and_always_the_same() -> None:
    marks = Marks("open", "own", 3)
    found = [marks.of(f"GE{number}", known=number % 2 == 0) for number in range(2000)]
    assert all(one.isdecimal() and len(one) == DIGITS and one[0] != "0" for one in found)
    assert len(set(found)) == len(found)
    assert found[7] == Marks("open", "own", 3).secret("GE7")


def test_a_piece_is_known_again_whichever_mark_it_got() -> None:
    marks = Marks("open", "own", 1)
    assert marks.units(["A", "B"]) == {
        marks.open_mark("A"): "A",
        marks.secret("A"): "A",
        marks.open_mark("B"): "B",
        marks.secret("B"): "B",
    }


def test_both_sides_share_marks_of_what_both_know_and_of_nothing_else() -> None:
    campaign = played("rzhavets")
    mine, theirs = (marks_of(view(campaign, side)) for side in SIDES)
    assert mine.open_mark("X1") == theirs.open_mark("X1")
    assert mine.secret("X1") != theirs.secret("X1")


def test_another_battle_has_other_marks() -> None:
    one, two = (Marks("open", "own", number) for number in (1, 2))
    assert one.open_mark("X1") != two.open_mark("X1")
    assert one.secret("X1") != two.secret("X1")


@pytest.mark.parametrize("viewer", [UMPIRE, SPECTATOR])
def test_who_is_no_side_has_no_key(viewer: str) -> None:
    seen = view(played("rzhavets"), viewer)
    assert seen.marking == ""
    with pytest.raises(RefusedError, match="say whose counters they are"):
        marks_of(seen)


@pytest.mark.parametrize("side", SIDES)
def test_the_key_is_in_nothing_that_a_view_tells(side: str) -> None:
    seen = view(played("rzhavets"), side)
    told = repr(seen) + repr(marks_of(seen)) + json.dumps([one.entry.body for one in seen.log])
    assert seen.marking
    assert seen.marking not in told
