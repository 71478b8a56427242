"""Menus and prompts at a terminal: one for each form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError
from laager.campaign import Choice, Form, Number, Question, Several, Text, YesNo
from laager.campaign.wording import option_title
from laager.cli.out import say, say_wrapped

if TYPE_CHECKING:
    from prompt_toolkit.buffer import Buffer

STOP_LABEL = "Stop for now"
SEARCH_FROM = 12
"""From how many choices on a menu can be searched by typing."""


LEAVE = "\0leave"
"""The value of the line that leads out of a menu; no option is called so."""


class BackError(Exception):
    """The person wants out of the present prompt; what was typed in it does not count."""


def select(label: str, options: Sequence[tuple[Any, str]], default: Any = None, back: str = "") -> Any:
    """Let a person choose one of (value, title); `back` adds a way out, which raises BackError."""
    values = [value for value, _ in options]
    lines = [(str(i), title, "") for i, (_, title) in enumerate(options)]
    place = str(values.index(default)) if default in values else None
    return values[int(_menu(label, lines, place, back))]


def confirm_lasting(question: Question, answer: Any) -> bool:
    """Ask again before an answer that spends or closes something for good; Enter goes back."""
    warning = question.warning(answer)
    if not warning:
        return True
    say("")
    say_wrapped(warning)
    yes = question.label_for(answer) or "Do it"
    try:
        return bool(select("Are you sure?", [(False, "No, go back"), (True, f"Yes: {yes}")]))
    except BackError:
        return False


def _menu(label: str, lines: Sequence[tuple[str, str, str]], default: str | None, back: str) -> str:
    """Let a person choose a line: value, title, and why it can't be chosen ("" if it can)."""
    import questionary

    choices: list[Any] = [
        questionary.Choice(title, value=value, disabled=why_not or None) for value, title, why_not in lines
    ]
    if back:
        choices.append(questionary.Choice(back, value=LEAVE))
    search = len(choices) >= SEARCH_FROM
    hint = "(arrows, or type to search; Enter)" if search else "(arrows; Enter)"
    asked = questionary.select(
        label, choices=choices, default=default, instruction=hint, use_search_filter=search, use_jk_keys=not search
    )
    answer = _get_answer(asked)
    if answer == LEAVE:
        raise BackError
    return str(answer)


def _get_answer(asked: Any) -> Any:
    """Return what was answered; Ctrl-C goes on as KeyboardInterrupt, Ctrl-D means back."""
    try:
        answer = asked.unsafe_ask()
    except EOFError:
        raise BackError from None
    if answer is None:
        raise BackError
    return answer


def fill(form: Form, label: str, default: Any, back: str = STOP_LABEL) -> Any:
    """Let a person answer a form that isn't a list. Raises BackError if they want out."""
    fillers: dict[type[Form], Callable[[Any, str, Any, str], Any]] = {
        YesNo: _yes_no,
        Number: _ask_typed,
        Text: _ask_typed,
        Choice: _choice,
        Several: _several,
    }
    ask: Callable[[Any, str, Any, str], Any] = fillers.get(type(form), _from_file)
    return ask(form, label, default, back)


def _from_file(form: Form, _label: str, default: Any, _back: str) -> Any:
    """Let a person name the file in which the answer stands; without one the proposal is the answer."""
    import questionary

    from laager.base.files import read_document

    typed = _get_answer(questionary.text("A file with your answer (YAML), or Enter for nothing")).strip()
    return form.parse(read_document(Path(typed)).data) if typed else default


def _yes_no(_: YesNo, label: str, default: Any, back: str) -> Any:
    return select(label, [(True, "Yes"), (False, "No")], bool(default), back)


def _ask_typed(form: Number | Text, label: str, default: Any, _: str) -> Any:
    import questionary

    bounds = f" ({form.low} to {form.high})" if isinstance(form, Number) else ""
    shown = "" if default is None else str(default)
    asked = questionary.text(f"{label}{bounds}", default=shown, validate=validator(form))
    asked.application.pre_run_callables.append(lambda: _select_all(asked.application.current_buffer))
    return form.parse(_get_answer(asked))


def _select_all(buffer: Buffer) -> None:
    """Select a proposal that is filled in, so that what is typed takes its place; a cursor key edits it."""
    if not buffer.text:
        return
    buffer.cursor_position = 0
    buffer.start_selection()
    assert buffer.selection_state is not None
    buffer.selection_state.enter_shift_mode()
    buffer.cursor_position = len(buffer.text)


def validator(form: Form) -> Callable[[Any], bool | str]:
    """Return what tells, while it is typed, what is wrong with it; True if nothing is."""

    def good(raw: Any) -> bool | str:
        try:
            form.parse(raw)
        except DataError as err:
            return str(err.problems[0])
        return True

    return good


def _choice(form: Choice, label: str, default: Any, back: str) -> Any:
    if not form:
        raise DataError([*_why_none(form)])
    lines = [(option.value, option_title(option), option.why_not) for option in form.options]
    return _menu(label, lines, default if default in form else None, back)


def _why_none(form: Choice) -> list[Any]:
    from laager.base import Problem

    reasons = [Problem(f"{option.value}: {option.why_not}") for option in form.options]
    return reasons or [Problem("there is nothing to choose from just now")]


def _several(form: Several, label: str, default: Any, _: str) -> Any:
    import questionary

    if not any(not option.why_not for option in form.options):
        return []
    chosen = set(default or ())
    choices = [
        questionary.Choice(
            option_title(option),
            value=option.value,
            disabled=option.why_not or None,
            checked=option.value in chosen and not option.why_not,
        )
        for option in form.options
    ]
    asked = questionary.checkbox(
        label, choices=choices, instruction="(space marks, Enter when done)", validate=validator(form)
    )
    return _get_answer(asked)
