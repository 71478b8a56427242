"""An owner's evening at a terminal: from his module's VASL board and a skeleton to a campaign that begins."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from .conftest import Laager
from .test_skeletons import HOUSE, pasted

BOARDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "boards"
BOARD = {"abtf": "bdABTF", "er": "bdER"}
ARROWS = {"abtf": (), "er": (("G24", "G28"), ("AA24", "AA28"), ("Q24", "Q28"), ("FF15", "SS15"))}
"""What lies on the edge of our map, and what does on the board."""
BY_HAND = 20


@pytest.mark.soak
@pytest.mark.parametrize(("rules", "most"), [("abtf", 160), ("er", 160)])
def test_from_ones_own_board_to_a_campaign(laager: Laager, rules: str, most: int) -> None:
    """With the figures of our own campaign in place of the printed ones, as CSV of a spreadsheet."""
    board = BOARDS / BOARD[rules]
    if not board.is_file():
        pytest.skip(f"the board {BOARD[rules]} is not in ../shared/data/boards")
    start = time.monotonic()
    doubts = town(laager, board)
    assert len(doubts) <= most
    mapped = time.monotonic()
    charts = filled(laager, rules)
    marked = areas(laager)
    checked = laager.well("check", "mine.yaml")
    assert " is valid: HASL card" in checked
    assert "PTO Terrain" not in checked
    laager.well("new", "mine.yaml")
    assert "is asked [agreements]" in laager.well("status")
    took = f"{mapped - start:.0f} s to the map, {time.monotonic() - mapped:.0f} s to the campaign"
    print(f"{rules}: {len(doubts)} doubts, {charts} charts pasted, {marked} arrows and areas marked; {took}")


def town(laager: Laager, board: Path) -> list[dict[str, object]]:
    """Make a map of a board, its colours as they are taken for; settle the worst doubts one by one, then the rest."""
    laager.well("vasl", "legend", board, "--out", "legend.yaml")
    legend = Path("legend.yaml")
    legend.write_text(legend.read_text("utf-8").replace('sure: false, is: ""', 'sure: false, is: "right"'), "utf-8")
    pto = ("--pto",) if board.name == BOARD["er"] else ()
    laager.well("vasl", "import", board, "--legend", "legend.yaml", "--out", "town.yaml", *pto)
    doubts: list[dict[str, object]] = json.loads(laager.well("vasl", "doubts", "town.yaml", "--json"))
    for one in doubts[:BY_HAND]:
        laager.well("vasl", "mark", "town.yaml", f"{one['where']}=right")
    laager.well("vasl", "mark", "town.yaml", "rest=right")
    assert "Nothing on this map is in doubt" in laager.well("vasl", "doubts", "town.yaml")
    return doubts


def filled(laager: Laager, rules: str) -> int:
    """Fill a skeleton with the charts of our own campaign; return how many there were to paste."""
    laager.well("new", "mine.yaml", "--skeleton", rules)

    def ours(text: str) -> str:
        for house, own in ((f"{HOUSE[rules]}-map", "town.yaml"), *ARROWS[rules]):
            text = text.replace(house, own)
        return text

    return pasted(laager, rules, change=ours)


def areas(laager: Laager) -> int:
    """Mark on the map what the card names and the map does not have, as the check says; return how much that was."""
    marked = row = 0
    while told := laager("check", "mine.yaml").err:
        changes = {f"{name}=arrow" for name in re.findall(r"its arrow in (\w+)", told)}
        for name in re.findall(r"([^:]+) has no hexes", told):
            row += 4
            changes.add(f"C{row}-C{row + 2},D{row}-D{row + 2}=setup:{name.strip()}")
        assert changes, told
        laager.well("vasl", "mark", "town.yaml", *sorted(changes))
        marked += len(changes)
    return marked
