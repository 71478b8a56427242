"""From SVG to PNG, with the lettering that ships: no fonts need be installed."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

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
