"""Sequences of play: which steps make up each round, and which comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from laager.campaign import Procedure, Step
from laager.rules.board.hasl.state import HaslState, Round


def carried_out(
    clause: str,
    title: str,
    run: Callable[..., Procedure[None]],
    *,
    each_side: bool = False,
    also: Iterable[str] = (),
    edition: int = 1,
) -> Step:
    """Return a procedure of the layer as the step of a rule system's clause."""
    return Step(run.__name__.replace("_", "-"), clause, title, run, each_side, tuple(also), edition)


@dataclass(frozen=True)
class Sequences:
    """The steps of each round, in order; `optional` are the ids that a card may omit."""

    rounds: Mapping[Round, tuple[Step, ...]]
    optional: frozenset[str] = frozenset()

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """Every step by its id."""
        return {step.id: step for steps in self.rounds.values() for step in steps}

    @property
    def __steps__(self) -> tuple[Step, ...]:
        """The steps, for the index of rules: which of its clauses they carry out."""
        return tuple(self.steps.values())

    def of(self, state: HaslState) -> tuple[Step, ...]:
        """Return the steps of the present round, without those that the card omits."""
        steps = self.rounds.get(state.round, ())
        return tuple(step for step in steps if step.id not in state.omit)

    def next_step(self, state: HaslState) -> Step | None:
        """Return the first step of the round that is not done; None when the campaign is over."""
        return next((step for step in self.of(state) if step.id not in state.done), None)
