"""The contents of a save, as values that can be shown (no user id is in any of them), and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from laager.vasl.saves.counters import NATIONS, CounterKind, Label
from laager.vasl.saves.placing import BoardInSave, PixelPlace
from laager.vasl.saves.rolls import LoggedRoll

MAIN_MAPS = ("Main Map", "Map0")
"""Names of the map on which the game is played, in newer and in older versions."""
CASUALTIES = "Casualties"


@dataclass(frozen=True)
class StackLevel:
    """The location that a counter in a stack stands for, such as an upper level or a foxhole.

    `kind` is building, roof, entrenchment, crest or climb; `itself`: the piece is that counter.
    """

    name: str
    kind: str
    level: int | None = None
    itself: bool = False


@dataclass(frozen=True)
class Piece:
    """A piece of a save.

    `name` is the whole name, `unit` that without facing and hatch, `basic` the one it began with,
    `shown` what VASL shows to one who may see all. `status` is certain; `perhaps` comes from
    counters higher in the stack that may be about other pieces. `hidden_by` and `concealed_by`
    are numbers of owners; `mover` is the player who moved it last. `counter_of` is the owner of a
    concealment counter. `unread` are its traits that are not known.
    """

    id: str
    name: str
    unit: str
    basic: str
    shown: str
    kind: CounterKind
    nation: str | None
    slot: str | None
    map: str | None
    x: int
    y: int
    place: PixelPlace = field(default_factory=PixelPlace)
    level: StackLevel | None = None
    stack: str | None = None
    order: int | None = None
    status: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    labels: tuple[Label, ...] = ()
    facing: Mapping[str, str] = field(default_factory=dict)
    turned: tuple[int, float] | None = None
    hidden_by: int | None = None
    concealed_by: int | None = None
    counter_of: int | None = None
    mover: str | None = None
    hindrance: bool = False
    marks_location: bool = False
    unread: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        """Its place in its stack, from 0."""
        return self.order or 0

    @property
    def nationality(self) -> str | None:
        """The nation by name."""
        return NATIONS.get(self.nation or "")

    @property
    def on_map(self) -> bool:
        """True if it lies on the map that the game is played on."""
        return self.map in MAIN_MAPS


@dataclass(frozen=True)
class Stack:
    """Pieces on top of one another, from the bottom to the top."""

    id: str
    map: str | None
    x: int
    y: int
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class ScenarioInfo:
    """The scenario information of a save. Values are texts; nothing where players left them open.

    `first` is the side that moves first, `now` the one whose turn it is.
    """

    first: str = ""
    now: str = ""
    turn: str = ""
    axis_elr: str = ""
    axis_san: str = ""
    allied_elr: str = ""
    allied_san: str = ""
    axis_traps: str = ""
    allied_traps: str = ""


@dataclass(frozen=True)
class Save:
    """A save, or a log after all its steps.

    `vasl` and `vassal` are versions, `saved` a date and time (ISO 8601, UTC). `owners` counts the
    users with hidden or concealed pieces, `others` the commands that are not read. `steps` are those of a log that
    were played, `rolls` the dice in them, `misfits` their changes that don't fit the pieces and were left out.
    """

    file: str
    vasl: str
    vassal: str
    saved: str | None
    comment: str
    boards: tuple[BoardInSave, ...]
    info: ScenarioInfo | None
    notes: str
    extensions: tuple[tuple[str, str], ...]
    pieces: tuple[Piece, ...]
    stacks: tuple[Stack, ...]
    empty_stacks: int = 0
    owners: int = 0
    others: Mapping[str, int] = field(default_factory=dict)
    steps: int = 0
    misfits: int = 0
    rolls: tuple[LoggedRoll, ...] = ()

    def __repr__(self) -> str:
        return f"<Save {self.file}: {len(self.pieces)} pieces on {len(self.boards)} boards>"

    @property
    def unknown(self) -> Mapping[str, int]:
        """Number of unknown traits, by their ids."""
        return count_unread(self.pieces)


def count_unread(pieces: Iterable[Piece]) -> dict[str, int]:
    """Return the number of unknown traits of pieces, by the ids of the traits."""
    return dict(sorted(Counter(trait_id for piece in pieces for trait_id in piece.unread).items()))


def count_extension_pieces(pieces: Iterable[Piece]) -> dict[str, int]:
    """Return the number of pieces that come from extensions of VASL, by the ids of the extensions."""
    ids = (piece.slot.rpartition(":")[0] for piece in pieces if piece.slot)
    return dict(sorted(Counter(id_ for id_ in ids if id_).items()))


def doubts(save: Save, pieces: Sequence[Piece]) -> tuple[str, ...]:
    """Return the doubts about `pieces` of a save, in sentences."""
    sentences = [
        f"board {board.code}: its size is not known here, so hexes on it and on what lies "
        "beyond it are not told; name the folder of the board archives"
        for board in save.boards
        if board.shape is None
    ]
    strange = sum(piece.kind == CounterKind.UNKNOWN and not piece.concealed_by for piece in pieces)
    if strange:
        sentences.append(f"pieces of no kind that is known here: {strange}")
    skipped = sum(count_unread(pieces).values())
    if skipped:
        sentences.append(f"traits of an unknown kind that were skipped: {skipped}")
    if save.misfits:
        sentences.append(
            f"changes in the log that don't fit the pieces that they are about, and were left out: {save.misfits}"
        )
    return tuple(sentences)


def pieces_visible_to(save: Save, owner: int | None = None) -> tuple[Piece, ...]:
    """Return the pieces as an owner may see them; without an owner, as anybody may.

    Others' hidden pieces are left out; others' concealed pieces are shown as `?`, with nothing
    that could tell what they are.
    """
    return tuple(
        piece if piece.concealed_by in (None, owner) else _mask(piece)
        for piece in save.pieces
        if piece.hidden_by in (None, owner)
    )


def _mask(piece: Piece) -> Piece:
    """Return a concealed piece as others see it: a `?` of its nation where it lies."""
    return Piece(
        id=piece.id,
        name="?",
        unit="?",
        basic="?",
        shown="?",
        kind=CounterKind.UNKNOWN,
        nation=piece.nation,
        slot=None,
        map=piece.map,
        x=piece.x,
        y=piece.y,
        place=piece.place,
        stack=piece.stack,
        order=piece.order,
        concealed_by=piece.concealed_by,
    )


_TAG = re.compile(r"<[^<>]*>")
_STYLE = re.compile(r"<(?:style|script)\b", re.IGNORECASE)
_STYLE_END = re.compile(r"</(?:style|script)>", re.IGNORECASE)
_GAPS = re.compile(r"\s+")


def describe_save(save: Save, owner: int | None = None, everything: bool = False) -> dict[str, Any]:
    """Return a save as plain values, as `owner` may see it, or with `everything`.

    No count reveals what is left out.
    """
    pieces = save.pieces if everything else pieces_visible_to(save, owner)
    visible = {piece.id for piece in pieces}
    return {
        "file": save.file,
        "kind": "save",
        "vasl": save.vasl,
        "vassal": save.vassal,
        "saved": save.saved,
        "comment": save.comment,
        "boards": [_board_data(board) for board in save.boards],
        "scenario": None if save.info is None else dict(vars(save.info)),
        "notes": save.notes,
        "extensions": [{"name": name, "version": version} for name, version in save.extensions],
        "extension_pieces": count_extension_pieces(pieces),
        "pieces": [_piece_data(piece) for piece in pieces],
        "stacks": [
            {"id": stack.id, "pieces": [id_ for id_ in stack.pieces if id_ in visible]}
            for stack in save.stacks
            if not visible.isdisjoint(stack.pieces)
        ],
        "unknown_traits": count_unread(pieces),
        "other_commands": dict(save.others),
        "steps": save.steps,
        "rolls": [roll.describe() for roll in save.rolls],
        "doubts": list(doubts(save, pieces)),
    }


def plain_text(text: str) -> str:
    """Return a label's text on one line, without the HTML that labels may be written in."""
    if text.lstrip()[:5].lower() == "<html":
        parts = [_STYLE.split(part, maxsplit=1)[0] for part in _STYLE_END.split(text)]
        text = unescape(_TAG.sub(" ", " ".join(parts)))
    return _GAPS.sub(" ", text).strip()


def _board_data(board: BoardInSave) -> dict[str, Any]:
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


def _piece_data(piece: Piece) -> dict[str, Any]:
    """Return a piece; what does not apply to it is left out."""
    place = piece.place
    data = {key: list(value) if isinstance(value, tuple) else value for key, value in vars(piece).items()}
    del data["place"], data["unread"]
    data |= {
        "kind": piece.kind.value,
        "nationality": piece.nationality,
        "board": place.board,
        "hex": place.hex,
        "location": place.location,
        "hexside": place.hexside,
        "place_known": place.known,
        "level": None if piece.level is None else dict(vars(piece.level)),
        "labels": [dict(vars(label)) for label in piece.labels],
        "facing": dict(piece.facing),
    }
    return {key: value for key, value in data.items() if value not in (None, [], {}, False)}
