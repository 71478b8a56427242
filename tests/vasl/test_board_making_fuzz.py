"""Small maps drawn at random as boards: each becomes one and is read back, or is refused with a DataError."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from io import BytesIO
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from laager.base import DataError
from laager.base.files import Document
from laager.hexmap import HexMap, map_from_document
from laager.hexmap.terrain import FEATURES, HEXSIDES, MATERIALS, ROADS, TERRAINS, WATERCOURSES
from laager.vasl.boards.board import board_of
from laager.vasl.making import archive, control
from laager.vasl.making.archive import board_file_name, make_board_archive
from laager.vasl.making.grid import BoardGrid
from laager.vasl.making.losses import find_losses
from tests.tries import tries

_NAMES = ("A", "B", "AA", "Old Mill", "Mühle", "<&>", '"', "a_b", "Z" * 21, "7", "\u202e", "\x00", "M" * 200)
_FILES = ("bdMine", "bd1", "bd20", "bd6a", "bd" + "x" * 20, "bd" + "x" * 21, "bd", "x", "bd-", "bd Ö")
_BOARDS = ("", "", "", "", "20", "6a", "b")
_DRAWN = 100
"""One in so many pictures is drawn: drawing takes ten times as long as all else."""


def _blank(map_: HexMap, grid: BoardGrid) -> bytes:
    """Return an empty picture of a board's size."""
    gif = BytesIO()
    Image.new("P", grid.size).save(gif, "GIF")
    return gif.getvalue()


@contextmanager
def _without_pictures() -> Iterator[None]:
    """Leave the drawings for people out, which nothing is read from."""
    with (
        patch.object(archive, "_picture", _blank),
        patch.object(control, "_draw_plate", lambda block, style: ((20, 24), b"")),
    ):
        yield


def board_entry(dice: random.Random) -> dict[str, Any]:
    """Return the grid of a map, 1 x 1 to 6 x 6 hexes: mostly as VASL's boards have it."""
    entry: dict[str, Any] = {"columns": dice.randint(1, 6), "rows": dice.randint(1, 6), "board": dice.choice(_BOARDS)}
    if dice.random() < 0.5:
        entry["half_rows"] = True
    if dice.random() < 0.3:
        entry["half_columns"] = dice.random() < 0.5
    if dice.random() < 0.2:
        entry["grain"] = "alternate"
    if dice.random() < 0.1:
        low, high = dice.randint(0, 2), dice.randint(2, 6)
        entry |= {"even_rows": [low, high], "odd_rows": [dice.randint(0, 2), high]}
        entry["cut"] = dice.sample(("north", "south", "east", "west"), dice.randrange(3))
        entry |= {"rows": max(high, 1), "half_rows": False}
    return entry


def typed_map(dice: random.Random) -> dict[str, Any]:
    """Return a map file's content: a small map of anything that a map file can say, seldom what it can't."""
    entry = board_entry(dice)
    columns = "ABCDEF"[: entry["columns"]]
    names = [f"{entry['board']}{column}{row}" for column in columns for row in range(1, entry["rows"] + 1)]

    def some(most: int = 5) -> list[str]:
        return dice.sample(names, dice.randrange(min(most, len(names)) + 1))

    def way() -> list[str]:
        column = dice.choice(columns)
        low = dice.randint(1, entry["rows"])
        return [f"{entry['board']}{column}{row}" for row in range(low, dice.randint(low, entry["rows"]) + 1)]

    def sides() -> list[str]:
        ways = [way() for _ in range(dice.randrange(3))]
        return [f"{one[0]}/{one[1]}" for one in ways if len(one) > 1]

    def kinds(words: Sequence[str], most: int) -> list[str]:
        return dice.sample(words, dice.randrange(most + 1))

    parts: dict[str, Any] = {
        "terrain": _apart({kind: some() for kind in kinds(TERRAINS, 3)}),
        "also": {kind: some(3) for kind in kinds(TERRAINS, 2)},
        "levels": _apart({str(level): some() for level in dice.sample(range(-3, 10), dice.randrange(3))}),
        "features": {kind: some(3) for kind in kinds(FEATURES, 2)},
        "hexsides": {kind: sides() for kind in kinds(HEXSIDES, 2)},
        "buildings": _houses(dice, [way() if dice.random() < 0.3 else [name] for name in some()]),
        "roads": [{"kind": dice.choice(ROADS), "along": way()} for _ in range(dice.randrange(4))],
        "watercourses": [{"kind": dice.choice(WATERCOURSES), "along": way()} for _ in range(dice.randrange(3))],
    }
    if dice.random() < 0.3:
        parts["slopes"] = {one.split("/")[0]: [one.split("/")[1]] for one in sides()}
    if dice.random() < 0.2:
        parts["not_playable"] = some()
    if dice.random() < 0.3:
        parts["names"] = dict(zip(some(2), dice.sample(_NAMES, 2), strict=False))
    if dice.random() < 0.3:
        streets = [column for column in columns if "ABCDEF".index(column) % 2]
        parts["roads"] = [{"kind": "paved", "along": [n for n in names if column in n]} for column in streets]
    head = {"laager": "map/1", "id": "m", "source": "own", "boards": [entry], "title": dice.choice(_NAMES)}
    return head | parts


