"""SW allotment (ER 1.5192), against an oracle that reads the rule die by die."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.facts import Fact
from laager.campaign.steps import Ask
from laager.dice import Rolled
from laager.rules.board.hasl.buying.groups import units_of_group
from laager.rules.board.hasl.buying.strength import (
    WeaponRoll,
    automatic,
    strength_weapons_leaders,
    weapon_rolls,
    weapons_allotted,
)
from laager.rules.board.hasl.charts import SwLine
from laager.rules.board.hasl.state import Strength
from tests.historical.buying import buy, island, only_for, row
from tests.historical.driver import run
from tests.tries import tries

FULL, DEPLETED = Strength.FULL, Strength.DEPLETED
TYPES = ("LMG", "MMG", "HMG", "50* MTR", "DC", "FT")

SW = st.lists(
    st.builds(
        SwLine, type=st.sampled_from(TYPES), count=st.integers(1, 2), need=st.sampled_from([None, 1, 2, 3, 4, 6])
    ),
    max_size=4,
)


def single(sw: list[SwLine]) -> list[tuple[str, int | None]]:
    return [(line.type, line.need) for line in sw for _ in range(line.count)]


def oracle(sw: list[SwLine], strength: Strength, heavy: bool, dice: Any) -> list[str]:
    """Read the rule one SW at a time; `dice` gives one face after the other."""
    while True:
        got = []
        for type_, need in single(sw):
            if strength is FULL:
                comes = need is None or next(dice) <= need
            elif need is None:
                comes = next(dice) <= 4
            else:
                # A dr below 1 does not exist: no die is thrown for (1).
                comes = need > 1 and next(dice) < need
            got += [type_] * comes
        possible = [type_ for type_, need in single(sw) if not (strength is DEPLETED and need == 1)]
        if not heavy or len(got) >= 2 or len(possible) < 2:
            return got


def allot(sw: list[SwLine], strength: Strength, heavy: bool, faces: list[int]) -> list[str] | None:
    """Allot with these faces; None if they don't reach."""
    cg = island()
    buy(cg, "axis", row("HW1", "on-map", "NE"))
    group = cg.state.groups["axis", "HW1/1"].but(strength=strength)
    key = "HW1" if heavy else "I1"
    group = group.but(rg=key, kind=key.rstrip("1"))
    line = cg.line("axis", key).model_copy(update={"sw": tuple(sw)})
    chart = tuple(line if one.key == key else one for one in cg.lines("axis"))
    half = cg.charts.sides["axis"].model_copy(update={"rg": chart})
    cg.charts = cg.charts.model_copy(update={"sides": {**cg.charts.sides, "axis": half}})
    cg.state = cg.state.with_group("axis", "HW1/1", rg=key)
    procedure, send = weapons_allotted(cg, group), None
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            break
        send = None
        if isinstance(command, Fact):
            cg.state = command.apply(cg.state)
            continue
        assert not isinstance(command, Ask)
        if not faces:
            return None
        send = Rolled(command.dice, (faces.pop(0),), command.modifiers)
    return sorted(unit.type for unit in units_of_group(cg, "axis", "HW1/1"))


def enough(faces: list[int]) -> Any:
    """Yield the faces; when they run out say so by StopIteration."""
    yield from faces


@tries(150)
@given(SW, st.sampled_from([FULL, DEPLETED]), st.booleans(), st.lists(st.integers(1, 6), max_size=60))
def test_allotment_by_the_oracle(sw: list[SwLine], strength: Strength, heavy: bool, faces: list[int]) -> None:
    try:
        expected: list[str] | None = sorted(oracle(sw, strength, heavy, enough(list(faces))))
    except StopIteration:
        expected = None
    assert allot(sw, strength, heavy, list(faces)) == expected


@pytest.mark.parametrize("strength", [FULL, DEPLETED])
def test_every_throw_of_a_platoon(strength: Strength) -> None:
    """All throws of LMG, (3), (2): what comes is what the rule says, in the right share."""
    sw = [SwLine(type="LMG"), SwLine(type="MMG", need=3), SwLine(type="FT", need=2)]
    dice = weapon_rolls(sw, strength)
    counts = dict.fromkeys(("LMG", "MMG", "FT"), 0)
    for faces in product(range(1, 7), repeat=len(dice)):
        came = [*automatic(sw, strength)]
        came += [die.type for die, face in zip(dice, faces, strict=True) if face <= die.most]
        for type_ in came:
            counts[type_] += 1
    share = {type_: n / 6 ** len(dice) for type_, n in counts.items()}
    if strength is FULL:
        assert share == pytest.approx({"LMG": 1, "MMG": 3 / 6, "FT": 2 / 6})
    else:
        assert share == pytest.approx({"LMG": 4 / 6, "MMG": 2 / 6, "FT": 1 / 6})


def test_the_parts_of_the_rule() -> None:
    sw = [SwLine(type="DC", count=2), SwLine(type="FT", need=2), SwLine(type="LMG", need=1)]
    assert automatic(sw, FULL) == automatic(sw, None) == ("DC", "DC")
    assert automatic(sw, DEPLETED) == ()
    assert weapon_rolls(sw, FULL) == (WeaponRoll("FT", 2), WeaponRoll("LMG", 1))
    assert weapon_rolls(sw, DEPLETED) == (WeaponRoll("DC", 4), WeaponRoll("DC", 4), WeaponRoll("FT", 1))


def test_automatic_sw_of_a_full_heavy_weapons_group_are_kept() -> None:
    """HMG comes; MMG (3) and MTR (2) are rolled again until one of them comes."""
    cg = island()
    buy(cg, "axis", row("HW1", "on-map", "NE"))
    dice = [(4, 5), (4,), (3,), (5,), (2,)]
    played = run(strength_weapons_leaders, cg, "axis", dice=dice)
    group = cg.state.groups["axis", "HW1/1"]
    assert (group.strength, group.sw) == (FULL, {"HMG": 1, "50* MTR": 1})
    labels = [roll.label for roll, _ in played.rolls]
    assert labels[1] == "MMG for HW1/1, comes on 3 or less"
    assert labels[3] == "MMG for HW1/1, comes on 3 or less (again: 1 came, 2 must)"
    assert only_for(played, "axis")


def test_a_chart_that_can_never_give_two_is_not_rolled_for_ever() -> None:
    sw = [SwLine(type="MMG", need=3), SwLine(type="FT", need=1)]
    assert allot(sw, DEPLETED, True, [6]) == []
    assert allot(sw, DEPLETED, True, [2]) == ["MMG"]
