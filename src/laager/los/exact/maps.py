"""Maps ready for lines of sight: of one board, of several, as VASL has them or, as a deviation, as players see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from laager.los.exact import deviations as d
from laager.los.exact import ssr
from laager.los.exact.boards import LosBoard, read_los_board
from laager.los.exact.joined import LaidBoard, join
from laager.los.exact.losmap import LosMap, Rectangle, los_map
from laager.los.exact.truemap import true_map
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.layout import EDGE, Layout, PlacedBoard, arrange
from laager.vasl.maps.cells import board_prefixes
from laager.vasl.scenario.changes import Overlay, changed_part, changed_pixels
from laager.vasl.scenario.overlays import overlay_archive, reach_of

WITHOUT_RULES = frozenset({"RBv2"})
"""Boards of which VASL's LOS passes over all rules that it doesn't know."""
LOST_CODE = 100
"""The code that VASL loses, because two codes have the name Scrub."""


def read_los_map(path: Path, deviations: Iterable[str] = ()) -> LosMap:
    """Read a board archive, ready for lines of sight. Raises DataError if it has no terrain data."""
    return board_map(open_archive(path), deviations=deviations)


def board_map(
    archive: Archive,
    rules: Sequence[str] = (),
    overlays: Sequence[Overlay] = (),
    folders: Sequence[Path] = (),
    deviations: Iterable[str] = (),
) -> LosMap:
    """Return the LOS map of one board, with a scenario's rules and overlays. Raises DataError.

    Overlays are looked for in `folders`; `deviations` are names of `DEVIATIONS`.
    """
    sheet = read_los_board(archive)
    placed = PlacedBoard(sheet.metadata.name, sheet.metadata.geometry, sheet.grid.size)
    return boards_map([archive], arrange([placed]), [rules], [overlays], folders, deviations)


def boards_map(
    archives: Sequence[Archive],
    layout: Layout,
    rules: Sequence[Sequence[str]] = (),
    overlays: Sequence[Sequence[Overlay]] = (),
    folders: Sequence[Path] = (),
    deviations: Iterable[str] = (),
) -> LosMap:
    """Return the LOS map of boards; archives, rules and overlays belong one by one to the boards of the layout.

    Raises DataError if a board has no terrain data, or a deviation isn't known.
    """
    names = d.check_deviations(deviations)
    count = len(layout.boards)
    wished = [(tuple(rules[i]) if rules else (), tuple(overlays[i]) if overlays else ()) for i in range(count)]
    sheets = [read_los_board(archive) for archive in archives]
    lost = [sheet.metadata.name for sheet in sheets if (sheet.codes == LOST_CODE).any()]
    if d.TRUE_MAP in names:
        for sheet, archive, (changes, laid) in zip(sheets, archives, wished, strict=True):
            sheet.data = changed_pixels(archive, sheet.data, sheet.metadata, changes, laid, folders)
            sheet.codes, sheet.levels = sheet.data.codes, sheet.data.elevation
        joint_map = true_map(sheets, layout)
    else:
        joint_map = _as_vasl(sheets, archives, layout, wished, folders, faults=d.WITH_FAULTS in names)
    if d.UNDER_BRIDGE in names:
        joint_map = _below_bridges(joint_map)
    if lost and d.SCRUB not in names:
        joint_map = replace(
            joint_map, silent=f"it can't load board {lost[0]}, whose terrain code {LOST_CODE} it has lost"
        )
    return replace(joint_map, deviations=names, map_names=_map_names(joint_map, layout))


def _map_names(joint_map: LosMap, layout: Layout) -> tuple[str, ...]:
    """Return the hexes' names on the map that Laager makes of the boards: those of the first board that has them."""
    prefixes = board_prefixes([placed.name for placed in layout.boards])
    names = []
    for x, y in joint_map.grid.centre.tolist():
        name = ""
        for placed, prefix, (left, top) in zip(layout.boards, prefixes, layout.corners, strict=True):
            width, height = placed.shown
            across, down = x + EDGE - left, y + EDGE - top
            if 0 <= across <= width and 0 <= down <= height:
                name = prefix + placed.geometry.name(*placed.on_board(across, down))
                break
        names.append(name)
    return tuple(names)


