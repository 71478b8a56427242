"""Shift: who may, where to, by the table or as the players tell."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.rules.board.facts import Agreed
from laager.rules.board.hasl.areas import DECLARED
from laager.rules.board.hasl.facts import GroupJoined
from laager.rules.board.hasl.refit import shift
from laager.rules.board.hasl.setup.oba import radios
from laager.rules.board.hasl.state import Group
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Mark, Place
from tests.historical.driver import run
from tests.historical.small import add, scene
from tests.historical.test_escape import with_table


def group(cg: Any, id_: str, rg: str, side: str = "axis", **more: Any) -> None:
    made = Group(id=id_, side=side, rg=rg, date=1, **more)
    cg.state = GroupJoined(group=made).apply(cg.state)


def ready(**more: Any) -> tuple[Any, Any]:
    cg = scene(**more)
    group(cg, "K-I1/1", "K-I1")
    return cg, add(cg, "axis", "4-6-7", "squad", "G2", area="NE", group="K-I1/1")


def told(unit: str, to: str, success: bool = True) -> dict[str, Any]:
    return {"shift": [{"unit": unit, "to": to, "success": success}]}


def test_who_shifts_is_retained_in_another_area() -> None:
    cg, squad = ready()
    weapon = add(cg, "axis", "LMG", "sw", None, with_unit=squad.id, area="NE")
    played = run(shift.shift, cg, "axis", told(squad.id, "G1"))
    for unit in (cg.state.units[squad.id], cg.state.units[weapon.id]):
        assert (unit.area, unit.place) == ("G1", Place.OFF_MAP)
        assert unit.has(Mark.SHIFTED)
    assert played.asked[0].secret
    assert all(fact.to == ("axis",) for fact in played.facts)


def test_who_fails_stays() -> None:
    cg, squad = ready()
    assert not run(shift.shift, cg, "axis", told(squad.id, "G1", False)).facts


def test_by_the_table() -> None:
    rows = [{"to": 4, "result": True}, {"from": 5, "result": False}]
    for face, area in ((4, "G1"), (5, "NE")):
        cg, squad = ready(tables=with_table(rows, "shift"))
        answer = {"shift": [{"unit": squad.id, "to": "G1"}]}
        played = run(shift.shift, cg, "axis", answer, [(face,)])
        assert cg.state.units[squad.id].area == area
        assert played.rolls[0][0].secret
    cg, squad = ready(tables=with_table([{"result": "away"}], "shift"))
    answer = {"shift": [{"unit": squad.id, "to": "G1"}]}
    with pytest.raises(RefusedError, match="the table shift gives 'away'"):
        run(shift.shift, cg, "axis", answer, [(1,)])


def question(cg: Any, side: str = "axis") -> Any:
    return run(shift.shift, cg, side).asked[0]


def test_an_entry_area_of_another_formation_is_refused() -> None:
    cg, squad = ready()
    with pytest.raises(DataError, match="can't use the Entry Area L5; those of its group are G1"):
        question(cg).accept(told(squad.id, "L5")["shift"])


def test_staying_is_no_shift_and_nobody_shifts_twice() -> None:
    cg, squad = ready()
    with pytest.raises(DataError, match="is in NE already"):
        question(cg).accept(told(squad.id, "NE")["shift"])
    with pytest.raises(DataError, match="is named twice"):
        question(cg).accept(told(squad.id, "G1")["shift"] * 2)


def test_a_gun_that_makes_a_location_strategic_stays() -> None:
    cg, squad = ready()
    crew = add(cg, "axis", "2-2-8", "crew", "G3", area="NE")
    gun = add(cg, "axis", "75L AT PaK 40", "gun", "G3", area="NE", with_unit=crew.id)
    free = add(cg, "axis", "75L AT PaK 40", "gun", "G4", area="NE", with_unit=squad.id)
    cg.state = Agreed(about=DECLARED, value={gun.id: "G3"}).apply(cg.state)
    with pytest.raises(DataError, match="it makes G3 a Strategic Location"):
        question(cg).accept(told(gun.id, "G1")["shift"])
    with pytest.raises(DataError, match="it mans the Gun that makes G3 a Strategic Location"):
        question(cg).accept(told(crew.id, "G1")["shift"])
    with pytest.raises(DataError, match="is not one of the choices"):
        question(cg).accept(told(free.id, "G1")["shift"])


def test_who_is_in_no_area_or_a_prisoner_does_not_shift() -> None:
    cg, squad = ready()
    add(cg, "axis", "4-6-7", "squad", "G7")
    add(cg, "axis", "4-6-7", "squad", "G2", Mark.PRISONER, area="NE")
    assert [option.value for option in shift.shift_options(cg, "axis")] == [squad.id]


ARROW = {"sides": {"axis": {"arrows": ["G1"]}}}


def test_radios_shift_with_their_modules() -> None:
    cg, _ = ready(card=ARROW)
    group(cg, "O1/1", "O1", equipment="radio", area="NE")
    group(cg, "O1/2", "O1", equipment="observer", area="NE")
    group(cg, "O1/3", "O1", equipment="phone", area="NE", lost="used")
    run(shift.shift, cg, "axis", told("O1/1", "G1"))
    assert cg.state.groups["axis", "O1/1"].area == "G1"
    assert [one.id for one in radios(cg, "axis")] == ["O1/1"]
    played = run(shift.shift, cg, "axis", told("O1/1", "NE"))
    assert played.facts[-1].to == ("axis",)


def test_by_the_table_a_radio_is_rolled_for_in_secret() -> None:
    cg, _ = ready(card=ARROW, tables=with_table([{"result": True}], "shift"))
    group(cg, "O1/1", "O1", equipment="radio", area="NE")
    answer = {"shift": [{"unit": "O1/1", "to": "L5"}]}
    with pytest.raises(DataError, match="can't use the Entry Area L5"):
        run(shift.shift, cg, "axis", answer)
    answer = {"shift": [{"unit": "O1/1", "to": "G1"}]}
    assert run(shift.shift, cg, "axis", answer, [(1,)]).rolls[0][0].secret


def test_with_nowhere_to_go_nothing_is_asked() -> None:
    cg = scene({"sides": {"axis": {"formations": []}}}, {"sides": {"axis": {"rg": None}}})
    add(cg, "axis", "4-6-7", "squad", "G2", area="NE")
    assert not run(shift.shift, cg, "axis").asked


def test_who_has_nobody_to_shift_is_asked_all_the_same() -> None:
    (question,) = run(shift.shift, scene(), "axis").asked
    assert question.empty


def test_the_system_may_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(Variant[Any]):
        def shift_problem(self, cg: Any, unit: Any, area: str) -> str:
            return f"{unit.type} are stuck"

    cg, squad = ready()
    asked = question(cg)
    monkeypatch.setattr(type(cg), "variant", Stuck())
    with pytest.raises(DataError, match="4-6-7 are stuck"):
        asked.accept(told(squad.id, "G1")["shift"])


def test_by_chance_someone_shifts() -> None:
    cg, _ = ready()
    asked = question(cg)
    answers = [asked.sample(Random(n)) for n in range(20)]
    assert any(answers)
    assert all(asked.allows(answer) for answer in answers)
