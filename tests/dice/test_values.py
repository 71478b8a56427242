from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.dice import Dice, Modifier, Rolled, check_faces, parse_faces
from tests.tries import tries

DICE = st.sampled_from(Dice)


@st.composite
def falls(draw: st.DrawFn) -> tuple[Dice, tuple[int, ...]]:
    dice = draw(DICE)
    return dice, tuple(draw(st.integers(1, 6)) for _ in range(dice.count))


def test_the_case_of_the_letters_tells_two_dice_from_one() -> None:
    assert (Dice("DR"), Dice("DR").count, Dice("DR").ways) == (Dice.DR, 2, 36)
    assert (Dice("dr"), Dice("dr").count, Dice("dr").ways) == (Dice.dr, 1, 6)
    with pytest.raises(ValueError, match="Dr"):
        Dice("Dr")


def test_a_roll_has_its_original_modifiers_and_final_result() -> None:
    rolled = Rolled(Dice.DR, (3, 4), (Modifier(1, "attacked", "PL 2.12"), Modifier(-3, "30 CVP suffered")))
    assert (rolled.original, rolled.drm, rolled.final, rolled.coloured) == (7, -2, 5, 3)
    assert str(rolled) == "3+4=7, +1 attacked (PL 2.12), -3 30 CVP suffered = 5"


@pytest.mark.parametrize(
    ("rolled", "told"),
    [
        (Rolled(Dice.DR, (6, 1)), "6+1=7"),
        (Rolled(Dice.dr, (4,)), "4"),
        (Rolled(Dice.dr, (4,), (Modifier(0, "calm"),)), "4, +0 calm = 4"),
        (Rolled(Dice.dr, (1,), (Modifier(-2, "mud", "PL 2.2"),)), "1, -2 mud (PL 2.2) = -1"),
    ],
)
def test_a_roll_is_told_in_one_line(rolled: Rolled, told: str) -> None:
    assert str(rolled) == told


def test_lists_are_taken_but_kept_immutable() -> None:
    given_lists = Rolled(Dice.DR, [2, 5], [Modifier(1, "x")])  # type: ignore[arg-type]
    assert given_lists == Rolled(Dice.DR, (2, 5), (Modifier(1, "x"),))
    assert hash(given_lists) == hash(Rolled(Dice.DR, (2, 5), (Modifier(1, "x"),)))
    with pytest.raises(FrozenInstanceError):
        given_lists.faces = (1, 1)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("dice", "faces", "told"),
    [
        (Dice.DR, (7, 0), ["[1]: no die shows 7; a face is 1 to 6", "[2]: no die shows 0; "]),
        (Dice.DR, (3,), ["1 face for a DR; a DR has two faces of 1 to 6, the coloured die first"]),
        (Dice.dr, (3, 4), ["2 faces for a dr; a dr has one face of 1 to 6, such as 3"]),
        (Dice.dr, (), ["0 faces for a dr"]),
        (Dice.DR, (1, 2, 9), ["3 faces for a DR", "[3]: no die shows 9"]),
        (Dice.DR, (True, 2), ["[1]: no die shows True"]),
        (Dice.DR, ("1", 2.0), ["[1]: no die shows '1'", "[2]: no die shows 2.0"]),
    ],
)
def test_faces_that_no_dice_show_are_refused(dice: Dice, faces: tuple[object, ...], told: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        check_faces(dice, faces)
    lines = str(caught.value).splitlines()
    assert len(lines) == len(told)
    assert all(line.startswith(start) for line, start in zip(lines, told, strict=True))


def test_a_roll_cannot_hold_faces_that_no_dice_show() -> None:
    with pytest.raises(DataError, match="no die shows 8"):
        Rolled(Dice.DR, (8, 1))


@given(falls(), st.lists(st.integers(-9, 9), max_size=6))
@tries(100)
def test_the_final_result_is_the_sum_of_all_numbers_told(fall: tuple[Dice, tuple[int, ...]], values: list[int]) -> None:
    dice, faces = fall
    rolled = Rolled(dice, faces, tuple(Modifier(value, "why") for value in values))
    assert rolled.final == sum(faces) + sum(values) == rolled.original + rolled.drm
    if values:
        assert int(str(rolled).rpartition(" = ")[2]) == rolled.final
    told = [int(number) for number in re.findall(r", ([+-]\d+) why", str(rolled))]
    assert told == values


@pytest.mark.parametrize("pattern", ["{} {}", "{},{}", "{}+{}", "{}{}", " {} , {} ", "{} + {}\n"])
def test_every_fall_of_two_dice_is_read_as_players_write_it(pattern: str) -> None:
    for faces in product(range(1, 7), repeat=2):
        assert parse_faces(Dice.DR, pattern.format(*faces)) == faces


def test_digits_side_by_side_are_faces_and_no_total() -> None:
    assert parse_faces(Dice.DR, "11") == (1, 1)
    assert parse_faces(Dice.DR, "12") == (1, 2)
    assert parse_faces(Dice.dr, "5") == (5,)


@pytest.mark.parametrize(
    ("dice", "text", "told"),
    [
        (Dice.DR, "7", "1 face for a DR; a DR has two faces of 1 to 6"),
        (Dice.DR, "10", "[2]: no die shows 0; a face is 1 to 6"),
        (Dice.DR, "3 4 5", "3 faces for a DR"),
        (Dice.DR, "345", "1 face for a DR"),
        (Dice.DR, "", "nothing was entered; a DR has two faces of 1 to 6"),
        (Dice.DR, "  ", "nothing was entered"),
        (Dice.DR, "three four", "“three four” is not a roll; a DR has two faces"),
        (Dice.DR, "-3 4", "“-3 4” is not a roll"),
        (Dice.DR, "3,,4", "“3,,4” is not a roll"),
        (Dice.DR, "3 4+", "“3 4+” is not a roll"),
        (Dice.DR, "٣ ٤", "“٣ ٤” is not a roll"),
        (Dice.dr, "03", "“03” is not a roll; a dr has one face"),
        (Dice.dr, "34", "[1]: no die shows 34"),
        (Dice.dr, "3 4", "2 faces for a dr; a dr has one face"),
        (Dice.dr, "9" * 9000, "“99999999999999999999…” is not a roll"),
    ],
)
def test_what_is_no_roll_is_refused_with_advice(dice: Dice, text: str, told: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_faces(dice, text)
    assert told in str(caught.value)


@given(DICE, st.text(alphabet="0123456789 ,+-\n", max_size=12) | st.text(max_size=30))
@tries(300)
def test_any_text_is_read_or_refused(dice: Dice, text: str) -> None:
    try:
        faces = parse_faces(dice, text)
    except DataError:
        return
    assert len(faces) == dice.count
    assert [str(face) for face in faces] == re.findall("[0-9]", text)
