"""Boards put together into one grid: their places, half hexes that coincide, turned boards.

Works in half rows: the centre of hex n of an even column (A, C, E ...) lies at height 2n, that of
an odd column (B, D, F ...) at 2n + 1; with the alternate grain it is the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from laager.base import did_you_mean
from laager.hexmap.coords import HexName
from laager.hexmap.files.mapfile import BoardEntry

Complain = Callable[[int, str, str, str], None]
"""Called with the board's number in the file, the field, what is wrong, what would be right."""


@dataclass(frozen=True)
class HexSpot:
    """A hex position on the joined map: its main name, position, other names, whether cut."""

    name: str
    q: int
    r: int
    half: bool
    aliases: tuple[str, ...]


def join_boards(boards: Sequence[BoardEntry], complain: Complain) -> list[HexSpot]:
    """Return the hexes of all boards joined. Reports problems to `complain`."""
    if not _check_board_names(boards, complain):
        return []
    offsets = _offsets(boards, complain)
    names_at: dict[tuple[int, int], list[tuple[str, bool]]] = {}
    for number, board in enumerate(boards):
        if number not in offsets:
            continue
        over, down = offsets[number]
        clash: list[tuple[str, str]] = []
        for name, column, y, half in _hexes(board):
            names_here = names_at.setdefault((column + over, y + down), [])
            if names_here and not (half or names_here[0][1]):
                clash.append((name, names_here[0][0]))
            names_here.append((name, half))
        if clash:
            mine, other = clash[0]
            complain(
                number,
                "",
                f"lies over another board ({mine} on {other}, {len(clash)} hexes in all)",
                "boards may share half hexes only; move it with at, right_of or below",
            )
    return _spots(names_at, len(boards), complain) if names_at else []


def _check_board_names(boards: Sequence[BoardEntry], complain: Complain) -> bool:
    names = [board.board for board in boards]
    twice = [number for number, name in enumerate(names) if name in names[:number]]
    for number in twice:
        problem = f"there is a board {names[number]!r} already" if names[number] else "has no name"
        complain(number, "", problem, "give each board its own name")
    return not twice


def _spots(names_at: dict[tuple[int, int], list[tuple[str, bool]]], boards: int, complain: Complain) -> list[HexSpot]:
    west = min(column for column, _ in names_at)
    odd = {(column - west + y) % 2 for column, y in names_at}
    if len(odd) > 1:
        complain(
            boards - 1,
            "",
            "the boards do not fit: their hexes are half a hex apart",
            "shift one of them by one half row, such as at: [25, 1], or give it grain: alternate",
        )
        return []
    shift = odd.pop()
    spots = []
    for (column, y), names in names_at.items():
        q = column - west
        (name, half), *others = names
        aliases = tuple(other for other, _ in others)
        spots.append(HexSpot(name, q, (y + shift - q) // 2, half and not others, aliases))
    return spots


def _hexes(board: BoardEntry) -> list[tuple[str, int, int, bool]]:
    """Return name, column and height of each hex on the board alone, and whether it is cut."""
    last = board.columns - 1
    hexes = []
    for column in range(board.columns):
        number = board.first + column
        low = number % 2 == (0 if board.alternate else 1)
        given = board.odd_rows if number % 2 else board.even_rows
        first = 0 if low and board.half_rows else 1
        start, end = given or (first, board.rows)
        for row in range(start, end + 1):
            cut = low and board.half_rows and row in (0, board.rows) and not given
            name = str(HexName(board.board, number, row))
            hexes.append((name, column, 2 * row + low, cut))
    sides = _cut_sides(board)
    low_y, high_y = min(y for _, _, y, _ in hexes), max(y for _, _, y, _ in hexes)
    ends = {("north", low_y), ("south", high_y)}
    sideways = {("west", 0), ("east", last)}
    cut_rows = {y for side, y in ends if side in sides}
    cut_columns = {column for side, column in sideways if side in sides}
    hexes = [(name, column, y, cut or y in cut_rows or column in cut_columns) for name, column, y, cut in hexes]
    if board.reversed:
        heights = [y for _, _, y, _ in hexes]
        turn = min(heights) + max(heights)
        hexes = [(name, last - column, turn - y, cut) for name, column, y, cut in hexes]
    return hexes


def _cut_sides(board: BoardEntry) -> frozenset[str]:
    """Return the edges along which the hexes of a board are cut, before it is turned."""
    columns = {"west", "east"} if board.cut_columns and board.even_rows is None else set()
    return frozenset({*board.cut, *columns})


def _offsets(boards: Sequence[BoardEntry], complain: Complain) -> dict[int, tuple[int, int]]:
    """Return how far each board is moved: columns to the east, half rows to the south."""
    by_name = {board.board: number for number, board in enumerate(boards) if board.board}
    offsets: dict[int, tuple[int, int]] = {}
    waiting: dict[int, tuple[int, str]] = {}
    for number, board in enumerate(boards):
        to = board.right_of or board.below
        if board.at is not None:
            offsets[number] = board.at
        elif to is not None and to not in by_name:
            where = "right_of" if board.right_of else "below"
            complain(number, where, f"there is no board {to!r}", did_you_mean(to, by_name))
        elif to is not None:
            waiting[number] = (by_name[to], to)
        elif number == 0:
            offsets[number] = (0, 0)
        else:
            complain(number, "", "has no place", "add at, right_of or below")
    while waiting:
        ready = [number for number, (anchor, _) in waiting.items() if anchor in offsets]
        if not ready:
            _report_loops(boards, waiting, complain)
            break
        for number in ready:
            anchor, _ = waiting.pop(number)
            offsets[number] = _offset_beside(boards[number], boards[anchor], offsets[anchor])
    return offsets


def _report_loops(boards: Sequence[BoardEntry], waiting: dict[int, tuple[int, str]], complain: Complain) -> None:
    for number, (to, name) in waiting.items():
        if to in waiting:
            where = "right_of" if boards[number].right_of else "below"
            problem = f"the place of board {name!r} is not fixed either"
            complain(number, where, problem, "start from a board with a place of its own")


def _offset_beside(board: BoardEntry, other: BoardEntry, offset: tuple[int, int]) -> tuple[int, int]:
    over, down = offset
    if board.right_of:
        shared = board.cut_columns and other.cut_columns
        return over + other.columns - shared, down
    return over, down + 2 * other.rows
