"""Battle reports made up by chance are legal and tell all sorts of stories."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from laager.campaign.facts import Fact
from laager.campaign.steps import Roll
from laager.dice import Rolled
from laager.rules.board.card.parts import SIDES
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.report.form import BattleReport
from laager.rules.platoon_leader.report.report import firefight_end
from tests.platoon_leader.battle import battle, wrong
from tests.tries import tries

# Reports by chance ------------------------------------------------------------------------------


@tries(120)
@given(st.integers(0, 10**9))
def test_reports_by_chance_are_legal_and_leave_a_sound_record(seed: int) -> None:
    cg = battle()
    rng = Random(seed)
    procedure = firefight_end.run(cg)
    send: Any = None
    for _ in range(2000):
        try:
            command = procedure.send(send)
        except StopIteration:
            break
        send = None
        if isinstance(command, Fact):
            cg.state = type(command).model_validate(command.body()).apply(cg.state)
        elif isinstance(command, Roll):
            send = Rolled(command.dice, (rng.randint(1, 6),), command.modifiers)
        else:
            send = {}
            for question in command.questions:
                assert question.suggest is not None
                value = question.accept(question.suggest(rng))
                send[question.side, question.key] = value
    sound(cg)


def sound(cg: Cg) -> None:
    """Check what must hold of every record after a battle."""
    for one in cg.state.units.values():
        if one.on_map:
            assert one.at
            assert one.hex in cg.map.playable
            hidden = one.has(Mark.HIP, Mark.CONCEALED, Mark.CLOAKED)
            assert not (hidden and one.known)
        holder = cg.state.units.get(one.with_unit)
        if one.in_play and one.with_unit:
            assert holder is not None
            assert holder.in_play
            assert (holder.place, holder.at) == (one.place, one.at)
            assert holder.side == one.side or one.has(Mark.PRISONER)
        if one.on_map and one.has(Mark.MELEE):
            there = [u for u in cg.state.at(one.at or "") if u.has(Mark.MELEE)]
            assert {u.side for u in there} == set(SIDES)
    assert all(cg.state.side(side).cvp >= 0 for side in SIDES)


def test_chance_tells_all_sorts_of_stories() -> None:
    cg = battle()
    marks: set[str] = set()
    fates: set[str] = set()
    gained = 0
    for seed in range(600):
        made = BattleReport.suggest(cg, "axis", Random(seed))
        for line in made["units"]:
            fates.add(line["fate"])
            marks |= set(line.get("marks", ()))
        gained += len(made["control"])
        assert wrong(cg, "axis", **made) == []
    assert fates == {"on-map", "eliminated", "captured", "recalled"}
    wanted = {"broken", "wounded", "melee", "prisoner", "bogged", "mired", "shock", "climbing"}
    assert wanted <= marks
    assert made is not None


def test_chance_knows_no_hidden_enemy() -> None:
    """What is suggested depends on what its side may know alone."""
    cg, less = battle(), battle()
    hidden = {k: u for k, u in less.state.units.items() if u.side == "axis" or u.known}
    less.state = replace(less.state, units=hidden)
    for seed in range(40):
        one = BattleReport.suggest(cg, "axis", Random(seed))
        assert one == BattleReport.suggest(less, "axis", Random(seed))


def test_chance_without_edge_or_enemies() -> None:
    cg = battle(sides={"axis": {"friendly_edges": []}})
    alone = {k: u for k, u in cg.state.units.items() if u.side == "axis"}
    cg.state = replace(cg.state, units=alone)
    for seed in range(60):
        made = BattleReport.suggest(cg, "axis", Random(seed))
        assert all(line["unit"] != "AX9" for line in made["units"])
        assert wrong(cg, "axis", **made) == []
