from __future__ import annotations

import copy
import pickle
from collections import Counter
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError, Refusal, RefusedError
from laager.dice import Dice, Modifier
from laager.tables import Row, Table, TableModifier, TableSet, Value, load_tables
from tests.tries import tries

GOOD = load_tables(Path(__file__).parent / "good.yaml")
SUPPLY = GOOD["supply"]
LOSS = GOOD["loss"]
CELLS: st.SearchStrategy[Value] = (
    st.none() | st.booleans() | st.integers(-5, 30) | st.sampled_from(["full", "low", "10-2"])
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    cuts = sorted(draw(st.sets(st.integers(-6, 18), max_size=7)))
    columns = draw(st.sampled_from([(), ("day",), ("day", "night")]))
    lows = [None, *(cut + 1 for cut in cuts)]
    rows = tuple(
        Row(low, high, {name: draw(CELLS) for name in columns or ("result",)})
        for low, high in zip(lows, [*cuts, None], strict=True)
    )
    return Table("t", "T", "TT 1", draw(st.sampled_from(Dice)), columns, rows)


def looked_up(table: Table, final: int, column: str) -> Value:
    """The result as a reader finds it: going through all rows with a finger."""
    (row,) = [
        row for row in table.rows if (row.low is None or row.low <= final) and (row.high is None or final <= row.high)
    ]
    return row.results[column]


@pytest.mark.parametrize(
    ("final", "infantry", "vehicle"),
    [
        (-40, "full", "full"),
        (4, "full", "full"),
        (5, "low", "full"),
        (6, "low", "low"),
        (9, "low", "low"),
        (10, "none", "low"),
        (11, "none", None),
        (99, "none", None),
    ],
)
def test_a_final_roll_finds_its_row_and_column(final: int, infantry: str, vehicle: Value) -> None:
    assert SUPPLY.result(final, "infantry") == infantry
    assert SUPPLY.result(final, "vehicle") == vehicle
    assert SUPPLY.row(final).results == {"infantry": infantry, "vehicle": vehicle}
    assert SUPPLY.row(final).span.covers(final)


def test_results_keep_their_kind() -> None:
    assert [LOSS.result(final) for final in range(-1, 7)] == [1, 1, 0, 0, 0, -1, -2, -2]
    assert [GOOD["storm"].result(final) for final in (3, 4)] == [True, False]
    assert type(LOSS.result(1)) is int
    assert type(GOOD["storm"].result(4)) is bool
    assert {GOOD["certain"].result(final) for final in range(-9, 9)} == {"Certain"}
    assert LOSS.result(3, "result") == 0


@given(tables(), st.data())
@tries(100)
def test_every_integer_has_one_row(table: Table, data: st.DataObject) -> None:
    column = data.draw(st.sampled_from(table.columns)) if table.columns else None
    for final in [*range(-12, 25), -(10**12), 10**12]:
        expected = looked_up(table, final, column or "result")
        found = table.result(final, column)
        assert found == expected
        assert type(found) is type(expected)


@given(tables(), st.integers(-14, 14))
@tries(100)
def test_odds_of_the_rows_against_two_oracles(table: Table, drm: int) -> None:
    odds = table.odds(drm)
    finals = [sum(faces) + drm for faces in product(range(1, 7), repeat=table.dice.count)]
    ways = Counter(table.rows.index(row) for row in map(table.row, finals))
    die = (table.dice.count @ icepool.d6) + drm
    assert [entry.row for entry in odds] == list(table.rows)
    for position, entry in enumerate(odds):
        low, high = entry.row.low, entry.row.high
        assert entry.total == table.dice.ways
        assert entry.probability == Fraction(entry.ways, entry.total)
        below = die.probability("<", low) if low is not None else Fraction(0)
        above = die.probability(">", high) if high is not None else Fraction(0)
        assert entry.probability == 1 - below - above
        if table.rows.count(entry.row) == 1:
            assert entry.ways == ways[position]
    assert sum(entry.ways for entry in odds) == table.dice.ways


def test_odds_tell_the_result_of_the_column_asked_for() -> None:
    told = [(entry.ways, entry.value) for entry in SUPPLY.odds(0, "vehicle")]
    assert told == [(6, "full"), (4, "full"), (20, "low"), (3, "low"), (3, None)]
    assert [(entry.ways, entry.value) for entry in LOSS.odds()] == [(0, 1), (3, 0), (1, -1), (2, -2)]
    assert [entry.ways for entry in LOSS.odds(-1)] == [1, 3, 1, 1]
    assert {entry.value for entry in SUPPLY.odds()} == {None}


@pytest.mark.parametrize(
    ("id_", "times", "value", "expected"),
    [
        ("mud", 1, None, Modifier(2, "the ground is mud", "TT 1.2")),
        ("mud", 0, None, Modifier(0, "the ground is mud", "TT 1.2")),
        ("mud", True, None, Modifier(2, "the ground is mud", "TT 1.2")),
        ("trucks", 1, None, Modifier(-1, "trucks beyond the first", "TT 1.3")),
        ("trucks", 3, None, Modifier(-3, "3 x trucks beyond the first", "TT 1.3")),
        ("trucks", 0, None, Modifier(0, "trucks beyond the first", "TT 1.3")),
        ("leadership", 1, -2, Modifier(-2, "leadership of the quartermaster", "TT 1.4")),
        ("leadership", 1, 0, Modifier(0, "leadership of the quartermaster", "TT 1.4")),
    ],
)
def test_a_modifier_carries_its_reason_and_rule(id_: str, times: int, value: int | None, expected: Modifier) -> None:
    assert SUPPLY.modifier(id_, times, value) == expected


@pytest.mark.parametrize(
    ("id_", "times", "value", "code", "told"),
    [
        ("muds", 1, None, Refusal.NO_SUCH,
         "table supply has no modifier “muds”; did you mean mud?"),
        ("rain", 1, None, Refusal.NO_SUCH,
         "table supply has no modifier “rain”; one of mud, trucks, leadership"),
        ("mud", 2, None, Refusal.BAD_ANSWER,
         "modifier “mud” of table supply counts once, not 2 times; leave out the count"),
        ("trucks", -1, None, Refusal.BAD_ANSWER,
         "modifier “trucks” of table supply cannot count -1 times; 0 or more"),
        ("mud", 1, 3, Refusal.BAD_ANSWER,
         "modifier “mud” of table supply is +2 by rule; give no value for it"),
        ("leadership", 1, None, Refusal.BAD_ANSWER,
         "modifier “leadership” of table supply has no value of its own; give its value"),
        ("leadership", 2, -1, Refusal.BAD_ANSWER,
         "modifier “leadership” of table supply counts once, not 2 times; leave out the count"),
    ],
)  # fmt: skip
def test_a_modifier_misused_is_refused(id_: str, times: int, value: int | None, code: Refusal, told: str) -> None:
    with pytest.raises(RefusedError) as caught:
        SUPPLY.modifier(id_, times, value)
    assert (caught.value.code, str(caught.value)) == (code, told)


def test_a_table_without_modifiers_says_so() -> None:
    with pytest.raises(RefusedError, match="there are none to choose from"):
        LOSS.modifier("mud")


@pytest.mark.parametrize(
    ("table", "column", "told"),
    [
        (SUPPLY, None, "table supply has several columns; name one of infantry, vehicle"),
        (SUPPLY, "vehicles", "table supply has no column “vehicles”; did you mean vehicle?"),
        (SUPPLY, "boat", "table supply has no column “boat”; one of infantry, vehicle"),
        (SUPPLY, "", "table supply has no column “”; one of infantry, vehicle"),
        (LOSS, "", "table loss has no column “”; it has one result, name no column"),
        (LOSS, "day", "table loss has no column “day”; it has one result, name no column"),
    ],
)
def test_a_column_that_is_not_there_is_refused(table: Table, column: str | None, told: str) -> None:
    with pytest.raises(RefusedError) as caught:
        table.result(7, column)
    assert (caught.value.code, str(caught.value)) == (Refusal.NO_SUCH, told)
    if column is not None:
        with pytest.raises(RefusedError) as caught:
            table.odds(0, column)
        assert str(caught.value) == told


def test_results_in_words() -> None:
    assert SUPPLY.words("full") == "Full supply"
    assert SUPPLY.words(None) == "Nothing to supply"
    assert GOOD["storm"].words(True) == "The storm breaks"
    assert GOOD["storm"].words(False) == "no"
    assert [LOSS.words(value) for value in (-2, None, True, "8-0")] == ["-2", "no result", "yes", "8-0"]


def test_conditions_in_words() -> None:
    assert [str(condition) for condition in SUPPLY.modifiers] == [
        "+2: the ground is mud",
        "-1 per truck beyond the first: trucks beyond the first",
        "DRM as given: leadership of the quartermaster",
    ]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((), "rows: there are no rows; add one"),
        ((Row(None, 3, {}), Row(5, None, {})), "rows[2]: no row has final roll 4"),
        ((Row(None, 3, {}), Row(3, None, {})), "rows[2]: row 1 for 3 or less has final roll 3"),
        ((Row(4, None, {}), Row(None, 3, {})), "rows[2]: the row for 3 or less stands after"),
    ],
)
def test_a_table_that_is_not_total_cannot_be_made(rows: tuple[Row, ...], told: str) -> None:
    with pytest.raises(DataError) as caught:
        Table("t", "T", "TT 1", Dice.DR, (), rows)
    assert str(caught.value).startswith(told)


