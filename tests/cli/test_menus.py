"""Answering at a terminal: menus, the desk for long answers, the editor, one keyboard for two."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from laager.campaign.record import KEY
from laager.cli.asking.menus import fill
from laager.cli.play.keyboard import CLEAR
from tests.rules.record.test_files import begin, questions_of
from tests.rules.record.test_files import text as record_text

from .conftest import Laager
from .evenings import BLUE_PLAN, RED_PLAN, THE_REST
from .running import Ended

ENTER, DOWN, UP, BACKSPACE, SPACE = "\r", "\x1b[B", "\x1b[A", "\x7f", " "
CTRL_C, CTRL_D = "\x03", "\x04"

TAKE = ENTER
"""At the desk: the proposal."""
CHANGE, EDIT = DOWN + ENTER, DOWN * 2 + ENTER

Typed = Callable[..., Ended]
Write = Callable[[str, str], Path]


@pytest.fixture
def typed(evening: Laager, monkeypatch: pytest.MonkeyPatch) -> Iterator[Typed]:
    """Run `laager next` with a person at the keyboard who types these keys.

    What is read by line (pauses, dice) comes from `lines`.
    """
    monkeypatch.setattr("laager.cli.asking.person.at_terminal", lambda: True)
    monkeypatch.setattr("laager.cli.asking.person.at_terminal", lambda: True)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):

        def _typed(*keys: str, words: str = "--side red", lines: str = "") -> Ended:
            # A test that types too little is broken off instead of waiting for ever.
            pipe.send_text("".join(keys) + CTRL_C)
            return evening("next", *words.split(), stdin=lines)

        yield _typed


@pytest.fixture
def late(evening: Laager, write: Write) -> Laager:
    for name, text in (("red", RED_PLAN), ("blue", BLUE_PLAN)):
        evening.well("answer", write(f"{name}.yaml", text))
    return evening


# Simple forms -----------------------------------------------------------------------------------


def test_yes_or_no(late: Laager, typed: Typed) -> None:
    ended = typed(UP, ENTER, lines="34\n")
    assert "Red answers: Does it rain? – yes" in ended.out
    assert "Wind: 3+4=7, +1 it rains" in ended.out


def test_the_proposal_is_marked(late: Laager, typed: Typed) -> None:
    assert "Red answers: Does it rain? – no" in typed(ENTER, lines="34\n").out


def test_stopping_in_a_menu(late: Laager, typed: Typed) -> None:
    ended = typed(DOWN, ENTER)
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "stopped; go on with laager next")


def test_a_number_is_checked_while_it_is_typed(late: Laager, write: Write, typed: Typed) -> None:
    rest = THE_REST.partition("  - {side: red, for: stake")[0]
    late.well("answer", write("rest.yaml", rest))
    # What is typed takes the place of the proposal. 500 is not accepted by the prompt; a zero is taken away again.
    ended = typed("500", ENTER, BACKSPACE, ENTER)
    assert "Red answers: Your stake? – 50" in ended.out


def test_ctrl_c_breaks_off(late: Laager, typed: Typed) -> None:
    ended = typed(CTRL_C)
    assert ended.code == 130
    assert ended.err == "laager: stopped; what you confirmed is kept\n"


def test_a_choice(late: Laager, write: Write, typed: Typed) -> None:
    late.well("answer", write("u.yaml", "laager: answers/1\nanswers: [{until: more}]\n"))
    assert "Red answers: Go on? – stop" in typed(DOWN, ENTER).out


# Long answers -----------------------------------------------------------------------------------


def test_the_proposal_comes_first_and_is_taken_with_a_key(typed: Typed) -> None:
    ended = typed(TAKE, lines="5\n")
    assert "Proposal\n Word of the day  nothing\n Bid              1\n" in ended.out
    assert " Tactic           Defend\n" in ended.out
    assert " Orders           none\n" in ended.out
    assert "Red rolls dr for Nerve of Red: 5, +1" in ended.out


def test_fields_are_changed_one_by_one(evening: Laager, typed: Typed) -> None:
    word = DOWN + ENTER + BACKSPACE * 7 + "soup" + ENTER
    bid = DOWN * 2 + ENTER + BACKSPACE + "3" + ENTER
    tactic = DOWN * 3 + ENTER + UP + ENTER
    flags = DOWN * 4 + ENTER + SPACE + DOWN * 2 + SPACE + ENTER
    bold = DOWN * 5 + ENTER + UP + ENTER
    ended = typed(CHANGE, word, bid, tactic, flags, bold, ENTER, ENTER, lines="5\n")
    assert "Your answer\n Word of the day  soup\n Bid              3\n" in ended.out
    assert " Tactic           Attack\n Flags            a, c\n Boldly?          yes\n" in ended.out
    number = next(line for line in ended.out.splitlines() if "Red answers" in line).split()[0]
    told = evening.well("why", number, "--side", "red")
    assert "word: soup" in told
    assert "flags: [a, c]" in told
    assert "bold: true" in told


ORDERS = DOWN * 6 + ENTER
ADD = DOWN + ENTER


def order(down: int, where: str) -> str:
    """Return the keys for a new line: so many units down, that hex, the speed proposed."""
    return ADD + DOWN * down + ENTER + where + ENTER + ENTER


def test_lines_are_added_changed_copied_and_struck(typed: Typed) -> None:
    first, second = order(0, "A1"), order(3, "B3")
    change = DOWN * 2 + ENTER + ENTER + (DOWN * 2 + ENTER + BACKSPACE * 2 + "C4" + ENTER) + ENTER
    # Another like the second, for the unit below it, and the first one is struck.
    copy = DOWN * 3 + ENTER + DOWN + ENTER + (DOWN + ENTER + DOWN + ENTER) + ENTER
    strike = DOWN * 2 + ENTER + DOWN * 2 + ENTER
    ended = typed(CHANGE, ORDERS, first, second, change, copy, strike, ENTER, ENTER, ENTER, lines="5\n")
    shown = ended.out.partition("Orders\n")[2].partition("Red rolls")[0]
    assert " 1  4-6-7 (R4)  B3\n 2  4-6-7 (R5)  B3\n" in shown
    assert "2 x 4-6-7 (R4, R5) to B3" in ended.out
    assert "R1)" not in ended.out.partition("Orders\n")[2]


def test_all_lines_are_struck(typed: Typed) -> None:
    keys = (CHANGE, ORDERS, order(0, "A1"), order(1, "A2"), UP + ENTER, ENTER, ENTER, ENTER)
    ended = typed(*keys, lines="5\n")
    assert "Red answers" in ended.out
    assert "to A1" not in ended.out


def test_a_new_line_is_thought_better_of(typed: Typed) -> None:
    ended = typed(CHANGE, ORDERS, ADD + UP + ENTER, ENTER, ENTER, TAKE, lines="5\n")
    assert "Red answers" in ended.out


def test_what_is_refused_stays_on_the_desk_with_all_problems(typed: Typed) -> None:
    twice = order(0, "A1") + order(0, "A2")
    bid = DOWN * 2 + ENTER + BACKSPACE + "8" + ENTER
    # Refused; then the bid is lowered and the second line struck.
    lower = DOWN * 2 + ENTER + BACKSPACE + "2" + ENTER
    mend = ORDERS + DOWN * 3 + ENTER + DOWN * 2 + ENTER + ENTER
    ended = typed(
        *(CHANGE, bid, ORDERS, twice, ENTER, ENTER),
        *(UP + ENTER,),  # answer with this, all the same
        *(ENTER, lower, mend, ENTER, ENTER),
        lines="5\n",
    )
    assert ended.code == 0
    problems = (
        "  Tactic: who bids more than 5 may not defend; attack\n"
        "  Orders, row 2 (4-6-7 (R1)), Unit: R1 has orders already; one each\n"
    )
    assert f"Not yet right:\n{problems}" in ended.err
    assert f"That doesn't work; nothing you typed is lost:\n{problems}" in ended.err
    assert "4-6-7 (R1) to A1" in ended.out
    assert "to A2" not in ended.out


def test_back_to_the_proposal_and_stopping(evening: Laager, typed: Typed) -> None:
    before = Path("evening.laager").read_bytes()
    bid = DOWN * 2 + ENTER + BACKSPACE + "8" + ENTER
    ended = typed(CHANGE, bid, ENTER, DOWN * 2 + ENTER, UP + ENTER)
    assert ended.out.splitlines()[-1] == "stopped; go on with laager next"
    assert Path("evening.laager").read_bytes() == before


# The editor ---------------------------------------------------------------------------------------


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Make an editor that runs these lines of shell; $1 is the file, $N how often it was called."""

    def _editor(script: str) -> Path:
        path = tmp_path / "my editor"
        count = tmp_path / "calls"
        path.write_text(
            f'#!/bin/sh\necho x >> "{count}"\nN=$(wc -l < "{count}")\ncat "$1" > "{tmp_path}/seen$N"\n{script}\n'
        )
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("VISUAL", f"'{path}'")
        return tmp_path

    return _editor


