"""From boards to a map file: everything in the words of `laager: map/1`, and where it is from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laager.base.files import Document
from laager.hexmap import PICTURE_FILE, HexMap, map_from_document, sort_key
from laager.hexmap.terrain import unknown_hexes
from laager.vasl.boards.board import Board, Doubt
from laager.vasl.boards.layout import Layout, PlacedBoard
from laager.vasl.maps.cells import BEYOND, BoardSheet, Cell, Place, cells_of, first_column, sheets_of
from laager.vasl.maps.contents import Contents, contents_of
from laager.vasl.maps.courses import alone, buildings_of, groups, neighbour_across, road_kinds, water_kinds, ways
from laager.vasl.maps.doubts import alike_lists, doubt_lists, doubts_in
from laager.vasl.maps.lettered import BlockLetters, block_letters
from laager.vasl.maps.mapwriter import compact, document

_NAME = "the imported map"


@dataclass(frozen=True)
class Imported:
    """A map made from boards: the map, its file, and what people should know about it.

    `left_out` counts the hexes with each of VASL's terrains that a map file has no word for,
    `unknown` the hexes of which nothing is known, `doubts` what was read from colours and needs a look,
    `letters` the printed names of Blocks, if a board has markers for them.
    """

    map: HexMap
    text: str
    left_out: Mapping[str, int]
    unknown: int
    doubts: tuple[Doubt, ...] = ()
    letters: BlockLetters | None = None


def place_alone(board: Board) -> PlacedBoard:
    """Return a board as it is placed alone."""
    return PlacedBoard(board.name, board.geometry, board.size)


def import_boards(layout: Layout, boards: Sequence[Board], *, title: str = "", cellars: bool = False) -> Imported:
    """Return the map of boards; `boards` belong one by one to those of the layout.

    `cellars` gives buildings the cellars that VASL sees in them (Red Barricades has such, most
    campaigns have none). Raises DataError if the boards cannot be one map.
    """
    sheets = sheets_of(layout, boards)
    cells = cells_of(sheets, boards)
    order = sorted(cells, key=lambda place: sort_key(cells[place].name))
    contents = _with_ponds({place: contents_of(cells[place]) for place in order})
    title = title or _title(boards)
    doubts = _doubts_by_map_name(boards, sheets, cells)
    parts: dict[str, Any] = {
        "laager": "map/1",
        "id": _id(title),
        "title": title,
        "source": "imported",
        "source_note": _provenance(layout, boards),
        "boards": [_board_entry(sheet) for sheet in sheets],
        "pictures": _pictures(layout, boards, sheets, cells),
        "not_playable": compact(_names_outside(boards, sheets, cells)),
        **_terrain_lists(cells, contents),
        "buildings": [
            {
                "material": building.material,
                "levels": building.storeys,
                "levels_at": {cells[place].name: fewer for place, fewer in building.lower.items()},
                "cellar": cellars and building.cellar,
                "hexes": compact(cells[place].name for place in building.places),
            }
            for building in buildings_of(cells, contents, order)
        ],
        "roads": _courses(cells, road_kinds(cells, contents), {p: c.road for p, c in contents.items()}),
        "watercourses": _courses(cells, water_kinds(cells, contents), {p: c.water for p, c in contents.items()}),
        "hexsides": _hexsides(cells, contents),
        "slopes": _slopes(cells, contents),
        "doubts": doubt_lists(doubts),
        "alike": alike_lists(doubts),
    }
    letters = None
    placed_at = _marker_hexes(boards, sheets, cells)
    if placed_at:
        letters = block_letters(map_from_document(Document(parts, _NAME)), placed_at)
        if letters.names:
            parts["block_names"] = dict(letters.names)
        if letters.outside:
            parts["no_block"] = compact(letters.outside)
    text = document(parts, (str(letters),) if letters and (letters.unnamed or not letters.complete) else ())
    left_out = Counter(name for content in contents.values() for name in content.left_out)
    # What the text says (tests compare the two), without the time that reading it takes.
    map_ = map_from_document(Document(parts, _NAME))
    return Imported(map_, text, dict(sorted(left_out.items())), len(unknown_hexes(map_)), doubts_in(parts), letters)


def _title(boards: Sequence[Board]) -> str:
    names = [board.name for board in boards]
    return f"VASL {'board' if len(names) == 1 else 'boards'} {', '.join(names)}"


def _id(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower())) or "imported"


def _provenance(layout: Layout, boards: Sequence[Board]) -> str:
    """Return where a map is from: each board with its version, its place and its archive's hash."""
    sources = []
    for place, board in zip(layout.boards, boards, strict=True):
        version = " ".join(filter(None, (board.metadata.version, f"({board.metadata.dated})"))).removesuffix(" ()")
        about = [f"VASL board {board.name}", f"version {version}"]
        if len(boards) > 1:
            about.append(f"column {place.column + 1}, row {place.row + 1} of the boards")
        about += ["turned round"] * place.reversed
        if place.crop:
            about.append("cropped to {} x {} pixels at {}, {}".format(*_size_first(place.part)))
        about += [f"with {change}" for change in board.changes]
        about += [f"in play with {change}" for change in board.in_play]
        about += [f"terrain read from the colours of its picture ({board.by_colours})"] * bool(board.by_colours)
        about += ["terrain not known"] * (not board.known)
        sources.append(", ".join([*about, f"file {board.file}, SHA-256 {board.sha256}"]))
    return "; ".join(sources)


