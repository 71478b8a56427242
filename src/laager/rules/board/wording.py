"""Facts in words that give away no more than their readers may know of a unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from laager.campaign import Fact, Procedure, Roll, change_commands
from laager.campaign.steps import Command
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

    def hide(command: Command) -> Command:
        if isinstance(command, Fact):
            return _without_name(command) if isinstance(command, OPEN_TO_ALL) else command.known_to(side)
        if isinstance(command, Roll):
            return replace(command, secret=True)
        return replace(command, questions=tuple(question.but(secret=True) for question in command.questions))

    return change_commands(procedure, hide)
