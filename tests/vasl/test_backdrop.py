"""Boards' own pictures under maps made of them: to the pixel, whatever way the boards lie."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from laager.base import DataError, RefusedError
from laager.base.files import parse_document
from laager.hexmap import HexMap, map_from_document
from laager.hexmap.draw import Layers, draw_svg
from laager.vasl.archive import Archive
from laager.vasl.boards.board import Board, read_board
from laager.vasl.boards.layout import Crop, PlacedBoard, arrange, parse_layout
from laager.vasl.boards.picture import backdrop_at, backdrop_of, boards_in, packed_picture, picture_data
from laager.vasl.maps.tomap import import_boards, place_alone
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft
from tests.vasl.pictures import colour, like, painted, saved, seen


def own(folder: Path, name: str = "20", kind: str = "GIF", **more: object) -> Board:
    """Write a board with a square of its own colour in each hex, and read it."""
    draft = Draft(name=name, **more)  # type: ignore[arg-type]
    names = [one.name for one in read_board(draft.write(folder)).hexes]
    if kind == "PNG":
        draft.words["boardImageFileName"] = f"bd{name}.png"
    picture = {f"bd{name}.{kind.lower()}": painted(draft, names, kind)}
    return read_board(draft.write(folder, **picture))


def laid(text: str, *boards: Board) -> HexMap:
    """Return the map of boards, laid out as a text says."""
    by_name = {board.name: board for board in boards}
    layout = parse_layout(text, lambda name: place_alone(by_name[name]) if name in by_name else None, ())
    return import_boards(layout, [by_name[one.name] for one in layout.boards]).map


def expected(board: Board) -> dict[str, tuple[int, int, int]]:
    return {f"{board.name}{one.name}": colour(i) for i, one in enumerate(board.hexes)}


def assert_in_place(map_: HexMap, folder: Path, *boards: Board, veil: float = 0.22) -> int:
    """Be sure that each whole hex shows the square that was painted into it; return how many."""
    told = {name: shade for board in boards for name, shade in expected(board).items()}
    shown = seen(map_, replace(backdrop_of(map_, boards_in(folder)), veil=veil))
    wrong = {
        name: (found, told[name])
        for name, found in shown.items()
        if not any(like(found, told[other], veil) for other in (name, *map_.hex(name).aliases))
    }
    assert not wrong
    return len(shown)


@pytest.mark.parametrize("kind", ["GIF", "PNG"])
def test_each_hex_lies_where_the_picture_has_it(tmp_path: Path, kind: str) -> None:
    board = own(tmp_path, kind=kind)
    assert assert_in_place(laid("20", board), tmp_path, board) == 10


def test_without_a_veil_the_colours_are_the_pictures_own(tmp_path: Path) -> None:
    board = own(tmp_path)
    assert assert_in_place(laid("20", board), tmp_path, board, veil=0) == 10


def test_a_board_turned_round(tmp_path: Path) -> None:
    board = own(tmp_path)
    map_ = laid("r20", board)
    assert map_.pictures[0].reversed
    assert assert_in_place(map_, tmp_path, board) == 10


@pytest.mark.parametrize("turn", ["", "r"])
def test_a_part_of_a_board(tmp_path: Path, turn: str) -> None:
    board = own(tmp_path, columns=9, rows=6)
    map_ = laid(f"{turn}20[C-G,2-4]", board)
    assert map_.pictures[0].part == (112, 64, 225, 194)
    assert assert_in_place(map_, tmp_path, board) == 7


def test_several_boards_however_they_lie(tmp_path: Path) -> None:
    boards = [own(tmp_path, name) for name in ("20", "21", "22")]
    map_ = laid("20 r21 / 22", *boards)
    assert len(map_.pictures) == 3
    assert assert_in_place(map_, tmp_path, *boards) > 33


def test_a_grid_that_begins_inside_the_picture(tmp_path: Path) -> None:
    """As on historical maps: A1 is not in the corner, and there is more picture than map."""
    draft = Draft(name="HM", columns=7, rows=5)
    path = draft.write(tmp_path)
    inner = Image.open(BytesIO(painted(draft, [one.name for one in read_board(path).hexes])))
    picture = Image.new("RGB", (inner.width + 80, inner.height + 100), (250, 0, 250))
    picture.paste(inner, (40, 70))
    data = f"x0 40\ny0 {70 + 32}\ndx 56.25\ndy 64.5\nversion 1"
    w.zipped(path, {"data": data.encode(), "bdHM.gif": saved(picture, "GIF")})
    board = read_board(path)
    map_ = laid("HM", board)
    shown = seen(map_, backdrop_of(map_, boards_in(tmp_path)))
    names = [one.name for one in read_board(draft.write(tmp_path)).hexes]
    inside = [name for name in names if name in shown and "1" < name[1] < "5" and name[0] < "G"]
    assert len(inside) > 15
    wrong = [name for name in inside if not like(shown[name], colour(names.index(name)))]
    assert not wrong


def test_large_hexes_keep_fewer_pixels_in_the_same_place(tmp_path: Path) -> None:
    """Deluxe boards have hexes three times as wide; on a backdrop they are as fine as others."""
    draft = Draft(name="a", hex_width=168.75, hex_height=193.5, a1=(0.0, 96.75))
    names = [one.name for one in read_board(draft.write(tmp_path)).hexes]
    picture = {"bda.gif": painted(draft, names)}
    board = read_board(draft.write(tmp_path, **picture))
    map_ = import_boards(arrange([place_alone(board)]), [board]).map
    data, kind = picture_data(map_.pictures[0], boards_in(tmp_path))
    assert kind == "image/jpeg"
    assert Image.open(BytesIO(data)).size == (225, 258)
    shown = seen(map_, backdrop_of(map_, boards_in(tmp_path)), aside=2.5)
    assert all(like(shown[name], colour(names.index(name.lstrip("a")))) for name in shown)


def test_drawn_pictures_keep_every_pixel_painted_ones_become_small(tmp_path: Path) -> None:
    board = own(tmp_path)
    data, kind = picture_data(laid("20", board).pictures[0], boards_in(tmp_path))
    assert kind == "image/png"
    with Image.open(BytesIO(data)) as shown:
        assert shown.size == board.size
    draft = Draft(name="21")
    noise = Image.effect_noise((draft.width, draft.height), 90).convert("RGB")
    paintings = {"bd21.gif": saved(noise, "GIF")}
    board = read_board(draft.write(tmp_path, **paintings))
    data, kind = picture_data(laid("21", board).pictures[0], boards_in(tmp_path))
    assert (kind, len(data) < len(paintings["bd21.gif"])) == ("image/jpeg", True)


@pytest.mark.parametrize("mode", ["P", "RGBA", "LA"])
def test_what_is_transparent_is_white(tmp_path: Path, mode: str) -> None:
    draft = Draft(name="a", hex_width=168.75, hex_height=193.5, a1=(0.0, 96.75))
    clear = Image.new("RGBA", (draft.width, draft.height), (0, 0, 0, 0))
    image = clear.convert(mode)
    more = {"transparency": image.getpixel((0, 0))} if mode == "P" else {}
    data = BytesIO()
    image.save(data, "PNG", **more)
    draft.words["boardImageFileName"] = "bda.png"
    board = read_board(draft.write(tmp_path, **{"bda.png": data.getvalue()}))
    map_ = import_boards(arrange([place_alone(board)]), [board]).map
    shown, _ = picture_data(map_.pictures[0], boards_in(tmp_path))
    with Image.open(BytesIO(shown)) as picture:
        assert picture.getpixel((5, 5)) == (255, 255, 255)


# What maps remember -----------------------------------------------------------------------------


def test_the_map_file_refers_to_the_picture_and_holds_none_of_it(tmp_path: Path) -> None:
    board = own(tmp_path)
    made = import_boards(arrange([place_alone(board)]), [board])
    (picture,) = made.map.pictures
    assert (picture.file, picture.sha256, picture.hex) == ("bd20", board.sha256, "20A1")
    assert (picture.at, picture.hex_size) == ((0.0, 32.25), (56.25, 64.5))
    assert picture.part == (0, 0, *board.size)
    assert map_from_document(parse_document(made.text, "map")).pictures == made.map.pictures
    assert HexMap.from_data(made.map.to_data()).pictures == made.map.pictures
    assert str(tmp_path) not in made.text
    assert "data:image" not in str(made.map.to_data())


def test_a_file_that_no_map_may_name_gives_a_map_without_its_picture(tmp_path: Path) -> None:
    path = Draft().write(tmp_path)
    board = read_board(path.rename(tmp_path / ".bd20"))
    assert not import_boards(arrange([place_alone(board)]), [board]).map.pictures


def test_a_crop_that_reaches_a_pixel_too_far(tmp_path: Path) -> None:
    """VASL allows it; the picture ends where it ends."""
    board = own(tmp_path)
    width, height = board.size
    place = PlacedBoard(board.name, board.geometry, board.size, crop=Crop(113, 0, width - 112, height))
    map_ = import_boards(arrange([place]), [board]).map
    assert map_.pictures[0].part == (113, 0, width - 113, height)
    assert assert_in_place(map_, tmp_path, board) == 3


PICTURE = "{{file: {file}, sha256: {sha}, hex: {hex}, at: [0, 32], hex_size: [56, 64], part: [0, 0, {w}, 9]}}"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"file": "../bd01"}, "pictures[1].file"),
        ({"file": "a/b"}, "pictures[1].file"),
        ({"file": '"C:bd01"'}, "pictures[1].file"),
        ({"file": ".bd01"}, "pictures[1].file"),
        ({"sha": "abc"}, "pictures[1].sha256"),
        ({"w": 0}, "part is empty; x, y, width, height in pixels"),
        ({"w": -5}, "pictures[1].part"),
        ({"hex": "Z9"}, "no hex Z9 on this map"),
    ],
)
def test_references_that_will_not_do(change: dict[str, object], told: str) -> None:
    words: dict[str, object] = {"file": "bd01", "sha": "a" * 64, "w": 9, "hex": "A1"} | change
    text = PICTURE.format(**words)
    file = f"laager: map/1\nid: m\ntitle: M\nsource: own\nboards: [{{columns: 3, rows: 3}}]\npictures:\n  - {text}\n"
    with pytest.raises(DataError) as caught:
        map_from_document(parse_document(file, "m.yaml"))
    assert told in str(caught.value)


# What is refused --------------------------------------------------------------------------------


def told(map_: HexMap, folder: Path) -> Sequence[str]:
    with pytest.raises(DataError) as caught:
        backdrop_of(map_, boards_in(folder))
    return [str(problem) for problem in caught.value.problems]


def test_all_boards_that_are_missing_are_named_with_their_folder(tmp_path: Path) -> None:
    map_ = laid("20 21", own(tmp_path), own(tmp_path, "21"))
    for name in ("bd20", "bd21"):
        (tmp_path / name).unlink()
    found = told(map_, tmp_path)
    assert [str(tmp_path / name) in one for name, one in zip(("bd20", "bd21"), found, strict=True)]
    assert all("the board is not there" in one for one in found)


def test_another_version_of_a_board_is_refused_and_says_how_to_go_on(tmp_path: Path) -> None:
    map_ = laid("20", own(tmp_path))
    other = own(tmp_path, words={"version": "2.0"})
    (found,) = told(map_, tmp_path)
    assert "is another version of the board than the map was made from" in found
    assert f"its SHA-256 is {other.sha256[:12]}…" in found
    assert "import the map anew" in found


def test_maps_without_boards_have_no_backdrop() -> None:
    text = "laager: map/1\nid: m\ntitle: M\nsource: own\nboards: [{columns: 3, rows: 3}]\n"
    map_ = map_from_document(parse_document(text, "m.yaml"))
    with pytest.raises(RefusedError, match="the map M has no board's picture"):
        backdrop_of(map_, boards_in(Path()))


def test_no_file_outside_the_folder_is_ever_opened(tmp_path: Path) -> None:
    """A map out of a record is trusted with its words, not with anybody's disk."""
    map_ = laid("20", own(tmp_path))
    inside = tmp_path / "boards"
    inside.mkdir()
    for file in ("../bd20", str(tmp_path / "bd20")):
        stray = replace(map_, pictures=(replace(map_.pictures[0], file=file),))
        assert str(inside / "bd20") in told(stray, inside)[0]


