"""Bonus squads, Equivalents, leaders, SW and reinforcements where the cases do not go."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.catalogue.kinds import Column, Grade, Kind
from laager.rules.design_your_own.answers import Calculation, Missing, Reason, total
from laager.rules.design_your_own.lines.bonus import (
    BonusOffer,
    MostNumerous,
    bonus_breaches,
    bonus_number,
    bonus_types,
    most_numerous,
    squads_by_elr,
    squads_by_type,
)
from laager.rules.design_your_own.lines.infantry import Capability, InfantryLine, Subsection, ab_marks, needs_ids
from laager.rules.design_your_own.lines.leaders import (
    Exchange,
    best_ladder,
    best_leader,
    counts_of,
    equivalency,
    exchange,
    exchange_leader,
    ladder_breaches,
    ladder_steps,
    ladder_types,
    leader_count,
    trade,
)
from laager.rules.design_your_own.lines.pieces import id_letters
from laager.rules.design_your_own.lines.support import (
    least_reinforcements,
    reinforcement_breach,
    roster_text,
    share,
    share_breaches,
    sw_allotment,
)
from laager.rules.design_your_own.rulebook import Rulebook
from tests.design_your_own.rules.printed import PRINTED
from tests.tries import tries

TYPES = ("8-0", "8-1", "9-1", "9-2", "10-2")
HALF = Fraction(1, 2)

# Bonus squads -----------------------------------------------------------------------------------

CHART = {
    1: "0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5",
    2: "0 1 2 3 4 5 6 7 8 9 10",
    3: "0 1.5 3 4.5 6 7.5 9 10.5 12 13.5 15",
    4: "0 2 4 6 8 10 12 14 16 18 20",
}


def test_all_cells_of_the_bonus_chart() -> None:
    for difference, cells in CHART.items():
        for column, cell in enumerate(cells.split()):
            for mpv in {max(50 * column - 49, 0), 50 * column}:
                found = bonus_number(PRINTED, 0, difference, mpv, 100).amount
                assert found == Fraction(cell), (difference, mpv)


@tries(80)
@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3000), st.integers(0, 3000))
def test_bonus_squads_grow_with_mpv_and_difference(own: int, enemy: int, mpv: int, his: int) -> None:
    found = bonus_number(PRINTED, own, enemy, mpv, his).amount
    assert found * 2 == int(found * 2)
    assert (found > 0) is (own < enemy and mpv > 0 and his > 0)
    assert bonus_number(PRINTED, own, enemy, mpv + 50, his).amount >= found
    assert bonus_number(PRINTED, own, enemy + 1, mpv, his).amount >= found
    assert not (found and bonus_number(PRINTED, enemy, own, his, mpv).amount), "one side at most"


def test_why_there_is_no_bonus() -> None:
    assert bonus_number(PRINTED, 3, 3, 10, 10).why == "0 as the ELR is not the lower one"
    assert bonus_number(PRINTED, 2, 3, 10, 0).why == "0 a side spent nothing on Infantry"


def test_the_most_numerous_type() -> None:
    bpv = {"a": 10, "b": 7, "c": 13}
    tied = most_numerous(PRINTED, {"a": 5, "b": 5, "c": 4}, bpv)
    assert isinstance(tied, MostNumerous)
    assert (tied.type, tied.bpv, set(tied.tied)) == ("b", 7, {"a", "b"})
    dearer = most_numerous(Rulebook({"bonus-tie": "dearer"}), {"a": 5, "b": 5, "c": 4}, bpv)
    assert isinstance(dearer, MostNumerous)
    assert dearer.type == "a"
    assert most_numerous(PRINTED, {"a": 0}, bpv) is None
    assert isinstance(most_numerous(PRINTED, {"a": 5, "z": 5}, bpv), Missing), "a tie that nobody can break"
    assert isinstance(most_numerous(PRINTED, {"a": 5, "z": 4}, bpv), MostNumerous)
    lines = [
        InfantryLine("a", Grade.ELITE, 10, 2),
        InfantryLine("hs", Grade.ELITE, 5, 9, kind=Kind.HALF_SQUAD),
        InfantryLine("crew", Grade.ELITE, 5, 9, kind=Kind.CREW),
    ]
    assert squads_by_type(lines) == {"a": 2}
    assert squads_by_elr(lines, 3) == {3: 2}, "squads only"


BPV = {"4-6-7": 10, "4-4-7": 7, "4-6-8": 13, "5-4-8": 14, "8-3-8": 16}


def offer(number: Fraction, *gone: str, **chosen: str) -> BonusOffer:
    most = most_numerous(PRINTED, {"4-6-7": 9}, BPV)
    assert isinstance(most, MostNumerous)
    readings = {name.replace("_", "-"): option for name, option in chosen.items()}
    return bonus_types(Rulebook(readings), most, BPV, Calculation.of(number), unavailable=gone)


def test_dearer_bonus_squads() -> None:
    gone = ("4-6-7", "4-4-7")
    assert offer(Fraction(5), *gone).types == ("4-6-8",)
    assert offer(Fraction(5), *gone, bonus_dearer="any").types == ("8-3-8", "5-4-8", "4-6-8")
    assert offer(Fraction(5), *gone, "4-6-8").types == ("5-4-8",)
    assert offer(Fraction(5), *BPV).types == ()
    assert offer(Fraction(5), *gone, free_pieces="free").types == ("4-6-7", "4-4-7")
    halves = [offer(Fraction(number, 2), *gone).number.amount for number in (1, 2, 3, 4, 5)]
    assert halves == [0, HALF, HALF, 1, 1], "no quarters"


def test_choosing_bonus_squads() -> None:
    five = offer(Fraction(5))
    assert bonus_breaches(five, {"4-6-7": 3, "4-4-7": 1}) == (), "fewer are legal"
    found = bonus_breaches(five, {"4-6-8": 1, "4-6-7": 5, "4-4-7": Fraction(0)})
    assert [str(breach) for breach in found] == [
        "4-6-8 as a bonus squad (DYO H1.73); 4-6-7, 4-4-7",
        "0 bonus squads of 4-4-7 (DYO H1.73); whole squads, and a half-squad",
        "6 bonus squads (DYO H1.73); 5 at most",
    ]
    half = bonus_breaches(five, {"4-6-7": HALF, "4-4-7": HALF})
    assert [breach.reason for breach in half] == [Reason.BONUS]
    assert "none is left" in str(bonus_breaches(offer(Fraction(5), *BPV), {"4-6-7": 1})[0])


# Equivalents ------------------------------------------------------------------------------------


@tries(80)
@given(*[st.lists(st.integers(0, 30), max_size=5) for _ in range(3)])
def test_equivalents(elite: list[int], line: list[int], conscript: list[int]) -> None:
    counts = {Subsection.ELITE: elite, Subsection.LINE: line, Subsection.CONSCRIPT: conscript}
    found = equivalency(PRINTED, counts)
    parts = found.parts
    assert int(parts[Subsection.ELITE]) == sum(elite) * 4 // 3
    assert int(parts[Subsection.LINE]) == sum(line)
    assert int(parts[Subsection.CONSCRIPT]) == sum(conscript) * 3 // 4
    assert found.total == sum(map(int, parts.values()))
    by_line = equivalency(Rulebook({"equivalency-rounding": "line"}), counts)
    assert by_line.total == (
        sum(many * 4 // 3 for many in elite) + sum(line) + sum(many * 3 // 4 for many in conscript)
    )
    assert by_line.total <= found.total


def test_equivalents_of_halves() -> None:
    assert int(equivalency(PRINTED, {Subsection.LINE: [Fraction(5, 2)]}).parts[Subsection.LINE]) == 2
    assert int(equivalency(PRINTED, {Subsection.ELITE: [Fraction(5, 2)]}).parts[Subsection.ELITE]) == 3
    assert equivalency(PRINTED, {}).why == "0 Equivalents"
    crew = InfantryLine("2-2-8", Grade.ELITE, 5, 3, kind=Kind.CREW)
    assert counts_of([crew]) == {part: [] for part in Subsection}


# Leaders ----------------------------------------------------------------------------------------


def test_leaders_for_a_fraction() -> None:
    whole = leader_count(PRINTED, 40, 4, Column.GENERAL)
    assert (whole.leaders.why, whole.extra) == ("40 Equivalents / 4 LG factor = 10", None)
    assert leader_count(PRINTED, 41, 4, Column.GENERAL, fraction_leader="6+1").extra == "6+1"
    japanese = leader_count(PRINTED, 41, 4, Column.JAPANESE)
    assert isinstance(japanese.extra, Missing)
    assert japanese.extra.suggestion == "7-0"
    assert ladder_types(PRINTED, Column.GENERAL) == TYPES
    assert not ladder_types(PRINTED, Column.FINN)


@tries(100)
@given(st.integers(0, 60), st.integers(1, 6))
def test_the_best_ladder(leaders: int, many: int) -> None:
    """Legal, complete, and no legal choice has a better type or more of the best."""
    types = ("8-0", "8-1", "9-1", "9-2", "10-2", "11-3")[:many]
    ladder = best_ladder(leaders, types)
    assert ladder_breaches(PRINTED, ladder, types, leaders) == ()
    steps = max((k for k in range(many + 1) if k * (k + 1) // 2 <= leaders), default=0)
    assert tuple(ladder) == types[:steps]
    traded = trade(ladder, types)
    if traded is None:
        assert steps == 0 or types[-1] in ladder
    else:
        assert sum(traded.values()) == leaders
        assert traded[types[steps]] == 1
        assert traded.get("8-0", 0) == ladder["8-0"] - 1


def partitions(total_: int, most: int) -> list[tuple[int, ...]]:
    """Return all strictly decreasing rows of positive numbers with this sum."""
    if not total_:
        return [()]
    return [
        (first, *rest) for first in range(min(total_, most), 0, -1) for rest in partitions(total_ - first, first - 1)
    ]


@pytest.mark.parametrize("leaders", range(1, 21))
def test_legal_ladders_are_the_strictly_decreasing_ones(leaders: int) -> None:
    rows = [row for row in partitions(leaders, leaders) if len(row) <= len(TYPES)]
    for row in rows:
        assert ladder_breaches(PRINTED, dict(zip(TYPES, row, strict=False)), TYPES, leaders) == ()
    longest = max(map(len, rows))
    assert len(best_ladder(leaders, TYPES)) == longest


def test_illegal_ladders() -> None:
    found = ladder_breaches(PRINTED, {"8-0": 2, "8-1": 2, "9-2": 1, "10-3": 1, "7-1": 1}, TYPES, 6)
    assert [str(breach).split(" (")[0] for breach in found] == [
        "a 10-3 in the ladder",
        "1 x 7-1",
        "2 x 8-1 with 2 x 8-0",
        "1 x 9-2 with 0 x 9-1",
        "7 leaders",
    ]
    assert ladder_breaches(PRINTED, {"8-0": -1}, TYPES) != ()


def test_a_7_0_stands_in_for_a_10_3() -> None:
    counts = dict(zip((*TYPES, "7-0"), range(6, 0, -1), strict=True))
    steps = ladder_steps(PRINTED, TYPES, Column.GENERAL)
    assert ladder_breaches(PRINTED, counts, steps, 21) == ()
    assert ladder_breaches(PRINTED, {"8-0": 2, "7-0": 1}, steps, 3) != (), "no 10-3 was earned"
    assert ladder_breaches(PRINTED, counts, TYPES, 21) != ()


@pytest.mark.parametrize("column", [Column.FINN, Column.JAPANESE])
def test_who_can_have_no_10_3_has_no_7_0_for_him(column: Column) -> None:
    assert ladder_steps(PRINTED, ("8-0", "9-0"), column) == ("8-0", "9-0")


def test_a_7_0_of_the_ladder_is_no_stand_in() -> None:
    assert ladder_steps(PRINTED, ("7-0", *TYPES), Column.GENERAL) == ("7-0", *TYPES)


def test_nothing_to_trade() -> None:
    assert trade({}, TYPES) is None
    assert trade({"8-0": 5, "10-2": 1}, TYPES) is None
    assert trade({"8-0": 1}, TYPES) == {"8-1": 1}


def test_exchanges_of_a_twelve() -> None:
    assert exchange(PRINTED, {"8-1": 1, "7-0": 1}, 12, Column.GENERAL) == Exchange("6+1", None, ("7-0", "8-1"))
    assert exchange(PRINTED, {"9-1": 1}, 12, Column.JAPANESE) == Exchange("8+1", None, ("9-1",))
    assert exchange(PRINTED, {}, 12, Column.GENERAL) == Exchange()
    assert exchange(PRINTED, {"8-0": 1}, 12, Column.GENERAL, missing={"6+1"}) == Exchange()
    assert exchange(PRINTED, {"8-0": 1}, 4, Column.GENERAL, missing={"9-2"}) == Exchange(), "no counter"
    assert best_leader({}) is None


def test_an_8_0_of_the_finnish_column_is_no_6_1() -> None:
    """A DR of 6 or 7 gives Finns an 8-0: he counts if he is better, and takes nobody else's place (H1.82)."""
    for final_dr in (6, 7, 12):
        assert exchange(PRINTED, {"8-0": 3, "9-0": 1}, final_dr, Column.FINN) == Exchange()
    assert exchange(PRINTED, {"7-0": 1}, 6, Column.FINN) == Exchange("8-0", "7-0")


