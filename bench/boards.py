"""VASL boards to measure: the largest of the examples, if they are there, and one of our own."""

from __future__ import annotations

import gzip
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import Image
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft, zip_bytes

from laager.hexmap import HexMap
from laager.vasl import Archive, arrange, board_of, import_boards, place_alone

EXAMPLE = Path(__file__).parents[2] / "shared" / "data" / "boards" / "bdRBv2"


def example() -> bytes | None:
    """The largest example board: 36 x 45 hexes, 5.8 million pixels; None where it is missing."""
    return EXAMPLE.read_bytes() if EXAMPLE.exists() else None


@cache
def own() -> bytes:
    """A board of 60 x 50 hexes, 10.7 million pixels: woods, streets, houses, walls, hills."""
    draft = Draft(name="60", columns=60, rows=50)
    x, y = range(draft.width), range(draft.height)
    draft.levels[:, draft.height // 2 :] = 1
    for column in x[:: 7 * 56]:
        draft.codes[column : column + 9, :] = w.PAVED
    for row in y[:: 5 * 64]:
        draft.codes[:, row : row + 9] = w.DIRT
    for column in x[20::170]:
        for row in y[15::150]:
            draft.codes[column : column + 40, row : row + 60] = w.WOODS if (column + row) % 3 else w.STONE_2
            draft.codes[column : column + 40, row + 62 : row + 66] = w.WALL
    return zip_bytes((draft.entries() | {"bd60.gif": _picture(draft)}).items())


def _picture(draft: Draft) -> bytes:
    """Return what a board looks like: a colour for each kind of terrain."""
    image = Image.fromarray(draft.codes.T.copy())
    image.putpalette([(37 * number) % 256 for number in range(768)])
    data = BytesIO()
    image.save(data, "GIF")
    return data.getvalue()


def imported(data: bytes) -> HexMap:
    """Make a map of a board."""
    board = board_of(Archive(data, "bd60"))
    return import_boards(arrange([place_alone(board)]), [board]).map


def ours(data: bytes) -> int:
    """Make a map of a board; return its hexes."""
    return len(imported(data).hexes)


def unpacked(data: bytes) -> int:
    """Only unpack the pixels: what no reader can do without."""
    return len(gzip.decompress(Archive(data, "bd60").read("LOSData")))
