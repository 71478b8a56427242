"""Playing from the command line: new, next, answer, report, status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Laager
from .evenings import BLUE_PLAN, RED_PLAN, THE_REST

Write = Callable[[str, str], Path]


@pytest.fixture
def reported(evening: Laager, write: Write) -> Laager:
    """An evening on which the battle is to be reported."""
    for name, text in (("red", RED_PLAN), ("blue", BLUE_PLAN), ("rest", THE_REST)):
        evening.well("answer", write(f"{name}.yaml", text))
    return evening


# new ------------------------------------------------------------------------------------------


def test_a_campaign_is_begun_from_a_shipped_card(laager: Laager) -> None:
    out = laager.well("new", "evening")
    assert "An evening in the parlour: evening.laager" in out
    assert "note: the piano is out of tune" in out
    assert "dice: Laager rolls; committed to " in out
    assert out.splitlines()[-1] == "go on with: laager next"
    assert Path("evening.laager").exists()


def test_a_campaign_is_begun_under_another_name(laager: Laager) -> None:
    out = laager.well("new", "evening", "-f", "tuesday.laager")
    assert "go on with: laager next -c tuesday.laager" in out


def test_a_card_of_ones_own_names_its_rules(laager: Laager, write: Write) -> None:
    card = write("mine.yaml", "laager: parlour-card/1\ntitle: Mine\nsource: me\nrounds: 1\n")
    assert "Mine: mine.laager" in laager.well("new", card)


def test_the_shipped_campaign_of_platoon_leader_begins(laager: Laager) -> None:
    assert "rzhavets.laager" in laager.well("new", "rzhavets")
    assert "Firefight 1 of 8" in laager.well("status")


def test_a_reading_is_put_in_force(laager: Laager) -> None:
    laager.well("new", "evening", "--reading", "early-tea=four")
    opening = json.loads(Path("evening.laager").read_text(encoding="utf-8").splitlines()[0])
    assert opening["body"]["readings"] == {"early-tea": "four"}


def test_an_existing_campaign_is_never_overwritten(evening: Laager) -> None:
    before = Path("evening.laager").read_bytes()
    ended = evening("new", "evening")
    assert (ended.code, ended.out) == (1, "")
    assert "evening.laager already exists; go on with it (laager next -c evening.laager)" in ended.err
    assert Path("evening.laager").read_bytes() == before


# status ---------------------------------------------------------------------------------------


def test_status_says_what_is_asked_of_whom_and_what_to_type(evening: Laager) -> None:
    out = evening.well("status")
    assert "red is asked [plan]: What is the plan of red?" in out
    assert "blue is asked [plan]: What is the plan of blue?" in out
    assert out.endswith("go on with: laager next\n")


def test_status_of_a_side_names_its_own_question_only(evening: Laager) -> None:
    out = evening.well("status", "--side", "red")
    assert "red is asked [plan]" in out
    assert "waiting for blue" in out
    assert "plan of blue" not in out
    assert out.endswith("go on with: laager next --side red\n")


def test_the_side_may_stand_in_the_environment(evening: Laager) -> None:
    assert evening.well("status", LAAGER_SIDE="blue") == evening.well("status", "-s", "blue")


def test_status_says_which_dice_are_waited_for(evening: Laager, write: Write) -> None:
    evening.well("answer", write("a.yaml", RED_PLAN.partition("  - {side: red, rolls")[0]))
    assert "red is asked [roll]: roll dr for Nerve of red" in evening.well("status")


def test_the_file_may_be_named_without_its_ending(evening: Laager) -> None:
    assert evening.well("status", "-c", "evening") == evening.well("status").replace(
        "go on with: laager next", "go on with: laager next -c evening"
    )


# next, in a pipe --------------------------------------------------------------------------------


def test_next_reads_a_line_for_each_question_and_takes_the_proposal_for_an_empty_one(evening: Laager) -> None:
    out = evening.well("next", "--side", "red", stdin="{word: tea, tactic: attack}\n4\n")
    assert "[red] What is the plan of red?\n    rule PARLOUR 2\n" in out
    assert "[red] Nerve of red: roll a dr\n    rule PARLOUR 2\n    +1 the bid of red (PARLOUR 2)" in out
    assert "Red rolls dr for Nerve of Red: 4, +1 the bid of red (PARLOUR 2) = 5" in out
    assert out.endswith("waiting for blue\n")


def test_next_says_that_the_other_side_must_answer(evening: Laager, write: Write) -> None:
    evening.well("answer", write("a.yaml", RED_PLAN))
    assert evening.well("next", "--side", "red") == ("\nround 1, points: red 0, blue 0\nwaiting for blue\n")


def test_next_stops_when_told_to(evening: Laager) -> None:
    before = Path("evening.laager").read_bytes()
    assert evening.well("next", stdin="q\n").endswith("stopped; go on with laager next\n")
    assert evening.well("next", stdin="").endswith("stopped; go on with laager next\n")
    assert Path("evening.laager").read_bytes() == before


def test_next_tells_all_that_is_wrong_and_asks_again(evening: Laager) -> None:
    ended = evening("next", "-s", "red", stdin="{bid: 12, tactic: retreat, colour: 1}\n\n\n")
    assert ended.code == 0
    assert (
        ended.err
        == (
            "That doesn't work:\n"
            "  colour: is not known here; known are bid, bold, flags, orders, tactic, word\n"
            "  word: is missing; add it\n"
            "  bid: 12 isn't valid; a whole number from 0 to 9\n"
            "  tactic: nobody retreats on the first day; attack or defend\n"
        )
        or "  word: is missing; add it\n" in ended.err
    )
    assert "waiting for blue" in ended.out


def test_input_that_ends_after_a_refusal_is_refused(evening: Laager) -> None:
    ended = evening("next", "-s", "red", stdin="{bid: 12}\n")
    assert ended.code == 1
    assert "laager: the input ended before this was answered; what was accepted is kept" in ended.err


def test_wrong_dice_are_asked_for_again(evening: Laager) -> None:
    ended = evening("next", "-s", "red", stdin="\n7\nseven\n3\n")
    assert ended.code == 0
    assert ended.err.count("That doesn't work:") == 2
    assert "Red rolls dr for Nerve of Red: 3" in ended.out


def test_laager_rolls_for_who_leaves_the_faces_out(evening: Laager) -> None:
    evening.well("next", "-s", "red", stdin="\n\n")
    assert "1 roll (0 entered by players)" in evening.well("verify")


def test_defaults_take_proposals_and_let_laager_roll(evening: Laager) -> None:
    out = evening.well("next", "--defaults", "8", stdin="q\n")
    assert "Blue answers: Your stake? – 5" in out
    assert "[red] What became of your units?" in out


def test_a_whole_campaign_can_be_played_by_proposals(evening: Laager) -> None:
    out = evening.well("next", "--defaults", "99")
    assert "everybody goes home" in out
    assert out.endswith("nobody has anything to answer\n")
    ended = evening("end", "--side", "red", "--concede")
    assert (ended.code, ended.err) == (1, "laager: the campaign is over already\n")


def test_a_clause_is_remembered_at_its_moment_once_in_a_sitting(evening: Laager) -> None:
    out = evening.well("next", stdin="\n\n\nq\n")
    assert "[blue] What is the plan of blue?" in out
    assert out.count("remember PARLOUR 5 Manners") == 1


# answer -----------------------------------------------------------------------------------------


def test_answers_from_a_file_are_given_and_told(evening: Laager, write: Write) -> None:
    out = evening.well("answer", write("a.yaml", RED_PLAN), "--side", "red")
    assert "Red answers: What is the plan of Red?" in out
    assert "4-6-7 (R1) to B2" in out
    assert out.endswith("waiting for blue\n")


def test_a_template_is_an_answers_file_with_the_proposals(evening: Laager, write: Write) -> None:
    text = evening.well("answer", "--template")
    assert "# tactic: Tactic (left out: defend); one of" in text
    assert "#     retreat  = Retreat; not now: nobody retreats" in text
    assert "#     - {unit: R1, at: " in text
    out = evening.well("answer", write("all.yaml", text))
    assert "Blue answers: What is the plan of Blue?" in out


def test_a_template_of_a_side_has_nothing_of_the_other(evening: Laager) -> None:
    text = evening.well("answer", "--template", "--side", "red")
    assert "side: red" in text
    assert "blue" not in text.lower()


def test_a_template_asks_for_dice_by_name(evening: Laager, write: Write) -> None:
    evening.well("answer", write("a.yaml", RED_PLAN.partition("  - {side: red, rolls")[0]))
    text = evening.well("answer", "--template", "-s", "red")
    assert "# Roll for Nerve of red" in text
    assert evening.well("answer", write("b.yaml", text.replace("[]", "[[6]]"))).count("Nerve") == 1


def test_answers_until_a_question_is_asked(evening: Laager, write: Write) -> None:
    out = evening.well("answer", write("a.yaml", "laager: answers/1\nanswers: [{until: more}]\n"))
    assert "red is asked [more]: Go on?" in out


def test_a_file_counts_as_a_whole_or_not_at_all(evening: Laager, write: Write) -> None:
    before = Path("evening.laager").read_bytes()
    wrong = RED_PLAN + "  - {side: blue, for: plan, answer: {bid: 1}}\n"
    ended = evening("answer", write("a.yaml", wrong))
    assert ended.code == 1
    assert "a.yaml:12: answers[3].answer.word: is missing; add it" in ended.err
    assert Path("evening.laager").read_bytes() == before


# report -----------------------------------------------------------------------------------------


def test_a_report_goes_round_from_template_to_answer(reported: Laager, write: Write) -> None:
    template = reported.well("report", "--side", "red", "--template")
    assert "# What became of your units?" in template
    assert "- {unit: R1, marks: []}" in template
    changed = template.replace("{unit: R2, marks: []}", "{unit: R2, type: 4-4-7, marks: [broken]}")
    out = reported.well("report", "--side", "red", write("red.yaml", changed))
    assert "Red answers: What became of your units?" in out
    assert out.endswith("waiting for blue\n")
    out = reported.well(
        "report", "--side", "blue",
        write("blue.yaml", reported.well("report", "--side", "blue", "--template")),
    )  # fmt: skip
    assert "4-6-7 (R2) becomes 4-4-7" in out


def test_a_wrong_report_is_told_line_by_line(reported: Laager, write: Write) -> None:
    template = reported.well("report", "--side", "red", "--template")
    line = next(i for i, text in enumerate(template.splitlines(), 1) if "unit: R2" in text)
    wrong = template.replace("{unit: R2, marks: []}", "{unit: B2, marks: [asleep]}")
    ended = reported("report", "--side", "red", write("red.yaml", wrong))
    assert ended.code == 1
    assert ended.err.startswith("The report doesn't add up; nothing was applied:\n")
    assert f"red.yaml:{line}: units[2].marks[1]: asleep is not one of the choices" in ended.err


def test_a_report_that_nobody_wants_is_refused(evening: Laager, write: Write) -> None:
    for words in (("--template",), (write("r.yaml", "{}"),)):
        ended = evening("report", "--side", "red", *words)
        assert ended.code == 1
        assert ended.err == ("laager: no battle report is wanted from red just now; asked now: plan\n")
