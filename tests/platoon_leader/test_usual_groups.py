"""The usual groups of a nation: lines of a chart that hold together, for every nation and year."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from laager.base.files import parse_document
from laager.catalogue import load_packaged, packaged_nations
from laager.catalogue.dyo import Month
from laager.rules.platoon_leader.card.card import ReinforcementGroup
from laager.rules.platoon_leader.card.usual import usual_groups

TRAINING = Path(str(files("laager"))) / "packs" / "pl" / "training.yaml"


@pytest.mark.parametrize("nation", packaged_nations())
def test_every_group_is_a_line_of_a_chart(nation: str) -> None:
    catalogue = load_packaged(nation)[nation]
    for month in (None, Month(1940, 6), Month(1943, 7), Month(1945, 4)):
        groups = usual_groups(catalogue, month)
        assert groups
        names = [(group.name, str(group.line.get("units"))) for group in groups]
        assert len(names) == len(set(names))
        for number, group in enumerate(groups):
            line = ReinforcementGroup.model_validate({"id": f"{group.letters}{number % 99 + 1}", **group.line})
            assert line.cost >= 1
            for unit in line.units:
                assert unit.type in catalogue, unit.type


def test_only_what_there_is_in_a_month() -> None:
    german = load_packaged("german")["german"]
    early = {group.name for group in usual_groups(german, Month(1940, 6))}
    late = {group.name for group in usual_groups(german, Month(1944, 9))}
    assert "Platoon of PzIVH" in late - early
    assert "Rifle platoon" in early & late
    assert late < {group.name for group in usual_groups(german)}


def test_prices_are_those_of_the_cards_that_ship() -> None:
    """Within two CP of what our own cards ask for the same units."""
    data = parse_document((TRAINING.parent / "rzhavets.yaml").read_text(encoding="utf-8"), "").data
    compared = 0
    for side in ("axis", "allied"):
        nation = data["sides"][side]["nation"]
        usual = {str(group.line.get("units")): group for group in usual_groups(load_packaged(nation)[nation])}
        for line in data["sides"][side]["chart"]:
            group = usual.get(str(line.get("units"))) if line.get("units") else None
            if group is not None:
                compared += 1
                assert abs(line["cost"] - group.line["cost"]) <= 2, (line, group)
    assert compared > 10
