"""Overlays: pictures laid onto a board, their terrain told by the colours that VASL draws it in.

An overlay's archive (`ovrST` for st1, st2 ...) holds a picture for each of six orientations, and
in `data` the hex of each picture that comes to lie on the first hex named. A board's own archive
has such pictures for rules of its own (`BSO_10_PondToOG`), with the pixel where they belong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import trunc
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from laager.base import DataError, Problem
from laager.hexmap.coords import column_number
from laager.vasl.archive import Archive
from laager.vasl.boards.layout import Geometry
from laager.vasl.boards.losdata import by_name, terrains
from laager.vasl.boards.picture import picture_size, unpack_picture
from laager.vasl.boards.strips import strips
from laager.vasl.colours.palette import MAX_DATA, Colour, colours_of
from laager.vasl.scenario.land import Land, Mask, spread

ORIENTATIONS = "abcdef"
KNOWN_LEAST = 0.8
"""The share of a picture that must be in colours with a meaning, for it to be believed."""
MAX_PICTURE = 6_000_000
"""Most pixels of a picture that is laid onto a board: more than the largest board has."""
_HOLE = 3
_SEEN = 128
"""Lowest opacity of a pixel of a picture that counts."""

SAME_PICTURE: Mapping[str, str] = {
    "be2": "be1", "be3": "be1", "be5": "be4", "be6": "be4", "oc2": "oc1", "oc4": "oc3",
}  # fmt: skip
"""Overlays that VASL draws with the picture of another one."""

_HEX = re.compile(r"([A-Za-z]{1,4})(-?[0-9]{1,3})")


def lay(land: Land, archive: Archive, name: str, hexes: tuple[str, str], origin: str = "") -> None:
    """Lay an overlay onto a board. Raises DataError if its archive does not hold what it takes.

    `hexes` are the two of the board that a save names; `origin` the hex of the overlay's picture
    that lies on the first of them, if the archive does not tell it.
    """
    picture, where = spot_of(land.geometry, archive, name, hexes, origin)
    paint(land, archive, picture, where, colours_of(archive))


def spot_of(
    geometry: Geometry, archive: Archive, name: str, hexes: tuple[str, str], origin: str = ""
) -> tuple[str, tuple[int, int]]:
    """Return an overlay's picture and the pixel of the board on which its top left corner lies. Raises DataError."""
    first, second = (pixel_of_hex(geometry, hex_, name) for hex_ in hexes)
    turn = orientation(first, second)
    picture = _picture(archive, name, turn)
    origin = origin or origin_of(archive, name, turn)
    at = pixel_of_hex(_overlay_grid(geometry), origin, name)
    return picture, (first[0] - at[0], first[1] - at[1])


def orientation(first: tuple[int, int], second: tuple[int, int]) -> str:
    """Return the letter of an overlay's picture, by the pixels of the two hexes that it takes."""
    (x1, y1), (x2, y2) = first, second
    if x1 == x2:
        return "d" if y1 < y2 else "a"
    if x1 > x2:
        return "f" if y1 > y2 else "e"
    return "b" if y1 > y2 else "c"


def reach_of(
    geometry: Geometry, archive: Archive, name: str, hexes: tuple[str, str], origin: str = ""
) -> tuple[int, int, int, int]:
    """Return the box on the board (left, top, right, bottom) that an overlay covers. Raises DataError.

    If its archive doesn't tell how it lies on the first hex, that is all that its picture could cover from there.
    """
    first, second = (pixel_of_hex(geometry, hex_, name) for hex_ in hexes)
    turn = orientation(first, second)
    picture = _picture(archive, name, turn)
    box = unpack_picture(archive, picture).convert("RGBA").getchannel("A").getbbox()
    if box is None:
        archive.refuse(picture, "shows nothing", "check the overlay")
    left, top, right, bottom = box
    if not (origin or _listed_origin(archive, name, turn)):
        wide, high = _size(archive, picture)
        return first[0] - wide, first[1] - high, first[0] + wide, first[1] + high
    _, (x, y) = spot_of(geometry, archive, name, hexes, origin)
    return x + left, y + top, x + right, y + bottom


def origin_of(archive: Archive, name: str, turn: str) -> str:
    """Return the hex of an overlay's picture that lies on the first hex. Raises DataError."""
    origin = _listed_origin(archive, name, turn)
    if not origin:
        problem = f"does not tell which hex of {name}{turn} lies on the first hex of the board"
        right = "VASL knows that of older overlays by heart; tell it with --overlay"
        raise DataError([Problem(problem, right, "data", file=archive.label)])
    return origin


