"""Answers in words and as YAML that can be read back."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.base import DataError, Problem
from laager.base.files import parse_document
from laager.campaign.answer_words import in_words
from laager.campaign.forms import Choice, Field, Form, Number, Option, Record, Rows, Several, Text, YesNo
from laager.campaign.questions import Question
from laager.campaign.wording import allowed_in_words, answer_sheets, comments, place_words, value_words, yaml_text
from laager.cli.asking.desk import WRONG, read_back, text_of, with_problems
from tests.tries import tries

UNITS = Choice((Option("AX1", "4-6-7 (AX1) of I1/1"), Option("AX2", "LMG", "it is broken")))
GROUPS = Choice((Option("I3", "Assault engineers: off map 7, On Map 8"), Option("O1")))
ROW = Record(
    (
        Field("unit", UNITS, "Unit"),
        Field("rg", GROUPS, "Group", ""),
        Field("count", Number(1, 9), "How many", 1),
        Field("openly", YesNo(), "Openly", False),
        Field("marks", Several((Option("dm"), Option("hip", "hidden"))), "Markers", []),
        Field("at", Text(9), "", ""),
    )
)
FORM = Record((Field("units", Rows(ROW, most=4), "Your units", []), Field("cp", Number(0, 5), "CP")))


# Words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "value", "words"),
    [
        (YesNo(), True, "yes"),
        (Number(), 0, "0"),
        (Text(), "", "nothing"),
        (UNITS, "AX1", "4-6-7 (AX1) of I1/1"),
        (UNITS, "AX9", "AX9"),
        (GROUPS, "I3", "I3  Assault engineers"),
        (GROUPS, "O1", "O1"),
        (Several((Option("hip", "hidden"),)), ["hip"], "hidden"),
        (Several(()), [], "none"),
        (Rows(ROW), [], "none"),
        (Rows(ROW), [{}], "1 line"),
        (Rows(ROW), [{}, {}], "2 lines"),
        (ROW, {"unit": "AX1", "count": 1, "openly": False, "at": ""}, "4-6-7 (AX1) of I1/1"),
        (ROW, {"unit": "AX1", "count": 3, "openly": True}, "4-6-7 (AX1) of I1/1, How many: 3, "
         "Openly: yes"),
        (ROW, {"unit": "AX1", "marks": ["dm", "hip"], "odd": 1}, "4-6-7 (AX1) of I1/1, dm, hidden, "
         "odd: 1"),
        (ROW, "nonsense", "nonsense"),
    ],
)  # fmt: skip
def test_answers_are_told_by_labels(form: Form, value: Any, words: str) -> None:
    assert value_words(form, value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "yes"), (False, "no"), (None, "nothing"), ("", "nothing"), ([], "nothing"),
        ({}, "nothing"), (3, "3"), ("A", "A"), (["A", "B"], "A, B"), ([{}], "1 line"),
        ([{}, {}], "2 lines"), ({"cp": 0, "works": []}, "cp: 0, works: nothing"),
    ],
)  # fmt: skip
def test_values_are_told_without_their_form(value: Any, words: str) -> None:
    assert in_words(value) == words


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (YesNo(), "yes or no"),
        (Number(2, 12), "a whole number from 2 to 12"),
        (UNITS, "one of AX1"),
        (Choice((Option("A", "", "no"),)), "one of nothing just now"),
        (Several((Option("a"), Option("b")), most=1), "a list, 0 to 1 of a, b"),
        (Text(), "text"),
        (Rows(ROW, most=4), "lines, at most 4"),
        (FORM, "fields"),
        (Choice(tuple(Option(f"H{i}") for i in range(20))), "one of H0, H1, H2, H3, H4, H5, H6, "
         "H7, H8, H9, H10, H11, … (20 in all)"),
    ],
)  # fmt: skip
def test_what_is_allowed_is_said_in_a_line(form: Form, words: str) -> None:
    assert allowed_in_words(form) == words


def test_comments_name_every_field_and_every_choice() -> None:
    assert list(comments(FORM)) == [
        "units: Your units; a list; each line begins with - such as",
        '    - {unit: AX1, rg: I3, count: 1, openly: no, marks: [], at: ""}',
        "    unit: Unit; one of",
        "        AX1  = 4-6-7 (AX1) of I1/1",
        "        AX2  = LMG; not now: it is broken",
        "    rg: Group (left out: nothing); one of",
        "        I3  = Assault engineers: off map 7, On Map 8",
        "        O1",
        "    count: How many (left out: 1); a whole number from 1 to 9",
        "    openly: Openly (left out: no); yes or no",
        "    marks: Markers (left out: nothing); a list of",
        "        dm",
        "        hip  = hidden",
        "    at (left out: nothing); text",
        "cp: CP; a whole number from 0 to 5",
    ]


def test_an_answer_is_shown_as_a_list_and_tables() -> None:
    value = {"cp": 3, "units": [{"unit": "AX1", "count": 2}, {"unit": "AX2"}]}
    single, rows = answer_sheets("Proposal", FORM, value)
    assert (single.title, single.rows) == ("Proposal", (("CP", "3"),))
    assert rows.title == "Your units"
    assert [column.title for column in rows.columns] == ["", "Unit", "How many"]
    assert rows.rows == (("1", "4-6-7 (AX1) of I1/1", "2"), ("2", "AX2  LMG", ""))
    (empty,) = answer_sheets("Proposal", FORM, {"cp": 0, "units": []})
    assert empty.rows == (("Your units", "none"), ("CP", "0"))


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("units[1].at", "Your units, row 1 (4-6-7 (AX1) of I1/1), at"),
        ("units[1].count", "Your units, row 1 (4-6-7 (AX1) of I1/1), How many"),
        ("units[2]", "Your units, row 2 (AX2  LMG)"),
        ("units[3].at", "Your units, row 3, at"),
        ("units[0].at", "Your units, row 0, at"),
        ("units", "Your units"),
        ("cp", "CP"),
        ("", ""),
        ("odd[1].at", "odd, row 1, at"),
    ],
)
def test_problems_name_the_line_they_are_about(field: str, words: str) -> None:
    value = {"cp": 3, "units": [{"unit": "AX1"}, {"unit": "AX2"}]}
    assert place_words(FORM, value, field) == words


def test_problems_of_bare_lists_and_of_nonsense() -> None:
    assert place_words(Rows(ROW), [{"unit": "AX2"}], "[1].at") == "row 1 (AX2  LMG), at"
    assert place_words(FORM, 7, "units[1].at") == "Your units, row 1, at"
    assert place_words(FORM, {"units": [3]}, "units[1].at") == "Your units, row 1, at"


def test_a_refused_answer_has_its_path_and_the_words_of_its_form() -> None:
    question = Question("cart", "axis", "What?", FORM, check=lambda _: [Problem("bad", "", "cp")])
    with pytest.raises(DataError) as caught:
        question.accept({"cp": 9, "units": [{"unit": "AX1", "count": 0}]})
    places = ["Your units, row 1 (4-6-7 (AX1) of I1/1), How many", "CP"]
    assert [one.place for one in caught.value.problems] == places
    assert str(caught.value).startswith("units[1].count: ")
    assert caught.value.problems[1].told == "CP: 9 isn't valid; a whole number from 0 to 5"
    with pytest.raises(DataError) as caught:
        question.accept({"cp": 1})
    assert [one.told for one in caught.value.problems] == ["CP: bad"]


def test_labels_are_told_without_what_they_say_of_filling_them_in() -> None:
    row = Record((Field("hexes", Text(), "The ten hexes, such as A1-A6, B2"),))
    assert place_words(Rows(row), [], "[2].hexes") == "row 2, The ten hexes"


# Text -------------------------------------------------------------------------------------------

PLAIN = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**6), 10**6),
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12),
        st.sampled_from(["yes", "no", "on", "4-6-7", "null", "~", "0o7", "1e3", "2:30", "", " a "]),
        st.sampled_from(["1943-07-12", "- x", "a: b", "# c", "'", '"', "{", "[", "&a", "*a", "!t"]),
    ),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc-_ ", min_size=1, max_size=6), inner, max_size=4)
    ),
    max_leaves=15,
)


@tries(200)
@given(PLAIN)
def test_what_is_written_as_yaml_is_read_back_the_same(value: Any) -> None:
    assert parse_document(yaml_text({"value": value}), "it").data == {"value": value}


@tries(60)
@given(st.integers(0, 10**6))
def test_an_answer_goes_through_the_editor_unchanged(seed: int) -> None:
    value = FORM.sample(Random(seed))
    question = Question("units", "axis", "Which\nof them?", FORM, "PL 2.6", help="All: # of them.")
    text = text_of(question, value)
    assert read_back(text) == value
    assert read_back(with_problems(text, ["units: odd", "two\nlines"])) == value


def test_problems_stand_on_top_once() -> None:
    once = with_problems("# Hello\na: 1\n", ["first"])
    assert once == f"{WRONG}first\n# Hello\na: 1\n"
    assert with_problems(once, ["second"]) == f"{WRONG}second\n# Hello\na: 1\n"


def test_each_row_stands_on_a_line() -> None:
    rows = [{"unit": "AX1", "marks": ["dm"], "at": "A" * 200}, {"unit": "AX2", "marks": []}]
    assert yaml_text({"units": rows, "marks": ["a", "b"]}).splitlines() == [
        "units:",
        f"- {{unit: AX1, marks: [dm], at: {'A' * 200}}}",
        "- {unit: AX2, marks: []}",
        "marks: [a, b]",
    ]


@pytest.mark.parametrize("value", [3, True, "attack", "", [], {}, {"turn": 5}])
def test_a_template_can_be_filled_in_below_its_names(value: Any) -> None:
    text = "- for: it\n" + "".join(f"  {line}\n" for line in yaml_text({"answer": value}).splitlines())
    assert parse_document(text, "it").data == [{"for": "it", "answer": value}]
