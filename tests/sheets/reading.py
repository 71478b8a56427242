"""Reading PDFs back: their pages as text, and all that is in them unpacked."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from contextlib import closing

from pypdfium2 import PdfDocument

BREAK = "\u200b"


def pages(data: bytes) -> list[str]:
    """The text of each page."""
    with closing(PdfDocument(data)) as document:
        return [page.get_textpage().get_text_bounded().replace("\r\n", "\n") for page in document]


def metadata(data: bytes) -> dict[str, str]:
    """What the file says of itself: `Title`, `CreationDate` and others."""
    with closing(PdfDocument(data)) as document:
        facts: dict[str, str] = document.get_metadata_dict()
        return facts


def sizes(data: bytes) -> set[tuple[float, float]]:
    """The sizes of the pages in points, the shorter side first."""
    with closing(PdfDocument(data)) as document:
        sides = [sorted(page.get_size()) for page in document]
    return {(round(shorter, 1), round(longer, 1)) for shorter, longer in sides}


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
