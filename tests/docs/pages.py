"""The pages of the documentation, and what stands in them: code, commands, tables."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"

PAGES = (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"^<!-- (\w[^\n]*?) -->\n\n(.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Block:
    """A block of code: its language, text, and where it stands."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def running_text(page: Path) -> str:
    """Return the text of a page without its blocks of code."""
    return _FENCE.sub("", text_of(page))


def blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of code of a page, without their indentation."""
    text = text_of(page)
    for found in _FENCE.finditer(text):
        indent, language, body = found.groups()
        lines = (line.removeprefix(indent) for line in body.splitlines(keepends=True))
        yield Block(page, text[: found.start()].count("\n") + 2, language, "".join(lines))


@dataclass(frozen=True)
class CommandLine:
    """A command that a page tells people to type."""

    where: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.where} {' '.join(self.words)}"


def command_lines(program: str) -> list[CommandLine]:
    """Return every command line of a program, in blocks (behind `$`) and in running text."""
    found: list[CommandLine] = []
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        for block in blocks(page):
            for i, line in enumerate(block.text.splitlines()):
                if block.language == "console" and line.startswith("$ "):
                    found += _commands(f"{name}:{block.line + i}", line[2:], program)
        for code in _CODE.findall(running_text(page)):
            if code.startswith(f"{program} "):
                found += _commands(name, code, program)
    return found


def _commands(where: str, line: str, program: str) -> Iterator[CommandLine]:
    words = shlex.split(line, comments=True)
    while "|" in words:
        words = words[words.index("|") + 1 :]
    words = words[: words.index(">")] if ">" in words else words
    if words and words[0] == program:
        yield CommandLine(where, tuple(words[1:]))


def marked(kind: str) -> dict[str, str]:
    """Return what stands under the markers `<!-- KIND: NAME -->` of all pages, by name."""
    found: dict[str, str] = {}
    for page in PAGES:
        for marker, body in _MARKER.findall(text_of(page)):
            head, _, name = marker.partition(": ")
            if head == kind:
                assert name not in found, f"{kind}: {name} is there twice"
                found[name] = body
    return found


def first_column(table: str) -> list[str]:
    """Return the names in code in the first column of a table; several in a cell count each."""
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [name for row in rows for name in _CODE.findall(row.split("|")[1])]


def words_in_code(text: str) -> list[str]:
    """Return everything in code in a text."""
    return _CODE.findall(text)
