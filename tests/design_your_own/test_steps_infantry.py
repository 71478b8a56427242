"""Infantry: capabilities, limits, letters, the second purchase and its reinforcements, SAN."""

from __future__ import annotations

from typing import Any

import pytest

from laager.campaign.forms import Choice, Record, Rows
from laager.rules.design_your_own.lines.infantry import identities, rule_lines
from laager.rules.design_your_own.ob import InfantryEntry
from laager.rules.design_your_own.steps.buying import close_category
from laager.rules.design_your_own.steps.infantry import infantry, second_infantry
from laager.rules.design_your_own.steps.works import san
from tests.design_your_own.harness import cg_of, play
from tests.steps import Played, refusals


def row(type_: str, number: int = 1, **marks: bool) -> dict[str, Any]:
    return {"type": type_, "number": number, **marks}


def buying(lines: list[dict[str, Any]], **how: Any) -> tuple[Any, Played]:
    wide = {k: how.pop(k) for k in ("mol", "ski", "winter_camouflage") if k in how}
    cg = cg_of(**how)
    return cg, play(infantry, cg, "axis", {"infantry": {"lines": lines, **wide}})


def refused(lines: list[dict[str, Any]], **how: Any) -> list[str]:
    wide = {k: how.pop(k) for k in ("mol", "ski", "winter_camouflage") if k in how}
    cg = cg_of(**how)
    question = play(infantry, cg_of(**how), "axis").question("infantry")
    assert cg.ob("axis").left == question_points(question.text)
    return refusals(question, {"lines": lines, **wide})


def question_points(text: str) -> int:
    return int(text.split("You have ")[1].split(maxsplit=1)[0])


@pytest.mark.parametrize(
    ("line", "wide", "each"),
    [
        (row("8-3-8"), {}, 18),
        (row("8-3-8", engineers=True), {}, 34),
        (row("8-3-8", engineers=True, sappers=True), {}, 50),
        (row("8-3-8", commandos=True, sappers=True), {}, 38),
        (row("8-3-8", engineers=True, sappers=True, commandos=True), {"mol": True}, 75),
        (row("4-6-8", sappers=True), {}, 22),
        (row("4-6-8", parachutes=True), {"ski": True}, 19),
        (row("4-6-7"), {"winter_camouflage": True, "mol": True}, 14),
        (row("4-6-8"), {"winter_camouflage": True, "ski": True}, 17),
        (row("4-6-7"), {"winter_camouflage": True, "ski": True}, 13),
    ],
)
def test_what_each_costs(line: dict[str, Any], wide: dict[str, bool], each: int) -> None:
    """BPV times the factors, rounded up, and all that is added; PF range 2 in September 1944."""
    cg, played = buying([{**line, "number": 3}], **wide)
    entry = cg.ob("axis").infantry[0]
    assert (entry.each, entry.total) == (each, 3 * each)
    assert played.of("infantry-bought")[0].why.startswith("3 x MPV ")


def test_side_wide_capabilities_stand_on_every_line() -> None:
    cg, _ = buying([row("4-6-8", 2), row("4-6-7", 2)], ski=True, mol=True, winter_camouflage=True)
    assert [entry.capabilities for entry in cg.ob("axis").infantry] == [("mol", "ski"), ("mol", "winter-camouflage")]


def test_equal_rows_are_one_line() -> None:
    cg, _ = buying([row("4-6-7", 2), row("4-6-7", 3), row("4-6-7", 1, sappers=True)])
    assert [(entry.number, entry.capabilities) for entry in cg.ob("axis").infantry] == [(5, ()), (1, ("sapper",))]


@pytest.mark.parametrize(
    ("lines", "how", "words"),
    [
        ([row("4-6-7", 27)], {}, "one game has 26"),
        ([row("4-6-7", 20), row("4-6-7", 7, sappers=True)], {}, "27 4-6-7 in all"),
        ([row("4-6-8", 26), row("8-3-8", 26)], {}, "all of it costs 858 (DYO H1.13)"),
        ([row("4-6-7", engineers=True)], {}, "they are not Elite (DYO H1.22); Elite squads only"),
        ([row("4-6-7", commandos=True)], {}, "they are not Elite (DYO H1.24)"),
        ([row("4-6-7", parachutes=True)], {}, "elite MMC only"),
        ([row("2-2-8", sappers=True)], {}, "it is not a squad (DYO H1.23)"),
        ([row("9-2")], {}, "9-2 is not one of the choices"),
        ([row("hero")], {}, "hero is not one of the choices"),
        ([row("2-4-8")], {}, "2-4-8 is not one of the choices"),
        ([row("4-6-7", 0)], {}, "0 isn't valid"),
    ],
)
def test_refusals(lines: list[dict[str, Any]], how: dict[str, Any], words: str) -> None:
    assert any(words in problem for problem in refused(lines, axis={"points": 800}, **how))


