"""A purchase at a terminal: what cannot be taken back alone is asked twice, nothing by Enter."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from .conftest import Laager
from .running import Ended

ENTER, DOWN, UP, CTRL_C, CTRL_D = "\r", "\x1b[B", "\x1b[A", "\x03", "\x04"
YES = DOWN + ENTER
"""The answer to "Are you sure?"; Enter alone goes back."""

TAKE = DOWN * 2 + ENTER + YES
"""At the desk of a purchase: the third item, and yes."""

FULL = ("--month", "1944-09", "--points", "1000/900", "--axis", "german", "--allied", "russian")

Typed = Callable[..., Ended]


@pytest.fixture
def typed(laager: Laager, monkeypatch: pytest.MonkeyPatch) -> Iterator[Typed]:
    """Run `laager dyo buy` with a person at the keyboard who types these keys."""
    monkeypatch.setattr("laager.cli.asking.person.at_terminal", lambda: True)
    monkeypatch.setattr("laager.cli.asking.person.at_terminal", lambda: True)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):

        def _typed(*keys: str, side: str = "axis", lines: str = "") -> Ended:
            # A test that types too little is broken off instead of waiting for ever.
            pipe.send_text("".join(keys) + CTRL_C)
            return laager("dyo", "buy", "--side", side, stdin=lines)

        yield _typed


@pytest.fixture
def begun(laager: Laager) -> Laager:
    laager.well("dyo", "new", *FULL, "--weather", "Clear", "-o", "evening")
    return laager


@pytest.mark.parametrize("enters", range(1, 9))
def test_no_number_of_enters_buys_or_closes_anything(begun: Laager, typed: Typed, enters: int) -> None:
    typed(ENTER * enters)
    assert "1000 points, 1000 left" in begun.well("status", "--side", "axis")
    assert "What Infantry do you buy?" in begun.well("status", "--side", "axis")


def test_the_proposal_says_what_it_spends_and_is_asked_twice(begun: Laager, typed: Typed) -> None:
    words = "You spend 514 of your 1000 points, and this purchase of Infantry is closed"
    ended = typed(DOWN * 2 + ENTER + ENTER)  # "Take the proposal", and then the first line: no
    assert words in " ".join(ended.out.split())
    assert "What Infantry do you buy?" in begun.well("status", "--side", "axis")
    ended = typed(TAKE)
    assert "Which SAN do you want?" in ended.out
    assert "1000 points, 486 left" in begun.well("status", "--side", "axis")


def test_a_number_and_a_yes_or_no_are_asked_twice_too(begun: Laager, typed: Typed) -> None:
    ended = typed(TAKE, ENTER + ENTER)
    assert "You buy nothing, and SAN is closed" in " ".join(ended.out.split())
    assert "Which SAN do you want?" in begun.well("status", "--side", "axis")
    typed(ENTER + YES)
    # The DR for Guns is proposed: it spends nothing. To make none gives it up.
    ended = typed(DOWN + ENTER + ENTER)
    assert "Without the DR you get no Guns" in " ".join(ended.out.split())
    assert "Do you make the DR for Guns?" in begun.well("status", "--side", "axis")


def test_an_empty_line_in_a_pipe_buys_nothing(begun: Laager) -> None:
    ended = begun("dyo", "buy", "--side", "axis", stdin="\n")
    assert "You spend 514 of your 1000 points, and this purchase of Infantry is closed" in ended.err
    assert "to answer that, type {" in ended.err
    assert "What Infantry do you buy?" in begun.well("status", "--side", "axis")
    lines = '{"lines": []}\n2\n'
    assert "Do you make the DR for Guns?" in begun.well("dyo", "buy", "--side", "axis", stdin=lines)


def test_a_section_that_nobody_has_entered_is_typed_in_through_the_menus(laager: Laager, typed: Typed) -> None:
    laager.well(
        "dyo", "new", "--month", "1942-06", "--points", "700/600", "--axis", "italian",
        "--allied", "british", "--weather", "Clear", "-o", "desert",
    )  # fmt: skip
    change, add = ENTER, DOWN + ENTER
    infantry, pf_range = DOWN + ENTER, DOWN * 2 + ENTER
    # Type, class (the second) and BPV; nothing that can be left open is asked.
    squad = "3-4-6" + ENTER + DOWN + ENTER + "6" + ENTER
    typed(change, infantry, add, squad, ENTER, ENTER, pf_range, "0" + ENTER, ENTER, ENTER)
    assert "What Infantry do you buy?" in laager.well("status", "--side", "axis"), "it was given"
