from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError, RefusedError
from laager.base.files import check, parse_document, read_document
from laager.catalogue import load_fortifications
from laager.rules.platoon_leader.charts import Mode, PlCharts, charts, known_minefield_fp, pillbox_fp
from tests.tries import tries

KINDS = ("infantry", "heavy-weapons", "gun", "afv", "vehicle")


@pytest.mark.parametrize(
    ("kind", "mode", "base", "price"),
    [
        ("infantry", "on-map", 4, 5),
        ("infantry", "reserve", 3, 2),
        ("infantry", "off-map", 6, 6),
        ("heavy-weapons", "reserve", 1, 1),
        ("heavy-weapons", "on-map", 2, 3),
        ("gun", "on-map", 3, 3),
        ("gun", "reserve", 3, 2),
        ("afv", "on-map", 8, 10),
        ("vehicle", "on-map", 2, 4),
        ("vehicle", "reserve", 2, 1),
        ("oba", "off-map", 4, 4),
    ],
)
def test_setup_costs(kind: str, mode: Mode, base: int, price: int) -> None:
    assert charts().setup_costs.price(kind, mode, base) == price


@given(st.sampled_from(KINDS), st.sampled_from(["on-map", "reserve", "off-map"]), st.integers(0, 9))
@tries(60)
def test_no_group_costs_less_than_one(kind: str, mode: Mode, base: int) -> None:
    assert charts().setup_costs.price(kind, mode, base) >= 1


def test_patrols_and_reserves() -> None:
    assert charts().patrols.price == 1
    assert charts().patrols.most == {"low": 1, "mid": 2, "high": 3}
    reserves = charts().reserves
    assert set(reserves.kinds) == {"infantry", "gun", "heavy-weapons", "afv"}
    sizes = [reserves.dummies_of(size) for size in ("section", "platoon", "company", None)]
    assert sizes == [1, 1, 4, 1]


FP = {
    "sangar": 2, "concealment": 1, "roadblock": 12, "wire": 10, "fortified-building": 12,
    "tunnel": 20, "booby-traps": 15, "a-t-ditch": 18, "a-p-mines": 2, "a-t-mines": 5,
    "a-b-mines": 5, "set-dc": 25, "cave": 15, "cave-complex": 7, "tetrahedrons": 15, "panji": 2,
    "trip-flares": 1,
}  # fmt: skip
ISOLATED = {"foxhole", "sangar", "concealment", "fortified-building"}
INITIAL = {
    "pillbox", "tunnel", "a-t-ditch", "known-minefield", "cave", "cave-complex", "tetrahedrons",
    "panji",
}  # fmt: skip


def test_fortification_prices_and_marks() -> None:
    chart = charts().fortifications
    assert {row.type: row.cost() for row in chart.rows if row.fp is not None} == FP
    assert {row.type for row in chart.rows if row.isolated} == ISOLATED
    assert {row.type for row in chart.rows if row.initial_only} == INITIAL
    assert {row.type for row in chart.rows if not row.priced} == {"trench", "dummy-minefield"}
    assert sorted(note for row in chart.rows for note in set(row.notes)) == sorted([*"123456777", "8", "9"])
    assert set(chart.notes) == set("123456789")
    assert set(chart.marks) == {"I", "S"}


@pytest.mark.parametrize(
    ("type_", "count", "size", "fp"),
    [
        ("foxhole", 1, "3", 3),
        ("foxhole", 3, "1", 3),
        ("foxhole", 1, "2", 2),
        ("hip", 1, "afv", 5),
        ("hip", 2, "squad", 6),
        ("hip", 1, "half-squad", 2),
        ("hip", 1, "crew", 2),
        ("hip", 1, "smc", 1),
        ("wire", 2, None, 20),
        ("a-p-mines", 6, None, 12),
    ],
)
def test_fortification_costs(type_: str, count: int, size: str | None, fp: int) -> None:
    assert charts().fortifications.row(type_).cost(count, size) == fp


def test_formulas() -> None:
    assert pillbox_fp(2, 3, 5) == 16
    assert pillbox_fp(1, 3, 5) == 8
    assert known_minefield_fp(6 * 2) == 10
    assert [known_minefield_fp(fp) for fp in range(200)] == [math.ceil(round(fp * 0.8, 6)) for fp in range(200)]


