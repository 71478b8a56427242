"""PL 2.4 to 2.421: what is announced, what kind of firefight follows, night, the second dr."""

from __future__ import annotations

from typing import Any

import pytest

from laager.rules.board.facts import Noted
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import AttackOptionTaken, FirefightDetermined, MoverDecided
from laager.rules.platoon_leader.firefight.determination import determining, may_cloak, night_conditions, second_dr
from laager.rules.platoon_leader.state import Round, Type
from tests.platoon_leader.small import card_data, small_cg
from tests.steps import Played, play


def ready(*attackers: str, elr: tuple[int, int] = (3, 3), san: tuple[int, int] = (3, 5)) -> Cg:
    return prepared(small_cg(), *attackers, elr=elr, san=san)


def prepared(cg: Cg, *attackers: str, elr: tuple[int, int] = (3, 3), san: tuple[int, int] = (3, 5)) -> Cg:
    for side, its_elr, its_san in zip(("axis", "allied"), elr, san, strict=True):
        cg.state = cg.state.with_side(side, elr=its_elr, san=its_san)
    for side in attackers:
        cg.state = AttackOptionTaken(side=side, to=(side,)).apply(cg.state)
    return cg


def at_night(moon: str = "half", note: str = "") -> Cg:
    slots: list[dict[str, Any]] = [dict(slot) for slot in card_data()["firefights"]]
    slots[0]["night"] = {"base_nvr": 2, "moon": moon, "note": note}
    return small_cg(firefights=slots)


def determined(played: Played) -> FirefightDetermined:
    (fact,) = played.of("firefight-determined")
    assert isinstance(fact, FirefightDetermined)
    return fact


@pytest.mark.parametrize(
    ("attackers", "kind", "attacker", "sets_up", "moves"),
    [
        (("axis",), Type.AXIS_ASSAULT, "axis", "allied", "axis"),
        (("allied",), Type.ALLIED_ASSAULT, "allied", "axis", "allied"),
        ((), Type.IDLE, "", "", ""),
    ],
)
def test_the_attack_options_make_the_type(
    attackers: tuple[str, ...], kind: Type, attacker: str, sets_up: str, moves: str
) -> None:
    cg = ready(*attackers)
    fact = determined(play(determining, cg))
    assert (fact.type, fact.attacker) == (kind, attacker)
    assert (fact.sets_up_first, fact.moves_first) == (sets_up, moves)
    assert cg.state.fight.type is kind


def test_walkthrough_first_firefight_is_an_axis_assault() -> None:
    cg = ready("axis", elr=(3, 3), san=(3, 5))
    fact = determined(play(determining, cg))
    assert (fact.elr, fact.san) == ({"axis": 3, "allied": 3}, {"axis": 3, "allied": 5})
    assert fact.attacked == {"axis": True, "allied": False}
    assert fact.type is Type.AXIS_ASSAULT
    assert cg.state.fight.defender == "allied"


def test_walkthrough_second_firefight_is_an_allied_assault() -> None:
    fact = determined(play(determining, ready("allied", elr=(4, 3), san=(4, 4))))
    assert (fact.type, fact.sets_up_first, fact.moves_first) == (
        Type.ALLIED_ASSAULT, "axis", "allied",
    )  # fmt: skip
    assert (fact.elr, fact.san) == ({"axis": 4, "allied": 3}, {"axis": 4, "allied": 4})


def test_walkthrough_third_firefight_is_dual() -> None:
    cg = ready("axis", "allied")
    played = play(determining, cg, dice=[[3]])
    assert played.finals("sets up") == [3]
    assert determined(played).sets_up_first == "axis"
    assert (cg.state.fight.attacker, cg.state.fight.moves_first) == ("", "")
    later = play(second_dr, cg, dice=[[4]])
    (mover,) = later.facts
    assert isinstance(mover, MoverDecided)
    assert mover.side == "allied"
    assert (cg.state.fight.attacker, cg.state.fight.moves_first) == ("allied", "allied")
    assert cg.state.fight.defender == "axis"


@pytest.mark.parametrize(("face", "side"), [(1, "axis"), (3, "axis"), (4, "allied"), (6, "allied")])
def test_both_dr_of_a_dual_attack_divide_at_three(face: int, side: str) -> None:
    cg = ready("axis", "allied")
    assert determined(play(determining, cg, dice=[[face]])).sets_up_first == side
    play(second_dr, cg, dice=[[face]])
    assert cg.state.fight.moves_first == side


def test_the_dr_of_a_dual_attack_are_open() -> None:
    cg = ready("axis", "allied")
    both = play(determining, cg, dice=[[1]]).rolls + play(second_dr, cg, dice=[[1]]).rolls
    assert [roll.secret for roll, _ in both] == [False, False]


def test_there_is_no_second_dr_unless_both_attack() -> None:
    cg = ready("axis")
    play(determining, cg)
    played = play(second_dr, cg)
    assert played.facts == []
    assert played.rolls == []


def test_everything_is_announced_at_once_and_to_all() -> None:
    cg = ready("allied")
    played = play(determining, cg)
    assert [fact.kind for fact in played.facts] == ["firefight-determined"]
    assert determined(played).to is None
    assert played.asked == []
    for part in ("Germans ELR 3, SAN 3, no Attack", "Soviets ELR 3, SAN 5, Attack Option"):
        assert part in determined(played).why


def test_the_announcement_tells_the_enemy_of_attack_and_san() -> None:
    own = ready("axis").state
    enemy = small_cg().state
    fact = determined(play(determining, prepared(small_cg(), "axis", san=(5, 5))))
    assert not enemy.side("axis").attack
    seen = fact.apply(enemy)
    assert seen.side("axis").attack
    assert seen.side("axis").san == 5
    assert own.side("axis").san == 3


def test_an_idle_firefight_goes_to_its_own_round() -> None:
    cg = ready()
    played = play(determining, cg)
    assert [fact.kind for fact in played.facts] == ["firefight-determined", "round-begun"]
    assert cg.state.round is Round.IDLE
    assert cg.state.fight.number == 1
    assert cg.state.fight.attacked == {"axis": False, "allied": False}


# Night ------------------------------------------------------------------------------------------


def test_by_day_nothing_is_said_of_night() -> None:
    cg = ready("axis")
    assert play(determining, cg).of("noted") == []
    assert night_conditions(cg) is None
    assert not may_cloak(cg, "axis")


def test_a_night_assault_lets_the_attacker_cloak() -> None:
    cg = prepared(at_night(note="Flares are scarce"), "axis")
    (note,) = play(determining, cg).of("noted")
    assert isinstance(note, Noted)
    assert note.rule == "PL 2.42"
    assert note.to is None
    for part in ("Base NVR 2", "Flares are scarce", "Germans attack", "Soviets defend: No Move"):
        assert part in note.text
    assert may_cloak(cg, "axis")
    assert not may_cloak(cg, "allied")


def test_in_a_dual_night_assault_both_cloak_and_nobody_defends() -> None:
    cg = prepared(at_night(), "axis", "allied")
    (note,) = play(determining, cg, dice=[[5]]).of("noted")
    assert isinstance(note, Noted)
    assert note.rule == "PL 2.421"
    assert "Both sides are ATTACKERS" in note.text
    assert "defend" not in note.text
    assert may_cloak(cg, "axis")
    assert may_cloak(cg, "allied")
    conditions = night_conditions(cg)
    assert conditions is not None
    assert conditions.defender == ""


def test_an_idle_night_has_no_conditions() -> None:
    assert night_conditions(prepared(at_night())) is None
    assert play(determining, prepared(at_night())).of("noted") == []