def _listed_origin(archive: Archive, name: str, turn: str) -> str:
    """Return the hex of an overlay's picture that lies on the first hex; nothing if its archive doesn't tell."""
    listed = ""
    if "data" in archive:
        for line in archive.read("data", MAX_DATA).decode("latin-1").splitlines():
            word, _, rest = line.strip().partition(" ")
            if word.lower() == name.lower() and rest.strip():
                listed = rest.strip()
    origins = [part.strip() for part in listed.split(";")]
    number = ORIENTATIONS.index(turn)
    return origins[number] if number < len(origins) else ""


def paint(land: Land, archive: Archive, picture: str, at: tuple[int, int], colours: Mapping[str, Colour]) -> None:
    """Change a board's ground by a picture with its top left corner at a pixel.

    What is drawn in a colour without meaning (hex lines, dots, numbers), or left out of the
    picture for the board's own to show, counts as what lies next to it. Raises DataError if
    hardly any colour has a meaning, or nothing lies on the board.
    """
    size = _size(archive, picture)
    width, height = land.codes.shape
    left, top = max(at[0], 0), max(at[1], 0)
    right, bottom = min(at[0] + size[0], width), min(at[1] + size[1], height)
    if left >= right or top >= bottom:
        archive.refuse(picture, "would lie next to the board", "check the hexes named")
    own = (left - at[0], top - at[1], right - at[0], bottom - at[1])
    seen, codes, levels = _read_part(archive, picture, colours, own)
    known = seen & (codes >= 0)
    if not seen.any():
        archive.refuse(picture, "shows nothing on the board", "check the hexes named")
    if known.sum() < KNOWN_LEAST * seen.sum():
        share = round(100 * float(known.sum()) / float(seen.sum()))
        problem = f"has {share} % of its area in colours that stand for a terrain"
        archive.refuse(picture, problem, f"at least {KNOWN_LEAST:.0%}; mark the hexes by hand")
    seen = fill_holes(seen)
    spread(known, seen, (codes, levels))
    for part in strips(seen):
        _take(land, left + part.start, top, seen[part], codes[part], levels[part])


def _take(land: Land, left: int, top: int, seen: Mask, codes: NDArray[np.int16], levels: NDArray[np.int8]) -> None:
    """Let a board be what a part of a picture shows, its top left corner at a pixel."""
    box = (slice(left, left + seen.shape[0]), slice(top, top + seen.shape[1]))
    ground = _levels_under(land, box, codes, levels)
    there = seen & (codes >= 0) & ~_is_house_there(land.codes[box], codes)
    land.codes[box][there] = codes[there].astype(np.uint8)
    land.levels[box][there] = ground[there]


def fill_holes(seen: Mask) -> Mask:
    """Return what is seen of a picture with its small holes: gaps of up to `2 * _HOLE` pixels."""
    wide = np.pad(seen, 2 * _HOLE)
    for axis in (0, 1):
        wide = _grow(wide, axis)
    for axis in (0, 1):
        wide = ~_grow(~wide, axis)
    inside = slice(2 * _HOLE, -2 * _HOLE)
    filled: Mask = seen | wide[inside, inside]
    return filled


def _grow(mask: Mask, axis: int) -> Mask:
    """Return a mask with `_HOLE` more pixels on both sides along an axis."""
    grown = mask.copy()
    for step in range(1, _HOLE + 1):
        for way in (step, -step):
            moved = np.roll(mask, way, axis)
            # What is rolled over the edge comes from nowhere.
            edge = slice(None, way) if way > 0 else slice(way, None)
            moved[(edge, slice(None)) if axis == 0 else (slice(None), edge)] = False
            grown |= moved
    return grown


def _is_house_there(board: NDArray[np.uint8], codes: NDArray[np.int16]) -> Mask:
    """Return where a picture shows a building that is there: colours do not tell its storeys."""
    material = np.array(_materials())
    new = material[np.where(codes >= 0, codes, 0)]
    same: Mask = (new != 0) & (new == material[board])
    return same


@cache
def _materials() -> tuple[int, ...]:
    """Return a number for what each code's building is made of; 0 for what is not a building."""
    words = ("building:stone", "building:wooden", "building:hut")
    return tuple(
        words.index(terrain.becomes) + 1 if terrain.house and terrain.becomes in words else 0 for terrain in terrains()
    )


_KEPT = -128
"""Stands for the level of a colour that tells none."""
_LEVELS = (-20, 60)


def _levels_under(
    land: Land, box: tuple[slice, slice], codes: NDArray[np.int16], levels: NDArray[np.int8]
) -> NDArray[np.int8]:
    """Return the levels under a picture: its own, else the board's, one lower in a stream bed."""
    board = land.levels[box].astype(np.int16)
    low = np.array([terrain.category == "depression" for terrain in terrains()])
    sunk = low[np.where(codes >= 0, codes, 0)] & ~low[land.codes[box]]
    levels_there = np.where(levels == _KEPT, board - sunk, levels)
    return np.clip(levels_there, *_LEVELS).astype(np.int8)