def _size_first(part: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    x, y, width, height = part
    return width, height, x, y


def _board_entry(sheet: BoardSheet) -> dict[str, Any]:
    even, odd = sheet.even_rows, sheet.odd_rows
    return {
        "board": sheet.prefix,
        "columns": sheet.columns,
        "rows": max(even[1] - even[0], odd[1] - odd[0]) + 1,
        "first_column": first_column(sheet),
        "even_rows": list(even),
        "odd_rows": list(odd),
        "cut": list(sheet.cut),
        "grain": "alternate" if sheet.alternate else "normal",
        "at": list(sheet.at),
        "reversed": sheet.reversed,
    }


def _pictures(
    layout: Layout, boards: Sequence[Board], sheets: Sequence[BoardSheet], cells: Mapping[Place, Cell]
) -> list[dict[str, Any]]:
    """Return how each board's picture lies: by the pixel of one hex's centre, and the hex size."""
    pictures = []
    for place_alone, board, sheet in zip(layout.boards, boards, sheets, strict=True):
        if not re.fullmatch(PICTURE_FILE, board.file):
            continue  # A name that a map file may not have: the map goes without the picture.
        name_on_board, place = next(iter(sheet.places.items()))
        grid = board.geometry
        pictures.append(
            {
                "file": board.file,
                "sha256": board.sha256,
                "hex": cells[place].name,
                "at": [round(pixel, 4) for pixel in board.by_name[name_on_board].exact],
                "hex_size": [grid.width, grid.height],
                "part": list(_part_in_picture(place_alone.part, board.size)),
                "reversed": place_alone.reversed,
            }
        )
    return pictures


def _marker_hexes(boards: Sequence[Board], sheets: Sequence[BoardSheet], cells: Mapping[Place, Cell]) -> dict[str, str]:
    """Return the hex of each Block's marker, by the Block's letter."""
    hexes: dict[str, str] = {}
    for board, sheet in zip(boards, sheets, strict=True):
        for letter, pixel in board.markers.items():
            place = sheet.places.get(board.geometry.name(*pixel))
            if place is not None:
                hexes.setdefault(letter, cells[place].name)
    return hexes


def _names_outside(boards: Sequence[Board], sheets: Sequence[BoardSheet], cells: Mapping[Place, Cell]) -> Iterator[str]:
    """Yield the hexes under titles and the like, which nobody enters."""
    for board, sheet in zip(boards, sheets, strict=True):
        yield from (cells[sheet.places[name]].name for name in sorted(board.outside) if name in sheet.places)


def _doubts_by_map_name(
    boards: Sequence[Board], sheets: Sequence[BoardSheet], cells: Mapping[Place, Cell]
) -> list[Doubt]:
    """Return the doubts of all boards, by the names of the joined map; boards share no numbers of groups."""
    doubts: list[Doubt] = []
    for board, sheet in zip(boards, sheets, strict=True):
        before = max((doubt.alike for doubt in doubts), default=0)
        for doubt in board.doubts:
            places = [sheet.places.get(name) for name in doubt.where.split("/")]
            names = [cells[place].name for place in places if place is not None]
            if len(names) == len(places):
                alike = doubt.alike and before + doubt.alike
                doubts.append(replace(doubt, where="/".join(sorted(names, key=sort_key)), alike=alike))
    return doubts


def _part_in_picture(part: tuple[int, int, int, int], size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return what a crop leaves; VASL lets crops reach a pixel beyond the picture."""
    x, y, width, height = part
    return x, y, min(width, size[0] - x), min(height, size[1] - y)


def _terrain_lists(cells: Mapping[Place, Cell], contents: Mapping[Place, Contents]) -> dict[str, Any]:
    """Return terrain, further terrain, levels and features: kind by kind, their hexes."""
    parts: dict[str, dict[str, list[str]]] = {part: {} for part in ("terrain", "also", "levels", "features")}
    for place, content in contents.items():
        name = cells[place].name
        listed = [("also", kind) for kind in sorted(content.also)]
        listed += [("features", kind) for kind in sorted(content.features)]
        if content.terrain != "open":
            listed.append(("terrain", content.terrain))
        if content.level:
            listed.append(("levels", str(content.level)))
        for part, kind in listed:
            parts[part].setdefault(kind, []).append(name)
    return {part: {kind: compact(kinds[kind]) for kind in sorted(kinds)} for part, kinds in parts.items()}


def _courses(
    cells: Mapping[Place, Cell], edges: Mapping[tuple[Place, int], str], here: Mapping[Place, str]
) -> list[dict[str, Any]]:
    order = {place: number for number, place in enumerate(here)}
    courses = []
    for kind in sorted(set(edges.values())):
        own = [edge for edge, word in edges.items() if word == kind]
        courses += [(kind, way) for way in ways(own, order)]
    courses += [(here[place], [place]) for place in alone(here, edges)]
    return [{"kind": kind, "along": [cells[place].name for place in way]} for kind, way in courses]


def _hexsides(cells: Mapping[Place, Cell], contents: Mapping[Place, Contents]) -> dict[str, list[str]]:
    sides: dict[str, dict[str, None]] = {}
    for place, content in contents.items():
        for side, kind in sorted(content.hexsides.items()):
            other = cells.get(neighbour_across(place, side))
            if other is not None:
                pair = sorted((cells[place].name, other.name), key=sort_key)
                sides.setdefault(kind, {})["/".join(pair)] = None
    return {kind: list(sides[kind]) for kind in sorted(sides)}


def _slopes(cells: Mapping[Place, Cell], contents: Mapping[Place, Contents]) -> dict[str, list[str]]:
    slopes: dict[str, list[str]] = {}
    for place, content in contents.items():
        for side in sorted(content.slopes):
            other = cells.get(neighbour_across(place, side))
            if other is not None:
                slopes.setdefault(cells[place].name, []).append(other.name)
    return slopes


def _with_ponds(contents: dict[Place, Contents]) -> dict[Place, Contents]:
    """Call water that does not reach the map's edge a pond: VASL has one word for both."""
    lakes = [place for place, content in contents.items() if content.lake]
    result = dict(contents)
    for ponds in map(set, groups(lakes, lambda _here, _side: True)):
        around = {neighbour_across(place, side) for place in ponds for side in range(len(BEYOND))}
        if not around <= contents.keys():
            continue
        result |= {place: replace(contents[place], terrain="pond") for place in ponds}
        for place in around - ponds:
            content = result[place]
            if "water" in content.also:
                result[place] = replace(content, also=content.also - {"water"} | {"pond"})
    return result
