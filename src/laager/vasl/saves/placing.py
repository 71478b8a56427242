"""Boards laid out by a save, and the hex that a pixel of its map lies in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path

from laager.base import DataError, Problem
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.layout import Crop, Geometry, PlacedBoard, corner_of
from laager.vasl.boards.metadata import read_metadata
from laager.vasl.boards.picture import picture_size
from laager.vasl.saves.traits import parse_whole

MAX_BOARDS = 60
MAX_CELL = 100
MAX_RULES = 500
MAX_CROP = 100_000
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]{1,40}")


@dataclass(frozen=True)
class Shape:
    """A board's name, size and grid: enough to find hexes on it.

    `assumed` shapes are those of geomorphic boards by number, without the archive at hand.
    """

    name: str
    width: int
    height: int
    geometry: Geometry = field(default_factory=Geometry)
    assumed: bool = False


Shapes = Callable[[str], Shape | None]
"""Gives a board's shape by the code that saves use, or None."""

_PARKING = re.compile(r"blank([0-9]*|card)|nulv?", re.IGNORECASE)

_USUAL = (
    (re.compile("[0-9]{1,3}"), 1800, 645, Geometry()),
    (re.compile("([1-9]|1[0-3])a"), 901, 1290, Geometry(56.3125)),
    (re.compile("([1-9]|1[0-3])b"), 901, 1290, Geometry(56.3125, 64.5, -901.0)),
    (re.compile("Blank[01]"), 1800, 645, Geometry()),
    (re.compile("NUL"), 901, 1, Geometry()),
    (re.compile("NULV"), 1, 645, Geometry()),
    (re.compile("[a-h]"), 2363, 971, Geometry(168.7857142857, 194.2, 0.0, 97.1)),
)


def is_parking(name: str) -> bool:
    """Return True for VASL's boards without ground, on which players park counters (Blank0, Blank1, NUL, NULV)."""
    return _PARKING.fullmatch(name) is not None


def usual_shape(code: str) -> Shape | None:
    """Return the shape of boards with such a code, or None if the code is not that of a geomorphic board."""
    for pattern, width, height, geometry in _USUAL:
        if pattern.fullmatch(code):
            return Shape(code, width, height, geometry, assumed=True)
    return None


def shape_of(archive: Archive) -> Shape:
    """Return the shape of the board in an archive. Raises DataError if it is none to trust."""
    metadata = read_metadata(archive)
    width, height = picture_size(archive, metadata.picture)
    return Shape(metadata.name, width, height, metadata.geometry)


def shapes_in(folder: Path) -> Shapes:
    """Return a function that gives the shapes of the boards in a folder, else the usual ones.

    That function raises DataError for an archive that can't be used.
    """
    known: dict[str, Shape | None] = {}

    def shape(code: str) -> Shape | None:
        if code not in known:
            path = folder / f"bd{code}"
            known[code] = shape_of(open_archive(path)) if path.is_file() else usual_shape(code)
        return known[code]

    return shape


