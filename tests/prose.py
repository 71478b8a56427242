"""Checks the words of docs, docstrings, comments, messages and pages against `docs/contributing/words.txt`.

Lines of templates must be short, too. `python -m tests.prose` prints each find with file, line and what to say
instead; exit code 1 if there is any.
"""

from __future__ import annotations

import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "docs" / "contributing" / "words.txt"
PAGES = ROOT / "src" / "laager" / "web"
TEMPLATES = frozenset({".html", ".txt"})
"""Suffixes of the pages' templates."""
LONGEST = 120
"""How long a line of a template may be; djLint leaves long ones as they are."""

OWN = {WORDS.with_name("style.md"), ROOT / "CHANGELOG.md"}
"""Files that quote what not to say, or what was said."""

Line = tuple[int, str]


def patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return what is refused, with what to say instead."""
    lines = [line for line in WORDS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [(re.compile(pattern), right) for pattern, _, right in (line.partition(" -> ") for line in lines)]


def written(path: Path) -> Iterator[Line]:
    """Yield the lines of a file that people read: all of a page, strings and comments of a module."""
    if path.suffix != ".py":
        yield from enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        return
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                yield from enumerate(token.string.splitlines(), token.start[0])


def pages() -> Iterator[Path]:
    """Yield the files to check: modules, templates, docs, and the pages at the root."""
    yield from sorted((ROOT / "src").rglob("*.py"))
    yield from sorted(path for path in PAGES.rglob("*.*") if path.suffix in TEMPLATES)
    yield from sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - OWN)


def finds() -> Iterator[str]:
    """Yield every find: where it is, what it is, what to say instead."""
    refused = patterns()
    for path in pages():
        for number, line in written(path):
            if path.suffix in TEMPLATES and len(line) > LONGEST:
                yield f"{path.relative_to(ROOT)}:{number}: {len(line)} characters; break it at {LONGEST}"
            for pattern, right in refused:
                if found := pattern.search(line):
                    yield f"{path.relative_to(ROOT)}:{number}: “{found[0]}”; say: {right}"


if __name__ == "__main__":
    listed = list(finds())
    sys.stdout.write("".join(f"{line}\n" for line in listed))
    sys.exit(bool(listed))
