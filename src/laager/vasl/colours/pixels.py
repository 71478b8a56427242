"""The picture of a board in at most 256 colours, pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from laager.vasl.archive import Archive
from laager.vasl.boards.picture import PALETTED, picture_size, refuse_large, unpack_picture
from laager.vasl.boards.strips import allocate, strips

if TYPE_CHECKING:
    from PIL import Image

MAX_READ = 14_000_000
"""Most pixels of a picture that is read for its colours; plain ones may have more."""
MAX_PAINTED = 7_000_000
"""Most pixels of a picture in more than 256 colours, which takes twelve times the memory while it is read."""


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


def read_pixels(archive: Archive, name: str) -> Pixels:
    """Return a picture's pixels. Raises DataError if it is damaged or too large, or Pillow is missing."""
    width, height = picture_size(archive, name)
    refuse_large(archive, name, (width, height), MAX_READ)
    image = unpack_picture(archive, name)
    exact = image.mode in PALETTED
    if not exact:
        if width * height > MAX_PAINTED:
            archive.refuse(name, f"is of {width} x {height} pixels in many colours", f"{MAX_PAINTED} at most")
        image = _quantize(image)
    elif image.mode != "P":
        image = image.convert("L").convert("P")
    flat = image.getpalette("RGB") or []
    colours = [flat[at] << 16 | flat[at + 1] << 8 | flat[at + 2] for at in range(0, len(flat) - 2, 3)]
    colours += [0] * (256 - len(colours))
    counts = np.array(image.histogram()[:256], np.int64)
    numbers = allocate((height, width))
    for part in strips(numbers):
        numbers[part] = _lines(image, part)
    return Pixels(numbers.T, tuple(colours[:256]), counts, exact)


def _lines(image: Image.Image, part: slice) -> NDArray[np.uint8]:
    """Return some lines of a picture: at once there would be a second copy of all pixels for a while."""
    return np.asarray(image.crop((0, part.start, image.width, part.stop)))


def _quantize(image: Image.Image) -> Image.Image:
    """Return a picture of any colours in 256. Without dither: a dot of another colour would be other ground."""
    from PIL.Image import Dither, Quantize

    return (image if image.mode == "RGB" else image.convert("RGB")).quantize(
        256, Quantize.FASTOCTREE, dither=Dither.NONE
    )
