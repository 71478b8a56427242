"""Questions as a server describes them, made anew so that they are asked as at one's own table.

Shape and bounds are checked here; what the rules say is asked of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from laager.base import Problem, Refusal, RefusedError
from laager.campaign import Choice, Field, Form, Number, Option, Question, Record, Roll, Rows, Several, Text, YesNo
from laager.dice import Dice, Modifier

Described = Mapping[str, Any]


def question_of(
    asked: Described, check: Callable[[Any], Sequence[Problem]], irrevocable: Callable[[Any], str]
) -> Question:
    """Return a question that a server asks; the functions ask the server about an answer."""
    return Question(
        key=asked["key"],
        side=asked["side"],
        text=asked["text"],
        form=form_of(asked["form"]),
        rule=asked["rule"],
        secret=asked["secret"],
        default=asked["default"],
        help=asked.get("help", ""),
        check=check,
        irrevocable=irrevocable,
        nothing=asked.get("nothing", ""),
    )


def roll_of(asked: Described) -> Roll:
    """Return a roll that a server asks for."""
    modifiers = tuple(Modifier(m["value"], m["reason"], m["rule"]) for m in asked["modifiers"])
    label = asked["text"].partition(" for ")[2]
    dice = Dice(asked["dice"])
    return Roll(asked["side"], label, dice, modifiers, asked["rule"], asked["secret"])


def form_of(told: Described) -> Form:
    """Return a form from its description. Raises RefusedError for a kind that is not known."""
    kind = told["kind"]
    if kind not in MAKERS:
        raise RefusedError(
            Refusal.BAD_DATA, f"the server asks by a form {kind!r} that is not known here", "update laager"
        )
    return MAKERS[kind](told)


def _options(told: Described) -> tuple[Option, ...]:
    return tuple(Option(one["value"], one.get("label", ""), one.get("why_not", "")) for one in told["options"])


def _record(told: Described) -> Record:
    fields = []
    for part in told["fields"]:
        form = form_of(part["form"])
        if part["required"]:
            fields.append(Field(part["name"], form, part["label"]))
        else:
            fields.append(Field(part["name"], form, part["label"], part["default"]))
    return Record(tuple(fields))


MAKERS: Mapping[str, Callable[[Described], Form]] = {
    YesNo.kind: lambda told: YesNo(),
    Number.kind: lambda told: Number(told["low"], told["high"]),
    Text.kind: lambda told: Text(told.get("limit", 2000)),
    Choice.kind: lambda told: Choice(_options(told)),
    Several.kind: lambda told: Several(_options(told), told["least"], told["most"]),
    Record.kind: _record,
    Rows.kind: lambda told: Rows(_record(told["row"]), told["most"]),
}
