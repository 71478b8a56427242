from __future__ import annotations

from typing import Any

from laager.base.files import Document
from laager.hexmap import FrontLink, HexMap, map_from_document

FIVE = ("C4", "K4", "C8", "K9", "G2")
HEAD = {"laager": "map/1", "id": "test", "title": "Test", "source": "house"}


def made(**sections: Any) -> HexMap:
    """Return a map of the given sections of a map file."""
    return map_from_document(Document({**HEAD, **sections}, "test.yaml"))


def plain(columns: int, rows: int, **sections: Any) -> HexMap:
    return made(boards=[{"columns": columns, "rows": rows}], **sections)


def hexes(text: str) -> frozenset[str]:
    return frozenset(text.split())


def link(text: str) -> FrontLink:
    """Return the link between clusters over E4-F4-G5."""
    return FrontLink.along(text.split("-"))


def to_edge(text: str) -> FrontLink:
    return FrontLink.along(text.split("-"), "edge")


def walkthrough_map() -> HexMap:
    return plain(
        13, 10, terrain={"woods": ["M1", "M2"]}, buildings=[{"material": "stone", "hexes": [name]} for name in FIVE]
    )
