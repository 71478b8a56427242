"""The pictures of the guide to LOS: `python -m tests.los.pictures` draws them anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from laager.hexmap.draw.markup import number, path, tag, text
from laager.hexmap.draw.style import FONT
from laager.los import draw_viewshed, sight, viewshed
from laager.los.exact.losmap import LosMap
from laager.vasl import arrange, board_of, import_boards, place_alone
from tests.los.boards import archive_of, drawn
from tests.los.drafts import village

IMAGES = Path(__file__).parents[2] / "docs" / "images"
COLOURS = {0: "#dfe3c4", 24: "#e5cf5d", 40: "#8d8f94", 42: "#8d8f94", 50: "#a9713a", 60: "#5f8f4e", 63: "#b6d28a",
           66: "#c9c9c4", 72: "#4c4c4c", 73: "#2f6d2f"}  # fmt: skip
"""The colours of VASL's terrain codes on the board of the pictures."""
LEFT, RIGHT, TOP, BOTTOM = 255, 520, 170, 480
"""The part of the board that the picture of pixels shows."""


def seen() -> str:
    """Return what the upper level of a house sees."""
    draft = village()
    # The archive's own hash changes with the time at which it was packed.
    digest = sha256(draft.codes.tobytes()).hexdigest()
    board = replace(board_of(archive_of(draft)), sha256=digest)
    map_ = import_boards(arrange([place_alone(board)]), [board], title="A village").map
    return draw_viewshed(viewshed(drawn(draft), "H5 level 2"), map_)


def pixels() -> str:
    """Return a line of sight through the pixels of a board, up to where it is blocked."""
    on = drawn(village())
    found = sight(on, "F8", "H4")
    assert found.block is not None
    codes = (on.pixels & 255)[LEFT:RIGHT, TOP:BOTTOM]
    runs = []
    for top, bottom in _runs((np.diff(codes, axis=1) != 0).any(axis=0)):
        row = codes[:, top]
        for x, end in _runs(np.diff(row) != 0):
            fill = COLOURS[int(row[x])]
            runs.append(
                tag("rect", x=number(x), y=number(top), width=number(end - x), height=number(bottom - top), fill=fill)
            )
    lines = [_hex(on, i) for i in range(on.grid.count)]
    names = [
        text(x - LEFT, y - TOP - 18, on.names[i], text_anchor="middle", font_size=10)
        for i, (x, y) in enumerate(on.grid.centre.tolist())
        if LEFT <= x < RIGHT and TOP <= y < BOTTOM
    ]
    (x1, y1), (x2, y2) = (on.grid.centre[on.by_name[name]] for name in ("F8", "H4"))
    x, y = found.block.x or 0, found.block.y or 0
    thread = [_line(x1, y1, x, y, "#1d6fd1", ""), _line(x, y, x2, y2, "#c8281c", "4 3")]
    stop = tag("circle", cx=number(x - LEFT), cy=number(y - TOP), r="4", fill="#c8281c")
    width, height = RIGHT - LEFT, BOTTOM - TOP
    ground = tag("g", "".join(runs), shape_rendering="crispEdges")
    body = "\n".join([ground, *lines, *names, *thread, stop])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * width}" height="{2 * height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" role="img">\n'
        f"<title>{found.sentence}</title>\n{body}\n</svg>\n"
    )


def _runs(changes: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield where equal pixels begin and end."""
    return pairwise([0, *(np.flatnonzero(changes) + 1).tolist(), len(changes) + 1])


def _hex(on: LosMap, i: int) -> str:
    corners = [f"{x - LEFT} {y - TOP}" for x, y in on.grid.corners[i].tolist()]
    return path(f"M{'L'.join(corners)}Z", fill="none", stroke="#6d6e64", stroke_width=0.6)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, dash: str) -> str:
    d = f"M{x1 - LEFT} {y1 - TOP}L{x2 - LEFT} {y2 - TOP}"
    return path(d, fill="none", stroke=colour, stroke_width=1.6, stroke_dasharray=dash)


PICTURES = {"los-seen.svg": seen, "los-pixels.svg": pixels}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")