def damaged(tmp_path: Path, data: bytes) -> str:
    """Return what is told of a board whose picture is those bytes."""
    draft = Draft()
    board = read_board(draft.write(tmp_path, **{"bd20.gif": data}))
    return told(laid("20", board), tmp_path)[0]


def test_pictures_that_are_damaged_are_refused(tmp_path: Path) -> None:
    whole = painted(Draft(), ["C2"])
    assert "is damaged and cannot be shown" in damaged(tmp_path, whole[: len(whole) // 3])
    assert "is damaged and cannot be shown" in damaged(tmp_path, w.gif(225, 258))


@pytest.mark.parametrize("side", [400, 10_000, 60_000])
def test_a_frame_larger_than_the_picture_is_refused_before_it_is_unpacked(tmp_path: Path, side: int) -> None:
    whole = bytearray(painted(Draft(), ["C2"]))
    at = whole.index(b"\x2c\x00\x00\x00\x00")
    whole[at + 5 : at + 9] = struct.pack("<HH", side, side)
    found = damaged(tmp_path, bytes(whole))
    assert ("is larger within than it says" if side == 400 else "cannot be shown") in found


def test_a_picture_that_is_no_longer_as_large_as_its_part_is_refused(tmp_path: Path) -> None:
    map_ = laid("20", own(tmp_path))
    larger = replace(map_.pictures[0], part=(0, 0, 900, 10))
    (found,) = told(replace(map_, pictures=(larger,)), tmp_path)
    assert "has no part of 900 x 10 pixels at 0, 0; the picture has 225 x 258 pixels" in found


def test_a_huge_picture_is_refused_soon(tmp_path: Path) -> None:
    draft = Draft()
    map_ = laid("20", own(tmp_path))
    draft.words |= {"boardImageFileName": "bd20.png"}
    path = w.zipped(
        tmp_path / "bd20", {"BoardMetadata.xml": draft.xml().encode(), "bd20.png": w.png(5000, 5000) + bytes(20)}
    )
    board = boards_in(tmp_path)(path.name)
    fresh = replace(map_.pictures[0], sha256=board.sha256)
    (found,) = told(replace(map_, pictures=(fresh,)), tmp_path)
    assert "is of 5000 x 5000 pixels; 20000000 at most" in found


@pytest.mark.parametrize(("mode", "kind"), [("P", "GIF"), ("RGB", "PNG"), ("LA", "PNG")])
def test_spoilt_pictures_are_shown_or_refused(mode: str, kind: str) -> None:
    dice = Random(1944)
    good = saved(Image.effect_noise((60, 40), 80).convert(mode), kind)
    refused = []
    for _ in range(200):
        data = bytearray(good)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(min(len(data), dice.choice((60, 6000))))
            data[at : at + dice.randint(0, 3)] = dice.randbytes(dice.randint(0, 3))
        archive = Archive(w.zip_bytes([("b.gif", bytes(data))]), "bd20")
        try:
            packed_picture(archive, "b.gif", (0, 0, 60, 40), dice.choice((64.5, 190.0)))
        except DataError as err:
            refused.append(str(err))
    assert 0 < len(refused) < 200
    assert all("bd20: b.gif: " in said for said in refused)


# For pages --------------------------------------------------------------------------------------


def test_a_page_gives_addresses_of_its_own(tmp_path: Path) -> None:
    map_ = laid("20 21", own(tmp_path), own(tmp_path, "21"))
    svg = draw_svg(map_, Layers(), backdrop_at(map_, lambda number: f"/maps/7/{number}?a&b"))
    assert 'href="/maps/7/0?a&amp;b"' in svg
    assert 'href="/maps/7/1?a&amp;b"' in svg
    assert "base64" not in svg


def test_the_same_board_gives_the_same_bytes(tmp_path: Path) -> None:
    (picture,) = laid("20", own(tmp_path)).pictures
    boards = boards_in(tmp_path)
    assert picture_data(picture, boards) == picture_data(picture, boards)
