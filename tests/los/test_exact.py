"""The exact engine on maps made from boards: its names, what the map has changed, and when it is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError, Problem
from laager.hexmap import HexMap
from laager.los import Location
from laager.los.approximate.hexes import HexLos
from laager.los.exact import readiness
from laager.los.exact.compiled import has_numba
from laager.los.questions import board_engine
from laager.los.questions.board_engine import BoardLos, board_los
from laager.los.questions.engine import LosEngine
from laager.los.questions.requests import los_engine_of
from laager.vasl import arrange, boards_in, import_boards, open_archive, parse_layout, place_alone, read_board
from tests.hexmap.helpers import plain
from tests.vasl import board_writer as w
from tests.vasl.board_writer import Draft

needs_numba = pytest.mark.skipif(not has_numba(), reason="Numba isn't installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two boards of our own: woods on one, grain on the other."""
    for name, where, kind in (("bd01", "D3", w.WOODS), ("bd02", "C4", w.GRAIN)):
        draft = Draft(name=name.removeprefix("bd"), columns=9, rows=6)
        draft.fill(where, kind)
        (tmp_path / name).write_bytes(w.zip_bytes(draft.entries().items()))
    board_engine.forget()
    return tmp_path


def made(folder: Path, text: str) -> HexMap:
    boards = {path.name.removeprefix("bd"): read_board(path) for path in sorted(folder.iterdir())}
    layout = parse_layout(text, lambda name: place_alone(boards[name]) if name in boards else None, list(boards))
    return import_boards(layout, [boards[one.name] for one in layout.boards]).map


def eyes(map_: HexMap, folder: Path, *changed: str) -> LosEngine:
    readiness.compile_now()
    return board_los(map_, HexLos(map_), frozenset(changed), boards_in(folder))


@needs_numba
def test_a_board_alone_answers_as_vasl(folder: Path) -> None:
    map_ = made(folder, "01")
    found = eyes(map_, folder)
    assert isinstance(found, BoardLos)
    assert set(found.boards) == {"bd01"}
    one = found.compute_los(Location("1B3"), Location("1F3"))
    assert (one.blocked, one.approximate, one.block and one.block.hex) == (True, False, "1D3")
    assert found.glance(Location("1B3"), Location("1F3")) == (False, 0)
    assert found.glance(Location("1B3"), Location("1B5")) == (True, 0)
    assert found.locations("1D3") == (Location("1D3"),)


@needs_numba
def test_boards_beside_one_another_and_turned(folder: Path) -> None:
    map_ = made(folder, "01 r02")
    found = eyes(map_, folder)
    assert isinstance(found, BoardLos)
    rough = HexLos(map_)
    names = [name for name in map_.hexes if "4" in name]
    for one in names:
        for two in names:
            sight = found.compute_los(Location(one), Location(two))
            assert sight.source.hex == one
            assert sight.block is None or sight.block.hex in map_
            assert all(hindrance.hex in map_ for hindrance in sight.hindrances)
            assert found.glance(Location(one), Location(two)) == (sight.clear, sight.hindrance)
    agree = sum(
        found.compute_los(Location(one), Location(two)).clear == rough.compute_los(Location(one), Location(two)).clear
        for one in names for two in names
    )  # fmt: skip
    assert agree > 0.85 * len(names) ** 2


@needs_numba
def test_changed_ground_gets_the_approximate_answer(folder: Path) -> None:
    map_ = made(folder, "01")
    found = eyes(map_, folder, "1D3")
    over, aside = (
        found.compute_los(Location("1B3"), Location("1F3")),
        found.compute_los(Location("1B3"), Location("1B5")),
    )
    assert (over.approximate, aside.approximate) == (True, False)
    data = map_.to_data()
    rows = [[*row[:3], "brush"] if row[0] == "1D3" else row for row in data["hexes"]]
    edited = HexMap.from_data(data | {"hexes": rows})
    assert eyes(edited, folder).compute_los(Location("1B3"), Location("1F3")).approximate


@needs_numba
def test_without_its_boards_a_map_has_the_approximate_engine(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_ = made(folder, "01")
    assert isinstance(eyes(map_, tmp_path_factory.mktemp("empty")), HexLos)
    board_engine.forget()
    other = open_archive(folder / "bd02")
    readiness.compile_now()
    assert isinstance(board_los(map_, HexLos(map_), frozenset(), lambda _: other), HexLos), "another version"
    drawn = plain(5, 5)
    assert isinstance(los_engine_of(drawn, None, boards_in(folder)), HexLos)
    assert isinstance(los_engine_of(map_, None, None), HexLos)
    board_engine.forget()
    begun = []
    monkeypatch.setattr(readiness, "ready", lambda: False)
    monkeypatch.setattr(readiness, "prepare_in_background", lambda: begun.append(1))
    assert isinstance(los_engine_of(map_, None, boards_in(folder)), HexLos)
    assert begun == [1], "it is compiled in the background, not here"


def test_a_missing_board_is_no_error(folder: Path) -> None:
    def missing(file: str) -> object:
        raise DataError([Problem("the board is not there", file=file)])

    map_ = made(folder, "02")
    assert isinstance(board_los(map_, HexLos(map_), frozenset(), missing), HexLos)
    assert arrange([place_alone(read_board(folder / "bd01"))]).boards
