"""The tables and charts of the rules against a second copy of the figures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest
from pydantic import ValidationError

from laager.base import RefusedError
from laager.dice import Dice
from laager.rules.edsons_ridge.charts import Arrival, Chit, Fortification, Initiative, printed_charts
from laager.tables import TableSet, Value, load_packaged

FINALS = range(-5, 21)

COPY: Mapping[tuple[str, str | None], Mapping[range, Value]] = {
    ("rg-strength", None): {range(-5, 10): "full", range(10, 21): "depleted"},
    ("support-weapon-depleted", None): {range(-5, 5): True, range(5, 21): False},
    ("leader-japanese", None): {range(-5, 4): True, range(4, 21): False},
    ("leader", "american"): {
        range(-5, 2): "10-2 and 9-1", range(2, 3): "10-2", range(3, 4): "9-2", range(4, 5): "9-1",
        range(5, 7): "8-1", range(7, 9): "8-0", range(9, 13): None, range(13, 21): "6+1",
    },
    ("leader", "american-armor"): {
        range(-5, 3): "10-2", range(3, 4): "9-2", range(4, 5): "9-1", range(5, 7): "8-1",
        range(7, 11): None, range(11, 13): "inexperienced", range(13, 21): None,
    },
    ("leader", "japanese"): {
        range(-5, 3): "10-1", range(3, 5): "10-0", range(5, 7): "9-1", range(7, 9): "9-0",
        range(9, 11): "8-0", range(11, 21): "8+1",
    },
    ("first-mover", None): {range(-5, 4): "axis", range(4, 21): "allied"},
    ("wire", None): {
        range(-5, 2): 1, range(2, 3): 2, range(3, 4): 3, range(4, 21): 4,
    },
    ("fpf-accuracy", None): {range(-5, 5): "accurate", range(5, 21): "error"},
    ("fpf-removal", None): {range(-5, 5): "stays", range(5, 21): "removed"},
}  # fmt: skip

MODIFIERS: Mapping[str, Mapping[str, int | None]] = {
    "rg-strength": {"chart": None},
    "leader": {"depleted": 1, "japanese-engineer": -1, "raider": -1, "tank-section": -1},
    "wire": {"campaign": -2},
    "fpf-removal": {"fourth-turn": -1},
}
TWO_DICE = {"rg-strength", "leader"}


@pytest.fixture(scope="module")
def tables() -> TableSet:
    return load_packaged("laager.rules.edsons_ridge", "tables.yaml")


def test_the_copy_has_every_table_and_column(tables: TableSet) -> None:
    columns = {(table.id, column) for table in tables.values() for column in table.columns or (None,)}
    assert columns == set(COPY)


@pytest.mark.parametrize(("table", "column"), COPY)
def test_every_final_roll_has_its_result(tables: TableSet, table: str, column: str | None) -> None:
    copied = {final: value for span, value in COPY[table, column].items() for final in span}
    assert {final: tables[table].result(final, column) for final in FINALS} == copied


def test_modifiers_and_dice(tables: TableSet) -> None:
    for table in tables.values():
        assert {m.id: m.value for m in table.modifiers} == MODIFIERS.get(table.id, {})
        assert table.dice is (Dice.DR if table.id in TWO_DICE else Dice.dr)


def test_every_text_result_has_words(tables: TableSet) -> None:
    for table in tables.values():
        for row in table.rows:
            for value in row.results.values():
                assert not isinstance(value, str) or value in table.results, (table.id, value)
    assert tables["leader"].words(None) == "No leader"
    assert tables["support-weapon-depleted"].words(True) == "Received"


@pytest.mark.parametrize(
    ("column", "modifiers", "dice", "final", "expected"),
    [
        ("american", ["raider"], 2, 1, "10-2 and 9-1"),
        ("american", ["raider"], 3, 2, "10-2"),
        ("american", ["raider", "depleted"], 7, 7, "8-0"),
        ("american", ["raider", "depleted"], 2, 2, "10-2"),
        ("american", ["depleted"], 12, 13, "6+1"),
        ("american-armor", ["tank-section"], 12, 11, "inexperienced"),
        ("american-armor", ["tank-section"], 8, 7, None),
        ("japanese", ["japanese-engineer"], 2, 1, "10-1"),
        ("japanese", ["depleted"], 7, 8, "9-0"),
    ],
)
def test_leaders_worked_out(
    tables: TableSet, column: str, modifiers: list[str], dice: int, final: int, expected: Value
) -> None:
    table = tables["leader"]
    assert dice + sum(table.modifier(name).value for name in modifiers) == final
    assert table.result(final, column) == expected


def test_wire_as_printed(tables: TableSet) -> None:
    wire = tables["wire"]
    less = wire.modifier("campaign").value
    assert [wire.result(dr + less) for dr in range(1, 7)] == [1, 1, 1, 2, 3, 4]


def test_leaders_never_get_worse_by_a_lower_roll(tables: TableSet) -> None:
    """The way in which run-together cells were parted: quality falls from row to row."""
    order = ["10-2 and 9-1", "10-2", "10-1", "10-0", "9-2", "9-1", "9-0", "8-1", "8-0", "8+1"]
    for column in ("american", "american-armor", "japanese"):
        found = [row.results[column] for row in tables["leader"].rows]
        places = [order.index(value) for value in found if value in order]
        assert places == sorted(places)


def test_odds_are_those_of_counting_the_dice(tables: TableSet) -> None:
    for table in tables.values():
        for drm in (-2, -1, 0, 1):
            throws = [sum(faces) + drm for faces in product(range(1, 7), repeat=table.dice.count)]
            counted = [Fraction(sum(row.span.covers(final) for final in throws), len(throws)) for row in table.rows]
            column = table.columns[0] if table.columns else None
            assert [odds.probability for odds in table.odds(drm, column)] == counted


# Charts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "of", "price"),
    [
        ("foxhole", "3S", 3), ("foxhole", "2S", 2), ("foxhole", "1S", 1), ("trench", "", 6),
        ("pillbox", "", 10), ("wire", "", 7), ("jungle-path", "", 5), ("concealment", "", 1),
        ("hip", "squad", 3), ("hip", "half-squad", 2), ("hip", "crew", 2), ("hip", "smc", 1),
        ("hip-set-dc", "", 5),
    ],
)  # fmt: skip
def test_prices_of_fortifications(kind: str, of: str, price: int) -> None:
    assert printed_charts().fortifications.price(kind, of) == price


def test_twenty_points_spent() -> None:
    price = printed_charts().fortifications.price
    assert price("trench") + price("hip", "squad") + price("wire") + 4 * price("concealment") == 20


@pytest.mark.parametrize(
    ("kind", "of", "message"),
    [
        ("foxhol", "3S", "no Fortification “foxhol”; did you mean foxhole"),
        ("foxhole", "", "Foxhole has no price of “”; known are 3S, 2S, 1S"),
        ("hip", "squads", "HIP has no price of “squads”; did you mean squad"),
        ("wire", "3S", "Wire has no price of “3S”; name none"),
    ],
)
def test_prices_that_there_are_not(kind: str, of: str, message: str) -> None:
    with pytest.raises(RefusedError) as told:
        printed_charts().fortifications.price(kind, of)
    assert message in str(told.value)


@pytest.mark.parametrize(
    ("kind", "base", "how", "least", "price"),
    [
        ("I", 6, "on-map", 0, 7), ("I", 5, "reserve", 0, 4), ("I", 4, "enter", 0, 4),
        ("HW", 4, "on-map", 0, 5), ("V", 1, "reserve", 0, 0), ("V", 1, "reserve", 1, 1),
        ("I", 0, "reserve", 0, 0), ("I", 0, "reserve", 1, 0), ("F", 4, "on-map", 0, 4),
        ("O", 4, "reserve", 0, 4), ("M", 3, "on-map", 0, 3),
    ],
)  # fmt: skip
def test_prices_of_arriving(kind: str, base: int, how: Arrival, least: int, price: int) -> None:
    assert printed_charts().arrivals.price(kind, base, how, least) == price


@pytest.mark.parametrize(
    ("axis", "allied", "result"),
    [
        ("attack", "attack", "dual-attack"),
        ("attack", "idle", "japanese-assault"),
        ("idle", "attack", "american-assault"),
        ("idle", "idle", "idle-date"),
    ],
)
def test_the_matrix_of_chits(axis: Chit, allied: Chit, result: str) -> None:
    assert printed_charts().initiative.row(axis, allied).result == result


def test_the_initial_scenario_is_a_japanese_assault() -> None:
    initiative = printed_charts().initiative
    first = initiative.row(initiative.initial["axis"], initiative.initial["allied"])
    assert first.result == "japanese-assault"


def test_limits() -> None:
    found = printed_charts()
    assert (found.bombardment.most_areas, found.bombardment.mc) == (2, 2)
    assert (found.bombardment.single_for, found.bombardment.single_mc) == ("allied", 3)
    assert found.fpf.most == 2


def test_charts_that_do_not_hold_together_are_refused() -> None:
    with pytest.raises(ValidationError, match="needs either one price or prices"):
        Fortification(type="wire", name="Wire")
    rows = printed_charts().initiative.rows
    with pytest.raises(ValidationError, match="each of the four pairs of chits once"):
        Initiative(rule="ER 1.5222", initial={}, rows=(*rows[:3], rows[0]))
