"""Sniper counters: each side places its own at the start of every scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Field, Procedure, Question, Record, Text, YesNo, ask, implements
from laager.hexmap import sniper_pair, sniper_problem
from laager.rules.board.hasl.buying.offers import hex_problem
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import SnipersPlaced

NAMES = ("first", "second")
"""The fields of the answer, one for each Sniper."""


@implements("HASL 28")
def snipers_placed(cg: Hasl, side: str) -> Procedure[None]:
    """A side places its Sniper counters, two of them far from each other."""
    count = cg.variant.snipers(cg)
    if not count:
        return
    answer = yield from ask(sniper_question(cg, side, count))
    hexes = tuple(cg.map.main(answer[name]) for name in NAMES[:count])
    yield SnipersPlaced(side=side, hexes=hexes, why="placed as A14.2 says")


def sniper_question(cg: Hasl, side: str, count: int) -> Question:
    """Return the question where a side's Snipers are."""
    text = "Where do you place your Sniper?" if count == 1 else "Where do you place your Snipers?"
    fields = [Field(name, Text(limit=12), f"{name} Sniper".capitalize()) for name in NAMES[:count]]
    help_ = "A14.2 says where you can place a Sniper; Laager does not check it."
    if count > 1:
        fields.append(Field("far", YesNo(), "A14.2 lets them be no farther apart", False))
        help_ += f" The two are at least {cg.variant.sniper_range(cg)} hexes apart, or as far as possible."
    return Question(
        "snipers",
        side,
        text,
        Record.of(*fields),
        default=_answer(first_places(cg, side, count)),
        help=help_,
        check=lambda answer: tuple(sniper_problems(cg, answer, count)),
        suggest=lambda rng: _answer(some_places(cg, count, rng)),
    )


def _answer(hexes: Sequence[str]) -> dict[str, Any]:
    answer: dict[str, Any] = dict(zip(NAMES, hexes, strict=False))
    return answer | ({"far": False} if len(hexes) > 1 else {})


@implements("ABtF CG8", "ER CG13", "ER GEO-11")
def sniper_problems(cg: Hasl, answer: Mapping[str, Any], count: int) -> Iterator[Problem]:
    """Yield what is wrong with the hexes of a side's Snipers."""
    faults = {name: hex_problem(cg, answer[name]) for name in NAMES[:count]}
    for name, fault in faults.items():
        if fault:
            yield Problem(fault, "name a hex", name)
    if count > 1 and not any(faults.values()) and not answer["far"]:
        first, second = (answer[name] for name in NAMES)
        problem = sniper_problem(cg.map, first, second, cg.map.playable, cg.variant.sniper_range(cg))
        if problem is not None:
            yield problem.inside("second")


def first_places(cg: Hasl, side: str, count: int) -> Sequence[str]:
    """Return legal hexes to begin with: in a Setup Area of the side if it is large enough."""
    least = cg.variant.sniper_range(cg)
    own = cg.map.in_order(cg.state.friendly(side) & cg.map.playable)
    everywhere = cg.map.in_order(cg.map.playable)
    if count == 1:
        return (own or everywhere)[:1]
    pair = sniper_pair(cg.map, own, least) if own else None
    if pair is None or cg.map.distance(*pair) < least:
        pair = sniper_pair(cg.map, everywhere, least)
    return pair or ()


def some_places(cg: Hasl, count: int, rng: Random) -> Sequence[str]:
    """Return hexes chosen by chance; two are a legal pair if chance finds one soon."""
    hexes = cg.map.in_order(cg.map.playable)
    for _ in range(20):
        chosen = rng.choices(hexes, k=count)
        if count == 1 or cg.map.distance(*chosen) >= cg.variant.sniper_range(cg):
            return chosen
    return first_places(cg, "", count)
