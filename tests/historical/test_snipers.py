"""Snipers: how many, how far apart (walkthrough A1), by default and by chance."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import pytest

from laager.base import DataError
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.setup.snipers import first_places, sniper_question, snipers_placed
from laager.rules.board.hasl.variant import Variant
from tests.historical.driver import run
from tests.historical.setting import BridgeCg
from tests.historical.small import scene


def said(cg: Any, first: str, second: str, *, far: bool = False) -> list[str]:
    question = sniper_question(cg, "allied", 2)
    try:
        question.accept({"first": first, "second": second, "far": far})
    except DataError as refused:
        return [f"{one.field}: {one.what}; {one.right}" for one in refused.problems]
    return []


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ("A1", "L8", []),
        ("A8", "L0", []),
        ("A1", "L4", ["second: the Snipers in A1 and L4 are 11 hexes apart; at least 12"]),
        ("A1", "Q9", ["second: 'Q9' is not a hex in play; name a hex"]),
        ("", "L8", ["first: you named none; name a hex"]),
    ],
)
def test_two_snipers_are_far_apart(first: str, second: str, wrong: list[str]) -> None:
    assert said(scene(context=BridgeCg), first, second) == wrong


def test_where_a14_lets_them_be_no_farther_apart_the_owner_says_so() -> None:
    cg = scene(context=BridgeCg)
    assert said(cg, "A1", "L4", far=True) == []
    assert "at least 12 hexes apart" in sniper_question(cg, "allied", 2).help


def test_both_are_placed_and_everybody_sees_them() -> None:
    cg = scene(context=BridgeCg)
    played = run(lambda cg: snipers_placed(cg, "allied"), cg)
    assert len(cg.state.side("allied").snipers) == 2
    assert played.facts[0].to is None
    assert cg.map.distance(*cg.state.side("allied").snipers) >= 12


def test_one_sniper_in_the_own_area() -> None:
    cg = scene()
    played = run(lambda cg: snipers_placed(cg, "axis"), cg)
    assert cg.state.side("axis").snipers[0] in cg.state.friendly("axis")
    assert "far" not in played.asked[0].default


def test_a_pair_in_the_own_area_if_it_is_large_enough() -> None:
    class Near(Variant[Any]):
        sniper_count: ClassVar[int] = 2
        sniper_spacing: ClassVar[int] = 4

    class NearCg(Hasl):
        variant: ClassVar[Variant[Any]] = Near()

    pair = first_places(scene(context=NearCg), "allied", 2)
    assert all(name in scene().state.friendly("allied") for name in pair)


def test_no_snipers_where_the_system_has_none() -> None:
    class NoSnipers(Variant[Any]):
        sniper_count: ClassVar[int] = 0

    class NoSnipersCg(Hasl):
        variant: ClassVar[Variant[Any]] = NoSnipers()

    assert run(lambda cg: snipers_placed(cg, "axis"), scene(context=NoSnipersCg)).asked == []


@pytest.mark.parametrize("count", [1, 2])
def test_what_chance_suggests_is_accepted(count: int) -> None:
    question = sniper_question(scene(context=BridgeCg), "axis", count)
    assert question.suggest is not None
    for seed in range(20):
        question.accept(question.suggest(Random(seed)))


def test_if_chance_finds_no_pair_the_first_one_is_taken() -> None:
    class Wide(Variant[Any]):
        sniper_count: ClassVar[int] = 2
        sniper_spacing: ClassVar[int] = 99

    class WideCg(Hasl):
        variant: ClassVar[Variant[Any]] = Wide()

    question = sniper_question(scene(context=WideCg), "axis", 2)
    assert question.suggest is not None
    question.accept(question.suggest(Random(1)))
