"""Slopes of maps: in map files, in drawings, on boards of VASL and back."""

from __future__ import annotations

import pytest

from laager.base import DataError
from laager.hexmap import HexMap
from laager.hexmap.draw import Layers, draw_svg
from laager.vasl.archive import Archive
from laager.vasl.boards.board import board_of
from laager.vasl.boards.layout import arrange, parse_layout
from laager.vasl.making.archive import make_board_archive
from laager.vasl.making.losses import find_losses
from laager.vasl.maps.tomap import import_boards, place_alone

from .test_board_making import typed

SLOPES = {"C3": ["C2", "D3"], "E2": ["F2"]}


def sloped() -> HexMap:
    return typed(slopes=SLOPES)


def as_lists(map_: HexMap) -> dict[str, list[str]]:
    return {name: sorted(beyond) for name, beyond in map_.slopes.items()}


def test_a_map_keeps_its_slopes() -> None:
    map_ = sloped()
    assert as_lists(map_) == SLOPES
    again = HexMap.from_data(map_.to_data())
    assert as_lists(again) == SLOPES
    assert again.digest == map_.digest != typed().digest


def test_a_map_without_slopes_is_recorded_as_before() -> None:
    assert "slopes" not in typed().to_data()


@pytest.mark.parametrize(
    ("slopes", "told"),
    [
        ({"C3": ["C5"]}, "slopes.C3.*C3 and C5 do not touch; name the hex beyond the hexside"),
        ({"C3": ["Z9"]}, "no hex Z9 on this map"),
        ({"Z9": ["C3"]}, "no hex Z9 on this map"),
    ],
)
def test_slopes_that_are_none_are_told(slopes: dict[str, list[str]], told: str) -> None:
    with pytest.raises(DataError, match=told):
        typed(slopes=slopes)


def test_slopes_come_back_from_a_maps_own_board() -> None:
    map_ = sloped()
    archive = make_board_archive(map_, "bdMine")
    assert board_of(archive).metadata.slopes == {"C3": frozenset({0, 2}), "E2": frozenset({2})}
    assert find_losses(map_, archive) == ()
    board = board_of(archive)
    assert as_lists(import_boards(arrange([place_alone(board)]), [board]).map) == SLOPES


def test_slopes_turn_with_their_board() -> None:
    board = board_of(make_board_archive(sloped(), "bdMine"))
    lying = parse_layout("rMine", lambda name: place_alone(board), ["Mine"])
    turned = import_boards(lying, [board]).map
    assert as_lists(turned) == SLOPES


def test_a_slope_that_the_board_lacks_is_told() -> None:
    archive = make_board_archive(sloped(), "bdMine")
    flat = make_board_archive(typed(), "bdMine")
    assert [(loss.what, loss.where) for loss in find_losses(sloped(), Archive(flat.data, "bdMine"))] == [
        ("slope of C3", ("C2/C3", "C3/D3")),
        ("slope of E2", ("E2/F2",)),
    ]
    assert [loss.added for loss in find_losses(typed(), archive)] == [True, True]


def test_slopes_are_drawn_and_in_the_legend() -> None:
    assert "hexsides-slope" in draw_svg(sloped(), Layers())
    assert ">Slope<" in draw_svg(sloped(), Layers())
    assert "hexsides-slope" not in draw_svg(typed(), Layers())
