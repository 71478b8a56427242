"""Huts after the Pacific rules: VASL's own class, read, says that its LOS makes none."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from laager.los import board_map
from tests.los.boards import SHARED, archive_of
from tests.los.drafts import varied

MODULE = SHARED / "vassal" / "VASL.vmod"


@pytest.mark.skipif(not MODULE.exists() or shutil.which("javap") is None, reason="needs VASL and javap in ../shared")
def test_vasls_function_for_huts_is_empty() -> None:
    words = ["javap", "-c", "-p", "-cp", str(MODULE), "VASL.build.module.map.boardPicker.VASLBoard"]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    called = told.partition("Method buildingsToHuts")[2]
    body = told.partition("void buildingsToHuts(")[2].partition("\n\n")[0]
    assert called, "the Pacific rules call it"
    assert [line.split()[1] for line in body.splitlines()[2:] if line.strip()] == ["return"]


def test_pacific_rules_leave_buildings_as_they_are() -> None:
    bare, pacific = board_map(archive_of(varied())), board_map(archive_of(varied()), ["PalmTrees"])
    stone = bare.hexes.centre[bare.by_name["E5"]]
    assert pacific.hexes.centre[pacific.by_name["E5"]] == stone
    assert pacific.of_hex("E5") == bare.of_hex("E5")
