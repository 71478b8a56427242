"""Answers as text in the player's own editor, with comments on what may be answered."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError, disk
from laager.base.files import decoded, parse_document
from laager.campaign.wording import comments, yaml_text

if TYPE_CHECKING:
    from laager.campaign import Question

EDITORS = ("sensible-editor", "nano", "micro", "vim", "vi", "notepad")
"""What is tried, in this order, when neither VISUAL nor EDITOR names an editor."""

WRONG = "#! "
"""Begins the lines on top that say what is wrong with the text; they are taken out again."""


def text_of(question: Question, value: Any) -> str:
    """Return an answer as YAML beneath comments on what may be answered."""
    from laager.cli.out import wrapped

    head = [*wrapped(question.text), f"Rule {question.rule}" if question.rule else ""]
    head += wrapped(question.help) if question.help else []
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
    """Return the answer in an edited text. Raises DataError if it is no YAML, or empty."""
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
                f"the editor {command[0]!r} cannot be started ({err.strerror})",
                "set EDITOR to one that you have",
            ) from None
        if done.returncode != 0:
            raise RefusedError(Refusal.BAD_ANSWER, f"the editor ended with code {done.returncode}", "nothing taken")
        try:
            return decoded(path.read_bytes())
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
