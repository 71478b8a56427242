"""What differs between two versions of a file, in the words of its charts: “Germans, I2: CP 6 instead of 7”."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.grids.grid import DEEP, ChartGrid
from laager.rules.board.hasl.grids.sheets import grids_of

ENOUGH_ALIKE = 2
"""Cells that two lines have in common, at least, if one is the other under a new name."""


@dataclass(frozen=True)
class CardChange:
    """One thing that differs: in which chart, in which line of it, under which heading, and how.

    `heading` is "" for a whole line that is new or gone.
    """

    chart: str
    line: str
    heading: str
    old: str
    new: str

    def __str__(self) -> str:
        where = f"{self.chart}, {self.line}" if self.line else self.chart
        if not self.heading:
            return f"{where}: {f'new: {self.new}' if self.new else f'gone; it was: {self.old}'}"
        if not self.old:
            return f"{where}: {self.heading} is now {self.new}; there was none"
        if not self.new:
            return f"{where}: {self.heading} was {self.old}; there is none any more"
        return f"{where}: {self.heading} {self.new} instead of {self.old}"


def find_changes(kind: str, old: Any, new: Any) -> list[CardChange]:
    """Return how the charts of two versions of a file of a kind differ, in their order."""
    before = {grid.id: grid for grid in grids_of(kind, old)}
    after = {grid.id: grid for grid in grids_of(kind, new)}
    changes: list[CardChange] = []
    for id_, grid in {**before, **after}.items():
        title = _title(grid, new if isinstance(new, Mapping) else {})
        repeated = _find_repeated(before.get(id_), old) | _find_repeated(after.get(id_), new)
        was, now = (_lines(before.get(id_), old, repeated), _lines(after.get(id_), new, repeated))
        changes += _in_grid(title, grid, was, _with_old_names(was, now))
    return changes


def _title(grid: ChartGrid, data: Mapping[str, Any]) -> str:
    """Return a chart's title with what the card calls the side: `Germans: groups to buy`."""
    for side in SIDES:
        name = _side_name(data, side)
        if name and grid.title.startswith(f"{side.capitalize()}: "):
            return f"{name}{grid.title.removeprefix(side.capitalize())}"
    return grid.title


def _side_name(data: Mapping[str, Any], side: str) -> str:
    sides = data.get("sides")
    own = sides.get(side) if isinstance(sides, Mapping) else None
    return str(own.get("name", "")) if isinstance(own, Mapping) else ""


def _find_repeated(grid: ChartGrid | None, data: Any) -> set[str]:
    """Return the first cells that several lines of a chart have."""
    counts = Counter(row.cells[0] for row in (grid.rows(data) if grid is not None else ()))
    return {cell for cell, count in counts.items() if count > 1}


def _lines(grid: ChartGrid | None, data: Any, repeated: Collection[str]) -> dict[str, Sequence[str]]:
    """Return the lines of a chart by name: their own, else their first cell, or two where the first is repeated."""
    rows = grid.rows(data) if grid is not None else []
    lines: dict[str, Sequence[str]] = {}
    for row in rows:
        side = next((_side_name(data, side) for side in SIDES if row.name == side.capitalize()), "")
        several = " ".join(filter(None, row.cells[:2])) if row.cells[0] in repeated else row.cells[0]
        name = (side or row.name) if row.name else several
        while name in lines:
            name += " again"
        lines[name] = row.cells
    return lines


def _with_old_names(old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """Return the new lines, by the old name where one only has another name: a day whose time is another one."""
    gone, come = [name for name in old if name not in new], [name for name in new if name not in old]
    pairs = sorted(
        (differing, old_name, new_name)
        for old_name in gone
        for new_name in come
        if (differing := _count_differing(old[old_name], new[new_name])) is not None
    )
    renamed: dict[str, str] = {}
    for _, old_name, new_name in pairs:
        if new_name not in renamed and old_name not in renamed.values():
            renamed[new_name] = old_name
    return {renamed.get(name, name): cells for name, cells in new.items()}


def _count_differing(old: Sequence[str], new: Sequence[str]) -> int | None:
    """Return how many cells of two lines differ; None if they say different things.

    They say the same if they begin alike or have nothing but one cell of their own.
    """
    alike = sum(was == now != "" for was, now in zip(old, new, strict=True))
    differing = sum(was != now for was, now in zip(old, new, strict=True))
    same = old[0] == new[0] or (differing == 1 and alike >= ENOUGH_ALIKE)
    return differing if same else None


def _in_grid(
    title: str, grid: ChartGrid, old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]
) -> Iterator[CardChange]:
    headings = [column.heading for column in grid.columns]
    only = "" in grid.keys
    for name in {**old, **new}:
        line = "" if only else name
        if name not in new or name not in old:
            cells = (", ".join(filter(None, old.get(name, ())[1:])), ", ".join(filter(None, new.get(name, ())[1:])))
            yield CardChange(title, line, "", cells[0] or "-" * (name in old), cells[1] or "-" * (name in new))
            continue
        for heading, was, now in zip(headings, old[name], new[name], strict=True):
            if was != now:
                yield CardChange(title, line, heading, was, now)


def differs_elsewhere(kind: str, old: Any, new: Any) -> bool:
    """True if two versions differ in what no chart shows, such as a text for players."""
    return bool(_bare(kind, old) != _bare(kind, new))


def _bare(kind: str, data: Any) -> Any:
    """Return data without what charts show in full."""
    from copy import deepcopy

    bare = deepcopy(data)
    for grid in grids_of(kind, data):
        part = grid.part(bare)
        if grid.keys:
            rows = [part.get(key) if key else part for key in grid.keys] if isinstance(part, Mapping) else []
        elif isinstance(part, Mapping):
            rows = list(part.values())
        else:
            rows = part if isinstance(part, list) else []
        for row in [row for row in rows if isinstance(row, dict)]:
            for column in grid.columns:
                if column.of(row)[0] != DEEP:
                    _drop(row, column.way)
        if isinstance(part, list):
            part[:] = [row for row in part if row]
        elif grid.named and isinstance(part, dict):
            part.clear()
    return bare


def _drop(row: Any, way: Sequence[str]) -> None:
    for step in way[:-1]:
        row = row.get(step) if isinstance(row, Mapping) else None
    if isinstance(row, dict):
        row.pop(way[-1], None)
