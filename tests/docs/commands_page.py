"""The page of commands, made from the command line itself.

`.venv/bin/python -m tests.docs.commands_page` writes it anew; a test holds it to what there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import typer.main

from laager.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"

HEAD = """# Commands

`laager --help` lists the commands, `laager COMMAND --help` prints what stands here.
`laager --version` prints the version. What many commands have in common:

| Option | In the environment | Meaning |
|---|---|---|
| `--campaign FILE`, `-c` | `LAAGER_CAMPAIGN` | the campaign; else the only one in this folder |
| `--side SIDE`, `-s` | `LAAGER_SIDE` | see and do only what this side may; else everything |
| `--json` | | print JSON, for programs |
| `--server URL` | `LAAGER_SERVER` | before the command: play on a server, not in a file |
| `--token TOKEN` | `LAAGER_TOKEN` | before the command: your token there; else that of `login` |

The [exit code](exit-codes.md) tells a script how it went.
`laager --install-completion` teaches your shell to complete commands and options.
"""


@cache
def _commands() -> Mapping[str, Any]:
    found: Mapping[str, Any] = vars(typer.main.get_command(app))["commands"]
    return found


def commands() -> Mapping[str, Any]:
    """Return the commands of `laager` as Typer sees them, by name: of a group by two words."""
    found: dict[str, Any] = {}
    for name, command in _commands().items():
        members: Mapping[str, Any] = vars(command).get("commands", {})
        if not members:
            found[name] = command
        for word, member in members.items():
            found[f"{name} {word}"] = member
    return found


def panel(name: str) -> str:
    """Return the heading under which help shows a command, or the group that it belongs to."""
    heading: str = _commands()[name.partition(" ")[0]].rich_help_panel
    return heading


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    every = commands()
    for group in dict.fromkeys(map(panel, every)):
        parts.append(f"\n## {group}\n")
        parts += [_section(name, one) for name, one in every.items() if panel(name) == group]
    return "".join(parts)


def _section(name: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    shown = "".join(f" {_argument(one)}" for one in arguments)
    parts = [f"\n### laager {name}{shown}\n", *(f"\n{text}\n" for text in _paragraphs(command.help))]
    rows = [f"| `{_argument(one)}` | {one.help or ''} |\n" for one in arguments]
    rows += [f"| {_option(one)} | {one.help or ''} |\n" for one in options if one.name != "help"]
    if rows:
        parts += ["\n| | |\n|---|---|\n", *rows]
    examples = [line.strip() for line in (command.epilog or "").splitlines()[2:]]
    if examples:
        parts += ["\n```console\n", *(f"$ {_told(line)}\n" for line in examples), "```\n"]
    return "".join(parts)


def _told(line: str) -> str:
    """Return an example with what stands behind it as a comment of the shell."""
    command, gap, words = line.partition("   ")
    return f"{command}  # {words.strip()}" if gap else line


def _paragraphs(text: str) -> Iterator[str]:
    for part in text.split("\n\n"):
        yield " ".join(line.strip() for line in part.strip().splitlines())


def _argument(one: Any) -> str:
    name = (one.metavar or one.name.upper()) + ("…" if one.nargs == -1 else "")
    return name if one.required else f"[{name}]"


def _option(one: Any) -> str:
    value = "" if one.is_flag else f" {one.metavar or one.name.upper()}"
    first, *others = sorted(one.opts, key=len, reverse=True)
    return ", ".join([f"`{first}{value}`", *(f"`{name}`" for name in others)])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
