"""Boards laid out by a save, and the hex that a pixel of its map lies in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import floor, isfinite, trunc
from pathlib import Path

from laager.base import DataError, Problem
from laager.vasl.archive import Archive, open_archive
from laager.vasl.geometry import Geometry, hex_name
from laager.vasl.metadata import read_metadata
from laager.vasl.picture import picture_size
from laager.vasl.pieces import whole

EDGE = 400
"""How wide the buffer around the boards is, in pixels."""
MAX_BOARDS = 60
MAX_CELL = 100
MAX_RULES = 500
MAX_CROP = 100_000
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]{1,40}")


@dataclass(frozen=True)
class Shape:
    """What must be known of a board to find hexes on it: its name, its size and its grid.

    `assumed` shapes are those of geomorphic boards by number, without the archive at hand.
    """

    name: str
    width: int
    height: int
    geometry: Geometry = field(default_factory=Geometry)
    assumed: bool = False


Shapes = Callable[[str], Shape | None]
"""Gives a board's shape by the code that saves use, or None."""

_USUAL = (
    (re.compile("[0-9]{1,3}"), 1800, 645, Geometry()),
    (re.compile("([1-9]|1[0-3])a"), 901, 1290, Geometry(56.3125)),
    (re.compile("([1-9]|1[0-3])b"), 901, 1290, Geometry(56.3125, 64.5, -901.0)),
    (re.compile("[a-h]"), 2363, 971, Geometry(168.7857142857, 194.2, 0.0, 97.1)),
)


def usual_shape(code: str) -> Shape | None:
    """Return the shape that boards with such a code have, or None if the code does not tell."""
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
    """Return what gives the shapes of the boards in a folder, else the usual ones.

    Raises DataError, when it is asked, if an archive is there and will not do.
    """
    known: dict[str, Shape | None] = {}

    def shape(code: str) -> Shape | None:
        if code not in known:
            path = folder / f"bd{code}"
            known[code] = shape_of(open_archive(path)) if path.is_file() else usual_shape(code)
        return known[code]

    return shape


@dataclass(frozen=True)
class Laid:
    """A board as the save lays it out: the cell, the code, crop (in pixels), rules and overlays.

    `left`, `top`, `width` and `height` are pixels of the map; None if a size is not known.
    """

    column: int
    row: int
    code: str
    reversed: bool = False
    crop: tuple[int, int, int, int] | None = None
    version: str = ""
    overlays: tuple[tuple[str, str, str], ...] = ()
    rules: tuple[str, ...] = ()
    zoom: float = 1.0
    shape: Shape | None = None
    rect: tuple[int, int, int, int] | None = None

    @property
    def name(self) -> str:
        """The name in front of its hexes."""
        return self.shape.name if self.shape else self.code

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height on the map, or None."""
        if self.shape is None:
            return None
        _, _, width, height = self.crop or (0, 0, -1, -1)
        across = width if width > 0 else self.shape.width
        down = height if height > 0 else self.shape.height
        return floor(across * self.zoom + 0.5), floor(down * self.zoom + 0.5)

    def pixel(self, x: int, y: int) -> tuple[int, int]:
        """Return the pixel of the board's own picture at a pixel of the map."""
        assert self.rect is not None
        left, top, width, height = self.rect
        x, y = x - left, y - top
        if self.reversed:
            x, y = width - x, height - y
        if self.zoom != 1:
            x, y = floor(x / self.zoom + 0.5), floor(y / self.zoom + 0.5)
        cut = self.crop or (0, 0)
        return x + cut[0], y + cut[1]


@dataclass(frozen=True)
class Place:
    """Where a pixel of the map lies: the board, the hex, and the hexside if it is exactly on one.

    `hex` is None off all boards. `known` is False where a board's size is missing to tell.
    """

    board: str | None = None
    hex: str | None = None
    hexside: str | None = None
    known: bool = True

    @property
    def location(self) -> str | None:
        """Board and hex, such as 20F5."""
        return None if self.hex is None else f"{self.board}{self.hex}"


def read_layout(text: str, shapes: Shapes) -> tuple[Laid, ...]:
    """Return the boards of a save, placed. Raises DataError with all that is wrong."""
    words = text.split("\t")
    if len(words) > MAX_BOARDS * MAX_RULES:
        raise DataError([Problem("tells too much of its boards")])
    described: list[list[str]] = [[]]
    for word in words:
        if word == "bd":
            described.append([])
        else:
            described[-1].append(word)
    described = [one for one in described if any(one)]
    if len(described) > MAX_BOARDS:
        raise DataError([Problem("has too many boards", f"{MAX_BOARDS} at most")])
    boards = [_described(words, number) for number, words in enumerate(described, 1)]
    return _placed([_shaped(board, shapes) for board in boards])


def find(boards: Sequence[Laid], x: int, y: int) -> Place:
    """Return where a pixel of the map lies."""
    unsure = False
    for board in boards:
        if board.rect is None or board.shape is None:
            unsure = True
            continue
        left, top, width, height = board.rect
        if left <= x < left + width and top <= y < top + height:
            at = board.pixel(x, y)
            grid = board.shape.geometry
            return Place(board.name, grid.name(*at), hexside(grid, *at), known=not unsure)
    return Place(known=not unsure)


