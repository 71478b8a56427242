"""The table of what markers mean: complete, and squads are alike whichever half becomes them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.markers import (
    MEANINGS,
    MarkEnd,
    marks_ended_by,
    marks_of_new_half,
    merge_marks,
    replacement_marks,
)
from laager.rules.board.report.marks import FITS, NEEDS, mark_problems, marks_replaced_by
from laager.rules.board.units import HIDING, Mark, Place, Unit

MARKS = st.frozensets(st.sampled_from(list(Mark)))


def half(*marks: Mark, place: Place = Place.MAP) -> Unit:
    return Unit(id="AX1", side="axis", nation="german", type="2-4-7", kind="half-squad", place=place, marks=marks)


def test_every_marker_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Mark)
    assert all(meaning.put_on for meaning in MEANINGS.values())


def test_what_ends_with_the_play_of_a_battle() -> None:
    assert marks_ended_by(MarkEnd.PLAY) == {
        *(Mark.PIN, Mark.TI, Mark.CX, Mark.BERSERK, Mark.TANK_HUNTER, Mark.CLOAKED, Mark.ACQUIRED),
        *(Mark.MOTION, Mark.BUTTONED_UP, Mark.CREW_EXPOSED, Mark.HULL_DOWN),
    }
    assert marks_ended_by(MarkEnd.RALLY) == {Mark.BROKEN, Mark.DM, Mark.DISRUPTED}


def test_cloaking_leaves_concealment_on_the_map_alone() -> None:
    assert replacement_marks(half(Mark.CLOAKED), marks_ended_by(MarkEnd.PLAY)) == {Mark.CONCEALED}
    assert replacement_marks(half(Mark.CLOAKED, place=Place.OFF_MAP), marks_ended_by(MarkEnd.PLAY)) == frozenset()
    assert replacement_marks(half(Mark.HIP, Mark.PIN), marks_ended_by(MarkEnd.PLAY)) == frozenset()


@given(MARKS, MARKS)
def test_a_squad_is_the_same_whichever_half_becomes_it(one: frozenset[Mark], two: frozenset[Mark]) -> None:
    assert merge_marks(half(*one), half(*two)) == merge_marks(half(*two), half(*one))


@given(MARKS, MARKS)
def test_a_squad_has_no_marker_that_neither_half_has(one: frozenset[Mark], two: frozenset[Mark]) -> None:
    found = merge_marks(half(*one), half(*two))
    assert one & two <= found
    assert found - {Mark.CONCEALED} <= one | two
    assert bool(found & HIDING) == bool(one & HIDING and two & HIDING)


def test_a_hidden_half_and_a_concealed_one_make_a_concealed_squad() -> None:
    assert merge_marks(half(Mark.HIP), half(Mark.CONCEALED)) == {Mark.CONCEALED}
    assert merge_marks(half(Mark.HIP), half(Mark.HIP)) == {Mark.HIP}
    assert merge_marks(half(Mark.HIP), half()) == frozenset()


def test_a_squad_is_hardened_if_either_half_is_and_fanatic_if_both_are() -> None:
    for marks in ((Mark.HARDENED,), ()), ((), (Mark.HARDENED,)):
        assert merge_marks(half(*marks[0]), half(*marks[1])) == {Mark.HARDENED}
    assert merge_marks(half(Mark.FANATIC), half()) == frozenset()


def test_a_new_half_is_of_the_same_men() -> None:
    unit = half(Mark.ENGINEERS, Mark.WALKING_WOUNDED, Mark.PIN, Mark.CONCEALED, Mark.HARDENED)
    assert marks_of_new_half(unit) == {Mark.ENGINEERS, Mark.WALKING_WOUNDED}


@given(st.sampled_from(sorted(frozenset[str]().union(*FITS.values()))), st.data())
def test_a_marker_put_on_over_others_never_contradicts_them(kind: str, data: st.DataObject) -> None:
    fitting = [mark for mark in FITS if kind in FITS[mark] and mark not in NEEDS]
    marks: set[Mark] = set()
    for mark in data.draw(st.lists(st.sampled_from(fitting), max_size=6)):
        marks = (marks - marks_replaced_by(kind).get(mark, frozenset())) | {mark}
    assert list(mark_problems(kind, "it", [mark.value for mark in marks])) == []


def test_a_unit_that_breaks_comes_out_of_hiding() -> None:
    assert marks_replaced_by("squad")[Mark.BROKEN] >= HIDING
    assert Mark.DISABLED in marks_replaced_by("gun")[Mark.MALFUNCTIONED]
    assert Mark.MALFUNCTIONED not in marks_replaced_by("afv")