def _read_part(
    archive: Archive, name: str, colours: Mapping[str, Colour], own: tuple[int, int, int, int]
) -> tuple[Mask, NDArray[np.int16], NDArray[np.int8]]:
    """Return what a part (left, top, right, bottom) of a picture shows, by x, then y.

    That is: what of it is seen, its terrain codes (-1: none), its levels.
    """
    left, top, right, bottom = own
    image = unpack_picture(archive, name)
    shape = (right - left, bottom - top)
    seen: Mask = np.empty(shape, np.bool_)
    codes, levels = np.empty(shape, np.int16), np.empty(shape, np.int8)
    numbers, terrain, level = _known_colours(colours)
    for part in strips(seen):
        piece = image.crop((left + part.start, top, left + part.stop, bottom)).convert("RGBA")
        pixels = np.asarray(piece).transpose(1, 0, 2)
        seen[part] = pixels[..., 3] >= _SEEN
        colour = pixels[..., :3].astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
        at = np.searchsorted(numbers, colour)
        known = numbers[at] == colour
        # What is clear has a colour too, which means nothing.
        codes[part] = np.where(known & seen[part], terrain[at], -1)
        levels[part] = np.where(known, level[at], _KEPT)
    return seen, codes, levels


def _known_colours(colours: Mapping[str, Colour]) -> tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.int8]]:
    """Return the colours that mean something, in order, with their terrain and level.

    The last one is greater than any colour.
    """
    meaning: dict[int, Colour] = {}
    for colour in colours.values():
        # White is both snow and the colour of dots: what may mean nothing tells nothing.
        if colour.rgb not in meaning or colour.terrain is None:
            meaning[colour.rgb] = colour
    rows = [(2**24, -1, _KEPT)]
    for number, colour in meaning.items():
        if colour.terrain is not None:
            level = _KEPT if colour.level is None else min(max(colour.level, _LEVELS[0]), _LEVELS[1])
            rows.append((number, by_name(colour.terrain).code, level))
    numbers, terrain, level_of = zip(*sorted(rows), strict=True)
    return np.array(numbers, np.int32), np.array(terrain, np.int16), np.array(level_of, np.int8)


def _size(archive: Archive, name: str) -> tuple[int, int]:
    """Return width and height of a picture. Raises DataError if it is too large to be laid."""
    width, height = picture_size(archive, name)
    if width * height > MAX_PICTURE:
        archive.refuse(name, f"is of {width} x {height} pixels", f"{MAX_PICTURE} in all at most")
    return width, height


def _picture(archive: Archive, name: str, turn: str) -> str:
    """Return the entry with the picture of an orientation. Raises DataError."""
    by_lower = {entry.lower(): entry for entry in archive.names}
    wanted = f"ovr{SAME_PICTURE.get(name.lower(), name)}{turn}.gif"
    entry = by_lower.get(wanted.lower())
    if entry is None:
        problem = f"has no picture of {name} that lies this way"
        right = "check the two hexes; a one-hex overlay takes the same hex twice"
        raise DataError([Problem(problem, right, wanted[:60], file=archive.label)])
    return entry


def overlay_archive(folders: Sequence[Path], name: str) -> Path | None:
    """Return the archive that an overlay belongs to, by VASL's naming; None if it is not there."""
    wanted = f"ovr{series(name)}".lower()
    for folder in folders:
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                if path.name.lower() == wanted and path.is_file():
                    return path
    return None


def series(name: str) -> str:
    """Return what an overlay's archive is called by: the letters of st1; all of a plain number."""
    if name[:1].isdigit():
        return name
    return name.rstrip("0123456789").upper()


def _overlay_grid(geometry: Geometry) -> Geometry:
    """Return the grid in which an overlay counts its hexes: from A1, also on boards that do not."""
    x = geometry.x if geometry.x >= 0 else 0.0
    y = geometry.y if geometry.y >= 0 else geometry.height / 2
    return Geometry(geometry.width, geometry.height, x, y)


def pixel_of_hex(geometry: Geometry, name: str, overlay: str) -> tuple[int, int]:
    """Return the pixel of a hex's centre. Raises DataError if it has no valid name."""
    match = _HEX.fullmatch(name.strip())
    column = column_number(match[1].upper()) if match else None
    if match is None or column is None:
        raise DataError([Problem(f"{name[:10]!a} is not a hex", "such as H5", f"overlay {overlay}")])
    x, y = geometry.exact(column, int(match[2]))
    # VASL cuts off fractions before it adds the origin: the row 0 of half hexes lies a pixel lower than its centre.
    left, top = trunc(geometry.x), trunc(geometry.y)
    return trunc(x - left) + left, trunc(y - top) + top
