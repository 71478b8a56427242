"""Fortifications: prices, limits, HIP, Set DC, what is recorded, what is forfeit."""

from __future__ import annotations

from dataclasses import asdict
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laager.rules.board.buying.works import HipCap
from laager.rules.board.facts import FortJoined
from laager.rules.board.hasl.buying.fortifications import FppShop, Work, fortifying, tenth_hidden, upgrade_problems
from laager.rules.board.hasl.facts import DateBegun, FppChanged
from laager.rules.board.hasl.variant import Variant
from laager.rules.board.units import Fort, Mark
from tests.historical.buying import IslandCg, IslandVariant, buy, island, only_for, refused, row
from tests.historical.driver import Played, run
from tests.historical.small import add, scene
from tests.tries import tries


def with_fpp(cg: Any, side: str, fpp: int) -> Any:
    cg.state = FppChanged(side=side, by=fpp - cg.state.side(side).fpp).apply(cg.state)
    return cg


def build(cg: Any, side: str, **works: int) -> Played:
    """Buy works: `hip_squad=2` for two of `hip squad`."""
    rows = [{"work": name.replace("_", " "), "count": count} for name, count in works.items()]
    return run(fortifying, cg, side, {"fortifications": {"works": rows}})


def found(cg: Any, side: str, *works: Work) -> list[str]:
    return [str(one) for one in FppShop(cg, side).problems({"works": [asdict(work) for work in works]})]


def squads(cg: Any, side: str, count: int, kind: str = "squad", **more: Any) -> None:
    for _ in range(count):
        add(cg, side, "7-4-7", kind, **more)


# Walkthroughs -------------------------------------------------------------------------------------


def test_the_british_of_18am() -> None:
    """A4, 9.619: Wire 6 + Foxhole 2 + four "?" 4 = 12 of 12 FPP."""
    cg = with_fpp(scene(), "allied", 12)
    rows = [{"work": "wire"}, {"work": "foxhole 1S"}, {"work": "concealment", "count": 4}]
    played = run(fortifying, cg, "allied", {"fortifications": {"works": rows}})
    assert cg.state.side("allied").fpp == 0
    assert cg.state.scenario.fpp == {"allied": 12}
    forts = [(f.kind, f.size, f.count, f.fp, f.at, f.hidden) for f in cg.state.forts.values()]
    assert forts == [
        ("wire", "", 1, 6, None, True),
        ("foxhole", "1S", 1, 2, None, True),
        ("concealment", "", 4, 4, None, True),
    ]
    assert only_for(played, "allied")


def test_the_americans_of_13_september() -> None:
    """B2, 1.520: 6 + 3 + 7 + 4 = 20; HIP 10% of 18 + 3 squads, the Reserve left out: 2.1, 3."""
    cg = island()
    squads(cg, "allied", 18)
    buy(cg, "allied", row("I1", "on-map", "W"), row("I2", "reserve", "W"), row("F1"))
    squads(cg, "allied", 3, group="I1/1")
    squads(cg, "allied", 2, group="I2/1")
    assert tenth_hidden(cg, "allied") == HipCap(3, 42)
    rows = [{"work": "trench-upgrade"}, {"work": "hip squad"}, {"work": "wire"}, {"work": "concealment", "count": 4}]
    run(fortifying, cg, "allied", {"fortifications": {"works": rows}})
    assert cg.state.side("allied").fpp == 0
    assert [(f.kind, f.size, f.count) for f in cg.state.forts.values()] == [
        ("trench-upgrade", "", 1),
        ("hip", "squad", 1),
        ("wire", "", 1),
        ("concealment", "", 4),
    ]


# HIP ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "cap"), [(24, 3), (20, 2), (21, 3), (1, 1), (0, 0)])
def test_a_tenth_of_the_squads(count: int, cap: int) -> None:
    cg = island()
    squads(cg, "allied", count)
    assert tenth_hidden(cg, "allied").squads == cap