def test_the_editor_shows_the_proposal_and_what_may_be_answered(typed: Typed, editor: Callable[[str], Path]) -> None:
    home = editor('sed -i "s/^word: nothing/word: broth/" "$1"')
    ended = typed(EDIT, ENTER, lines="5\n")
    seen = (home / "seen1").read_text(encoding="utf-8")
    assert seen.startswith("# What is the plan of red?\n# Rule PARLOUR 2\n# Bid high and attack")
    assert "# bid: Bid (left out: 1); a whole number from 0 to 9\n" in seen
    assert "#     retreat  = Retreat; not now: nobody retreats on the first day" in seen
    assert "# orders: Orders; a list; each line begins with - such as\n" in seen
    assert '#     - {unit: R1, at: "", count: 1}\n' in seen
    assert "\nword: nothing\nbid: 1\n" in seen
    assert " Word of the day  broth\n" in ended.out
    assert "Red answers" in ended.out


def test_a_refused_text_comes_back_with_what_is_wrong_on_top(typed: Typed, editor: Callable[[str], Path]) -> None:
    script = (
        'if [ "$N" = 1 ]; then sed -i "s/^bid: 1/bid: 12/; s/^tactic: defend/tactic: hide/" "$1"\n'
        'else sed -i "s/^bid: 12/bid: 2/; s/^tactic: hide/tactic: attack/" "$1"; fi'
    )
    home = editor(script)
    ended = typed(EDIT, ENTER, ENTER, lines="5\n")
    again = (home / "seen2").read_text(encoding="utf-8")
    assert again.startswith("#! bid: 12 isn't valid; a whole number from 0 to 9\n#! tactic: hide is")
    assert "\nbid: 12\n" in again
    assert again.count("#!") == 2
    assert "Red rolls dr for Nerve of Red: 5, +2" in ended.out


