"""Overlays and pictures of a board's own rules, read by their colours."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.board import Board, board_of
from laager.vasl.boards.layout import Geometry, arrange
from laager.vasl.boards.losdata import LosData
from laager.vasl.boards.metadata import Metadata
from laager.vasl.maps.tomap import import_boards, place_alone
from laager.vasl.scenario import changes as scenario_board
from laager.vasl.scenario.changes import ChangeOutcome, Overlay, changed_board, own_rules, read_changed
from laager.vasl.scenario.land import Land
from laager.vasl.scenario.overlays import lay, origin_of, overlay_archive, paint, pixel_of_hex, series

from . import board_writer as w
from .board_writer import Draft, old_board, zip_bytes, zipped
from .colour_boards import PAVED, Painted
from .picture_writer import BLACK, BRUSH, LEVEL0, STONE, STREAM, WOODS, Box, Colour, picture

SHARED = Path(__file__).parents[3] / "shared" / "data" / "boards"
HEX = (75, 65)
"""About the size of a hex."""


def overlay(folder: Path, name: str, boxes: dict[Box, Colour], data: str, turns: str = "a", **more: bytes) -> Path:
    """Write the archive of an overlay with the same picture for each orientation."""
    (folder / "overlays").mkdir(exist_ok=True)
    size = (max(box[2] for box in boxes), max(box[3] for box in boxes))
    entries = {f"ovr{name}{turn}.gif": picture(size, boxes) for turn in turns}
    return zipped(folder / "overlays" / f"ovr{series(name)}", {**entries, "data": data.encode(), **more})


def changed(
    draft: Draft, folder: Path, *overlays: Overlay, rules: tuple[str, ...] = ()
) -> tuple[Board, tuple[ChangeOutcome, ...]]:
    archive = open_archive(draft.write(folder))
    return changed_board(archive, rules, overlays, [folder / "overlays"])


def terrain(board: Board) -> dict[str, str]:
    found = import_boards(arrange([place_alone(board)]), [board]).map
    return {name.removeprefix("20"): one.terrain for name, one in found.hexes.items() if one.terrain != "open"}


def wood(origin: tuple[int, int] = (56, 129)) -> dict[Box, Colour]:
    """A hex of woods around a pixel of the overlay's picture: the centre of B2 is at (56, 129)."""
    x, y = origin
    return {(x - 30, y - 28, x + 30, y + 28): WOODS, (x - 2, y - 2, x + 2, y + 2): BLACK}


def test_an_overlay_of_one_hex(tmp_path: Path) -> None:
    overlay(tmp_path, "x1", wood(), "version 1\nx1 b2;;;;;\n")
    board, (told,) = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"))
    assert terrain(board) == {"D3": "woods"}
    ground = board.by_name["D3"].ground
    assert ground is not None
    assert ground.at_centre.name == "Woods", "the dot in the middle is taken for what is around"
    assert (told.result, told.what) == ("applied", "overlay x1 on D3")
    assert board.changes == ("overlay x1 on D3",)


@pytest.mark.parametrize(
    ("name", "drawn"), [("be2", "be1"), ("BE3", "be1"), ("be5", "be4"), ("be6", "be4"), ("oc2", "oc1"), ("oc4", "oc3")]
)
def test_overlays_that_have_the_picture_of_another(name: str, drawn: str, tmp_path: Path) -> None:
    overlay(tmp_path, drawn, wood(), f"{name} b2")
    board, (told,) = changed(Draft(), tmp_path, Overlay(name, "D3", "D3"))
    assert told.result == "applied", told
    assert terrain(board) == {"D3": "woods"}


