"""VASL boards on the command line: making maps from them, and showing what they hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.cli.out import say, say_wrapped, show_json, show_sheets

if TYPE_CHECKING:
    from laager.vasl.archive import Archive
    from laager.vasl.board import Board, BoardHex
    from laager.vasl.layout import Layout
    from laager.vasl.tomap import Imported

SIDES = ("N", "NE", "SE", "S", "SW", "NW")


def import_boards(
    paths: list[Path],
    out: Path,
    layout: str | None,
    title: str,
    cellars: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make a map file from board archives."""
    from laager.vasl.board import read_board
    from laager.vasl.tomap import import_boards as made_of

    if out.is_dir() or (out.exists() and not force):
        what = "is a folder" if out.is_dir() else "exists already"
        right = "name another file with --out" + ("" if out.is_dir() else ", or add --force")
        raise RefusedError(Refusal.BAD_DATA, f"{out} {what}; {right}")
    problems: list[Problem] = []
    boards: list[Board] = []
    for path in paths:
        try:
            boards.append(read_board(path))
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    by_name = {board.name: board for board in boards}
    if len(by_name) != len(boards):
        raise RefusedError(
            Refusal.BAD_DATA, "a board is named twice; name each once, the layout says where it is"
        )
    arranged, chosen = _arranged(layout, boards)
    made = made_of(arranged, chosen, title=title, cellars=cellars)
    out.write_text(made.text, encoding="utf-8")
    if as_json:
        show_json(_described(out, made))
    else:
        _say_made(out, made)


def _arranged(text: str | None, boards: list[Board]) -> tuple[Layout, list[Board]]:
    """Return the layout, and the board of each place in it."""
    from laager.vasl.layout import layout_of
    from laager.vasl.tomap import placed

    by_name = {name: board for board in boards for name in (board.name, board.code)}

    def find(name: str) -> Any:
        board = by_name.get(name)
        return placed(board) if board else None

    names = [board.name for board in boards]
    arranged = layout_of(text if text is not None else " ".join(names), find, names)
    return arranged, [by_name[one.name] for one in arranged.boards]


def _described(out: Path, made: Imported) -> dict[str, Any]:
    return {
        "file": str(out),
        "hexes": len(made.map.hexes),
        "source": made.map.source_note,
        "left_out": dict(made.left_out),
        "unknown": made.unknown,
    }


def _say_made(out: Path, made: Imported) -> None:
    say(f"written: {out} ({len(made.map.hexes)} hexes)")
    if made.unknown:
        say_wrapped(
            f"The terrain of {made.unknown} hexes is not known: the archive holds no LOS data. "
            "Mark in the map file what matters to the campaign."
        )
    if made.left_out:
        listed = ", ".join(f"{name} ({count} hexes)" for name, count in made.left_out.items())
        say_wrapped(f"Left out, as a map file has no word for it: {listed}.")
    say(f"look at it with: laager map {out} --out map.svg")


def show_board(archive: Archive, as_json: bool) -> None:
    """Print what a board archive holds."""
    from laager.campaign.sheet import Column, Sheet
    from laager.vasl.board import board_of

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
    rows = tuple(_row(one) for one in board.hexes if _worth(one))
    show_sheets([Sheet("hexes", "Hexes", tuple(map(Column, columns)), rows)])
    say(f"The other {len(board.hexes) - len(rows)} hexes are Open Ground of level 0.")


def _worth(one: BoardHex) -> bool:
    """Return whether there is anything to say about a hex."""
    from laager.vasl.contents import SHARE

    ground = one.ground
    if ground is None:
        return False
    there = (kind for kind in ground.pixels if kind.becomes and ground.share(kind) >= SHARE)
    return bool(ground.base or ground.hexsides or ground.centre.becomes or any(there))


def _row(one: BoardHex) -> tuple[str, ...]:
    from laager.vasl.contents import SHARE

    ground = one.ground
    assert ground is not None
    shares = [(kind.name, ground.share(kind)) for kind in ground.pixels if kind.becomes]
    shares.sort(key=lambda pair: -pair[1])
    levels = [level.level for level in ground.levels if level.terrain != "Rooftop"]
    return (
        one.name,
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
        "hexes": [_hex(one) for one in board.hexes],
    }


def _hex(one: BoardHex) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one.name, "centre": list(one.centre)}
    ground = one.ground
    if ground is None:
        return found
    return found | {
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
        "roads": {
            SIDES[side]: over.road for side, over in sorted(ground.crossings.items()) if over.road
        },
    }
