"""Equipment that nobody possesses, hidden fortifications, immobile vehicles."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.hasl.refit.equipment import equipment_possession, likely_owner, own_question
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Mark, Place
from tests.historical.aftermath import aftermath
from tests.historical.driver import Played, run
from tests.historical.small import add
from tests.report_rows import cvp, ours
from tests.steps import refusals

KNOWN = {"known": True}


def owned(cg: Any, *rows: dict[str, str]) -> Played:
    return run(equipment_possession, cg, answers={"equipment": list(rows)})


@pytest.mark.parametrize(
    ("at", "owner"),
    [
        ("B4", ("allied", "AL1")),
        ("B5", ("allied", "")),
        ("G2", ("axis", "AX1")),
        ("H4", ("axis", "")),
        ("E3", ("eliminated", "")),
    ],
)
def test_the_proposal(at: str, owner: tuple[str, str]) -> None:
    """An MMC there, else the Setup Area; in Uncontrolled Territory it is lost."""
    cg = aftermath()
    item = add(cg, "allied", "LMG", "sw", at, **KNOWN)
    assert likely_owner(cg, item) == owner


def test_what_is_possessed_is_not_asked_about() -> None:
    cg = aftermath()
    played = run(equipment_possession, cg)
    assert [question.key for question in played.asked] == ["own-equipment", "own-equipment"]


def test_own_equipment_is_possessed_again_and_retained_where_that_is() -> None:
    cg = aftermath()
    item = add(cg, "allied", "LMG", "sw", "B5", **KNOWN)
    owned(cg, {"unit": item.id, "owner": "allied", "by": "AL1"})
    assert (ours(cg, item.id).with_unit, ours(cg, item.id).at) == ("AL1", "B4")
    assert ours(cg, item.id).area == "W"
    other = add(cg, "allied", "LMG", "sw", "B5", **KNOWN)
    owned(cg, {"unit": other.id, "owner": "allied"})
    assert (ours(cg, other.id).with_unit, ours(cg, other.id).area) == ("", "W")
    assert cvp(cg) == (0, 0)


def test_equipment_that_the_enemy_gets_leaves_its_owners_ob() -> None:
    cg = aftermath()
    item = add(cg, "allied", "LMG", "sw", "G2", Mark.MALFUNCTIONED, **KNOWN)
    gun = add(cg, "allied", "57L AT OQF 6pdr 7cwt", "gun", "H4", **KNOWN)
    played = run(equipment_possession, cg)
    assert ours(cg, item.id).place is Place.CAPTURED
    assert ours(cg, gun.id).place is Place.CAPTURED
    mine = [u for u in cg.state.units_of("axis") if u.has(Mark.CAPTURED)]
    assert [(u.type, u.with_unit, u.at) for u in mine] == [("LMG", "AX1", "G2"), ("57L AT OQF 6pdr 7cwt", "", "H4")]
    assert mine[0].has(Mark.MALFUNCTIONED)
    nation = cg.nation("allied")
    assert cvp(cg) == (nation.cvp("LMG") + nation.cvp("57L AT OQF 6pdr 7cwt"), 0)
    text = played.questions("equipment-agreed")[0].text
    assert f"LMG ({item.id}): German (AX1)" in text


def test_what_nobody_gets_is_eliminated_with_its_cvp() -> None:
    cg = aftermath()
    gun = add(cg, "allied", "57L AT OQF 6pdr 7cwt", "gun", "E3", **KNOWN)
    run(equipment_possession, cg)
    assert ours(cg, gun.id).place is Place.ELIMINATED
    assert cvp(cg) == (cg.nation("allied").cvp(gun.type), 0)


def test_abandoned_vehicles_are_equipment() -> None:
    cg = aftermath()
    cg.state = cg.state.with_unit("AL7", lambda u: u.but(marks=frozenset({Mark.ABANDONED}), at="H4"))
    owned(cg, {"unit": "AL7", "owner": "axis"})
    mine = [u for u in cg.state.units_of("axis", "afv") if u.has(Mark.CAPTURED)]
    assert [(u.at, u.has(Mark.ABANDONED)) for u in mine] == [("H4", True)]


def test_refusals() -> None:
    cg = aftermath()
    item = add(cg, "allied", "LMG", "sw", "G2", **KNOWN)
    cg.state = cg.state.with_unit("AL7", lambda u: u.but(marks=frozenset({Mark.ABANDONED})))
    question = run(equipment_possession, cg).questions("equipment")[0]
    cg = aftermath()
    add(cg, "allied", "LMG", "sw", "G2", **KNOWN)
    cg.state = cg.state.with_unit("AL7", lambda u: u.but(marks=frozenset({Mark.ABANDONED})))

    def said(*rows: dict[str, str]) -> list[str]:
        return refusals(question, list(rows))

    row = {"unit": item.id, "owner": "axis"}
    label = f"LMG ({item.id})"
    assert said(row, row) == [f"[2].unit: {row['unit']} is named twice; name it once"]
    line = f"[1].by: 'AX4' can't possess {label}; "
    assert said({**row, "by": "AX4"})[0].startswith(line)
    assert said({**row, "by": "AL1"})[0].startswith("[1].by: 'AL1' can't possess")
    assert said({"unit": "AL7", "owner": "allied", "by": "AL1"}) == [
        "[1].by: Stuart III(a) (AL7) can't be with a unit; leave by out"
    ]
    assert said({"unit": "AX2", "owner": "axis"})[0].startswith("[1].unit: AX2 is not one of")


def test_hidden_things_are_their_owners_alone() -> None:
    cg = aftermath()
    item = add(cg, "axis", "LMG", "sw", "H3", Mark.HIP)
    answers = {"own-equipment@axis": {"revealed": ["AXF1"], "rows": [_row(item.id, "AX4")]}}
    played = run(equipment_possession, cg, answers=answers)
    assert played.questions("equipment") == []
    assert not cg.state.forts["AXF1"].hidden
    assert ours(cg, item.id).with_unit == "AX4"
    theirs = played.asked[1].describe()
    assert "AXF1" not in str(theirs)
    assert item.id not in str(theirs)
    attached = played.of("unit-attached")[0]
    assert attached.to == ("axis",)


def _row(unit: str, by: str) -> dict[str, str]:
    return {"unit": unit, "by": by}


def test_hidden_equipment_is_refused_to_who_is_elsewhere() -> None:
    cg = aftermath()
    item = add(cg, "axis", "LMG", "sw", "C7", Mark.HIP)
    lines = refusals(own_question(cg, "axis"), {"rows": [_row(item.id, "AX4")]})
    assert lines == [f"rows[1].by: 'AX4' can't possess LMG ({item.id}); there are none to choose from"]


class Stuck(Variant[Any]):
    immobile_stays = True


def test_immobile_vehicles_keep_their_place_until_they_are_mobile() -> None:
    cg = aftermath(variant=Stuck())
    cg.state = cg.state.with_unit("AX6", lambda u: u.but(marks=frozenset({Mark.BOGGED})))
    answers = {"own-equipment@axis": {"facing": "AX6: NE"}}
    played = run(equipment_possession, cg, answers=answers)
    assert ours(cg, "AX6").has(Mark.FIXED)
    assert not ours(cg, "AL7").has(Mark.FIXED)
    note = played.of("noted")[0]
    assert (note.to, note.why) == (("axis",), "VCA of immobile vehicles")
    cg.state = cg.state.with_unit("AX6", lambda u: u.but(marks=frozenset({Mark.FIXED})))
    run(equipment_possession, cg)
    assert not ours(cg, "AX6").has(Mark.FIXED)


def test_elsewhere_they_are_not_bound() -> None:
    cg = aftermath()
    cg.state = cg.state.with_unit("AX6", lambda u: u.but(marks=frozenset({Mark.BOGGED})))
    run(equipment_possession, cg)
    assert not ours(cg, "AX6").has(Mark.FIXED)