def _described(words: list[str], number: int) -> Laid:
    """Return a board as it is described, or raise DataError."""
    queue = [*words, *[""] * 3]
    column, row, name = whole(queue[0]), whole(queue[1]), queue[2]
    if column is None or row is None or not (0 <= column <= MAX_CELL and 0 <= row <= MAX_CELL):
        raise DataError([_wrong(number, f"lies in no cell from 0,0 to {MAX_CELL},{MAX_CELL}")])
    if not _NAME.fullmatch(name):
        raise DataError([_wrong(number, "has no name that will do")])
    turned = len(name) > 1 and name.startswith("r")
    rest = words[3:]
    crop = None
    numbers = [whole(word) for word in rest[:4]]
    if len(numbers) == 4 and None not in numbers:
        x, y, width, height = (one or 0 for one in numbers)
        crop, rest = (x, y, width, height), rest[4:]
        if max(abs(one) for one in crop) > MAX_CROP:
            raise DataError([_wrong(number, "is cropped at impossible coordinates")])
    version, overlays, rules, zoom = _rest(rest, number)
    code = name[1:] if turned else name
    return Laid(column, row, code, turned, crop, version, overlays, rules, zoom)


def _rest(
    words: list[str], number: int
) -> tuple[str, tuple[tuple[str, str, str], ...], tuple[str, ...], float]:
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
            zoom = _zoom("".join(words[at + 1 : at + 2]), number)
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
        raise DataError([_wrong(number, "has too many overlays or rules", f"at most {MAX_RULES}")])
    return version, tuple(overlays), tuple(rules), zoom


def _zoom(text: str, number: int) -> float:
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,9})?", text):
        zoom = float(text)
        if isfinite(zoom) and 0.1 <= zoom <= 20:
            return zoom
    raise DataError([_wrong(number, "is zoomed by an impossible factor", "0.1 to 20")])


def _wrong(number: int, what: str, right: str = "") -> Problem:
    return Problem(f"board {number} {what}", right)


def _shaped(board: Laid, shapes: Shapes) -> Laid:
    return replace(board, shape=shapes(board.code))


def _placed(boards: list[Laid]) -> tuple[Laid, ...]:
    """Return boards with their places on the map; without one if a size before them is missing."""
    cells: dict[tuple[int, int], Laid] = {}
    for board in boards:
        cells.setdefault((board.column, board.row), board)
    placed = []
    for board in boards:
        west = [cells.get((column, board.row)) for column in range(board.column)]
        north = [cells.get((board.column, row)) for row in range(board.row)]
        size = board.size
        if size is None or any(one and one.size is None for one in (*west, *north)):
            placed.append(board)
            continue
        left = EDGE + sum(one.size[0] for one in west if one and one.size)
        top = EDGE + sum(one.size[1] for one in north if one and one.size)
        placed.append(replace(board, rect=(left, top, *size)))
    return tuple(placed)


def hexside(grid: Geometry, x: int, y: int) -> str | None:
    """Return the hexside (A1/B1) if a pixel is exactly the snap point of one, else None."""
    width, height = grid.width, grid.height
    left, top = trunc(grid.x), trunc(grid.y)
    step = floor((x - left + width / 4) * 2 / width)
    snapped = trunc(width / 2 * step + left)
    if step % 2 == 0:
        down = trunc(height / 2 * floor((y - top + height / 4) * 2 / height) + top)
    else:
        down = trunc(height / 2 * floor((y - top) * 2 / height) + trunc(height / 4) + top)
    if (x, y) != (snapped, down):
        return None
    return _between(grid, x - left, y + trunc(height / 2 - top))


def _between(grid: Geometry, across: int, down: int) -> str | None:
    """Return the two hexes of a hexside, given its snap point as X and Y of the naming rule."""
    width, height = grid.width, grid.height
    twice = floor(2 * across / width + 0.5)
    if twice % 2:
        column = floor(across / width)
        row = _row(column, down, height)
        lower = (row - 0.5 if column % 2 == 0 else row) * height
        step = 0 if column % 2 == 0 else 1
        other = row + step if down > lower else row + step - 1
        return _pair(grid, (column, row), (column + 1, other))
    column = floor(across / width + 0.5)
    row = _row(column, down, height)
    edge = floor(2 * down / height + 0.5) % 2
    if edge != column % 2:
        return None
    middle = (row - 0.5 if column % 2 == 0 else row) * height
    other = row + 1 if down > middle else row - 1
    return _pair(grid, (column, min(row, other)), (column, max(row, other)))


def _row(column: int, down: float, height: float) -> int:
    return floor(down / height) + 1 if column % 2 == 0 else floor(down / height + 0.5)


def _pair(grid: Geometry, one: tuple[int, int], two: tuple[int, int]) -> str:
    names = (
        hex_name(column, row + (grid.alternate and column % 2 == 1)) for column, row in (one, two)
    )
    return "/".join(names)
