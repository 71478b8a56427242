"""`laager vasl mark`: telling on the command line what hexes are."""

from __future__ import annotations

import json

import pytest

from laager.hexmap import load_map
from laager.vasl.maps.marking_places import FREE

from ..vasl.board_writer import old_board
from .conftest import Laager


@pytest.fixture
def bare(laager: Laager) -> Laager:
    """A folder with the map of a board that knows nothing of its terrain."""
    old_board(laager.folder, "OLD", (200, 200), "x0 0\ny0 32\n")
    out = laager.well("map", "import", "bdOLD", "-o", "map.yaml")
    assert "laager vasl mark" in out
    return laager


def test_without_changes_it_says_what_is_unknown(bare: Laager) -> None:
    before = (bare.folder / "map.yaml").read_bytes()
    told = bare.well("vasl", "mark", "map.yaml")
    assert told.startswith("The terrain of 14 hexes is not known: A1-A3, B0-B3")
    assert (bare.folder / "map.yaml").read_bytes() == before
    found = json.loads(bare.well("vasl", "mark", "map.yaml", "--json"))
    assert len(found["unknown"]) == 14


def test_changes_are_written_into_the_map(bare: Laager) -> None:
    told = bare.well("vasl", "mark", "map.yaml", "A1-A3=woods", "B1=stone:1", "A1/B1=wall")
    assert told.startswith("written: map.yaml (3 changes)\nThe terrain of 10 hexes is not known")
    found = load_map(bare.folder / "map.yaml")
    assert found.hex("A2").terrain == "woods"
    assert found.hexsides["A1", "B1"] == {"wall"}
    assert bare.well("check", "map.yaml")
    assert bare.well("map", "map.yaml", "--out", "m.svg") == "drawn: m.svg\n"


def test_changes_of_a_file_and_another_map(bare: Laager) -> None:
    (bare.folder / "hexes.txt").write_text("# seen\nA1-A3, B0-B3 = open\nC1-C3,D0-D3=grain\n")
    before = (bare.folder / "map.yaml").read_bytes()
    told = bare.well("vasl", "mark", "map.yaml", "--from", "hexes.txt", "-o", "new.yaml")
    assert told == ("written: new.yaml (2 changes)\nEvery hex in play is known.\n")
    assert (bare.folder / "map.yaml").read_bytes() == before
    assert load_map(bare.folder / "new.yaml").hex("C1").terrain == "grain"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("map.yaml", "C99=woods"), "there is no hex C99"),
        (("none.yaml", "C1=woods"), "there is no such file"),
        (("map.yaml", "C1=woods", "-o", "bdOLD"), "already exists"),
        (("map.yaml", "--from", "none.txt"), "there is no such file"),
        (("bdOLD", "C1=woods"), "is not UTF-8 text"),
    ],
)
def test_what_will_not_do(bare: Laager, words: tuple[str, ...], said: str) -> None:
    before = (bare.folder / "map.yaml").read_bytes()
    ended = bare("vasl", "mark", *words)
    assert ended.code != 0
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert (bare.folder / "map.yaml").read_bytes() == before


def test_the_help_names_everything_that_a_change_can_be(laager: Laager) -> None:
    told = " ".join(laager.well("vasl", "mark", "--help").split())
    for word in (*FREE, "no-block", "strategic", "single", "same-edge", "rest=right", "blockhouse", "woods=jungle"):
        assert word in told, word
