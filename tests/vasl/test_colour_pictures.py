"""Pictures of boards that are read by their colours: kinds, sizes, memory, and which are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from laager.base import DataError
from laager.vasl import open_archive, read_board, try_ground_by_colours
from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of
from laager.vasl.colours.pixels import read_pixels

from .board_writer import zip_bytes
from .colour_boards import LEVEL0, LEVEL1, PAVED, WOODS, made, read, town
from .pictures import saved


def test_a_painted_picture_is_read_too(tmp_path: Path) -> None:
    found = made(read(town(), tmp_path, kind="PNG")).map
    assert found.hex("C2").terrain == "woods"


def test_a_picture_of_many_colours_keeps_the_colours_that_legends_name(tmp_path: Path) -> None:
    board = town()
    for x in range(board.image.width):
        for y in range(0, board.image.height, 7):
            board.image.putpixel((x, y), (x % 256, y % 256, (x + y) % 256))
    archive = open_archive(board.write(tmp_path, "PNG"))
    pixels = read_pixels(archive, board_of(archive).metadata.picture)
    assert not pixels.exact
    assert " ".join(f"{colour:06x}" for colour in pixels.colours[:4]) == "ea6954 d75129 969228 d69268"


def test_a_large_picture_of_many_colours_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laager.vasl.colours.pixels.MAX_PAINTED", 1000)
    with pytest.raises(DataError, match="in many colours"):
        read(town(), tmp_path, kind="PNG")


def noise(kind: str, mode: str) -> bytes:
    """Return a picture of 300 x 300 pixels of nothing but noise."""
    return saved(Image.effect_noise((300, 300), 90).convert(mode), kind)


@pytest.mark.parametrize(
    ("picture", "problem"),
    [
        (noise("GIF", "P"), "in much detail; 1000 at most"),
        (noise("PNG", "P"), "in much detail; 1000 at most"),
        (saved(Image.new("RGB", (300, 300)), "PNG"), "in many colours; 1000 at most"),
        (saved(Image.new("RGB", (300, 300)), "JPEG"), "in many colours; 1000 at most"),
    ],
)
def test_a_large_picture_is_read_only_if_it_is_plain(
    picture: bytes, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laager.vasl.boards.picture.MAX_SHOWN", 1000)
    monkeypatch.setattr("laager.vasl.colours.pixels.MAX_READ", 1000)
    with pytest.raises(DataError, match=f"of 300 x 300 pixels {problem}"):
        read_pixels(Archive(zip_bytes([("bd20.gif", picture)]), "bd20"), "bd20.gif")
    plain = Archive(zip_bytes([("bd20.gif", saved(Image.new("P", (300, 300)), "GIF"))]), "bd20")
    assert read_pixels(plain, "bd20.gif").size == (300, 300)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to tell the peak")
def test_the_largest_board_needs_less_than_200_megabytes(tmp_path: Path) -> None:
    """19.9 million pixels, 5,890 hexes; in a process of its own, so that its memory is its own."""
    pixels = np.full((5200, 3825), 1, np.uint8)
    pixels[:, 2000:], pixels[::5, ::7], pixels[:, ::40] = 2, 3, 4
    image = Image.fromarray(pixels)
    image.putpalette([*(0, 0, 0), *LEVEL0, *LEVEL1, *WOODS, *PAVED])
    words = {"bdL.gif": saved(image, "GIF"), "data": b"x0 0\ny0 31\ndx 55\ndy 62\nversion 1"}
    (tmp_path / "bdL").write_bytes(zip_bytes(words.items()))
    code = (
        "import re, sys; from pathlib import Path; from laager.vasl import board_of, open_archive\n"
        "from laager.vasl import read_ground_by_colours as read; archive = open_archive(Path(sys.argv[1]))\n"
        "print(len(read(archive, board_of(archive)).hexes))\n"
        "print(re.search(r'VmHWM:\\s+([0-9]+)', Path('/proc/self/status').read_text())[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "bdL")], capture_output=True, text=True, check=True
    )
    hexes, kilobytes = map(int, done.stdout.split())
    assert 5_800 < hexes < 6_000
    assert kilobytes < 200 * 2**10


def test_a_board_of_more_hexes_than_any_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laager.vasl.colours.board_ground.MAX_HEXES", 20)
    with pytest.raises(DataError, match=r"has [0-9]+ hexes; 20 at most, to read its colours"):
        read(town(), tmp_path)


def test_boards_that_tell_are_left_alone_and_pictures_that_do_not_open_say_why(tmp_path: Path) -> None:
    from .board_writer import Draft, old_board

    known = open_archive(Draft().write(tmp_path))
    board = board_of(known)
    assert try_ground_by_colours(known, board) == (board, "")
    path = old_board(tmp_path, "OLD", (200, 200), "")
    archive = open_archive(path)
    same, why = try_ground_by_colours(archive, read_board(path))
    assert not same.known
    assert "damaged" in why
    assert str(tmp_path) not in why