def test_a_text_that_is_no_yaml_comes_back_too(typed: Typed, editor: Callable[[str], Path]) -> None:
    script = 'if [ "$N" = 1 ]; then echo "}" >> "$1"\nelse sed -i "/^}/d; s/^bid: 1/bid: 3/" "$1"; fi'
    home = editor(script)
    ended = typed(EDIT, ENTER, ENTER, lines="5\n")
    assert (home / "seen2").read_text(encoding="utf-8").startswith("#! ")
    assert "Red rolls dr for Nerve of Red: 5, +3" in ended.out


def test_a_refused_text_can_be_mended_line_by_line(typed: Typed, editor: Callable[[str], Path]) -> None:
    editor('sed -i "s/^bid: 1/bid: 8/; \\$a colour: green" "$1"')
    strike = UP + ENTER
    bid = DOWN * 2 + ENTER + BACKSPACE + "2" + ENTER
    ended = typed(EDIT, DOWN + ENTER, ENTER, strike, bid, ENTER, ENTER, lines="5\n")
    assert "colour: is not known here" in ended.err
    assert "Red rolls dr for Nerve of Red: 5, +2" in ended.out


@pytest.mark.parametrize(
    ("script", "says"),
    [("exit 3", "the editor ended with code 3; nothing taken"),
     ("printf '\\377' > \"$1\"", "the text is not saved as UTF-8"),
     (': > "$1"', "the file is empty")],
)  # fmt: skip
def test_an_editor_that_fails_takes_nothing(
    typed: Typed, editor: Callable[[str], Path], script: str, says: str
) -> None:
    editor(script)
    go_on = DOWN + ENTER if "empty" in says else ""
    ended = typed(EDIT, go_on, TAKE, lines="5\n")
    assert says in ended.err
    assert "Red answers" in ended.out


