"""The picture of a board in at most 256 colours, pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass
from mmap import mmap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from laager.vasl.archive import Archive
from laager.vasl.boards.picture import picture_size, unpacked
from laager.vasl.colours.fewer import buckets, chosen, counted
from laager.vasl.scenario.land import strips

if TYPE_CHECKING:
    from PIL import Image

MAX_READ = 14_000_000
"""Most pixels of a picture that is read for its colours: all boards known but one have fewer."""
MAX_PAINTED = 7_000_000
"""Most of one of more than 256 colours, which takes four times the memory."""


@dataclass(frozen=True, eq=False)
class Pixels:
    """A picture: the number of each pixel's colour by x, then y; the colours (RGB as one number) by that number.

    `counts` are the pixels of each colour; `exact` is False if the picture has more than 256 colours and like ones
    were made one.
    """

    numbers: NDArray[np.uint8]
    colours: tuple[int, ...]
    counts: NDArray[np.int64]
    exact: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self.numbers.shape
        return width, height

    @property
    def present(self) -> frozenset[int]:
        """The colours that are in the picture."""
        return frozenset(colour for colour, count in zip(self.colours, self.counts.tolist(), strict=True) if count)

    def share(self, number: int) -> float:
        """Return the share of the picture that a colour covers, by its number."""
        return float(self.counts[number]) / max(self.numbers.size, 1)


def pixels_of(archive: Archive, name: str) -> Pixels:
    """Return a picture's pixels. Raises DataError if it is damaged or too large, or Pillow is missing."""
    width, height = picture_size(archive, name)
    if width * height > MAX_READ:
        archive.refuse(name, f"is of {width} x {height} pixels", f"{MAX_READ} at most, to read its colours")
    image = unpacked(archive, name)
    if image.mode not in {"P", "L", "1"}:
        if width * height > MAX_PAINTED:
            archive.refuse(name, f"is of {width} x {height} pixels in many colours", f"{MAX_PAINTED} at most")
        return _in_fewer(image)
    if image.mode != "P":
        image = image.convert("L").convert("P")
    flat = image.getpalette("RGB") or []
    colours = [flat[at] << 16 | flat[at + 1] << 8 | flat[at + 2] for at in range(0, len(flat) - 2, 3)]
    colours += [0] * (256 - len(colours))
    counts = np.array(image.histogram()[:256], np.int64)
    numbers = room((height, width))
    for part in strips(numbers):
        numbers[part] = _lines(image, part)
    return Pixels(numbers.T, tuple(colours[:256]), counts, exact=True)


def _lines(image: Image.Image, part: slice) -> NDArray[np.uint8]:
    """Return some lines of a picture: at once there would be a second copy of all pixels for a while."""
    return np.asarray(image.crop((0, part.start, image.width, part.stop)))


def _in_fewer(image: Image.Image) -> Pixels:
    """Return a picture of any colours in 256."""
    numbers = room((image.height, image.width))
    plain = image.mode == "RGB"

    def painted(part: slice) -> NDArray[np.uint8]:
        piece = image.crop((0, part.start, image.width, part.stop))
        return np.asarray(piece if plain else piece.convert("RGB"))

    fine = counted(painted(part) for part in strips(numbers))
    colours, table = chosen(fine)
    counts = np.zeros(256, np.int64)
    np.add.at(counts, table, fine[:, 0])
    for part in strips(numbers):
        numbers[part] = table[buckets(painted(part))]
    told = tuple(int(red) << 16 | int(green) << 8 | int(blue) for red, green, blue in colours.tolist())
    return Pixels(numbers.T, told, counts, exact=False)


def translated(numbers: NDArray[np.uint8], table: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return what a table of 256 values of one byte has for each pixel (by x, then y).

    Strip by strip: NumPy's own way makes an index of eight bytes for each pixel first.
    """
    lines = numbers.T
    found = room(lines.shape)
    for part in strips(lines):
        found[part] = told_by(lines[part], table)
    return found.T


def room(shape: tuple[int, ...], bytes_each: int = 1) -> NDArray[np.uint8]:
    """Return memory for a picture's pixels that goes back to the system as soon as nobody needs it.

    What the C library frees between smaller things stays with the process.
    """
    size = shape[0] * shape[1] * bytes_each
    return np.frombuffer(mmap(-1, size), np.uint8, size).reshape(shape[0], -1)


def told_by(part: NDArray[np.uint8], table: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Return what a table of 256 values of one byte has for each pixel of a strip."""
    return np.frombuffer(part.tobytes().translate(table.tobytes()), np.uint8).reshape(part.shape)
