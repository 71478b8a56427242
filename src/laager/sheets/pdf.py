"""PDF by Typst: forms that are laid out go in as data, the bytes of a PDF come out.

The same forms give the same bytes: the time in the file is given, no font of the machine is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from laager.base.extras import extra
from laager.hexmap.draw import FONT_FILES
from laager.sheets.layout import laid_out
from laager.sheets.leaf import Leaf
from laager.sheets.paper import Paper
from laager.sheets.words import Words

if TYPE_CHECKING:
    import typst

FONT = "Laager Sans"
"""The name of the font that ships."""

TEMPLATE, STORY = "typst/forms.typ", "typst/story.typ"


def pdf_of(
    leaves: Sequence[Leaf], paper: Paper, words: Words, *, title: str, ruleset: str, footer: str, at: str
) -> bytes:
    """Return forms as a PDF. `at` is the time, in ISO form, that stands in the file.

    Title, ruleset and footer stand on every page. No text is taken for markup.
    """
    data = {
        "lang": words.language,
        "paper": paper.typst,
        "font": FONT,
        "title": title,
        "ruleset": ruleset,
        "footer": footer,
        "words": {
            "page": words("Page {page} of {pages}", page="{page}", pages="{pages}"),
            "continued": words("(continued)"),
        },
        "leaves": [laid_out(leaf, paper) for leaf in leaves],
    }
    return _compile(TEMPLATE, data, _stamp(at))


def story_pdf(data: Mapping[str, Any], pictures: Mapping[str, str], paper: Paper, at: str) -> bytes:
    """Return a story as a PDF: its texts and blocks, and its pictures as SVG by their names."""
    given = {**data, "paper": paper.typst, "font": FONT}
    return _compile(STORY, given, _stamp(at), {f"picture-{name}": svg for name, svg in pictures.items()})


def _compile(template: str, data: Mapping[str, Any], stamp: datetime, more: Mapping[str, str] | None = None) -> bytes:
    with extra("pdf"):
        import typst

    source = files("laager.sheets").joinpath(template).read_bytes()
    compiler = typst.Compiler(source, font_paths=_fonts())
    inputs = {"data": json.dumps(data, ensure_ascii=False), **(more or {})}
    made = compiler.compile(format="pdf", sys_inputs=inputs, timestamp=stamp)
    assert isinstance(made, bytes), "a PDF is one piece"
    return made


@cache
def _fonts() -> typst.Fonts:
    import typst

    folders = sorted({str(path.parent) for path in FONT_FILES})
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=list(folders))


def _stamp(at: str) -> datetime:
    """Return a time of the log; 1970 if it isn't one."""
    try:
        time = datetime.fromisoformat(at)
    except ValueError:
        return datetime(1970, 1, 1, tzinfo=UTC)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
