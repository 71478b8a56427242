"""VASL boards on the command line: showing what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laager.cli.out import say, show_json, show_sheets

if TYPE_CHECKING:
    from laager.vasl import Archive, Board, BoardHex

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
    rows = tuple(_row(one) for one in board.hexes if _worth(one))
    show_sheets([Sheet("hexes", "Hexes", tuple(map(Column, columns)), rows)])
    say(f"The other {len(board.hexes) - len(rows)} hexes are Open Ground of level 0.")


def _worth(one: BoardHex) -> bool:
    """Return whether there is anything to say about a hex."""
    from laager.vasl import SHARE

    ground = one.ground
    if ground is None:
        return False
    there = (kind for kind in ground.pixels if kind.becomes and ground.share(kind) >= SHARE)
    return bool(ground.base or ground.hexsides or ground.centre.becomes or any(there))


def _row(one: BoardHex) -> tuple[str, ...]:
    from laager.vasl import SHARE

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
        "roads": {SIDES[side]: over.road for side, over in sorted(ground.crossings.items()) if over.road},
    }
