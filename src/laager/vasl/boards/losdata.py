"""LOSData: ground level and terrain of every pixel of a board, out of a Java object stream."""

from __future__ import annotations

import gzip
import struct
import zlib
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NoReturn

from laager.hexmap.coords import MAX_COLUMNS, MAX_ROWS
from laager.vasl.archive import Archive, packed_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


LOS_DATA = "LOSData"
MAX_PIXELS = 30_000_000
"""Largest picture: five times that of the largest board known."""
MAX_HEXES = 12_000

_MAGIC = b"\xac\xed\x00\x05"
_SHORT, _LONG = 0x77, 0x7A
_HEADER = struct.Struct(">iiii")
_STEP = 2**16
MAX_BLOCKS = 80_000
"""Most blocks of a stream; the largest picture in VASL's blocks of 1,024 bytes has 60,000."""


@dataclass(frozen=True, eq=False)
class LosData:
    """The pixels of a board: `elevation` and `codes` by x, then y; and which hexes have stairs.

    `columns` and `rows` count hexes, `rows` those of column A; odd columns have one more.
    `stairways` are (column, position from the top, from 0).
    """

    columns: int
    rows: int
    elevation: NDArray[np.int8]
    codes: NDArray[np.uint8]
    stairways: frozenset[tuple[int, int]]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self.codes.shape
        return width, height

    def column_rows(self, column: int) -> int:
        """Return how many hexes a column has."""
        return self.rows + column % 2


def read_los_data(archive: Archive, width: int, height: int) -> LosData:
    """Return the LOS data of a board whose picture has that size. Raises DataError."""
    import numpy as np

    body = _Body(archive)
    columns, rows, wide, high = _HEADER.unpack(body.take(_HEADER.size))
    if (wide, high) != (width, height):
        body.refuse(f"is of {wide} x {high} pixels", f"the picture has {width} x {height}")
    if not (1 <= columns <= MAX_COLUMNS and 1 <= rows <= MAX_ROWS):
        body.refuse(f"is of {columns} x {rows} hexes", f"at most {MAX_COLUMNS} x {MAX_ROWS}")
    if columns * rows > MAX_HEXES:
        body.refuse(f"is of {columns * rows} hexes", f"at most {MAX_HEXES}")
    # The codes are looked at as they are, not copied: a large board has millions of them.
    pixels = np.frombuffer(body.take(2 * wide * high), np.uint8).reshape(wide, high, 2)
    count = [rows + column % 2 for column in range(columns)]
    flags = iter(body.take(sum(count)))
    stairways = frozenset((column, row) for column in range(columns) for row in range(count[column]) if next(flags))
    body.end()
    return LosData(columns, rows, pixels[..., 0].view(np.int8), pixels[..., 1], stairways)


_BLOCK = 1024
"""Bytes in a block of a stream, as Java writes them."""


def pack_los_data(data: LosData) -> bytes:
    """Return LOS data as VASL's boards hold it: what `read_los_data` reads."""
    import numpy as np

    flags = bytes(
        (column, row) in data.stairways for column in range(data.columns) for row in range(data.column_rows(column))
    )
    pixels = np.stack([data.elevation.view(np.uint8), data.codes], axis=-1).tobytes()
    body = _HEADER.pack(data.columns, data.rows, *data.size) + pixels + flags
    stream = bytearray(_MAGIC)
    for at in range(0, len(body), _BLOCK):
        block = body[at : at + _BLOCK]
        is_short = len(block) < 256
        stream += bytes([_SHORT, len(block)]) if is_short else bytes([_LONG]) + len(block).to_bytes(4, "big")
        stream += block
    return gzip.compress(bytes(stream), 6, mtime=0)


