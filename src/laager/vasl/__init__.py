"""VASL's files: board archives become maps and maps boards, saves become pieces and reports. No Java, no VASSAL.

Every file is untrusted: sizes, counts and numbers are checked against limits before anything is unpacked, and a file
that breaks one is refused with a sentence. All values are immutable. Other packages import from here; a module is
imported when its first name is asked for, because NumPy, Pillow and the rules take their time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laager.vasl.archive import MAX_FILE, Archive, open_archive
    from laager.vasl.boards.board import Board, BoardHex, Doubt, board_of, read_board
    from laager.vasl.boards.layout import Layout, PlacedBoard, arrange, parse_layout, side_by_side
    from laager.vasl.boards.metadata import read_metadata
    from laager.vasl.boards.picture import backdrop_at, backdrop_of, boards_in, picture_data, pictures_of
    from laager.vasl.colours.board_ground import read_ground_by_colours, try_ground_by_colours
    from laager.vasl.colours.legend import (
        LegendEntry,
        group_shades,
        legend_cuts,
        legend_entries,
        legend_text,
        legend_words,
        parse_meaning,
        read_legend,
    )
    from laager.vasl.colours.palette import Meaning
    from laager.vasl.colours.reasons import ABOUT_BARS, ABOUT_HOUSES, ABOUT_LEVELS, MOSTLY_WRONG, UNKNOWN
    from laager.vasl.colours.similar_hexes import HexColours, hex_colours
    from laager.vasl.making.archive import board_file_name, make_board_archive
    from laager.vasl.making.losses import BoardLoss, find_losses
    from laager.vasl.maps.contents import SHARE
    from laager.vasl.maps.doubts import HOUSE_SUFFIX, doubts_in, group_alike, reading_of
    from laager.vasl.maps.mapwriter import compact
    from laager.vasl.maps.marking import mark, read_changes
    from laager.vasl.maps.tomap import Imported, import_boards, place_alone
    from laager.vasl.report.answering import SETUP, asked_of_save, asked_report, propose
    from laager.vasl.report.findings import Candidate, SaveFinding
    from laager.vasl.report.on_paper import RecordFromSave, RecordToFill, put_save_into_record
    from laager.vasl.report.proposal import Proposal
    from laager.vasl.saves.game import (
        CASUALTIES,
        Piece,
        Save,
        count_extension_pieces,
        describe_save,
        doubts,
        pieces_visible_to,
        plain_text,
    )
    from laager.vasl.saves.labels import LabelledSave, MapLabel, label_save, labels_of
    from laager.vasl.saves.placing import BoardInSave, Shape, Shapes, shape_of, shapes_in, usual_shape
    from laager.vasl.saves.rolls import LoggedRoll, rolls_of_dice
    from laager.vasl.saves.save import GAME, read_save, save_of
    from laager.vasl.saves.sequence import unveil
    from laager.vasl.scenario.changes import ChangeOutcome, Overlay, changed_board, known_rules, read_changed
    from laager.vasl.scenario.rules import PTO
    from laager.vasl.setup.battle import TO_DO, BattleSetup, setup_of
    from laager.vasl.setup.board import BoardFile, Boards, board_in, boards_at, usual_board
    from laager.vasl.setup.extension import EXTENSION_SUFFIX, ExtensionFile, extension_of, read_extension
    from laager.vasl.setup.module import (
        MAX_PACKED,
        VaslModule,
        counters_in,
        read_counters,
        read_module,
        unpack_counters,
    )
    from laager.vasl.setup.writing import WrittenFile

__all__ = [
    "ABOUT_BARS",
    "ABOUT_HOUSES",
    "ABOUT_LEVELS",
    "CASUALTIES",
    "EXTENSION_SUFFIX",
    "GAME",
    "HOUSE_SUFFIX",
    "MAX_FILE",
    "MAX_PACKED",
    "MOSTLY_WRONG",
    "PTO",
    "SETUP",
    "SHARE",
    "TO_DO",
    "UNKNOWN",
    "Archive",
    "BattleSetup",
    "Board",
    "BoardFile",
    "BoardHex",
    "BoardInSave",
    "BoardLoss",
    "Boards",
    "Candidate",
    "ChangeOutcome",
    "Doubt",
    "ExtensionFile",
    "HexColours",
    "Imported",
    "LabelledSave",
    "Layout",
    "LegendEntry",
    "LoggedRoll",
    "MapLabel",
    "Meaning",
    "Overlay",
    "Piece",
    "PlacedBoard",
    "Proposal",
    "RecordFromSave",
    "RecordToFill",
    "Save",
    "SaveFinding",
    "Shape",
    "Shapes",
    "VaslModule",
    "WrittenFile",
    "arrange",
    "asked_of_save",
    "asked_report",
    "backdrop_at",
    "backdrop_of",
    "board_file_name",
    "board_in",
    "board_of",
    "boards_at",
    "boards_in",
    "changed_board",
    "compact",
    "count_extension_pieces",
    "counters_in",
    "describe_save",
    "doubts",
    "doubts_in",
    "extension_of",
    "find_losses",
    "group_alike",
    "group_shades",
    "hex_colours",
    "import_boards",
    "known_rules",
    "label_save",
    "labels_of",
    "legend_cuts",
    "legend_entries",
    "legend_text",
    "legend_words",
    "make_board_archive",
    "mark",
    "open_archive",
    "parse_layout",
    "parse_meaning",
    "picture_data",
    "pictures_of",
    "pieces_visible_to",
    "place_alone",
    "plain_text",
    "propose",
    "put_save_into_record",
    "read_board",
    "read_changed",
    "read_changes",
    "read_counters",
    "read_extension",
    "read_ground_by_colours",
    "read_legend",
    "read_metadata",
    "read_module",
    "read_save",
    "reading_of",
    "rolls_of_dice",
    "save_of",
    "setup_of",
    "shape_of",
    "shapes_in",
    "side_by_side",
    "try_ground_by_colours",
    "unpack_counters",
    "unveil",
    "usual_board",
    "usual_shape",
]  # fmt: skip

_HOMES = {
    "archive": "MAX_FILE Archive open_archive",
    "boards.picture": "backdrop_at backdrop_of boards_in picture_data pictures_of",
    "boards.board": "Board BoardHex Doubt board_of read_board",
    "boards.layout": "Layout PlacedBoard arrange parse_layout side_by_side",
    "boards.metadata": "read_metadata",
    "colours.similar_hexes": "HexColours hex_colours",
    "colours.board_ground": "read_ground_by_colours try_ground_by_colours",
    "colours.legend": (
        "LegendEntry group_shades legend_cuts legend_entries legend_text legend_words parse_meaning read_legend"
    ),
    "colours.palette": "Meaning",
    "making.archive": "board_file_name make_board_archive",
    "making.losses": "BoardLoss find_losses",
    "maps.contents": "SHARE",
    "colours.reasons": "ABOUT_BARS ABOUT_HOUSES ABOUT_LEVELS MOSTLY_WRONG UNKNOWN",
    "maps.doubts": "HOUSE_SUFFIX doubts_in group_alike reading_of",
    "maps.mapwriter": "compact",
    "maps.marking": "mark read_changes",
    "maps.tomap": "Imported import_boards place_alone",
    "report.findings": "Candidate SaveFinding",
    "report.on_paper": "RecordToFill RecordFromSave put_save_into_record",
    "report.answering": "SETUP asked_of_save asked_report propose",
    "report.proposal": "Proposal",
    "saves.game": "CASUALTIES Piece Save count_extension_pieces describe_save doubts pieces_visible_to plain_text",
    "saves.labels": "LabelledSave MapLabel label_save labels_of",
    "saves.placing": "BoardInSave Shape Shapes shape_of shapes_in usual_shape",
    "saves.rolls": "LoggedRoll rolls_of_dice",
    "saves.save": "GAME read_save save_of",
    "saves.sequence": "unveil",
    "scenario.changes": "ChangeOutcome Overlay changed_board known_rules read_changed",
    "scenario.rules": "PTO",
    "setup.battle": "TO_DO BattleSetup setup_of",
    "setup.board": "BoardFile Boards board_in boards_at usual_board",
    "setup.extension": "EXTENSION_SUFFIX ExtensionFile extension_of read_extension",
    "setup.module": "MAX_PACKED VaslModule counters_in read_counters read_module unpack_counters",
    "setup.writing": "WrittenFile",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"laager.vasl.{_HOME[name]}"), name)
