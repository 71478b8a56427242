"""Laying out: how wide each column is, on which way round of the paper, in which size of letters.

Widths are worked out here with the font that ships, so that no word is cut off: a word that is wider
than its column may be broken anywhere, all others only between words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from laager.hexmap.draw.fonts import text_width
from laager.sheets.leaf import Block, Cell, FormPicture, FormRow, FormTable, Leaf, Lines, Run, SideBySide
from laager.sheets.paper import Paper

INSET = 2.6
"""Left and right of the text in a cell."""

SIZES = (8.0, 7.5, 7.0, 6.5, 6.0)
"""Sizes of letters that are tried, large ones first."""

WIDEST_WORD = 90.0
"""Words up to this width (at 8 points) are never broken while there is room."""

BREAK = "\u200b"
"""Where a word may be broken; it has no width and is not seen."""

TICK = 7.6
"""The width of a tick box, without its label."""

MANY, BROAD = 9, 1.15
"""A table with at least `MANY` columns that wants more than `BROAD` times the width lies across the paper."""

SLACK = 0.6
"""Widths are rounded; this much more is always enough."""


def laid_out(leaf: Leaf, paper: Paper) -> dict[str, Any]:
    """Return a leaf as the template takes it, every width decided."""
    landscape, size = _fitting(leaf, paper)
    room = paper.room(landscape=landscape, columns=leaf.columns)
    return {
        "title": leaf.title,
        "landscape": landscape,
        "columns": leaf.columns,
        "size": size,
        "boxes": [
            [{"label": box.label, "value": keep_printable(box.value), "width": box.width} for box in row]
            for row in leaf.boxes
        ],
        "blocks": [_block(block, room, size) for block in leaf.blocks],
        "legend": list(map(keep_printable, leaf.legend)),
    }


def _fitting(leaf: Leaf, paper: Paper) -> tuple[bool, float]:
    """Return which way round the paper lies and how large letters are, so that words are whole."""
    ways = (False, True) if leaf.landscape is None else (leaf.landscape,)
    sizes = [size for size in SIZES if size <= leaf.size]
    grids = [grid for block in leaf.blocks for grid in _grids(block)]
    if leaf.landscape is None and any(_broad(grid, share, paper) for grid, share in grids):
        ways = (True,)
    # Rather the other way round than with small letters, rather small letters than broken words.
    for most in (sizes[:2], sizes):
        for landscape in ways:
            room = paper.room(landscape=landscape, columns=leaf.columns)
            for size in most:
                if all(_sum_widths(grid, size) <= room / share for grid, share in grids):
                    return landscape, size
    return ways[-1], sizes[-1]


def _grids(block: Block) -> Iterator[tuple[FormTable, int]]:
    """Yield the tables of a block, each with the number of those that share the width."""
    if isinstance(block, FormTable):
        yield block, block.across
    elif isinstance(block, SideBySide):
        yield from ((grid, len(block.grids)) for grid in block.grids)


def _broad(grid: FormTable, share: int, paper: Paper) -> bool:
    """True if a table of many columns would have to wrap much of its text on upright paper."""
    room = paper.room(landscape=False) / share
    many = len(grid.columns) >= MANY
    return many and sum(_widths_wanted(grid, room, SIZES[0])) > BROAD * room


# Widths -------------------------------------------------------------------------------------------


def _sum_widths(grid: FormTable, size: float) -> float:
    return sum(_least(grid, size))


def _least(grid: FormTable, size: float) -> list[float]:
    """Return how wide each column must be, so that only very long words are broken."""
    cap = WIDEST_WORD * size / 8
    return [
        2 * INSET + SLACK + max(min(cap, _widest(texts, size)), widest) for texts, widest, _ in _columns(grid, size)
    ]


def _columns(grid: FormTable, size: float) -> Iterator[tuple[list[tuple[str, bool]], float, float]]:
    """Yield for each column its texts (True: bold), and what its other cells take.

    That is the widest box or room to write in, and the longest line of them.
    """
    for i, column in enumerate(grid.columns):
        texts = [(column.title, True)]
        widest = longest = 0.0
        for row in grid.rows:
            if row.heading:
                continue
            runs = _runs(row.cells[i])
            if any(run.tick or run.fill for run in runs):
                parts = [_run_width(run, size) for run in runs]
                widest = max(widest, *parts)
                longest = max(longest, sum(parts) + size * 0.35 * (len(parts) - 1))
            else:
                texts += [(run.text, run.bold or row.bold) for run in runs]
        yield texts, widest, longest


def _run_width(run: Run, size: float) -> float:
    if run.tick:
        return TICK + text_width(run.text, size - 1.5)
    return run.fill or text_width(run.text, size, bold=run.bold)


def _runs(cell: Cell) -> tuple[Run, ...]:
    return (Run(cell),) if isinstance(cell, str) else cell


def _widest(texts: Sequence[tuple[str, bool]], size: float) -> float:
    return max((text_width(word, size, bold=bold) for text, bold in texts for word in text.split()), default=size)


def _widths_wanted(grid: FormTable, room: float, size: float) -> list[float]:
    """Return how wide each column would like to be: so that nothing has to be wrapped."""
    wanted = [
        2 * INSET + SLACK + max(longest, *(_longest(text, size, bold) for text, bold in texts))
        for texts, _, longest in _columns(grid, size)
    ]
    limits = grid.most or tuple(1.0 for _ in wanted)
    return [min(width, limit * room) for width, limit in zip(wanted, limits, strict=True)]


def _longest(text: str, size: float, bold: bool) -> float:
    return max(text_width(line, size, bold=bold) for line in text.split("\n"))


def _widths(grid: FormTable, room: float, size: float) -> list[float]:
    """Share the room out: each column what it must have, then what it wants, small wishes first."""
    widths = _least(grid, size)
    wanted = _widths_wanted(grid, room, size)
    if sum(widths) > room:
        return [width * room / sum(widths) for width in widths]
    left = room - sum(widths)
    order = sorted(range(len(widths)), key=lambda i: wanted[i] - widths[i])
    for position, i in enumerate(order):
        given = min(max(0.0, wanted[i] - widths[i]), left / (len(order) - position))
        widths[i] += given
        left -= given
    shares = grid.weights or _shares(grid)
    total = sum(shares)
    return [width + left * share / total for width, share in zip(widths, shares, strict=True)]


def _shares(grid: FormTable) -> tuple[float, ...]:
    """Return who gets what is left over: columns of words, not of figures, if there are any."""
    words = tuple(float(column.align == "left") for column in grid.columns)
    return words if any(words) else tuple(1.0 for _ in words)


# Blocks -------------------------------------------------------------------------------------------


def _block(block: Block, room: float, size: float) -> dict[str, Any]:
    if isinstance(block, Lines):
        inner = room - block.wide
        return {
            "kind": "lines",
            "title": keep_printable(block.title),
            "wide": block.wide,
            "lines": [
                {
                    "mark": keep_printable(line.mark),
                    "title": keep_printable(line.title),
                    "text": _whole(line.text, inner, size),
                    "style": line.style,
                }
                for line in block.lines
            ],
        }
    if isinstance(block, SideBySide):
        share = (room - GAP * (len(block.grids) - 1)) / len(block.grids)
        return {
            "kind": "side",
            "gap": GAP,
            "whole": all(map(_small, block.grids)),
            "grids": [_grid(grid, share, size) for grid in block.grids],
        }
    if isinstance(block, FormPicture):
        return {"kind": "picture", "title": keep_printable(block.title), "svg": block.draw(), "whole": True}
    return _grid(block, room, size)


def _small(grid: FormTable) -> bool:
    """True if a table is small enough to be kept on one page."""
    cells = (cell for row in grid.rows for cell in row.cells)
    return len(grid.rows) <= SMALL and all(len(_text(cell)) < SHORT for cell in cells)


SMALL, SHORT = 8, 120
"""Tables of so few rows, with cells of fewer characters, go over no page break."""

GAP = 8.0
"""Between tables that stand side by side."""


def _grid(grid: FormTable, room: float, size: float) -> dict[str, Any]:
    widths = _widths(grid, room / grid.across, size)
    rows = [_row(row, widths, size) for row in grid.rows]
    if grid.across > 1:
        rows = _in_stacks(rows, grid.across, len(grid.columns))
    return {
        "kind": "grid",
        "title": keep_printable(grid.title),
        "columns": [
            {"title": _whole(column.title, width - 2 * INSET, size, bold=True),
             "align": column.align, "width": width}
            for _ in range(grid.across)
            for column, width in zip(grid.columns, widths, strict=True)
        ],
        "headed": any(column.title for column in grid.columns),
        "rows": rows,
        "notes": list(map(keep_printable, grid.notes)),
        "least": grid.least,
        "whole": _small(grid),
        "empty": grid.empty,
    }  # fmt: skip


def _row(row: FormRow, widths: Sequence[float], size: float) -> dict[str, Any]:
    if row.heading:
        return {"kind": "heading", "cells": [keep_printable(_text(cell)) for cell in row.cells]}
    cells: list[Any] = []
    for cell, width in zip(row.cells, widths, strict=True):
        inner = width - 2 * INSET
        if isinstance(cell, str):
            cells.append(_whole(cell, inner, size, bold=row.bold))
        else:
            cells.append([_run(run, inner, size) for run in cell])
    return {"kind": "bold" if row.bold else "row", "cells": cells}


def _text(cell: Cell) -> str:
    return "".join(run.text for run in _runs(cell))


def _run(run: Run, room: float, size: float) -> dict[str, Any]:
    if run.fill:
        return {"kind": "fill", "width": min(run.fill, room)}
    kind = "tick" if run.tick else "bold" if run.bold else "text"
    return {"kind": kind, "text": _whole(run.text, room, size, bold=run.bold)}


def _in_stacks(rows: Sequence[Mapping[str, Any]], across: int, columns: int) -> list[dict[str, Any]]:
    """Return rows in several stacks side by side, filled downwards."""
    high = -(-len(rows) // across)
    blank = [""] * columns
    return [
        {
            "kind": "row",
            "cells": [
                cell
                for stack in range(across)
                for cell in (rows[stack * high + i]["cells"] if stack * high + i < len(rows) else blank)
            ],
        }
        for i in range(high)
    ]


# Texts --------------------------------------------------------------------------------------------


def keep_printable(text: str) -> str:
    """Return a text without what cannot be printed: control characters, halves of characters."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(letter if letter == "\n" or letter.isprintable() else " " for letter in whole).rstrip()


def _whole(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """Return a text in which words too wide for their room may be broken anywhere."""
    return "\n".join(
        " ".join(_breakable(word, room, size, bold) for word in line.split(" "))
        for line in keep_printable(text).split("\n")
    )


def _breakable(word: str, room: float, size: float, bold: bool) -> str:
    if text_width(word, size, bold=bold) <= room:
        return word
    return BREAK.join(word)