def test_an_editor_that_is_not_there(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor")
    ended = typed(EDIT, TAKE, lines="5\n")
    assert (
        "laager: the editor 'no-such-editor' can't be started (No such file or directory); "
        "set EDITOR to one that you have" in ended.err
    )


def test_no_editor_at_all(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    ended = typed(EDIT, TAKE, lines="5\n")
    assert "laager: there is no editor; set EDITOR to yours, such as EDITOR=nano" in ended.err
    assert "Red answers" in ended.out


# One keyboard -------------------------------------------------------------------------------------


def screens(out: str) -> list[str]:
    """Return what was to be read between one clearing of the screen and the next."""
    return out.split(CLEAR)


def test_the_screen_is_cleared_and_handed_over_between_the_sides(typed: Typed) -> None:
    pauses_and_dice = "\n5\n\n\n6\n\n"
    ended = typed(TAKE, TAKE, DOWN + ENTER, words="", lines=pauses_and_dice)
    seen = screens(ended.out)
    red = [screen for screen in seen if "plan of red" in screen.lower()]
    blue = [screen for screen in seen if "plan of blue" in screen.lower()]
    assert len(red) == len(blue) == 1
    assert "blue" not in red[0].lower().replace("hand over to blue", "")
    assert not re.search(r"\bred\b", blue[0].lower())
    assert "Hand over to Red. Enter when nobody else looks > " in seen[1]
    assert "Red rolls dr for Nerve of Red: 5" in red[0]
    assert red[0].rstrip().endswith("then the screen is cleared >")
    assert "Hand over to Blue. Enter when nobody else looks > " in ended.out
    # What is open to both is asked with a screen that holds no secret.
    assert "Does it rain?" in seen[-1]
    assert "Nerve" not in seen[-1]


def test_one_person_for_both_sides_is_not_bothered(typed: Typed) -> None:
    ended = typed(TAKE, TAKE, DOWN + ENTER, words="--solo", lines="5\n6\n")
    assert CLEAR not in ended.out
    assert "Hand over" not in ended.out
    assert "Does it rain?" in ended.out


def test_a_side_alone_is_never_asked_to_hand_over(typed: Typed) -> None:
    ended = typed(TAKE, words="--side red", lines="5\n")
    assert CLEAR not in ended.out
    assert ended.out.endswith("waiting for blue\n")


@pytest.mark.parametrize("leaving", [UP + ENTER, CTRL_C])
def test_nothing_secret_stays_on_the_screen_of_who_leaves(typed: Typed, leaving: str) -> None:
    ended = typed(leaving, words="", lines="\n")
    assert ended.code == (130 if leaving == CTRL_C else 0)
    assert "plan" not in screens(ended.out)[-1]


# A record ---------------------------------------------------------------------------------------


def test_a_person_names_the_file_with_the_answer(tmp_path: Path) -> None:
    (question,) = questions_of(begin(record_text("axis")), "allied")
    assert question.key == KEY
    path = tmp_path / "mine.yaml"
    path.write_text(record_text("allied"), encoding="utf-8")
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(f"{path}\r")
        assert question.accept(fill(question.form, "Your answer", question.default))["numbers"]["cp"] == 27
        pipe.send_text("\r")
        assert fill(question.form, "Your answer", question.default) == {}
