"""Reading PDFs back: their pages as text, and all that is in them unpacked."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from io import BytesIO

from pypdf import PdfReader

BREAK = "\u200b"


def pages(data: bytes) -> list[str]:
    """The text of each page."""
    return [page.extract_text() for page in PdfReader(BytesIO(data)).pages]


def sizes(data: bytes) -> set[tuple[float, float]]:
    """The sizes of the pages in points, the shorter side first."""
    boxes = [page.mediabox for page in PdfReader(BytesIO(data)).pages]
    return {(min(box.width, box.height).__round__(1), max(box.width, box.height).__round__(1)) for box in boxes}


def squeezed(text: str) -> str:
    """A text without blanks and places for breaks: how it is wrapped does not matter."""
    return "".join(text.replace(BREAK, "").split())


def whole(data: bytes) -> str:
    """The text of all pages, without blanks."""
    return squeezed("".join(pages(data)))


STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)


def unpacked(data: bytes) -> bytes:
    """The file as it is, and every stream in it unpacked."""
    return b"\n".join((data, *_streams(data)))


def _streams(data: bytes) -> Iterator[bytes]:
    for packed in STREAM.findall(data):
        try:
            yield zlib.decompress(packed)
        except zlib.error:
            yield packed