@pytest.mark.parametrize(
    ("second", "turn"), [("C3", "a"), ("D4", "d"), ("B3", "e"), ("B2", "f"), ("D3", "c"), ("D2", "b")]
)
def test_the_second_hex_tells_how_it_lies(second: str, turn: str, tmp_path: Path) -> None:
    # Only the picture of that orientation is there, so no other can have been taken.
    first = "C3" if turn != "d" else "D3"
    if turn == "e":
        first, second = "C2", "B3"
    if turn == "f":
        first, second = "C3", "B2"
    if turn == "c":
        first, second = "C2", "D3"
    if turn == "b":
        first, second = "C3", "D2"
    number = "abcdef".index(turn)
    origins = ";".join("b2" if at == number else "" for at in range(6))
    overlay(tmp_path, "wd1", wood(), f"WD1 {origins}", turns=turn)
    board, (told,) = changed(Draft(), tmp_path, Overlay("wd1", first, second))
    assert told.result == "applied", told
    assert terrain(board) == {first: "woods"}


def test_levels_streams_and_buildings(tmp_path: Path) -> None:
    boxes = {(26, 101, 86, 157): STREAM, (0, 0, 20, 20): LEVEL0}
    overlay(tmp_path, "st1", boxes, "st1 b2")
    draft = Draft()
    draft.levels[:] = 2
    board, _ = changed(draft, tmp_path, Overlay("st1", "C3", "C3"))
    ground = board.by_name["C3"].ground
    assert ground is not None
    assert ground.depression is not None
    assert ground.base == 1, "a stream bed is one lower than the board there"
    house = {(30, 105, 82, 152): STONE}
    overlay(tmp_path, "h1", house, "h1 b2")
    draft = Draft()
    draft.box("C3", w.STONE_2, 14)
    board, (told,) = changed(draft, tmp_path, Overlay("h1", "C3", "C3"))
    found = import_boards(arrange([place_alone(board)]), [board]).map.hex("20C3").building
    assert found is not None
    assert found.material == "stone"
    assert "no upper levels" in told.why
    ground = board.by_name["C3"].ground
    assert ground is not None
    assert ground.centre.name == "Stone Building, 2 Level", "a house that is there keeps its levels"


def test_rules_count_for_overlays_too(tmp_path: Path) -> None:
    overlay(tmp_path, "x1", wood(), "x1 b2")
    board, told = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"), rules=("WoodsToBrush",))
    assert terrain(board) == {"D3": "brush"}
    assert [one.result for one in told] == ["applied", "applied"]


def test_half_of_an_overlay_can_lie_beside_the_board(tmp_path: Path) -> None:
    overlay(tmp_path, "x1", wood(), "x1 b2")
    board, (told,) = changed(Draft(), tmp_path, Overlay("x1", "A1", "A1"))
    assert told.result == "applied"
    assert terrain(board) == {"A1": "woods"}


def test_an_archive_has_its_own_colours(tmp_path: Path) -> None:
    pink = (250, 10, 200)
    overlay(tmp_path, "x1", {(26, 101, 86, 157): pink}, "x1 b2", colors=b"WoodsGreen 250,10,200\n")
    board, _ = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"))
    assert terrain(board) == {"D3": "woods"}


@pytest.mark.parametrize(
    ("made", "wish", "said"),
    [
        (None, Overlay("x1", "D3", "D3"), "its archive is not there"),
        ("b2", Overlay("x2", "D3", "D3"), "has no picture of x2 that lies this way"),
        ("b2", Overlay("x1", "D3", "D4"), "has no picture of x1 that lies this way"),
        ("", Overlay("x1", "D3", "D3"), "does not tell which hex of x1a"),
        (";b2", Overlay("x1", "D3", "D3"), "tell it with --overlay"),
        ("b2", Overlay("x1", "ZZ99", "ZZ99"), "would lie next to the board"),
        ("b2", Overlay("x1", "nonsense", "D3"), "is not a hex"),
        ("b!", Overlay("x1", "D3", "D3"), "is not a hex"),
    ],
)
def test_what_cannot_be_laid_is_listed_with_the_reason(
    made: str | None, wish: Overlay, said: str, tmp_path: Path
) -> None:
    if made is not None:
        overlay(tmp_path, "x1", wood(), f"x1 {made}")
    board, (told,) = changed(Draft(), tmp_path, wish)
    assert told.result == "not applied"
    assert said in told.why
    assert terrain(board) == {}
    assert board.changes == ()


