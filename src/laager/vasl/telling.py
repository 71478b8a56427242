"""A save as plain values, for JSON: only what an owner, or anybody, may see."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from laager.vasl.game import Info, Piece, Save, doubts, seen_by, unread
from laager.vasl.placing import Laid

_TAG = re.compile(r"<[^<>]*>")
_STYLE = re.compile(r"<(?:style|script)\b", re.IGNORECASE)
_STYLE_END = re.compile(r"</(?:style|script)>", re.IGNORECASE)
_GAPS = re.compile(r"\s+")


def describe(save: Save, owner: int | None = None, everything: bool = False) -> dict[str, Any]:
    """Return a save as plain values, as `owner` may see it, or with `everything`.

    No count tells of what is left out.
    """
    pieces = save.pieces if everything else seen_by(save, owner)
    shown = {piece.id for piece in pieces}
    return {
        "file": save.file,
        "kind": "save",
        "vasl": save.vasl,
        "vassal": save.vassal,
        "saved": save.saved,
        "comment": save.comment,
        "boards": [_board(board) for board in save.boards],
        "scenario": _info(save.info),
        "notes": save.notes,
        "extensions": [{"name": name, "version": version} for name, version in save.extensions],
        "pieces": [_piece(piece) for piece in pieces],
        "stacks": [
            {"id": stack.id, "pieces": [one for one in stack.pieces if one in shown]}
            for stack in save.stacks
            if not shown.isdisjoint(stack.pieces)
        ],
        "unknown_traits": unread(pieces),
        "other_commands": dict(save.others),
        "steps": save.steps,
        "doubts": list(doubts(save, pieces)),
    }


def plain_text(text: str) -> str:
    """Return a label's text on one line, without the HTML that labels may be written in."""
    if text.lstrip()[:5].lower() == "<html":
        parts = [_STYLE.split(part, maxsplit=1)[0] for part in _STYLE_END.split(text)]
        text = unescape(_TAG.sub(" ", " ".join(parts)))
    return _GAPS.sub(" ", text).strip()


def _board(board: Laid) -> dict[str, Any]:
    return {
        "code": board.code,
        "name": board.name,
        "cell": [board.column, board.row],
        "reversed": board.reversed,
        "crop": None if board.crop is None else list(board.crop),
        "version": board.version,
        "overlays": [{"name": name, "hexes": [first, second]} for name, first, second in board.overlays],
        "rules": list(board.rules),
        "zoom": board.zoom,
        "rect": None if board.rect is None else list(board.rect),
        "assumed": board.shape is not None and board.shape.assumed,
    }


def _info(info: Info | None) -> dict[str, str] | None:
    return None if info is None else dict(vars(info))


def _piece(piece: Piece) -> dict[str, Any]:
    """Return a piece; what does not apply to it is left out."""
    level = piece.level
    told: dict[str, Any] = {
        "id": piece.id,
        "name": piece.name,
        "unit": piece.unit,
        "basic": piece.basic,
        "shown": piece.shown,
        "kind": piece.kind.value,
        "nation": piece.nation,
        "nationality": piece.nationality,
        "slot": piece.slot,
        "map": piece.map,
        "x": piece.x,
        "y": piece.y,
        "board": piece.place.board,
        "hex": piece.place.hex,
        "location": piece.place.location,
        "hexside": piece.place.hexside,
        "place_known": piece.place.known,
        "level": None if level is None else dict(vars(level)),
        "stack": piece.stack,
        "order": piece.order,
        "status": list(piece.status),
        "perhaps": list(piece.perhaps),
        "labels": [dict(vars(label)) for label in piece.labels],
        "facing": dict(piece.facing),
        "turned": None if piece.turned is None else list(piece.turned),
        "hidden_by": piece.hidden_by,
        "concealed_by": piece.concealed_by,
        "counter_of": piece.counter_of,
        "mover": piece.mover,
        "hindrance": piece.hindrance,
        "marks_location": piece.marks_location,
    }
    return {key: value for key, value in told.items() if value not in (None, [], {}, False)}