@pytest.mark.parametrize("held", ["7-0", "8-0", "8-1", "9-2"])
def test_leaders_outside_the_column_are_ranked_too(held: str) -> None:
    for column in Column:
        for final_dr in range(2, 13):
            found = exchange(PRINTED, {held: 1}, final_dr, column)
            assert found.lost in (None, held)


def test_the_odd_row_by_reading() -> None:
    smooth = {"japanese-exchange-10": "9-0"}
    assert exchange_leader(PRINTED, 10, Column.JAPANESE) == "9-1"
    assert exchange_leader(Rulebook(smooth), 10, Column.JAPANESE) == "9-0"
    assert exchange(Rulebook(smooth), {"9-0": 1}, 10, Column.JAPANESE) == Exchange()


# SW and reinforcements --------------------------------------------------------------------------


@tries(60)
@given(st.integers(0, 200), st.integers(1, 20), st.integers(0, 30))
def test_sw(equivalents: int, ratio: int, counters: int) -> None:
    found = sw_allotment(PRINTED, equivalents, ratio, counters)
    assert isinstance(found, Calculation)
    assert int(found) == min(equivalents // ratio, counters)
    for free in (
        sw_allotment(PRINTED, equivalents, ratio),
        sw_allotment(PRINTED, equivalents, ratio, counters, extra_pieces=True),
        sw_allotment(Rulebook({"free-pieces": "free"}), equivalents, ratio, counters),
    ):
        assert isinstance(free, Calculation)
        assert int(free) == equivalents // ratio


def test_sw_in_words() -> None:
    found = sw_allotment(PRINTED, 41, 4, 8, name="LMG")
    assert isinstance(found, Calculation)
    assert found.why == "41 Equivalents / 4 for each LMG (FRD 10) at most 8 counters = 8"
    missing = sw_allotment(PRINTED, 41, None, name="PSK")
    assert isinstance(missing, Missing)
    assert missing.what == "the ratio of PSK"


@tries(60)
@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 40))
def test_least_reinforcements(first: int, second: int, squads: int) -> None:
    found = int(least_reinforcements(PRINTED, first, second, squads))
    assert found == ((squads + 1) // 2 if second >= first else 0)
    none = {"second-after-none": "none"}
    assert int(least_reinforcements(Rulebook(none), 0, second, squads)) == 0


def test_too_many_reinforcements() -> None:
    assert reinforcement_breach(2, 2, 3) is None
    assert str(reinforcement_breach(0, 4, 3)) == ("4 squads as reinforcements (DYO H1.7); there are 3")


def test_what_a_group_must_bring() -> None:
    ratios = {"LMG": 3, "MMG": None}
    found = share(PRINTED, 8, 4, ratios, engineers={"FT": 2}, engineer_equivalents=4)
    assert int(found.leaders) == 2
    assert not found.sw["MMG"], "nobody knows its ratio"
    held = {"LMG": 1, "FT": 2}
    assert share_breaches(found, 2, {"LMG": 1, "FT": 2}, held) == (), "more LMG are not there"
    assert share_breaches(found, 3, {"LMG": 1, "FT": 2}, held) == (), "more leaders are legal"
    wrong = share_breaches(found, 1, {"LMG": 2, "FT": 1}, held)
    assert [str(breach) for breach in wrong] == [
        "1 leader with the reinforcements (DYO H1.84); at least 2",
        "1 FT with the reinforcements (DYO H1.84); at least 2",
        "2 LMG with the reinforcements (DYO H1.84); the OB has 1",
    ]
    actual = {"reinforcement-leaders": "actual"}
    assert int(share(Rulebook(actual), 12, 4, {}, squads=9).leaders) == 2
    assert int(share(PRINTED, 12, 4, {}, squads=9).leaders) == 3


# Order, records ---------------------------------------------------------------------------------


def test_marks_and_letters() -> None:
    every = InfantryLine("a", Grade.ELITE, 13, 1, frozenset(Capability))
    assert ab_marks(every) == "A S C M Sk W P"
    assert [id_letters(0, 0), id_letters(3, 1), id_letters(24, 3)] == ["", "D", "Y-AA"]
    plain = InfantryLine("a", Grade.ELITE, 13, 1)
    other = InfantryLine("b", Grade.ELITE, 13, 1)
    assert needs_ids(every, (every, plain))
    assert not needs_ids(plain, (every, plain)), "the plain ones are the rest"
    assert not needs_ids(every, (every, other))


def test_calculations() -> None:
    assert total([]).why == "0 nothing"
    assert (Calculation.of(3, "a").plus(1, "b").times(2, "c").plus(-1, "d").over(7, "e")).why == (
        "((3 a + 1 b) x 2 c - 1 d) / 7 e = 1"
    )
    third = Calculation.of(1, "a").over(3, "b")
    assert third.why == "1 a / 3 b = 1/3"
    with pytest.raises(ValueError, match="is not a whole number"):
        int(third)
    assert Calculation.of(HALF, "a").frd().why == "0.5 a (FRD 0) = 0"
    assert roster_text(3, 0) == "3"
