"""The size of a board's picture, from the first bytes of the file alone."""

from __future__ import annotations

from laager.vasl.archive import Archive
from laager.vasl.losdata import MAX_PIXELS

MAX_SIDE = 20_000
"""Longest side of a picture, in pixels."""


def picture_size(archive: Archive, name: str) -> tuple[int, int]:
    """Return width and height of a GIF or PNG. Raises DataError if it is neither, or absurd."""
    data = archive.read(name)[:24]
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = (int.from_bytes(data[at : at + 2], "little") for at in (6, 8))
    elif data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) == 24:
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    else:
        archive.refuse(name, "is no picture that is known here", "a GIF or PNG file")
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE) or width * height > MAX_PIXELS:
        right = f"at most {MAX_SIDE} each way and {MAX_PIXELS} in all"
        archive.refuse(name, f"is of {width} x {height} pixels", right)
    return width, height
