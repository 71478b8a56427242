"""`python -m bench.errands`: how long an owner or a designer types at a card, counted and estimated.

Nobody is timed. From the skeleton to the house campaign of the same rules (which stands in for the module
that we don't have), every cell that the skeleton leaves open in a grid with blanks is counted, with the
characters that are typed into it. What the skeleton has already stays: it is as the rules have it. The
seconds below are assumptions, the same ones for every errand: change them here and all figures follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from laager.base.blanks import is_blank
from laager.base.files import parse_document
from laager.kinds import kind_of
from laager.rules.board.hasl.grids.cells import ChoiceCell, FinalRoll, WordsCell, complete_rolls
from laager.rules.board.hasl.grids.grid import BLANK, ChartGrid
from laager.rules.board.hasl.grids.sheets import grids_of

SECONDS: Mapping[str, float] = {
    "character": 0.3,  # 200 a minute, with slips mended
    "cell": 1.5,  # finding the value in the module's line, and Tab
    "line": 4.0,  # finding the next line on paper
    "chart": 25.0,  # opening it, reading its heads, finding the page in the module, keeping it
    "further chart": 12.0,  # another one on the same page: reading its heads, finding it in the module
    "fill": 5.0,  # equal cells below each other: marking them, Ctrl+D, looked over
    "paste": 20.0,  # a table that the owner has as cells already: copied, pasted, looked over
    "problem": 20.0,  # a sentence of the check read, its link followed, the cell mended
    "map": 300.0,  # importing the board, its Blocks and arrows put on it
}
FURTHER = "further chart"
DELETE, TAKE = "⌫", "→"
CHOICE = 2
"""Characters by which a value is chosen from a list."""
SLIPS = 20
"""One slip in so many cells is found by the check and mended."""
HINTS = "hints"
"""The one chart that no card needs: help for players who learn the game, written at leisure."""
PACKS = Path(str(files("laager"))) / "packs"
ERRANDS = {
    "ER": ("er", {"card.yaml": "kokusa-ridge.yaml", "charts.yaml": "kokusa-ridge-charts.yaml",
                  "tables.yaml": "kokusa-ridge-tables.yaml"}, 45),
    "ABtF": ("abtf", {"card.yaml": "rijnoord.yaml", "charts.yaml": "rijnoord-charts.yaml",
                      "tables.yaml": "rijnoord-tables.yaml"}, 60),
    "PL card": ("pl", {"card.yaml": "training.yaml"}, 30),
    "PL card of five firefights and more": ("pl", {"card.yaml": "rzhavets.yaml"}, 30),
}  # fmt: skip
"""The folder, what each file of the skeleton becomes, and the minutes that are wanted."""


@dataclass
class Effort:
    """What is done by hand: how often, by kind, and the minutes of each chart."""

    counts: dict[str, int] = field(default_factory=dict)
    by_chart: dict[str, float] = field(default_factory=dict)
    blanks: int = 0

    def add(self, **counts: int) -> None:
        """Count what is done."""
        for kind, number in counts.items():
            self.counts[kind] = self.counts.get(kind, 0) + number

    @property
    def minutes(self) -> float:
        """All of it in minutes, by the assumed seconds."""
        return sum(SECONDS[kind] * number for kind, number in self.counts.items()) / 60


def count_errand(folder: str, names: Mapping[str, str], pasted: bool = False) -> Effort:
    """Return what is done to make one's own card of a skeleton; with `pasted` charts of many lines are pasted."""
    effort = Effort()
    effort.add(map=1)
    for skeleton, house in names.items():
        before = read_data(PACKS / folder / "skeleton" / skeleton)
        after = read_data(PACKS / folder / house)
        effort.blanks += sum(map(is_blank, texts_in(before)))
        kind = kind_of(parse_document("laager: " + str(after["laager"]), house))
        # All charts of a file with blanks are on one page; one that gets its columns there is opened anew.
        columns = {grid.id: len(grid.columns) for grid in grids_of(kind, before)}
        opened = False
        for grid in grids_of(kind, after):
            left = any(is_blank(cell) or cell == BLANK for row in grid.rows(before) for cell in row.cells)
            typed = typed_cells(grid, before, after) if left and grid.id != HINTS else []
            if not any(map(any, typed)):
                continue
            further = opened and columns.get(grid.id) == len(grid.columns)
            opened = True
            chart = Effort()
            chart.add(**{FURTHER if further else "chart": 1})
            if pasted and sum(map(any, typed)) > 5:
                chart.add(paste=1)
            else:
                chart.add(fill=len(take_fills(typed, rows_of(grid, after))))
                texts = [text for row in typed for text in row if text]
                chart.add(line=sum(map(any, typed)), cell=len(texts), character=sum(map(len, texts)))
            effort.add(**chart.counts)
            effort.by_chart[f"{skeleton}: {grid.title}"] = chart.minutes
    effort.add(problem=effort.counts.get("cell", 0) // SLIPS)
    return effort


def read_data(path: Path) -> Any:
    """Return a file as plain data."""
    return parse_document(path.read_text(encoding="utf-8"), path.name).data


def texts_in(data: Any) -> Iterator[Any]:
    """Yield all single values of plain data."""
    if isinstance(data, dict | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from texts_in(part)
    else:
        yield data


def typed_cells(grid: ChartGrid, before: Any, after: Any) -> list[list[str]]:
    """Return what is typed into each cell of a chart, "" for nothing: into those that the skeleton leaves open."""
    old = [[cell.strip() for cell in row.cells] for row in rows_of(grid, before)]
    rows = [list(row.cells) for row in rows_of(grid, after)]
    rolls = shorten_rolls(grid, rows)
    # What follows is what the skeleton's own chart says.
    same = [own for own in grids_of(str(before["laager"]).partition("/")[0], before) if own.id == grid.id]
    followed = same[0] if same and len(same[0].columns) == len(grid.columns) else grid
    left_empty = [following_cells(followed, row) for row in rows]
    # On the page a cell that follows is empty until the chart is kept.
    seen = [
        ["" if j in empty else text for j, text in enumerate(row)] for row, empty in zip(rows, left_empty, strict=True)
    ]
    typed = []
    for i, row in enumerate(rows):
        was = old[i] if i < len(old) and len(old[i]) == len(row) else [""] * len(row)
        texts = [complete_text(grid, seen, i, j) for j in range(len(row))]
        if isinstance(grid.columns[0].cell, FinalRoll):
            texts[0] = rolls[i]
        for j in left_empty[i]:
            # What follows is left empty; a blank is taken away for it.
            texts[j] = DELETE if was[j] == BLANK else ""
        typed.append([text if there in ("", BLANK) else "" for text, there in zip(texts, was, strict=True)])
    return typed


def complete_text(grid: ChartGrid, rows: list[list[str]], i: int, j: int) -> str:
    """Return what is typed for a cell: its text, or as little of it as the page completes, and the key that takes it.

    The page proposes what stands above and begins like it, then a word that is known; for Depleted a squad less than
    Full (`proposal` of grid.js). Of a choice the first letters are typed.
    """
    column, text = grid.columns[j], rows[i][j].strip()
    if isinstance(column.cell, ChoiceCell):
        return text[:CHOICE]
    if column.key == "depleted" and text and text == less_one(rows[i][j - 1]):
        return TAKE
    known = column.cell.known() if isinstance(column.cell, WordsCell) and column.cell.known else ()
    words = [*(row[j] for row in reversed(rows[:i])), *known]
    for length in range(1, len(text) - 1):
        begun = text[:length].casefold()
        fits = [word for word in words if len(word) > length + 1 and word.casefold().startswith(begun)]
        if fits and fits[0] == text:
            return text[:length] + TAKE
    return text


def less_one(text: str) -> str:
    """Return units of one kind with a squad less, as the page proposes it; "" for others."""
    match = re.fullmatch(r"([0-9]+)x ([^,]+)", text)
    if match is None or int(match[1]) < 2:
        return ""
    return f"{int(match[1]) - 1}x {match[2]}" if int(match[1]) > 2 else match[2]


def take_fills(typed: list[list[str]], rows: list[Any]) -> list[tuple[int, int, int]]:
    """Take equal cells below each other away but for the first, where filling them down is faster.

    Return the column, the first row and the last of each fill.
    """
    fills = []
    for j in range(len(typed[0]) if typed else 0):
        start = 0
        for i in range(1, len(typed) + 1):
            if i < len(typed) and typed[start][j] and typed[i][j] and rows[i].cells[j] == rows[start].cells[j]:
                continue
            by_hand = sum(SECONDS["cell"] + SECONDS["character"] * len(typed[k][j]) for k in range(start + 1, i))
            if by_hand > SECONDS["fill"]:
                fills.append((j, start, i - 1))
                for k in range(start + 1, i):
                    typed[k][j] = ""
            start = i
    return fills


def following_cells(grid: ChartGrid, row: list[str]) -> set[int]:
    """Return the columns of a row that can stay empty, the longest first: the row then gets the same texts."""
    empty: set[int] = set()
    for j in sorted(range(len(row)), key=lambda j: -len(row[j])):
        trial = ["" if k in {*empty, j} else text for k, text in enumerate(row)]
        if row[j] and grid.with_followers(trial) == tuple(row):
            empty.add(j)
    return empty


def shorten_rolls(grid: ChartGrid, rows: list[list[str]]) -> list[str]:
    """Return what is typed into the first column: of final rolls the last of each, if that says the same."""
    first = [row[0] for row in rows]
    if isinstance(grid.columns[0].cell, FinalRoll):
        typed = list(first)
        for i, text in enumerate(first):
            short = re.sub(r"^(≤ |[0-9]+-)(?=[0-9]+$)", "", text) if i + 1 < len(first) else ""
            trial = [[*typed[:i], short, *typed[i + 1 :]][k : k + 1] + row[1:] for k, row in enumerate(rows)]
            if [row[0] for row in complete_rolls(grid.columns[0].cell, trial)] == first:
                typed[i] = short
        return typed
    return first


def rows_of(grid: ChartGrid, data: Any) -> list[Any]:
    """Return the rows of a chart; none where the skeleton has a blank for the whole of it."""
    return [row for row in grid.rows(data) if not any(is_blank(cell) for cell in row.cells[:1])]


def main() -> None:
    """Print each errand: minutes typed, minutes with pasted tables, what was counted, the longest charts."""
    assumed = ", ".join(f"{kind} {seconds:g} s" for kind, seconds in SECONDS.items())
    print(f"assumed: {assumed}; one slip in {SLIPS} cells")
    for title, (folder, names, wanted) in ERRANDS.items():
        typed, pasted = count_errand(folder, names), count_errand(folder, names, pasted=True)
        counts = ", ".join(f"{number} {kind}" for kind, number in typed.counts.items())
        print(f"\n{title}: {typed.minutes:.0f} min typed, {pasted.minutes:.0f} pasted; wanted {wanted}")
        print(f"  {typed.blanks} blanks; {counts}")
        for chart, minutes in sorted(typed.by_chart.items(), key=lambda pair: -pair[1])[:6]:
            print(f"  {minutes:5.1f}  {chart}")


if __name__ == "__main__":
    main()
