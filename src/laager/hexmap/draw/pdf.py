"""From SVG to PDF: one page as large as the drawing, lines and lettering kept as such."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from laager.hexmap.draw.fonts import FONT_FILES, covers
from laager.hexmap.draw.png import shown_text

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
        raise ValueError("this is no drawing of a map: it does not begin with an SVG and its width")
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
