"""Answering in many lines: the proposal first, then changes line by line or in the player's own editor.

What was typed is never lost: an answer that is refused lies on the desk again, with all problems.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError, LaagerError, Refusal, RefusedError, disk
from laager.base.files import decode_text, parse_document
from laager.campaign import Field, Form, Question, Record, Rows
from laager.campaign.wording import answer_sheets, comments, row_words, value_words, yaml_text
from laager.cli.asking.menus import STOP_LABEL, BackError, confirm_lasting, fill, select
from laager.cli.out import complain, say, say_wrapped, show_sheets

if TYPE_CHECKING:
    from laager.campaign import Question


ASKED_IN_TURN = 4
"""Most fields of a new line that is asked through; of longer ones, what must be given."""


def answer_at_desk(question: Question) -> Any:
    """Return an answer that will be accepted to a question in many lines; BackError to stop."""
    on_desk = question.default
    problems: list[str] = []
    show_sheets(answer_sheets("Proposal", question.form, on_desk))
    if warning := question.warning(on_desk):
        say_wrapped(warning)
    while True:
        match _what_now(question, on_desk, wrong=bool(problems)):
            case "answer":
                problems = _problems(question, on_desk)
                if not problems and confirm_lasting(question, on_desk):
                    return on_desk
                if not problems:
                    continue
                complain("That doesn't work; nothing you typed is lost:", problems)
                continue
            case "change":
                on_desk = _change(question.form, question.text, on_desk)
            case "edit":
                on_desk = _edit(question, on_desk)
            case "again":
                on_desk = question.default
        say("")
        show_sheets(answer_sheets("Your answer", question.form, on_desk))
        problems = _problems(question, on_desk)
        if problems:
            complain("Not yet right:", problems)


def _what_now(question: Question, on_desk: Any, wrong: bool) -> str:
    same = on_desk == question.default
    options = [
        ("answer", question.proposal_title if same else "Answer with this"),
        ("change", "Change it line by line"),
        ("edit", "Write it as text in your editor"),
    ]
    gives_up = same and bool(question.warning(on_desk))
    if gives_up:
        options.append(options.pop(0))
    if not same:
        options.append(("again", "Back to the proposal"))
    proposed = "change" if wrong or gives_up else "answer"
    return str(select("What now?", options, proposed, back=STOP_LABEL))


def _problems(question: Question, value: Any) -> list[str]:
    """Return all that is wrong with an answer, in words that name the lines."""
    try:
        question.accept(value)
    except DataError as err:
        return [problem.told for problem in err.problems]
    return []


# In the editor ------------------------------------------------------------------------------------


def _edit(question: Question, on_desk: Any) -> Any:
    """Let the answer be edited until it can be accepted or the person has had enough."""
    text = text_of(question, on_desk)
    while True:
        value = on_desk
        try:
            text = edit(text)
            value = read_back(text)
            question.accept(value)
        except DataError as err:
            # Here the paths are what one sees and edits.
            problems = [str(problem) for problem in err.problems]
        except LaagerError as err:
            complain("", [str(err)])
            return on_desk
        else:
            return value
        complain("That doesn't work; nothing you typed is lost:", problems)
        options = [(True, "Edit it again"), (False, "Go on with it here")]
        if not select("What now?", options):
            # A text that cannot be read at all cannot lie on the desk.
            return value if isinstance(value, type(question.default)) else on_desk
        text = with_problems(text, problems)


# Line by line -------------------------------------------------------------------------------------


def _change(form: Form, label: str, value: Any) -> Any:
    """Return a value after changes; as it was if the person goes back at once."""
    if isinstance(form, Record):
        return _changed_record(form, label, value)
    if isinstance(form, Rows):
        return _changed_rows(form, label, value)
    try:
        return fill(form, label, value, back="Leave it as it is")
    except BackError:
        return value
    except DataError as err:
        complain("", ["; ".join(str(problem) for problem in err.problems)])
        return value


def _changed_record(form: Record, label: str, value: Any) -> dict[str, Any]:
    now = dict(value) if isinstance(value, Mapping) else {}
    while True:
        options: list[tuple[Any, str]] = [(None, "That's all")]
        options += [(part, f"{_name(part)}: {_words_of_value(part, now)}") for part in form.fields_for(now)]
        known = {part.name for part in form.fields}
        options += [(name, f"Strike {name}, not known here") for name in now if name not in known]
        try:
            part = select(_short(label), options)
        except BackError:
            return now
        if part is None:
            return now
        if isinstance(part, str):
            del now[part]
        else:
            now[part.name] = _change(part.form, _name(part), _present_value(part, now))


def _changed_rows(form: Rows, label: str, value: Any) -> list[Any]:
    rows = list(value) if isinstance(value, list) else []
    while True:
        options: list[tuple[Any, str]] = [("done", "That's all"), ("add", "Add a line")]
        options += [(i, f"{i + 1}. {row_words(form.row, row)}") for i, row in enumerate(rows)]
        if rows:
            options.append(("clear", "Strike all lines"))
        try:
            choice = select(_short(label), options)
        except BackError:
            return rows
        match choice:
            case "done":
                return rows
            case "add":
                made = _new_row(form.row)
                if made is not None:
                    rows.append(made)
            case "clear":
                rows.clear()
            case int():
                _change_row(form, rows, choice)


def _change_row(form: Rows, rows: list[Any], i: int) -> None:
    options = [("change", "Change it"), ("copy", "Add another like it"), ("strike", "Strike it")]
    try:
        choice = select(f"{i + 1}. {row_words(form.row, rows[i])}", options, back="Leave it as it is")
    except BackError:
        return
    if choice == "change":
        rows[i] = _changed_record(form.row, f"Line {i + 1}", rows[i])
    elif choice == "copy":
        rows.insert(i + 1, _changed_record(form.row, f"Line {i + 2}", rows[i]))
    else:
        del rows[i]


def _new_row(form: Record) -> dict[str, Any] | None:
    """Ask for a new line; None if the person thinks better of it."""
    every = len(form.fields) <= ASKED_IN_TURN
    row: dict[str, Any] = {}
    try:
        for part in form.fields:
            if part not in form.fields_for(row):
                continue
            if part.required or (every and not isinstance(part.form, Rows | Record)):
                proposed = None if part.required else part.default
                row[part.name] = fill(part.form, _name(part), proposed, back="No new line")
    except BackError:
        return None
    except DataError as err:
        complain("", ["; ".join(str(problem) for problem in err.problems)])
        return None
    return row if every else _changed_record(form, "The new line", row)


def _name(part: Field) -> str:
    return part.label or part.name


def _present_value(part: Field, now: Mapping[str, Any]) -> Any:
    return now.get(part.name, None if part.required else part.default)


def _words_of_value(part: Field, now: Mapping[str, Any]) -> str:
    if part.name not in now and part.required:
        return "must be given"
    return value_words(part.form, _present_value(part, now))


def _short(label: str) -> str:
    first = label.partition("\n")[0]
    return first if len(first) <= 70 else first[:69] + "…"


EDITORS = ("sensible-editor", "nano", "micro", "vim", "vi", "notepad")
"""What is tried, in this order, when neither VISUAL nor EDITOR names an editor."""

WRONG = "#! "
"""Begins the lines on top that say what is wrong with the text; they are taken out again."""


def text_of(question: Question, value: Any) -> str:
    """Return an answer as YAML beneath comments on what may be answered."""
    from laager.cli.out import wrap

    head = [*wrap(question.text), f"Rule {question.rule}" if question.rule else ""]
    head += wrap(question.help) if question.help else []
    head += ["", *comments(question.form), ""]
    head.append("Lines that begin with # do not count. Save and leave the editor when done.")
    notes = "".join(f"# {line}".rstrip() + "\n" for line in head)
    return f"{notes}\n{yaml_text(value)}"


def with_problems(text: str, problems: Sequence[str]) -> str:
    """Return a text with what is wrong with it on top, in place of what was said there before."""
    kept = "".join(line for line in text.splitlines(True) if not line.startswith(WRONG.strip()))
    lines = [line for problem in problems for line in problem.splitlines()]
    return "".join(f"{WRONG}{line}\n" for line in lines) + kept


def read_back(text: str) -> Any:
    """Return the answer in an edited text. Raises DataError if it isn't YAML, or is empty."""
    return parse_document(text, "your answer").data


