"""What a board or a save of VASL holds, in tables or as JSON: `laager vasl show`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError
from laager.cli.out import say, say_wrapped, show_json, show_sheets

if TYPE_CHECKING:
    from laager.campaign import Sheet
    from laager.vasl import Archive, Board, BoardHex, Piece, Save


SIDES = ("N", "NE", "SE", "S", "SW", "NW")


def show_board(archive: Archive, as_json: bool) -> None:
    """Print what a board archive holds."""
    from laager.campaign import Column, Sheet
    from laager.vasl import board_of

    board = board_of(archive)
    if as_json:
        show_json(_board(board))
        return
    grid, (width, height) = board.geometry, board.size
    version = board.metadata.version or "not told"
    say(f"Board {board.name}, version {version} {board.metadata.dated}".rstrip())
    say(
        f"{len(board.hexes)} hexes of {grid.width:g} x {grid.height:g} pixels, "
        f"A1 at {grid.x:g}, {grid.y:g}; the picture has {width} x {height}"
    )
    say(f"SHA-256 {board.sha256}", "")
    if not board.known:
        say("The archive holds no LOS data: what is in the hexes is not known.")
        return
    columns = ("hex", "terrain", "level", "building", "share", "hexsides")
    rows = tuple(_hex_row(hex_) for hex_ in board.hexes if _worth(hex_))
    show_sheets([Sheet("hexes", "Hexes", tuple(map(Column, columns)), rows)])
    say(f"The other {len(board.hexes) - len(rows)} hexes are Open Ground of level 0.")


def _worth(hex_: BoardHex) -> bool:
    """Return True if there is anything to say about a hex."""
    from laager.vasl import SHARE

    ground = hex_.ground
    if ground is None:
        return False
    there = (kind for kind in ground.pixels if kind.becomes and ground.share(kind) >= SHARE)
    return bool(ground.base or ground.hexsides or ground.centre.becomes or any(there))


def _hex_row(hex_: BoardHex) -> tuple[str, ...]:
    from laager.vasl import SHARE

    ground = hex_.ground
    assert ground is not None
    shares = [(kind.name, ground.share(kind)) for kind in ground.pixels if kind.becomes]
    shares.sort(key=lambda pair: -pair[1])
    levels = [level.level for level in ground.levels if level.terrain != "Rooftop"]
    return (
        hex_.name,
        ground.centre.name,
        str(ground.base),
        "" if ground.house is None else ", ".join(map(str, [*levels, 0])),
        ", ".join(f"{name} {share:.0%}" for name, share in shares if share >= SHARE),
        ", ".join(f"{SIDES[side]} {kind.name}" for side, kind in sorted(ground.hexsides.items())),
    )


def _board(board: Board) -> dict[str, Any]:
    return {
        "board": board.name,
        "version": board.metadata.version,
        "dated": board.metadata.dated,
        "file": board.file,
        "sha256": board.sha256,
        "picture": board.metadata.picture,
        "size": list(board.size),
        "hex_size": [board.geometry.width, board.geometry.height],
        "a1": [board.geometry.x, board.geometry.y],
        "alternate_grain": board.geometry.alternate,
        "terrain_known": board.known,
        "hexes": [_hex(hex_) for hex_ in board.hexes],
    }


def _hex(hex_: BoardHex) -> dict[str, Any]:
    described: dict[str, Any] = {"name": hex_.name, "centre": list(hex_.centre)}
    ground = hex_.ground
    if ground is None:
        return described
    return described | {
        "terrain": ground.centre.name,
        "level": ground.base,
        "shares": {kind.name: round(ground.share(kind), 4) for kind in ground.pixels},
        "hexsides": {SIDES[side]: kind.name for side, kind in sorted(ground.hexsides.items())},
        "cliffs": [SIDES[side] for side in sorted(ground.cliffs)],
        "slopes": [SIDES[side] for side in sorted(ground.slopes)],
        "stairway": ground.stairway,
        "levels": {str(level.level): level.terrain for level in ground.levels},
        "depression": ground.depression.name if ground.depression else None,
        "bridge": ground.bridged,
        "roads": {SIDES[side]: over.road for side, over in sorted(ground.crossings.items()) if over.road},
    }


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
    from laager.vasl import describe_save, save_of, shapes_in, usual_shape

    save = save_of(archive, usual_shape if boards is None else shapes_in(_folder(boards)))
    if owner is not None and not 1 <= owner <= save.owners:
        known = f"1 to {save.owners}" if save.owners > 1 else "1" if save.owners else "nobody"
        raise RefusedError(
            Refusal.NO_SUCH,
            f"there is no owner {owner} in {save.file}",
            f"hidden or concealed pieces belong to {known}",
        )
    if as_json:
        show_json(describe_save(save, owner, everything))
        return
    _say_heading(save)
    _say_extensions(save, owner, everything)
    say("")
    show_sheets(_sheets(save, owner, everything))
    _say_rest(save, owner, everything)


def _folder(path: Path) -> Path:
    if not path.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{path} isn't a folder", "name that of your VASL boards")
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
        rolls = f", with {len(save.rolls)} rolls (laager vasl dice lists them)" if save.rolls else ""
        say_wrapped(f"This is a log: shown is the state after its last step; steps: {save.steps}{rolls}")


def _say_extensions(save: Save, owner: int | None, everything: bool) -> None:
    """Print the extensions that were loaded when the game was saved, and how many counters come from any."""
    from laager.vasl import count_extension_pieces, pieces_visible_to

    counts = count_extension_pieces(save.pieces if everything else pieces_visible_to(save, owner))
    if save.extensions:
        names = ", ".join(f"{name} {version}".strip() for name, version in save.extensions)
        needed = "" if counts else "; none of the counters shown comes from one"
        say_wrapped(f"Extensions of VASL that it was saved with: {names}{needed}")
    if counts:
        ids = ", ".join(f"{count} of {id_}" for id_, count in counts.items())
        say_wrapped(f"Counters from extensions, which VASL needs to show them: {ids}")


def _sheets(save: Save, owner: int | None, everything: bool) -> Iterator[Sheet]:
    from laager.vasl import CASUALTIES, pieces_visible_to

    pieces = save.pieces if everything else pieces_visible_to(save, owner)
    on_map = sorted((piece for piece in pieces if piece.on_map), key=_by_place)
    gone = [piece for piece in pieces if piece.map == CASUALTIES]
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
            _laid_words(board.reversed, board.crop is not None, board.zoom),
            board.version,
            ", ".join((*(name for name, _, _ in board.overlays), *board.rules)),
        )
        for board in save.boards
    ]


def _texts(pieces: Iterable[Piece]) -> Iterator[tuple[str, ...]]:
    from laager.vasl import plain_text

    for piece in pieces:
        for label in piece.labels:
            yield _place_words(piece), label.slot, plain_text(label.text)[:_LONGEST_LABEL]


def _say_rest(save: Save, owner: int | None, everything: bool) -> None:
    from laager.vasl import doubts, pieces_visible_to

    if not everything:
        whose = "other players have" if owner else "players have"
        say(f"What {whose} hidden or concealed isn't shown; --owner N shows one owner's, --all everything.")
    for doubt in doubts(save, save.pieces if everything else pieces_visible_to(save, owner)):
        say(f"note: {doubt}")


def _laid_words(turned: bool, cropped: bool, zoom: float) -> str:
    words = ["reversed"] * turned + ["cropped"] * cropped
    if zoom != 1:
        words.append(f"{zoom:g} times the size")
    return ", ".join(words)


def _by_place(piece: Piece) -> tuple[bool, str, int, str, int, str, int]:
    match = _PARTS.match(piece.place.hex or "")
    assert match is not None
    letters, row = match[2], match[3]
    number = int(row) if re.fullmatch("-?[0-9]+", row) else 0
    board = piece.place.board or ""
    order = piece.order or 0
    off = piece.place.hex is None
    return off, board, len(letters), match[1] + letters, number, piece.stack or "", order


def _place_words(piece: Piece) -> str:
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
    return _place_words(piece), piece.name, piece.kind.value, nation, ", ".join(status)