@dataclass(frozen=True)
class BoardInSave:
    """A board as the save lays it out: the cell, the code, crop (in pixels), rules and overlays.

    `corner` is its top left pixel on the map; None if a size before it is not known.
    """

    column: int
    row: int
    code: str
    reversed: bool = False
    crop: Crop | None = None
    version: str = ""
    overlays: tuple[tuple[str, str, str], ...] = ()
    rules: tuple[str, ...] = ()
    zoom: float = 1.0
    shape: Shape | None = None
    corner: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """The name in front of its hexes."""
        return self.shape.name if self.shape else self.code

    @property
    def is_parking(self) -> bool:
        """True for a board without ground, on which players park counters."""
        return is_parking(self.name) or is_parking(self.code)

    @cached_property
    def placed(self) -> PlacedBoard | None:
        """The board as it lies among others; None if its size is not known."""
        shape = self.shape
        if shape is None:
            return None
        return PlacedBoard(shape.name, shape.geometry, (shape.width, shape.height), self.column, self.row,
                      self.reversed, self.crop, self.zoom)  # fmt: skip

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height on the map, or None."""
        return self.placed.shown if self.placed else None

    @property
    def rect(self) -> tuple[int, int, int, int] | None:
        """Left, top, width and height in pixels of the map, or None."""
        return (*self.corner, *self.size) if self.corner and self.size else None


@dataclass(frozen=True)
class PixelPlace:
    """The place of a pixel of the map: the board, the hex, and the hexside if it is exactly on one.

    `hex` is None off all boards. `known` is False where the size of a board is missing.
    """

    board: str | None = None
    hex: str | None = None
    hexside: str | None = None
    known: bool = True

    @property
    def location(self) -> str | None:
        """Board and hex, such as 20F5."""
        return None if self.hex is None else f"{self.board}{self.hex}"


def read_layout(text: str, shapes: Shapes) -> tuple[BoardInSave, ...]:
    """Return the boards of a save, placed. Raises DataError with all problems."""
    words = text.split("\t")
    if len(words) > MAX_BOARDS * MAX_RULES:
        raise DataError([Problem("tells too much of its boards")])
    descriptions: list[list[str]] = [[]]
    for word in words:
        if word == "bd":
            descriptions.append([])
        else:
            descriptions[-1].append(word)
    descriptions = [parts for parts in descriptions if any(parts)]
    if len(descriptions) > MAX_BOARDS:
        raise DataError([Problem("has too many boards", f"{MAX_BOARDS} at most")])
    boards = [_parse_board(words, number) for number, words in enumerate(descriptions, 1)]
    return _place_boards([replace(board, shape=shapes(board.code)) for board in boards])


def place_at_pixel(boards: Sequence[BoardInSave], x: int, y: int) -> PixelPlace:
    """Return where a pixel of the map lies."""
    unsure = False
    for board in boards:
        if board.corner is None or board.placed is None:
            unsure = True
            continue
        pixel = board.placed.pixel_at(board.corner, x, y)
        if pixel is not None:
            at = (int(pixel[0]), int(pixel[1]))
            grid = board.placed.geometry
            return PixelPlace(board.name, grid.name(*at), grid.hexside(*at), known=not unsure)
    return PixelPlace(known=not unsure)


def _parse_board(words: list[str], number: int) -> BoardInSave:
    """Return a board as it is described, or raise DataError."""
    queue = [*words, *[""] * 3]
    column, row, name = parse_whole(queue[0]), parse_whole(queue[1]), queue[2]
    if column is None or row is None or not (0 <= column <= MAX_CELL and 0 <= row <= MAX_CELL):
        raise DataError([_board_problem(number, f"lies in no cell from 0,0 to {MAX_CELL},{MAX_CELL}")])
    if not _NAME.fullmatch(name):
        raise DataError([_board_problem(number, "has no valid name")])
    turned = len(name) > 1 and name.startswith("r")
    rest = words[3:]
    crop = None
    numbers = [parse_whole(word) for word in rest[:4]]
    if len(numbers) == 4 and None not in numbers:
        x, y, width, height = (coordinate or 0 for coordinate in numbers)
        crop, rest = Crop(x, y, width, height), rest[4:]
        if max(abs(coordinate) for coordinate in crop) > MAX_CROP:
            raise DataError([_board_problem(number, "is cropped at impossible coordinates")])
    version, overlays, rules, zoom = _parse_rest(rest, number)
    code = name[1:] if turned else name
    return BoardInSave(column, row, code, turned, crop, version, overlays, rules, zoom)


def _parse_rest(words: list[str], number: int) -> tuple[str, tuple[tuple[str, str, str], ...], tuple[str, ...], float]:
    """Return version, overlays, rules and zoom, which follow in this order, each with its word."""
    version, overlays, rules, zoom = "", [], [], 1.0
    at = 0
    while at < len(words):
        word = words[at]
        if word == "VER":
            version = "".join(words[at + 1 : at + 2])[:40]
            at += 2
        elif word == "OVR":
            name, first, second = [*words[at + 1 : at + 4], "", "", ""][:3]
            overlays.append((name[:40], first[:10], second[:10]))
            at += 4
        elif word == "ZOOM":
            zoom = _parse_zoom("".join(words[at + 1 : at + 2]), number)
            at += 2
        elif word == "SSR":
            end = at + 1
            while end < len(words) and words[end] != "ZOOM":
                end += 1
            rules = [rule[:80] for rule in words[at + 1 : end] if rule]
            at = end
        else:
            at += 1
    if len(overlays) > MAX_RULES or len(rules) > MAX_RULES:
        raise DataError([_board_problem(number, "has too many overlays or rules", f"at most {MAX_RULES}")])
    return version, tuple(overlays), tuple(rules), zoom


def _parse_zoom(text: str, number: int) -> float:
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", text):
        zoom = float(text)
        if isfinite(zoom) and 0.1 <= zoom <= 20:
            return zoom
    raise DataError([_board_problem(number, "is zoomed by an impossible factor", "0.1 to 20")])


def _board_problem(number: int, fault: str, right: str = "") -> Problem:
    return Problem(f"board {number} {fault}", right)


def _place_boards(boards: list[BoardInSave]) -> tuple[BoardInSave, ...]:
    """Return boards with their places on the map; without one if a size before them is missing."""
    cells: dict[tuple[int, int], BoardInSave] = {}
    for board in boards:
        cells.setdefault((board.column, board.row), board)
    sizes = {cell: first.size for cell, first in cells.items() if first.size}
    placed = []
    for board in boards:
        before = [(column, board.row) for column in range(board.column)]
        before += [(board.column, row) for row in range(board.row)]
        if board.size and all(cell in sizes for cell in before if cell in cells):
            corner = corner_of(board.column, board.row, sizes)
            placed.append(replace(board, corner=corner))
        else:
            placed.append(board)
    return tuple(placed)
