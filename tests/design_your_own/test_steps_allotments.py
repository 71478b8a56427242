"""What follows from the purchases: ELR, bonus squads, leaders, SW and what reinforcements bring."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.bonus import squads_words
from laager.rules.design_your_own.ob import InfantryEntry, Leaders, SwAllotment
from laager.rules.design_your_own.steps.bonus import announcing, bonus_squads
from laager.rules.design_your_own.steps.leaders import commissars, equivalents, leader_exchange, leaders
from laager.rules.design_your_own.steps.support import reinforcement_share, support_weapons
from tests.design_your_own.harness import cg_of, play, published_cg, tell_values
from tests.steps import Played, refusals


def squads(type_: str, number: int, *marks: str, **more: Any) -> InfantryEntry:
    return InfantryEntry(type=type_, number=number, capabilities=marks, each=1, total=number, **more)


def having(cg: Cg, side: str, *entries: InfantryEntry, mpv: int | None = None) -> Cg:
    """Give a side these lines; `mpv` is what they cost together."""
    lines = list(entries)
    if mpv is not None and lines:
        rest = sum(entry.total for entry in lines[1:])
        lines[0] = lines[0].model_copy(update={"total": mpv - rest})
    cg.state = cg.state.with_ob(side, infantry=tuple(lines))
    return cg


# ELR --------------------------------------------------------------------------------------------


def announced(own: list[InfantryEntry], enemy: list[InfantryEntry], **how: Any) -> dict[str, int]:
    cg = cg_of(**how)
    having(cg, "axis", *own)
    having(cg, "allied", *enemy)
    play(announcing, cg, None)
    return dict(cg.state.announced)


def test_most_squads_count_and_ties_are_for_the_higher() -> None:
    plain, commandos = squads("4-6-7", 5), squads("4-6-8", 5, "commando")
    few = squads("4-6-8", 4, "commando")
    russians = [squads("4-4-7", 3)]
    assert announced([plain, few], russians) == {"axis": 3, "allied": 4}
    assert announced([plain, commandos], russians) == {"axis": 5, "allied": 4}
    assert announced([], [], allied={"elr": 1}) == {"axis": 3, "allied": 1}


def test_partisans_announce_what_their_rulebook_says() -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("capabilities", "", "partisan", True))
    played = play(announcing, cg, None, {"partisan-elr": 5})
    assert played.keys == ["partisan-elr"]
    assert cg.state.announced["axis"] == 5
    tell_values(cg, "axis", ("capabilities", "", "announced_elr", 4))
    assert play(announcing, cg, None).keys == []
    assert cg.state.announced["axis"] == 4


@pytest.mark.parametrize(("number", "words"), [(5, "5"), (Fraction(5, 2), "2½"), (Fraction(1, 2), "½"), (0, "0")])
def test_half_squads_as_the_chart_prints_them(number: int | Fraction, words: str) -> None:
    assert squads_words(Fraction(number)) == words


# Bonus ------------------------------------------------------------------------------------------


def due(mpv: int = 494, elr: int = 4, **how: Any) -> Cg:
    """The German example with a bonus of ELR difference times half a squad for each 50 MPV."""
    cg = cg_of(allied={"elr": elr, **how.pop("allied", {})}, **how)
    lines = [squads("4-6-7", 12), squads("4-6-8", 10), squads("4-3-6", 10), squads("8-3-8", 3)]
    having(cg, "axis", *lines, mpv=mpv)
    having(cg, "allied", squads("4-4-7", 10))
    play(announcing, cg, None)
    return cg


def test_bonus_of_the_most_numerous_type_or_cheaper() -> None:
    cg = due()
    rows = [{"type": "4-6-7", "squads": 3}, {"type": "4-3-6", "squads": 2}]
    played = play(bonus_squads, cg, "axis", {"bonus": rows})
    assert cg.ob("axis").bonus == "5"
    got = [(one.type, one.number, one.total) for one in cg.ob("axis").infantry_of_purchase("bonus")]
    assert got == [("4-6-7", 3, 0), ("4-3-6", 2, 0)]
    question = played.question("bonus")
    assert question.default == [{"type": "4-6-7", "squads": 5, "half_squads": 0}]
    told = refusals(question, [{"type": "4-6-8", "squads": 5}])
    assert any("4-6-8 is not one of the choices" in one for one in told)
    told = refusals(question, [{"type": "4-6-7", "squads": 6}])
    assert told == ["6 bonus squads (DYO H1.73); 5 at most"]


def test_a_half_is_a_half_squad() -> None:
    cg = due(mpv=120)
    rows = [{"type": "4-6-7", "squads": 1, "half_squads": 1}]
    play(bonus_squads, cg, "axis", {"bonus": rows})
    assert cg.ob("axis").bonus == "1½"
    got = [(one.type, one.kind, one.number) for one in cg.ob("axis").infantry_of_purchase("bonus")]
    assert got == [("4-6-7", "squad", 1), ("2-4-7", "half-squad", 1)]


def test_bonus_squads_have_what_all_have() -> None:
    cg = due()
    lines = [squads("4-6-8", 9, "mol", "ski"), squads("4-6-7", 2, "mol", "winter-camouflage")]
    having(cg, "axis", *lines, mpv=494)
    rows = [{"type": "4-6-8", "squads": 1}, {"type": "4-6-7", "squads": 1}]
    play(bonus_squads, cg, "axis", {"bonus": rows})
    assert [one.capabilities for one in cg.ob("axis").infantry_of_purchase("bonus")] == [
        ("mol", "ski"),
        ("mol", "winter-camouflage"),
    ]


def test_without_counters_the_next_dearer_at_half_the_number() -> None:
    cg = due()
    lines = [squads("4-6-7", 26), squads("4-4-7", 26), squads("4-3-6", 26)]
    having(cg, "axis", *lines, mpv=494)
    tell_values(cg, "axis", ("squads", "4-6-7", "bpv", 10))
    played = play(bonus_squads, cg, "axis")
    question = played.question("bonus")
    types = [one["value"] for one in question.describe()["form"]["row"]["fields"][0]["form"]["options"]]
    assert set(types) == {"4-6-8", "5-4-8"}
    assert question.help.startswith("None of the cheaper types is left")
    total = sum(Fraction(one.number, 1 if one.kind == "squad" else 2) for one in
                cg.ob("axis").infantry_of_purchase("bonus"))  # fmt: skip
    assert total == Fraction(5, 2)


def test_only_what_is_left_can_be_received() -> None:
    cg = due()
    having(cg, "axis", squads("4-6-7", 24), mpv=494)
    question = play(bonus_squads, cg, "axis").question("bonus")
    having(cg, "axis", squads("4-6-7", 24), mpv=494)
    told = refusals(question, [{"type": "4-6-7", "squads": 3}])
    assert told == ["2 4-6-7 are left (DYO H1.11); take others for the rest"]
    assert question.default[0] == {"type": "4-6-7", "squads": 2, "half_squads": 0}


def test_no_bonus_for_the_higher_elr_or_without_squads() -> None:
    assert play(bonus_squads, due(elr=3), "axis").keys == []
    assert play(bonus_squads, due(), "allied").keys == []
    cg = cg_of()
    having(cg, "axis", squads("2-2-8", 2, kind="crew"))
    having(cg, "allied", squads("4-4-7", 2))
    play(announcing, cg, None)
    assert cg.ob("axis").bonus == "½"
    assert play(bonus_squads, cg, "axis").keys == []


# Leaders ----------------------------------------------------------------------------------------


def led(number: int, side: str = "axis", **how: Any) -> Cg:
    """A side with so many Equivalents, all of the line."""
    cg = cg_of(**how)
    type_ = {"axis": "4-6-7", "allied": "4-4-7"}[side]
    having(cg, side, squads(type_, number))
    play(equivalents, cg, side)
    return cg


def test_equivalents_of_each_subsection() -> None:
    cg = cg_of()
    lines = [squads("4-6-8", 13), squads("4-6-7", 17), squads("4-3-6", 10), squads("2-2-8", 4, kind="crew")]
    having(cg, "axis", *lines)
    played = play(equivalents, cg, "axis")
    assert cg.ob("axis").equivalents == {"elite": 17, "line": 17, "conscript": 7}
    assert "41 Equivalents" in played.facts[0].why


def test_the_best_ladder_is_proposed() -> None:
    cg = led(41)
    played = play(leaders, cg, "axis", {"trade": False})
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held == {"7-0": 1, "8-0": 4, "8-1": 3, "9-1": 2, "9-2": 1}
    assert (own.count, own.extra, own.traded) == (10, "7-0", "")
    question = played.question("leaders")
    three = [{"leader": "8-0", "number": 5}, {"leader": "8-1", "number": 5}]
    told = refusals(question, three)
    assert told == ["5 x 8-1 with 5 x 8-0 (DYO H1.81); fewer 8-1 than 8-0"]
    worse = [{"leader": "8-0", "number": 10}]
    assert refusals(question, worse) == []
    assert refusals(question, [*worse, *worse])[0] == "[2]: 8-0 is named twice; name it once"
    assert refusals(question, [{"leader": "10-3", "number": 10}]) != []


@pytest.mark.parametrize(("number", "keys"), [(0, []), (3, []), (4, ["leaders", "trade"])])
def test_few_squads_few_leaders(number: int, keys: list[str]) -> None:
    cg = led(number) if number else cg_of()
    if not number:
        play(equivalents, cg, "axis")
    assert play(leaders, cg, "axis").keys == keys
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held == ({"7-0": 1} if number == 3 else {"8-1": 1} if number else {})


def test_who_has_the_best_leader_does_not_trade() -> None:
    cg = led(60)
    assert play(leaders, cg, "axis").keys == ["leaders"]


def test_no_more_leaders_than_counters() -> None:
    cg = led(41)
    tell_values(cg, "axis", ("leaders", "8-1", "counters", 2))
    played = play(leaders, cg, "axis")
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held["8-1"] == 2
    assert played.facts[0].why.endswith("are not received (DYO H1.11)")
    cg = led(41, agreements={"extra_pieces": True})
    tell_values(cg, "axis", ("leaders", "8-1", "counters", 2))
    play(leaders, cg, "axis")
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held["8-1"] == 3


def test_an_unknown_factor_is_no_leader() -> None:
    cg = published_cg("german", "russian")
    having(cg, "allied")
    play(equivalents, cg, "allied")
    played = play(leaders, cg, "allied")
    assert played.facts[0].why == "the LG factor of the nation is not known (DYO H1.8)"
    assert play(leader_exchange, cg, "allied").keys == []


def test_missing_figures_of_a_nation_are_asked() -> None:
    cg = published_cg("japanese", "american")
    rows = [{"what": "capabilities lg", "value": "4"}]
    played = play(equivalents, cg, "axis", {"values-capabilities": rows})
    assert played.of("values-given")
    cg.state = cg.state.with_ob("axis", equivalents={"elite": 9, "line": 0, "conscript": 0})
    answers = {"leader-types": ["9-0", "9-1", "10-0"], "fraction-leader": "8+1"}
    played = play(leaders, cg, "axis", answers)
    assert played.keys[:2] == ["fraction-leader", "leader-types"]
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.total == 3
    assert own.held["8+1"] == 1


def exchanging(held: dict[str, int], dr: list[int], **answers: Any) -> tuple[Cg, Played]:
    cg = cg_of()
    cg.state = cg.state.with_ob("axis", leaders=Leaders(count=sum(held.values()), held=held))
    return cg, play(leader_exchange, cg, "axis", answers, [dr])


def test_a_better_leader_comes() -> None:
    cg, played = exchanging({"8-0": 3, "10-2": 1}, [1, 1])
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held == {"8-0": 3, "10-3": 1}
    assert "10-3 1/36" in played.question("leader-exchange-dr").help


def test_a_12_costs_an_8_0_or_another() -> None:
    cg, played = exchanging({"8-0": 3, "10-2": 1}, [6, 6])
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held == {"6+1": 1, "8-0": 2, "10-2": 1}
    cg, played = exchanging({"8-1": 2, "9-1": 1}, [6, 6], **{"leader-lost": "8-1"})
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held == {"6+1": 1, "8-1": 1, "9-1": 1}
    assert "leader-lost" in played.keys


def test_nothing_better_nothing_changes() -> None:
    cg, played = exchanging({"8-0": 3, "10-2": 1}, [1, 2])
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held == {"8-0": 3, "10-2": 1}
    assert own.exchange is not None
    assert played.facts[0].why == "DR 3: no effect"


def test_the_exchange_can_be_left() -> None:
    cg = cg_of()
    cg.state = cg.state.with_ob("axis", leaders=Leaders(count=1, held={"8-0": 1}))
    assert play(leader_exchange, cg, "axis", {"leader-exchange-dr": False}).facts == []


def test_no_counter_no_exchange() -> None:
    cg = cg_of()
    tell_values(cg, "axis", ("leaders", "9-1", "counters", 0))
    cg.state = cg.state.with_ob("axis", leaders=Leaders(count=1, held={"8-0": 1}))
    play(leader_exchange, cg, "axis", {}, [[2, 3]])
    own = cg.ob("axis").leaders
    assert own is not None
    assert own.held == {"8-0": 1}


def test_commissars_where_the_nation_has_them() -> None:
    cg = led(20, "allied", date="1942-05")
    play(leaders, cg, "allied")
    played = play(commissars, cg, "allied", {"commissars": 2})
    own = cg.ob("allied").leaders
    assert own is not None
    assert own.commissars == 2
    assert played.keys == ["commissars"]
    cg = led(20)
    play(leaders, cg, "axis")
    assert play(commissars, cg, "axis").keys == []


# SW and reinforcements --------------------------------------------------------------------------


def armed(*entries: InfantryEntry) -> Cg:
    cg = having(cg_of(), "axis", *entries)
    play(equivalents, cg, "axis")
    play(leaders, cg, "axis")
    play(support_weapons, cg, "axis")
    return cg


def sw(cg: Cg) -> dict[str, int]:
    return {one.type: one.number for one in cg.ob("axis").sw}


def test_sw_by_the_chart() -> None:
    assert sw(armed(squads("4-6-7", 13))) == {"LMG": 3, "MMG": 2, "HMG": 1, "50* MTR": 1, "PSK": 2}
    assert sw(armed(squads("8-3-8", 3, "assault-engineer"))) == {"LMG": 1, "FT": 2, "DC": 4}
    assert sw(armed(squads("4-6-7", 2))) == {}


def test_no_more_sw_than_counters() -> None:
    many = armed(*(squads(t, 26) for t in ("4-6-7", "4-4-7", "4-6-8", "5-4-8")))
    assert sw(many)["HMG"] == 6
    assert sw(many)["LMG"] == 24


@pytest.mark.parametrize(
    ("type_", "number", "leader", "brought"),
    [("4-6-7", 5, 1, {"LMG": 1}), ("4-6-7", 3, 0, {}), ("4-6-8", 5, 1, {"LMG": 1, "MMG": 1, "PSK": 1})],
)
def test_what_comes_with_reinforcements(type_: str, number: int, leader: int, brought: dict[str, int]) -> None:
    cg = armed(squads("4-6-7", 20), squads(type_, number, purchase="second", reinforcements=number))
    played = play(reinforcement_share, cg, "axis")
    assert len(cg.ob("axis").reinforcement_leaders) == leader
    assert {one.type: one.reinforcement for one in cg.ob("axis").sw if one.reinforcement} == brought
    if brought:
        told = refusals(played.question("reinforcement-share"), {"leaders": [], "sw": []})
        assert any("0 LMG with the reinforcements" in one for one in told)
        assert any("0 leaders with the reinforcements" in one for one in told)


def test_the_owner_chooses_leaders_and_may_bring_more() -> None:
    cg = armed(squads("4-6-7", 20), squads("4-6-7", 5, purchase="second", reinforcements=5))
    answer = {
        "leaders": [{"leader": "8-1", "number": 1}, {"leader": "7-0", "number": 1}],
        "sw": [{"sw": "LMG", "number": 3}],
    }
    played = play(reinforcement_share, cg, "axis", {"reinforcement-share": answer})
    assert cg.ob("axis").reinforcement_leaders == ("8-1", "7-0")
    assert cg.ob("axis").sw[0] == SwAllotment(type="LMG", number=6, reinforcement=3)
    question = played.question("reinforcement-share")
    twice = {"leaders": [{"leader": "8-0"}, {"leader": "8-0"}], "sw": [{"sw": "LMG", "number": 1}]}
    assert refusals(question, twice) == ["leaders[2]: 8-0 is named twice; name it once"]
    many = {"leaders": [{"leader": "7-0", "number": 2}], "sw": [{"sw": "LMG", "number": 1}]}
    assert refusals(question, many) == ["leaders: there are 1 7-0; 1 at most"]


def test_no_reinforcements_no_question() -> None:
    assert play(reinforcement_share, armed(squads("4-6-7", 20)), "axis").keys == []


def test_a_side_without_leaders_brings_none() -> None:
    cg = armed(squads("4-6-7", 20), squads("4-6-7", 5, purchase="second", reinforcements=5))
    cg.state = cg.state.with_ob("axis", leaders=Leaders(count=0))
    play(reinforcement_share, cg, "axis")
    assert cg.ob("axis").reinforcement_leaders == ()
