"""The tutorial for owners of a module, followed to the letter, with the figures of a campaign of ours."""

from __future__ import annotations

import re
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

from laager.base.files import parse_document
from laager.rules.board.hasl.grids.sheets import grids_of, to_csv
from tests.cli.conftest import Laager, laager

from .pages import DOCS

__all__ = ["laager"]

PAGE = DOCS / "cards" / "your-module.md"
PACK = Path(str(files("laager"))) / "packs" / "er"
STEP = re.compile(r"<!-- (type|replace|fill)(?:: (.+?))? -->(?:\n\n```console\n(.*?)```)?", re.DOTALL)


def data_of(path: Path) -> Any:
    return parse_document(path.read_text(encoding="utf-8"), path.name).data


def type_commands(laager: Laager, text: str) -> None:
    """Type the commands of a block; each prints the lines that stand below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *shown = part.splitlines()
        ended = laager(*shlex.split(command)[1:])
        assert ended.code == 0, (command, ended.text)
        assert [line for line in shown if line != "…" and line not in ended.text.splitlines()] == [], command


def fill_charts(laager: Laager, name: str) -> None:
    """Fill every chart of a file with those of our campaign; areas before what sets up in them."""
    house = data_of(PACK / name.replace("my-ridge", "kokusa-ridge"))
    kind = str(house["laager"]).partition("/")[0]
    own = {grid.id for grid in grids_of(kind, data_of(Path(name)))}
    grids = [grid for grid in grids_of(kind, house) if grid.id in own]
    for grid in sorted(grids, key=lambda grid: grid.id.endswith("-groups")):
        Path("chart.csv").write_text(to_csv(grid, house), encoding="utf-8")
        laager.well("chart", "import", name, grid.id, "chart.csv")


def test_the_page_leads_to_a_campaign_that_begins(laager: Laager) -> None:
    steps = STEP.findall(PAGE.read_text(encoding="utf-8"))
    assert [word for word, *_ in steps].count("fill") == 3
    for word, named, text in steps:
        if word == "type":
            type_commands(laager, text)
        elif word == "fill":
            fill_charts(laager, named)
        else:
            card = Path("my-ridge.yaml")
            card.write_text(re.sub(r"^map: .*$", named, card.read_text("utf-8"), flags=re.MULTILINE), encoding="utf-8")
    assert "axis" in laager.well("status", "--side", "axis").casefold()
