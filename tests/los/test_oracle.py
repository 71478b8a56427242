"""VASL's own answers, in every column: one bare board, and two boards of which one lies turned round."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from laager.los.exact import fields as f
from laager.los.exact.engine import raw, sight
from laager.los.exact.losmap import LosMap
from laager.los.exact.maps import board_map
from laager.los.exact.rulenames import RULES
from laager.vasl.boards.losdata import terrains
from tests.los.boards import ORACLE, at_level, needs_boards, needs_oracle, real, rows_of, side_by_side

pytestmark = [needs_boards, needs_oracle]

SEEN_SLOWLY = 400
"""How many of the pairs are also looked at without short cuts, which takes longer."""


def told(row: dict[str, str]) -> tuple[object, ...]:
    numbers = (int(row[word]) for word in ("blocked", "hindrance", "range", "continuous_slope"))
    return (*numbers, row["blocked_at_x"], row["blocked_at_y"], row["rule"])


def ours(out: NDArray[np.int64]) -> tuple[object, ...]:
    status, x, y, rule, hindrance, away, slope = out.tolist()
    where = (str(x), str(y)) if status == f.BLOCKED else ("", "")
    return (status, hindrance, away, slope, *where, RULES[rule].label)


def compare(on: LosMap, rows: list[dict[str, str]], asked: NDArray[np.int64]) -> None:
    quick, _ = raw(on, asked)
    wrong = [(row, ours(out)) for row, out in zip(rows, quick, strict=True) if told(row) != ours(out)]
    assert not wrong, f"{len(wrong)} of {len(rows)} differ, the first: {wrong[:3]}"
    slow, _ = raw(on, asked[:SEEN_SLOWLY], short=False)
    assert (slow == quick[:SEEN_SLOWLY]).all()


def test_a_bare_board_agrees_with_vasl_in_every_column() -> None:
    board = board_map(real("01"))
    rows = rows_of(ORACLE / "los" / "bd01.csv")
    compare(board, rows, np.array([(board.place(row["source"]), board.place(row["target"])) for row in rows]))


@pytest.fixture(scope="module")
def two() -> LosMap:
    return side_by_side([real("01"), real("22")], turned={1})


def test_two_boards_agree_with_vasl_in_every_column(two: LosMap) -> None:
    rows = rows_of(ORACLE / "los-joined" / "two.csv")

    def place(row: dict[str, str], end: str) -> int:
        column, down = map(int, row[end].split(":"))
        return two.place(at_level(two.names[two.grid.number(column, down)], row[f"{end}_level"]))

    compare(two, rows, np.array([(place(row, "source"), place(row, "target")) for row in rows]))


def test_two_boards_have_vasls_hexes(two: LosMap) -> None:
    names = [one.name for one in terrains()] + [""]
    hexes = two.hexes
    labels = {"rooftop": "roof", "cellar": "cellar", "bridge": "bridge", "below bridge": "below"}
    for i, row in enumerate(rows_of(ORACLE / "los-joined" / "two.hexes.csv")):
        on = two.grid.on_map[i]
        levels = sorted(
            f"{labels.get(one.kind, one.height)}={one.height}/{names[one.code]}"
            for one in (*hexes.upper[i], *hexes.lower[i])
        )
        places = [names[hexes.place[i, k]] + "*" * bool(hexes.mark[i, k]) if on[k] else "-" for k in range(6)]
        found = {
            "hex": ":".join(map(str, two.grid.spots[i])),
            "name": two.names[i],
            "x": str(two.grid.centre[i, 0]),
            "y": str(two.grid.centre[i, 1]),
            "base": str(hexes.base[i]),
            "terrain": names[hexes.centre[i]],
            "depression": str(int(hexes.depressed[i])),
            "stairway": str(int(hexes.stairs[i])),
            "hexsides": "|".join(names[code] for code in hexes.side[i]),
            "places": "|".join(places),
        }
        assert found == {key: row[key] for key in found}, row["name"]
        assert levels == sorted(one.strip() for one in row["levels"].split(";") if one.strip()), row["name"]


def test_along_a_factory_only_its_wall_blocks_a_line_without_rooftops() -> None:
    """VASL's own answer: the factory's pixel next to the hexside lets the line pass, its outer wall behind doesn't."""
    found = sight(board_map(real("RBv2")), "N25 bypass 0 far", "AA25 level 2")
    assert found.block is not None
    assert (found.block.x, found.block.y, found.rule) == (848, 1579, "A6.4")