def test_half_squads_count_as_half_or_not_at_all() -> None:
    cg = island()
    squads(cg, "allied", 19)
    squads(cg, "allied", 4, "half-squad")
    add(cg, "allied", "2-2-7", "crew")
    add(cg, "allied", "7-4-7", "squad", None, Mark.PRISONER)
    add(cg, "allied", "7-4-7", "squad", None, Mark.RESERVE)
    assert tenth_hidden(cg, "allied") == HipCap(3, 42)
    assert tenth_hidden(cg, "allied", halves=False) == HipCap(2, 38, False)


def test_the_cap_by_day() -> None:
    cg = with_fpp(island(), "allied", 60)
    squads(cg, "allied", 20)
    two, five = Work("hip", "squad", 2), Work("hip", "half-squad", 5)
    assert found(cg, "allied", two) == []
    assert found(cg, "allied", Work("hip", "half-squad", 4), Work("hip", "smc", 9)) == []
    assert found(cg, "allied", five) == ["works: You want HIP for 2.5 squads; the limit is 2 of 20"]
    build(cg, "allied", hip_squad=2)
    assert len(found(with_fpp(cg, "allied", 9), "allied", Work("hip", "half-squad"))) == 1


def test_no_cap_by_night_nor_in_the_layer() -> None:
    cg = with_fpp(island(part="N"), "allied", 60)
    assert found(cg, "allied", Work("hip", "squad", 9)) == []
    assert found(with_fpp(scene(), "axis", 60), "axis", Work("hip", "squad", 9)) == []


# Limits -------------------------------------------------------------------------------------------


def test_fpp_limits_sides() -> None:
    cg = with_fpp(island(), "axis", 20)
    assert found(cg, "axis", Work("wire", count=3), Work("trench-upgrade")) == [
        "works[2].work: trench-upgrade is for the U.S. only; leave it out",
        "works: You want 3 x wire; the limit is 2 for one CG Date",
        "This costs 27 FPP, and you have 20",
    ]
    assert found(cg, "axis", Work("bunker"))[0].startswith(
        "works[1].work: bunker is not on the chart; one of foxhole 3S"
    )


def test_the_limit_of_a_date_counts_what_is_bought_already() -> None:
    cg = with_fpp(island(), "axis", 40)
    build(cg, "axis", wire=2)
    assert len(found(with_fpp(cg, "axis", 40), "axis", Work("wire"))) == 1


def test_dc_are_set_only_if_they_are_there() -> None:
    cg = with_fpp(island(), "axis", 40)
    assert found(cg, "axis", Work("set-dc")) == ["works: You want to Set 1 DC; you have 0 for it"]
    add(cg, "axis", "DC", "sw")
    buy(cg, "axis", row("I2", "reserve", "NE", objective="B4"))
    add(cg, "axis", "DC", "sw", group="I2/1")
    assert found(cg, "axis", Work("set-dc")) == []
    assert len(found(cg, "axis", Work("set-dc", count=2))) == 1
    fort = Fort(id="AXF9", side="axis", kind="set-dc", at="B4", firefight=1)
    cg.state = FortJoined(fort=fort).apply(cg.state)
    assert found(cg, "axis", Work("set-dc")) == [], "one that was Set took its DC with it"


def test_one_upgrade_for_each_hex() -> None:
    chosen = [("trench-upgrade", "B4"), ("pillbox-upgrade", "B4"), ("foxhole", "B4")]
    assert [str(one) for one in upgrade_problems(chosen)] == ["2 upgrades in B4; one for each hex in a CG Scenario"]
    assert not list(upgrade_problems([("trench-upgrade", "B4"), ("trench-upgrade", "B5")]))


# What is left over --------------------------------------------------------------------------------


def test_unspent_fpp_are_forfeit() -> None:
    cg = with_fpp(island(), "allied", 20)
    played = build(cg, "allied", wire=1)
    lost = played.facts[-1]
    assert isinstance(lost, FppChanged)
    assert (lost.by, lost.forfeit, lost.why) == (-13, True, "13 FPP not spent are lost")
    assert cg.state.side("allied").fpp == 0
    assert cg.state.scenario.fpp == {"allied": 7}


