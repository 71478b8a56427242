"""The map file as a designer types it: the model behind its JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from laager.base.files import FilePart
from laager.hexmap.coords import MAX_COLUMNS, MAX_ROW, MAX_ROWS, column_number
from laager.hexmap.values import PICTURE_FILE


def _hex_text(value: object) -> object:
    """Refuse numbers."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(f"{value} is a number, not a hex; a hex such as E5")
    return value


DOUBT = r"^(100|[1-9][0-9]?) [a-z][a-z ]{2,59}$"
"""Matches the key of a list of doubts: a score and the reason."""


def _board_text(value: object) -> object:
    """Take the number of a board without quotes."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


BoardName = Annotated[str, BeforeValidator(_board_text)]
HexText = Annotated[str, BeforeValidator(_hex_text)]
Name = Annotated[str, Field(max_length=200)]
"""The name of a place; more letters fit on no map."""
HexList = tuple[HexText, ...]


def _playable_form(value: Any) -> str:
    return "all" if isinstance(value, str) else "list"


Playable = Annotated[
    Annotated[Literal["all"], Tag("all")] | Annotated[HexList, Tag("list")], Discriminator(_playable_form)
]


class BoardEntry(FilePart):
    """One board: its size, its half hexes and where it lies."""

    board: BoardName = Field(
        default="",
        pattern=r"^([0-9]{1,3}[a-z]{0,2}|[a-z]{1,2})?$",
        description="Prefix of the hex names, such as 20 or 6a; none on a historical map",
    )
    columns: int = Field(ge=1, le=MAX_COLUMNS)
    rows: int = Field(ge=1, le=MAX_ROWS)
    half_rows: bool = Field(default=False, description="Every second column starts with row 0, cut, and ends cut")
    half_columns: bool | None = Field(
        default=None, description="First and last column are cut; default: yes on a named board with half_rows"
    )
    first_column: str = Field(default="A", description="Letters of the first column, such as Q")
    even_rows: tuple[int, int] | None = Field(
        default=None, description="First and last row of the columns A, C, E ..., such as [0, 29]"
    )
    odd_rows: tuple[int, int] | None = Field(default=None, description="First and last row of the columns B, D, F ...")
    cut: tuple[Literal["north", "south", "east", "west"], ...] = Field(
        default=(), description="Edges along which hexes are cut; with even_rows and odd_rows"
    )
    grain: Literal["normal", "alternate"] = "normal"
    at: tuple[int, int] | None = Field(
        default=None, description="Columns to the east and half rows to the south of the origin"
    )
    right_of: BoardName | None = None
    below: BoardName | None = None
    reversed: bool = False

    @property
    def cut_columns(self) -> bool:
        """True if the first and last column are half hexes."""
        if self.half_columns is None:
            return bool(self.board) and self.half_rows
        return self.half_columns

    @property
    def first(self) -> int:
        """The number of the first column, from 0."""
        return column_number(self.first_column) or 0

    @property
    def alternate(self) -> bool:
        """True if A, C, E ... lie half a hex lower than B, D, F ... instead of higher."""
        return self.grain == "alternate"

    @model_validator(mode="after")
    def _one_place(self) -> BoardEntry:
        if sum(place is not None for place in (self.at, self.right_of, self.below)) > 1:
            raise ValueError("has more than one place; keep one of at, right_of and below")
        return self

    @model_validator(mode="after")
    def _columns_and_rows(self) -> BoardEntry:
        first = column_number(self.first_column)
        if first is None or first + self.columns > MAX_COLUMNS:
            raise ValueError(f"the first column {self.first_column} is not valid; such as A, Q or AA")
        given = [rows for rows in (self.even_rows, self.odd_rows) if rows is not None]
        if len(given) == 1 or (self.cut and not given):
            raise ValueError("a crop needs the rows of its even and of its odd columns; give both kinds of rows")
        if any(not 0 <= low <= high <= MAX_ROW for low, high in given):
            raise ValueError(f"rows are not valid; first and last row, from 0 to {MAX_ROW}")
        return self


class BuildingEntry(FilePart):
    """A building over one or more adjacent hexes."""

    name: Name = ""
    material: Literal["stone", "wooden", "hut"]
    levels: int = Field(default=0, ge=0, le=9, description="Storeys above the ground level")
    levels_at: dict[HexText, Annotated[int, Field(ge=0, le=9)]] = Field(
        default={}, description="Storeys of hexes in which it has fewer"
    )
    cellar: bool = False
    hexes: HexList = Field(min_length=1)


class RoadEntry(FilePart):
    """A road through consecutive adjacent hexes."""

    kind: Literal["paved", "unpaved", "path", "runway", "railway"]
    along: HexList = Field(min_length=1)


class WatercourseEntry(FilePart):
    """A watercourse through consecutive adjacent hexes."""

    kind: Literal["stream", "river", "canal", "gully"]
    along: HexList = Field(min_length=1)


class EntryAreaEntry(FilePart):
    """A big arrow at the map's edge, where reinforcements come on (ABtF 9.2 Entry Area)."""

    arrow: HexText = Field(description="The map edge hex with the arrow; it names the area")
    colour: str = Field(default="", description="Background of the arrow, such as red, grey")
    owner: str = Field(default="", description="Who comes on here: a side or a formation")
    same_edge_only: bool = Field(default=False, description="Leave out hexes within range that lie on another map edge")
    single: bool = Field(default=False, description="The area is the arrow's hex alone")


