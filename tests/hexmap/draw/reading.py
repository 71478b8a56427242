"""Reading pictures back: SVG by its XML, PNG by its pixels."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    """Return the root of a drawing; fails if it is not well-formed XML."""
    return ElementTree.fromstring(svg)


def ids(svg: str) -> list[str]:
    return [one.attrib["id"] for one in parsed(svg).iter() if "id" in one.attrib]


def layer_names(svg: str) -> set[str]:
    return {name.removeprefix("layer-") for name in ids(svg) if name.startswith("layer-")}


def find(svg: str, id_: str) -> ElementTree.Element:
    return next(one for one in parsed(svg).iter() if one.attrib.get("id") == id_)


def texts(svg: str, id_: str | None = None) -> list[str]:
    """Return the lettering of a drawing, or of one group of it."""
    root = parsed(svg) if id_ is None else find(svg, id_)
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def png_size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def rows(png: bytes) -> Iterator[bytes]:
    """Yield the rows of pixels of a PNG of 8 bits a channel with red, green, blue, alpha."""
    width, height = png_size(png)
    assert png[24:26] == b"\x08\x06", "not 8 bits of RGBA"
    place, packed = 8, b""
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            packed += png[place + 8 : place + 8 + length]
        place += length + 12
    raw, size = zlib.decompress(packed), width * 4
    above = bytes(size)
    for y in range(height):
        start = y * (size + 1)
        above = _unfiltered(raw[start], raw[start + 1 : start + 1 + size], above)
        yield above


def _unfiltered(kind: int, row: bytes, above: bytes) -> bytes:
    found = bytearray(len(row))
    for i, value in enumerate(row):
        left = found[i - 4] if i >= 4 else 0
        corner = above[i - 4] if i >= 4 else 0
        match kind:
            case 0:
                guess = 0
            case 1:
                guess = left
            case 2:
                guess = above[i]
            case 3:
                guess = (left + above[i]) // 2
            case _:
                guess = _paeth(left, above[i], corner)
        found[i] = (value + guess) & 255
    return bytes(found)


def _paeth(left: int, above: int, corner: int) -> int:
    estimate = left + above - corner
    return min((left, above, corner), key=lambda one: abs(estimate - one))


def ink(png: bytes) -> tuple[int, int, int]:
    """Return the first and last column with a dark pixel, and how many dark pixels there are."""
    columns: list[int] = []
    for row in rows(png):
        columns += [i // 4 for i in range(0, len(row), 4) if row[i + 3] > 127 and row[i] < 128]
    return (min(columns), max(columns), len(columns)) if columns else (0, 0, 0)
