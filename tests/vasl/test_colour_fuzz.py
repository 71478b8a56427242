"""Pictures, colours, markers and legends spoilt at random: each is read, or refused with a DataError; nothing else."""

from __future__ import annotations

import random
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of
from laager.vasl.boards.layout import PlacedBoard, arrange
from laager.vasl.boards.markers import find_block_markers
from laager.vasl.colours.board_ground import read_ground_by_colours
from laager.vasl.colours.legend import legend_text, read_legend
from laager.vasl.colours.palette import own_colours
from laager.vasl.maps.tomap import import_boards
from laager.vasl.scenario.changes import Overlay, read_changed
from tests.tries import tries

from .board_writer import zip_bytes
from .test_board_fuzz import spoilt

COLOURS = ((175, 188, 106), (176, 147, 70), (85, 95, 45), (192, 192, 207), (70, 70, 70), (251, 254, 255), (9, 9, 99))
LINES = (
    *("Level_1 1,2,3", "Level0 175,188,106", "DenseJungleHL 85,95,45", "WoodBldg4 70,70,70", "X 0,0,0"),
    *("L99 5,5,5", "Level9999999999 1,1,1", "A 999,999,999", "B 1,2", "C ,,,", "D -1,2,3", "// E 1,2,3", "\x00 1,2,3"),
    *("BrBlkA", "m.gif 5,5", "BrBlkB", "m.gif 999999,5", "BlockC", "m.gif 20,20", "BlkD", "none.gif 1,1", "m.gif -3,4"),
    *("BrBlkA", "Level0=Level1", "X=A", "=", "Mud", "Level1=DenseJungleHL", "WoodBldg4=Level0"),
    *("m.gif 1", "Blk_AA", "m.gif 00000,00", "é 1,2,3", "x" * 500, "Level1 " + "9" * 300 + ",1,1"),
)
WORDS = ("", "woods", "open+level:1", "level:99", "nothing", "nothing+woods", "a" * 80, "+", "level:-9", "'", "brush+")


def picture(dice: random.Random, kind: str) -> bytes:
    """Return the picture of a tiny board, in some of VASL's colours and others."""
    image = Image.new("RGB", (40, 44), dice.choice(COLOURS))
    brush = ImageDraw.Draw(image)
    for _ in range(dice.randrange(6)):
        x, y = dice.randrange(40), dice.randrange(44)
        brush.rectangle((x, y, x + dice.randrange(20), y + dice.randrange(20)), fill=dice.choice(COLOURS))
    held = BytesIO()
    (image.quantize(16) if kind == "GIF" else image).save(held, kind)
    return held.getvalue()


@cache
def pictures() -> tuple[bytes, ...]:
    """Pictures of every kind."""
    dice = random.Random(1)
    return tuple(picture(dice, kind) for kind in ("GIF", "GIF", "GIF", "PNG", "JPEG") for _ in range(6))


def lines(dice: random.Random) -> bytes:
    """Return text such as archives hold, sense and nonsense mixed."""
    text = "\n".join(dice.choices(LINES, k=dice.randrange(12))).encode()
    return spoilt(text, dice) if dice.random() < 0.3 else text


def archive(dice: random.Random) -> Archive:
    """Return a board's archive, spoilt in its picture or its texts."""
    image = dice.choice(pictures())
    entries = {
        "data": b"x0 0\ny0 11\ndx 20\ndy 22\nversion 1",
        "bd20.gif": spoilt(image, dice) if dice.random() < 0.4 else image,
        "m.gif": pictures()[0],
        "colors": lines(dice),
        "overlaySSR": lines(dice),
        "colorSSR": lines(dice),
    }
    return Archive(zip_bytes(entries.items()), "bd20")


def legend(dice: random.Random) -> str:
    """Return a legend, right or wrong."""
    rows = [
        f'  - {{colour: "#{dice.randrange(2**24):06x}", share: {dice.choice((0, 5, 101))}, is: "{dice.choice(WORDS)}"}}'
        for _ in range(dice.randrange(4))
    ]
    text = "\n".join(["laager: vasl-legend/1", "colours:", *rows]) + "\n"
    return spoilt(text.encode(), dice).decode("utf-8", "replace") if dice.random() < 0.3 else text


def check(seed: int) -> bool:
    """Read a spoilt board by its colours and make a map of it; return whether there was one to make."""
    dice = random.Random(seed)
    told = None
    try:
        if dice.random() < 0.3:
            told = read_legend(legend(dice))
    except DataError:
        return False
    try:
        source = archive(dice)
        find_block_markers(source)
        board = read_ground_by_colours(source, board_of(source), told)
        assert all(1 <= doubt.score <= 100 for doubt in board.doubts)
        if dice.random() < 0.1:
            read_legend(legend_text(source, board))
        if dice.random() < 0.3:
            place = PlacedBoard(board.name, board.geometry, board.size)
            assert import_boards(arrange([place]), [board]).map.hexes
    except DataError:
        return False
    return True


RULES = (
    "AllDirt",
    "NoRoads",
    "DenseJungle",
    "Bamboo",
    "NoStairwells",
    "Winter",
    "Level1ToLevel0",
    "BrBlkA",
    "BlkD",
    "Mud",
)


def check_changed(seed: int) -> bool:
    """Change a board that is read by its colours; return whether there was one to read."""
    dice = random.Random(seed)
    try:
        source = archive(dice)
        board, told, why = read_changed(source, dice.choices(RULES, k=3), [Overlay("x1", "A1", "B1")], [Path("none")])
    except DataError:
        return False
    assert len(told) >= 2
    assert bool(why) != bool(board.by_colours)
    assert {one.what for one in told if one.result == "applied"} == set(board.changes)
    return board.known


def check_texts(seed: int) -> bool:
    """Read the colours, the markers and a legend of spoilt texts; return whether all could be read."""
    dice = random.Random(seed)
    entries = {"colors": lines(dice), "overlaySSR": lines(dice), "m.gif": pictures()[0]}
    try:
        source = Archive(zip_bytes(entries.items()), "bd20")
        for one in own_colours(source).values():
            assert 0 <= one.rgb < 2**24
            assert one.level is None or 0 <= abs(one.level) <= 9
        for letter, place in find_block_markers(source).items():
            assert letter
            assert 0 <= max(place) <= 21_000
        if dice.random() < 0.2:
            read_legend(legend(dice))
    except DataError:
        return False
    return True


def test_most_of_them_can_be_read() -> None:
    assert sum(map(check, range(60))) > 20


@tries(200)
@given(st.integers(0, 2**64))
def test_spoilt_pictures_are_read_or_refused(seed: int) -> None:
    check(seed)


def test_spoilt_texts_are_read_or_refused() -> None:
    assert sum(map(check_texts, range(300))) > 100


def test_changes_of_spoilt_boards_are_made_or_refused() -> None:
    assert sum(map(check_changed, range(80))) > 20


@pytest.mark.soak
def test_changes_of_spoilt_boards_are_made_or_refused_two_hundred_thousand_times() -> None:
    assert sum(map(check_changed, range(10_000, 220_000))) > 50_000


@pytest.mark.soak
def test_spoilt_texts_are_read_or_refused_two_hundred_thousand_times() -> None:
    assert sum(map(check_texts, range(10_000, 220_000))) > 70_000


@pytest.mark.soak
@settings(max_examples=210_000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_spoilt_pictures_are_read_or_refused_two_hundred_thousand_times(seed: int) -> None:
    check(seed)
