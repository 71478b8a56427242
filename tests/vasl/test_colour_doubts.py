"""What stays in doubt of a board's colours, in groups that look alike, and how it is settled."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError
from laager.base.files import parse_document
from laager.vasl import Imported
from laager.vasl.boards.board import Doubt
from laager.vasl.colours import alike
from laager.vasl.colours.legend import LegendEntry, group_shades
from laager.vasl.maps.doubts import doubts_in, group_alike
from laager.vasl.maps.marking import mark

from .colour_boards import BLACK, WALL, Painted, made, map_of, painted_board, read, town


def _data(text: str) -> dict[str, object]:
    return parse_document(text, "the map").data  # type: ignore[no-any-return]


def test_unknown_colours_are_doubts_and_are_settled(tmp_path: Path) -> None:
    board = town()
    board.box("B1", (255, 0, 255), 30)
    found = made(read(board, tmp_path))
    assert found.doubts[0].where == "B1"
    assert found.doubts[0].why == "colours without a meaning"
    assert "colours of its picture" in found.map.source_note
    told = mark(found.text, ["B1=right"])
    assert "B1" not in {one.where for one in doubts_in(_data(told))}
    told = mark(found.text, ["B1=woods"])
    assert "B1" not in {one.where for one in doubts_in(_data(told))}
    assert not doubts_in(_data(mark(found.text, ["rest=right"])))
    # Or it is the colour that is settled, for all its hexes at once.
    legend = 'laager: vasl-legend/1\ncolours:\n  - {colour: "#8c3cbe", is: right}\n'
    board.box("B1", (140, 60, 190), 30)
    guessed = made(read(board, tmp_path))
    assert "B1" in {one.where for one in guessed.doubts}
    settled = made(read(board, tmp_path, legend))
    assert "B1" not in {one.where for one in settled.doubts}
    assert (guessed.map.hex("B1").terrain, settled.map.hex("B1").terrain) == ("unknown", "open")
    # A roof that is a little like a hill is none, whoever says that its colour is what it is taken for.
    board.box("E5", (120, 67, 0), 20)
    told_all = made(read(board, tmp_path, legend.replace("8c3cbe", "784300"))).map
    assert (told_all.hex("E5").terrain, told_all.hex("E5").level) == ("open", 0)


def test_half_a_wall_is_a_doubt_and_is_settled(tmp_path: Path) -> None:
    board = Painted()
    x, y = board.grid.centre("C3")
    board.brush.rectangle((x - 18, y + 28, x - 2, y + 36), fill=(158, 157, 157))
    found = made(read(board, tmp_path))
    assert "C3/C4" in {one.where for one in found.doubts}
    told = mark(found.text, ["C3/C4=right"])
    assert "C3/C4" not in {one.where for one in doubts_in(_data(told))}
    told = mark(found.text, ["C4/C3=wall"])
    assert "C3/C4" not in {one.where for one in doubts_in(_data(told))}


def test_on_a_painted_board_the_commonest_colours_are_ground_and_the_rest_stays_unknown(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path))
    terrain = {name: hex_.terrain for name, hex_ in found.map.hexes.items()}
    assert (terrain["A2"], terrain["F3"], terrain["G4"]) == ("open", "open", "open")
    assert (terrain["C2"], terrain["E3"], terrain["A6"]) == ("unknown", "unknown", "unknown")
    assert set(terrain.values()) == {"open", "unknown"}, "nothing is made of likeness by chance"
    assert {"C2", "E3", "A6"} <= {doubt.where for doubt in found.doubts if doubt.why == "colours without a meaning"}


def groups_of(found: Imported) -> list[set[str]]:
    groups = group_alike(found.doubts)
    return [{one.where for one in group} for group in groups]


def test_doubts_that_look_alike_are_one_group_and_are_settled_together(tmp_path: Path) -> None:
    board = painted_board()
    for name in ("C2", "F2", "G4"):
        board.box(name, (70, 110, 60), 40)
    board.box("E3", (130, 160, 215), 40)
    board.box("A2", (130, 160, 215), 40)
    found = made(read(board, tmp_path))
    woods = next(group for group in groups_of(found) if "C2" in group)
    assert {"C2", "F2", "G4"} == woods
    assert {"A2", "E3"} in groups_of(found), "another colour, another group"
    number = next(doubt.alike for doubt in found.doubts if doubt.where == "C2")
    told = mark(found.text, [f"alike:{number}=woods"])
    assert {name for name, hex_ in map_of(told).hexes.items() if hex_.terrain == "woods"} == woods
    assert not woods & {one.where for one in doubts_in(_data(told))}
    assert f'"{number}": [' in found.text.partition("alike:")[2]
    assert f'"{number}": [' not in told.partition("alike:")[2]
    assert {"A2", "E3"} <= {one.where for one in doubts_in(_data(told))}
    with pytest.raises(DataError, match=f"no group alike:{number}"):
        mark(told, [f"alike:{number}=right"])


def test_what_is_settled_alone_leaves_its_group(tmp_path: Path) -> None:
    board = painted_board()
    board.box("F2", (70, 110, 60), 40)
    board.box("G4", (70, 110, 60), 40)
    found = made(read(board, tmp_path))
    number = next(doubt.alike for doubt in found.doubts if doubt.where == "C2")
    told = mark(found.text, ["F2=open", f"alike:{number}=right"])
    assert map_of(told).hex("F2").terrain == "open"
    told = mark(mark(found.text, ["F2=open"]), [f"alike:{number}=stone:1"])
    houses = {house.hexes: house.levels for house in map_of(told).buildings}
    assert houses == {("C2",): 1, ("G4",): 1}, "each hex has a building of its own"
    assert map_of(told).hex("F2").building is None


def test_a_map_without_groups_has_each_doubt_for_itself(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path))
    data = {key: value for key, value in _data(found.text).items() if key != "alike"}
    groups = group_alike(doubts_in(data))
    assert len(groups) == len(found.doubts) > 10
    assert {len(group) for group in groups} == {1}


def test_hexes_taken_for_different_things_are_different_groups(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path))
    for group in groups_of(found):
        assert len({found.map.hex(name).terrain for name in group if "/" not in name}) <= 1


def test_hexsides_and_unknown_hexes_are_different_groups(tmp_path: Path) -> None:
    board = painted_board()
    for name in ("C2", "D2"):
        board.box(name, (70, 110, 60), 40)
    board.side("C2", 2, WALL, 4)
    board.side("D2", 3, WALL, 4)
    found = made(read(board, tmp_path))
    assert any("/" in one.where for one in found.doubts)
    for group in groups_of(found):
        assert len({"/" in name for name in group}) == 1


def test_the_smallest_of_many_groups_join_those_that_look_most_like_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = painted_board()
    for name in ("C2", "F2", "G4", "B3", "D4"):
        board.box(name, (70, 110, 60), 40)
    board.box("E3", (84, 120, 70), 40)
    board.box("A2", (130, 160, 215), 40)
    apart = groups_of(made(read(board, tmp_path)))
    assert {"E3"} in apart
    assert {"A2"} in apart
    monkeypatch.setattr(alike, "KEPT_GROUPS", 3)
    joined = groups_of(made(read(board, tmp_path)))
    assert len(joined) < len(apart)
    woods = next(group for group in joined if "C2" in group)
    assert {"C2", "F2", "G4", "B3", "D4", "E3"} <= woods
    assert "A4" not in woods, "the ground is another group"
    assert set().union(*apart) == set().union(*joined), "none is lost"


def test_what_is_alone_comes_after_all_groups() -> None:
    doubts = [Doubt("A1", 90, "several levels"), Doubt("A2", 20, "several levels", 4), Doubt("A3", 20, "x", 4)]
    assert [len(group) for group in group_alike(doubts)] == [2, 1]


def test_shades_of_one_colour_are_one_question() -> None:
    def entry(colour: str, share: float, now: str = "", sure: bool = False) -> LegendEntry:
        return LegendEntry(colour=colour, share=share, now=now, sure=sure, **{"is": ""})

    green, paler, open_, blue, known = (
        entry("#466e3c", 5),
        entry("#4c7442", 2),
        entry("#466e3d", 1, "open"),
        entry("#3c46c8", 6),
        entry("#466e3e", 9, sure=True),
    )
    assert group_shades([green, paler, open_, blue, known]) == ((green, paler), (blue,), (open_,), (known,))


def test_a_legend_of_a_painted_board_says_what_was_unknown(tmp_path: Path) -> None:
    legend = 'laager: vasl-legend/1\ncolours:\n  - {colour: "#466e3c", is: woods}\n'
    found = made(read(painted_board(), tmp_path, legend)).map
    assert (found.hex("C2").terrain, found.hex("E3").terrain) == ("woods", "unknown")
    told = mark(made(read(painted_board(), tmp_path)).text, ["C2,E3=water"])
    assert not {"C2", "E3"} & {one.where for one in doubts_in(_data(told))}


def with_grid(board: Painted, names: set[str]) -> Painted:
    """Return a board with the hex lines of some hexes drawn."""
    for name in names:
        for side in range(6):
            board.side(name, side, BLACK, 2)
    return board


def test_a_title_strip_is_no_terrain(tmp_path: Path) -> None:
    bare = made(read(painted_board(), tmp_path))
    strip = {name for name in bare.map.hexes if name.endswith("6")}
    board = with_grid(painted_board(), set(bare.map.hexes) - strip)
    board.brush.rectangle((0, board.image.height - 60, board.image.width, board.image.height), fill=(150, 60, 70))
    found = made(read(board, tmp_path))
    outside = set(found.map.hexes) - found.map.playable
    assert {name for name in strip if name[0] in "ACEG"} <= outside <= strip
    assert not outside & {end for doubt in found.doubts for end in doubt.where.split("/")}
    assert found.unknown == sum(found.map.hexes[name].terrain == "unknown" for name in found.map.playable)
    assert map_of(found.text).playable == found.map.playable


def test_without_a_drawn_grid_everything_is_map(tmp_path: Path) -> None:
    found = made(read(painted_board(), tmp_path)).map
    assert set(found.hexes) == found.playable


def test_a_lake_without_lines_inside_the_map_is_map(tmp_path: Path) -> None:
    names = set(made(read(painted_board(), tmp_path)).map.hexes)
    lake = {"D3", "D4", "C3", "C4", "E4", "E5", "D2"}
    board = with_grid(Painted(ground=(150, 178, 118)), names - lake)
    for name in lake:
        board.box(name, (130, 160, 215), 40)
    found = made(read(board, tmp_path)).map
    assert set(found.hexes) == found.playable
