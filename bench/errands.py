"""`python -m bench.errands`: how long an owner or a designer types at a card, counted and estimated.

Nobody is timed. From the skeleton to the house campaign of the same rules (which stands in for the module
that we don't have), every cell that the skeleton leaves open in a grid with blanks is counted, with the
characters that are typed into it. What the skeleton has already stays: it is as the rules have it. The
seconds below are assumptions, the same ones for every errand: change them here and all figures follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

from laager.base.blanks import is_blank
from laager.base.files import parse_document
from laager.base.texts import text_of
from laager.catalogue import load_packaged
from laager.kinds import kind_of
from laager.rules.board.hasl.grids.cells import ChoiceCell, FinalRoll, Names, WordsCell, complete_rolls, letters_of
from laager.rules.board.hasl.grids.grid import BLANK, ChartGrid
from laager.rules.board.hasl.grids.pl_words import first_month, objective_in_words, situation_in_words
from laager.rules.board.hasl.grids.records import PairsCell
from laager.rules.board.hasl.grids.sheets import grids_of
from laager.rules.platoon_leader.card.usual import UsualGroup, usual_groups
from laager.rules.platoon_leader.card.usual_start import usual_calendar, usual_places, usual_setup, usual_start

SECONDS: Mapping[str, float] = {
    "character": 0.3,  # 200 a minute, with slips mended
    "cell": 1.5,  # finding the value in the module's line, and Tab
    "line": 4.0,  # finding the next line on paper
    "chart": 25.0,  # opening it, reading its heads, finding the page in the module, keeping it
    "further chart": 12.0,  # another one on the same page: reading its heads, finding it in the module
    "fill": 5.0,  # equal cells below each other: marking them, Ctrl+D, looked over
    "tick": 3.0,  # a group found in the list of its kind, and ticked
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
LONGEST = 8
"""Charts of each errand that are printed."""
HINTS = "hints"
"""The one chart that no card needs: help for players who learn the game, written at leisure."""
PACKS = Path(str(files("laager"))) / "packs"
ERRANDS = {
    "ER": ("er", {"card.yaml": "kokusa-ridge.yaml", "charts.yaml": "kokusa-ridge-charts.yaml",
                  "tables.yaml": "kokusa-ridge-tables.yaml"}, 45),
    "ABtF": ("abtf", {"card.yaml": "rijnoord.yaml", "charts.yaml": "rijnoord-charts.yaml",
                      "tables.yaml": "rijnoord-tables.yaml"}, 60),
}  # fmt: skip
"""The folder, what each file of the skeleton becomes, and the minutes that are wanted."""


CARDS = {
    "PL card": ("training.yaml", 0, False, 30),
    "PL card of five firefights": ("rzhavets.yaml", 5, True, 30),
    "PL card of five firefights, every name and objective in words of its own": ("rzhavets.yaml", 5, False, 0),
    "PL card of eight firefights, every name and objective in words of its own": ("rzhavets.yaml", 0, False, 0),
}
"""Platoon Leader cards that are made from nothing: after which firefight they are cut (0: not), if they have the words
that Laager proposes for groups and objectives, and the minutes that are wanted."""


PROSE = ("about.history", "objectives.campaign.text", "rules", "notes")
"""Columns of a Platoon Leader card that hold sentences for players: Laager needs none of them to play."""


@dataclass
class Effort:
    """What is done by hand: how often, by kind, and the minutes of each chart."""

    counts: dict[str, int] = field(default_factory=dict)
    by_chart: dict[str, float] = field(default_factory=dict)
    blanks: int = 0
    prose: float = 0
    """Minutes of what is written for players alone."""

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


def count_card(name: str, firefights: int = 0, plain: bool = False) -> Effort:
    """Return what is done to make a Platoon Leader card of the skeleton, on one page once usual groups are ticked."""
    effort = Effort()
    before, after, ticked = plan_card(name, firefights, plain)
    effort.blanks = sum(map(is_blank, texts_in(read_data(PACKS / "pl" / "skeleton" / "card.yaml"))))
    # On the page of what is usual: the first day, how many firefights, how often; then the ticks.
    begun = (str(before["firefights"][0]["date"]), str(len(before["firefights"])), "2" * CHOICE)
    effort.add(cell=len(begun), character=sum(map(len, begun)))
    effort.add(map=1, chart=1, **{FURTHER: 1}, tick=sum(map(len, ticked.values())))
    effort.by_chart["calendar made, groups ticked"] = effort.minutes - SECONDS["map"] / 60
    opened = False
    for grid in grids_of("pl-card", after):
        typed = typed_cells(grid, before, after, over=True) if grid.id != HINTS else []
        if any(map(any, typed)):
            chart = count_chart(typed, grid, after, opened)
            opened = True
            texts = [row[j] for row in typed for j, column in enumerate(grid.columns) if column.key in PROSE and row[j]]
            effort.prose += (SECONDS["cell"] * len(texts) + SECONDS["character"] * sum(map(len, texts))) / 60
            effort.add(**chart.counts)
            effort.by_chart[grid.title] = chart.minutes
    effort.add(problem=effort.counts.get("cell", 0) // SLIPS)
    return effort


def count_chart(typed: list[list[str]], grid: ChartGrid, after: Any, further: bool) -> Effort:
    """Return what is done in one chart; equal cells are filled down."""
    chart = Effort()
    chart.add(**{FURTHER if further else "chart": 1}, fill=len(take_fills(typed, rows_of(grid, after))))
    texts = [text for row in typed for text in row if text]
    chart.add(line=sum(map(any, typed)), cell=len(texts), character=sum(map(len, texts)))
    return chart


def plan_card(name: str, firefights: int = 0, plain: bool = False) -> tuple[Any, Any, dict[str, list[Any]]]:
    """Return the card as it is once groups are ticked, the card as it becomes, and the ticks by side.

    What it becomes has the groups in the order of the list, and their numbers, those that aren't in it last. With
    `plain` groups and objectives have the words that Laager proposes, and not the designer's own.
    """
    before = read_data(PACKS / "pl" / "skeleton" / "card.yaml")
    after = cut_card(read_data(PACKS / "pl" / name), firefights)
    calendar = after["firefights"]
    before["firefights"] = usual_calendar(date.fromisoformat(str(calendar[0]["date"])), len(calendar), PACE)
    before["about"]["history"] = situation_in_words(before)
    month = first_month(after)
    ticked: dict[str, list[Any]] = {}
    for side, card in after["sides"].items():
        start = usual_start(card["nation"], month, before["initial_attacker"] == side)
        before["sides"][side] |= {"nation": card["nation"], **start}
        offered = usual_groups(load_packaged(card["nation"])[card["nation"]], month)
        pairs = match_groups(card["chart"], offered)
        ticked[side] = sorted(pairs)
        number_lines(card, pairs)
        lines = [{"id": pairs[number]["id"], **offered[number].line} for number in sorted(pairs)]
        before["sides"][side]["chart"] = lines
        if given := give_groups(card, lines):
            before["sides"][side]["ob"] = {"groups": given}
        if plain:
            for line, own in zip(lines, card["chart"], strict=False):
                own.pop("notes", None)
                own |= {key: line[key] for key in ("name", "notes") if key in line}
    ticked["place"] = take_places(before, after)
    if plain:
        take_words(before, after)
    return before, after, ticked


PACE = "2"
"""How often there is a firefight on the cards that are counted."""


def number_lines(card: Any, pairs: Mapping[int, Any]) -> None:
    """Put the lines of a chart in the order of the ticks, those that aren't ticked last, and number them so."""
    order = [pairs[number] for number in sorted(pairs)]
    order += [line for line in card["chart"] if not any(line is each for each in order)]
    ids = dict(zip((line["id"] for line in order), number_groups([line["id"] for line in order]), strict=True))
    for line in order:
        line["id"] = ids[line["id"]]
    card["chart"] = order
    for given in card.get("ob", {}).get("groups", ()):
        given["rg"] = ids[given["rg"]]


