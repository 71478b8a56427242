"""Orders of battle as files: written from a purchase, read again, refused where they lie."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from laager.base import DataError
from laager.kinds import CHECKERS
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import load_ob, ob_data, shipped_terms
from laager.rules.design_your_own.terms import SIDES
from tests.design_your_own.harness import by_chance, new_purchase


def written(folder: Path, data: dict[str, Any]) -> Path:
    path = folder / "ob.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return path


def bought(seed: int) -> Cg:
    campaign = new_purchase(axis={"points": 1500}, allied={"points": 1500})
    by_chance(campaign, Random(seed))
    assert isinstance(campaign.context, Cg)
    return campaign.context


@pytest.mark.parametrize("seed", range(4))
def test_what_was_bought_is_read_as_it_was_written(seed: int, tmp_path: Path) -> None:
    cg = bought(seed)
    for side in SIDES:
        loaded = load_ob(written(tmp_path, ob_data(cg, side)))
        assert loaded.ob == cg.ob(side)
        assert loaded.terms.terms == cg.terms


def minimal(**changes: Any) -> dict[str, Any]:
    ob = {"side": "axis", "nation": "german", "allotment": 1000, **changes}
    return {"laager": "dyo-ob/1", "terms": "terms.yaml", "ob": ob}


def beside(folder: Path) -> None:
    text = shipped_terms()["vistula"].read_text(encoding="utf-8")
    (folder / "terms.yaml").write_text(text, encoding="utf-8")


def test_terms_can_be_a_file_beside_it(tmp_path: Path) -> None:
    beside(tmp_path)
    infantry = [{"type": "4-6-7", "number": 3}]
    path = written(tmp_path, minimal(infantry=infantry))
    assert load_ob(path).ob.infantry[0].number == 3
    assert CHECKERS["dyo-ob"](path) == []
    assert CHECKERS["dyo"](tmp_path / "terms.yaml") == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"nation": "russian"}, "ob.nation: axis is not russian; german, as the terms have it"),
        ({"allotment": 900}, "ob.allotment: 900 points are not the allotment; 1000"),
        ({"infantry": [{"type": "4-6-7", "number": 0}]}, "ob.infantry[1].number: 0 is too low"),
        ({"infantry": [{"number": 1}]}, "ob.infantry[1].type: is missing; add it"),
        ({"infantri": []}, "ob.infantri: is not known here; did you mean infantry?"),
        ({"side": "east"}, 'ob.side: "east" is not known here'),
        ({"oba": [{"dr": {"final": 4}, "sort": "X"}]}, "ob.oba[1].sort"),
        ({"vehicles": {"trios": [{"vehicles": []}]}}, "ob.vehicles.trios[1].dr: is missing"),
    ],
)
def test_refusals(changes: dict[str, Any], words: str, tmp_path: Path) -> None:
    beside(tmp_path)
    with pytest.raises(DataError) as caught:
        load_ob(written(tmp_path, minimal(**changes)))
    assert any(words in str(problem) for problem in caught.value.problems), str(caught.value)


def test_terms_inside_are_checked_at_their_place(tmp_path: Path) -> None:
    cg = bought(1)
    data = ob_data(cg, "axis")
    del data["terms"]["sides"]["allied"]["elr"]
    data["terms"]["date"] = "1938-05"
    with pytest.raises(DataError) as caught:
        load_ob(written(tmp_path, data))
    assert "terms.sides.allied: the ELR Chart doesn't give" in str(caught.value)
