"""The campaign begins: agreements, numbers, Control, areas, OB, the Initial Scenario."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from laager.campaign.forms import Field, YesNo
from laager.rules.board.hasl.areas import initial_areas, initial_control
from laager.rules.board.hasl.scenario import beginning
from laager.rules.board.hasl.variant import Variant
from tests.historical.driver import run
from tests.historical.small import small_cg

BALANCE = {
    "balance": [
        {"id": "more", "side": "axis", "text": "4 CPP more", "cp": 4},
        {"id": "keen", "side": "allied", "text": "SAN 7, ELR 5", "san": 9, "elr": 2},
    ]
}


def begun(card: dict[str, Any] | None = None, answers: Any = (), **more: Any) -> tuple[Any, Any]:
    cg = small_cg(card, **more)
    return cg, run(beginning.beginning, cg, answers=answers)


def test_the_card_has_the_numbers() -> None:
    cg, played = begun()
    axis, allied = cg.state.side("axis"), cg.state.side("allied")
    assert (axis.elr, axis.san, axis.cpp, axis.ammunition) == (3, 3, 10, 0)
    assert (allied.elr, allied.san, allied.cpp, allied.ammunition) == (5, 3, 6, 1)
    assert not played.asked


def test_the_initial_scenario_assumes_chits() -> None:
    cg, _ = begun()
    line = cg.state.scenario
    assert line.chits == {"allied": "attack", "axis": "idle"}
    assert (line.sets_up_first, line.moves_first) == ("axis", "allied")
    assert cg.state.side("allied").attacks == 0
    assert cg.state.side("axis").idles == 0
    assert not line.idle


def test_assumed_chits_may_count(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counting(Variant[Any]):
        def assumed_chits_count(self, cg: Any) -> bool:
            return True

    cg = small_cg()
    monkeypatch.setattr(type(cg), "variant", Counting())
    run(beginning.beginning, cg)
    assert cg.state.side("allied").attacks == 1
    assert cg.state.side("axis").idles == 1


def test_what_the_ob_gives_joins_in_secret() -> None:
    cg, played = begun()
    assert [group.id for group in cg.state.groups.values()] == ["K-I1/1", "I1/1"]
    assert all(group.given for group in cg.state.groups.values())
    assert not cg.state.side("axis").bought
    assert [unit.type for unit in cg.state.units.values()] == ["9-1"]
    assert all(fact.to == (fact.group.side,) for fact in played.of("group-joined"))
    assert all(fact.to == ("allied",) for fact in played.of("unit-joined"))


def test_control_and_areas_at_the_start() -> None:
    cg, _ = begun()
    control = cg.state.ground.control
    assert {at for at, side in control.items() if side == "allied"} == {*("B4", "B5", "D2")}
    assert {at for at, side in control.items() if side == "axis"} == {"H3"}
    # G7 is in nobody's Block and in nobody's setup area.
    assert "G7" not in control
    assert [(area.name, area.side) for area in cg.state.areas] == [("W", "allied"), ("NE", "axis")]
    assert cg.state.block_control == {"W": "allied", "NE": "axis"}


def test_setup_area_and_listing_overlap() -> None:
    # H3 is in both setup areas, and G7 is listed for the axis though the allied set up there.
    cg = small_cg(
        {
            "sides": {
                "axis": {"controls": ["G7"], "setup": ["H3"]},
                "allied": {"controls": ["B4-B5", "D2"], "setup": ["H3", "G7"]},
            }
        }
    )
    assert initial_control(cg, "axis") == ("G7",)
    assert initial_control(cg, "allied") == ("B4", "B5", "D2")
    assert [(area.name, area.hexes) for area in initial_areas(cg)] == [("Setup", ("H3",)), ("Setup", ("G7", "H3"))]


def test_locations_and_named_areas_are_listed_too() -> None:
    data = {**small_cg().map.to_data(), "setup_areas": {"School": ["B4", "B5"]}}
    cg = small_cg({"sides": {"allied": {"controls": ["School", "D2"], "setup": []}}}, map_=data)
    assert initial_control(cg, "allied") == ("B4", "B5", "D2")


def test_listed_areas_at_the_start() -> None:
    data = {**small_cg().map.to_data(), "setup_areas": {"School": ["B4", "B5"]}}
    cg, _ = begun(
        {
            "areas": "listed",
            "sides": {
                "axis": {"areas": {"North": ["G1-G3", "K1"]}, "controls": []},
                "allied": {"areas": {"School": []}, "controls": ["School"]},
            },
        },
        map_=data,
    )
    assert [(area.name, area.side, area.hexes) for area in cg.state.areas] == [
        ("North", "axis", ("G1", "G2", "G3", "K1")),
        ("School", "allied", ("B4", "B5")),
    ]
    assert not cg.state.block_control


def test_balance_needs_both() -> None:
    wants = {"agreements@axis": {"balance": ["more", "keen"]}, "agreements@allied": {"balance": ["keen"]}}
    cg, played = begun(BALANCE, wants)
    assert cg.state.agreed == {"balance": ["keen"]}
    assert cg.state.side("axis").cpp == 10
    # Never above 7 and 5.
    assert (cg.state.side("allied").san, cg.state.side("allied").elr) == (7, 5)
    assert [question.side for question in played.asked] == ["axis", "allied"]
    assert played.of("campaign-begun")[0].why == "as the card has it, with SAN 7, ELR 5"


def test_options_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    class Options(Variant[Any]):
        def agreements(self, cg: Any) -> Iterator[Field]:
            yield Field("random-weather", YesNo(), "Random weather", False)
            yield Field("two-snipers", YesNo(), "Two Snipers", False)

    cg = small_cg()
    monkeypatch.setattr(type(cg), "variant", Options())
    wants = {
        "agreements@axis": {"random-weather": True, "two-snipers": True},
        "agreements@allied": {"random-weather": True},
    }
    run(beginning.beginning, cg, answers=wants)
    assert cg.state.agreed == {"random-weather": True, "two-snipers": False}


def test_points_of_the_ob() -> None:
    cg, _ = begun({"sides": {"axis": {"ob": {"groups": [], "cpp": 5, "fpp": 8}}}})
    assert (cg.state.side("axis").cpp, cg.state.side("axis").fpp) == (15, 8)
