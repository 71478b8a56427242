"""A part of a file as a grid: its columns, and its rows as text.

A blank is shown as `?`; one that stands for further rows is a row with nothing but `?` in its first cell. A cell that
can't be shown in a line holds `…`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.base.blanks import MARK, is_blank, meaning
from laager.base.files import Where, field_path
from laager.base.texts import with_languages_of
from laager.rules.board.hasl.grids.cells import LONGEST, CellFormat, FinalRoll

BLANK, DEEP, MOST_ROWS = "?", "…", 400


@dataclass(frozen=True)
class Column:
    """A column: where its values stand in a row, what it is called, what it means, what its cells hold.

    `wide`: characters that its cells show. `needed`: can't stay empty. `follows`: returns what an empty cell gets from
    its row, which it is given by the keys of its columns.
    """

    way: tuple[str, ...]
    heading: str
    help: str
    cell: CellFormat
    needed: bool = False
    wide: int = 6
    follows: Callable[[Mapping[str, str]], str] | None = None

    @property
    def key(self) -> str:
        """Its name in files."""
        return ".".join(self.way)

    def of(self, row: Mapping[str, Any]) -> tuple[str, str]:
        """Return the text of a row's cell, and what belongs in it if it is a blank."""
        if isinstance(self.cell, FinalRoll):
            return self.cell.text(row) or "", ""
        value: Any = row
        for step in self.way:
            if not isinstance(value, Mapping) or step not in value:
                return "", ""
            value = value[step]
            if is_blank(value):
                return BLANK, meaning(value)
        if isinstance(value, list) and any(is_blank(item) for item in value):
            return (BLANK, meaning(next(filter(is_blank, value)))) if len(value) == 1 else (DEEP, "")
        if value is None and not _takes_nothing(self.cell):
            return "", ""
        text = self.cell.text(value)
        plain = None if text is None else " ".join(text.split())
        return (DEEP if plain is None or len(plain) > LONGEST else plain), ""

    def put(self, row: Any, text: str) -> None:
        """Put a text into a row; an empty one takes the value out. Raises ValueError."""
        if isinstance(self.cell, FinalRoll):
            self._put_roll(row, text)
            return
        if text == DEEP:
            raise ValueError("… can't be typed; it stands for what a cell can't show")
        value = None
        if text == BLANK:
            value = f"{MARK} {self.heading}"
        elif text:
            value = flowing(self.cell.value(text))
        here = row
        for step in self.way[:-1]:
            if not isinstance(here.get(step), Mapping):
                if not text:
                    here.pop(step, None)
                    return
                here[step] = flow_mapping()
            here = here[step]
        if text:
            here[self.way[-1]] = with_languages_of(here.get(self.way[-1]), value)
            return
        here.pop(self.way[-1], None)
        for end in range(len(self.way) - 1, 0, -1):
            _drop_empty(row, self.way[:end])

    def _put_roll(self, row: Any, text: str) -> None:
        value = self.cell.value(text) if text else {}
        rest = {key: row[key] for key in row if key not in {"at", "from", "to"}}
        for key in list(row):
            del row[key]
        row.update({**value, **rest})


def _takes_nothing(cell: CellFormat) -> bool:
    """True if nothing at all is a value of a cell, such as a result of “no leader”."""
    return hasattr(cell, "text_of")


def _drop_empty(row: Any, way: Sequence[str]) -> None:
    holder = row
    for step in way[:-1]:
        holder = holder[step]
    if holder.get(way[-1]) == {}:
        del holder[way[-1]]


def flow_mapping() -> Any:
    """Return an empty mapping that is written on one line."""
    from ruamel.yaml.comments import CommentedMap

    made = CommentedMap()
    made.fa.set_flow_style()
    return made


def flowing(value: Any) -> Any:
    """Return lists and mappings so that they are written on one line."""
    from ruamel.yaml.comments import CommentedSeq

    if isinstance(value, Mapping):
        mapping = flow_mapping()
        mapping.update({key: flowing(item) for key, item in value.items()})
        return mapping
    if isinstance(value, list):
        items = CommentedSeq(flowing(item) for item in value)
        items.fa.set_flow_style()
        return items
    return value


@dataclass(frozen=True)
class GridRow:
    """A row as text. `hints` say what belongs in its blanks, by column; `name` is its own name in a fixed grid."""

    cells: tuple[str, ...]
    hints: Mapping[int, str] = field(default_factory=dict)
    name: str = ""