def test_the_origin_can_be_told(tmp_path: Path) -> None:
    overlay(tmp_path, "x1", wood(), "version 2")
    board, (told,) = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3", "b2"))
    assert told.result == "applied"
    assert terrain(board) == {"D3": "woods"}


def test_pictures_in_colours_of_their_own_are_not_believed(tmp_path: Path) -> None:
    boxes = {**wood(), (0, 0, 60, 60): (1, 2, 3)}
    overlay(tmp_path, "x1", boxes, "x1 b2")
    board, (told,) = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"))
    assert told.result == "not applied"
    assert "of its area in colours that stand for a terrain" in told.why
    assert terrain(board) == {}


def test_holes_for_dots_and_lines_are_filled(tmp_path: Path) -> None:
    """Pictures often leave out the hex's dot and sides, for the board's own to show."""
    x, y = 56, 129
    whole = (x - 30, y - 28, x + 30, y + 28)
    parts = {
        (whole[0], whole[1], x - 2, whole[3]): WOODS,
        (x + 2, whole[1], whole[2], whole[3]): WOODS,
        (x - 2, whole[1], x + 2, y - 2): WOODS,
        (x - 2, y + 2, x + 2, whole[3]): WOODS,
        (0, 0, 5, 5): WOODS,
    }
    overlay(tmp_path, "x1", parts, "x1 b2")
    draft = Draft()
    draft.fill("D3", w.WATER)
    board, _ = changed(draft, tmp_path, Overlay("x1", "D3", "D3"))
    ground = board.by_name["D3"].ground
    assert ground is not None
    assert ground.at_centre.name == "Woods"
    corner = board.by_name["C1"].ground
    assert corner is not None
    assert corner.share(ground.at_centre) < 0.05, "what is clear stays the board's"


def test_boards_too_large_to_be_changed_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario_board, "MAX_CHANGED", 1000)
    overlay(tmp_path, "x1", wood(), "x1 b2")
    board, told = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"), rules=("NoBridge",))
    assert [one.result for one in told] == ["not applied"] * 2
    assert all("pixels; 1000 at most" in one.why for one in told)
    assert terrain(board) == {}


def test_laying_does_not_change_what_it_was_given(tmp_path: Path) -> None:
    """Parts of a picture are taken over one after the other; only a copy is changed."""
    overlay(tmp_path, "x1", wood(), "x1 b2")
    archive = open_archive(Draft().write(tmp_path))
    kept: list[LosData] = []

    def seen(data: LosData, metadata: Metadata) -> LosData:
        land = Land(data, metadata.geometry).copy()
        lay(land, open_archive(tmp_path / "overlays" / "ovrX"), "x1", ("D3", "D3"))
        kept.append(data)
        return land.data()

    board = board_of(archive, seen)
    assert terrain(board) == {"D3": "woods"}
    assert not kept[0].codes.any()


@pytest.mark.parametrize("spoilt", [b"", b"GIF89a", w.gif(9, 9), w.gif(60000, 60000), b"\x89PNG"])
def test_damaged_pictures_are_listed(spoilt: bytes, tmp_path: Path) -> None:
    path = overlay(tmp_path, "x1", wood(), "x1 b2")
    zipped(path, {"ovrx1a.gif": spoilt, "data": b"x1 b2"})
    board, (told,) = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"))
    assert told.result == "not applied"
    assert terrain(board) == {}
    path.write_bytes(b"no archive at all")
    _, (told,) = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"))
    assert "is not a ZIP archive" in told.why
    assert str(tmp_path) not in told.why, "nobody's folders are told"


def own_rule(**pictures: bytes) -> tuple[Draft, dict[str, bytes]]:
    inside = (
        '<overlaySSRules><overlaySSRule name="BSO_Wood" image="wood.gif" x="112" y="64"/>'
        '<overlaySSRuleSet name="BSO_Two"><overlaySSRuleImage image="wood.gif" x="112" y="64"/>'
        '<overlaySSRuleImage image="gone.gif" x="0" y="0"/></overlaySSRuleSet></overlaySSRules>'
    )
    wooden = picture((110, 160), wood())
    return Draft(inside=inside), {"wood.gif": wooden, **pictures}


