"""What the documentation tells people to type exists."""

from __future__ import annotations

import re

import pytest

from . import commands_page
from .pages import ROOT, CommandLine, command_lines

LAAGER = command_lines("laager")
COMMANDS = commands_page.commands()


def test_there_are_commands_to_test() -> None:
    assert len(LAAGER) > 60
    told = {" ".join(line.words[:words]) for line in LAAGER for words in (1, 2)}
    assert told >= set(COMMANDS), "a command is documented nowhere"


def _after_the_server(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command without what is named before it: a server, a token."""
    return words[2:] if words[0] in {"--server", "--token"} else words


@pytest.mark.parametrize("line", LAAGER, ids=str)
def test_commands_and_options_exist(line: CommandLine) -> None:
    if not line.words:
        return  # `laager` alone
    name, *rest = _after_the_server(line.words)
    if name in {"--help", "--version", "--install-completion", "COMMAND"}:
        return
    if any(known.startswith(f"{name} ") for known in COMMANDS):
        if not rest or rest[0] in {"--help", "COMMAND"}:
            return
        name, *rest = f"{name} {rest[0]}", *rest[1:]
    assert name in COMMANDS, f"there is no laager {name}"
    params = COMMANDS[name].params
    options = {opt: one for one in params if one.param_type_name == "option" for opt in one.opts}
    given = []
    words = iter(rest)
    for word in words:
        if word in {"--help", "-h"}:
            continue
        if word.startswith("-"):
            assert word in options, f"laager {name} has no option {word}"
            if not options[word].is_flag:
                # A single dash is a value: what is typed, or comes through a pipe.
                assert re.match(r"-$|[^-]", next(words, "")), f"{word} wants a value"
        else:
            given.append(word)
    arguments = [one for one in params if one.param_type_name == "argument"]
    most = 99 if any(one.nargs == -1 for one in arguments) else len(arguments)
    assert len(given) <= most, f"laager {name} takes {most} arguments"


def test_the_page_of_commands_is_up_to_date() -> None:
    told = "run .venv/bin/python -m tests.docs.commands_page"
    assert commands_page.PAGE.read_text(encoding="utf-8") == commands_page.page(), told


@pytest.mark.parametrize("line", command_lines("make"), ids=str)
def test_make_targets_exist(line: CommandLine) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(line.words[0])}:", makefile, re.MULTILINE)
