"""How the command line speaks: plain JSON for programs, tables and colour for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from laager.campaign.sheet import Sheet


def console(stderr: bool = False) -> Console:
    """Return the terminal; wide enough for sheets when it is no terminal at all."""
    from rich.console import Console

    plain = not (sys.stderr if stderr else sys.stdout).isatty()
    return Console(stderr=stderr, highlight=False, soft_wrap=plain, width=160 if plain else None)


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def say(*lines: str) -> None:
    """Print lines as they are."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def complain(heading: str, lines: Sequence[str]) -> None:
    """Print what is wrong, to the error stream."""
    text = [heading] if heading else []
    text += [f"  {line}" for line in lines] if heading else list(lines)
    prefix = "" if heading else "laager: "
    sys.stderr.write(prefix + "\n".join(text) + "\n")


def show_sheets(sheets: Iterable[Sheet]) -> None:
    """Print record sheets as tables."""
    from laager.sheets.terminal import table_of

    out = console()
    for sheet in sheets:
        out.print(table_of(sheet))
        for note in sheet.notes:
            out.print(f"  {note}", style="dim", markup=False)
        out.print()
