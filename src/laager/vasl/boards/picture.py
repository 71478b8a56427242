"""The pictures of boards: their size and pixels, and how they lie as a backdrop under maps made from the boards.

The map knows each board's file by name and hash; the pixels come from the user's own files, every time anew, and
go nowhere but into the drawing.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Callable
from io import BytesIO
from math import ceil, floor, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, Problem, Refusal, RefusedError, read_all
from laager.base.extras import extra
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.losdata import MAX_PIXELS
from laager.vasl.boards.metadata import read_metadata

if TYPE_CHECKING:
    from PIL import Image

    from laager.hexmap import HexMap
    from laager.hexmap.draw import Backdrop
    from laager.hexmap.values import Picture


MAX_SIDE = 20_000
"""Longest side of a picture, in pixels."""
MAX_SHOWN = 16_000_000
"""Most pixels of a picture that is unpacked."""
MAX_PLAIN = 20_000_000
"""Most pixels of one in at most 256 colours whose file is small."""
PLAIN = 0.1
"""Most bytes in the file for each pixel of such a picture; noise takes more than one, however it is packed."""
HEX = 65
"""Height of a hex of a backdrop, about, in pixels: as on VASL's ordinary boards."""
ENOUGH = 8_000_000
"""Most pixels of a backdrop's picture; of larger ones fewer are kept."""
DRAWN = 0.35
"""Bytes per pixel below which a picture is packed as it is: drawn ones are, painted ones not."""
QUALITY = 82
PALETTED = frozenset({"P", "L", "1"})
"""Pillow's modes of pictures in at most 256 colours."""
BAND = 2**19
"""Pixels of a picture that are made at once."""


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
    image = unpack_picture(archive, name)
    x, y, width, height = part
    if x + width > image.width or y + height > image.height:
        right = f"the picture has {image.width} x {image.height} pixels"
        archive.refuse(name, f"has no part of {width} x {height} pixels at {x}, {y}", right)
    times = _times_smaller(width, height, hex_height)
    packed = BytesIO()
    if times == 1 and archive.packed_size(name) < DRAWN * width * height:
        image.crop((x, y, x + width, y + height)).save(packed, "PNG")
        return packed.getvalue(), "image/png"
    _shrink(image, part, times).save(packed, "JPEG", quality=QUALITY)
    return packed.getvalue(), "image/jpeg"


def _shrink(image: Image.Image, part: tuple[int, int, int, int], times: float) -> Image.Image:
    """Return a part of a picture `times` times smaller, in plain colours.

    It is made band by band: a second picture of all pixels would fill the memory.
    """
    with extra("vasl"):
        from PIL import Image

    x, y, width, height = part
    wide, high = max(1, round(width / times)), max(1, round(height / times))
    smaller = Image.new("RGB", (wide, high))
    step = max(1, BAND // wide)
    beside = ceil(3 * times)
    for top in range(0, high, step):
        bottom = min(top + step, high)
        start, end = top * height / high, bottom * height / high
        first, last = max(0, floor(start) - beside), min(height, ceil(end) + beside)
        piece = _on_white(image.crop((x, y + first, x + width, y + last)))
        box = (0, start - first, width, end - first)
        smaller.paste(piece.resize((wide, bottom - top), box=box), (0, top))
    return smaller


def _times_smaller(width: int, height: int, hex_height: float) -> float:
    """Return how many times smaller a picture may be each way without looking coarse."""
    by_hex = float(max(1, round(hex_height / HEX)))
    return max(by_hex, sqrt(width * height / ENOUGH))


def unpack_picture(archive: Archive, name: str) -> Image.Image:
    """Return a picture with its pixels: the first, if there are several. Raises DataError."""
    with extra("vasl"):
        from PIL import Image

    size = picture_size(archive, name)
    refuse_large(archive, name, size, MAX_SHOWN)
    bombs = (Image.DecompressionBombError, Image.DecompressionBombWarning)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(archive.read(name)), formats=("GIF", "PNG", "JPEG"))
            # A frame may claim to be larger than the picture: nothing is unpacked to find out.
            fits = image.size == size
            if fits:
                if image.mode not in PALETTED:
                    _refuse_over(archive, name, size, MAX_SHOWN, "in many colours")
                image.load()
    except (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error, *bombs):
        archive.refuse(name, "is damaged and cannot be shown", "get the board again")
    if not fits:
        archive.refuse(name, "is larger within than it says", "get the board again")
    return image