@dataclass(frozen=True)
class ChartGrid:
    """A part of a file as a grid.

    `way` leads to it. Its rows are a list (`keys` empty), or parts by names: those of `keys`, or, with `named`, those
    that the owner gives, which then stand in the first column. The key "" stands for the part itself as the only row.
    With `named`, one column more holds the whole value of a name, several hold its fields.
    """

    id: str
    title: str
    about: str
    way: Where
    columns: tuple[Column, ...]
    keys: Mapping[str, str] = field(default_factory=dict)
    named: bool = False

    @property
    def grows(self) -> bool:
        """True if rows can be added and removed."""
        return not self.keys

    @property
    def of_lines(self) -> bool:
        """True if each name stands for a line with several fields."""
        return self.named and len(self.columns) > 2

    def with_followers(self, row: Sequence[str]) -> tuple[str, ...]:
        """Return a row whose empty cells have what follows from the others, from left to right."""
        texts = {column.key: text for column, text in zip(self.columns, row, strict=True)}
        if not any(row) or row[0] == BLANK:
            return tuple(row)
        for column in self.columns:
            if column.follows is not None and not texts[column.key]:
                texts[column.key] = column.follows(texts)
        return tuple(texts.values())

    def part(self, data: Any) -> Any:
        """Return the part of a file that it shows; None if it isn't there."""
        for step in self.way:
            inside = isinstance(data, Mapping) and step in data
            if not inside and not (isinstance(data, list) and isinstance(step, int) and step < len(data)):
                return None
            data = data[step]
            if is_blank(data):
                return data
        return data

    def rows(self, data: Any) -> list[GridRow]:
        """Return its rows as text."""
        part = self.part(data)
        if self.keys:
            inner = part if isinstance(part, Mapping) else {}
            return [self._row(inner.get(key) if key else part, name) for key, name in self.keys.items()]
        if is_blank(part):
            return [self._more(part)]
        if self.named:
            return [self._pair(key, value) for key, value in part.items()] if isinstance(part, Mapping) else []
        return (
            [self._more(item) if is_blank(item) else self._row(item) for item in part] if isinstance(part, list) else []
        )

    def _row(self, row: Any, name: str = "") -> GridRow:
        if is_blank(row):
            return GridRow((BLANK,) * len(self.columns), {0: meaning(row)}, name)
        if row is not None and not isinstance(row, Mapping):
            return GridRow((DEEP,) * len(self.columns), {}, name)
        texts = [column.of(row or {}) for column in self.columns]
        hints: dict[tuple[str, str], int] = {}
        for i, (column, (_, hint)) in enumerate(zip(self.columns, texts, strict=True)):
            # A blank of several columns is one.
            if hint:
                hints.setdefault((column.way[0], hint), i)
        return GridRow(tuple(text for text, _ in texts), {i: hint for (_, hint), i in hints.items()}, name)

    def _pair(self, key: object, value: Any) -> GridRow:
        if is_blank(key):
            return self._more(str(key))
        if self.of_lines:
            line = self._row(value)
            return GridRow((str(key), *line.cells[1:]), {i: hint for i, hint in line.hints.items() if i})
        column = self.columns[1]
        text, hint = column.of({column.way[0]: value})
        return GridRow((str(key), text), {1: hint} if hint else {})

    def _more(self, blank: str) -> GridRow:
        return GridRow((BLANK, *("" for _ in self.columns[1:])), {0: meaning(blank)})

    def cell_of(self, field_: str) -> tuple[int | str, int] | None:
        """Return where a field of the file stands: its row (place or name) and its column; None if it is elsewhere."""
        head = field_path(self.way)
        if not field_ or (not re.match(rf"{re.escape(head)}(?![a-z0-9_-])", field_) and head):
            return None
        row: int | str
        rest = field_[len(head) :]
        if "" in self.keys:
            row, rest = "", rest.removeprefix(".")
            if not any(_touches(rest, column.key) for column in self.columns):
                return None
        elif not self.keys and not self.named:
            match = re.match(r"\[([0-9]+)\]\.?", rest)
            row = int(match[1]) - 1 if match else 0
            rest = rest[match.end() :] if match else ""
        else:
            row, _, rest = rest.removeprefix(".").partition(".")
            if self.named and not self.of_lines:
                return row, 1
        keys = [column.key for column in self.columns]
        return row, next((i for i, key in enumerate(keys) if rest and _touches(rest, key)), 0)


def _touches(field_: str, key: str) -> bool:
    """True if a field is a column's, lies inside it or around it."""
    return field_ == key or field_.startswith((f"{key}.", f"{key}[")) or key.startswith(f"{field_}.")
