"""The tutorial for owners of a module, followed to the letter, with the figures of a campaign of ours."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from bench import errands

from laager.base.files import parse_document
from laager.hexmap import load_map
from laager.rules.board.hasl.grids.grid import ChartGrid
from laager.rules.board.hasl.grids.sheets import grids_of, to_csv
from laager.vasl import make_board_archive
from tests.cli.conftest import Laager, laager

from .illustrating import PICTURE, Illustrator, type_commands
from .pages import DOCS, text_of

__all__ = ["laager"]

PAGE = DOCS / "cards" / "your-module.md"
PACK = Path(str(files("laager"))) / "packs" / "er"
STEP = re.compile(
    f"{PICTURE.pattern}|"
    + r"<!-- (?P<word>type|replace|fill|board|file|spreadsheet)(?:: (?P<named>.+?))? -->"
    + r"(?:\n\n```(?:console|text)\n(?P<text>.*?)```)?",
    re.DOTALL,
)


def data_of(path: Path) -> Any:
    return parse_document(path.read_text(encoding="utf-8"), path.name).data


def house_data(name: str) -> Any:
    """Return what our campaign has in a file's place; the map is that of the file."""
    house = data_of(PACK / name.replace("my-ridge", "kokusa-ridge"))
    if "map" in house:
        house["map"] = data_of(Path(name))["map"]
    return house


def house_grids(name: str) -> list[ChartGrid]:
    """Return the charts of a file that our campaign has, too; areas before what sets up in them."""
    house = house_data(name)
    kind = str(house["laager"]).partition("/")[0]
    own = {grid.id for grid in grids_of(kind, data_of(Path(name)))}
    grids = [grid for grid in grids_of(kind, house) if grid.id in own]
    return sorted(grids, key=lambda grid: grid.id.endswith("-groups"))


def fill_spreadsheet(name: str, grid: ChartGrid, sheet: str) -> None:
    """Write the cells of our campaign into a spreadsheet."""
    Path(sheet).write_text(to_csv(grid, house_data(name)), encoding="utf-8")


def fill_charts(laager: Laager, name: str) -> None:
    """Fill every chart of a file with those of our campaign."""
    for grid in house_grids(name):
        fill_spreadsheet(name, grid, "chart.csv")
        laager.well("chart", "import", name, grid.id, "chart.csv")


def follow(laager: Laager, word: str, named: str, text: str) -> None:
    """Do what a note of the page says that isn't a command."""
    if word == "board":
        Path(named).parent.mkdir()
        map_ = load_map(PACK / "kokusa-ridge-map.yaml")
        Path(named).write_bytes(make_board_archive(map_, Path(named).name).data)
    elif word == "file":
        Path(named).write_text(text, encoding="utf-8")
    elif word == "spreadsheet":
        name, chart, sheet = named.split()
        fill_spreadsheet(name, next(grid for grid in house_grids(name) if grid.id == chart), sheet)
    elif word == "fill":
        fill_charts(laager, named)
    else:
        card = Path("my-ridge.yaml")
        card.write_text(re.sub(r"^map: .*$", named, card.read_text("utf-8"), flags=re.MULTILINE), encoding="utf-8")


def test_the_page_leads_to_a_campaign_that_begins(laager: Laager) -> None:
    steps = list(STEP.finditer(text_of(PAGE)))
    illustrator = Illustrator()
    assert [step["word"] for step in steps].count("fill") == 3
    for step in steps:
        if step["picture"]:
            illustrator.take(step["shows"], step["picture"])
        elif step["word"] == "type":
            type_commands(laager, step["text"], illustrator)
        else:
            follow(laager, step["word"], step["named"], step["text"])
    assert "axis" in laager.well("status", "--side", "axis").casefold()


def test_the_minutes_are_those_of_the_count() -> None:
    page = " ".join(text_of(PAGE).split())
    for title, words in (
        ("ER", "{} minutes of typing in the browser, or {} if"), ("ABtF", "*A Bridge Too Far* takes {}, or {}.")
    ):  # fmt: skip
        folder, names, wanted = errands.ERRANDS[title]
        efforts = [errands.count_errand(folder, names, pasted) for pasted in (False, True)]
        assert words.format(*(f"{effort.minutes:.0f}" for effort in efforts)) in page
        assert efforts[0].minutes <= wanted


def test_the_minutes_of_a_card_are_those_of_the_count() -> None:
    page = " ".join(text_of(PAGE.parent / "card.md").split())
    proposed, own = (errands.CARDS[title] for title in ("PL card of five firefights", OWN_WORDS))
    effort = errands.count_card(*proposed[:3])
    groups = sum(len(numbers) for side, numbers in errands.plan_card(*proposed[:3])[2].items() if side != "place")
    situation = text_of_situation(proposed[0]) * errands.SECONDS["character"] / 60
    assert (
        f"a card of five firefights with {groups} groups takes {effort.minutes:.0f} minutes so, "
        f"{effort.minutes + situation:.0f} with a situation in your own words, and "
        f"{errands.count_card(*own[:3]).minutes:.0f} with every name, note and objective"
    ) in page
    assert effort.minutes <= proposed[3]


OWN_WORDS = "PL card of five firefights, every name and objective in words of its own"


def text_of_situation(name: str) -> int:
    """Return how many characters the situation of a card has, as far as it is counted."""
    return len(errands.cut_card(errands.read_data(errands.PACKS / "pl" / name), 5)["about"]["history"])