def give_groups(card: Any, lines: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return what the OB gives by ticks for what is there from the start; put the card's own lines in that order."""
    own = card.get("ob", {}).get("groups", [])
    first = {given["rg"]: given for given in reversed(own) if given.get("firefight", 1) == 1}
    made = [{"rg": line["id"], "setup": usual_setup(line["kind"])} for line in lines if line["id"] in first]
    begun = [first[line["rg"]] for line in made]
    if own:
        card["ob"]["groups"] = begun + [given for given in own if not any(given is each for each in begun)]
    return made


def take_places(before: Any, after: Any) -> list[str]:
    """Put the places of the map that the card gives points into its TVP, in the map's order; return them."""
    path = PACKS / "pl" / f"{after['map']}.yaml"
    usual = usual_places(read_data(path)) if path.exists() else {}
    places = [place for place in usual if place in after.get("tvp", {})]
    if places:
        before["tvp"] = {place: usual[place][1] for place in places}
        after["tvp"] = {
            place: after["tvp"][place] for place in [*places, *(p for p in after["tvp"] if p not in places)]
        }
    return places


def take_words(before: Any, after: Any) -> None:
    """Give a card the words that Laager proposes for its situation, its victory and its objectives."""
    after["about"]["history"] = before["about"]["history"]
    after["objectives"]["campaign"]["text"] = ""
    grid = next(grid for grid in grids_of("pl-card", after) if grid.id == "card")
    keys = [column.key for column in grid.columns]
    victory = grid.with_followers(grid.rows(after)[0].cells)[keys.index("objectives.campaign.text")]
    after["objectives"]["campaign"]["text"] = victory
    for goal in (*after["objectives"]["initial"], *after["objectives"].get("sudden", ())):
        goal["text"] = objective_in_words({key: _cell_text(goal.get(key, "")) for key in GOAL})


GOAL = ("controls", "count", "tvp", "cvp_lead")


def _cell_text(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def cut_card(card: Any, firefights: int) -> Any:
    """Return a card with so many firefights, 0 for all; of a card that is cut the first paragraph of its history."""
    if firefights:
        card["firefights"] = card["firefights"][:firefights]
        card["about"]["history"] = text_of(card["about"]["history"]).split("\n")[0]
        for side in card["sides"].values():
            side["chart"] = [line for line in side["chart"] if line.get("first", 1) <= firefights]
    return card


def match_groups(chart: list[Any], offered: list[UsualGroup]) -> dict[int, Any]:
    """Return the lines of a chart by the usual group that each is made of, the likest first; some have none."""
    likeness = sorted(
        ((like(line, group), -number, i) for i, line in enumerate(chart) for number, group in enumerate(offered)),
        reverse=True,
    )
    pairs: dict[int, Any] = {}
    used: set[int] = set()
    for score, number, i in likeness:
        if score and -number not in pairs and i not in used:
            pairs[-number] = chart[i]
            used.add(i)
    return pairs


def like(line: Any, group: UsualGroup) -> int:
    """Return how like a line of a chart a usual group is; 0 if they are of two kinds, or have no type in common."""
    if line["kind"] != group.line["kind"]:
        return 0
    ours, theirs = ([unit["type"] for unit in each.get("units", ())] for each in (line, group.line))
    if not ours and not theirs:
        # Batteries and the like differ in their price.
        return max(1, 9 - abs(int(line["cost"]) - int(group.line["cost"])))
    common = len(set(ours) & set(theirs))
    first = bool(ours and theirs and ours[0] == theirs[0])
    same = sum(weight for key, weight in (("units", 5), ("size", 1)) if line.get(key) == group.line.get(key))
    return 10 * common + same if first else 0


def number_groups(ids: list[str]) -> list[str]:
    """Return new ids for those of a chart, numbered by their letters."""
    counts: dict[str, int] = {}
    made = []
    for id_ in ids:
        letters = letters_of(id_)
        counts[letters] = counts.get(letters, 0) + 1
        made.append(f"{letters}{counts[letters]}")
    return made


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


def typed_cells(grid: ChartGrid, before: Any, after: Any, over: bool = False) -> list[list[str]]:
    """Return what is typed into each cell of a chart, "" for nothing: into those that the skeleton leaves open.

    With `over` also over what stands there, if it is to be something else.
    """
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
        typed.append(
            [_typed_over(text, there, row[j], over) for j, (text, there) in enumerate(zip(texts, was, strict=True))]
        )
    return typed


def _typed_over(text: str, there: str, wanted: str, over: bool) -> str:
    if there in ("", BLANK):
        return text
    return (text or DELETE) if over and there != wanted else ""


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
    cell = column.cell
    known = cell.known() if isinstance(cell, WordsCell | Names | PairsCell) and cell.known else ()
    above = [row[j] for row in reversed(rows[:i])]
    if known and not isinstance(cell, WordsCell):
        parts = [re.fullmatch(r"(.*?)( [0-9]+)?", part) for part in text.split(", ")]
        by_part = ", ".join(_begin(match[1], known) + (match[2] or "") for match in parts if match)
        return min(_begin(text, above), by_part, key=len)
    return _begin(text, [*above, *known])


def _begin(text: str, words: Sequence[str]) -> str:
    """Return as much of a text as the first of some words that begins like it, and the key that takes it."""
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
        _print_effort(f"{title}: {typed.minutes:.0f} min typed, {pasted.minutes:.0f} pasted; wanted {wanted}", typed)
    for title, (name, firefights, plain, wanted) in CARDS.items():
        effort = count_card(name, firefights, plain)
        prose = f"{effort.minutes - effort.prose:.0f} min and {effort.prose:.0f} of prose"
        _print_effort(f"{title}: {prose}{f'; wanted {wanted}' if wanted else ''}", effort)


def _print_effort(heading: str, effort: Effort) -> None:
    counts = ", ".join(f"{number} {kind}" for kind, number in effort.counts.items())
    print(f"\n{heading}\n  {effort.blanks} blanks; {counts}")
    for chart, minutes in sorted(effort.by_chart.items(), key=lambda pair: -pair[1])[:LONGEST]:
        print(f"  {minutes:5.1f}  {chart}")


if __name__ == "__main__":
    main()
