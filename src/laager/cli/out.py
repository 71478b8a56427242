"""How the command line speaks: plain JSON for programs, tables and colour for people."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from laager.base import LaagerError
    from laager.campaign import Sheet

PIPED_WIDTH = 100
"""How wide tables are when no terminal says how much room there is."""


def speak_utf8() -> None:
    """Let pipes and files have UTF-8, as all files of Laager do; a console of another code page shows what it can."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper) or stream.closed or stream.encoding.lower() in {"utf-8", "utf8"}:
            continue
        if stream.isatty():
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8-sig" if stream is sys.stdin else "utf-8")


def width() -> int:
    """Return how many characters a line may have."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS"):
        return max(20, shutil.get_terminal_size((PIPED_WIDTH, 24)).columns)
    return PIPED_WIDTH


def console() -> Console:
    """Return the terminal, or what stands for it in a pipe."""
    from rich.console import Console

    return Console(highlight=False, width=width())


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def show(as_json: bool, data: Any, *lines: str) -> None:
    """Print the same thing for programs or for people."""
    if as_json:
        show_json(data)
    else:
        say(*lines)


def say(*lines: str) -> None:
    """Print lines as they are."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def say_wrapped(text: str, indent: str = "", first: str | None = None) -> None:
    """Print paragraphs of text: in lines for people at a terminal, whole for what reads a pipe."""
    say(*wrap(text, indent, first, PIPED_WIDTH if sys.stdout.isatty() else 0))


def wrap(text: str, indent: str = "", first: str | None = None, most: int = PIPED_WIDTH) -> list[str]:
    """Return paragraphs of text as lines; `first` begins the first one instead of `indent`.

    Lines are as wide as the terminal at most, and have no more than `most` characters (0: no bound).
    """
    import textwrap

    lines: list[str] = []
    for paragraph in text.strip().splitlines() or [""]:
        begin = indent if first is None or lines else first
        lines += textwrap.wrap(
            paragraph,
            min(width(), most) if most else len(begin) + len(paragraph) + 1,
            initial_indent=begin,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [begin.rstrip()]
    return lines


def say_log(lines: Iterable[str]) -> None:
    """Print lines of a log; at a terminal what is too long goes on beneath its own beginning."""
    for line in lines:
        if sys.stdout.isatty() and len(line) > width():
            text = line.lstrip(" ")
            # Under the text, not under its number.
            say(*wrap(text, " " * 12, line[: len(line) - len(text)], most=140))
        else:
            say(line)


def complain(heading: str, lines: Sequence[str]) -> None:
    """Print what is wrong, to the error stream."""
    text = [heading] if heading else []
    text += [f"  {line}" for line in lines] if heading else list(lines)
    prefix = "" if heading else "laager: "
    # What was said before stands before it, also where both streams go to one file.
    sys.stdout.flush()
    sys.stderr.write(prefix + "\n".join(text) + "\n")
    sys.stderr.flush()


def complain_json(err: LaagerError) -> None:
    """Print what is wrong as JSON, to the error stream."""
    from laager.base import DataError

    refusal: dict[str, Any] = {"refused": err.code.value, "text": str(err)}
    if isinstance(err, DataError):
        parts = ("file", "line", "field", "what", "right")
        refusal["problems"] = [{part: getattr(problem, part) for part in parts} for problem in err.problems]
    sys.stdout.flush()
    sys.stderr.write(json.dumps(refusal, ensure_ascii=False, indent=2) + "\n")


def listing(
    title: str,
    columns: Iterable[str],
    rows: Iterable[Sequence[str]],
    notes: Sequence[str] = (),
    id: str = "",  # noqa: A002
) -> Sheet:
    """Return a sheet of plain columns; its id is its title if none is given."""
    from laager.campaign import Column, Sheet

    return Sheet(id or title.lower(), title, tuple(map(Column, columns)), tuple(map(tuple, rows)), tuple(notes))


def print_sheets(sheets: Iterable[Sheet], as_json: bool, as_csv: bool = False) -> None:
    """Print sheets as tables, as JSON, or as CSV."""
    from laager.cli.ending import WrongUseError

    if as_json and as_csv:
        raise WrongUseError("--json and --csv don't go together; choose one")
    if as_json:
        show_json([sheet.describe() for sheet in sheets])
    elif as_csv:
        from laager.sheets.csv import csv_of

        say(csv_of(list(sheets)))
    else:
        show_sheets(sheets)


def show_sheets(sheets: Iterable[Sheet]) -> None:
    """Print record sheets as tables."""
    from laager.sheets.terminal import render_sheet

    out = console()
    for sheet in sheets:
        with out.capture() as text:
            out.print(render_sheet(sheet, out.width))
            for note in sheet.notes:
                for line in wrap(note, "  "):
                    out.print(line, style="dim", markup=False, soft_wrap=True)
        say(*(line.rstrip() for line in text.get().rstrip().splitlines()), "")
