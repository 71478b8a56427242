"""A story as it is before it is written: headings, paragraphs, lists, tables, pictures. All values are immutable.

All texts are plain: whoever writes a document escapes what the format takes for markup.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from laager.hexmap.draw import as_data_url


@dataclass(frozen=True)
class Heading:
    """A heading beneath the document's title."""

    text: str
    kind: ClassVar[str] = "heading"


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    text: str
    kind: ClassVar[str] = "paragraph"


@dataclass(frozen=True)
class Listing:
    """A list, each item a line; `entries` are the viewer's entries that the items tell of, as long as `items`."""

    items: tuple[str, ...]
    entries: tuple[int, ...] = ()
    kind: ClassVar[str] = "listing"

    @property
    def linked(self) -> tuple[tuple[str, int], ...]:
        """Each item with its entry, 0 if it has none."""
        numbers = self.entries or (0,) * len(self.items)
        return tuple(zip(self.items, numbers, strict=True))


@dataclass(frozen=True)
class StoryTable:
    """A table; columns from `figures` on are aligned to the right."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: int = 1
    kind: ClassVar[str] = "grid"


@dataclass(frozen=True)
class StoryPicture:
    """A picture: the name of its file without an ending, what it shows, and what draws it as SVG.

    `at` is the viewer's entry after which a map is seen, 0 for a chart. `moves` is true for a film, which is a
    still in formats that can't show it.
    """

    name: str
    title: str
    draw: Callable[[], str] = field(repr=False, compare=False)
    at: int = 0
    moves: bool = False
    kind: ClassVar[str] = "picture"

    @cached_property
    def svg(self) -> str:
        """The picture as an SVG document; drawn once."""
        return self.draw()

    @property
    def address(self) -> str:
        """The picture as an address that holds it (`data:`)."""
        return as_data_url(self.svg.encode(), "image/svg+xml")


Block = Heading | Paragraph | Listing | StoryTable | StoryPicture


@dataclass(frozen=True)
class Story:
    """A story: its title, what stands below it, its blocks; `name` is that of its files, `at` a time in ISO form."""

    name: str
    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    language: str = "en"
    at: str = ""

    @property
    def pictures(self) -> tuple[StoryPicture, ...]:
        """Its pictures, in order."""
        return tuple(block for block in self.blocks if isinstance(block, StoryPicture))


def describe(document: Story) -> dict[str, Any]:
    """Return a document as JSON; of pictures their names and titles, and the entry after which a map is seen."""
    return {
        "name": document.name,
        "title": document.title,
        "subtitle": document.subtitle,
        "blocks": [{"kind": block.kind} | dict(_parts(block)) for block in document.blocks],
    }


def _parts(block: Block) -> Mapping[str, Any]:
    match block:
        case Heading(text) | Paragraph(text):
            return {"text": text}
        case Listing(items, entries):
            return {"items": list(items), "entries": list(entries)}
        case StoryTable(title, columns, rows, figures):
            return {"title": title, "columns": list(columns), "rows": [list(row) for row in rows], "figures": figures}
        case StoryPicture(name, title):
            return {"name": name, "title": title, "at": block.at}
