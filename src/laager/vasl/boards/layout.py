"""Boards put together: where each lies in VASL's pixels, and which hex is where.

A layout is written as people see it: rows of boards from the north, `/` between the rows, `r`
before a board that lies turned round, the part that is left of one in square brackets; a name
with blanks in it stands in quotes:

    r02 04[I-Y] / 03[A-P,1-5] r"MC5 Snow"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, trunc
from typing import NamedTuple

from laager.base import DataError, Problem, did_you_mean
from laager.hexmap.coords import MAX_COLUMNS, column_name, column_number

EDGE = 400
"""Width of the empty border that VASL leaves around the boards, in pixels."""
MAX_BOARDS = 24
MAX_CELL = 23
"""Last column or row of a layout, from 0."""
MAX_ZOOM = 10.0


class Crop(NamedTuple):
    """The part of a picture that is left, in pixels; a width or height below 1 reaches the end."""

    x: int
    y: int
    width: int = -1
    height: int = -1


@dataclass(frozen=True)
class PlacedBoard:
    """A board in a layout: its cell in the grid of boards, from 0, and how it lies there.

    `size` is that of its whole picture in pixels.
    """

    name: str
    geometry: Geometry
    size: tuple[int, int]
    column: int = 0
    row: int = 0
    reversed: bool = False
    crop: Crop | None = None
    zoom: float = 1.0

    @property
    def part(self) -> tuple[int, int, int, int]:
        """The part of the picture that is left: x, y, width, height."""
        width, height = self.size
        if self.crop is None:
            return 0, 0, width, height
        x, y = self.crop.x, self.crop.y
        wide = self.crop.width if self.crop.width > 0 else width - x
        high = self.crop.height if self.crop.height > 0 else height - y
        return x, y, wide, high

    @property
    def shown(self) -> tuple[int, int]:
        """Width and height on the map, in pixels.

        A crop "to the end" counts with the whole picture's size, as VASL has it.
        """
        width, height = self.size
        if self.crop is not None:
            width = self.crop.width if self.crop.width > 0 else width
            height = self.crop.height if self.crop.height > 0 else height
        return floor(width * self.zoom + 0.5), floor(height * self.zoom + 0.5)

    def on_board(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of the whole picture at a pixel of the board as it is shown."""
        width, height = self.shown
        if self.reversed:
            x, y = width - x, height - y
        if self.zoom != 1:
            x, y = floor(x / self.zoom + 0.5), floor(y / self.zoom + 0.5)
        left, top, _, _ = self.part
        return x + left, y + top

    def pixel_at(self, corner: tuple[int, int], x: float, y: float) -> tuple[float, float] | None:
        """Return the pixel of the whole picture at a pixel of VASL's map; None beside the board.

        `corner` is the board's top left corner on that map.
        """
        x, y = x - corner[0], y - corner[1]
        width, height = self.shown
        return self.on_board(x, y) if 0 <= x < width and 0 <= y < height else None

    def as_shown(self, x: float, y: float) -> tuple[float, float]:
        """Return where a pixel of the whole picture is shown: `on_board` turned about."""
        left, top, _, _ = self.part
        x, y = (x - left) * self.zoom, (y - top) * self.zoom
        width, height = self.shown
        return (width - x, height - y) if self.reversed else (x, y)


@dataclass(frozen=True)
class Layout:
    """Boards beside one another. `corners` are their top left corners on VASL's map, in pixels."""

    boards: tuple[PlacedBoard, ...]
    corners: tuple[tuple[int, int], ...]

    def at(self, x: float, y: float) -> tuple[PlacedBoard, str] | None:
        """Return the board at a pixel of VASL's map and the name of the hex; None off the boards.

        Where boards overlap by a pixel the first one listed has it.
        """
        for placed, corner in zip(self.boards, self.corners, strict=True):
            pixel = placed.pixel_at(corner, x, y)
            if pixel is not None:
                return placed, placed.geometry.name(*pixel)
        return None

    def without(self, names: Collection[str]) -> Layout:
        """Return the layout without some boards; those that are left keep their places to one another."""
        kept = [(placed, at) for placed, at in zip(self.boards, self.corners, strict=True) if placed.name not in names]
        left, top = (min((corner[axis] for _, corner in kept), default=EDGE) - EDGE for axis in (0, 1))
        return Layout(tuple(placed for placed, _ in kept), tuple((x - left, y - top) for _, (x, y) in kept))


