"""Asking people at the terminal: every form as prompts, in words, with defaults."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from laager.base import DataError
from laager.base.files import parse_document
from laager.campaign.questions import (
    Choice,
    Field,
    Form,
    Number,
    Question,
    Record,
    Rows,
    Several,
    Text,
    YesNo,
)
from laager.cli.out import complain, say

STOP = object()
"""The answer of somebody who wants to stop for now."""


class StoppedError(Exception):
    """Somebody wants to stop; nothing of the present answer counts."""


def ask_person(question: Question) -> Any:
    """Ask until the answer is legal, and return it; STOP to go away.

    At a terminal by menus; otherwise (a pipe) one line of YAML per answer, empty for the default.
    """
    say("", f"[{question.side}] {question.text}", f"    rule {question.rule}")
    if question.help:
        say(f"    {question.help}")
    while True:
        try:
            raw = _by_menu(question) if sys.stdin.isatty() else _by_line(question)
        except StoppedError:
            return STOP
        try:
            return question.accept(raw)
        except DataError as err:
            complain("That will not do:", [str(problem) for problem in err.problems])


def _by_line(question: Question) -> Any:
    say(f"    one line of YAML; empty for {_shown(question.default)}; q to stop")
    line = sys.stdin.readline()
    if not line or line.strip() == "q":
        raise StoppedError
    return question.default if not line.strip() else _yaml(line)


def _yaml(text: str) -> Any:
    """Return text as YAML data; as it stands if it isn't any."""
    try:
        return parse_document(text, "your answer").data
    except DataError:
        return text.strip()


def _shown(value: Any) -> str:
    import json

    if value in ([], {}, None, ""):
        return "nothing"
    return json.dumps(value, ensure_ascii=False)


# Menus -------------------------------------------------------------------------------------------


def _by_menu(question: Question) -> Any:
    form = question.form
    if isinstance(form, Rows | Record):
        choice = _select(
            "How?",
            [("default", f"take the proposal: {_shown(question.default)[:300]}"),
             ("fields", "answer field by field"),
             ("edit", "write it as text in your editor"),
             ("stop", "stop for now")],
        )  # fmt: skip
        if choice == "stop":
            raise StoppedError
        if choice == "default":
            return question.default
        if choice == "edit":
            return _edited(question)
    return _fill(form, question.text, question.default)


def _edited(question: Question) -> Any:
    import click
    from ruamel.yaml import YAML
    from ruamel.yaml.compat import StringIO

    stream = StringIO()
    YAML().dump(question.default, stream)
    text = click.edit(f"# {question.text}\n{stream.getvalue()}", extension=".yaml")
    if text is None:
        raise StoppedError
    return parse_document(text, "your answer").data


def _fill(form: Form, label: str, default: Any) -> Any:
    fillers: dict[type[Form], Callable[[Any, str, Any], Any]] = {
        YesNo: _yes_no,
        Number: _number,
        Choice: _choice,
        Several: _several,
        Text: _text,
        Record: _record,
        Rows: _rows,
    }
    return fillers[type(form)](form, label, default)


def _got(answer: Any) -> Any:
    if answer is None:
        raise StoppedError
    return answer


def _select(label: str, options: list[tuple[str, str]]) -> str:
    import questionary

    choices = [questionary.Choice(title, value=value) for value, title in options]
    return str(_got(questionary.select(label, choices=choices).ask()))


def _yes_no(_: YesNo, label: str, default: Any) -> Any:
    import questionary

    return _got(questionary.confirm(label, default=bool(default)).ask())


def _number(form: Number, label: str, default: Any) -> Any:
    import questionary

    shown = "" if default is None else str(default)
    return _got(questionary.text(f"{label} ({form.low} to {form.high})", default=shown).ask())


def _text(_: Text, label: str, default: Any) -> Any:
    import questionary

    return _got(questionary.text(label, default=str(default or "")).ask())


def _choice(form: Choice, label: str, default: Any) -> Any:
    import questionary

    choices = [
        questionary.Choice(o.label or o.value or "none", value=o.value, disabled=o.why_not or None)
        for o in form.options
    ]
    chosen = default if default in form else None
    if len(choices) > 30:
        words = [option.value for option in form.options if not option.why_not]
        return _got(questionary.autocomplete(label, choices=words, default=str(chosen or "")).ask())
    return _got(questionary.select(label, choices=choices, default=chosen).ask())


def _several(form: Several, label: str, default: Any) -> Any:
    import questionary

    chosen = set(default or ())
    choices = [
        questionary.Choice(
            o.label or o.value, value=o.value, disabled=o.why_not or None, checked=o.value in chosen
        )
        for o in form.options
    ]
    return _got(questionary.checkbox(label, choices=choices).ask()) if choices else []


def _record(form: Record, _: str, default: Any) -> Any:
    given = default if isinstance(default, dict) else {}
    return {part.name: _part(part, given) for part in form.fields}


def _part(part: Field, given: dict[str, Any]) -> Any:
    proposed = given.get(part.name, None if part.required else part.default)
    return _fill(part.form, part.label or part.name, proposed)


def _rows(form: Rows, label: str, default: Any) -> Any:
    rows: list[Any] = list(default or [])
    while True:
        for i, row in enumerate(rows):
            say(f"    {i + 1}. {_shown(row)}")
        options = [("done", "that is all"), ("add", "add a line"), ("stop", "stop for now")]
        if rows:
            options[2:2] = [("drop", "drop the last line"), ("clear", "drop all lines")]
        match _select(label, options):
            case "done":
                return rows
            case "add":
                rows.append(_record(form.row, label, {}))
            case "drop":
                rows.pop()
            case "clear":
                rows.clear()
            case _:
                raise StoppedError