def refuse_large(archive: Archive, name: str, size: tuple[int, int], most: int) -> None:
    """Raise DataError for a picture of more than `most` pixels, unless its file is small: then it may have more."""
    pixels = size[0] * size[1]
    if pixels <= most:
        return
    is_plain = archive.size(name) <= PLAIN * pixels
    _refuse_over(archive, name, size, MAX_PLAIN if is_plain else most, "" if is_plain else "in much detail")


def _refuse_over(archive: Archive, name: str, size: tuple[int, int], most: int, kind: str) -> None:
    if size[0] * size[1] > most:
        archive.refuse(name, f"is of {size[0]} x {size[1]} pixels {kind}".rstrip(), f"{most} at most")


def _on_white(image: Image.Image) -> Image.Image:
    """Return a picture in plain colours, what is transparent on white."""
    with extra("vasl"):
        from PIL import Image

    if image.mode not in {"RGBA", "LA", "PA"} and "transparency" not in image.info:
        return image.convert("RGB")
    ground = Image.new("RGB", image.size, "white")
    seen = image.convert("RGBA")
    ground.paste(seen, mask=seen)
    return ground


Boards = Callable[[str], Archive]
"""Gives a board's archive by the name of its file; raises DataError if it is not there."""


def boards_in(folder: Path) -> Boards:
    """Return what gives the archives in a folder; in no other, whatever a map calls its file."""

    def find(file: str) -> Archive:
        path = folder / Path(file).name
        if not path.is_file():
            right = "put the board that the map was made from there, or name another folder"
            raise DataError([Problem("the board is not there", right, file=str(path))])
        return open_archive(path)

    return find


def backdrop_of(map_: HexMap, boards: Boards) -> Backdrop:
    """Return the backdrop of a map, its pictures embedded: a drawing with it stands alone.

    Raises RefusedError (NO_SUCH) for a map without pictures, DataError with every board that is
    missing, is another version than the map was made from, or holds no picture that will do.
    """
    from laager.hexmap.draw import Backdrop, as_data_url

    pictures = pictures_of(map_)
    addresses = read_all(pictures, lambda picture: as_data_url(*picture_data(picture, boards)))
    return Backdrop(tuple(zip(pictures, addresses, strict=True)))


def backdrop_at(map_: HexMap, address: Callable[[int], str]) -> Backdrop:
    """Return the backdrop of a map for a page that serves the pictures itself.

    `address` gives the address of each picture by its number in `map_.pictures`, from 0; what is
    served there is `picture_data`. Raises RefusedError (NO_SUCH) for a map without pictures.
    """
    from laager.hexmap.draw import Backdrop

    return Backdrop(tuple((picture, address(number)) for number, picture in enumerate(pictures_of(map_))))


def picture_data(picture: Picture, boards: Boards) -> tuple[bytes, str]:
    """Return what of a board's picture is on the map, as bytes, and their media type.

    The same picture of the same boards gives the same bytes. Raises DataError if the board is
    missing, is another version than the map was made from, or its picture can't be used.
    """
    archive = boards(picture.file)
    if archive.sha256 != picture.sha256:
        problem = "is another version of the board than the map was made from"
        right = (
            f"its SHA-256 is {archive.sha256[:12]}…, the map's {picture.sha256[:12]}…; "
            "import the map anew, or get that version"
        )
        raise DataError([Problem(problem, right, file=archive.label)])
    name = read_metadata(archive).picture
    return packed_picture(archive, name, picture.part, picture.hex_size[1])


def pictures_of(map_: HexMap) -> tuple[Picture, ...]:
    """Return how the boards' pictures lie on a map. Raises RefusedError (NO_SUCH) for none."""
    if not map_.pictures:
        raise RefusedError(
            Refusal.NO_SUCH,
            f"the map {map_.title} has no board's picture to lie under it",
            "those made of VASL boards by `laager vasl import` have",
        )
    return map_.pictures