def test_extra_pieces_are_agreed_on() -> None:
    cg, _ = buying([row("4-6-7", 27)], agreements={"extra_pieces": True})
    assert cg.ob("axis").infantry[0].number == 27


def test_half_squads_by_a_reading() -> None:
    cg, _ = buying([row("2-4-8", 2)], readings={"half-squads": "yes"})
    assert cg.ob("axis").infantry[0].kind == "half-squad"


def test_the_form_says_what_there_is_and_why_not() -> None:
    played = play(infantry, cg_of(axis={"points": 11}), "axis")
    form = played.question("infantry").form
    assert isinstance(form, Record)
    rows = form.fields[0].form
    assert isinstance(rows, Rows)
    types = rows.row.fields[0].form
    assert isinstance(types, Choice)
    told = {option.value: option for option in types.options}
    assert told["4-6-7"].label == "4-6-7, line squad: BPV 10, MPV 12, 26 counters left"
    assert told["4-6-7"].why_not == "4-6-7 costs 12 (DYO H1.13); 11 points are left"
    assert told["2-2-8"].label.startswith("2-2-8, elite crew")
    assert "4-3-6" in types


def test_nothing_may_be_bought() -> None:
    cg, played = buying([])
    assert played.facts == []
    closed = play(close_category("infantry"), cg, "axis")
    assert [fact.kind for fact in closed.facts] == ["category-closed"]
    assert cg.state.closed["axis"] == ("infantry",)


def test_letters_only_where_squads_could_be_confused() -> None:
    cg, _ = buying(
        [
            row("4-6-8", 3),
            row("4-6-8", 4, sappers=True),
            row("4-6-8", 1, commandos=True),
            row("8-3-8", 3, engineers=True),
        ]
    )
    lines = rule_lines(cg.nation("axis"), cg.month, cg.ob("axis").infantry)
    assert identities(lines) == ("", "A-D", "E", "")


# The second purchase ----------------------------------------------------------------------------


def second(
    first: list[dict[str, Any]], more: list[dict[str, Any]], side: str = "allied", **answers: Any
) -> tuple[Any, Played]:
    cg = cg_of()
    play(infantry, cg, side, {"infantry": {"lines": first}})
    return cg, play(second_infantry, cg, side, {"second-infantry": {"lines": more}, **answers})


def test_a_large_second_purchase_enters_in_part_later() -> None:
    cg, played = second([row("4-4-7", 10)], [row("6-2-8", 7)])
    assert played.question("reinforcements").default == [{"line": "2", "number": 4}]
    assert [entry.reinforcements for entry in cg.ob("allied").infantry] == [0, 4]
    assert cg.ob("allied").infantry_of_purchase("second")[0].total == 84


def test_a_smaller_second_purchase_does_not() -> None:
    _, played = second([row("4-6-7", 10)], [row("4-6-8", 3)], "axis")
    assert "reinforcements" not in played.keys


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{"line": "2", "number": 3}], "at least 4"),
        ([], "at least 4"),
        ([{"line": "1", "number": 4}], "at least 4"),
        ([{"line": "3", "number": 4}], "3 is not one of the choices"),
        ([{"line": "2", "number": 2}, {"line": "2", "number": 2}], "line 2 is named twice"),
        ([{"line": "2", "number": 9}], "line 2 has 7"),
    ],
)
def test_too_few_reinforcements(rows: list[dict[str, Any]], words: str) -> None:
    _, played = second([row("4-4-7", 10)], [row("6-2-8", 7)])
    assert any(words in told for told in refusals(played.question("reinforcements"), rows))


