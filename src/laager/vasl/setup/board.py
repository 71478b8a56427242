"""The boards of a battle: how VASL lays them out, and the pixel where a counter in a hex lies.

Two counters are in one stack only if their pixels are equal, so a hex's pixel is not its middle but the point to
which VASL snaps what is dropped there: with its whole numbers, and with what it does at the seams of boards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor, hypot, sqrt, trunc
from pathlib import Path

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.hexmap import HexMap, parse_name
from laager.hexmap.values import Hex, Picture
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.layout import Crop, Geometry, Layout, PlacedBoard, arrange, parse_layout
from laager.vasl.boards.metadata import read_metadata
from laager.vasl.maps.cells import board_prefixes
from laager.vasl.saves.placing import Shape, shape_of, usual_shape
from laager.vasl.setup.likeness import BOARD_COMMAND, check_likeness

UNKNOWN_VERSION = "0"
"""Version of a board whose version is not known: VASL only says that it has another one."""
_BACK = 3
"""Distance up and left within which VASL looks for another board when something is dropped, in pixels."""
_NEAR = 2 * sqrt(2)
_VERSION = re.compile(r"VASL board ([^,;]+), version ([^ ,;]{1,20})")
_RULE = re.compile(r", (?:in play )?with rule ([^\s,;:]{1,80})")
_OVERLAY = re.compile(
    r", (?:in play )?with overlay ([^,;]{1,40}(?:, [A-Za-z0-9]{1,6}(?=, (?:with|in play|file|terrain)))?)"
)
_SLACK = 4
"""Largest difference between the place of a board on the map and in VASL, in pixels."""


@dataclass(frozen=True)
class BoardFile:
    """A board as its archive describes it, or as boards of such a name are: the code that saves use, shape, version.

    `archive` is None if the board itself isn't at hand.
    """

    code: str
    shape: Shape
    version: str = UNKNOWN_VERSION
    archive: Archive | None = field(default=None, compare=False, repr=False)


Boards = Callable[[str], BoardFile | None]
"""Gives a board by the code that saves use, or None if nothing is known of it."""


def usual_board(code: str) -> BoardFile | None:
    """Return a board that every geomorphic board of such a name is like, or None."""
    shape = usual_shape(code)
    return None if shape is None else BoardFile(code, shape)


def board_in(archive: Archive, code: str) -> BoardFile:
    """Return the board in an archive. Raises DataError if it isn't one to trust."""
    version = re.sub(r"[^0-9A-Za-z._-]", "", read_metadata(archive).version) or UNKNOWN_VERSION
    return BoardFile(code, shape_of(archive), version, archive)


def boards_at(folder: Path) -> Boards:
    """Return a function that gives the boards in a folder, else the usual ones.

    That function raises DataError for an archive that can't be used.
    """
    known: dict[str, BoardFile | None] = {}

    def board(code: str) -> BoardFile | None:
        if code not in known:
            path = folder / f"bd{code}"
            known[code] = board_in(open_archive(path), code) if path.is_file() else usual_board(code)
        return known[code]

    return board