def edit(text: str) -> str:
    """Let a person edit text; it is returned as they leave it. Raises RefusedError."""
    command = editor()
    with tempfile.TemporaryDirectory(prefix="laager-") as folder:
        # A folder of one's own: the text may be secret.
        path = Path(folder) / "answer.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([*command, str(path)], check=False)
        except OSError as err:
            raise RefusedError(
                Refusal.NO_SUCH,
                f"the editor {command[0]!r} can't be started ({err.strerror})",
                "set EDITOR to one that you have",
            ) from None
        if done.returncode != 0:
            raise RefusedError(Refusal.BAD_ANSWER, f"the editor ended with code {done.returncode}", "nothing taken")
        try:
            return decode_text(path.read_bytes())
        except UnicodeDecodeError:
            raise RefusedError(Refusal.BAD_ANSWER, "the text is not saved as UTF-8") from None


def editor() -> list[str]:
    """Return the command of the player's editor. Raises RefusedError if there is none."""
    for name in ("VISUAL", "EDITOR"):
        named = os.environ.get(name, "").strip()
        if named:
            # POSIX rules would take the backslashes out of C:\Tools\edit.exe.
            return [word.strip('"') for word in shlex.split(named, posix=not disk.WINDOWS)]
    for name in EDITORS:
        if shutil.which(name):
            return [name]
    raise RefusedError(Refusal.NO_SUCH, "there is no editor", "set EDITOR to yours, such as EDITOR=nano")