@pytest.mark.parametrize(
    ("type_", "size", "message"),
    [
        ("pillbox", None, "Pillbox is priced by a formula"),
        ("trench", None, "Trench has no price in the rules"),
        ("foxhole", "4", "Foxhole has no price '4'; one of 3, 2, 1"),
        ("foxhole", None, "Foxhole has no price None"),
        ("wyre", None, "there is no fortification 'wyre'; did you mean wire"),
    ],
)
def test_prices_that_there_are_not(type_: str, size: str | None, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        charts().fortifications.row(type_).cost(size=size)


def test_chart_and_catalogue_agree() -> None:
    """What a fortification is stands in the catalogue, what it costs here."""
    catalogue = load_fortifications()
    chart = charts().fortifications
    assert {row.type for row in chart.rows} == set(catalogue)
    for row in chart.rows:
        entry = catalogue[row.type]
        assert (row.isolated, row.initial_only) == (entry.isolated, entry.initial_only), row.type
        assert row.name == entry.name


@pytest.mark.parametrize(
    ("squads", "japanese", "hidden"), [(9, False, 0), (10, False, 1), (10, True, 2), (29, False, 2)]
)
def test_squads_that_may_hide(squads: int, japanese: bool, hidden: int) -> None:
    assert charts().hip_squads(squads, japanese=japanese) == hidden


@pytest.mark.parametrize(
    ("attackers", "type_", "first", "mover"),
    [
        (set(), "idle", None, None),
        ({"axis"}, "axis-assault", "allied", "axis"),
        ({"allied"}, "allied-assault", "axis", "allied"),
        ({"axis", "allied"}, "dual-attack", "rolled", "rolled"),
    ],
)
def test_types_of_firefight(attackers: set[str], type_: str, first: str | None, mover: str | None) -> None:
    row = charts().firefights.of(attackers)
    assert (row.type, row.sets_up_first, row.moves_first) == (type_, first, mover)


def test_situations() -> None:
    situations = charts().situations
    assert [(letter, situations.of(letter).marker) for letter in "abcde"] == [
        ("a", "Disrupted"), ("b", "DM"), ("c", "Pinned"), ("d", "TI"), ("e", None),
    ]  # fmt: skip
    assert situations.of("c").clause == "PL 3.216"


def test_limits() -> None:
    assert {limit.id: limit.value for limit in charts().limits} == {
        "infantry-platoons": 3, "reserve-distance": 7, "reserve-alarm": 3, "best-leader-types": 2,
        "hip-percent": 10, "hip-percent-japanese": 20, "caves-per-complex": 4, "patrol-squads": 3,
        "patrol-half-squads": 1, "patrol-mf": 3, "patrol-gathering": 10, "patrol-range": 10,
        "patrol-free-range": 3, "vehicle-help": 3, "heroes": 1, "elr-gain": 4, "elr-lowest": 0,
        "san-lowest": 2, "san-highest": 4, "engineers": 3, "oba-modules": 2, "bombardments": 1,
    }  # fmt: skip
    assert charts().limit("san-highest") == 4
    assert charts().game_end.second_mover_drm == -1
    assert charts().commissars.instead_of == ("8-1", "8-0")
    with pytest.raises(RefusedError, match="no limit 'san-hihgest'; did you mean san-highest"):
        charts().limit("san-hihgest")


BROKEN = [
    ("notes: [\"6\"]}", "notes: [\"66\"]}", "booby-traps has a note 66"),
    ("fp: 20, marks", "fp: 20, formula: pillbox, marks", "tunnel has several prices"),
    ("id: heroes", "id: engineers", "limit engineers is there twice"),
    ("minimum: 1", "minumum: 1", "setup_costs.minumum: is not known here"),
    ("marks: [S]}", "marks: [X]}", "\"X\" is not known here; one of I, S"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_broken_charts_are_told_with_their_place(old: str, new: str, message: str) -> None:
    from importlib.resources import as_file, files

    with as_file(files("laager.rules.platoon_leader") / "charts.yaml") as path:
        assert check(read_document(path), PlCharts) == charts()
        text = path.read_text(encoding="utf-8").replace(old, new, 1)
    with pytest.raises(DataError) as caught:
        check(parse_document(text, "charts.yaml"), PlCharts)
    assert message in str(caught.value)
    assert all(problem.line for problem in caught.value.problems)
