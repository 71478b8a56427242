"""The hexes of boards put together: half hexes that coincide made one, sides turned with boards.

Places are counted as in map files: columns to the east, half hexes to the south.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from laager.base import DataError, Problem
from laager.hexmap.coords import MAX_COLUMNS, MAX_ROW, column_name
from laager.vasl.boards.board import Board, BoardHex
from laager.vasl.boards.derive import HexGround
from laager.vasl.boards.layout import EDGE_TOLERANCE, Layout, PlacedBoard

BEYOND: tuple[tuple[int, int], ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
"""The neighbour across each side, as steps of (column, half hexes), clockwise from the north."""

_PREFIX = re.compile(r"0*([0-9]{1,3}[a-z]{0,2})")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_OTHER_CROP = (
    "crop one of the two a column more or fewer: the columns that meet are both of A, C, E … or both of B, D, F …"
)

Place = tuple[int, int]


@dataclass(frozen=True)
class BoardPart:
    """What one board says of a cell; `turn` is added to its sides (3 on a board turned round)."""

    board: int
    ground: HexGround
    turn: int


@dataclass(frozen=True)
class Cell:
    """A hex of the joined map: its name, its place, and what each board there says of it."""

    name: str
    place: Place
    parts: tuple[BoardPart, ...]


@dataclass(frozen=True)
class BoardSheet:
    """A board on the joined map, in the words of a map file, and the hexes of it that are left."""

    prefix: str
    first_column: int
    columns: int
    even_rows: tuple[int, int]
    odd_rows: tuple[int, int]
    cut: tuple[str, ...]
    alternate: bool
    reversed: bool
    at: Place
    places: Mapping[str, Place]
    """Where each hex lies, by its name on the board."""
    left_out: int


def board_prefixes(names: Sequence[str]) -> list[str]:
    """Return what stands before the hex names of each board on a joined map.

    A geomorphic board has its number (`1` for 01, `6a`); of the others the first has nothing, and
    those after it letters. A board that is there twice is one of the others the second time.
    """
    prefixes: list[str] = []
    for name in names:
        number = _PREFIX.fullmatch(name)
        prefix = number[1] if number else ""
        free = (letter for letter in _LETTERS if letter not in prefixes)
        prefixes.append(prefix if prefix not in prefixes else next(free))
    return prefixes


def sheets_of(layout: Layout, boards: Sequence[Board]) -> list[BoardSheet]:
    """Return each board of a layout on the joint grid. Raises DataError if they do not fit."""
    first = layout.boards[0]
    unit = (first.geometry.width * first.zoom, first.geometry.height * first.zoom)
    prefixes = board_prefixes([board.name for board in layout.boards])
    sheets: list[BoardSheet] = []
    problems: list[Problem] = []
    origin = _origin(first, layout.corners[0], boards[0], unit)
    for placed, corner, board, prefix in zip(layout.boards, layout.corners, boards, prefixes, strict=True):
        size = (placed.geometry.width * placed.zoom, placed.geometry.height * placed.zoom)
        if any(abs(a - b) > 0.03 * b for a, b in zip(size, unit, strict=True)):
            right = f"boards with hexes as large as those of {first.name}"
            problems.append(Problem("has hexes of another size", right, placed.name))
            continue
        sheet = _sheet(placed, corner, board, prefix, origin, unit)
        if isinstance(sheet, Problem):
            problems.append(sheet)
        elif sheets and _is_lowered(sheet) != _is_lowered(sheets[0]):
            problem = f"its hexes lie half a hex off those of {first.name}"
            problems.append(Problem(problem, _OTHER_CROP, placed.name))
        else:
            sheets.append(sheet)
    if problems:
        raise DataError(problems)
    return sheets


def _is_lowered(sheet: BoardSheet) -> bool:
    """Return True if the first column of the joint map has its hexes half a hex lower on such a board."""
    column, height = next(iter(sheet.places.values()))
    return (column + height) % 2 == 1


def _origin(placed: PlacedBoard, corner: Place, board: Board, unit: tuple[float, float]) -> tuple[float, float]:
    """Return the pixel from which columns and half hexes are counted.

    The first board's hexes have the places that they would have alone.
    """
    first_hex = board.hexes[0]
    x, y = placed.as_shown(*first_hex.exact)
    return corner[0] + x, corner[1] + y - _half_hexes(first_hex, placed) * unit[1] / 2


def _sheet(
    placed: PlacedBoard,
    corner: Place,
    board: Board,
    prefix: str,
    origin: tuple[float, float],
    unit: tuple[float, float],
) -> BoardSheet | Problem:
    inside = [hex_ for hex_ in board.hexes if _is_left_by_crop(placed, hex_)]
    kept = [hex_ for hex_ in inside if 0 <= hex_.column < MAX_COLUMNS and 0 <= hex_.row <= MAX_ROW]
    if not kept:
        return Problem("has no hexes that could be named", "such as A1", placed.name)
    anchor = kept[0]
    x, y = placed.as_shown(*anchor.exact)
    across = (corner[0] + x - origin[0]) / unit[0]
    down = 2 * (corner[1] + y - origin[1]) / unit[1]
    start = _nearest_place(across, down)
    if start is None:
        problem = "does not fit to the other boards: its hexes lie between theirs"
        return Problem(problem, "crop or place it otherwise", placed.name)
    low = _half_hexes(anchor, placed)
    turn = -1 if placed.reversed else 1
    places = {
        hex_.name: (
            start[0] + turn * (hex_.column - anchor.column),
            start[1] + turn * (_half_hexes(hex_, placed) - low),
        )
        for hex_ in kept
    }
    columns = [hex_.column for hex_ in kept]
    rows = [[hex_.row for hex_ in kept if hex_.column % 2 == odd] for odd in (0, 1)]
    even, odd = ((min(r), max(r)) if r else None for r in rows)
    rows_of_any = even or odd or (0, 0)
    heights = [
        2 * row + _half_lower(column, placed)
        for column in range(min(columns), max(columns) + 1)
        for row in (odd if column % 2 else even) or ()
    ]
    return BoardSheet(
        prefix,
        min(columns),
        max(columns) - min(columns) + 1,
        even or rows_of_any,
        odd or rows_of_any,
        _cut_edges(placed, kept, board.frame),
        placed.geometry.alternate,
        placed.reversed,
        (min(c for c, _ in places.values()), min(y for _, y in places.values()) - min(heights)),
        places,
        len(inside) - len(kept),
    )


def _nearest_place(across: float, down: float) -> Place | None:
    """Return the place nearest to a position; None if it lies between places."""
    column, y = round(across), round(down)
    if abs(across - column) > 0.3:
        return None
    return (column, y) if abs(down - y) <= 0.4 else None


def _half_lower(column: int, placed: PlacedBoard) -> int:
    """Return True if a column lies half a hex lower than its neighbours (see `hexmap.boards`)."""
    return int(column % 2 == (0 if placed.geometry.alternate else 1))


def _half_hexes(hex_: BoardHex, placed: PlacedBoard) -> int:
    return 2 * hex_.row + _half_lower(hex_.column, placed)


def _is_left_by_crop(placed: PlacedBoard, hex_: BoardHex) -> bool:
    """Return True if the crop leaves a hex: its centre lies inside, or hardly outside."""
    x, y, width, height = placed.part
    across, down = hex_.exact[0] - x, hex_.exact[1] - y
    near = EDGE_TOLERANCE
    return -near <= across <= width + near and -near <= down <= height + near


def _cut_edges(
    placed: PlacedBoard, kept: Sequence[BoardHex], frame: tuple[int, int, int, int] | None
) -> tuple[str, ...]:
    """Return the edges, before the board is turned, along which its outermost hexes are cut.

    `frame` is what of the picture is map, if it has a margin.
    """
    x, y, width, height = placed.part
    if frame is not None:
        right, bottom = min(x + width, frame[2]), min(y + height, frame[3])
        x, y = max(x, frame[0]), max(y, frame[1])
        width, height = right - x, bottom - y
    across = [hex_.exact[0] for hex_ in kept]
    down = [hex_.exact[1] for hex_ in kept]
    dx, dy = placed.geometry.width, placed.geometry.height
    room = {
        "north": (min(down) - y) / (dy / 2),
        "south": (y + height - max(down)) / (dy / 2),
        "east": (x + width - max(across)) / (2 * dx / 3),
        "west": (min(across) - x) / (2 * dx / 3),
    }
    return tuple(edge for edge, left in room.items() if left < 0.75)


def cells_of(sheets: Sequence[BoardSheet], boards: Sequence[Board]) -> dict[Place, Cell]:
    """Return the hexes of the joined map by place. Hexes that boards share have the first's name.

    Whether boards may lie over one another the reader of map files decides.
    """
    cells: dict[Place, Cell] = {}
    for number, (sheet, board) in enumerate(zip(sheets, boards, strict=True)):
        for name_on_board, place in sheet.places.items():
            ground = board.by_name[name_on_board].ground
            before = cells.get(place)
            name = before.name if before else f"{sheet.prefix}{name_on_board}"
            parts = before.parts if before else ()
            if ground is not None:
                parts = (*parts, BoardPart(number, ground, 3 if sheet.reversed else 0))
            cells[place] = Cell(name, place, parts)
    return cells


def first_column(sheet: BoardSheet) -> str:
    """Return the letters of a board's first column that is left."""
    return column_name(sheet.first_column)