class _Body:
    """The contents of a Java object stream of plain data, unpacked as far as it is asked for."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self._packed = memoryview(archive.read(LOS_DATA))
        self._at = 0
        self._unpacker = zlib.decompressobj(wbits=31)
        self._raw = bytearray()
        self._left = 0
        self._blocks = 0
        if self._read_exactly(4) != _MAGIC:
            self.refuse("is not a Java object stream", "get the board again")

    def refuse(self, problem: str, right: str = "") -> NoReturn:
        """Raise DataError about the LOS data."""
        self.archive.refuse(LOS_DATA, problem, right)

    def take(self, size: int) -> bytearray:
        """Return the next `size` bytes of the blocks' bodies."""
        taken = bytearray(size)
        at = 0
        while at < size:
            if not self._left:
                self._next_block()
            part = self._read_some(min(self._left, size - at))
            taken[at : at + len(part)] = part
            at += len(part)
            self._left -= len(part)
        return taken

    def end(self) -> None:
        """Refuse anything that comes behind."""
        if self._left or self._read_some(1):
            self.refuse("goes on after its end", "get the board again")

    def _next_block(self) -> None:
        tag = self._read_exactly(1)[0]
        if tag == _LONG:
            self._left = int.from_bytes(self._read_exactly(4), "big")
        elif tag == _SHORT:
            self._left = self._read_exactly(1)[0]
        else:
            self.refuse("holds more than plain data", "get the board again")
        self._blocks += 1
        # Millions of tiny blocks would keep us busy for minutes.
        if self._blocks > MAX_BLOCKS:
            self.refuse("is cut into too many blocks", "get the board again")

    def _read_exactly(self, size: int) -> bytes:
        read = bytes(self._read_some(size))
        while len(read) < size:
            read += self._read_some(size - len(read), needed=True)
        return read

    def _read_some(self, most: int, *, needed: bool = False) -> bytes:
        """Return the next unpacked bytes: at least one, unless all are gone."""
        if not self._raw and not self._unpack():
            if needed or self._left:
                self.refuse("is cut off", "get the board again")
            return b""
        part = bytes(self._raw[:most])
        del self._raw[:most]
        return part

    def _unpack(self) -> bool:
        """Unpack a little more; return whether there was any."""
        while not self._raw and not self._unpacker.eof:
            packed = self._unpacker.unconsumed_tail
            if not packed:
                packed = bytes(self._packed[self._at : self._at + _STEP])
                self._at += len(packed)
                if not packed:
                    self.refuse("is cut off", "get the board again")
            try:
                self._raw += self._unpacker.decompress(packed, _STEP)
            except zlib.error:
                self.refuse("is damaged", "get the board again")
        return bool(self._raw)


CODES = 256


@dataclass(frozen=True, eq=False)
class Terrain:
    """A kind of terrain of VASL, one object for each code. Boards do not redefine codes.

    `category` is VASL's (open, road, woods, depression, building ...), `height` and `half` its
    height above the ground in levels and half a level more. `inherent` terrain fills its whole
    hex. An `obstacle` blocks LOS, other terrain hinders it; `split` terrain does one of them above
    and another below (`lower_obstacle`, `lower_hindrance`). `becomes` is what it is on a map of
    ours (`terrain:woods`, `road:paved` ...): empty for plain open ground, "-" for what our
    vocabulary has no word for.
    """

    code: int
    name: str
    category: str
    height: int = 0
    half: bool = False
    inherent: bool = False
    hexside: bool = False
    building: bool = False
    obstacle: bool = False
    split: bool = False
    lower_obstacle: bool = False
    lower_hindrance: bool = False
    becomes: str = "-"

    @property
    def house(self) -> bool:
        """True if this is a building proper: not a wall between two."""
        return self.building and not self.hexside

    @property
    def storeys(self) -> int:
        """The levels above the ground floor: a building of one and a half levels has one."""
        return max(0, self.height if self.half else self.height - 1)

    @cached_property
    def kind(self) -> str:
        """The part of a map that it becomes: terrain, road, hexside, building ..., or nothing."""
        return self.becomes.partition(":")[0]

    @cached_property
    def word(self) -> str:
        """The word for it in that part of a map."""
        return self.becomes.partition(":")[2]


_FLAGS = (*("half", "inherent", "hexside", "building"), *("obstacle", "split", "lower_obstacle", "lower_hindrance"))


@cache
def terrains() -> tuple[Terrain, ...]:
    """Return the terrain of every code; a code that VASL did not have is open ground by number."""
    by_code = [Terrain(code, f"unknown terrain {code}", "open") for code in range(CODES)]
    for row in packed_table("terrain.csv"):
        flags = {flag: row[flag] == "1" for flag in _FLAGS}
        terrain = Terrain(
            int(row["code"]), row["name"], row["category"], int(row["height"]), becomes=row["becomes"], **flags
        )
        by_code[terrain.code] = terrain
    return tuple(by_code)


@cache
def by_name(name: str) -> Terrain:
    """Return the terrain with a name of VASL's table. Raises KeyError."""
    return {terrain.name: terrain for terrain in reversed(terrains())}[name]
