"""Sheets: what a ruleset puts on paper, as plain rows; how they look is others' business."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Column:
    """A column of a sheet: its heading, and how its cells stand."""

    title: str
    align: Literal["left", "right", "center"] = "left"


@dataclass(frozen=True)
class Sheet:
    """A record sheet or list: a title, columns, rows of cells as text, notes beneath.

    `id` names it in commands (`roster`, `purchases`); `side` whose it is ("" for both).
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    side: str = ""

    def describe(self) -> dict[str, Any]:
        """Return the sheet as JSON: one object per row, by column."""
        titles = [column.title for column in self.columns]
        return {
            "id": self.id,
            "title": self.title,
            "side": self.side,
            "rows": [dict(zip(titles, row, strict=True)) for row in self.rows],
            "notes": list(self.notes),
        }
