"""Months, periods and series: what they say of each month, and how they are written."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.catalogue.dyo import UNKNOWN, DatedValue, Month, Period, Series
from laager.catalogue.dyo.fields import dates, number, plain_dates, plain_number, rf
from laager.catalogue.dyo.values import all_months, plain_series, read_series

MONTHS = list(all_months())
FEW = settings(max_examples=20, deadline=None)
whole = number(0, 99, "number")


@st.composite
def series(draw: st.DrawFn) -> Series[int]:
    """A series of a few spans without overlap, some of them unknown or none."""
    edges = sorted(draw(st.sets(st.integers(0, len(MONTHS) - 1), max_size=8)))
    value: Any = st.one_of(st.integers(0, 9), st.just(UNKNOWN), st.none())
    spans = tuple(
        DatedValue(Period(MONTHS[one], MONTHS[two - 1]), draw(value))
        for one, two in zip(edges[::2], edges[1::2], strict=False)
    )
    return Series(spans, draw(value))


@pytest.mark.parametrize(
    ("text", "month"), [("1944-09", (1944, 9)), ("9/1944", (1944, 9)), ("1944-9", (1944, 9)), (" 12/1941 ", (1941, 12))]
)
def test_months(text: str, month: tuple[int, int]) -> None:
    assert Month.of(text) == month
    assert Month.of(str(Month.of(text))) == month


def test_months_are_ordered_and_numbered() -> None:
    assert sorted(MONTHS) == MONTHS
    assert all(Month.from_ordinal(month.ordinal) == month for month in MONTHS)
    assert Month(1944, 12) < Month(1945, 1)


@pytest.mark.parametrize("text", ["1944", "44-09", "September", "1944-00", "0/1944", "1899-01", ""])
def test_what_is_no_month(text: str) -> None:
    with pytest.raises(ValueError, match=";"):
        Month.of(text)


@pytest.mark.parametrize(
    ("text", "first", "last", "short"),
    [
        ("1944", (1944, 1), (1944, 12), "1944"),
        ("1944-09", (1944, 9), (1944, 9), "1944-09"),
        ("9/1944", (1944, 9), (1944, 9), "1944-09"),
        ("1943..1944-06", (1943, 1), (1944, 6), "1943..1944-06"),
        ("1943-02 .. 1943", (1943, 2), (1943, 12), "1943-02..1943"),
        ("1943..", (1943, 1), (1950, 12), "1943.."),
        ("..1942", (1930, 1), (1942, 12), "..1942"),
        ("always", (1930, 1), (1950, 12), "always"),
    ],
)
def test_periods(text: str, first: tuple[int, int], last: tuple[int, int], short: str) -> None:
    period = Period.of(text)
    assert (period.first, period.last) == (first, last)
    assert str(period) == short
    assert Period.of(short) == period


@FEW
@given(series())
def test_a_series_says_the_same_however_it_is_written(one: Series[int]) -> None:
    written = plain_series(one, int)
    assert read_series(written, whole).months == one.months
    if isinstance(written, dict):
        text = "; ".join(f"{period}: {value}" for period, value in written.items())
        assert read_series(text, whole).months == one.months
        pairs = [
            {"from": str(Period.of(p).first), "to": str(Period.of(p).last), "value": value}
            for p, value in written.items()
            if p != "other"
        ]
        if one.other is None:
            assert read_series(pairs, whole).months == one.months


@FEW
@given(series())
def test_a_series_can_be_made_of_its_months(one: Series[int]) -> None:
    again = Series.of_months(one.months)
    assert again.months == one.months
    assert Series.of_months(again.months) == again


@FEW
@given(series(), series())
def test_filling_and_comparing_month_by_month(one: Series[int], two: Series[int]) -> None:
    pairs = list(zip(one.months, two.months, strict=True))
    assert list(one.fill_from(two).months) == [b if a is UNKNOWN else a for a, b in pairs]
    apart = [
        month for month, (a, b) in zip(MONTHS, pairs, strict=True) if a is not UNKNOWN and b is not UNKNOWN and a != b
    ]
    assert one.differs(two) == (apart[0] if apart else None)
    assert one.differs(one) is None


def test_a_series_is_unknown_only_if_nothing_is_known() -> None:
    assert Series.always(UNKNOWN).is_unknown
    assert not Series.always(None).is_unknown
    assert not read_series({"1944": 4, "other": "unknown"}, whole).is_unknown
    assert not UNKNOWN
    assert repr(UNKNOWN) == "UNKNOWN"


@pytest.mark.parametrize(
    ("raw", "at"),
    [
        ("always", {1941: True, 1945: True}),
        ("none", {1941: None}),
        (False, {1941: None}),
        ("unknown", {1941: UNKNOWN}),
        (1944, {1943: None, 1944: True, 1945: None}),
        ("1943..1944", {1942: None, 1943: True, 1944: True, 1945: None}),
        ("1941, 1943..", {1941: True, 1942: None, 1945: True}),
        (["1941", 1943], {1941: True, 1942: None, 1943: True, 1944: None}),
        ([{"from": "1941", "to": 1942}], {1940: None, 1942: True, 1943: None}),
        ({"1944": True, "other": "unknown"}, {1943: UNKNOWN, 1944: True}),
        ("1944: yes; other: unknown", {1943: UNKNOWN, 1944: True}),
    ],
)
def test_dates(raw: Any, at: dict[int, Any]) -> None:
    found = dates(raw)
    assert {year: found.at(Month(year, 6)) for year in at} == at
    again = dates(plain_dates(found))
    assert again.months == found.months


@FEW
@given(st.integers(1, 20))
def test_rf_are_exact_tenths(tenths: int) -> None:
    value = Decimal(tenths) / 10
    for raw in (float(value), str(value), f"{value:.2f}", f"{value:.1f}".lstrip("0")):
        assert rf(raw) == value
        assert rf(plain_number(rf(raw))) == value


@pytest.mark.parametrize("raw", [0, 2.1, -1, True, "nan", "inf", "", None, 0.95])
def test_what_is_no_rf(raw: Any) -> None:
    with pytest.raises(ValueError, match="is not an RF; "):
        rf(raw)