def arrange(boards: Sequence[PlacedBoard], edge: int = EDGE) -> Layout:
    """Return boards with their places on VASL's map. Raises DataError for an absurd layout."""
    problems = []
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    if len(boards) > MAX_BOARDS:
        problems.append(Problem(f"{len(boards)} boards are too many", f"{MAX_BOARDS} at most"))
    for board in boards:
        if not (0 <= board.column <= MAX_CELL and 0 <= board.row <= MAX_CELL):
            problem = f"lies in column {board.column}, row {board.row} of the boards"
            problems.append(Problem(problem, f"from 0 to {MAX_CELL}", board.name))
        elif (board.column, board.row) in cells:
            problems.append(Problem("lies where another board lies already", "one board in each place", board.name))
        elif not 0 < board.zoom <= MAX_ZOOM:
            problems.append(Problem(f"is shown {board.zoom} times as large", f"at most {MAX_ZOOM:g} times", board.name))
        else:
            problems += _crop_problems(board)
            cells[board.column, board.row] = board.shown
    if problems:
        raise DataError(problems)
    return Layout(tuple(boards), tuple(corner_of(board.column, board.row, cells, edge) for board in boards))


def corner_of(
    column: int, row: int, cells: Mapping[tuple[int, int], tuple[int, int]], edge: int = EDGE
) -> tuple[int, int]:
    """Return where the board in a cell begins on VASL's map, by the sizes of what is before it.

    Only boards of its own row push it to the east, only those of its own column to the south;
    empty cells take no room.
    """
    before = sum(cells[before_it, row][0] for before_it in range(column) if (before_it, row) in cells)
    above = sum(cells[column, above_it][1] for above_it in range(row) if (column, above_it) in cells)
    return edge + before, edge + above


def _crop_problems(board: PlacedBoard) -> list[Problem]:
    x, y, width, height = board.part
    whole_width, whole_height = board.size
    inside = x + width <= whole_width + 1 and y + height <= whole_height + 1
    if inside and min(x, y) >= 0 and min(width, height) > 0:
        return []
    right = f"a part of its {whole_width} x {whole_height} pixels"
    return [Problem("is cropped to more than there is of it", right, board.name)]


_WORD = re.compile(r'(?:"[^"]*"|[^\s"])+|"')
"""A word of a row: blanks in quotes do not end it."""
_ITEM = re.compile(
    r'(?P<name>r?"[^"/\[\]]+"|[^\s/\[\]"]+)'
    r"(?:\[(?P<west>[A-Z]+)-(?P<east>[A-Z]+)(?:,(?P<north>[0-9]{1,3})-(?P<south>[0-9]{1,3}))?\])?"
)


def parse_layout(text: str, find: Callable[[str], PlacedBoard | None], known: Sequence[str]) -> Layout:
    """Return the layout that a text describes.

    `find` returns a board by its name, and None for another word; `known` are the names to choose
    from. Raises DataError with all that is wrong.
    """
    boards: list[PlacedBoard] = []
    problems: list[Problem] = []
    for row, line in enumerate(text.split("/")):
        for column, word in enumerate(_WORD.findall(line)):
            if word == "-":
                continue
            item = _ITEM.fullmatch(word)
            board = _find_board(item["name"].replace('"', ""), find) if item else None
            if item is None:
                right = "a board such as 02, r02 or 02[A-P,1-5], - for an empty place"
                problems.append(Problem(f"{word[:40]!r} is not a board of a layout", right))
            elif board is None:
                right = did_you_mean(item["name"], [*map(_quote, known)], "the boards are")
                problems.append(Problem(f"there is no board {item['name'][:40]!r}", right))
            else:
                crop, wrong = _crop(item, board)
                problems += wrong
                boards.append(_put_into_cell(board, column, row, crop))
    if not boards and not problems:
        problems.append(Problem("the layout names no board", "such as 02 04 / 03"))
    if problems:
        raise DataError(problems)
    return arrange(boards)


def side_by_side(names: Sequence[str]) -> str:
    """Return the layout of boards in one row, by their names."""
    return " ".join(map(_quote, names))


