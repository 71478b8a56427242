"""What a printed sheet consists of, before it is laid out. All values are immutable.

A leaf is one form: boxed fields at its head, then blocks one below the other. Texts are texts:
nothing in them is ever taken for markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from laager.campaign import Column


@dataclass(frozen=True)
class Run:
    """A part of a cell: text, a box to be ticked with its label, or room to write in.

    `fill` is the width of the room in points; `tick` draws a box before the text.
    """

    text: str = ""
    bold: bool = False
    tick: bool = False
    fill: float = 0.0


Cell = str | tuple[Run, ...]


def bold(text: str) -> Cell:
    """Return a cell with a text in bold."""
    return (Run(text, bold=True),)


def room(width: float) -> Cell:
    """Return a cell to write in, `width` points wide."""
    return (Run(fill=width),)


def ticks(labels: Iterable[str]) -> Cell:
    """Return a cell with a box to tick before each label."""
    return tuple(Run(label, tick=True) for label in labels)


@dataclass(frozen=True)
class FormRow:
    """A row of a table: its cells; or a heading over the whole width, of a left and a right text.

    A heading stays with the row that follows it. `bold` is for totals.
    """

    cells: tuple[Cell, ...]
    heading: bool = False
    bold: bool = False


@dataclass(frozen=True)
class FormTable:
    """A ruled table. Its title and the titles of its columns come again on each page.

    `least` is how high a row is at least, in points (room for handwriting). `weights` say which
    columns get what width is left over; without them all do. `most` bounds what share of the width
    a column takes while others have to wrap. `across` repeats the columns so many
    times side by side and fills them downwards.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[FormRow, ...]
    notes: tuple[str, ...] = ()
    least: float = 0.0
    weights: tuple[float, ...] = ()
    most: tuple[float, ...] = ()
    across: int = 1
    empty: str = ""


Style = Literal["plain", "heading", "bold", "struck", "chapter"]
"""How a line of running text looks: a heading has a grey bar, a chapter a rule beneath."""


@dataclass(frozen=True)
class FormLine:
    """A line of running text under a mark of its own (a number, a clause).

    Of headings `text` stands at the right.
    """

    mark: str
    text: str
    title: str = ""
    style: Style = "plain"


@dataclass(frozen=True)
class Lines:
    """Running text, line by line; `wide` is how far lines are set in, in points."""

    title: str
    lines: tuple[FormLine, ...]
    wide: float = 26.0


@dataclass(frozen=True)
class SideBySide:
    """Tables side by side, which share the width equally."""

    grids: tuple[FormTable, ...]


@dataclass(frozen=True)
class FormPicture:
    """A picture as wide as its column, with what it shows beneath; `draw` makes its SVG when it is printed."""

    title: str
    draw: Callable[[], str] = field(repr=False, compare=False)


Block = FormTable | Lines | SideBySide | FormPicture


@dataclass(frozen=True)
class Box:
    """A boxed field at the head of a form; `width` is its share. An empty one is written in."""

    label: str
    value: str = ""
    width: float = 1.0


@dataclass(frozen=True)
class Leaf:
    """One printed form. `columns` sets its blocks in columns of text; the head goes across.

    `landscape`: None lets the layout choose by what the tables need. `size` is that of the text;
    `legend` stands beneath the head in small letters.
    """

    title: str
    boxes: tuple[tuple[Box, ...], ...]
    blocks: tuple[Block, ...]
    landscape: bool | None = None
    columns: int = 1
    size: float = 8.0
    legend: tuple[str, ...] = ()