def test_pictures_of_a_boards_own_rules(tmp_path: Path) -> None:
    draft, entries = own_rule()
    archive = open_archive(draft.write(tmp_path, **entries))
    board, (told,) = changed_board(archive, ["BSO_Wood"])
    assert (told.result, told.why) == ("applied", "read from the colours of its picture")
    assert terrain(board) == {"D3": "woods"}


def test_all_pictures_of_a_rule_or_none(tmp_path: Path) -> None:
    draft, entries = own_rule()
    archive = open_archive(draft.write(tmp_path, **entries))
    board, (told,) = changed_board(archive, ["BSO_Two"])
    assert told.result == "not applied"
    assert "gone.gif: is not in the archive" in told.why
    assert terrain(board) == {}


def test_boards_without_los_data_list_overlays(tmp_path: Path) -> None:
    path = old_board(tmp_path, "OLD", (200, 200), "x0 0\ny0 32\n")
    _, (told,) = changed_board(open_archive(path), (), [Overlay("x1", "A1", "A2")], [tmp_path])
    assert (told.what, told.result) == ("overlay x1 on A1, A2", "not applied")


def test_names_of_archives(tmp_path: Path) -> None:
    assert [series(name) for name in ("st1", "x20", "og", "1", "23", "wd12")] == [
        "ST", "X", "OG", "1", "23", "WD",
    ]  # fmt: skip
    (tmp_path / "OVRst").write_bytes(b"")
    assert overlay_archive([tmp_path / "none", tmp_path], "st3") == tmp_path / "OVRst"
    assert overlay_archive([tmp_path], "og1") is None


def test_boards_that_do_not_begin_with_a1(tmp_path: Path) -> None:
    overlay(tmp_path, "x1", wood(), "x1 b2")
    draft = Draft(a1=(-112.5, 32.25))
    board, (told,) = changed(draft, tmp_path, Overlay("x1", "F3", "F3"))
    if told.result == "applied":
        assert terrain(board) == {"F3": "woods"}
    else:
        pytest.fail(told.why)


def test_wild_names_are_shown_plainly() -> None:
    wild = Overlay("x\x1b[31m", "A1", "A1")
    assert "\x1b" not in str(wild)


def test_no_data_at_all() -> None:
    archive = Archive(zip_bytes([("ovrx1a.gif", picture(HEX, wood()))]), "ovrX")
    with pytest.raises(DataError, match="does not tell which hex"):
        origin_of(archive, "x1", "a")
    draft = Draft()
    data = LosData(5, 4, draft.levels, draft.codes, frozenset())
    with pytest.raises(DataError, match="does not tell which hex"):
        lay(Land(data, Geometry()), archive, "x1", ("D3", "D3"))


def test_an_own_brush_colour_is_brush(tmp_path: Path) -> None:
    overlay(tmp_path, "b1", {(26, 101, 86, 157): BRUSH}, "b1 b2")
    board, _ = changed(Draft(), tmp_path, Overlay("b1", "C2", "C2"))
    assert terrain(board) == {"C2": "brush"}


def test_a_colour_that_may_be_a_dot_is_no_snow(tmp_path: Path) -> None:
    white = {**wood(), (46, 119, 66, 139): (255, 255, 255)}
    overlay(tmp_path, "x1", white, "x1 b2")
    board, _ = changed(Draft(), tmp_path, Overlay("x1", "D3", "D3"))
    ground = board.by_name["D3"].ground
    assert ground is not None
    assert ground.at_centre.name == "Woods"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the example boards are not in ../shared/data")
