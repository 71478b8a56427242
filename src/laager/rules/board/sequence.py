"""Sequences of play: which steps make up each round, and which comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from laager.campaign import Step, implements
from laager.rules.board.state import BoardState


def under(clause: str, title: str, step: Step, **changes: Any) -> Step:
    """Return a shared step as the step of another rule system, under its clause and title."""
    return replace(step, clause=clause, title=title, **changes)


@dataclass(frozen=True)
class Sequences:
    """The steps of each round, in order; `optional` are the ids that a card may omit."""

    rounds: Mapping[Any, tuple[Step, ...]]
    optional: frozenset[str] = frozenset()

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """Every step by its id."""
        return {step.id: step for steps in self.rounds.values() for step in steps}

    def of(self, state: BoardState) -> tuple[Step, ...]:
        """Return the steps of the present round, without those that the card omits."""
        return tuple(step for step in self.rounds.get(state.round, ()) if step.id not in state.omit)

    @implements("PL 1.1", "PL 2.0", "PL 2.2 heading", "PL 3.0", "PL SEQ CYCLE", "PL SEQ IDLE", "PL SEQ INITIAL")
    @implements("HASL 10", "ABtF 9.2 RePh", "ABtF 9.6", "ER 1.523")
    def next_step(self, state: BoardState) -> Step | None:
        """Return the first step of the round that is not done; None when the campaign is over."""
        return next((step for step in self.of(state) if step.id not in state.done), None)
