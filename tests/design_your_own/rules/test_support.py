"""SAN, ELR, OBA, Air Support and fortifications where the acceptance cases do not go."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.catalogue.dyo import Month
from laager.rules.design_your_own.answers import Calculation, Missing, Reason
from laager.rules.design_your_own.charts import FortificationPrice
from laager.rules.design_your_own.lines.bonus import announced_elr, chart_elr
from laager.rules.design_your_own.lines.oba import (
    Aircraft,
    Contact,
    Cost,
    air_breaches,
    air_number,
    air_price,
    aircraft,
    battery_cost,
    bomb_exponent,
    contact_breach,
    contact_mark,
    oba_drs,
    observation_plane_breaches,
)
from laager.rules.design_your_own.lines.pieces import letter
from laager.rules.design_your_own.lines.works import (
    WorkLine,
    fortification_types,
    hip_limit,
    san_breach,
    san_cost,
    work_cost,
    works_breaches,
    works_cost,
)
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.rulebook import Rulebook
from tests.design_your_own.rules.printed import PRINTED
from tests.tries import tries

# SAN --------------------------------------------------------------------------------------------


def test_san() -> None:
    assert san_cost(PRINTED, 5).why == "(5 SAN - 2 free) x 10 points each = 30"
    assert [san_breach(PRINTED, san) is None for san in range(9)] == [False] * 2 + [True] * 6 + [False]
    assert san_breach(Rulebook({"san-limit": "none"}), 40) is None


# ELR --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "at", "more", "expected"),
    [
        (Group.AXIS_MINOR, "1945-02", {}, 0),
        (Group.AXIS_MINOR, "1942-02", {}, 2),
        (Group.AXIS_MINOR, "1938-02", {}, None),
        (Group.FINNISH, "1942-02", {}, 4),
        (Group.FREE_FRENCH, "1945-02", {}, 3),
        (Group.RED_CHINESE, "1940-02", {}, None),
        (Group.GMD, "1940-02", {}, None),
        (Group.GMD, "1940-02", {"majority_elite": True}, 2),
        (Group.GMD, "1944-09", {}, None),
        (Group.GMD, "1944-03", {}, 2),
        (Group.JAPANESE, "1944-03", {}, 4),
        (Group.JAPANESE, "1944-03", {"enemy": Group.RED_CHINESE}, 3),
        (Group.JAPANESE, "1944-03", {"enemy": Group.BRITISH}, 4),
        (Group.JAPANESE, "1945-03", {"enemy": Group.BRITISH}, 3),
        (Group.JAPANESE, "1945-03", {"enemy": Group.AMERICAN}, None),
        (Group.FRENCH, "1940-05", {}, 2),
        (Group.FRENCH, "1940-05", {"theatre": "Norway"}, 4),
        (Group.FRENCH, "1941-05", {"theatre": "norway"}, 3),
    ],
)
def test_elr(group: Group, at: str, more: dict[str, object], expected: int | None) -> None:
    found = chart_elr(PRINTED, group, Month.of(at), **more)  # type: ignore[arg-type]
    assert (int(found) if isinstance(found, Calculation) else None) == expected


@pytest.mark.parametrize(("enemy", "suggestion"), [(Group.GMD, 3), (Group.AMERICAN, 4), (None, 4)])
def test_what_is_proposed_where_a_note_is_lost(enemy: Group | None, suggestion: int) -> None:
    found = chart_elr(PRINTED, Group.JAPANESE, Month(1945, 3), enemy=enemy)
    assert isinstance(found, Missing)
    assert (found.rule, found.suggestion) == ("DYO H1.28-n2", suggestion)


def test_the_reckoning_of_an_elr() -> None:
    found = chart_elr(PRINTED, Group.FRENCH, Month(1940, 5), theatre="norway")
    assert isinstance(found, Calculation)
    assert found.why == "2 French 9/39-12/40 + 2 Norway = 4"
    minor = chart_elr(PRINTED, Group.AXIS_MINOR, Month(1942, 5))
    assert isinstance(minor, Calculation)
    assert minor.why == "4 German 1/42-6/42 - 2 Axis Minor = 2"


def test_announcing() -> None:
    tied = announced_elr({3: 6, 4: 6, 5: 2})
    assert tied is not None
    assert tied.why == "ELR 3 and 4 have 6 squads each; the highest is announced"
    assert announced_elr({3: 0}) is None


@tries(60)
@given(st.dictionaries(st.integers(0, 5), st.integers(1, 30), min_size=1))
def test_the_announced_elr_is_the_highest_of_the_most(squads: dict[int, int]) -> None:
    found = announced_elr(squads)
    assert found is not None
    assert all((many, elr) <= (squads[found.elr], found.elr) for elr, many in squads.items()), (
        "most squads first, then the highest ELR"
    )


# OBA --------------------------------------------------------------------------------------------


@tries(60)
@given(st.integers(1, 10_000))
def test_oba_drs(points: int) -> None:
    drs = int(oba_drs(PRINTED, points))
    assert (drs - 1) * 600 < points <= drs * 600


def test_costs_of_a_battery() -> None:
    extras = (Cost("pre-registered hex", bpv=10), Cost("scarce", percent=-20))
    cost = battery_cost(PRINTED, 92, extras=extras)
    assert isinstance(cost, Calculation)
    assert cost.why == "92 BPV + 10 pre-registered hex - 18 scarce = 84"
    assert not battery_cost(PRINTED, None)
    assert not battery_cost(PRINTED, 92, extras=(Cost("barrage"),))


@tries(60)
@given(st.integers(1, 300))
def test_plentiful_ammunition_is_a_fifth_rounded_up(bpv: int) -> None:
    cost = battery_cost(PRINTED, bpv, plentiful=True)
    assert isinstance(cost, Calculation)
    assert int(cost) == ceil(Fraction(6 * bpv, 5)), "rounding the share or the total is the same"


def test_settling_and_contact() -> None:
    assert contact_breach(Contact.RADIO, op_tank=False) is None
    assert contact_breach(Contact.OP_TANK, op_tank=True) is None
    for contact, tank in ((Contact.PHONE, True), (Contact.OP_TANK, False)):
        assert contact_breach(contact, op_tank=tank) is not None
    assert contact_mark(Contact.OP_TANK, "A") == "OP"


# Air Support ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("year", "price"), [(1937, 100), (1939, 100), (1941, 100), (1942, 125), (1943, 125), (1944, 150), (1945, 150)]
)
def test_prices_of_air_support(year: int, price: int) -> None:
    assert air_price(PRINTED, year) == price


def test_the_first_year_with_a_price_has_it_by_every_reading() -> None:
    unpriced = Rulebook({"air-price-before-1939": "none"})
    assert (air_price(unpriced, 1938), air_price(unpriced, 1939)) == (None, 100)


def refused(
    group: Group, year: int, dr: int | None = None, weather: str = "Clear", rulebook: Rulebook = PRINTED
) -> list[Reason]:
    number = air_number(rulebook, group, year)
    found = air_breaches(rulebook, group, year, number, final_dr=dr, weather=weather)
    return [breach.reason for breach in found]


def test_who_has_air_support() -> None:
    assert refused(Group.RUSSIAN, 1944, 6) == []
    assert refused(Group.RUSSIAN, 1944, 7) == [Reason.RARITY]
    assert refused(Group.RUSSIAN, 1944) == [], "before the DR"
    assert refused(Group.RUSSIAN, 1944, weather="") == [Reason.ORDER]
    assert refused(Group.RED_CHINESE, 1944) == [Reason.NATION]
    assert refused(Group.RUSSIAN, 1937) == [Reason.DATE]
    assert refused(Group.JAPANESE, 1937) == []
    chosen = {"air-price-before-1939": "none"}
    assert refused(Group.JAPANESE, 1937, rulebook=Rulebook(chosen)) == [Reason.DATE]


@pytest.mark.parametrize(
    ("group", "year", "enemy", "expected"),
    [
        (Group.GERMAN, 1940, Group.RUSSIAN, 7),
        (Group.FINNISH, 1942, Group.RUSSIAN, 4),
        (Group.FREE_FRENCH, 1944, Group.GERMAN, 6),
        (Group.ALLIED_MINOR, 1940, Group.GERMAN, 4),
        (Group.ALLIED_MINOR, 1943, Group.GERMAN, None),
        (Group.ITALIAN, 1942, Group.RUSSIAN, 4),
    ],
)
def test_air_numbers(group: Group, year: int, enemy: Group, expected: int | None) -> None:
    found = air_number(PRINTED, group, year, enemy)
    assert (None if found is None else int(found)) == expected


def test_minors_against_russians_by_reading() -> None:
    plain = {"minors-against-russians": "plain"}
    found = air_number(PRINTED, Group.AXIS_MINOR, 1942, Group.RUSSIAN)
    assert found is not None
    assert found.why == "5 German 1942 + 1 against Russians - 2 Axis Minor = 4"
    other = air_number(Rulebook(plain), Group.AXIS_MINOR, 1942, Group.RUSSIAN)
    assert other is not None
    assert int(other) == 3


@pytest.mark.parametrize(
    ("group", "year", "dr", "exponent", "expected"),
    [
        (Group.GERMAN, 1943, 2, 3, Aircraft("Stuka", True)),
        (Group.GERMAN, 1943, 3, 3, Aircraft("Fighter-Bomber", True)),
        (Group.GERMAN, 1943, 4, 3, Aircraft("Fighter-Bomber", False)),
        (Group.GERMAN, 1944, 1, 3, Aircraft("Fighter-Bomber", True)),
        (Group.ITALIAN, 1942, 1, 2, Aircraft("Stuka", True)),
        (Group.ITALIAN, 1942, 2, 2, Aircraft("Fighter-Bomber", True)),
        (Group.ITALIAN, 1941, 1, 2, Aircraft("Fighter-Bomber", True)),
        (Group.AXIS_MINOR, 1943, 1, 3, Aircraft("Stuka", True)),
        (Group.FINNISH, 1944, 1, 3, Aircraft("Fighter-Bomber", True)),
        (Group.BRITISH, 1942, 1, 2, Aircraft("Fighter-Bomber", True)),
    ],
)
def test_aircraft(group: Group, year: int, dr: int, exponent: int, expected: Aircraft) -> None:
    assert aircraft(PRINTED, group, year, dr, exponent) == expected


def test_exponents() -> None:
    assert bomb_exponent(PRINTED, Group.AXIS_MINOR, 1942) == 4
    assert bomb_exponent(PRINTED, Group.AMERICAN, 1940) is None
    lost = bomb_exponent(PRINTED, Group.FRENCH, 1941)
    assert isinstance(lost, Missing)
    assert lost.suggestion == 0, "no bombs, unless somebody knows better"
    assert bomb_exponent(PRINTED, Group.FRENCH, 1941, supplied=1) == 1


def test_observation_planes() -> None:
    assert observation_plane_breaches(PRINTED, Group.GMD, 1944, 100) == ()
    assert observation_plane_breaches(PRINTED, Group.AMERICAN, 1942, 80) == ()
    found = observation_plane_breaches(PRINTED, Group.GMD, 1943, 80)
    assert [breach.reason for breach in found] == [Reason.DATE, Reason.BATTERY]
    (chinese,) = observation_plane_breaches(PRINTED, Group.RED_CHINESE, 1944, 100)
    assert chinese.reason is Reason.NATION


# Fortifications ---------------------------------------------------------------------------------


def wrong(
    *works: WorkLine,
    group: Group = Group.JAPANESE,
    enemy: Group | None = Group.AMERICAN,
    year: int = 1944,
    boards: int = 1,
    squads: int = 10,
    enemy_works: Mapping[str, int] | None = None,
    chosen: Mapping[str, str] | None = None,
) -> list[str]:
    found = works_breaches(
        Rulebook(chosen or {}),
        works,
        group=group,
        enemy=enemy,
        year=year,
        boards=boards,
        squads=squads,
        enemy_works=enemy_works,
    )
    return [str(each) for _, each in found]


def test_costs_show_their_parts() -> None:
    pillbox = WorkLine("pillbox", 2, capacity=2, ca_drm=3, nca_drm=5)
    assert work_cost(PRINTED, pillbox, 1944).why == ("(2 capacity + 3 CA DRM + 5 NCA DRM) x 3 x 2 Pillbox = 60")
    assert works_cost(PRINTED, [WorkLine("wire", 2), WorkLine("sangar", 3)], 1944).why == (
        "10 for 2 x Wire + 1.5 for 3 x Sangar (FRU 12) = 12"
    )
    assert works_cost(PRINTED, [WorkLine("cave"), WorkLine("cave")], 1943).why == "20 for Cave + 20 for Cave = 40"
    assert int(works_cost(PRINTED, [], 1944)) == 0
    with pytest.raises(RefusedError, match="no fortification 'moat'"):
        work_cost(PRINTED, WorkLine("moat"), 1944)


@tries(60)
@given(st.lists(st.tuples(st.sampled_from(fortification_types(PRINTED)), st.integers(1, 9)), max_size=8))
def test_the_sum_is_rounded_once(rows: list[tuple[FortificationPrice, int]]) -> None:
    works = [
        WorkLine(row.type, many, 1, 3, 5) if row.formula == "pillbox" else WorkLine(row.type, many)
        for row, many in rows
    ]
    exact = sum((work_cost(PRINTED, work, 1944).amount for work in works), Fraction(0))
    assert int(works_cost(PRINTED, works, 1944)) == ceil(exact)
    shuffled = list(reversed(works))
    assert int(works_cost(PRINTED, shuffled, 1944)) == int(works_cost(PRINTED, works, 1944))


def test_limits_per_board() -> None:
    assert wrong(WorkLine("minefield", 60), WorkLine("minefield", 60)) == []
    assert wrong(WorkLine("at-mine", 500), WorkLine("minefield", 120)) == [], "A-T factors are free of it"
    assert wrong(WorkLine("minefield", 121)) == ["121 factors of Minefield (DYO H1.6-n2); 120 for each of 1 board"]
    assert wrong(WorkLine("roadblock", 7), boards=2) == ["7 x Roadblock (DYO H1.6-n4); 3 for each of 2 boards"]
    both = {"limits-per-board": "both"}
    theirs = {"roadblock": 2}
    assert wrong(WorkLine("roadblock", 2), enemy_works=theirs) == []
    assert len(wrong(WorkLine("roadblock", 2), enemy_works=theirs, chosen=both)) == 1
    assert wrong(WorkLine("wire"), enemy_works={"roadblock": 9}, chosen=both) == [], "not his fault"


def test_who_may_have_what() -> None:
    assert wrong(WorkLine("cave")) == []
    assert wrong(WorkLine("cave"), group=Group.GERMAN) == ["Cave for German (DYO H1.6-n11); Japanese"]
    american = Group.AMERICAN
    assert wrong(WorkLine("udt", 9), group=american, enemy=Group.JAPANESE) == []
    assert len(wrong(WorkLine("udt"), group=Group.BRITISH, enemy=Group.GERMAN, year=1943)) == 3
    assert wrong(WorkLine("udt"), group=american, enemy=None) == ["UDT dr here (DYO H1.6-n13); against Japanese only"]


def test_sizes_of_works() -> None:
    assert wrong(WorkLine("wire", 0)) == ["0 x Wire (DYO H1.6-T); one or more"]
    assert wrong(WorkLine("pillbox", 1, 1, 3)) == [
        "a pillbox 1+3+0 (DYO H1.6-n5); capacity, CA DRM and NCA DRM, such as 1+3+5"
    ]
    assert wrong(WorkLine("trench", 1, 1)) == ["Trench with capacity or DRM (DYO H1.6-T); only a pillbox has them"]
    assert wrong(WorkLine("pillbox", 1, 1, 3, 5)) == []


def test_hip() -> None:
    assert wrong(WorkLine("hip-squad", 1), WorkLine("hip-half-squad", 5), WorkLine("hip-smc", 5)) == []
    assert wrong(WorkLine("hip-squad"), WorkLine("hip-squad")) == [
        "HIP for 2 squads (DYO H1.6-n7); 1 at most, a tenth (FRU)"
    ]
    assert hip_limit(PRINTED, Fraction(21, 2)).why == "10.5 squads x 10 per cent / 100 (FRU 2) = 2"


@tries(40)
@given(st.integers(0, 200))
def test_hip_limit(squads: int) -> None:
    assert (int(hip_limit(PRINTED, squads)) - 1) * 10 < squads or squads == 0
    assert squads <= int(hip_limit(PRINTED, squads)) * 10


# Records ----------------------------------------------------------------------------------------


def test_letters() -> None:
    assert [letter(place) for place in (0, 25, 26, 27)] == ["A", "Z", "AA", "BB"]