@pytest.mark.parametrize(("code", "most"), [("01", 0), ("10", 9), ("22", 4), ("6a", 2)])
def test_a_boards_own_picture_tells_its_terrain(code: str, most: int) -> None:
    """Read from the picture alone a board is what its LOS data say, but for hexes edited by hand:
    grain of 10 that is there as open ground, dots that a road only touches, a bridge over them."""
    archive = open_archive(SHARED / f"bd{code}")

    def painted(data: LosData, metadata: Metadata) -> LosData:
        land = Land(data, metadata.geometry)
        land.codes[:], land.levels[:] = 0, 0
        paint(land, archive, metadata.picture, (0, 0), own_rules(archive).palette)
        return land.data()

    told, seen = board_of(archive), board_of(archive, painted)
    others = [
        one.name
        for one, other in zip(told.hexes, seen.hexes, strict=True)
        if one.ground is None or other.ground is None or one.ground.centre.becomes != other.ground.centre.becomes
    ]
    assert len(others) <= most, others


# Boards read by their colours -----------------------------------------------------------------------


def test_rules_and_overlays_change_what_a_picture_told(tmp_path: Path) -> None:
    old = Painted(colors="MyBrush 200,10,200\n", others={"copse.gif": picture((60, 60), {(0, 0, 60, 60): WOODS})})
    old.others = {**old.others, "overlaySSR": b"Copse\ncopse.gif 138,228\n", "colorSSR": b"Felled\nMyBrush=Level0\n"}
    old.box("C2", (200, 10, 200))
    old.way("A4 B3 C3 D3", PAVED)
    overlay(tmp_path, "x1", wood(), "version 1\nx1 b2;;;;;\n")
    archive = open_archive(old.write(tmp_path))
    wishes = ["Felled", "AllDirt", "Copse", "Quux"]
    board, told, why = read_changed(archive, wishes, [Overlay("x1", "F3", "F3")], [tmp_path / "overlays"])
    assert not why
    assert [one.result for one in told] == ["applied", "applied", "applied", "applied", "not applied"]
    assert board.changes[0] == "rule Copse"
    found = import_boards(arrange([place_alone(board)]), [board]).map
    assert found.hex("F3").terrain == "woods"
    assert found.hex("C2").terrain == "open"
    assert found.hex("D4").terrain == "woods"
    assert {road.kind for road in found.roads} == {"unpaved"}


def test_a_board_whose_picture_is_spoilt_says_what_was_not_applied(tmp_path: Path) -> None:
    path = old_board(tmp_path, "OLD", (200, 200), "")
    board, told, why = read_changed(open_archive(path), ["AllDirt"])
    assert not board.known
    assert "damaged" in why
    assert [one.result for one in told] == ["not applied"]


def test_changes_that_would_take_too_long_are_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "Copse\n" + "copse.gif 138,228\n" * 33
    old = Painted(others={"copse.gif": picture((60, 60), {(0, 0, 60, 60): WOODS}), "overlaySSR": many.encode()})
    archive = open_archive(old.write(tmp_path))
    _, (told,), _ = read_changed(archive, ["Copse"])
    assert told.why == "it has more than 32 pictures"
    monkeypatch.setattr(scenario_board, "MAX_WORK", 200_000)
    _, told_of, _ = read_changed(archive, ["AllDirt", "NoRoads"])
    assert {one.result for one in told_of} == {"not applied"}
    assert "are too much" in told_of[0].why


@pytest.mark.parametrize(
    ("geometry", "name", "pixel"),
    [
        # As VASSAL's own grid answers: it cuts off fractions before it adds the origin.
        (Geometry(56.25, 64.5, 0, 32.25), "B0", (56, 0)),
        (Geometry(56.1818, 64.2857, 1, 98), "B0", (57, 66)),
        (Geometry(56.1818, 64.2857, 1, 98), "H5", (394, 387)),
        (Geometry(55.2857, 64.2857, 0, 32.25), "H5", (386, 321)),
        (Geometry(56.25, 64.47, 22, 32.25), "N13", (753, 837)),
    ],
)
def test_hexes_lie_where_vassal_has_them(geometry: Geometry, name: str, pixel: tuple[int, int]) -> None:
    assert pixel_of_hex(geometry, name, "st1") == pixel