def name_blocks(content: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Return a map file's content with a name for each Block, seldom for all but one."""
    map_ = map_from_document(Document(content, "m.yaml"))
    blocks = [dice.choice(sorted(hexes)) for hexes in map_.blocks.hexes.values()]
    named = blocks if dice.random() < 0.9 else blocks[1:]
    names = dice.sample(_NAMES, min(len(named), len(_NAMES)))
    return content | {"block_names": dict(zip(names, named, strict=False))} if named else content


def _apart(lists: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return lists in which no hex is twice: it has one terrain and one level."""
    met: set[str] = set()
    apart = {}
    for kind, names in lists.items():
        apart[kind] = [name for name in names if name not in met]
        met.update(names)
    return apart


def _houses(dice: random.Random, groups: Sequence[list[str]]) -> list[dict[str, Any]]:
    """Return buildings of which no two stand in one hex."""
    met: set[str] = set()
    houses = []
    for hexes in groups:
        if not hexes or not met.isdisjoint(hexes):
            continue
        met.update(hexes)
        house: dict[str, Any] = {"material": dice.choice(MATERIALS), "levels": dice.randint(0, 9), "hexes": hexes}
        if house["levels"] and dice.random() < 0.2:
            house |= {"levels_at": {hexes[0]: dice.randrange(house["levels"])}, "cellar": dice.random() < 0.5}
        houses.append(house)
    return houses


def write_board(seed: int) -> bool:
    """Make a board of a map and read it back; return whether it could be one."""
    dice = random.Random(seed)
    content = typed_map(dice)
    with _without_pictures() if dice.randrange(_DRAWN) else nullcontext():
        try:
            content = name_blocks(content, dice) if dice.random() < 0.3 else content
            map_ = map_from_document(Document(content, "m.yaml"))
            file = board_file_name(map_) if dice.random() < 0.8 else dice.choice(_FILES)
            made = make_board_archive(map_, file)
        except DataError:
            return False
        assert board_of(made).known
        losses = find_losses(map_, made)
        # No whole hex comes in addition to a full grid, and VASL has a word for a hexside's only kind.
        full = "even_rows" not in content["boards"][0]
        assert not (full and any(loss.what == "hex" for loss in losses)), losses
        doubled = any(len(kinds) > 1 for kinds in map_.hexsides.values())
        assert doubled or not {"wall", "hedge", "bocage", "cliff"} & {loss.what for loss in losses if not loss.added}
        assert dice.random() > 0.02 or make_board_archive(map_, file).data == made.data
    return True


def test_most_of_them_become_boards() -> None:
    assert sum(map(write_board, range(60))) > 25


@tries(200)
@given(st.integers(0, 2**64))
def test_small_maps_become_boards_or_are_refused(seed: int) -> None:
    write_board(seed)


@pytest.mark.soak
def test_small_maps_become_boards_or_are_refused_two_hundred_thousand_times() -> None:
    assert sum(map(write_board, range(10_000, 220_000))) > 90_000
