"""A map's board archive: picture, BoardMetadata.xml, LOSData, colours, Control of Blocks, the old `data` file."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from xml.sax.saxutils import quoteattr

from laager.base import DataError, Problem
from laager.hexmap import HexMap, parse_name
from laager.hexmap.draw import draw_board, draw_png
from laager.vasl.archive import Archive
from laager.vasl.boards.layout import hex_name
from laager.vasl.boards.losdata import LOS_DATA, pack_los_data
from laager.vasl.boards.metadata import DATA, METADATA
from laager.vasl.making.control import ControlPlate, control_entries, control_plates, control_rules
from laager.vasl.making.grid import BoardGrid, board_grid
from laager.vasl.making.ground import draw_ground
from laager.vasl.making.tints import COLOURS, list_tints, named_tints, to_gif
from laager.vasl.maps.cells import board_prefixes

AUTHOR = "Laager"
UNDATED = "undated"
"""Stands for the day on which a board was made: the same map gives the same bytes on any day."""
_MOST_LETTERS = 20
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,19}")
_ENTRY_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all entries: the same map gives the same bytes."""


def make_board_archive(map_: HexMap, file: str) -> Archive:
    """Return the board of a map; `file` is its name, such as bdMill. The same map gives the same bytes.

    Raises DataError for a name that VASL's boards can't have and a map that can't be one board.
    """
    grid = board_grid(map_)
    code = board_code(file, grid)
    picture = f"bd{code}.gif"
    plates = control_plates(map_, grid)
    entries = {
        picture: _picture(map_, grid),
        METADATA: _metadata(map_, grid, code, picture, plates).encode(),
        LOS_DATA: pack_los_data(draw_ground(map_, grid)),
        DATA: _old_data(map_, grid).encode(),
        COLOURS: list_tints(named_tints(map_)).encode(),
        **control_entries(plates),
    }
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name, _ENTRY_DATE), data, zipfile.ZIP_DEFLATED)
    return Archive(packed.getvalue(), file)


def board_file_name(map_: HexMap) -> str:
    """Return a name for the board of a map, made of its title: The mill becomes bdTheMill."""
    prefixes = {name.board for name in map(parse_name, map_.hexes) if name is not None}
    words = re.findall(r"[A-Za-z0-9]+", map_.title)
    code = "".join(word[0].upper() + word[1:] for word in words)[:_MOST_LETTERS]
    if len(prefixes) == 1 and prefixes != {""}:
        return f"bd{prefixes.pop()}"
    return f"bd{code}" if code and not board_prefixes([code])[0] else f"bdMap{code}"[: _MOST_LETTERS + 2]


def version_of(map_: HexMap) -> str:
    """Return the version of a map's board: boards of other maps have others, so that players see if theirs differ."""
    return f"1.{map_.digest[:8]}"


def board_code(file: str, grid: BoardGrid) -> str:
    """Return the code of a board by its file's name. Raises DataError for a name that it can't have."""
    code = file.removeprefix("bd")
    if code == file or not _CODE.fullmatch(code):
        problem = f"{file[:40]!r} is not a name of a board"
        raise DataError([Problem(problem, "bd and up to 20 letters or digits, such as bdMill")])
    prefix = board_prefixes([code])[0]
    if prefix != grid.prefix:
        problem = f"{file!r} would be a board whose hexes are called {prefix or ''}A1; the map has {grid.prefix}A1"
        right = f"such as bd{grid.prefix}" if grid.prefix else "a name with letters, such as bdMill"
        raise DataError([Problem(problem, right)])
    return code


def _picture(map_: HexMap, grid: BoardGrid) -> bytes:
    """Return the board's picture, a GIF as VASL's boards have it."""
    first = next(iter(grid.places))
    svg = draw_board(map_, grid.size, grid.places[first].name, grid.geometry.exact(*first), _hex_size(grid))
    return to_gif(draw_png(svg, grid.size[0]), named_tints(map_))


def _hex_size(grid: BoardGrid) -> tuple[float, float]:
    return grid.geometry.width, grid.geometry.height


def _metadata(map_: HexMap, grid: BoardGrid, code: str, picture: str, plates: tuple[ControlPlate, ...]) -> str:
    hills = any(hex_.level > 0 for hex_ in grid.places.values())
    words = {
        "name": code,
        "version": version_of(map_),
        "versionDate": UNDATED,
        "author": AUTHOR,
        "boardImageFileName": picture,
        "hasHills": str(hills).upper(),
        "width": str(grid.columns),
        "height": str(grid.rows),
        "hexWidth": str(grid.geometry.width),
        "hexHeight": str(grid.geometry.height),
        "A1CenterX": str(grid.geometry.x),
        "A1CenterY": str(grid.geometry.y),
        "altHexGrain": str(grid.geometry.alternate).upper(),
        "snapScale": "1",
    }
    lines = "".join(f"\n    {key}={quoteattr(value)}" for key, value in words.items())
    rules = control_rules(plates)
    overlays = f"  <overlaySSRules>\n{rules}  </overlaySSRules>\n" if rules else "  <overlaySSRules/>\n"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<boardMetadata{lines}>\n  <buildingTypes/>\n'
        + _slopes(map_, grid)
        + "  <rrembankments/>\n"
        + overlays
        + "".join(f"  <{part}/>\n" for part in ("colors", "colorSSRules", "SSRControls"))
        + "</boardMetadata>\n"
    )


def _slopes(map_: HexMap, grid: BoardGrid) -> str:
    """Return the slopes of a map by VASL's numbers of hexsides: 0 to 5, clockwise from the top."""
    numbers = {hex_.name: grid.number[spot] for spot, hex_ in grid.places.items()}
    names = {hex_.name: hex_name(*spot) for spot, hex_ in grid.places.items()}
    lines = []
    for name, beyond in map_.slopes.items():
        near = grid.points.near[numbers[name]].tolist()
        sides = sorted(near.index(numbers[other]) for other in beyond if numbers[other] in near)
        if sides:
            lines.append(f"    <slope hex={quoteattr(names[name])} hexsides={quoteattr(''.join(map(str, sides)))}/>\n")
    return f"  <slopes>\n{''.join(lines)}  </slopes>\n" if lines else "  <slopes/>\n"


def _old_data(map_: HexMap, grid: BoardGrid) -> str:
    """Return the description that old versions of VASL read."""
    geometry = grid.geometry
    lines = [f"version {version_of(map_)}", f"x0 {geometry.x}", f"y0 {geometry.y}", f"dx {geometry.width}"]
    lines += [f"dy {geometry.height}", f"alternate {str(geometry.alternate).lower()}"]
    return "\n".join(lines) + "\n"
