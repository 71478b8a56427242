"""Orders of battle that cannot even be checked: each is refused with its place and a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from laager.base import DataError
from laager.rules.design_your_own.files import load_ob
from tests.design_your_own.test_mutations import BATTLE_GROUP, _read, changed

BROKEN: dict[str, list[dict[str, Any]]] = _read("broken.yaml")


def refused(folder: Path, text: str) -> str:
    path = folder / "ob.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_ob(path)
    said = [str(problem) for problem in caught.value.problems]
    assert all(said)
    return "\n".join(said)


def test_there_are_enough_of_them() -> None:
    assert len(BROKEN["obs"]) + len(BROKEN["terms"]) >= 50


@pytest.mark.parametrize("broken", BROKEN["obs"], ids=[str(one["change"]) for one in BROKEN["obs"]])
def test_broken_orders_of_battle(broken: dict[str, Any], tmp_path: Path) -> None:
    text = yaml.safe_dump(changed(BATTLE_GROUP, broken["change"]), allow_unicode=True)
    said = refused(tmp_path, text)
    assert broken["says"] in said
    assert "ob.yaml" in said or "nowhere.yaml" in said


@pytest.mark.parametrize("broken", BROKEN["terms"], ids=[str(one["change"]) for one in BROKEN["terms"]])
def test_broken_terms(broken: dict[str, Any], tmp_path: Path) -> None:
    change = {f"/terms.{path}": value for path, value in broken["change"].items()}
    data = changed(BATTLE_GROUP, change)
    said = refused(tmp_path, yaml.safe_dump(data, allow_unicode=True))
    assert broken["says"] in said
    assert "ob.yaml" in said or "nowhere.yaml" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("laager: dyo-ob/1\n\tob: 1", "ob.yaml:2"),
        ("[1, 2", "ob.yaml"),
        ("just words", "ob.yaml"),
        ("laager: dyo-ob/1\nlaager: dyo-ob/1\nob: {}", "ob.yaml:2"),
    ],
)
def test_no_yaml_at_all(text: str, says: str, tmp_path: Path) -> None:
    assert says in refused(tmp_path, text)


def test_all_problems_at_once_with_their_lines(tmp_path: Path) -> None:
    text = "laager: dyo-ob/1\nterms: t.yaml\nob:\n  side: axis\n  nation: german\n  san: x\n"
    said = refused(tmp_path, text)
    assert "ob.yaml:6: ob.san: " in said
    assert "ob.yaml:4: ob.allotment: is missing" in said or "ob.allotment: is missing" in said
