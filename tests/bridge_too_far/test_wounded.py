"""Walking Wounded (CG19): the source's example, the worked example, and chance."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.facts import AreasDetermined
from laager.rules.board.units import Mark
from laager.rules.bridge_too_far.facts import WalkingWoundedBoxed
from laager.rules.bridge_too_far.steps.wounded import (
    arrival_question,
    mmc_types,
    returning_squads,
    squad_equivalents,
    walking_wounded,
    walking_wounded_box,
)
from tests.bridge_too_far.scene import apply, scene
from tests.historical.driver import run
from tests.tries import tries

TOWN = scene()

SOURCE = {"6-4-8": 2, "4-5-8": 1, "2-4-8": 1, "3-3-8": 2}


def boxed(box: dict[str, int], **readings: str) -> object:
    return apply(scene(readings=readings), WalkingWoundedBoxed(lost=box))


def test_the_example_of_the_rules() -> None:
    cg = boxed(SOURCE)
    assert squad_equivalents(SOURCE, cg.nation(ALLIED)) == Fraction(9, 2)  # type: ignore[attr-defined]
    assert returning_squads(cg, SOURCE, ALLIED) == 4  # type: ignore[arg-type]


def test_the_worked_example() -> None:
    cg = scene()
    rows = [{"type": "6-4-8"}, {"type": "4-5-8"}, {"type": "2-4-8"}]
    played = run(walking_wounded_box, cg, answers={"ww-box": rows})
    assert cg.state.ww_box == {"6-4-8": 1, "4-5-8": 1, "2-4-8": 1}
    assert [fact.to for fact in played.facts] == [None]
    before = cg.state.side("axis").cvp_total
    played = run(walking_wounded, cg, answers={"walking-wounded": [{"area": "W", "count": 2}]})
    squads = list(cg.state.units_of("allied"))
    assert [(u.type, u.area, u.has(Mark.WALKING_WOUNDED)) for u in squads] == [("4-4-7", "W", True)] * 2
    assert cg.state.ww_box == {}
    assert cg.state.side("axis").cvp_total == before
    joined = [fact for fact in played.facts if fact.kind != "walking-wounded-box-emptied"]
    assert {fact.to for fact in joined} == {("allied",)}


def test_the_box_adds_up() -> None:
    cg = boxed({"6-4-8": 1})
    apply(cg, WalkingWoundedBoxed(lost={"6-4-8": 1, "2-2-8": 1}))  # type: ignore[arg-type]
    assert cg.state.ww_box == {"6-4-8": 2, "2-2-8": 1}  # type: ignore[attr-defined]


@pytest.mark.parametrize(("reading", "count"), [("half-squad", 1), ("nothing", 0)])
def test_crews(reading: str, count: int) -> None:
    cg = boxed({"2-2-8": 1, "2-4-8": 1}, **{"crews-in-ww-box": reading})
    assert returning_squads(cg, cg.state.ww_box, ALLIED) == count  # type: ignore[arg-type, attr-defined]


def test_nobody_comes_while_there_is_no_friendly_setup_area() -> None:
    cg = boxed(SOURCE)
    apply(cg, AreasDetermined(areas=(), block_control={}))  # type: ignore[arg-type]
    played = run(walking_wounded, cg)  # type: ignore[arg-type]
    assert [fact.kind for fact in played.facts] == ["walking-wounded-box-emptied"]
    assert not played.asked


def test_an_empty_box_asks_nothing() -> None:
    assert run(walking_wounded, scene()).facts == []
    assert run(walking_wounded_box, scene()).facts == []


def test_a_lone_half_squad_is_discarded() -> None:
    played = run(walking_wounded, boxed({"2-4-8": 1}))  # type: ignore[arg-type]
    assert [fact.kind for fact in played.facts] == ["walking-wounded-box-emptied"]


def test_all_of_them_are_placed() -> None:
    question = arrival_question(scene(), 2)
    with pytest.raises(DataError, match="1 Walking Wounded are placed; 2 come back"):
        question.accept([{"area": "W", "count": 1}])
    assert question.accept(question.default) == [{"area": "W", "count": 2}]
    assert question.secret
    for seed in range(5):
        assert question.sample(Random(seed))


def test_the_other_side_confirms_the_box() -> None:
    cg = scene()
    answers = [
        ("ww-box@allied", [{"type": "6-4-8", "count": 3}]),
        ("ww-box-agreed@axis", False),
        ("ww-box@axis", [{"type": "6-4-8", "count": 1}]),
        ("ww-box-agreed@allied", True),
    ]
    run(walking_wounded_box, cg, answers=answers)
    assert cg.state.ww_box == {"6-4-8": 1}
    question = run(walking_wounded_box, cg).asked[0]
    assert question.sample(Random(4)) is not None
    with pytest.raises(DataError, match="4-6-7"):
        question.accept([{"type": "4-6-7"}])


@tries(25)
@given(st.dictionaries(st.sampled_from(mmc_types(TOWN.nation(ALLIED))), st.integers(1, 5)))
def test_against_counting_men(box: dict[str, int]) -> None:
    nation = TOWN.nation(ALLIED)
    halves = sum((2 if nation.unit(kind).kind.value == "squad" else 1) * n for kind, n in box.items())
    assert returning_squads(TOWN, box, ALLIED) == halves // 2


def test_a_crowd_of_walking_wounded_may_arrive_in_one_area() -> None:
    question = arrival_question(scene(), 93)
    assert question.allows(question.default)
    assert question.default[0]["count"] == 93
