"""`laager map --see`: what can be seen from where, drawn and said; from a map file and from a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from laager.campaign.cards import find_card

from .conftest import Laager

RZHAVETS = str(Path(find_card("rzhavets", None)[0]).with_name("rzhavets-map.yaml"))


def test_a_viewshed_of_a_map_file(laager: Laager, tmp_path: Path) -> None:
    out = tmp_path / "seen.svg"
    said = laager.well("map", RZHAVETS, "--see", "m8", "--range", "8", "--out", str(out))
    assert "hexes not seen" in said
    assert "approximate: from hexes, not from VASL's terrain data" in said
    assert 'id="layer-sight"' in out.read_text()
    back = laager.well("map", RZHAVETS, "--see", "M8", "--back", "--range", "8", "--out", str(out))
    assert "hexes seen" in back


def test_a_line_in_a_sentence(laager: Laager, tmp_path: Path) -> None:
    out = str(tmp_path / "line.svg")
    assert "M8 doesn't see F5 (range 7): blocked at" in laager.well(
        "map", RZHAVETS, "--see", "M8", "--to", "F5", "-o", out
    )
    assert "F5 doesn't see M8" in laager.well("map", RZHAVETS, "--see", "M8", "--to", "F5", "--back", "-o", out)


def test_a_campaigns_side(laager: Laager, tmp_path: Path) -> None:
    file, out = str(tmp_path / "one.laager"), str(tmp_path / "map.svg")
    laager.well("new", "rzhavets", "--file", file)
    assert "M8 sees M8" in laager.well("map", "-c", file, "--side", "axis", "--see", "M8", "--to", "M8", "-o", out)
    ended = laager("map", "-c", file, "--side", "axis", "--see", "fire", "-o", out)
    assert "you see no units of your own side on the map that could look" in ended.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--to", "M8"), "go with --see LOCATION"),
        (("--see", "fire", "--back"), "goes with --range alone"),
        (("--see", "ZZ99"), "there is no hex 'ZZ99' on the map"),
    ],
)
def test_what_does_not_fit_is_said(words: tuple[str, ...], said: str, laager: Laager, tmp_path: Path) -> None:
    ended = laager("map", RZHAVETS, *words, "-o", str(tmp_path / "map.svg"))
    assert ended.code
    assert said in ended.err
