"""Types in the spellings of VASL and the rulebook, wherever a type is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError
from laager.base.files import Document
from laager.catalogue.dyo import DyoNation, load_dyo
from laager.rules.design_your_own.lines.infantry import counters_taken
from laager.rules.design_your_own.spelling import spell_value
from laager.rules.design_your_own.state import GivenValue
from laager.rules.design_your_own.steps.infantry import infantry
from laager.rules.design_your_own.steps.missing import form_of
from laager.rules.design_your_own.steps.ordnance import ordnance
from laager.rules.design_your_own.steps.vehicles import vehicles
from laager.rules.design_your_own.steps.works import fortifications

from .harness import cg_of, play

HEAD = {"laager": "dyo-catalogue/1", "nation": "german", "name": "German", "source": "my book"}


def german(**sections: Any) -> DyoNation:
    """The German nation with an own file laid over it."""
    own = Document({**HEAD, **sections}, "own.yaml")
    return load_dyo("german", own=[own])["german"]


def test_answers_to_purchase_questions_may_be_spelt_as_vasl_spells() -> None:
    cg = cg_of()
    lines = {"lines": [{"type": "467", "number": 1}]}
    play(infantry, cg, "axis", {"infantry": lines})
    guns = [{"type": "7.5cm PaK 40", "number": 1}]
    play(ordnance, cg, "axis", {"ordnance-dr": True, "ordnance": guns}, dice=[(1, 1)])
    tanks = [{"type": "PzKpfw IVH", "number": 1}, {"type": "wagon", "number": 1}]
    plan = {"roll": True, "motorized": False}
    play(vehicles, cg, "axis", {"vehicles-dr": plan, "vehicles": tanks}, dice=[(1, 1)])
    play(fortifications, cg, "axis", {"fortifications": [{"type": "Wire", "number": 2}]})
    ob = cg.ob("axis")
    assert counters_taken(ob.infantry) == {"4-6-7": 1}
    assert [entry.type for entry in ob.ordnance.guns] == ["75L AT PaK 40"]
    assert [entry.type for entry in ob.vehicles.entries] == ["PzIVH", "Wagon"]
    assert [work.type for work in ob.fortifications] == ["wire"]


def test_a_type_that_nothing_fits_is_refused_as_it_is_written() -> None:
    question = play(fortifications, cg_of(), "axis").question("fortifications")
    with pytest.raises(DataError, match="Moat is not one of the choices"):
        question.accept([{"type": "Moat", "number": 1}])


def test_sections_that_are_typed_name_types_in_any_spelling() -> None:
    form = form_of(("vehicles", "armament"), german())
    typed = {
        "vehicles": [{"type": "pzkpfw ivh", "afv": "yes", "bpv": 40, "rf": "1.0", "half_squad": "248"}],
        "armament": [{"vehicle": "PzKpfw IVH", "type": "AAMG", "fp": 4, "rf": "1.2"}],
    }
    parsed = form.parse(typed)
    assert (parsed["vehicles"][0]["type"], parsed["vehicles"][0]["half_squad"]) == ("PzIVH", "2-4-8")
    assert parsed["armament"][0]["vehicle"] == "PzIVH"
    assert form.parse(parsed) == parsed


def test_own_files_are_laid_over_the_types_that_they_mean() -> None:
    nation = german(
        vehicles=[{"type": "PzKpfw IVH", "bpv": 99}],
        armament=[{"vehicle": "PzKpfw IVH", "type": "AAMG", "fp": 9}],
        op_tanks=[{"type": "My OP", "counter": "PzKpfw IVH"}],
        squads=[{"type": "4-6-7", "half": "247"}],
    )
    assert nation.vehicle("PzIVH").bpv == 99
    assert [weapon.fp for weapon in nation.armament("PzIVH") if weapon.type == "AAMG"] == [9]
    assert nation.entry("op_tanks", "My OP").plain()["counter"] == "PzIVH"
    assert nation.mmc("4-6-7").half == "2-4-7"
    assert nation.origin("vehicles", "PzIVH", "bpv").source == "my book"


def test_a_file_that_has_both_spellings_has_two_types() -> None:
    nation = german(vehicles=[{"type": "PzIVH", "bpv": 98}, {"type": "PzKpfw IVH", "bpv": 99}])
    assert (nation.vehicle("PzIVH").bpv, nation.vehicle("PzKpfw IVH").bpv) == (98, 99)


def test_problems_of_a_spelt_entry_stand_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    head = "".join(f"{name}: {value}\n" for name, value in HEAD.items())
    file.write_text(f"{head}vehicles:\n  - {{type: PzKpfw IVH, half_squad: 9-9-9}}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_dyo("german", own=[file])
    (problem,) = caught.value.problems
    assert (problem.what, problem.line) == ("there is no half-squad '9-9-9'", 6)


@pytest.mark.parametrize(
    ("section", "type_", "field", "value", "spelt"),
    [
        ("vehicles", "PzKpfw IVH", "bpv", 60, ("PzIVH", 60)),
        ("armament", "PzKpfw IVH: aamg", "fp", 3, ("PzIVH: AAMG", 3)),
        ("op_tanks", "My OP", "counter", "PzKpfw IVH", ("My OP", "PzIVH")),
        ("oba", "1944", "7", "80+M 92", ("1944", "80+M 92")),
        ("capabilities", "", "lg", 5, ("", 5)),
    ],
)
def test_values_of_a_file_name_types_in_any_spelling(
    section: str, type_: str, field: str, value: str | int, spelt: tuple[str, str | int]
) -> None:
    made = spell_value(GivenValue(section=section, type=type_, field=field, value=value), german())
    assert (made.type, made.value) == spelt
