"""Forms in another language: what rulesets write into cells is said as on the pages, as far as it is translated.

Running text stays as it is: clauses are English, and the diary is told in its language.
"""

from __future__ import annotations

from dataclasses import replace

from laager.campaign import Column
from laager.campaign.speech import ENGLISH
from laager.sheets.leaf import Block, Box, Cell, FormLine, FormPicture, FormRow, FormTable, Leaf, Lines, SideBySide
from laager.sheets.words import Words


def translate_leaf(leaf: Leaf, words: Words) -> Leaf:
    """Return a form in a language."""
    if words.language == ENGLISH:
        return leaf
    return replace(
        leaf,
        boxes=tuple(tuple(_box(box, words) for box in line) for line in leaf.boxes),
        blocks=tuple(_block(block, words) for block in leaf.blocks),
    )


def _box(box: Box, words: Words) -> Box:
    return replace(box, value=words.say(box.value))


def _block(block: Block, words: Words) -> Block:
    match block:
        case FormTable():
            return _grid(block, words)
        case SideBySide():
            return SideBySide(tuple(_grid(grid, words) for grid in block.grids))
        case Lines():
            return replace(block, lines=tuple(_line(line, words) for line in block.lines))
        case FormPicture():
            return block


def _grid(grid: FormTable, words: Words) -> FormTable:
    return replace(
        grid,
        title=words.say(grid.title),
        columns=tuple(Column(words.say(column.title), column.align) for column in grid.columns),
        rows=tuple(replace(row, cells=_cells(row, words)) for row in grid.rows),
        notes=tuple(words.say(note) for note in grid.notes),
    )


def _cells(row: FormRow, words: Words) -> tuple[Cell, ...]:
    return tuple(
        words.say(cell) if isinstance(cell, str) else tuple(replace(run, text=words.say(run.text)) for run in cell)
        for cell in row.cells
    )


def _line(line: FormLine, words: Words) -> FormLine:
    return replace(line, title=words.say(line.title))
