"""The German purchase of September 1944 with 1,000 points, line by line as the rules tell it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from laager.catalogue.dyo import Month
from laager.catalogue.kinds import Column, Grade
from laager.dice import Dice, Rolled
from laager.rules.design_your_own.answers import Calculation, Missing
from laager.rules.design_your_own.lines import bonus, fittings, infantry, leaders, oba, pieces, support, vehicles, works
from laager.rules.design_your_own.lines.infantry import Capability, InfantryLine, LineOrigin, Subsection
from laager.rules.design_your_own.lines.works import WorkLine
from laager.rules.design_your_own.nations import Group
from tests.design_your_own.rules.ops import mpv_of
from tests.design_your_own.rules.printed import PRINTED

SEPTEMBER = Month(1944, 9)
POINTS = 1000
PF = 2
LG = 4
RATIOS = {"LMG": 4, "MMG": 6, "HMG": 9, "light mortar": 12, "PSK": 6}
ENGINEERS = {"FT": 2, "DC": 1}

ELITE, LINE, CONSCRIPT = Grade.ELITE, Grade.FIRST_LINE, Grade.CONSCRIPT
SAPPER = frozenset({Capability.SAPPER})
ENGINEER = frozenset({Capability.ASSAULT_ENGINEER})

RIFLES = InfantryLine("4-6-8", ELITE, 13, 3, at_range=PF)
SAPPERS = InfantryLine("4-6-8", ELITE, 13, 4, SAPPER, PF)
PIONEERS = InfantryLine("8-3-8", ELITE, 16, 3, ENGINEER, PF)
LANDSER = InfantryLine("4-6-7", LINE, 10, 12, at_range=PF)
VOLKSSTURM = InfantryLine("4-3-6", CONSCRIPT, 5, 10, at_range=PF)
FIRST = (RIFLES, SAPPERS, PIONEERS, LANDSER, VOLKSSTURM)
SECOND = replace(RIFLES, origin=LineOrigin.SECOND)
BONUS = replace(LANDSER, number=5, origin=LineOrigin.BONUS)
OB = (*FIRST, SECOND, BONUS)


def value(found: Calculation | Missing | int) -> int:
    assert not isinstance(found, Missing)
    return int(found)


def test_first_infantry() -> None:
    rows = [
        (
            line.subsection.title(),
            line.type,
            line.number,
            int(infantry.each_of(PRINTED, line)),
            mpv_of(line),
            pieces.id_letters(0, line.number) if infantry.needs_ids(line, FIRST) else "",
            infantry.ab_marks(line),
        )
        for line in FIRST
    ]
    assert rows == [
        ("Elite", "4-6-8", 3, 15, 45, "", ""),
        ("Elite", "4-6-8", 4, 22, 88, "A-D", "S"),
        ("Elite", "8-3-8", 3, 34, 102, "", "A"),
        ("Line", "4-6-7", 12, 12, 144, "", ""),
        ("Conscript", "4-3-6", 10, 7, 70, "", ""),
    ]
    assert [infantry.line_breaches(PRINTED, line) for line in FIRST] == [()] * 5
    assert infantry.side_wide_breaches(FIRST) == ()
    assert sum(map(mpv_of, FIRST)) == 449


def test_vehicles() -> None:
    """A DR of 10 leaves an RF of .9; a motorized unit would have had 1.1."""
    dr = Rolled(Dice.DR, (6, 4)).final
    assert pieces.rf_limit(PRINTED, dr) == Decimal("0.9")
    assert pieces.rf_limit(PRINTED, dr, motorized=True) == Decimal("1.1")
    assert int(vehicles.motorized_cost(PRINTED, POINTS)) == 100
    assert pieces.rf_breach("PzKpfw IVH", ".9", pieces.rf_limit(PRINTED, dr)) is None

    assert int(fittings.armor_leader_drs(PRINTED, 3)) == 1
    drm = fittings.armor_leader_drm(PRINTED, Group.GERMAN, 1944)
    assert drm is not None
    assert drm.value == -1
    sz = fittings.odds_fitting(PRINTED, fittings.Fitting.SCHUERZEN, SEPTEMBER)
    assert sz[True] == Fraction(5, 6)
    assert 551 - 219 - 220 == 112, "for Guns, Sz and the rest, which the example does not tell"


def test_oba() -> None:
    assert oba.oba_drs(PRINTED, POINTS).why == "1000 points of the allotment / 600 (FRU 2) = 2"
    first = value(oba.battery_cost(PRINTED, 63))
    left = 220 - first
    assert left == 157
    assert oba.oba_size("70+", "normal") == "70+"
    assert oba.contact_mark(oba.Contact.RADIO, "A") == "R:A"
    assert pieces.points_breach(158, left, "a 150+ battery") is not None, "had it been a 6"

    mortars = oba.battery_cost(PRINTED, 92, plentiful=True)
    assert isinstance(mortars, Calculation)
    assert mortars.why == "92 BPV + 19 plentiful ammunition = 111"
    assert oba.oba_size("80+", "M") == "80+M"
    assert oba.contact_mark(oba.Contact.PHONE, "B") == "P:B"
    assert oba.ammunition_mark(plentiful=True) == "P"


def test_second_infantry() -> None:
    assert mpv_of(SECOND) == 45
    assert infantry.ab_marks(SECOND) == "2"
    assert int(support.least_reinforcements(PRINTED, 449, 45, 3)) == 0
    foxhole = works.works_cost(PRINTED, [WorkLine("foxhole-1")], 1944)
    assert int(foxhole) == 1, "the last point could have bought it"


def test_bonus_squads() -> None:
    own = value(bonus.chart_elr(PRINTED, Group.GERMAN, SEPTEMBER, enemy=Group.RUSSIAN))
    enemy = value(bonus.chart_elr(PRINTED, Group.RUSSIAN, SEPTEMBER, enemy=Group.GERMAN))
    assert (own, enemy) == (3, 4)
    announced = bonus.announced_elr(bonus.squads_by_elr([*FIRST, SECOND], own))
    assert announced is not None
    assert announced.why == "ELR 3 is that of 35 squads, more than any other"

    number = bonus.bonus_number(PRINTED, announced.elr, enemy, 449 + 45, 154)
    assert number.why == "494 Infantry MPV / 50 (FRU 10) x 1 ELR difference x 0.5 squads = 5"
    bpv = {"4-6-8": 13, "5-4-8": 13, "8-3-8": 16, "4-6-7": 10, "4-4-7": 7, "4-3-6": 5}
    squads = bonus.squads_by_type([*FIRST, SECOND])
    assert squads == {"4-6-8": 10, "8-3-8": 3, "4-6-7": 12, "4-3-6": 10}
    most = bonus.most_numerous(PRINTED, squads, bpv)
    assert isinstance(most, bonus.MostNumerous)

    offer = bonus.bonus_types(PRINTED, most, bpv, number)
    assert offer.types == ("4-6-7", "4-4-7", "4-3-6")
    assert bonus.bonus_breaches(offer, {"4-6-7": 5}) == ()
    assert bonus.bonus_breaches(offer, {"4-6-7": 2, "4-4-7": 2, "4-3-6": 1}) == ()
    gone = ["4-6-7", "4-4-7", "4-3-6"]
    dearer = bonus.bonus_types(PRINTED, most, bpv, number, unavailable=gone)
    assert dearer.types == ("4-6-8", "5-4-8")
    assert dearer.number.amount == Fraction(5, 2), "two squads and a half-squad"
    assert bonus.bonus_breaches(dearer, {"4-6-8": Fraction(5, 2)}) == ()
    assert infantry.ab_marks(BONUS) == "B"
    assert mpv_of(BONUS) == 0


def test_equivalents_and_leaders() -> None:
    counts = leaders.counts_of(OB)
    assert {part: sum(each) for part, each in counts.items()} == {
        Subsection.ELITE: 13,
        Subsection.LINE: 17,
        Subsection.CONSCRIPT: 10,
    }
    worth = leaders.equivalency(PRINTED, counts)
    assert worth.why == (
        "Elite: 13 squads x 4/3 (FRD 17) = 17; Line: 17 squads; Conscript: 10 squads x 0.75 (FRD 7) = 7; 41 Equivalents"
    )
    count = leaders.leader_count(PRINTED, worth.total, LG, Column.GENERAL)
    assert (count.leaders.why, count.extra) == ("41 Equivalents / 4 LG factor (FRD 10) = 10", "7-0")
    types = leaders.ladder_types(PRINTED, Column.GENERAL)
    assert not isinstance(types, Missing)
    ladder = leaders.best_ladder(int(count.leaders), types)
    assert ladder == {"8-0": 4, "8-1": 3, "9-1": 2, "9-2": 1}
    traded = leaders.trade(ladder, types)
    assert traded == {"8-0": 3, "8-1": 3, "9-1": 2, "9-2": 1, "10-2": 1}
    final = {"7-0": 1, **traded}
    assert sum(final.values()) == 11
    odds = leaders.odds_exchange(PRINTED, final, Column.GENERAL)
    assert odds == {"10-3": Fraction(1, 36), None: Fraction(34, 36), "6+1": Fraction(1, 36)}
    assert leaders.exchange(PRINTED, final, 12, Column.GENERAL) == leaders.Exchange("6+1", "8-0")


def test_sw() -> None:
    got = {name: value(support.sw_allotment(PRINTED, 41, ratio, name=name)) for name, ratio in RATIOS.items()}
    assert got == {"LMG": 10, "MMG": 6, "HMG": 4, "light mortar": 3, "PSK": 6}
    engineers = leaders.engineer_equivalents(PRINTED, OB).total
    special = {
        name: value(support.sw_allotment(PRINTED, engineers, ratio, name=name)) for name, ratio in ENGINEERS.items()
    }
    assert (engineers, special) == (4, {"FT": 2, "DC": 4})


def group(grade: Grade, number: int) -> support.Share:
    squads = [InfantryLine("squad", grade, 10, number)]
    worth = leaders.equivalency(PRINTED, leaders.counts_of(squads)).total
    return support.share(PRINTED, worth, LG, RATIOS)


def test_reinforcements() -> None:
    five = group(LINE, 5)
    assert five.leaders.why == "5 Equivalents / 4 LG factor (FRD 1) = 1"
    assert {name: value(many) for name, many in five.sw.items() if value(many)} == {"LMG": 1}
    assert pieces.id_letters(0, 5) == "A-E"
    assert support.roster_text(10, 1) == "9 + [1]"
    three = group(LINE, 3)
    assert int(three.leaders) == 0
    assert not any(value(many) for many in three.sw.values())
    elite = group(ELITE, 5)
    assert int(elite.leaders) == 1
    brought = {name: value(many) for name, many in elite.sw.items() if value(many)}
    assert brought == {"LMG": 1, "MMG": 1, "PSK": 1}


def test_the_russian_second_purchase() -> None:
    """Ten 4-4-7 first and seven 6-2-8 later: four of these must enter as reinforcements."""
    first = InfantryLine("4-4-7", LINE, 7, 10)
    second = InfantryLine("6-2-8", ELITE, 12, 7, origin=LineOrigin.SECOND)
    spent = mpv_of(first), mpv_of(second)
    assert spent == (70, 84)
    least = support.least_reinforcements(PRINTED, *spent, second.number)
    assert least.why == "7 squads of the second purchase x 0.5 (FRU 4) = 4"
    breach = support.reinforcement_breach(4, 3, 7)
    assert breach is not None
    assert str(breach) == "3 squads as reinforcements (DYO H1.7); at least 4"