def test_the_question_says_what_is_lost_before_it_is() -> None:
    question = FppShop(with_fpp(island(), "allied", 20), "allied").question()
    assert question.help.endswith("FPP that you do not spend now are lost.")
    wire = {"work": "wire", "count": 1}
    told = {0: "You leave 20 FPP unspent, and they are lost.", 1: "You leave 13 FPP unspent, and they are lost.", 9: ""}
    for count, words in told.items():
        rows = [{**wire, "count": count}] if count else []
        assert question.warning({"works": rows}) == words


class KeepingVariant(IslandVariant):
    def loses_unspent_fpp(self, cg: Any) -> bool:
        return False


class KeepingCg(IslandCg):
    variant = KeepingVariant()


def test_a_system_may_keep_them() -> None:
    cg = with_fpp(island(context=KeepingCg), "allied", 20)
    question = FppShop(cg, "allied").question()
    assert question.help == "You keep FPP that you do not spend."
    assert not question.warning(question.default)
    build(cg, "allied", wire=1)
    cg.state = DateBegun(number=2).apply(cg.state)
    assert cg.state.side("allied").fpp == 13


def test_without_fpp_nothing_is_asked() -> None:
    played = build(island(), "allied")
    assert not played.asked
    assert not played.facts


def test_what_costs_nothing_is_offered_without_fpp() -> None:
    cg = island(works=[{"kind": "wire", "cost": 0}])
    played = build(cg, "allied", wire=1)
    assert [fact.kind for fact in played.facts] == ["fort-joined"]


# Without a chart ----------------------------------------------------------------------------------


def test_without_a_chart_rows_are_entered() -> None:
    cg = with_fpp(island(works=None), "axis", 20)
    rows = [
        {"kind": "wire", "count": 2, "cost": 6},
        {"kind": "hip", "size": "half-squad", "cost": 2},
        {"kind": "jungle-path", "cost": 5},
    ]
    squads(cg, "axis", 5)
    played = run(fortifying, cg, "axis", {"fortifications": {"works": rows}})
    made = [fact.fort for fact in played.facts if isinstance(fact, FortJoined)]
    assert [(fort.id, fort.kind, fort.size, fort.fp) for fort in made] == [
        ("AXF1", "wire", "", 6),
        ("AXF2", "wire", "", 6),
        ("AXF3", "hip", "half-squad", 2),
        ("AXF4", "jungle-path", "", 5),
    ]
    assert cg.state.scenario.fpp == {"axis": 19}
    question = FppShop(with_fpp(cg, "axis", 5), "axis").question()
    assert refused(cg, question, {"works": [{"kind": "wire", "cost": 6}]}) == ["This costs 6 FPP, and you have 5"]
    assert only_for(played, "axis")


# By chance ----------------------------------------------------------------------------------------


@tries(60)
@given(st.integers(0, 10**6), st.integers(0, 40), st.sampled_from(["chart", "none", "empty"]))
def test_purchases_by_chance_are_legal(seed: int, fpp: int, chart: str) -> None:
    charts: dict[str, Any] = {"none": {"works": None}, "empty": {"works": []}, "chart": {}}
    cg = with_fpp(island(**charts[chart]), "allied", fpp)
    squads(cg, "allied", seed % 12)
    answer = FppShop(cg, "allied").suggest(Random(seed))
    question = FppShop(cg, "allied").question()
    accepted = question.accept(answer)
    assert question.allows(question.default)
    spent = FppShop(cg, "allied").cost([Work.of(cg, item) for item in accepted["works"]])
    assert 0 <= spent <= fpp
    run(fortifying, cg, "allied", {"fortifications": answer})
    assert cg.state.side("allied").fpp == 0


def test_the_layer_has_no_cap() -> None:
    assert Variant().hip_cap(scene(), "axis") is None
