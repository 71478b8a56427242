"""The shipped files against a second reading of them, and what loading must not depend on."""

from __future__ import annotations

import dataclasses
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from laager.catalogue import (
    CatalogueFile,
    FortificationsFile,
    Kind,
    load_fortifications,
    load_packaged,
    packaged_nations,
)

FOLDER = Path(str(files("laager.packs").joinpath("catalogue")))


def raw(name: str) -> Any:
    return YAML(typ="safe", pure=True).load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", packaged_nations())
def test_every_entry_of_a_file_is_in_the_nation(name: str) -> None:
    data = raw(name)
    nation = load_packaged(name).nation(name)
    kinds = Counter(entry.get("kind", "squad") for entry in data["squads"])
    kinds["leader"] = len(data["leaders"]["ladder"])
    kinds["armor-leader"] = len(data["leaders"].get("armor", []))
    kinds["commissar"] = len(data["leaders"].get("commissars", []))
    kinds["hero"] = 1
    kinds["sw"] = len(data["support_weapons"])
    kinds["gun"] = sum(len(group["types"]) for group in data.get("guns", []))
    for group in data.get("vehicles", []):
        kinds[group["kind"]] += len(group["types"])
    assert {kind: len(nation.types(kind)) for kind in Kind} == {kind: kinds[kind] for kind in Kind}


@pytest.mark.parametrize("name", packaged_nations())
def test_values_of_guns_and_vehicles_are_labelled_house(name: str) -> None:
    nation = load_packaged(name).nation(name)
    for unit in (*nation.guns.values(), *nation.vehicles.values()):
        assert unit.is_house("cvp")
    assert all(unit.is_house("passengers") for unit in nation.vehicles.values() if unit.passengers)


def test_a_file_adds_to_a_shipped_nation(tmp_path: Path) -> None:
    more = tmp_path / "more.yaml"
    more.write_text(
        "laager: catalogue/1\nnation: german\nname: German\nsource: a card\n"
        "vehicles:\n  - {sort: heavy tank, kind: afv, cvp: 9, types: [Maus]}\n",
        encoding="utf-8",
    )
    catalogue = load_packaged("german", "russian", also=[more])
    assert list(catalogue) == ["german", "russian"]
    assert len(catalogue) == 2
    maus = catalogue["german"].vehicles["Maus"]
    assert (maus.cvp, maus.house, maus.crew) == (9, (), "1-2-7")
    assert "Maus" not in load_packaged("german")["german"]


def test_values_cannot_be_changed() -> None:
    catalogue = load_packaged("german")
    nation = catalogue["german"]
    with pytest.raises(TypeError):
        nation.mmc["4-6-7"] = nation.mmc["4-6-8"]  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        nation.name = "Hun"  # type: ignore[misc]
    with pytest.raises(TypeError):
        catalogue.nations["x"] = nation  # type: ignore[index]


def test_fortifications_of_platoon_leader() -> None:
    forts = load_fortifications()
    listed = {mark: {t for t, one in forts.items() if getattr(one, mark)} for mark in MARKS}
    assert listed == {mark: set(words.split()) for mark, words in MARKS.items()}
    assert forts["foxhole"].sizes == (1, 2, 3)
    assert forts["booby-traps"].levels == ("C", "B", "A")
    assert all(one.type == text for text, one in forts.items())


MARKS = {
    "shown_in_open": "foxhole sangar trench roadblock",
    "isolated": "foxhole sangar concealment fortified-building",
    "initial_only": "pillbox tunnel a-t-ditch known-minefield cave cave-complex tetrahedrons panji",
    "clearable": "wire roadblock a-p-mines a-t-mines a-b-mines known-minefield set-dc",
    "mine": "a-p-mines a-t-mines a-b-mines known-minefield",
    "entrenchment": "foxhole sangar trench a-t-ditch",
}


def test_the_schemas_can_be_written() -> None:
    for model in (CatalogueFile, FortificationsFile):
        schema = model.model_json_schema()
        assert schema["additionalProperties"] is False
    assert "class" in CatalogueFile.model_json_schema()["$defs"]["MmcEntry"]["properties"]
