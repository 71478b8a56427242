"""Small boards of our own, drawn for lines of sight."""

from __future__ import annotations

from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft


def varied() -> Draft:
    """Return a board with something of nearly everything: woods, grain, walls, a hill, a gully, houses."""
    draft = Draft(columns=9, rows=8, stairs={(4, 4)})
    for name in ("C3", "D5", "G2"):
        draft.fill(name, w.WOODS)
    draft.fill("E2", w.GRAIN)
    draft.fill("B6", w.ORCHARD)
    draft.fill("F6", w.OPEN, 1)
    draft.fill("F7", w.OPEN, 2)
    draft.box("E5", w.STONE_2, 20)
    draft.box("E5", w.STONE_2, 12, 0, 24)
    draft.box("E6", w.STONE_2, 12, 0, -24)
    draft.side("C6", 2, w.WALL)
    draft.side("H4", 5, w.HEDGE)
    draft.way("H1 H2 H3 I4", w.GULLY, 12)
    draft.levels[draft.codes == w.GULLY] = -1
    return draft


def village() -> Draft:
    """Return the board of the guide's pictures: a village between woods, fields and a hill."""
    draft = Draft(name="90", columns=15, rows=9, stairs={(7, 5)})
    for name in ("B2", "C3", "C2", "K7", "L8", "L7", "M2"):
        draft.fill(name, w.WOODS)
    for name in ("E7", "F8", "F7", "J3", "J4"):
        draft.fill(name, w.GRAIN)
    draft.fill("I7", w.ORCHARD)
    for name in ("N5", "N6", "M5", "O5"):
        draft.fill(name, w.OPEN, 1)
    draft.way("A5 B5 C5 D5 E5 F5 G5 H5 I5 J5 K5 L5 M4 N4 O3", w.PAVED)
    draft.box("H5", w.STONE_2, 20)
    draft.box("H5", w.STONE_2, 14, 0, 26)
    draft.box("H6", w.STONE_2, 14, 0, -26)
    draft.box("F4", w.WOODEN, 16)
    draft.box("J8", w.STONE, 16)
    draft.side("G6", 2, w.WALL)
    draft.side("G6", 3, w.WALL)
    draft.side("D5", 1, w.HEDGE)
    return draft
