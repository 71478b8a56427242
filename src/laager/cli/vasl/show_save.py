"""What a save of VASL holds, in tables or as JSON: the part of `laager vasl show` about saves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError
from laager.cli.out import say, show_json, show_sheets

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.vasl import Archive, Piece, Save

_LONGEST_LABEL = 60
_LABEL = "User-Labeled"
"""The piece that is nothing but a text."""
_PARTS = re.compile(r"(-?)([A-Z]*)([0-9-]*)")


def show_save(
    archive: Archive,
    boards: Path | None = None,
    owner: int | None = None,
    everything: bool = False,
    as_json: bool = False,
) -> None:
    """Print a save as one owner, or anybody, may see it; with `everything`, all of it.

    `boards` is the folder of the board archives. Raises DataError, RefusedError.
    """
    from laager.vasl import describe, save_of, shapes_in, usual_shape

    save = save_of(archive, usual_shape if boards is None else shapes_in(_folder(boards)))
    if owner is not None and not 1 <= owner <= save.owners:
        known = f"1 to {save.owners}" if save.owners > 1 else "1" if save.owners else "nobody"
        raise RefusedError(
            Refusal.NO_SUCH,
            f"there is no owner {owner} in {save.file}",
            f"hidden or concealed pieces belong to {known}",
        )
    if as_json:
        show_json(describe(save, owner, everything))
        return
    _say_heading(save)
    show_sheets(_sheets(save, owner, everything))
    _say_rest(save, owner, everything)


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{path} is no folder", "name that of your VASL boards")
    return path


def _say_heading(save: Save) -> None:
    versions = f"VASL {save.vasl or '?'}, VASSAL {save.vassal or '?'}"
    saved = f", saved {save.saved[:16].replace('T', ' ')} UTC" if save.saved else ""
    say(f"{save.file}: {versions}{saved}")
    if save.comment:
        say(f"Comment: {save.comment}")
    info = save.info
    if info is not None:
        say(
            f"Turn {info.turn or '?'}, {info.now or '?'} to move, {info.first or '?'} moves first; "
            f"Axis ELR {info.axis_elr or '?'} SAN {info.axis_san or '?'}, "
            f"Allied ELR {info.allied_elr or '?'} SAN {info.allied_san or '?'}"
        )
    if save.steps:
        say(f"This is a log: shown is how it starts; steps that follow: {save.steps}")
    say("")


def _sheets(save: Save, owner: int | None, everything: bool) -> Iterator[Sheet]:
    from laager.vasl import CASUALTIES, seen_by

    pieces = save.pieces if everything else seen_by(save, owner)
    on_map = sorted((one for one in pieces if one.on_map), key=_by_place)
    gone = [one for one in pieces if one.map == CASUALTIES]
    yield from _sheet("Boards", ("board", "cell", "how", "version", "rules"), _boards(save))
    columns = ("where", "piece", "kind", "nation", "status")
    counters = [piece for piece in on_map if piece.basic != _LABEL or not piece.labels]
    yield from _sheet("Pieces", columns, [_row(piece) for piece in counters])
    yield from _sheet("Casualties", columns[1:4], [_row(piece)[1:4] for piece in gone])
    yield from _sheet("Labels", ("where", "line", "text"), list(_texts(on_map)))


def _sheet(title: str, columns: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Iterator[Sheet]:
    """Yield a sheet, if there is anything to put on it."""
    from laager.campaign import Column, Sheet

    if rows:
        yield Sheet(title.lower(), title, tuple(Column(name) for name in columns), tuple(rows))


def _boards(save: Save) -> list[tuple[str, ...]]:
    return [
        (
            board.name,
            f"{board.column},{board.row}",
            _how(board.reversed, board.crop is not None, board.zoom),
            board.version,
            ", ".join((*(name for name, _, _ in board.overlays), *board.rules)),
        )
        for board in save.boards
    ]


def _texts(pieces: Iterable[Piece]) -> Iterator[tuple[str, ...]]:
    from laager.vasl import plain_text

    for piece in pieces:
        for label in piece.labels:
            yield _where(piece), label.slot, plain_text(label.text)[:_LONGEST_LABEL]


def _say_rest(save: Save, owner: int | None, everything: bool) -> None:
    from laager.vasl import doubts, seen_by

    if not everything:
        whose = "other players have" if owner else "players have"
        say(f"What {whose} hidden or concealed is not told; --owner N tells that of one, --all all.")
    for doubt in doubts(save, save.pieces if everything else seen_by(save, owner)):
        say(f"note: {doubt}")


def _how(turned: bool, cropped: bool, zoom: float) -> str:
    words = ["reversed"] * turned + ["cropped"] * cropped
    if zoom != 1:
        words.append(f"{zoom:g} times the size")
    return ", ".join(words)


def _by_place(piece: Piece) -> tuple[bool, str, int, str, int, str, int]:
    found = _PARTS.match(piece.place.hex or "")
    assert found is not None
    letters, row = found[2], found[3]
    number = int(row) if re.fullmatch("-?[0-9]+", row) else 0
    board = piece.place.board or ""
    order = piece.order or 0
    off = piece.place.hex is None
    return off, board, len(letters), found[1] + letters, number, piece.stack or "", order


def _where(piece: Piece) -> str:
    if piece.place.location is None:
        return "off the boards" if piece.place.known else "?"
    where = piece.place.location
    if piece.place.hexside:
        where += f" ({piece.place.hexside})"
    if piece.level is not None and not piece.level.itself:
        where += f", {piece.level.name}"
    return where


def _row(piece: Piece) -> tuple[str, ...]:
    status = list(piece.status)
    status += [f"{word}?" for word in piece.perhaps]
    if piece.hidden_by:
        status.append(f"hidden by owner {piece.hidden_by}")
    if piece.concealed_by:
        status.append(f"concealed by owner {piece.concealed_by}")
    if piece.counter_of:
        status.append(f"of owner {piece.counter_of}")
    nation = piece.nationality or ""
    return _where(piece), piece.name, piece.kind.value, nation, ", ".join(status)
