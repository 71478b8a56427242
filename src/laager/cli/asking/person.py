"""Asking people: every form in words, with the proposal; by menus, or line by line in a pipe."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Refusal, RefusedError
from laager.base.files import parse_document
from laager.campaign import Question, Record, Rows, YesNo
from laager.cli.out import complain, say, say_wrapped

if TYPE_CHECKING:
    from laager.campaign import Roll

STOP = object()
"""The answer of somebody who wants to stop for now."""

LONGEST_PROPOSAL = 400
"""A proposal longer than this is not written out where a line is asked for."""


def at_terminal() -> bool:
    """Return True if a person sits at keyboard and screen."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_person(question: Question) -> Any:
    """Ask until the answer is legal, and return it as it was given; STOP to go away.

    At a terminal by menus; otherwise (a pipe) one line of YAML per answer, empty for the default.
    Raises RefusedError if a pipe ends after an answer that was refused.
    """
    say("")
    say_wrapped(question.text, "    ", f"[{question.side}] ")
    if question.rule:
        say(f"    rule {question.rule}")
    if question.help:
        say_wrapped(question.help, "    ")
    return _by_menu(question) if at_terminal() else _by_line(question)


def _by_menu(question: Question) -> Any:
    from laager.cli.asking.desk import answer_at_desk
    from laager.cli.asking.menus import BackError, confirm_lasting, fill

    given = question.default
    if isinstance(question.form, YesNo) and question.warning(given):
        given = not given
    while True:
        try:
            if isinstance(question.form, Rows | Record):
                return answer_at_desk(question)
            given = fill(question.form, "Your answer", given)
            question.accept(given)
            if not confirm_lasting(question, given):
                continue
        except BackError:
            return STOP
        except DataError as err:
            complain("That doesn't work:", [problem.told for problem in err.problems])
        else:
            return given


# In a pipe ----------------------------------------------------------------------------------------


def _by_line(question: Question) -> Any:
    say(f"    {_form_words(question)}")
    refused = False
    while True:
        warning = question.warning(question.default)
        empty = "" if warning else f"; empty for {_proposal_words(question.default)}"
        say(f"    one line of YAML{empty}; q to stop")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line and refused:
            raise _input_ended_error()
        if not line or line.strip() == "q":
            return STOP
        if not line.strip() and warning:
            refused = True
            typed = json.dumps(question.default, ensure_ascii=False)
            complain(warning, [f"to answer that, type {typed}"])
            continue
        value = _yaml(line) if line.strip() else question.default
        try:
            question.accept(value)
        except DataError as err:
            refused = True
            complain("That doesn't work:", [str(problem) for problem in err.problems])
        else:
            return value


def _form_words(question: Question) -> str:
    from laager.campaign.wording import allowed_in_words

    form = question.form
    row = form.row if isinstance(form, Rows) else form
    if not isinstance(row, Record):
        return allowed_in_words(form)
    names = ", ".join(part.name for part in row.fields)
    kind = "a list of " if isinstance(form, Rows) else ""
    return f"{kind}{{{names}}}; laager answer --template says what each may be"


def _input_ended_error() -> RefusedError:
    """Say that a script did not get what it wanted."""
    return RefusedError(Refusal.BAD_ANSWER, "the input ended before this was answered", "what was accepted is kept")


def _yaml(text: str) -> Any:
    """Return text as YAML data; as it stands if it isn't any."""
    try:
        return parse_document(text, "your answer").data
    except DataError:
        return text.strip()


def _proposal_words(value: Any) -> str:
    if value in ([], {}, None, ""):
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > LONGEST_PROPOSAL:
        return "the proposal (laager status --json shows it)"
    return text


# Dice ---------------------------------------------------------------------------------------------


def ask_faces(side: str, roll: Roll) -> Any:
    """Ask for dice that the players roll; None: let Laager roll; STOP: not now."""
    from laager.dice import parse_faces

    say("", f"[{side}] {roll.label}: roll a {roll.dice.value}")
    if roll.rule:
        say(f"    rule {roll.rule}")
    for modifier in roll.modifiers:
        say(f"    {modifier.value:+d} {modifier.reason} ({modifier.rule})")
    refused = False
    while True:
        sys.stdout.write("    faces (coloured die first), empty: Laager rolls, q: stop > ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not at_terminal():
            say("")
        text = line.strip()
        if not line and refused:
            raise _input_ended_error()
        if not line or text == "q":
            return STOP
        if not text:
            return None
        try:
            return list(parse_faces(roll.dice, text))
        except DataError as err:
            refused = True
            complain("That doesn't work:", [str(problem) for problem in err.problems])