def _as_vasl(
    sheets: Sequence[LosBoard],
    archives: Sequence[Archive],
    layout: Layout,
    wished: Sequence[tuple[tuple[str, ...], tuple[Overlay, ...]]],
    folders: Sequence[Path],
    *,
    faults: bool,
) -> LosMap:
    laid = [
        LaidBoard(sheet, placed, changes)
        for sheet, placed, (changes, _) in zip(sheets, layout.boards, wished, strict=True)
    ]
    # By the boards as they are before their rules: joining them applies those.
    strange = [
        part
        for board, archive, corner in zip(laid, archives, layout.corners, strict=True)
        for part in _strange_rules(board, archive, corner)
    ]
    alone = len(laid) == 1 and laid[0].placed.crop is None and not laid[0].placed.reversed
    joint_map = _alone(laid[0]) if alone else join(laid, layout)
    if faults:
        return replace(joint_map, unclear=())
    over = [
        (_rectangle(sheet, placed, corner, overlay, folders), f"{overlay} lies there, and VASL's LOS map lacks it")
        for sheet, placed, corner, (_, asked) in zip(sheets, layout.boards, layout.corners, wished, strict=True)
        for overlay in asked
    ]
    return replace(joint_map, unclear=(*over, *strange, *joint_map.unclear))


def _strange_rules(board: LaidBoard, archive: Archive, corner: tuple[int, int]) -> Iterator[tuple[Rectangle, str]]:
    """Yield the parts of the map that rules change which VASL's LOS doesn't know, such as a board's own, and why.

    VASL makes no LOS map at all then, but the ground elsewhere is that of the board.
    """
    for rule in board.rules:
        if rule and not ssr.is_known(rule) and board.sheet.code not in WITHOUT_RULES:
            part = changed_part(archive, board.sheet.data, board.sheet.metadata, rule)
            if part is not None:
                why = f"it doesn't know the rule {rule[:40]} of board {board.sheet.metadata.name}"
                yield _on_map(part, board.placed, corner), why


def _alone(board: LaidBoard) -> LosMap:
    """Return the map of a whole board alone."""
    sheet = board.sheet
    ssr.apply(sheet, board.rules)
    pixels = (sheet.codes, sheet.levels)
    name = f"Board {sheet.metadata.name}"
    return los_map(name, sheet.grid, sheet.names, pixels, sheet.hexes, [(sheet.code, sheet.sha256)])


def _on_map(part: Rectangle, placed: PlacedBoard, corner: tuple[int, int]) -> Rectangle:
    """Return where a part of a board's picture lies on the map."""
    left, top, width, height = part
    x, y, _, _ = placed.part
    left, top = left - x, top - y
    if placed.reversed:
        wide, high = placed.shown
        left, top = wide - 1 - left - width, high - 1 - top - height
    return corner[0] - EDGE + left, corner[1] - EDGE + top, width, height


def _rectangle(
    sheet: LosBoard, placed: PlacedBoard, corner: tuple[int, int], overlay: Overlay, folders: Sequence[Path]
) -> Rectangle:
    """Return where an overlay lies on the map, as VASL sees it; the whole board if its archive isn't there."""
    left, top = corner[0] - EDGE, corner[1] - EDGE
    wide, high = placed.shown
    path = overlay_archive(folders, overlay.name)
    if path is None:
        return left, top, wide, high
    archive = open_archive(path)
    x, y, right, bottom = reach_of(
        sheet.metadata.geometry, archive, overlay.name, (overlay.first, overlay.second), overlay.origin
    )
    width, height = right - 1 - x, bottom - 1 - y
    y -= placed.crop.y if placed.crop else 0
    if placed.reversed:
        x, y = wide - x - 1 - width, high - y - 1 - height
    return left + x, top + y, width, height


def _below_bridges(joint_map: LosMap) -> LosMap:
    """Return a map in which the Locations under bridges are one level below them."""
    hexes = joint_map.hexes
    lower = [
        tuple(replace(floor, height=-1) if floor.kind == "below bridge" else floor for floor in floors)
        for floors in hexes.lower
    ]
    if lower == hexes.lower:
        return joint_map
    hexes.lower[:] = lower
    pixels = joint_map.pixels
    codes = (pixels & 255).astype(np.uint8)
    levels = (((pixels >> 8) & 255) - 128).astype(np.int8)
    lowered = los_map(joint_map.name, joint_map.grid, joint_map.names, (codes, levels), hexes, joint_map.sha256)
    return replace(lowered, silent=joint_map.silent, unclear=joint_map.unclear)
