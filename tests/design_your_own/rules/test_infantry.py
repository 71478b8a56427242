"""What Infantry costs, and who can have which capability."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.catalogue.kinds import Grade, Kind
from laager.rules.design_your_own.answers import Reason
from laager.rules.design_your_own.lines.infantry import (
    Capability,
    InfantryLine,
    LineOrigin,
    Subsection,
    elr_of,
    line_breaches,
    mpv_each,
    not_for_sale,
    side_wide,
    side_wide_breaches,
)
from laager.rules.design_your_own.rulebook import Rulebook
from tests.design_your_own.rules.printed import PRINTED
from tests.tries import tries

A, S, C = Capability.ASSAULT_ENGINEER, Capability.SAPPER, Capability.COMMANDO
M, SK, W, P = Capability.MOL, Capability.SKI, Capability.WINTER_CAMOUFLAGE, Capability.PARACHUTE
ANY = st.frozensets(st.sampled_from(Capability))
BPV = st.integers(1, 40)


def line(type_: str = "4-6-8", number: int = 1, *marks: Capability, **more: Any) -> InfantryLine:
    plain = InfantryLine(type_, Grade.ELITE, 13, number, frozenset(marks))
    return replace(plain, **more)


def line_rules(subject: InfantryLine, **chosen: str) -> list[tuple[str, str]]:
    readings = {name.replace("_", "-"): option for name, option in chosen.items()}
    return [(breach.rule, breach.reason) for breach in line_breaches(Rulebook(readings), subject)]


def test_the_reckoning_shows_every_part() -> None:
    assert mpv_each(PRINTED, 13, {S}, 2).why == "13 BPV x 1.5 Sappers (FRU 20) + 2 inherent AT range = 22"
    every = mpv_each(PRINTED, 16, {A, S, C, M})
    assert every.why == "16 BPV x 2 Assault Engineers x 1.5 Sappers x 1.5 Commandos + 1 MOL = 73"
    assert mpv_each(PRINTED, 10).why == "10 BPV"
    assert mpv_each(PRINTED, 13, {S}, 2).rules == ("DYO H1.211", "DYO H1.23", "DYO H1.26")


@pytest.mark.parametrize(("bpv", "once", "each"), [(11, 25, 26), (7, 16, 17), (16, 36, 36), (13, 30, 30)])
def test_rounding_once_or_after_each_factor(bpv: int, once: int, each: int) -> None:
    assert int(mpv_each(PRINTED, bpv, {C, S})) == once
    assert int(mpv_each(Rulebook({"capability-rounding": "each"}), bpv, {C, S})) == each


def test_skis_bring_winter_camouflage_and_may_be_in_the_bpv() -> None:
    assert int(mpv_each(PRINTED, 10, {W})) == 11
    assert int(mpv_each(PRINTED, 10, {SK})) == int(mpv_each(PRINTED, 10, {SK, W})) == 12
    assert int(mpv_each(PRINTED, 10, {SK, W}, ski_included=True)) == 10


@tries(80)
@given(BPV, ANY, st.integers(0, 3))
def test_a_capability_never_makes_cheaper_and_factors_come_first(
    bpv: int, marks: frozenset[Capability], at_range: int
) -> None:
    whole = int(mpv_each(PRINTED, bpv, marks, at_range))
    for mark in marks:
        assert int(mpv_each(PRINTED, bpv, marks - {mark}, at_range)) <= whole
    factors = Fraction(bpv)
    for mark, factor in ((A, Fraction(2)), (S, Fraction(3, 2)), (C, Fraction(3, 2))):
        factors *= factor if mark in marks else 1
    added = (M in marks) + 2 * (SK in marks) + 2 * (P in marks) + at_range
    added += W in marks and SK not in marks
    assert 0 <= whole - added - factors < 1, "rounded up once, before anything is added"
    assert int(mpv_each(PRINTED, bpv + 1, marks, at_range)) > whole
    assert int(mpv_each(Rulebook({"capability-rounding": "each"}), bpv, marks, at_range)) >= whole


@pytest.mark.parametrize(
    ("grade", "kind", "expected"),
    [
        (Grade.ELITE, Kind.SQUAD, Subsection.ELITE),
        (Grade.FIRST_LINE, Kind.SQUAD, Subsection.LINE),
        (Grade.SECOND_LINE, Kind.SQUAD, Subsection.LINE),
        (Grade.GREEN, Kind.SQUAD, Subsection.LINE),
        (Grade.CONSCRIPT, Kind.HALF_SQUAD, Subsection.CONSCRIPT),
        (Grade.GREEN, Kind.CREW, Subsection.ELITE),
    ],
)
def test_subsections(grade: Grade, kind: Kind, expected: Subsection) -> None:
    assert line(grade=grade, kind=kind).subsection is expected


def test_squads_of_a_line() -> None:
    assert line("a", 3).squads == 3
    assert line("a", 3, kind=Kind.HALF_SQUAD).squads == Fraction(3, 2)
    assert line("a", 3, kind=Kind.CREW).squads == 0


@pytest.mark.parametrize(
    ("subject", "rule"),
    [
        (line("4-6-7", 1, A, grade=Grade.FIRST_LINE), "DYO H1.22"),
        (line("2-4-8", 1, A, kind=Kind.HALF_SQUAD, origin=LineOrigin.SECOND), "DYO H1.2"),
        (line("4-6-7", 1, C, grade=Grade.GREEN), "DYO H1.24"),
        (line("4-5-8", 1, C, own_nationality=False), "DYO H1.24"),
        (line("3-3-7", 1, S, grade=Grade.FIRST_LINE, partisan=True), "DYO H1.27"),
        (line("3-3-7", 1, A, partisan=True), "DYO H1.27"),
        (line("4-5-8", always_commando=True), "DYO H1.24"),
        (line("4-6-7", 1, SK, grade=Grade.SECOND_LINE), "DYO H1.202"),
        (line("4-6-7", 1, P, grade=Grade.SECOND_LINE), "DYO H1.204"),
        (line("4-6-8", 1, S, origin=LineOrigin.BONUS), "DYO H1.73"),
        (line("2-2-8", 1, C, kind=Kind.CREW), "DYO H1.24"),
        (line("4-6-8", 0), "DYO H1.21"),
    ],
)
def test_lines_that_break_a_rule(subject: InfantryLine, rule: str) -> None:
    assert rule in {found for found, _ in line_rules(subject)}


@pytest.mark.parametrize(
    "subject",
    [
        line("4-6-7", 26, S, grade=Grade.CONSCRIPT),
        line("4-6-8", 1, A, S, C, M, SK, W, P),
        line("3-3-7", 1, C, M, grade=Grade.FIRST_LINE, partisan=True),
        line("4-5-8", 1, C, always_commando=True),
        line("4-5-8", 1, always_commando=True, origin=LineOrigin.BONUS),
        line("2-2-7", 2, M, kind=Kind.CREW),
        line("2-4-7", 1, kind=Kind.HALF_SQUAD, origin=LineOrigin.BONUS),
    ],
)
def test_lines_that_are_legal(subject: InfantryLine) -> None:
    assert line_breaches(PRINTED, subject) == ()


def test_readings_of_who_can_be_bought() -> None:
    engineers = line("4-6-7", 1, A, grade=Grade.FIRST_LINE)
    assert line_rules(engineers, engineer_class="any") == []
    halves = line("2-4-7", 1, kind=Kind.HALF_SQUAD)
    assert line_rules(halves) == [("DYO H1.2", Reason.NOT_FOR_SALE)]
    assert line_rules(halves, half_squads="yes") == []
    with pytest.raises(RefusedError, match="isn't an option"):
        line_breaches(Rulebook({"half-squads": "perhaps"}), halves)


@pytest.mark.parametrize("mark", [SK, W, M])
def test_some_with_it_and_some_without(mark: Capability) -> None:
    (breach,) = side_wide_breaches([line("a", 4, mark), line("b", 3)])
    assert (breach.reason, breach.rule) == (Reason.ALL_OR_NONE, mark.printed_row.rule)
    assert "b without" in breach.what
    second = line("b", 3, mark, origin=LineOrigin.SECOND)
    assert side_wide_breaches([line("a", 4, mark), second]) == ()
    assert side_wide_breaches([line("a", 4), second]) != (), "not begun in the second purchase"
    assert side_wide_breaches([line("a", 4, mark), line("b", 1, origin=LineOrigin.BONUS)]) == ()


def test_skis_are_for_the_elite_and_camouflage_for_the_rest() -> None:
    skiers, others = line("4-6-8", 4, SK), line("4-6-7", 5, grade=Grade.FIRST_LINE)
    sissi = line("sissi", 2, ski_included=True)
    assert side_wide_breaches([skiers, others]) == ()
    assert side_wide_breaches([skiers, others, sissi]) == ()
    camouflaged = replace(others, capabilities=frozenset({W}))
    assert side_wide_breaches([skiers, camouflaged]) == ()
    assert side_wide_breaches([skiers, camouflaged, others]) != ()
    assert side_wide_breaches([line("4-6-8"), sissi]) == (), "Sissi oblige nobody"


def test_what_others_have_free() -> None:
    assert side_wide([line("a", 4, SK, M, S), line("b", 1, P)]) == {SK, M}
    assert side_wide([line("a", 1, W, origin=LineOrigin.BONUS)]) == frozenset()


@pytest.mark.parametrize("what", ["Hero", "9-2", "6+1", " 8-0 "])
def test_heroes_and_leaders_are_not_for_sale(what: str) -> None:
    breach = not_for_sale(what)
    assert breach is not None
    assert (breach.reason, breach.rule) == (Reason.NOT_FOR_SALE, "DYO H1.2")
    assert not_for_sale("4-6-7") is None


def test_elr_of_a_line() -> None:
    assert [elr_of(each, 3) for each in (line(), line(elr=4), line("a", 1, C, elr=2))] == [3, 4, 5]
