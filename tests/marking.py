"""Marks of what the pictures of README and docs show, so that a test can say that a picture is older than its page.

Beside the pictures stands a mark of each: of headings, buttons and labels of the pages that it shows, of the
drawing, or of what a tutorial types above it. Other words of a page may change, and the picture stays.
`make pictures` keeps the marks of the pictures that it makes (`python -m tests.marking`).
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

from laager.hexmap import load_map
from laager.hexmap.draw import draw_svg
from tests.docs.illustrating import PICTURE, TUTORIALS
from tests.docs.pages import text_of
from tests.hexmap.draw.sample import sample_layers, sample_map
from tests.pictures import EXAMPLE, IMAGES, MAPS, sources
from tests.web.screenshots import BEST, PHONE_PAGE, PHONES

MARKS = Path("tests/docs/picture_marks.json")
HEADS = frozenset({"h1", "h2", "h3", "h4", "button", "label", "legend", "summary", "th", "caption", "figcaption"})
"""What holds the words of a page that its picture has to have."""
FILMED = ("new-card", "ask-setup", "report-report", "story-purchase")
"""Pages of the site of the tests that are like those of the film."""
_FIGURES = re.compile(r"\d+")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


class _Outline(HTMLParser):
    """Gathers headings, buttons and labels of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a heading, button or label."""
        given = dict(attrs)
        if tag in HEADS or (tag == "a" and "button" in (given.get("class") or "").split()):
            self.open.append(tag)
            self.parts.append(f"\n{tag} ")

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        """Keep what stands in it."""
        if self.open:
            self.parts.append(data)


def outline(html: str) -> str:
    """Return headings, buttons and labels of a page, a line for each; numbers, which differ from day to day, as #."""
    reader = _Outline()
    reader.feed(html)
    lines = (" ".join(_FIGURES.sub("#", line).split()) for line in "".join(reader.parts).split("\n"))
    # Of many rows that are alike one is enough.
    return "\n".join(dict.fromkeys(line for line in lines if line))


def page_labels() -> Mapping[str, tuple[str, ...]]:
    """Return the labels of the pages that each picture shows (`tests.web.screenshots_pages`)."""
    shown = {f"web-{name}.png": (label,) for name, label in BEST.items()}
    return shown | {PHONES: (PHONE_PAGE,), "laager.webp": FILMED}


def marks_of_drawings() -> Mapping[str, str]:
    """Return the marks of pictures of maps, and of those of the tutorials."""
    style = draw_svg(sample_map(), sample_layers())
    maps = {name: next(Path("src/laager/packs").glob(f"*/{card}-map.yaml")) for name, (card, _) in MAPS.items()}
    drawn = {name: draw_svg(load_map(path)) + style for name, path in maps.items()}
    drawn["bridge.svg"] = draw_svg(load_map(EXAMPLE))
    drawn |= dict(_tutorials(style))
    return {name: _mark(content) for name, content in drawn.items()}


def _tutorials(style: str) -> Iterator[tuple[str, str]]:
    """Yield each picture of a tutorial with what is typed and written above it, and how maps are drawn."""
    for page in TUTORIALS:
        text = text_of(page)
        for match in PICTURE.finditer(text):
            lines = match["shows"].endswith(" lines")
            typed = _FENCED.findall(text[: match.start()])
            yield match["picture"], match["shows"] + "\n".join(typed[-1:] if lines else [*typed, style])


def marks_of_pages() -> Mapping[str, str]:
    """Return the marks of pictures of pages. Django's database is there, and empty."""
    from tests.web.screenshots_fill import fill
    from tests.web.screenshots_pages import visits

    wanted = page_labels()
    only = "|".join(f"^{label}$" for label in dict.fromkeys(label for labels in wanted.values() for label in labels))
    outlines = {page.label: outline(html) for page, html in visits(fill(), wide=True, only=only)}
    return {name: _mark("\n".join(outlines[label] for label in labels)) for name, labels in wanted.items()}


def _mark(content: str) -> str:
    return sha256(content.encode()).hexdigest()[:16]


def kept_marks() -> Mapping[str, str]:
    """Return the marks that were kept when the pictures were made."""
    marks: Mapping[str, str] = json.loads(MARKS.read_text(encoding="utf-8"))
    return marks


def older_pictures(marks: Mapping[str, str]) -> list[str]:
    """Return a sentence for each picture that is older than what it shows."""
    kept = kept_marks()
    return [
        f"{IMAGES / name} is older than what it shows: run make pictures, and look at it"
        for name, mark in sorted(marks.items())
        if kept.get(name) != mark
    ]


def keep_marks(makers: Collection[str]) -> None:
    """Keep the marks of the pictures that were made. No Django may have been imported before."""
    from tests.web.screenshots import prepare

    made = sources()
    with tempfile.TemporaryDirectory() as data:
        prepare(Path(data) / "site")
        marks = {**marks_of_drawings(), **marks_of_pages()}
    kept = kept_marks() if MARKS.exists() else {}
    fresh = {name: mark if made[name] in makers else kept.get(name, "") for name, mark in marks.items()}
    MARKS.write_text(json.dumps(dict(sorted(fresh.items())), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep_marks(sys.argv[1:])
