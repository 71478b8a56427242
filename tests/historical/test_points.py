"""What arrives on a CG Date: given groups, CPP, Campaign Exhaustion."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.hasl.facts import CppChanged, ExhaustionSet, GroupJoined
from laager.rules.board.hasl.scenario.points import cpp_replenishment, exhaustion, given_reinforcements
from tests.historical.buying import only_for
from tests.historical.driver import run
from tests.historical.small import data, scene


def dated(**date: Any) -> Any:
    """Return the small town on a first date that has more."""
    first, *rest = data("small-town")["dates"]
    return scene({"dates": [{**first, **date}, *rest]})


@pytest.mark.parametrize(
    ("side", "faces", "before", "after", "why"),
    [("allied", (3, 5), 6, 14, "3+5=8"), ("axis", (4, 4), 10, 38, "20 + 4+4=8")],
)
def test_cpp_of_the_charts(side: str, faces: tuple[int, int], before: int, after: int, why: str) -> None:
    """A4, 9.616: British 6 + 8 = 14; German 10 + 20 + 8 = 38."""
    cg = scene()
    assert cg.state.side(side).cpp == before
    played = run(cpp_replenishment, cg, side, dice=[faces])
    assert cg.state.side(side).cpp == after
    assert cg.state.scenario.start[side] == after
    assert played.facts[0].why == why
    assert only_for(played, side)


def test_cpp_of_the_date_go_before_those_of_the_charts() -> None:
    cg = dated(cpp={"axis": {"fixed": 22}, "allied": {"fixed": 1, "dice": "dr"}})
    assert not run(cpp_replenishment, cg, "axis").rolls
    assert cg.state.side("axis").cpp == 32
    run(cpp_replenishment, cg, "allied", dice=[(3,)])
    assert cg.state.side("allied").cpp == 10


def test_cpp_of_nothing_change_nothing() -> None:
    cg = dated(cpp={"axis": {}})
    assert not run(cpp_replenishment, cg, "axis").facts
    assert cg.state.side("axis").cpp == 10


def test_cpp_are_asked_where_nothing_says() -> None:
    cg = scene(charts={"sides": {"axis": {"cpp": None}}})
    played = run(cpp_replenishment, cg, "axis", {"cpp": 17})
    assert cg.state.side("axis").cpp == 27
    assert only_for(played, "axis")
    assert not run(cpp_replenishment, cg, "axis").facts


def test_what_the_card_gives_on_a_date() -> None:
    given: dict[str, Any] = {
        "allied": {"groups": [{"rg": "I1", "arrival": "enter", "area": "A4"}], "units": [{"type": "9-1"}], "cpp": 2}
    }
    cg = dated(given=given)
    played = run(given_reinforcements, cg)
    assert [fact.to for fact in played.facts] == [("allied",)] * 3
    (joined,) = (fact for fact in played.facts if isinstance(fact, GroupJoined))
    assert (joined.group.given, joined.group.area) == (True, "A4")
    assert joined.why == "given by the OB on 17N"
    assert cg.state.side("allied").cpp == 8
    assert cg.state.side("allied").bought == {}


def test_nothing_listed_is_nothing_given() -> None:
    assert not run(given_reinforcements, scene()).facts


def test_exhaustion_printed_on_the_card() -> None:
    cg = dated(exhaustion={"allied": 1, "axis": 0})
    played = run(exhaustion, cg)
    assert not played.asked
    assert [(f.side, f.drm, f.to) for f in played.facts if isinstance(f, ExhaustionSet)] == [
        ("axis", 0, None),
        ("allied", 1, None),
    ]
    assert cg.state.side("allied").exhaustion == 1


def test_exhaustion_that_the_players_agree_on() -> None:
    cg = dated(exhaustion={"axis": 2})
    answers = [("exhaustion", {"allied": 3}), ("exhaustion-agreed", False)]
    answers += [("exhaustion", {"allied": -1}), ("exhaustion-agreed", True)]
    played = run(exhaustion, cg, None, answers)
    assert [question.side for question in played.asked] == ["axis", "allied", "allied", "axis"]
    assert "British +3" in played.asked[1].text
    assert (cg.state.side("axis").exhaustion, cg.state.side("allied").exhaustion) == (2, -1)
    assert [fact.why for fact in played.facts] == ["printed for the date", "as the players say"]


def test_cpp_are_told_to_their_side_only() -> None:
    played = run(cpp_replenishment, scene(), "allied", dice=[(1, 1)])
    assert [fact.to for fact in played.facts if isinstance(fact, CppChanged)] == [("allied",)]