def test_tables_are_immutable_values() -> None:
    again = load_tables(Path(__file__).parent / "good.yaml")
    assert again == GOOD
    assert hash(again["supply"]) == hash(SUPPLY)
    with pytest.raises(FrozenInstanceError):
        SUPPLY.title = "Other"  # type: ignore[misc]
    frozen: list[Any] = [SUPPLY.row(4).results, SUPPLY.results, GOOD.tables]
    for mapping in frozen:
        with pytest.raises(TypeError):
            mapping["infantry"] = "none"


@pytest.mark.parametrize("value", [SUPPLY, SUPPLY.rows[0], GOOD, SUPPLY.odds(1, "vehicle")])
def test_tables_can_be_sent_to_another_process(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.deepcopy(value) == value


def test_a_set_of_tables_is_a_mapping_with_advice() -> None:
    assert list(GOOD) == ["supply", "loss", "storm", "certain"]
    assert len(GOOD) == 4
    assert "supply" in GOOD
    assert "suply" not in GOOD
    assert GOOD.get("suply") is None
    assert GOOD.table("loss") is LOSS
    assert GOOD.source == "Invented for these tests; no figures of any rulebook."
    with pytest.raises(KeyError, match=r"there is no table suply; did you mean supply\?"):
        GOOD["suply"]
    with pytest.raises(RefusedError) as caught:
        GOOD.table("suply")
    assert caught.value.code is Refusal.NO_SUCH
    assert str(caught.value) == "there is no table “suply”; did you mean supply?"


def test_a_set_keeps_what_it_was_made_from() -> None:
    made = {"loss": LOSS}
    tables_made = TableSet(made)
    made.clear()
    assert list(tables_made) == ["loss"]
    assert TableModifier("a", 1, "x", "TT 1") == TableModifier("a", 1, "x", "TT 1", "")
