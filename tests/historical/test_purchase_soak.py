"""Whole purchases by chance: nothing dead-ends, balances hold, running again does the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.campaign.facts import Fact
from laager.campaign.steps import Procedure, Roll
from laager.dice import Rolled
from laager.rules.board.hasl.buying.fortifications import fortifying
from laager.rules.board.hasl.buying.groups import units_of_group
from laager.rules.board.hasl.buying.purchase import purchasing
from laager.rules.board.hasl.buying.strength import strength_weapons_leaders
from laager.rules.board.hasl.facts import DateBegun
from laager.rules.board.hasl.scenario.points import cpp_replenishment, given_reinforcements
from tests.historical.buying import island, town, written
from tests.historical.small import data, scene
from tests.historical.test_strength import tables

BARE: dict[str, Any] = {"sides": {"axis": {"rg": None}, "allied": {"rg": None}}}
GIVEN = {
    "axis": {"groups": [{"rg": "K-I1"}, {"rg": "O1"}]},
    "allied": {"groups": [{"rg": "I1", "leaders": ["9-1"]}], "fpp": 5},
}


def given_town() -> Any:
    first, *rest = data("small-town")["dates"]
    return scene({"dates": [{**first, "given": GIVEN}, *rest]})


SCENES: dict[str, Callable[[], Any]] = {
    "town": town,
    "given": given_town,
    "no charts": lambda: scene(charts={**BARE, "fortifications": None}),
    "no tables": lambda: scene(tables=tables(strength=None, leaders=None)),
    "island": island,
}


class Desk:
    """Answers and rolls by chance, and keeps what it did; or does again what was kept."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.sent: list[Any] = []
        self.facts: list[str] = []

    def run(self, cg: Any, procedure: Procedure[None], kept: list[Any] | None = None) -> None:
        send: Any = None
        while True:
            try:
                command = procedure.send(send)
            except StopIteration:
                return
            send = None
            if isinstance(command, Fact):
                body = json.loads(json.dumps(command.body()))
                self.facts.append(json.dumps(body, sort_keys=True))
                live = command.apply(cg.state)
                cg.state = type(command).model_validate(body).apply(cg.state)
                assert cg.state == live
                continue
            if kept is not None:
                send = kept.pop(0)
            elif isinstance(command, Roll):
                faces = tuple(self.rng.randint(1, 6) for _ in range(command.dice.count))
                send = Rolled(command.dice, faces, command.modifiers)
            else:
                send = {
                    (q.side, q.key): q.accept(json.loads(json.dumps(q.sample(self.rng)))) for q in command.questions
                }
            self.sent.append(send)


def steps(cg: Any, side: str) -> list[Procedure[None]]:
    return [step.run(cg, side) for step in (cpp_replenishment, purchasing, strength_weapons_leaders, fortifying)]


@pytest.mark.parametrize("where", SCENES)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_dates_by_chance(where: str, seed: int) -> None:
    cg, desk = SCENES[where](), Desk(seed)
    for number in range(1, len(cg.card.dates) + 1):
        if number > 1:
            cg.state = DateBegun(number=number).apply(cg.state)
        desk.run(cg, given_reinforcements.run(cg))
        for side in ("axis", "allied"):
            for procedure in steps(cg, side):
                desk.run(cg, procedure)
            assert cg.state.side(side).cpp >= 0
            assert cg.state.side(side).fpp == 0
    for side in ("axis", "allied"):
        for group, line in zip(cg.state.groups_of(side), written(cg, side), strict=True):
            came = [unit.type for unit in units_of_group(cg, side, group.id)]
            for type_, count in {**group.units, **group.sw}.items():
                assert came.count(type_) >= count
            assert line.left is None or line.left >= 0
            assert all(unit.area == group.area for unit in units_of_group(cg, side, group.id))


@pytest.mark.parametrize("where", SCENES)
def test_running_again_does_the_same(where: str) -> None:
    for seed in range(5):
        first, again = Desk(seed), Desk(seed)
        cg = SCENES[where]()
        for side in ("axis", "allied"):
            for procedure in steps(cg, side):
                first.run(cg, procedure)
        twin, kept = SCENES[where](), list(first.sent)
        for side in ("axis", "allied"):
            for procedure in steps(twin, side):
                again.run(twin, procedure, kept)
        assert again.facts == first.facts
        assert not kept
