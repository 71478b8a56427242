"""A file of house rules: its form, its check, what it makes of tables and charts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError
from laager.base.files import parse_document
from laager.campaign.house import check_house, house_lines, printed_tables
from laager.campaign.house.cells import allowed_results, change_table, read_span
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import PACKAGE
from laager.tables.bounds import Span
from tests.house.campaigns import house_text, printed, read


def table(rules: str, name: str) -> Any:
    return read(rules).tables(printed_tables(PACKAGE))[name]


def problems(rules: str, ruleset: str = "pl") -> dict[str, str]:
    """What is wrong with house rules, by the place in the file."""
    with pytest.raises(DataError) as caught:
        check_house(parse_document(house_text(rules, ruleset), "house.yaml"), printed(ruleset))
    return {
        problem.field.removeprefix("rules."): f"{problem.what}; {problem.right}" for problem in caught.value.problems
    }


def test_a_row_is_changed_and_the_others_stay() -> None:
    found = table("  PL 2.12: {column mid: {5: 3}}", "cp-replenishment")
    assert found.result(5, "mid") == 3
    assert [found.result(final, "mid") for final in (4, 6)] == [23, 21]
    assert [found.result(5, column) for column in ("low", "high")] == [13, 31]


def test_a_row_is_cut_where_only_part_of_it_is_changed() -> None:
    found = table("  PL 3.47: {column inclusive: {5 to 6: 1, 12 or more: -1}}", "elr-change")
    assert [found.result(final, "inclusive") for final in (4, 5, 6, 7, 11, 12, 13, 20)] == [0, 1, 1, 0, 0, -1, -1, -1]
    assert [str(row.span) for row in found.rows[2:6]] == ["4", "5 to 6", "7 to 11", "12"]


def test_modifiers_are_changed_left_out_and_added() -> None:
    rules = "  PL 3.47: {modifiers: {attacked: 1, won: off, historical: off, rain: {value: 2, when: it rained}}}"
    found = table(rules, "elr-change")
    assert found.modifier("attacked").value == 1
    assert found.modifier("won").value == found.modifier("historical", value=3).value == 0
    assert (found.modifier("rain").value, found.modifier("rain").reason) == (2, "it rained")
    assert [modifier.id for modifier in found.modifiers if modifier.asked] == ["rain"]


def test_prices_limits_and_figures_are_changed() -> None:
    rules = """\
  PL 2.34: {infantry: {on_map: 2}, minimum: 3}
  PL 2.38 table: {wire: {fp: 8}, foxhole: {sizes: {3: 4}}}
  PL 2.31: {most: {mid: 5}}
  PL 3.47: {elr-gain: 5}
"""
    found = read(rules).packaged_charts(PACKAGE, charts())
    assert found.setup_costs.price("infantry", "on-map", 4) == 6
    assert found.setup_costs.price("infantry", "reserve", 3) == 3
    assert [found.fortifications.row(kind).fp for kind in ("wire", "roadblock")] == [8, 12]
    assert found.fortifications.row("foxhole").cost(1, "3") == 4
    assert found.patrols.most == {"low": 1, "mid": 5, "high": 3}
    assert [found.limit(name) for name in ("elr-gain", "elr-lowest")] == [5, 0]
    assert charts().limit("elr-gain") == 4


def test_everything_wrong_with_a_file_is_told_with_what_would_be_right() -> None:
    found = problems("""\
  PL 3.47:
    column inclusve: {5: 1}
    modifiers: {atacked: 1, won: maybe, card: 2}
    elr-gian: 5
  PL 3.74: off
  PL 2.34: {infantry: {onmap: 2}}
  PL 2.12: {column low: {5: fish, 40 to 20: 1, 2: 1, 2 or less: 3}}
  PL 2.3: off
  PL 3.46: {rows: {2: true}}
  PL 3.41: {column low: {2: 1}}
  PL 3.52 table: {rows: {2: vanished}}
