"""The vasl-templates program's own loader takes what Laager exports.

It needs the program's sources, which are not Laager's to carry: the variable
LAAGER_VASL_TEMPLATES names the folder of a copy. Without it (or without Node) these tests are
skipped; test_exports.py holds the schema and the table of ids.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.catalogue.dyo.spelling import pieces_of
from laager.rules.design_your_own.exports import vasl_templates as vasl
from laager.rules.design_your_own.exports.vasl_templates import vasl_templates
from laager.rules.design_your_own.ob import GunEntry, Ordnance, VehicleEntry, Vehicles
from tests.design_your_own.harness import by_chance, cg_of, new_purchase

VARIABLE = "LAAGER_VASL_TEMPLATES"
FOLDER = os.environ.get(VARIABLE, "")
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    not FOLDER or NODE is None,
    reason=f"set {VARIABLE} to a folder with the sources of vasl-templates; it needs node too",
)


def loaded(scenario: Any) -> dict[str, Any]:
    """What the program's loader made of a scenario."""
    assert NODE is not None
    script = Path(__file__).with_name("vasl_loader.js")
    done = subprocess.run(
        [NODE, str(script), FOLDER], input=json.dumps(scenario), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def whole(scenario: Any) -> dict[str, Any]:
    """Load a scenario, and check that nothing of it was refused."""
    told = loaded(scenario)
    assert (told["warnings"], told["errors"]) == ([], [])
    return told


def test_every_vehicle_and_gun_is_found_by_its_id() -> None:
    cg = cg_of(theatre="North Africa")
    for side, nation in (("axis", "german"), ("allied", "russian")):
        pieces = pieces_of(nation)
        vehicles = tuple(VehicleEntry(type=type_, id="A") for type_ in pieces["vehicles"])
        guns = tuple(GunEntry(type=type_) for type_ in pieces["ordnance"])
        cg.state = cg.state.with_ob(side, vehicles=Vehicles(entries=vehicles), ordnance=Ordnance(guns=guns))
    told = whole(vasl_templates(cg))
    added = {one["id"]: one.get("name") for one in told["added"] if "id" in one}
    expected = {
        piece.id: piece.name
        for nation in ("german", "russian")
        for kind in pieces_of(nation).values()
        for piece in kind.values()
    }
    # An entry of the program that copies another one has no name of its own.
    assert {id_: added[id_] or name for id_, name in expected.items()} == expected
    assert added.keys() == expected.keys()
    assert told["set"]["SCENARIO_THEATER"] == "DTO"


@pytest.mark.parametrize("seed", range(4))
def test_purchases_are_taken_whole(seed: int) -> None:
    groups = [{"turn": 3, "squads": 2}]
    campaign = new_purchase(axis={"points": 2000, "reinforcements": groups})
    by_chance(campaign, Random(seed))
    cg = campaign.context
    scenario = vasl_templates(cg)  # type: ignore[arg-type]
    told = whole(scenario)
    for name in ("SCENARIO_NAME", "SCENARIO_DATE", "PLAYER_1", "PLAYER_2_ELR", "PLAYER_2_SAN"):
        assert told["set"][name] == scenario[name]


@pytest.mark.parametrize("nation", sorted({*vasl.NATIONALITIES.values()}))
def test_nationalities_are_the_programs(nation: str) -> None:
    whole({**vasl_templates(cg_of()), "PLAYER_2": nation})


@pytest.mark.parametrize("theater", sorted({"ETO", *vasl.THEATERS.values()}))
def test_theaters_are_the_programs(theater: str) -> None:
    told = whole({**vasl_templates(cg_of()), "SCENARIO_THEATER": theater})
    assert told["set"]["SCENARIO_THEATER"] == theater


def test_the_loader_is_the_real_one() -> None:
    """It complains of what the program does not have."""
    scenario = {**vasl_templates(cg_of()), "NO_SUCH": "x", "SCENARIO_THEATER": "moon"}
    told = loaded({**scenario, "OB_VEHICLES_1": [{"id": "ge/v:999", "name": "x", "seq_id": 1}]})
    assert any("NO_SUCH" in one for one in told["warnings"])
    assert any("ge/v:999" in one for one in told["warnings"])
    assert told["errors"] == ['SCENARIO_THEATER offers no "moon"']
