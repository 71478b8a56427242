"""The picture of a board: its size, from the first bytes of the file alone, and its pixels."""

from __future__ import annotations

import struct
import warnings
from io import BytesIO
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

from laager.base.extras import extra
from laager.vasl.archive import Archive
from laager.vasl.boards.losdata import MAX_PIXELS

if TYPE_CHECKING:
    from PIL import Image

MAX_SIDE = 20_000
"""Longest side of a picture, in pixels."""
MAX_SHOWN = 16_000_000
"""Most pixels of a picture that is unpacked."""
HEX = 65
"""About how many pixels high a hex of a backdrop is: as on VASL's ordinary boards."""
ENOUGH = 8_000_000
"""Most pixels of a backdrop's picture; of larger ones fewer are kept."""
DRAWN = 0.35
"""Bytes per pixel below which a picture is packed as it is: drawn ones are, painted ones not."""
QUALITY = 82
BAND = 2**19
"""How many pixels of a picture are made at once."""


def picture_size(archive: Archive, name: str) -> tuple[int, int]:
    """Return width and height of a GIF, PNG or JPEG. Raises DataError if it is none, or absurd.

    A few boards hold a JPEG under the name of a GIF.
    """
    whole = archive.read(name)
    data = whole[:24]
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = (int.from_bytes(data[at : at + 2], "little") for at in (6, 8))
    elif data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) == 24:
        width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    elif data.startswith(b"\xff\xd8\xff"):
        width, height = _jpeg_size(archive, name, whole)
    else:
        archive.refuse(name, "is not a picture that is known here", "a GIF, PNG or JPEG file")
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE) or width * height > MAX_PIXELS:
        archive.refuse(name, f"is of {width} x {height} pixels", f"at most {MAX_SIDE} each way and {MAX_PIXELS} in all")
    return width, height


def _jpeg_size(archive: Archive, name: str, data: bytes) -> tuple[int, int]:
    with extra("vasl"):
        from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            return Image.open(BytesIO(data), formats=("JPEG",)).size
    except (OSError, ValueError, SyntaxError, struct.error, Image.DecompressionBombError):
        archive.refuse(name, "is damaged and cannot be shown", "get the board again")


def packed_picture(
    archive: Archive, name: str, part: tuple[int, int, int, int], hex_height: float
) -> tuple[bytes, str]:
    """Return a part (x, y, width, height) of a picture as PNG or JPEG, and its media type.

    Drawn boards stay as they are, down to the pixel, and become PNG; painted ones, and those with
    more pixels than a screen needs, become JPEG. `hex_height` is that of a hex in the picture, in
    pixels. Raises DataError if the picture is damaged or the part is not on it.
    """
    image = unpacked(archive, name)
    x, y, width, height = part
    if x + width > image.width or y + height > image.height:
        right = f"the picture has {image.width} x {image.height} pixels"
        archive.refuse(name, f"has no part of {width} x {height} pixels at {x}, {y}", right)
    times = _times_smaller(width, height, hex_height)
    packed = BytesIO()
    if times == 1 and archive.packed(name) < DRAWN * width * height:
        image.crop((x, y, x + width, y + height)).save(packed, "PNG")
        return packed.getvalue(), "image/png"
    _flat(image, part, times).save(packed, "JPEG", quality=QUALITY)
    return packed.getvalue(), "image/jpeg"


def _flat(image: Image.Image, part: tuple[int, int, int, int], times: float) -> Image.Image:
    """Return a part of a picture so many times smaller, in plain colours.

    It is made band by band: a second picture of all pixels would fill the memory.
    """
    with extra("vasl"):
        from PIL import Image

    x, y, width, height = part
    wide, high = max(1, round(width / times)), max(1, round(height / times))
    made = Image.new("RGB", (wide, high))
    step = max(1, BAND // wide)
    beside = ceil(3 * times)
    for top in range(0, high, step):
        bottom = min(top + step, high)
        start, end = top * height / high, bottom * height / high
        first, last = max(0, floor(start) - beside), min(height, ceil(end) + beside)
        piece = _plain(image.crop((x, y + first, x + width, y + last)))
        box = (0, start - first, width, end - first)
        made.paste(piece.resize((wide, bottom - top), box=box), (0, top))
    return made


def _times_smaller(width: int, height: int, hex_height: float) -> float:
    """Return how many times smaller a picture may be each way without looking coarse."""
    by_hex = float(max(1, round(hex_height / HEX)))
    return max(by_hex, sqrt(width * height / ENOUGH))


def unpacked(archive: Archive, name: str) -> Image.Image:
    """Return a picture with its pixels: the first, if there are several. Raises DataError."""
    with extra("vasl"):
        from PIL import Image

    size = picture_size(archive, name)
    if size[0] * size[1] > MAX_SHOWN:
        archive.refuse(name, f"is of {size[0]} x {size[1]} pixels", f"{MAX_SHOWN} in all at most")
    bombs = (Image.DecompressionBombError, Image.DecompressionBombWarning)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(archive.read(name)), formats=("GIF", "PNG", "JPEG"))
            # A frame may claim to be larger than the picture: nothing is unpacked to find out.
            fits = image.size == size
            if fits:
                image.load()
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error, *bombs):
        archive.refuse(name, "is damaged and cannot be shown", "get the board again")
    if not fits:
        archive.refuse(name, "is larger within than it says", "get the board again")
    return image


def _plain(image: Image.Image) -> Image.Image:
    """Return a picture in plain colours, what is transparent on white."""
    with extra("vasl"):
        from PIL import Image

    if image.mode not in {"RGBA", "LA", "PA"} and "transparency" not in image.info:
        return image.convert("RGB")
    ground = Image.new("RGB", image.size, "white")
    seen = image.convert("RGBA")
    ground.paste(seen, mask=seen)
    return ground
