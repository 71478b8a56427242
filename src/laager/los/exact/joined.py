"""Several boards as one LOS map, reversed and cropped, as VASL puts them together.

All points are those of the large map. From the boards come their pixels and what was derived of their hexes; nothing
is derived anew. VASL puts parts of some cropped boards in the wrong place; there it gives no answer worth having.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np

from laager.los.exact import ssr
from laager.los.exact.boards import LosBoard
from laager.los.exact.derive import Codes, Hexes, Levels, empty
from laager.los.exact.grid import Ints, PixelGrid
from laager.los.exact.losmap import LosMap, Rectangle, los_map
from laager.vasl.boards.layout import EDGE, Layout, PlacedBoard

OVERLAID = "the line meets an overlay, which VASL's LOS map doesn't hold"
GEOMORPHIC = frozenset({(33, 10), (17, 20), (15, 5)})
"""The sizes of boards that VASL puts where they lie; others it puts into the top left corner of the map."""


@dataclass(frozen=True, eq=False)
class LaidBoard:
    """A board of a map: its place, the scenario rules that change it, rectangles of overlays on the map."""

    sheet: LosBoard
    placed: PlacedBoard
    rules: tuple[str, ...] = ()
    overlays: tuple[Rectangle, ...] = ()


@dataclass(eq=False)
class _Part:
    """The part of a board that lies on the map: a grid of its own, and which hex of the board each is.

    `first_y` is the y of the first hex on the uncropped board, turned if the board is; VASL takes it for where the
    pixels begin.
    """

    columns: int
    half: bool
    spots: list[tuple[int, int]]
    source: Ints
    first_y: int
    codes: Codes
    levels: Levels
    turned: bool
    problem: str = ""
    doubt: str = ""


def join(laid: Sequence[LaidBoard], layout: Layout) -> LosMap:
    """Return the LOS map of boards; `laid` belong one by one to those of the layout.

    The boards are changed in place by their rules. Where VASL makes no LOS map, the map's `silent` says why.
    """
    for board in laid:
        ssr.apply(board.sheet, board.rules)
    corners = [(x - EDGE, y - EDGE) for x, y in layout.corners]
    width = max(x + board.placed.shown[0] for board, (x, _) in zip(laid, corners, strict=True))
    height = max(y + board.placed.shown[1] for board, (_, y) in zip(laid, corners, strict=True))
    first, last = laid[0].sheet.metadata.geometry, laid[-1].sheet.metadata.geometry
    columns, rows = floor(width / last.width + 0.5) + 1, floor(height / last.height + 0.5)
    parts = [_part(board) for board in laid]
    grid = PixelGrid(
        columns, rows, last.width, last.height, max(_start_x(laid[0]), 0.0), first.y, width, height, parts[0].half
    )
    joint = _Joint(grid)
    problems = [*_size_problems(laid), *(part.problem for part in parts)]
    for board, part, corner in zip(laid, parts, corners, strict=True):
        problems.append(joint.insert(board, part, corner))
    joint_map = los_map(
        "Boards " + " ".join(board.sheet.metadata.name for board in laid),
        grid,
        names_of(grid, layout),
        (joint.codes, joint.levels),
        joint.hexes,
        [(board.sheet.code, board.sheet.sha256) for board in laid],
    )
    unclear = [
        ((*corner, *board.placed.shown), part.doubt) for board, part, corner in zip(laid, parts, corners, strict=True)
    ]
    return replace(
        joint_map,
        silent=next(filter(None, problems), ""),
        unclear=(
            *((rectangle, OVERLAID) for board in laid for rectangle in board.overlays),
            *((rectangle, why) for rectangle, why in unclear if why),
            *joint.lost,
        ),
    )


def _start_x(board: LaidBoard) -> float:
    return board.sheet.metadata.geometry.x


def _size_problems(laid: Sequence[LaidBoard]) -> list[str]:
    sizes = {
        (floor(board.sheet.grid.dx + 0.5), floor(board.sheet.grid.dy + 0.5)): board.sheet.metadata.name
        for board in laid
    }
    return ["its boards have hexes of different sizes"] if len(sizes) > 1 else []


def names_of(grid: PixelGrid, layout: Layout) -> list[str]:
    """Return the names of the hexes as VASL shows them, each only once; those that nobody sees have a number."""
    names: list[str] = []
    seen: set[str] = set()
    several = len(layout.boards) > 1
    for i, (x, y) in enumerate(grid.centre.tolist()):
        at = layout.at(x + EDGE, y + EDGE)
        name = (f"{at[0].name}{at[1]}" if several else at[1]) if at else ""
        if not name or name in seen:
            name = f"{name or 'hex'}#{i}"
        seen.add(name)
        names.append(name)
    return names


def _part(board: LaidBoard) -> _Part:
    """Return what is left of a board after cropping and turning."""
    grid, placed = board.sheet.grid, board.placed
    x, y, width, height = placed.part
    codes, levels = board.sheet.codes, board.sheet.levels
    c0, r0, columns, rows, half, problem = 0, 0, grid.columns, grid.rows, grid.half, ""
    if placed.crop is not None:
        number = int(grid.hexes_of_pixels()[min(x, grid.width - 1), min(y, grid.height - 1)])
        c0, r0 = grid.spots[max(number, 0)].tolist()
        columns, rows = floor(width / grid.dx + 0.5) + 1, floor(height / grid.dy + 0.5)
        half = c0 % 2 == 1
        codes, levels = codes[x : x + width, y : y + height], levels[x : x + width, y : y + height]
        if (placed.crop.width <= 0 and x) or (placed.crop.height <= 0 and y):
            problem = f"board {placed.name} is cropped from the middle to the end"
    part_grid = PixelGrid(columns, rows, grid.dx, grid.dy, grid.x, grid.y, max(width, 1), max(height, 1), half)
    spots = part_grid.spots
    source = grid.numbers(spots[:, 0] + c0, spots[:, 1] + r0)
    first_y = int(grid.centre[max(grid.number(c0, r0), 0), 1])
    if placed.reversed:
        codes, levels = codes[::-1, ::-1], levels[::-1, ::-1]
        counts = np.diff(part_grid.starts)
        spots = np.stack([columns - 1 - spots[:, 0], counts[spots[:, 0]] - 1 - spots[:, 1]], axis=-1)
        half = half != (columns % 2 == 0)
        first_y = _turned_y(grid, c0 + columns - 1, r0 + int(counts[-1]) - 1)
    wrong = placed.crop is not None and _is_misplaced(board, c0, r0, first_y, x, y)
    doubt = f"it puts parts of the cropped board {placed.name} in the wrong place" if wrong else ""
    places = [(int(c), int(r)) for c, r in spots]
    return _Part(columns, half, places, source, first_y, codes, levels, placed.reversed, problem, doubt)


def _turned_y(grid: PixelGrid, column: int, row: int) -> int:
    """Return where a hex lies from the top once its board is turned."""
    turned = replace(grid, half=grid.half != (grid.columns % 2 == 0))
    column, rows = grid.columns - 1 - column, grid.column_rows(min(column, grid.columns - 1))
    number = turned.number(column, rows - 1 - row)
    return int(turned.centre[max(number, 0), 1])


def _is_misplaced(board: LaidBoard, c0: int, r0: int, first_y: int, x: int, y: int) -> bool:
    """Return True if VASL puts hexes or pixels of a cropped board in the wrong place."""
    grid = board.sheet.grid
    too_high = board.placed.row > 0 and first_y != int(grid.centre[0, 1])
    first = grid.exact[max(grid.number(c0, r0), 0)]
    half_hex = abs(first[0] - x) > grid.dx / 4
    top = first[1] - (0.0 if c0 % 2 else grid.dy / 2)
    return bool(too_high or half_hex or abs(top - y) > grid.dy / 4)


class _Joint:
    """The large map while boards are put into it."""

    def __init__(self, grid: PixelGrid) -> None:
        self.grid = grid
        self.codes = np.zeros(grid.size, np.uint8)
        self.levels = np.zeros(grid.size, np.int8)
        self.hexes: Hexes = empty(grid)
        self.pixels = grid.hexes_of_pixels()
        self.lost: list[tuple[Rectangle, str]] = []
        """Where hexes are that VASL leaves out, and why there is no answer."""

    def insert(self, board: LaidBoard, part: _Part, corner: tuple[int, int]) -> str:
        """Put a board in. Returns why VASL makes no LOS map of it, if it doesn't."""
        at = self._first(board, corner)
        name = board.placed.name
        if at < 0:
            return f"board {name} begins where no hex is"
        column, row = self.grid.spots[at].tolist()
        if self._geomorphic(board) and part.half != (self.grid.half != (column % 2 == 1)):
            return f"the columns of board {name} don't fit those of the first board"
        x = 0 if column == 0 else int(self.grid.centre[at, 0])
        y = 0 if row == 0 else max(int(self.grid.centre[at, 1]) - part.first_y, 0)
        width, height = part.codes.shape
        if x + width > self.grid.width or y + height > self.grid.height:
            return f"board {name} reaches beyond the map"
        self.codes[x : x + width, y : y + height] = part.codes
        self.levels[x : x + width, y : y + height] = part.levels
        return self._hexes(board, part, column, row)

    def _geomorphic(self, board: LaidBoard) -> bool:
        return (board.sheet.grid.columns, board.sheet.grid.rows) in GEOMORPHIC

    def _first(self, board: LaidBoard, corner: tuple[int, int]) -> int:
        if not self._geomorphic(board):
            return 0
        x, y = corner[0], corner[1] + 1
        inside = 0 <= x < self.grid.width and 0 <= y < self.grid.height
        return int(self.pixels[x, y]) if inside else -1

    def _hexes(self, board: LaidBoard, part: _Part, column: int, row: int) -> str:
        old, new = self.hexes, board.sheet.hexes
        for (c, r), source in zip(part.spots, part.source.tolist(), strict=True):
            # VASL asks how many hexes the map's column c has, not the board that the hex comes into.
            number = self.grid.number(column + c, row + r)
            if r >= self.grid.column_rows(c):
                if number >= 0:
                    self._lose(number, board.placed.name)
                continue
            if number < 0 or source < 0:
                return f"hexes of board {board.placed.name} fall off the map"
            sides = (np.arange(6) + 3 * part.turned) % 6
            old.base[number], old.centre[number] = new.base[source], new.centre[source]
            old.depressed[number], old.stairs[number] = new.depressed[source], new.stairs[source]
            old.slope[number] = new.slope[source][sides]
            old.upper[number] = new.upper[source] or old.upper[number]
            old.lower[number] = new.lower[source] or old.lower[number]
            on = self.grid.on_map[number] & new.place_on[source][sides]
            for field in ("side", "place", "mark", "cliff"):
                getattr(old, field)[number][on] = getattr(new, field)[source][sides][on]
        return ""

    def _lose(self, number: int, name: str) -> None:
        """Note a hex of a board that VASL leaves out."""
        x, y = self.grid.centre[number].tolist()
        width, height = ceil(self.grid.dx * 4 / 3), ceil(self.grid.dy)
        rectangle = (x - width // 2, y - height // 2, width, height)
        self.lost.append((rectangle, f"it leaves out half hexes of board {name}"))
