"""Form data and values: whatever is answered survives its way through a browser's form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.template.loader import render_to_string
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from laager.base import DataError, Problem
from laager.campaign.forms import Choice, Field, Form, Number, Option, Record, Rows, Several, Text, YesNo
from laager.web.shared.forms import data as forms
from laager.web.shared.forms.widgets import Making, keys_of_path, lists_of, nearest, with_problems
from tests.tries import tries
from tests.web.typing_in import ask_form

if TYPE_CHECKING:
    from laager.web.shared.forms.widgets import Widget

# Forms of any kind, with values that they accept --------------------------------------------------

words = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=8
).map(str.strip).filter(bool)  # fmt: skip
names = st.lists(words, min_size=1, max_size=4, unique=True)


def _options(values: list[str]) -> tuple[Option, ...]:
    return tuple(Option(value, f"label of {i}") for i, value in enumerate(values))


option_values = st.lists(
    words.filter(lambda word: "," not in word and word not in {"none", "''"}),
    min_size=1, max_size=12, unique=True,
)  # fmt: skip
texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | st.just("\n"),
    max_size=20,
).filter(lambda text: text.strip() not in {"none", "''"})  # fmt: skip


@st.composite
def singles(draw: st.DrawFn) -> tuple[Form, st.SearchStrategy[Any]]:
    match draw(st.integers(0, 4)):
        case 0:
            return YesNo(), st.booleans()
        case 1:
            low = draw(st.integers(-50, 50))
            high = draw(st.integers(low, low + 200))
            return Number(low, high), st.integers(low, high)
        case 2:
            return Text(draw(st.sampled_from([20, 40, 600]))), texts.map(str.strip)
        case 3:
            values = draw(option_values)
            return Choice(_options(values)), st.sampled_from(values)
        case _:
            values = draw(option_values)
            many = st.lists(st.sampled_from(values), unique=True)
            return Several(_options(values)), many


@st.composite
def records(draw: st.DrawFn, depth: int = 0) -> tuple[Form, st.SearchStrategy[Any]]:
    fields, parts = [], {}
    for name in draw(names):
        form, value = draw(any_form(depth + 1))
        # Left out means its own default, or nothing at all.
        default = draw(st.none() | value) if not isinstance(form, Rows | Record) else draw(value)
        if draw(st.booleans()):
            fields.append(Field(name, form))
        else:
            fields.append(Field(name, form, "", default))
            value = value | st.just(default)
        parts[name] = value
    return Record(tuple(fields)), st.fixed_dictionaries(parts)


@st.composite
def any_form(draw: st.DrawFn, depth: int = 0) -> tuple[Form, st.SearchStrategy[Any]]:
    kind = draw(st.integers(0, 5))
    if depth > 2 or kind < 3:
        return draw(singles())
    form, value = draw(records(depth))
    if kind == 5 and isinstance(form, Record):
        return Rows(form), st.lists(value, max_size=4)
    return form, value


@st.composite
def answered(draw: st.DrawFn) -> tuple[Form, Any]:
    form, values = draw(any_form())
    return form, draw(values)


def page_of(widget: Widget) -> str:
    """Return a page with a form that shows a widget."""
    context = {"widget": widget, "lists": lists_of(widget).items()}
    return f'<form id="ask">{render_to_string("play/asking/ask_root.html", context)}</form>'


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@given(answered())
@tries(100, suppress_health_check=SLOW)
def test_form_data_give_the_value_again(pair: tuple[Form, Any]) -> None:
    form, value = pair
    stored = form.parse(value)
    again = forms.value_of(form, forms.data_of(form, stored))
    assert form.parse(again) == stored


@given(answered())
@tries(40, suppress_health_check=SLOW)
def test_a_browser_sends_what_the_page_shows(pair: tuple[Form, Any]) -> None:
    form, value = pair
    stored = form.parse(value)
    data = ask_form(page_of(Making().widget(form, stored))).data
    assert form.parse(forms.value_of(form, data)) == stored


RAW = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(answered(), RAW)
@tries(40, suppress_health_check=SLOW)
def test_nonsense_can_be_shown_too(pair: tuple[Form, Any], raw: Any) -> None:
    form, _ = pair
    data = ask_form(page_of(Making().widget(form, raw))).data
    forms.value_of(form, data)


# What was typed wrong -----------------------------------------------------------------------------

CART = Record((
    Field("groups", Rows(Record((
        Field("rg", Choice((Option("I1", "Infantry"), Option("I2", "not now", "too dear")))),
        Field("count", Number(1, 20), "How many", 1),
    ))), "Groups", []),
    Field("note", Text(40), "Note", ""),
))  # fmt: skip


def typed(**fields: list[str]) -> dict[str, list[str]]:
    return {name.replace("__", "."): values for name, values in fields.items()}


def test_what_cannot_be_right_is_shown_as_it_was_typed() -> None:
    data = typed(a__groups=["7"], a__groups__7__rg=["I9"], a__groups__7__count=["two"])
    value = forms.value_of(CART, data)
    assert value["groups"] == [{"rg": "I9", "count": "two"}]
    with pytest.raises(DataError) as err:
        CART.parse(value)
    widget = with_problems(Making().widget(CART, value), err.value.problems)
    page = page_of(widget)
    again = ask_form(page).data
    assert forms.value_of(CART, again)["groups"] == value["groups"]
    row = widget.parts[0].rows[0]
    assert "a whole number from 1 to 20" in row.parts[1].problems[0]
    assert "I9" in row.parts[0].problems[0]
    assert 'aria-invalid="true"' in page


def test_options_are_found_by_their_words() -> None:
    data = typed(a__groups=["0"], a__groups__0__rg=["infantry"])
    assert forms.value_of(CART, data)["groups"] == [{"rg": "I1"}]


def test_a_new_line_begins_with_one_where_at_least_one_is_counted() -> None:
    fields = (Field("rg", Choice.of("I1")), Field("number", Number(1, 9)), Field("low", Number()))
    form = Rows(Record((*fields, Field("more", Number(1, 9), "", 2))))
    assert forms.add_row(form, [], []) == [{"number": 1}]
    blank = Making(cart=True).widget(form, []).blank
    assert blank is not None
    assert [part.text for part in blank.parts] == ["", "1", "", "2"]


def test_the_order_of_rows_is_that_of_the_form() -> None:
    data = typed(a__groups=["5", "2"], a__groups__2__rg=["I1"], a__groups__5__rg=["I2"])
    assert [row["rg"] for row in forms.value_of(CART, data)["groups"]] == ["I2", "I1"]


def test_rows_are_added_copied_and_struck_without_a_script() -> None:
    value: Any = {"groups": [{"rg": "I1"}], "note": "x"}
    value = forms.one_more(CART, value, ["groups"], {"rg": "I2"})
    value = forms.copy_row(CART, value, ["groups", "0"])
    assert [row["rg"] for row in value["groups"]] == ["I1", "I1", "I2"]
    value = forms.strike_row(CART, value, ["groups", "1"])
    assert value == {"groups": [{"rg": "I1"}, {"rg": "I2"}], "note": "x"}
    assert forms.add_row(CART, value, ["groups"])["groups"][-1] == {}
    for path in (["groups", "9"], ["groups", "x"], ["nowhere", "1"], [], ["note", "1"]):
        assert forms.strike_row(CART, value, path) == value


def test_one_more_and_one_less_of_the_same_share_a_line() -> None:
    fields = (Field("kind", Choice.of("wire", "mines")), Field("factors", Number(0, 9), "", 0))
    form = Record.of(Field("works", Rows.of(*fields, Field("count", Number(1, 9), "", 1))))
    wire, mines = {"kind": "wire"}, {"kind": "mines", "factors": "6"}
    value: Any = {"works": [{"kind": "mines", "factors": 1, "count": 4}]}
    for wanted in (mines, wire, mines, wire, wire):
        value = forms.one_more(form, value, ["works"], wanted)
    assert value["works"] == [
        {"kind": "mines", "factors": 1, "count": 4},
        {"kind": "mines", "factors": 6, "count": 2},
        {"kind": "wire", "count": 3},
    ]
    for wanted in (mines, mines, mines, wire):
        value = forms.one_less(form, value, ["works"], wanted)
    assert value["works"] == [{"kind": "mines", "factors": 1, "count": 4}, {"kind": "wire", "count": 2}]


@pytest.mark.parametrize(
    ("path", "home"),
    [
        ("groups[1].rg", "groups[1].rg"),
        ("groups[1].hex", "groups[1]"),
        ("groups[4].rg", "groups"),
        ("elsewhere", ""),
        ("[3].unit", ""),
    ],
)
def test_a_problem_is_told_at_the_nearest_part(path: str, home: str) -> None:
    known = {"", "groups", "groups[1]", "groups[1].rg"}
    assert nearest(path, known) == home
    widget = Making().widget(CART, {"groups": [{"rg": "I1"}]})
    told = with_problems(widget, [Problem("is wrong", "do it right", path)])
    homes = [one for one in (told, told.parts[0], told.parts[0].rows[0],
                             told.parts[0].rows[0].parts[0]) if one.problems]  # fmt: skip
    assert [one.path for one in homes] == [home]
    assert "is wrong; do it right" in homes[0].problems[0]


def test_the_way_of_a_problem_in_a_text() -> None:
    assert keys_of_path("units[3].at") == ("units", 2, "at")
    assert keys_of_path("[1].unit") == (0, "unit")
    assert keys_of_path("") == ()


def test_long_lists_share_their_options() -> None:
    units = tuple(Option(f"AX{i}", f"4-6-7 (AX{i})") for i in range(100))
    row = Record((Field("unit", Choice(units)), Field("marks", Several(units), "Marks", [])))
    value = [{"unit": f"AX{i}", "marks": ["AX1", "AX2"]} for i in range(100)]
    widget = Making().widget(Rows(row), value)
    assert {part.kind for part in widget.rows[0].parts} == {"search", "words"}
    page = page_of(widget)
    assert page.count("<option") < 250
    assert forms.value_of(Rows(row), ask_form(page).data) == value


def test_a_column_is_there_for_the_rows_that_need_it_and_for_none_if_none_does() -> None:
    kind, count = Field("kind", Choice.of("gun", "foxhole")), Field("count", Number(1, 9), "", 1)
    size = Field("size", Text(8), "", "", only_for=frozenset({"foxhole"}))
    radio = Field("radio", Text(8), "", "", only_for=frozenset())
    record = Record.of(kind, count, size, radio)
    assert [part.name for part in record.fields_for({"kind": "gun"})] == ["kind", "count"]
    assert [part.name for part in record.fields_for({"kind": "foxhole"})] == ["kind", "count", "size"]
    row = Making().widget(Rows(record), [{"kind": "gun", "count": 1, "size": "", "radio": ""}]).rows[0]
    assert [part.only_for for part in row.parts] == ["", "", '["foxhole"]', "[]"]