def test_of_two_lines_the_owner_chooses() -> None:
    rows = [{"line": "3", "number": 2}, {"line": "2", "number": 1}]
    cg, played = second([row("4-4-7", 4)], [row("6-2-8", 3), row("4-5-8", 3)], reinforcements=rows)
    assert [entry.reinforcements for entry in cg.ob("allied").infantry] == [0, 1, 2]
    question = played.question("reinforcements")
    assert refusals(question, [{"line": "3", "number": 3}]) == []
    twice = [{"line": "2", "number": 1}, {"line": "2", "number": 2}]
    assert refusals(question, twice) == ["[2]: line 2 is named twice; name it once"]
    cg, played = second([row("4-4-7", 2)], [row("6-2-8", 1), row("4-5-8", 5)])
    told = refusals(played.question("reinforcements"), [{"line": "2", "number": 3}])
    assert told[0] == "[1]: line 2 has 1; 1 at most"


@pytest.mark.parametrize(
    ("first", "wide", "words"),
    [([row("4-6-7", 2)], {"mol": True}, "MOL for some only"), ([row("4-6-8", 2)], {"ski": True}, "Skis for some only")],
)
def test_no_capability_begins_too_late(first: list[dict[str, Any]], wide: dict[str, bool], words: str) -> None:
    cg = cg_of()
    play(infantry, cg, "axis", {"infantry": {"lines": first}})
    question = play(second_infantry, cg, "axis").question("second-infantry")
    told = refusals(question, {"lines": [row("4-6-8", 1)], **wide})
    assert any(words in problem for problem in told)


def test_what_all_have_is_proposed_again_and_must_be_paid() -> None:
    cg = cg_of()
    play(infantry, cg, "axis", {"infantry": {"lines": [row("4-6-7", 2)], "mol": True}})
    question = play(second_infantry, cg, "axis").question("second-infantry")
    assert question.default["mol"] is True
    lines = [row("4-6-7", 1)]
    assert refusals(question, {"lines": lines, "mol": True}) == []
    assert any("MOL" in told for told in refusals(question, {"lines": lines, "mol": False}))


def test_counters_of_the_first_purchase_are_gone() -> None:
    cg = cg_of()
    play(infantry, cg, "axis", {"infantry": {"lines": [row("4-3-6", 20)]}})
    question = play(second_infantry, cg, "axis").question("second-infantry")
    told = refusals(question, {"lines": [row("4-3-6", 7)]})
    assert told == ["lines: 27 4-3-6 in all (DYO H1.11); one game has 26"]


# SAN --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "cost"), [(2, 0), (3, 10), (7, 50)])
def test_san(value: int, cost: int) -> None:
    cg = cg_of()
    played = play(san, cg, "axis", {"san": value})
    assert (cg.ob("axis").san, cg.ob("axis").san_cost) == (value, cost)
    assert len(played.of("san-bought")) == (cost > 0)


def test_san_refusals() -> None:
    question = play(san, cg_of(axis={"points": 25}), "axis").question("san")
    assert refusals(question, 8)[0].startswith("a SAN of 8 is too high (DYO H1.29); 7 at most")
    assert refusals(question, 5) == ["a SAN of 5 costs 30 (DYO H1.13); 25 points are left"]
    assert refusals(question, 1) == ["1 isn't valid; a whole number from 2 to 99"]
    assert refusals(play(san, cg_of(readings={"san-limit": "none"})).question("san"), 8) == []


@pytest.mark.parametrize(
    ("readings", "help_"),
    [
        ({}, "Each step above 2 costs 10 points; 7 at most."),
        ({"san-limit": "none"}, "Each step above 2 costs 10 points."),
    ],
)
def test_the_question_tells_the_highest_san(readings: dict[str, str], help_: str) -> None:
    assert play(san, cg_of(readings=readings), "axis").question("san").help == help_


def test_how_many_must_be_said() -> None:
    question = play(infantry, cg_of(), "axis").question("infantry")
    told = refusals(question, {"lines": [{"type": "4-6-7"}]})
    assert len(told) == 1
    assert told[0].startswith("lines[1].number: is missing")


def test_an_entry_that_has_no_values_costs_nothing() -> None:
    """A half-squad received free needs no BPV."""
    cg = cg_of()
    entry = InfantryEntry(type="2-4-7", kind="half-squad", number=1, purchase="bonus")
    assert rule_lines(cg.nation("axis"), cg.month, [entry])[0].squads == 1 / 2