""")
    assert "did you mean column inclusive?" in found["PL 3.47.column inclusve"]
    assert "did you mean attacked?" in found["PL 3.47.modifiers.atacked"]
    assert "a whole number instead of -1, or off" in found["PL 3.47.modifiers.won"]
    assert "did you mean elr-gain?" in found["PL 3.47.elr-gian"]
    assert "did you mean PL 3.4 or PL 3.47?" in found["PL 3.74"]
    assert "did you mean on_map or off_map?" in found["PL 2.34.infantry.onmap"]
    assert "isn't a number" in found["PL 2.12.column low.5"]
    assert "isn't a row of table" in found["PL 2.12.column low.40 to 20"]
    assert "is here twice" in found["PL 2.12.column low.2 or less"]
    assert "can't be off" in found["PL 2.3"]
    assert "has several tables; write rows under one of repair-malfunctioned" in found["PL 3.46.rows"]
    assert "did you mean rows?" in found["PL 3.41.column low"] or "one of rows" in found["PL 3.41.column low"]
    assert "is not among the table's results" in found["PL 3.52 table.rows.2"]
    assert len(found) == 14


def test_a_chart_that_no_longer_holds_together_is_refused() -> None:
    found = problems("  PL 2.31: {price: 2}\n  PL 2.34: {infantry: {on_map: dear}}")
    assert "setup_costs.rows[1].on_map" in found["PL 2.34.infantry"]


@pytest.mark.parametrize("what", ["  PL 3.41: never", "  PL 3.41: {}", "  PL 3.41: 7", "  PL 3.41: {why: because}"])
def test_a_clause_must_say_what_changes(what: str) -> None:
    assert "off, agree, or what changes in it" in next(iter(problems(what).values()))


def test_house_rules_of_another_system_are_refused() -> None:
    with pytest.raises(DataError, match="is for er; these rules are pl"):
        check_house(parse_document(house_text("  PL 3.41: off", "er"), "house.yaml"), printed("pl"))


def test_what_is_changed_is_said_with_what_is_printed() -> None:
    house = read("""\
  PL 3.47: {why: Too hard., column inclusive: {12 or more: -1}, modifiers: {won: off, rain: {value: 1, when: rain}}}
  PL 2.34: {infantry: {on_map: 2}}
  PL 3.51: {san-highest: 5}
""")
    first, second, third = house_lines(house, printed("pl"))
    assert first.why == "Too hard."
    assert first.what == (
        "12 or more (inclusive): ELR falls by 1 instead of ELR stays / ELR falls by 1",
        "“won the firefight just played” doesn't count",
        "new: +1, rain",
    )
    assert (second.what, second.why) == (("infantry, on map: 2 instead of 1",), "We like it better.")
    assert third.what == ("highest SAN after the adjustment: 5 instead of 4",)


TABLES = list(printed_tables(PACKAGE).values())
LABELS = st.one_of(
    st.integers(-3, 16).map(str),
    st.integers(-3, 16).map(lambda high: f"{high} or less"),
    st.integers(-3, 16).map(lambda low: f"{low} or more"),
    st.tuples(st.integers(-3, 8), st.integers(8, 16)).map(lambda ends: f"{ends[0]} to {ends[1]}"),
)


@given(st.sampled_from(TABLES), LABELS, st.data())
def test_a_changed_table_differs_from_the_printed_one_in_those_final_rolls_alone(
    printed_table: Any, label: str, data: st.DataObject
) -> None:
    column = data.draw(st.sampled_from(printed_table.columns or ("result",)))
    known = allowed_results(printed_table, column)
    value = data.draw(st.integers(-9, 40) if known is None else st.sampled_from(known))
    key = f"column {column}" if printed_table.columns else "rows"
    wrong: list[Any] = []
    changed = change_table(printed_table, {key: {label: value}}, "PL 1", (), lambda *what: wrong.append(what))
    assert not wrong
    span = read_span(label)
    assert span is not None
    for final in range(-20, 40):
        expected = {**printed_table.row(final).results, **({column: value} if span.covers(final) else {})}
        assert dict(changed.row(final).results) == expected


@given(st.one_of(st.none(), st.integers(-20, 40)), st.one_of(st.none(), st.integers(-20, 40)))
def test_rows_are_named_as_tables_print_them(low: int | None, high: int | None) -> None:
    if low is not None and high is not None:
        low, high = min(low, high), max(low, high)
    span = Span(low, high)
    assert read_span(str(span)) == (None if span == (None, None) else span)
