"""VASL's files: board archives become maps, saves become pieces and battle reports. No Java, no VASSAL.

Every file is untrusted: sizes, counts and numbers are checked against limits before anything is unpacked, and a file
that breaks one is refused with a sentence. All values are immutable. Other packages import from here; a module is
imported when its first name is asked for, because NumPy, Pillow and the rules take their time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laager.vasl.archive import MAX_FILE, Archive, open_archive
    from laager.vasl.boards.board import Board, BoardHex, board_of, read_board
    from laager.vasl.boards.layout import Layout, PlacedBoard, arranged, layout_of, side_by_side
    from laager.vasl.boards.metadata import read_metadata
    from laager.vasl.boards.picture import backdrop_at, backdrop_of, boards_in, picture_data, pictures_of
    from laager.vasl.maps.contents import SHARE
    from laager.vasl.maps.mapwriter import compact
    from laager.vasl.maps.marking import mark, read_changes
    from laager.vasl.maps.tomap import Imported, import_boards, placed
    from laager.vasl.report.findings import SaveFinding
    from laager.vasl.report.proposal import Proposal, asked_report, propose
    from laager.vasl.saves.game import CASUALTIES, Piece, Save, describe, doubts, plain_text, seen_by
    from laager.vasl.saves.labels import Labelled, MapLabel, label_save, labels_of
    from laager.vasl.saves.placing import Laid, Shape, Shapes, shape_of, shapes_in, usual_shape
    from laager.vasl.saves.save import GAME, read_save, save_of
    from laager.vasl.saves.sequence import unveil
    from laager.vasl.scenario.changes import ChangeOutcome, Overlay, changed_board

__all__ = [
    "CASUALTIES",
    "GAME",
    "MAX_FILE",
    "SHARE",
    "Archive",
    "Board",
    "BoardHex",
    "ChangeOutcome",
    "Imported",
    "Labelled",
    "Laid",
    "Layout",
    "MapLabel",
    "Overlay",
    "Piece",
    "PlacedBoard",
    "Proposal",
    "Save",
    "SaveFinding",
    "Shape",
    "Shapes",
    "arranged",
    "asked_report",
    "backdrop_at",
    "backdrop_of",
    "board_of",
    "boards_in",
    "changed_board",
    "compact",
    "describe",
    "doubts",
    "import_boards",
    "label_save",
    "labels_of",
    "layout_of",
    "mark",
    "open_archive",
    "picture_data",
    "pictures_of",
    "placed",
    "plain_text",
    "propose",
    "read_board",
    "read_changes",
    "read_metadata",
    "read_save",
    "save_of",
    "seen_by",
    "shape_of",
    "shapes_in",
    "side_by_side",
    "unveil",
    "usual_shape",
]  # fmt: skip

_HOMES = {
    "archive": "MAX_FILE Archive open_archive",
    "boards.picture": "backdrop_at backdrop_of boards_in picture_data pictures_of",
    "boards.board": "Board BoardHex board_of read_board",
    "boards.layout": "Layout PlacedBoard arranged layout_of side_by_side",
    "boards.metadata": "read_metadata",
    "maps.contents": "SHARE",
    "maps.mapwriter": "compact",
    "maps.marking": "mark read_changes",
    "maps.tomap": "Imported import_boards placed",
    "report.findings": "SaveFinding",
    "report.proposal": "Proposal asked_report propose",
    "saves.game": "CASUALTIES Piece Save describe doubts plain_text seen_by",
    "saves.labels": "Labelled MapLabel label_save labels_of",
    "saves.placing": "Laid Shape Shapes shape_of shapes_in usual_shape",
    "saves.save": "GAME read_save save_of",
    "saves.sequence": "unveil",
    "scenario.changes": "ChangeOutcome Overlay changed_board",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"laager.vasl.{_HOME[name]}"), name)
