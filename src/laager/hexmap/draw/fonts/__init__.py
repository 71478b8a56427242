"""The lettering of the maps: a font that ships, and how wide its letters are.

The files are a part of DejaVu Sans Condensed under a name of their own; see LICENSE.txt.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent

REGULAR = _HERE / "LaagerSans-Regular.ttf"
BOLD = _HERE / "LaagerSans-Bold.ttf"
FONT_FILES: tuple[Path, ...] = (REGULAR, BOLD)
"""Font files, for programs that draw our SVG and need their paths."""


@dataclass(frozen=True)
class _Font:
    """The advance width of each character, in shares of the font size."""

    widths: Mapping[str, float]
    missing: float


@cache
def _font(path: Path) -> _Font:
    """Read the widths of a TrueType file: its tables head, hhea, hmtx and cmap (format 4)."""
    data = path.read_bytes()
    count = struct.unpack_from(">H", data, 4)[0]
    tables: dict[bytes, int] = {}
    for i in range(count):
        name, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * i)
        tables[name] = offset
    per_em: int = struct.unpack_from(">H", data, tables[b"head"] + 18)[0]
    metrics = struct.unpack_from(">H", data, tables[b"hhea"] + 34)[0]

    def advance(glyph: int) -> float:
        place = tables[b"hmtx"] + 4 * min(glyph, metrics - 1)
        width: int = struct.unpack_from(">H", data, place)[0]
        return width / per_em

    glyphs = _glyphs(data, tables[b"cmap"])
    widths = {chr(code): advance(glyph) for code, glyph in glyphs.items()}
    return _Font(widths, advance(0))


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Return the glyph of each character code."""
    for i in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        table = cmap + struct.unpack_from(">I", data, cmap + 8 + 8 * i)[0]
        if struct.unpack_from(">H", data, table)[0] == 4:
            break
    segments = struct.unpack_from(">H", data, table + 6)[0] // 2
    row = f">{segments}H"
    ends = struct.unpack_from(row, data, table + 14)
    starts = struct.unpack_from(row, data, table + 16 + 2 * segments)
    deltas = struct.unpack_from(row, data, table + 16 + 4 * segments)
    offsets_at = table + 16 + 6 * segments
    offsets = struct.unpack_from(row, data, offsets_at)
    glyph_of: dict[int, int] = {}
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offsets[i]:
                place = offsets_at + 2 * i + offsets[i] + 2 * (code - start)
                glyph = struct.unpack_from(">H", data, place)[0]
                if not glyph:
                    continue
            glyph_of[code] = (glyph + deltas[i]) & 0xFFFF
    return glyph_of


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a line of text is, in the unit of `size`."""
    font = _font(BOLD if bold else REGULAR)
    return sum(font.widths.get(letter, font.missing) for letter in text) * size


def covers(text: str) -> bool:
    """Return True if the fonts have every character of a text."""
    return all(letter in _font(REGULAR).widths or letter.isspace() for letter in set(text))


def clip_text(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Return a text cut to a width, with an ellipsis if it had to be cut.

    Reads no more of a text than fits: its length costs nothing.
    """
    font = _font(BOLD if bold else REGULAR)
    dots = font.widths["…"]
    used, room = 0.0, 0
    for letter in text:
        used += font.widths.get(letter, font.missing)
        if used * size > width:
            return text[:room].rstrip() + "…" if room else ""
        if (used + dots) * size <= width:
            room += 1
    return text
