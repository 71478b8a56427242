"""Boards without LOS data, painted by the tests in the colours of VASL's shared table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document
from laager.vasl import Board, Imported, arrange, import_boards, open_archive, place_alone, read_ground_by_colours
from laager.vasl.boards.board import board_of
from laager.vasl.colours.legend import read_legend
from tests.vasl.board_writer import Draft, zipped

LEVEL0, LEVEL1, WOODS, PAVED, STONE, WALL = (
    *((175, 188, 106), (176, 147, 70), (85, 95, 45)),
    *((192, 192, 207), (70, 70, 70), (158, 157, 157)),
)
STAIRWELL, STREAM, BLACK = (251, 254, 255), (131, 190, 240), (0, 0, 0)

Colour = tuple[int, int, int]


@dataclass
class Painted:
    """A board of hexes of the usual size: everything is open ground at level 0 until something is painted.

    `colors` is the text of the archive's own colours, `others` further entries.
    """

    name: str = "OLD"
    columns: int = 7
    rows: int = 6
    ground: Colour = LEVEL0
    colors: str = ""
    others: Mapping[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.grid = Draft(columns=self.columns, rows=self.rows)
        self.image = Image.new("RGB", (self.grid.width, self.grid.height), self.ground)
        self.brush = ImageDraw.Draw(self.image)

    def box(self, name: str, colour: Colour, half: float = 24, dx: float = 0, dy: float = 0) -> None:
        """Put a square of a colour into a hex."""
        x, y = self.grid.centre(name)
        self.brush.rectangle((x + dx - half, y + dy - half, x + dx + half, y + dy + half), fill=colour)

    def way(self, names: str, colour: Colour, width: int = 10) -> None:
        """Draw a road or the like through the centres of hexes."""
        self.brush.line([self.grid.centre(name) for name in names.split()], fill=colour, width=width)

    def side(self, name: str, side: int, colour: Colour, width: int = 9) -> None:
        """Draw something along a hexside, clockwise from 0, the north."""
        x, y = self.grid.centre(name)
        s, v = 37.5, 32.25
        corners = [(-s / 2, -v), (s / 2, -v), (s, 0), (s / 2, v), (-s / 2, v), (-s, 0)]
        (x1, y1), (x2, y2) = corners[side], corners[(side + 1) % 6]
        self.brush.line((x + x1, y + y1, x + x2, y + y2), fill=colour, width=width)

    def dots(self) -> None:
        """Draw the white centre dots and a cross of black lines that mean nothing."""
        for column in range(self.columns):
            for row in range(self.rows + 1):
                x, y = column * 56.25, (row + 0.5 - 0.5 * (column % 2)) * 64.5
                self.brush.rectangle((x - 1, y - 1, x + 1, y + 1), fill=(255, 255, 255))
                self.brush.line((x - 18, y - 32, x + 18, y - 32), fill=BLACK)

    def entries(self, kind: str = "GIF") -> dict[str, bytes]:
        held = BytesIO()
        image = self.image.quantize(256, dither=Image.Dither.NONE) if kind == "GIF" else self.image
        image.save(held, kind)
        found = {"data": b"version 1.0\nx0 0\ny0 32\n", f"bd{self.name}.gif": held.getvalue()}
        if self.colors:
            found["colors"] = self.colors.encode()
        return found | dict(self.others)

    def write(self, folder: Path, kind: str = "GIF") -> Path:
        return zipped(folder / f"bd{self.name}", self.entries(kind))


def town() -> Painted:
    """Return a board with a hill, woods, a street, houses, a wall and a stream."""
    board = Painted()
    board.box("C2", WOODS)
    board.box("F5", LEVEL1, 60)
    board.way("A4 B3 C3 D3 E4 F4 G5", PAVED)
    board.way("A6 B5 C5", STREAM, 8)
    board.box("D1", STONE, 12)
    board.box("E2", STONE, 12)
    board.way("E2 F2", STONE, 16)
    board.box("F1", STONE, 12)
    board.box("F1", STAIRWELL, 2, dx=6)
    board.side("C4", 3, WALL)
    board.dots()
    return board


def read(painted: Painted, folder: Path, legend: str = "", kind: str = "GIF") -> Board:
    archive = open_archive(painted.write(folder, kind))
    return read_ground_by_colours(archive, board_of(archive), read_legend(legend) if legend else None)


def made(board: Board) -> Imported:
    return import_boards(arrange([place_alone(board)]), [board])


def painted_board() -> Painted:
    """Return a board in colours of its own: speckled grass, a dark wood, a blue lake, a red strip with a title."""
    board = Painted(ground=(150, 178, 118))
    for number in range(8):
        board.box("ABCDEFG"[number % 7] + str(1 + number % 5), (146 + number, 172 + 2 * number, 112 + number), 12)
    board.box("C2", (70, 110, 60), 40)
    board.box("E3", (130, 160, 215), 40)
    board.brush.rectangle((0, board.image.height - 60, board.image.width, board.image.height), fill=(150, 60, 70))
    return board


def map_of(text: str) -> HexMap:
    return map_from_document(parse_document(text, "the map"))
