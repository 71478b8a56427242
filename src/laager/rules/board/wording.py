"""Facts in words that give away no more than their readers may know of a unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from laager.campaign import Fact, Procedure, Roll
from laager.rules.board.facts import CvpScored, FortJoined, UnitGone, UnitHidden
from laager.rules.board.units import Unit

T = TypeVar("T")

OPEN_TO_ALL = (UnitGone, CvpScored, FortJoined, UnitHidden)
"""What both sides learn even while one of them may not look: losses, mines that went off, and
which units the enemy can no longer tell."""


def public_name(unit: Unit, number: int = 0) -> str:
    """Return what everybody may call a unit: its label only if the enemy knows it."""
    if unit.known:
        return unit.label
    return f"concealed unit {number}" if number else "a concealed unit"


def yield_facts(facts: Iterable[Fact]) -> Procedure[None]:
    """Yield facts from inside a procedure."""
    yield from facts


def without_names(unit: Unit, facts: Iterable[Fact]) -> Iterator[Fact]:
    """Leave the name of a unit that the enemy doesn't know out of the CVP that it is worth."""
    for fact in facts:
        yield fact if unit.known else _without_name(fact)


def _without_name(fact: Fact) -> Fact:
    if isinstance(fact, CvpScored):
        return fact.but(why="losses in redeployment")
    return fact


def run_in_secret(side: str, procedure: Procedure[T]) -> Procedure[T]:
    """Run a procedure out of the enemy's sight: what it does is told to its own side alone."""
    answer = None
    while True:
        try:
            command = procedure.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result
        if isinstance(command, Fact):
            shown = isinstance(command, OPEN_TO_ALL)
            answer = yield _without_name(command) if shown else command.known_to(side)
        elif isinstance(command, Roll):
            answer = yield replace(command, secret=True)
        else:
            questions = tuple(question.but(secret=True) for question in command.questions)
            answer = yield replace(command, questions=questions)
