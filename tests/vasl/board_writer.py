"""Board archives written by the tests, from the format description alone: nothing of VASL's."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

OPEN, PLOWED, WATER, RIVER, CANAL, MARSH, GRAIN, CRAGS, DEBRIS = 0, 1, 8, 10, 13, 14, 24, 26, 27
GULLY, STREAM, STONE, STONE_1, STONE_2, FACTORY, MARKET = 30, 32, 40, 41, 42, 47, 49
WOODEN, WOODEN_1, WOODS, ORCHARD, DIRT, PAVED, RUNWAY, PATH = 50, 51, 60, 63, 65, 66, 69, 70
WALL, HEDGE, BOCAGE, CLIFF, ROWHOUSE, BRIDGE, HUTS, SCRUB = 72, 73, 74, 75, 77, 82, 130, 100
EMBANKMENT = 152
BRUSH, DENSE_JUNGLE = 25, 127


def gif(width: int, height: int) -> bytes:
    """Return the beginning of a GIF: the size is all that is ever read."""
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\x00\x00" + b"\x00" * 7


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">II", width, height)


def java(body: bytes, block: int = 1024) -> bytes:
    """Return bytes as a Java object stream of plain data, in blocks as VASL writes them."""
    parts = [b"\xac\xed\x00\x05"]
    for at in range(0, len(body), block):
        piece = body[at : at + block]
        head = b"w" + bytes([len(piece)]) if len(piece) < 256 else b"z" + struct.pack(">I", len(piece))
        parts.append(head + piece)
    return b"".join(parts)


@dataclass
class Draft:
    """A board to be drawn on: `columns` x `rows` hexes of usual size, all Open Ground at level 0.

    Codes and levels are by pixel, [x, y]. `words` are further attributes of the metadata.
    """

    name: str = "20"
    columns: int = 5
    rows: int = 4
    hex_width: float = 56.25
    hex_height: float = 64.5
    a1: tuple[float, float] = (0.0, 32.25)
    stairs: set[tuple[int, int]] = field(default_factory=set)
    words: dict[str, str] = field(default_factory=dict)
    inside: str = ""
    codes: NDArray[np.uint8] = field(init=False)
    levels: NDArray[np.int8] = field(init=False)

    def __post_init__(self) -> None:
        shape = (self.width, self.height)
        self.codes, self.levels = np.zeros(shape, np.uint8), np.zeros(shape, np.int8)

    @property
    def width(self) -> int:
        return round((self.columns - 1) * self.hex_width)

    @property
    def height(self) -> int:
        return round(self.rows * self.hex_height)

    def centre(self, name: str) -> tuple[float, float]:
        """Return the pixel of a hex's centre; A1 at the top, B0 a half hex at the top."""
        letters = name.rstrip("0123456789")
        column = ord(letters[0]) - 65 + 26 * (len(letters) - 1)
        row = int(name[len(letters) :])
        up = 0.5 * (column % 2 == 0)
        return column * self.hex_width, (row - up) * self.hex_height

    def box(self, name: str, code: int, half: float = 12, dx: float = 0, dy: float = 0) -> None:
        """Put a square of terrain into a hex."""
        x, y = self.centre(name)
        self._fill(x + dx - half, y + dy - half, x + dx + half, y + dy + half, code)

    def fill(self, name: str, code: int, level: int | None = None) -> None:
        """Cover a hex with terrain, nearly to its sides, and raise its ground."""
        x, y = self.centre(name)
        cut = self._cut(x - 26, y - 28, x + 26, y + 28)
        self.codes[cut] = code
        if level is not None:
            self.levels[self._cut(x - 37, y - 32, x + 37, y + 32)] = level

    def way(self, names: str, code: int, half: float = 5) -> None:
        """Draw a road or the like through the centres of hexes."""
        spots = [self.centre(name) for name in names.split()]
        for (x1, y1), (x2, y2) in pairwise(spots):
            for part in np.linspace(0, 1, 80):
                x, y = x1 + (x2 - x1) * part, y1 + (y2 - y1) * part
                self._fill(x - half, y - half, x + half, y + half, code)

    def side(self, name: str, side: int, code: int, half: float = 4) -> None:
        """Draw something along a hexside, clockwise from 0, the north."""
        x, y = self.centre(name)
        s, v = 2 * self.hex_width / 3, self.hex_height / 2
        corners = [(-s / 2, -v), (s / 2, -v), (s, 0), (s / 2, v), (-s / 2, v), (-s, 0)]
        (x1, y1), (x2, y2) = corners[side], corners[(side + 1) % 6]
        for part in np.linspace(0, 1, 60):
            cx, cy = x + x1 + (x2 - x1) * part, y + y1 + (y2 - y1) * part
            self._fill(cx - half, cy - half, cx + half, cy + half, code)

    def _cut(self, x1: float, y1: float, x2: float, y2: float) -> tuple[slice, slice]:
        whole = [max(0, round(edge)) for edge in (x1, y1, x2, y2)]
        return slice(whole[0], whole[2]), slice(whole[1], whole[3])

    def _fill(self, x1: float, y1: float, x2: float, y2: float, code: int) -> None:
        self.codes[self._cut(x1, y1, x2, y2)] = code

    def los_data(self, block: int = 1024) -> bytes:
        body = struct.pack(">iiii", self.columns, self.rows, self.width, self.height)
        pixels = np.stack([self.levels.view(np.uint8), self.codes], axis=-1).tobytes()
        flags = bytes(
            (column, row) in self.stairs for column in range(self.columns) for row in range(self.rows + column % 2)
        )
        return gzip.compress(java(body + pixels + flags, block), 1, mtime=0)

    def xml(self) -> str:
        words = {
            "name": self.name,
            "version": "1.0",
            "versionDate": "Jan 2020",
            "author": "the tests",
            "boardImageFileName": f"bd{self.name}.gif",
            "hasHills": "TRUE",
            "width": str(self.columns),
            "height": str(self.rows),
            "hexWidth": str(self.hex_width),
            "hexHeight": str(self.hex_height),
            "A1CenterX": str(self.a1[0]),
            "A1CenterY": str(self.a1[1]),
        } | self.words
        text = " ".join(f'{key}="{value}"' for key, value in words.items())
        return f'<?xml version="1.0"?>\n<boardMetadata {text}>{self.inside}</boardMetadata>'

    def entries(self) -> dict[str, bytes]:
        return {
            "BoardMetadata.xml": self.xml().encode(),
            f"bd{self.name}.gif": gif(self.width, self.height),
            "LOSData": self.los_data(),
        }

    def write(self, folder: Path, **others: bytes) -> Path:
        return zipped(folder / f"bd{self.name}", self.entries() | others)


def zipped(path: Path, entries: Mapping[str, bytes]) -> Path:
    path.write_bytes(zip_bytes(entries.items()))
    return path


def zip_bytes(entries: Iterable[tuple[str, bytes]]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries:
            file.writestr(name, content)
    return data.getvalue()


def old_board(folder: Path, name: str, size: tuple[int, int], data: str) -> Path:
    """Write a board without LOS data, as they were once: a picture and lines of text."""
    entries = {"data": data.encode(), f"bd{name}.gif": gif(*size)}
    return zipped(folder / f"bd{name}", entries)
