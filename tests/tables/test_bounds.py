from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from laager.tables.bounds import Fault, Span, find_faults
from tests.tries import tries

# Far enough beyond every bound that is drawn to see the open ends.
WHOLE = range(-15, 16)
ENDS = st.none() | st.integers(-10, 10)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    low, high = draw(ENDS), draw(ENDS)
    if low is not None and high is not None and low > high:
        low, high = high, low
    return Span(low, high)


@st.composite
def partitions(draw: st.DrawFn) -> list[Span]:
    cuts = sorted(draw(st.sets(st.integers(-10, 10), max_size=8)))
    lows = [None, *(cut + 1 for cut in cuts)]
    return [Span(low, high) for low, high in zip(lows, [*cuts, None], strict=True)]


def holds(found: list[Span]) -> bool:
    """Whether the rows take every integer once and in rising order, by looking at each."""
    taken = [[i for i, span in enumerate(found) if span.covers(value)] for value in WHOLE]
    return all(len(rows) == 1 for rows in taken) and taken == sorted(taken)


@given(partitions())
@tries(100)
def test_rows_that_take_every_roll_once_have_no_fault(found: list[Span]) -> None:
    assert find_faults(found) == []
    assert holds(found)


@given(st.lists(spans(), min_size=1, max_size=4))
@tries(400)
def test_faults_are_found_where_looking_at_each_roll_finds_them(found: list[Span]) -> None:
    assert (find_faults(found) == []) == holds(found)


@given(partitions(), st.data())
@tries(150)
def test_a_row_taken_out_leaves_one_gap_that_is_named(found: list[Span], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(found))
    left = [span for span in found if span is not gone]
    if not left:
        return
    (fault,) = find_faults(left)
    assert fault.what == f"no row has final roll {gone}"


@given(partitions(), st.data())
@tries(150)
def test_a_row_put_in_twice_is_one_overlap(found: list[Span], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(found) - 1))
    doubled = [*found[: place + 1], found[place], *found[place + 1 :]]
    (fault,) = find_faults(doubled)
    assert fault.position == place + 1
    shared = "every final roll" if len(found) == 1 else f"final roll {found[place]}"
    assert fault.what == f"row {place + 1} for {found[place]} has {shared} as well"


@given(partitions().filter(lambda found: len(found) > 1))
@tries(50)
def test_rows_from_high_to_low_are_out_of_order_and_nothing_else(found: list[Span]) -> None:
    complaints = find_faults(found[::-1])
    assert [fault.position for fault in complaints] == list(range(1, len(found)))
    assert all("stands after row" in fault.what for fault in complaints)


@given(partitions(), st.data())
@tries(100)
def test_an_unreadable_row_may_fill_any_gap(found: list[Span], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(found) - 1))
    holed: list[Span | None] = list(found)
    holed[place] = None
    assert find_faults(holed) == []


def test_a_wide_row_overlaps_all_that_it_holds() -> None:
    found = [Span(None, 9), Span(2, 3), Span(5, 6), Span(10, None)]
    assert find_faults(found) == [
        Fault(1, "row 1 for 9 or less has final roll 2 to 3 as well", "each final roll belongs to one row"),
        Fault(2, "row 1 for 9 or less has final roll 5 to 6 as well", "each final roll belongs to one row"),
    ]


def test_spans_are_told_in_words() -> None:
    told = [str(Span(*ends)) for ends in [(None, 2), (3, 3), (4, 9), (-2, -1), (10, None)]]
    assert told == ["2 or less", "3", "4 to 9", "-2 to -1", "10 or more"]
    assert str(Span(None, None)) == "any"
