"""Board archives spoilt at random: each is read, or refused with a DataError; nothing else."""

from __future__ import annotations

import gzip
import random
import struct
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of
from laager.vasl.boards.layout import Crop, PlacedBoard, arrange
from laager.vasl.maps.tomap import import_boards
from tests.tries import tries

from . import board_writer as w
from .board_writer import Draft, zip_bytes

WORDS: tuple[str, ...] = (
    *("", "0", "-1", "1", "3", "8", "19.9", "20", "23", "45.5", "46", "1e9", "nan", "-inf", "A"),
    *("true", "-999", "999999999999", "x" * 50, "\u00e9", "&#0;", "&amp;", "<", "bd20.gif"),
)
KEYS: tuple[str, ...] = (
    *("name", "version", "boardImageFileName", "width", "height", "hexWidth", "hexHeight"),
    *("A1CenterX", "A1CenterY", "altHexGrain"),
)
NUMBERS = (0, 1, 2, 127, 128, 255, 256, 65535, 2**31 - 1, 2**32 - 1)


def tiny(**more: object) -> Draft:
    return Draft(columns=3, rows=2, hex_width=20, hex_height=22, a1=(0.0, 11.0), **more)  # type: ignore[arg-type]


@cache
def originals() -> tuple[dict[str, bytes], ...]:
    """Small boards of every kind: plain, with everything on it, old."""
    full = tiny(stairs={(1, 1)}, inside='<slopes><slope hex="B1" hexsides="03"/></slopes>')
    full.way("A1 B1 C2", w.PAVED, 3)
    full.way("B1 B2", w.STONE_2, 4)
    full.side("C1", 3, w.WALL, 2)
    full.box("A2", w.ORCHARD, 5)
    full.box("C2", w.BRIDGE, 4)
    full.way("A2 B2", w.STREAM, 3)
    old = {"data": b"x0 0\ny0 11\ndx 20\ndy 22\nversion 1", "bd20.gif": w.gif(40, 44)}
    return tiny().entries(), full.entries(), full.entries(), old


def spoilt(data: bytes, dice: random.Random) -> bytes:
    """Return bytes with a few of them changed, left out, doubled or cut off."""
    found = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 4, 9))):
        at = dice.randrange(len(found) + 1)
        how = dice.randrange(6)
        if how == 0 and at < len(found):
            found[at] ^= 1 << dice.randrange(8)
        elif how == 1 and at < len(found):
            found[at] = dice.randrange(256)
        elif how == 2:
            del found[at : at + dice.randrange(1, 40)]
        elif how == 3:
            found[at:at] = found[at : at + dice.randrange(1, 40)]
        elif how == 4:
            found[at : at + 4] = struct.pack(dice.choice("<>") + "I", dice.choice(NUMBERS))
        elif dice.random() < 0.2:
            del found[at:]
    return bytes(found)


def archive(dice: random.Random) -> bytes:
    """Return an archive that is spoilt somewhere: as a whole, in an entry, or in what that says."""
    entries = dict(dice.choice(originals()))
    how = dice.randrange(5)
    if how == 0:
        return spoilt(zip_bytes(entries.items()), dice)
    name = dice.choice(sorted(entries))
    if how == 1 and "LOSData" in entries:
        entries["LOSData"] = gzip.compress(spoilt(gzip.decompress(entries["LOSData"]), dice), 1, mtime=0)
    elif how == 2 and "LOSData" in entries:
        words = {dice.choice(KEYS): dice.choice(WORDS) for _ in range(dice.randrange(1, 4))}
        text = tiny(words=words).xml()
        entries["BoardMetadata.xml"] = text.encode()
        if dice.random() < 0.3:
            del entries["LOSData"]
    elif how == 3 and dice.random() < 0.3:
        del entries[name]
    else:
        entries[name] = spoilt(entries[name], dice)
    return zip_bytes(entries.items())


def check(seed: int) -> bool:
    """Read a spoilt archive and make a map of it; return whether there was one to make."""
    dice = random.Random(seed)
    try:
        board = board_of(Archive(archive(dice), "bd20"))
        assert len(board.by_name) == len(board.hexes)
        if dice.random() < 0.5:
            return True
        crop = Crop(*(dice.randrange(-1, 45) for _ in range(4))) if dice.random() < 0.3 else None
        turned, zoom = dice.random() < 0.3, dice.choice((1.0, 1.0, 2.0, 0.5))
        place = PlacedBoard(board.name, board.geometry, board.size, 0, 0, turned, crop, zoom)
        made = import_boards(arrange([place]), [board])
        assert made.map.hexes
    except DataError:
        return False
    return True


def test_the_originals_are_read() -> None:
    for entries in originals():
        board = board_of(Archive(zip_bytes(entries.items()), "bd20"))
        place = PlacedBoard(board.name, board.geometry, board.size)
        assert len(import_boards(arrange([place]), [board]).map.hexes) == 7


@tries(300)
@given(st.integers(0, 2**64))
def test_spoilt_boards_are_read_or_refused(seed: int) -> None:
    check(seed)


@pytest.mark.soak
@settings(max_examples=110_000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_spoilt_boards_are_read_or_refused_a_hundred_thousand_times(seed: int) -> None:
    check(seed)
