"""PL 2.1 to 2.12: CP replenishment, number for number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.facts import Agreed
from laager.rules.platoon_leader.buying.replenishment import cp_replenishment, intensity
from laager.rules.platoon_leader.card.card import Intensity
from tests.platoon_leader.small import second_firefight, small_cg
from tests.steps import play
from tests.tries import tries

PRINTED = {
    2: (16, 25, 34), 3: (15, 24, 33), 4: (14, 23, 32), 5: (13, 22, 31), 6: (12, 21, 30),
    7: (12, 20, 29), 8: (12, 19, 28), 9: (11, 18, 27), 10: (10, 17, 26), 11: (9, 16, 25),
    12: (8, 15, 24),
}  # fmt: skip
"""The table of the rulebook: Final DR -> low, mid, high."""


def test_axis_of_the_walkthrough() -> None:
    cg = second_firefight(small_cg(), axis=25, allied=15)
    cg.state = cg.state.with_side("axis", cp=6)
    played = play(cp_replenishment, cg, "axis", dice=[(3, 4)])
    ((roll, rolled),) = played.rolls
    assert [modifier.value for modifier in rolled.modifiers] == [1, -1]
    assert rolled.final == 7
    assert cg.state.side("axis").cp == 18
    (fact,) = played.of("cp-changed")
    assert (roll.secret, fact.to) == (True, ("axis",))
    assert "12 CP" in fact.why


def test_allied_of_the_walkthrough() -> None:
    cg = second_firefight(small_cg(), axis=25, allied=15)
    cg.state = cg.state.with_side("allied", cp=5)
    played = play(cp_replenishment, cg, "allied", dice=[(2, 3)])
    assert [modifier.value for modifier in played.rolls[0][1].modifiers] == [-1, -2]
    assert played.finals() == [2]
    assert cg.state.side("allied").cp == 21


@pytest.mark.parametrize(("side", "faces", "final", "gained"), [("axis", (5, 4), 7, 12), ("allied", (6, 5), 10, 10)])
def test_third_firefight_of_the_walkthrough(side: str, faces: tuple[int, int], final: int, gained: int) -> None:
    cg = second_firefight(small_cg(), attacked="allied", axis=18, allied=22)
    played = play(cp_replenishment, cg, side, dice=[faces])
    assert played.finals() == [final]
    assert cg.state.side(side).cp == gained


@pytest.mark.parametrize(("side", "final", "gained"), [("axis", 9, 11), ("allied", 8, 12)])
def test_after_an_idle_firefight_neither_attack_nor_losses_count(side: str, final: int, gained: int) -> None:
    cg = second_firefight(small_cg(), attacked="")
    played = play(cp_replenishment, cg, side, dice=[(4, 5)])
    assert played.finals() == [final]
    assert cg.state.side(side).cp == gained


@pytest.mark.parametrize("scored", [0, 9, 10, 19, 20, 39])
def test_only_whole_tens_of_cvp_count(scored: int) -> None:
    cg = second_firefight(small_cg(), attacked="allied", allied=scored)
    played = play(cp_replenishment, cg, "axis", dice=[(6, 6)])
    assert played.finals() == [12 - scored // 10]


def test_the_card_may_provide_the_cp() -> None:
    slots = small_cg().card.model_dump(mode="json")["firefights"]
    slots[1]["cp"] = {"axis": 7}
    cg = second_firefight(small_cg(firefights=slots))
    played = play(cp_replenishment, cg, "axis")
    assert played.rolls == []
    assert cg.state.side("axis").cp == 7
    assert played.facts[0].to == ("axis",)
    play(cp_replenishment, cg, "allied", dice=[(1, 1)])
    assert cg.state.side("allied").cp == 16, "the other side rolls"


@tries(60)
@given(
    faces=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    level=st.sampled_from(list(Intensity)),
    suffered=st.integers(0, 60),
    hist=st.integers(-3, 3),
    attacked=st.booleans(),
)
def test_against_the_printed_table(
    faces: tuple[int, int], level: Intensity, suffered: int, hist: int, attacked: bool
) -> None:
    cg = small_cg(intensity=level.value, sides={"axis": {"drm": {"cp": hist}}})
    second_firefight(cg, attacked="axis" if attacked else "allied", allied=suffered)
    play(cp_replenishment, cg, "axis", dice=[faces])
    final = sum(faces) + hist + attacked - suffered // 10
    expected = PRINTED[min(12, max(2, final))][list(Intensity).index(level)]
    assert cg.state.side("axis").cp == expected


def test_intensity_is_the_cards_or_the_higher_one_agreed_on() -> None:
    cg = small_cg(sides={"allied": {"intensity": "high"}})
    assert (intensity(cg, "axis"), intensity(cg, "allied")) == (Intensity.LOW, Intensity.HIGH)
    cg.state = Agreed(about="intensity", value="mid").apply(cg.state)
    assert (intensity(cg, "axis"), intensity(cg, "allied")) == (Intensity.MID, Intensity.HIGH)
    cg.state = Agreed(about="intensity", value="as-card").apply(cg.state)
    assert intensity(cg, "axis") is Intensity.LOW