@dataclass(frozen=True)
class BattleBoard:
    """A board of the battle: its file, how it is placed, its top left pixel on VASL's map, and its hexes' places.

    `exact` gives the pixel of a hex's centre on the board's whole picture, by the hex of the campaign's map; None for a
    hex of another board. `rules` are the scenario's terrain rules by VASL's names.
    """

    file: BoardFile
    placed: PlacedBoard
    corner: tuple[int, int]
    exact: Callable[[Hex], tuple[float, float] | None]
    rules: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The board in the words of a save."""
        placed = self.placed
        crop = [] if placed.crop is None else [str(number) for number in placed.crop]
        name = f"{'r' if placed.reversed else ''}{self.file.code}"
        rules = ["SSR", *self.rules] if self.rules else []
        return "\t".join(("bd", str(placed.column), str(placed.row), name, *crop, "VER", self.file.version, *rules, ""))

    def on_map(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of VASL's map at a pixel of the whole picture."""
        across, down = self.placed.as_shown(x, y)
        return floor(across + 0.5) + self.corner[0], floor(down + 0.5) + self.corner[1]

    def snap_point(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the pixel of VASL's map to which something dropped on this board snaps; None beside the board."""
        pixel = self.placed.pixel_at(self.corner, x, y)
        return None if pixel is None else self.on_map(*snap(self.placed.geometry, *pixel))


@dataclass(frozen=True)
class LaidBoards:
    """Boards as VASL lays them out, in its pixels."""

    boards: tuple[BattleBoard, ...]

    @property
    def command(self) -> str:
        """The command that lays out the boards."""
        return "".join(board.words for board in self.boards)


@dataclass(frozen=True)
class Battlefield(LaidBoards):
    """The boards under a campaign's map, in VASL's pixels."""

    map: HexMap
    overlays: tuple[tuple[str, str], ...] = ()
    """Overlays that the map was made with, each with its board: players put them on in VASL."""

    def pixel(self, name: str) -> tuple[int, int] | None:
        """Return the pixel of a counter in a hex; None for a hex that no board has."""
        return self._pixels.get(self.map.main(name))

    @cached_property
    def _pixels(self) -> Mapping[str, tuple[int, int]]:
        pixels = {}
        for hex_ in self.map.hexes.values():
            pixel = next(self._middles(hex_), None)
            if pixel is not None:
                pixels[hex_.name] = self.drop_point(*pixel)
        return pixels

    def _middles(self, hex_: Hex) -> Iterator[tuple[int, int]]:
        """Yield the pixel of a hex's middle on each board that has it, no pixel beyond the board."""
        for board in self.boards:
            exact = board.exact(hex_)
            if exact is None:
                continue
            x, y = board.on_map(*exact)
            width, height = board.placed.shown
            left, top = board.corner
            if left - _BACK <= x <= left + width + _BACK and top - _BACK <= y <= top + height + _BACK:
                yield min(max(x, left), left + width - 1), min(max(y, top), top + height - 1)

    def drop_point(self, x: int, y: int) -> tuple[int, int]:
        """Return the pixel to which VASL moves what is dropped at a pixel of its map."""
        first = self._snap_on_boards(x, y)
        if first is None:
            return x, y
        x, y = self._inside(*first)
        for across, down in ((_BACK, _BACK), (0, _BACK), (_BACK, 0)):
            point = self._snap_on_boards(x - across, y - down)
            if point is not None:
                return self._inside(*point)
        return x, y

    def _snap_on_boards(self, x: int, y: int) -> tuple[int, int] | None:
        points = (board.snap_point(x, y) for board in self.boards)
        return next((pixel for pixel in points if pixel is not None), None)

    def _inside(self, x: int, y: int) -> tuple[int, int]:
        """Return a pixel that is one pixel beyond all boards moved in by it."""
        for across, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
            if any(board.placed.pixel_at(board.corner, x - across, y - down) for board in self.boards):
                return x - across, y - down
        return x, y


def snap(grid: Geometry, x: float, y: float) -> tuple[int, int]:
    """Return VASL's snap point nearest to a pixel of a board: of hex centres and middles of hexsides."""
    left, top = trunc(grid.x), trunc(grid.y)
    column = floor((x - left + grid.width / 2) / grid.width)
    if column % 2 == 0:
        down = trunc(grid.height * floor((y - top + grid.height / 2) / grid.height) + top)
    else:
        down = trunc(grid.height * floor((y - top) / grid.height) + trunc(grid.height / 2) + top)
    centre = trunc(grid.width * column + left), down
    side = _nearest_side(grid, x, y)
    off_centre, off_side = (hypot(x - point[0], y - point[1]) for point in (centre, side))
    return centre if off_centre <= off_side or hypot(centre[0] - side[0], centre[1] - side[1]) <= _NEAR else side


def _nearest_side(grid: Geometry, x: float, y: float) -> tuple[int, int]:
    left, top = trunc(grid.x), trunc(grid.y)
    step = floor((x - left + grid.width / 4) * 2 / grid.width)
    across = trunc(grid.width / 2 * step + left)
    if step % 2 == 0:
        return across, trunc(grid.height / 2 * floor((y - top + grid.height / 4) * 2 / grid.height) + top)
    half = trunc(grid.height / 4)
    return across, trunc(grid.height / 2 * floor((y - top) * 2 / grid.height) + half + top)


# A map that was made from boards ------------------------------------------------------------------


def battlefield(map_: HexMap, boards: Boards, edge: int, layout: str = "", known: Sequence[str] = ()) -> Battlefield:
    """Return the boards under a campaign's map, as VASL lays them out.

    `boards` gives them by their codes, `edge` is the border around them in pixels. With a `layout` (as `laager vasl
    import` has it, of the boards `known`) the map's hexes are those of its boards with the same names; without one the
    map must have been made from boards. Raises RefusedError for a map without boards, DataError with problems.
    """
    if layout:
        return _battlefield_by_layout(map_, boards, edge, layout, known)
    if not map_.pictures:
        raise RefusedError(
            Refusal.BAD_DATA,
            f"the map {map_.title} was not made from VASL's boards",
            f"make its own board ({BOARD_COMMAND}), and name it with --layout Mine --boards boards",
        )
    return _battlefield_by_pictures(map_, boards, edge)


def _battlefield_by_pictures(map_: HexMap, boards: Boards, edge: int) -> Battlefield:
    """Return the boards of a map that was made from them."""
    versions = dict(_VERSION.findall(map_.source_note))
    files = [_board_file(map_, picture, boards, versions) for picture in map_.pictures]
    corners = [_corner(map_.hex(picture.hex), picture) for picture in map_.pictures]
    columns, rows = (_cells([corner[axis] for corner in corners]) for axis in (0, 1))
    placed = [
        PlacedBoard(
            file.shape.name,
            file.shape.geometry,
            (file.shape.width, file.shape.height),
            column,
            row,
            picture.reversed,
            _crop(picture, file.shape),
        )
        for file, picture, column, row in zip(files, map_.pictures, columns, rows, strict=True)
    ]
    layout = arrange(placed, edge)
    _check_places(map_, corners, layout)
    changes = [_changes(map_, number) for number in range(len(files))]
    lying = tuple(
        BattleBoard(file, placed_board, corner, _by_picture(map_.hex(picture.hex), picture), rules)
        for file, placed_board, corner, picture, (rules, _) in zip(
            files, placed, layout.corners, map_.pictures, changes, strict=True
        )
    )
    overlays = [(file.code, name) for file, (_, names) in zip(files, changes, strict=True) for name in names]
    return Battlefield(lying, map_, tuple(overlays))


def _changes(map_: HexMap, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules and overlays of one board of a map, from the map's note.

    Those that changed the map, and those that VASL alone applies: they are about looks, or Laager can't.
    """
    descriptions = [part for part in map_.source_note.split("; ") if part.startswith("VASL board ")]
    if len(descriptions) != len(map_.pictures):
        return (), ()
    return tuple(_RULE.findall(descriptions[number])), tuple(_OVERLAY.findall(descriptions[number]))


def _board_file(map_: HexMap, picture: Picture, boards: Boards, versions: Mapping[str, str]) -> BoardFile:
    """Return the board of a picture, from its archive or else from the map."""
    code = picture.file.removeprefix("bd")
    board = boards(code) or BoardFile(code, _shape_by_map(map_, picture, code))
    version = versions.get(board.shape.name) or versions.get(code)
    return replace(board, version=version) if version and board.version == UNKNOWN_VERSION else board


def _shape_by_map(map_: HexMap, picture: Picture, code: str) -> Shape:
    """Return the shape of a board by its picture's place on the map."""
    anchor = map_.hex(picture.hex)
    x, y, width, height = picture.part
    names = [name for name in map(parse_name, (anchor.name, *anchor.aliases)) if name is not None]
    wide, high = picture.hex_size
    for name in names:
        left = picture.at[0] - wide * name.column
        for alternate in (False, True):
            up = 1.0 if name.column % 2 == 0 else 1.5 if alternate else 0.5
            top = picture.at[1] - high * (name.row - up)
            grid = Geometry(wide, high, left, top, alternate)
            if _names_fit(map_, picture, grid):
                return Shape(code, x + width, y + height, grid)
    right = "name the folder of your VASL boards with --boards"
    raise DataError([Problem(f"nothing tells the hexes of board {code}", right)])


def _names_fit(map_: HexMap, picture: Picture, grid: Geometry) -> bool:
    """True if the hexes on a picture have the names that a grid gives them; those on a seam may have another's."""
    exact = _by_picture(map_.hex(picture.hex), picture)
    x, y, width, height = picture.part
    fits = misfits = 0
    for hex_ in map_.hexes.values():
        pixel = exact(hex_)
        if pixel is None or not (x <= pixel[0] <= x + width and y <= pixel[1] <= y + height):
            continue
        names = [name for name in map(parse_name, (hex_.name, *hex_.aliases)) if name is not None]
        if grid.place(*pixel) in [(name.column, name.row) for name in names]:
            fits += 1
        else:
            misfits += 1
    return fits > 10 * misfits


def _by_picture(anchor: Hex, picture: Picture) -> Callable[[Hex], tuple[float, float] | None]:
    """Return a function that gives the pixel of a hex on a picture, by the one hex in the map's record."""
    wide, high = picture.hex_size
    sign = -1 if picture.reversed else 1

    def exact(hex_: Hex) -> tuple[float, float] | None:
        across, down = hex_.q - anchor.q, (2 * hex_.r + hex_.q - 2 * anchor.r - anchor.q) / 2
        return picture.at[0] + sign * across * wide, picture.at[1] + sign * down * high

    return exact


def _corner(anchor: Hex, picture: Picture) -> tuple[float, float]:
    """Return the corner of a board in pixels from the hex at the map's origin."""
    wide, high = picture.hex_size
    left, top, width, height = picture.part
    x, y = picture.at[0] - left, picture.at[1] - top
    if picture.reversed:
        x, y = width - x, height - y
    return anchor.q * wide - x, (anchor.r + anchor.q / 2) * high - y


def _cells(starts: Sequence[float]) -> list[int]:
    """Return the column (or row) of each board by where it begins."""
    steps: list[float] = []
    for start in sorted(starts):
        if not steps or start - steps[-1] > 100:
            steps.append(start)
    return [max(number for number, step in enumerate(steps) if start >= step - 1) for start in starts]


def _crop(picture: Picture, shape: Shape) -> Crop | None:
    """Return the part that is left of a board; None if it is the whole."""
    return None if picture.part == (0, 0, shape.width, shape.height) else Crop(*picture.part)


def _check_places(map_: HexMap, corners: Sequence[tuple[float, float]], layout: Layout) -> None:
    """Raise DataError if VASL would lay the boards elsewhere than they lie on the map."""
    (x0, y0), (left, top) = corners[0], layout.corners[0]
    size = map_.pictures[0].hex_size
    for (x, y), (found_x, found_y), picture in zip(corners, layout.corners, map_.pictures, strict=True):
        off = abs(x - x0 - (found_x - left)), abs(y - y0 - (found_y - top))
        if off[0] > size[0] / 2 + _SLACK or off[1] > size[1] / 2 + _SLACK:
            problem = f"VASL would lay {picture.file} elsewhere than the map has it"
            raise DataError([Problem(problem, "make the map anew with laager vasl import, or say the layout")])


# A map that lies on boards by its hexes' names ----------------------------------------------------


def _battlefield_by_layout(map_: HexMap, boards: Boards, edge: int, text: str, known: Sequence[str]) -> Battlefield:
    """Return the boards of a layout; a hex of the map is the board's hex of the same name."""
    placed, files = _parse(text, boards, known, needs_archive=True)
    layout = arrange(placed.boards, edge)
    prefixes = board_prefixes([board.name for board in layout.boards])
    names = (name for hex_ in map_.hexes.values() for name in map(parse_name, (hex_.name, *hex_.aliases)) if name)
    on_map = {name.board for name in names}
    if len(layout.boards) == 1 and len(on_map) == 1:
        prefixes = list(on_map)
    archives = [archive for board in layout.boards if (archive := files[board.name].archive) is not None]
    check_likeness(map_, placed, archives, prefixes)
    lying = tuple(
        BattleBoard(files[board.name], board, corner, _by_name(prefix, board.geometry))
        for board, corner, prefix in zip(layout.boards, layout.corners, prefixes, strict=True)
    )
    return Battlefield(lying, map_)


def bare_boards(boards: Boards, edge: int, text: str, known: Sequence[str] = ()) -> LaidBoards:
    """Return the boards of a layout, on which no map lies. Raises DataError with problems."""
    placed, files = _parse(text, boards, known)
    layout = arrange(placed.boards, edge)
    lying = zip(layout.boards, layout.corners, strict=True)
    return LaidBoards(tuple(BattleBoard(files[board.name], board, corner, _nowhere) for board, corner in lying))


def _nowhere(_: Hex) -> None:
    return None


def _parse(
    text: str, boards: Boards, known: Sequence[str], *, needs_archive: bool = False
) -> tuple[Layout, Mapping[str, BoardFile]]:
    """Return the layout that a text describes, and its boards by name."""
    files: dict[str, BoardFile] = {}

    def find(name: str) -> PlacedBoard | None:
        board = boards(name)
        if board is None or (needs_archive and board.archive is None):
            return None
        files[board.shape.name] = board
        return PlacedBoard(board.shape.name, board.shape.geometry, (board.shape.width, board.shape.height))

    return parse_layout(text, find, known), files


def _by_name(prefix: str, grid: Geometry) -> Callable[[Hex], tuple[float, float] | None]:
    """Return a function that gives the pixel of a hex on a board by its name."""

    def exact(hex_: Hex) -> tuple[float, float] | None:
        for name in map(parse_name, (hex_.name, *hex_.aliases)):
            if name is not None and name.board == prefix:
                return grid.exact(name.column, name.row)
        return None

    return exact
