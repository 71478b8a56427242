"""What Laager says about its own commands is true: each that a message names exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import laager

from . import commands_page

HOME = Path(laager.__file__).parent
NAMED = re.compile(r"\blaager ([a-z]+)\b")
WORDS = {"is", "as", "on", "laager"}
"""What follows the name of the program in prose, and of its user and group on a server."""
GROUPS = {name.partition(" ")[0] for name in commands_page.commands()}


def texts(path: Path) -> Iterator[str]:
    """Yield what a file may say: the strings of a module, the whole of a template."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield source
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_messages_name_commands_that_exist() -> None:
    wrong = {
        f"{path.relative_to(HOME)}: laager {name}"
        for kind in ("*.py", "*.html", "*.typ", "*.yaml")
        for path in HOME.rglob(kind)
        for text in texts(path)
        for name in NAMED.findall(text)
        if name not in GROUPS | WORDS
    }
    assert not wrong
