"""From SVG to PNG and PDF, with the fonts that ship: none needs to be installed.

A PDF is one page as large as the drawing, with lines and lettering kept as such.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

from laager.base.extras import extra
from laager.hexmap.draw.fonts import FONT_FILES, covers

_TEXT = re.compile(r"<text[^>]*>([^<]*)</text>")


def shown_text(svg: str) -> str:
    """Return all letters that a drawing shows."""
    return "".join(unescape(found) for found in _TEXT.findall(svg))


def draw_png(svg: str, width: int) -> bytes:
    """Return a drawing as a PNG of the given width in pixels, height in proportion.

    The shipped fonts are used, so that the picture is the same on every machine; only if it
    holds letters that they lack (Chinese, Japanese ...) are the machine's own fonts asked too.
    Raises ValueError for a width below 1 or text that is not SVG.
    """
    if width < 1:
        raise ValueError(f"a width of {width} is too small; it is in pixels, from 1")
    from resvg_py import svg_to_bytes

    png: bytes = svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=[str(Path(file)) for file in FONT_FILES],
        skip_system_fonts=covers(shown_text(svg)),
    )
    return png


POINTS = 0.5
"""Size of a picture unit on the page, in points: a hex is 12 mm high."""

_WIDTH = re.compile(r'<svg[^>]* width="([0-9.]+)"')
_SOURCE = """
#set page(width: auto, height: auto, margin: 0pt)
#set document(title: sys.inputs.title, date: none)
#let width = float(sys.inputs.width) * 1pt
#image(bytes(sys.inputs.svg), format: "svg", width: width, alt: sys.inputs.title)
"""


def draw_pdf(svg: str, title: str) -> bytes:
    """Return a drawing as a PDF of one page, with a title for readers that show it.

    The shipped fonts are used as in `draw_png`; the same drawing gives the same bytes. Pictures
    of a backdrop must be embedded. Raises ValueError for text that is not one of our drawings.
    """
    width = _WIDTH.search(svg[:1000])
    if width is None:
        raise ValueError("this is not a drawing of a map: it does not begin with an SVG and its width")
    with extra("pdf"):
        import typst

    fonts = typst.Fonts(
        include_system_fonts=not covers(shown_text(svg)),
        include_embedded_fonts=False,
        font_paths=sorted({str(path.parent) for path in FONT_FILES}),
    )
    inputs = {"svg": svg, "title": title, "width": str(float(width[1]) * POINTS)}
    made = typst.Compiler(_SOURCE.encode(), font_paths=fonts).compile(
        format="pdf", sys_inputs=inputs, timestamp=datetime(1970, 1, 1, tzinfo=UTC)
    )
    assert isinstance(made, bytes), "a PDF is one piece"
    return made
