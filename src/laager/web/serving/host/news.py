"""What the changelog says of the version that runs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import laager

FILE = "CHANGELOG.md"
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@cache
def read_news() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the headings of the version's changes, each with its items; of what comes next, if it isn't released."""
    package = Path(laager.__file__).parent
    for file in (package / FILE, package.parents[1] / FILE):
        if file.is_file():
            return parse_news(file.read_text(encoding="utf-8"), laager.__version__)
    return ()


def parse_news(text: str, version: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what a changelog says of a version, or of what isn't released yet if it doesn't know the version."""
    chapters = {chapter.split(maxsplit=1)[0]: chapter for chapter in re.split(r"^## ", text, flags=re.M)[1:]}
    chapter = chapters.get(version) or chapters.get("Unreleased", "")
    parts = re.split(r"^### (.+)\n", chapter, flags=re.M)[1:]
    return tuple((heading, tuple(_items(body))) for heading, body in zip(parts[::2], parts[1::2], strict=True))


def _items(body: str) -> list[str]:
    items = re.split(r"^- ", body, flags=re.M)[1:]
    return [LINK.sub(r"\1", " ".join(item.split())).replace("`", "") for item in items]
