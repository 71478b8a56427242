"""Pre-Game Bombardment: who may use it, areas, immune hexes, what is kept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.hexmap import Parallelogram, bombardment_areas
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.reminders import bombardments as reminders
from laager.rules.edsons_ridge.steps import bombardment as rules
from laager.rules.edsons_ridge.steps.bombardment import bombardment_question, bombardments, lose_bombardments
from tests.edsons_ridge.scene import at_date, chits, group, scene
from tests.historical.driver import run


def attack(axis: str = "attack", allied: str = "idle", **more: Any) -> Er:
    cg = chits(at_date(scene(**more), "13D"), axis, allied)
    group(cg, "axis", "M1")
    group(cg, "allied", "M1")
    return cg


def area(corners: str, which: int = 1) -> dict[str, Any]:
    corner, _, opposite = corners.partition("-")
    return {"corner": corner, "opposite": opposite, "which": which}


@pytest.mark.parametrize(
    ("areas", "message"),
    [
        (("A5-O14", "P5-DD14"), ""),
        (("A5-O14", "P8-DD17"), ""),
        (("A5-O14",), ""),
        (("A5-O14", "P9-DD18"), "6 hexes of the first area touch the second"),
        (("A5-O14", "O5-CC14"), "the areas overlap"),
        (("A5-O14", "P5-DD14", "A15-O24"), "3 rows are too many; 2 at most"),
        (("A5-C9",), "no area of 10 x 15 hexes lies between A5 and C9"),
        (("A5-ZZ9",), "no area of 10 x 15 hexes lies between A5 and ZZ9"),
    ],
)
def test_areas(areas: tuple[str, ...], message: str) -> None:
    question = bombardment_question(attack(), "axis")
    answer = {"areas": [area(one) for one in areas]}
    if not message:
        question.accept(answer)
        return
    with pytest.raises(DataError) as told:
        question.accept(answer)
    assert message in str(told.value)


def named(cg: Er, one: Parallelogram) -> dict[str, Any]:
    """The row that names an area: its corners, and which of those between them it is."""
    row = area(one.name(cg.map))
    hexes = [found.hexes(cg.map) for found in rules.areas_between(cg, row)]
    return {**row, "which": 1 + hexes.index(one.hexes(cg.map))}


def test_areas_of_another_grain() -> None:
    cg = attack()
    every = bombardment_areas(cg.map)
    turned = named(cg, next(one for one in every if "n" not in {way for way, _ in one.grains}))
    question = bombardment_question(cg, "axis")
    question.accept({"areas": [turned]})
    with pytest.raises(DataError, match="different hex grains"):
        question.accept({"areas": [area("A5-O14"), turned]})
    with pytest.raises(DataError, match="no area of 10 x 15 hexes lies between A5 and O14"):
        question.accept({"areas": [area("A5-O14", which=9)]})


def test_the_single_area_of_the_u_s() -> None:
    cg = attack("idle", "attack")
    question = bombardment_question(cg, "allied")
    question.accept({"single": True, "areas": [area("A5-O14")]})
    with pytest.raises(DataError, match="a single area was declared"):
        question.accept({"single": True, "areas": [area("A5-O14"), area("P5-DD14")]})
    with pytest.raises(DataError, match="single: is not known here"):
        bombardment_question(attack(), "axis").accept({"single": True, "areas": []})
    assert "for the U.S." in str(next(rules.area_problems(cg, "axis", [], single=True)))
    assert [rules.morale_check(cg, single) for single in (False, True)] == [2, 3]


def test_level_areas_only_by_the_reading() -> None:
    slanted = Parallelogram("A3", "s", "se", 10, 15, level=False)
    row = named(attack(), slanted)
    able = rules.areas_between(attack(readings={"bombardment-shape": "level"}), row)
    assert all(one.level for one in able)
    assert len(able) < len(rules.areas_between(attack(), row))


def test_a_bombardment_is_plotted_and_used_up() -> None:
    cg = attack()
    answers = {"bombardment": {"areas": [area("A5-O14"), area("P5-DD14")]}, "immune-hexes": "K12, P9"}
    played = run(bombardments, cg, None, answers)
    (plotted,) = cg.state.bombardments[2]
    assert (plotted.areas, plotted.mc, plotted.immune) == (("A5-O14", "P5-DD14"), 2, ("K12", "P9"))
    assert played.of("bombardment-plotted")[0].to is None
    assert cg.state.groups["axis", "M1/1"].lost == "fallen"
    assert "2MC; immune: K12, P9" in next(reminders(cg)).text
    assert cg.state.groups["allied", "M1/1"].lost == ""


def test_immune_hexes_are_in_the_areas() -> None:
    cg = attack()
    found = rules.areas_of(cg, [area("A5-O14")])
    told = [str(one) for one in rules.immune_problems(cg, found, ["K12", "K12", "P9", "ZZ1"])]
    assert told == [
        "P9 is in no Bombardment area; name hexes that are",
        "ZZ1 is in no Bombardment area; name hexes that are",
        "K12 is named twice; name it once",
    ]


def test_both_may_in_a_dual_attack_the_japanese_first() -> None:
    cg = attack("attack", "attack")
    answers = {
        "bombardment@axis": {"areas": [area("A5-O14")]},
        "bombardment@allied": {"single": True, "areas": [area("P5-DD14")]},
    }
    run(bombardments, cg, None, answers)
    assert [(one.side, one.mc) for one in cg.state.bombardments[2]] == [("axis", 2), ("allied", 3)]


def test_whoever_keeps_it_or_is_idle_uses_none() -> None:
    cg = attack()
    played = run(bombardments, cg)
    assert [question.side for question in played.asked] == ["axis"]
    assert not played.facts
    assert rules.usable_bombardments(cg, "allied") == 0
    own = cg.charts.sides["axis"]
    cg.charts.sides["axis"] = own.model_copy(update={"rg": own.rg[:2] if own.rg else ()})
    assert not run(bombardments, cg).asked


@pytest.mark.parametrize(("reading", "lost"), [("kept", ""), ("lost", "the side stayed Idle")])
def test_after_idle(reading: str, lost: str) -> None:
    cg = attack("attack", "idle", readings={"bombardment-idle": reading})

    def idle(_: Er) -> Any:
        yield from lose_bombardments(cg)

    run(idle, cg)
    assert cg.state.groups["allied", "M1/1"].lost == lost
    assert cg.state.groups["axis", "M1/1"].lost == ""


def test_by_chance() -> None:
    question = bombardment_question(attack(), "axis")
    assert all(question.allows(question.sample(Random(seed))) for seed in range(6))
    assert any(question.sample(Random(seed))["areas"] for seed in range(6))
