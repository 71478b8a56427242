"""`laager vasl board`: a board of VASL, made of a map."""

from __future__ import annotations

import json

from laager.hexmap import load_map

from .conftest import Laager


def test_the_command(laager: Laager) -> None:
    said = laager.well("vasl", "board", "rijnoord", "-o", "bdRijnoord")
    assert "written: bdRijnoord (846 hexes)" in said
    assert "blockhouse: S18" in said
    assert (
        "already exists; name another file with --out, or add --force"
        in laager("vasl", "board", "rijnoord", "-o", "bdRijnoord").err
    )
    laager.well("vasl", "import", "bdRijnoord", "-o", "back.yaml")
    assert load_map(laager.folder / "back.yaml").hexes["S18"].terrain == "open"
    made = json.loads(laager.well("vasl", "board", "back.yaml", "-o", "bdAgain", "--json"))
    assert made["losses"] == []
    assert "the card vistula has no map" in laager("vasl", "board", "vistula", "-o", "bdVistula").err


def test_no_file_is_left_of_a_map_that_is_no_board(laager: Laager) -> None:
    assert laager("vasl", "board", "training", "-o", "bd12").code == 3
    assert not (laager.folder / "bd12").exists()