def _quote(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _find_board(name: str, find: Callable[[str], PlacedBoard | None]) -> PlacedBoard | None:
    """Return a board by its name; with `r` before it, turned round."""
    plain = find(name)
    if plain is not None or not name.startswith("r"):
        return plain
    turned = find(name[1:])
    if turned is None:
        return None
    return PlacedBoard(turned.name, turned.geometry, turned.size, reversed=True)


def _put_into_cell(board: PlacedBoard, column: int, row: int, crop: Crop | None) -> PlacedBoard:
    return PlacedBoard(board.name, board.geometry, board.size, column, row, board.reversed, crop)


def _crop(item: re.Match[str], board: PlacedBoard) -> tuple[Crop | None, list[Problem]]:
    """Return the part between two columns, cut at their centres as VASL cuts, and two rows."""
    if item["west"] is None:
        return None, []
    west, east = column_number(item["west"]), column_number(item["east"])
    if west is None or east is None or west >= east:
        problem = f"{item['west']}-{item['east']} are not columns from west to east"
        return None, [Problem(problem, "such as A-P", board.name)]
    geometry, (width, height) = board.geometry, board.size
    left = trunc(geometry.exact(west, 1)[0])
    right = trunc(geometry.exact(east, 1)[0])
    top, bottom = 0, height
    if item["north"] is not None:
        north, south = int(item["north"]), int(item["south"])
        # Whole hexes of the even columns; those of the odd ones are cut.
        top = floor(geometry.exact(0, north)[1] - geometry.height / 2 + 0.5)
        bottom = floor(geometry.exact(0, south)[1] + geometry.height / 2 + 0.5)
    left, right = max(left, 0), min(right, width)
    top, bottom = max(top, 0), min(bottom, height)
    crop = Crop(left, top, right - left, bottom - top)
    if crop.width <= 0 or crop.height <= 0:
        return None, [Problem(f"{item[0]} leaves nothing of the board", "other columns or rows")]
    return crop, []


EDGE_TOLERANCE = 3
"""Farthest that the centre of a half hex may lie outside the picture, in pixels."""


@dataclass(frozen=True)
class Geometry:
    """The hex grid of a board in pixels; the defaults are those of a geomorphic board.

    `width` is from centre to centre of two columns, `height` that of a hex, `x` and `y` the centre
    of hex A1. `alternate`: the rows of B, D, F ... are numbered one higher.
    """

    width: float = 56.25
    height: float = 64.5
    x: float = 0.0
    y: float = 32.25
    alternate: bool = False

    def place(self, x: float, y: float) -> tuple[int, int]:
        """Return column and row of the hex at a pixel."""
        across = x - trunc(self.x)
        down = y + trunc(self.height / 2 - trunc(self.y))
        column = floor(across / self.width + 0.5)
        if column % 2 == 0:
            return column, floor(down / self.height) + 1
        return column, floor(down / self.height + 0.5) + self.alternate

    def name(self, x: float, y: float) -> str:
        """Return the name of the hex at a pixel, as VASL shows it."""
        return hex_name(*self.place(x, y))

    def centre(self, column: int, row: int) -> tuple[int, int]:
        """Return the pixel of a hex's centre; at the edges it may lie outside the picture."""
        x, y = self.exact(column, row)
        return floor(x), floor(y)

    def exact(self, column: int, row: int) -> tuple[float, float]:
        """Return a hex's centre in fractions of pixels; VASL takes the origin in whole ones."""
        up = 1.0 if column % 2 == 0 else 1.5 if self.alternate else 0.5
        return self.width * column + trunc(self.x), self.height * (row - up) + trunc(self.y)

    def hexside(self, x: int, y: int) -> str | None:
        """Return the hexside (A1/B1) if a pixel is exactly VASL's snap point of one, else None."""
        left, top = trunc(self.x), trunc(self.y)
        step = floor((x - left + self.width / 4) * 2 / self.width)
        snapped = trunc(self.width / 2 * step + left)
        half = self.height / 2
        if step % 2 == 0:
            down = trunc(half * floor((y - top + self.height / 4) * 2 / self.height) + top)
        else:
            down = trunc(half * floor((y - top) * 2 / self.height) + trunc(half / 2) + top)
        if (x, y) != (snapped, down):
            return None
        return self._between(x - left, y + trunc(half - top))

    def _between(self, across: int, down: int) -> str | None:
        """Return the two hexes of a hexside, given its snap point as X and Y of the naming rule."""
        column, beside = floor(across / self.width + 0.5), floor(2 * across / self.width + 0.5) % 2
        if beside:
            column = floor(across / self.width)
        low = column % 2
        row = floor(down / self.height + 0.5) if low else floor(down / self.height) + 1
        below = down > (row if low else row - 0.5) * self.height
        if beside:
            return self._pair((column, row), (column + 1, row - (not below) + low))
        if floor(2 * down / self.height + 0.5) % 2 != low:
            return None
        return self._pair(*sorted([(column, row), (column, row + 1 if below else row - 1)]))

    def _pair(self, *places: tuple[int, int]) -> str:
        return "/".join(hex_name(column, row + (self.alternate and column % 2 == 1)) for column, row in places)

    def within(self, width: int, height: int) -> Iterator[tuple[int, int]]:
        """Yield column and row of every hex of a picture, column by column, from the top.

        Half hexes count: those with their centre on the edge, or a little beyond it.
        """
        low, high = -EDGE_TOLERANCE, EDGE_TOLERANCE
        first, _ = self.place(low, 0)
        last, _ = self.place(width + high, 0)
        for column in range(first, last + 1):
            x, _ = self.centre(column, 1)
            if not low <= x < width + high:
                continue
            _, top = self.place(x, low)
            _, bottom = self.place(x, height + high)
            for row in range(top - 1, bottom + 2):
                _, y = self.centre(column, row)
                if low <= y < height + high:
                    yield column, row


def hex_name(column: int, row: int) -> str:
    """Return the name of a hex. What lies west of column A has a minus sign before its letters."""
    number = min(abs(column), MAX_COLUMNS - 1)
    return f"{'-' if column < 0 else ''}{column_name(number)}{row}"