_Pixels = Annotated[int, Field(ge=0, le=20_000)]
_Pixel = Annotated[float, Field(ge=-20_000, le=20_000)]
_HexSize = Annotated[float, Field(ge=8, le=2000)]


class PictureEntry(FilePart):
    """The picture of the board that a map was made from: a reference, no pixels."""

    file: str = Field(pattern=PICTURE_FILE, description="Name of the board's file, without folders, such as bd01")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of that file")
    hex: HexText = Field(description="A hex whose centre in the picture is known")
    at: tuple[_Pixel, _Pixel] = Field(description="The pixel of that centre, from the top left")
    hex_size: tuple[_HexSize, _HexSize] = Field(description="Pixels from column to column, and height of a hex")
    part: tuple[_Pixels, _Pixels, _Pixels, _Pixels] = Field(
        description="What of the picture is on the map: x, y, width, height in pixels"
    )
    reversed: bool = False

    @model_validator(mode="after")
    def _something_left(self) -> PictureEntry:
        if min(self.part[2:]) < 1:
            raise ValueError("part is empty; x, y, width, height in pixels of the picture")
        return self


class MapFile(FilePart):
    """A map: boards, terrain and features, by hex names and ranges (C4, C4-C9, C4-K4)."""

    laager: Literal["map/1"]
    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: Name = Field(min_length=1)
    source: Literal["house", "own", "imported"]
    source_note: str = ""
    boards: tuple[BoardEntry, ...] = Field(min_length=1, max_length=24)
    playable: Playable = "all"
    not_playable: HexList = ()
    terrain: dict[str, HexList] = {}
    also: dict[str, HexList] = {}
    levels: dict[str, HexList] = {}
    buildings: tuple[BuildingEntry, ...] = ()
    roads: tuple[RoadEntry, ...] = ()
    watercourses: tuple[WatercourseEntry, ...] = ()
    hexsides: dict[str, tuple[HexText, ...]] = {}
    slopes: dict[HexText, tuple[HexText, ...]] = Field(
        default={}, description="By a hex, the hexes beyond those of its hexsides that are slopes"
    )
    features: dict[str, HexList] = {}
    names: dict[str, Name] = {}
    strategic: HexList = Field(
        default=(), description="Strategic Locations that are so for no reason of their own terrain"
    )
    blocks: dict[str, HexList] = {}
    block_names: dict[str, HexText] = {}
    no_block: HexList = ()
    entry_areas: tuple[EntryAreaEntry, ...] = ()
    setup_areas: dict[str, HexList] = {}
    doubts: dict[Annotated[str, Field(pattern=DOUBT)], tuple[HexText, ...]] = Field(
        default={}, description="What was read from a picture and needs a look: score and reason, hexes and hexsides"
    )
    alike: dict[Annotated[int, Field(ge=1)], tuple[HexText, ...]] = Field(
        default={}, description="What of it looks alike and is settled together, by number: hexes and hexsides"
    )
    pictures: tuple[PictureEntry, ...] = Field(
        default=(), max_length=24, description="The boards' own pictures, for a backdrop"
    )
