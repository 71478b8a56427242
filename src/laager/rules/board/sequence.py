"""Sequences of play: which steps make up each round, and which comes next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from laager.campaign import (
    NOTHING,
    Procedure,
    Step,
    ask_at_least,
    ask_together,
    ask_where_undecided,
    at_once,
    conduct,
    edition_of_parts,
    implements,
    no_decision,
    under_clause,
    without_missed,
)
from laager.rules.board.state import BoardState


def retitle(clause: str, title: str, step: Step, **changes: Any) -> Step:
    """Return a shared step as the step of another rule system, under its clause and title."""
    return replace(step, clause=clause, title=title, **changes)


@dataclass(frozen=True)
class StepPlan:
    """In which order steps are gone through that are one step for the players."""

    steps: tuple[Step, ...]
    run: Callable[[Any], Procedure[None]]


def run_in_turn(*parts: Step | StepPlan) -> StepPlan:
    """Go through parts one after the other, until one of them begins another round."""
    plans = [_plan(part) for part in parts]

    def run(cg: Any) -> Procedure[None]:
        present = cg.state.round
        for plan in plans:
            if cg.state.round == present:
                yield from plan.run(cg)

    return StepPlan(tuple(step for plan in plans for step in plan.steps), run)


def run_side_by_side(*parts: Step | StepPlan) -> StepPlan:
    """Go through parts at once: what they ask is asked together."""
    plans = [_plan(part) for part in parts]

    def run(cg: Any) -> Procedure[None]:
        yield from at_once(*(plan.run(cg) for plan in plans))

    return StepPlan(tuple(step for plan in plans for step in plan.steps), run)


def run_either(test: Callable[[Any], bool], plan: StepPlan, otherwise: StepPlan) -> StepPlan:
    """Go through the same steps in one of two orders. The test may depend only on what both sides know."""
    return StepPlan(otherwise.steps, lambda cg: (plan if test(cg) else otherwise).run(cg))


def run_instead(step: Step, run: Callable[[Any], Procedure[None]]) -> StepPlan:
    """Go through a step in another way, in which it asks more at once."""
    return _plan(replace(step, run=run), step)


def _plan(part: Step | StepPlan, known_as: Step | None = None) -> StepPlan:
    if isinstance(part, StepPlan):
        return part

    def run(cg: Any) -> Procedure[None]:
        if part.id not in cg.state.omit:
            yield from under_clause(part.clause, conduct(part, cg))

    return StepPlan((known_as or part,), run)


def merge_steps(name: str, title: str, plan: StepPlan) -> Step:
    """Make one step of several that both sides go through together, under the clause of the first."""
    steps = plan.steps
    return Step(
        name,
        steps[0].clause,
        title,
        plan.run,
        also=_clauses(steps),
        edition=edition_of_parts(steps),
        parts=steps,
        gathers=True,
    )


def merge_for_each_side(name: str, title: str, *parts: Step) -> Step:
    """Make one step of several that each side goes through by itself, and is asked about together."""

    def run(cg: Any, side: str) -> Procedure[None]:
        due = [part for part in parts if part.id not in cg.state.omit]
        yield from at_once(*(_silent(part, cg, side) for part in due))

    return _for_each_side(name, title, run, parts)


def merge_unbothered(name: str, title: str, *parts: Step, last: tuple[Step, Step]) -> Step:
    """Make one step of several that each side goes through by itself.

    It is asked about `parts` only where it can decide something, then always about the last two at once.
    """

    def run(cg: Any, side: str) -> Procedure[None]:
        first = [_silent(part, cg, side) for part in parts if part.id not in cg.state.omit]
        at_last = [_silent(part, cg, side) for part in last if part.id not in cg.state.omit]
        nothing = no_decision(NOTHING, side, "You have nothing to decide now.", last[0].clause)
        yield from ask_where_undecided(*first, last=ask_at_least(ask_together(*at_last), nothing))

    steps = (*parts, *last)
    return _for_each_side(name, title, run, steps)


def _for_each_side(name: str, title: str, run: Callable[..., Procedure[None]], parts: tuple[Step, ...]) -> Step:
    clauses, edition = _clauses(parts), edition_of_parts(parts)
    return Step(
        name, parts[0].clause, title, run, each_side=True, also=clauses, edition=edition, parts=parts, gathers=True
    )


def _silent(part: Step, cg: Any, side: str) -> Procedure[None]:
    yield from under_clause(part.clause, conduct(part, cg, side))


def _clauses(steps: tuple[Step, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for step in steps for name in step.__clauses__))


LISTS_KEPT = 1000
"""Most lists of steps that are cached."""


@dataclass(frozen=True)
class Sequences:
    """The steps of each round, in order; `optional` are the ids that a card may omit."""

    rounds: Mapping[Any, tuple[Step, ...]]
    optional: frozenset[str] = frozenset()

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """Every step by its id, and those in whose place one stands; of one in several rounds, as it was added last."""
        steps = [step for steps in self.rounds.values() for whole in steps for step in (whole, *whole.parts)]
        return {step.id: step for step in sorted(steps, key=lambda step: step.since)}

    def due_steps(self, state: BoardState) -> tuple[Step, ...]:
        """Return the steps of the present round, without those that the card omits.

        Instead of a step that stands in the place of others these are there, if one of them is done:
        the campaign began the round before they were one. A step that was added when the campaign had done a later
        one of the round isn't there.
        """
        asked = state.round, state.omit, self._parts.intersection(state.done)
        if asked not in self._lists:
            if len(self._lists) >= LISTS_KEPT:
                self._lists.clear()
            self._lists[asked] = tuple(self._list_steps(*asked))
        return without_missed(self._lists[asked], state.done)

    def _list_steps(self, round_: Any, omit: frozenset[str], done: frozenset[str]) -> Iterator[Step]:
        for step in self.rounds.get(round_, ()):
            begun = any(part.id in done for part in step.parts)
            yield from (part for part in (step.parts if begun else (step,)) if part.id not in omit)

    @cached_property
    def _parts(self) -> frozenset[str]:
        """The ids of all steps in whose place another one stands."""
        return frozenset(part.id for steps in self.rounds.values() for step in steps for part in step.parts)

    @cached_property
    def _lists(self) -> dict[tuple[Any, frozenset[str], frozenset[str]], tuple[Step, ...]]:
        """What `of` has returned, by all that it depends on."""
        return {}

    @implements("PL 1.1", "PL 2.0", "PL 2.2 heading", "PL 3.0", "PL SEQ CYCLE", "PL SEQ IDLE", "PL SEQ INITIAL")
    @implements("HASL 10", "ABtF 9.2 RePh", "ABtF 9.6", "ER 1.523")
    def next_step(self, state: BoardState) -> Step | None:
        """Return the first step of the round that is not done; None when the campaign is over."""
        return next((step for step in self.due_steps(state) if step.id not in state.done), None)

    def steps_before(self, round_: Any, omit: frozenset[str], step: str) -> tuple[str, ...] | None:
        """Return the ids of what is done of a round when a step comes next; None if the round hasn't got that step.

        A step in whose place another stands now comes next where a campaign began the round before they were one.
        """
        done: list[str] = []
        for due in self.rounds.get(round_, ()):
            if due.id == step:
                return tuple(done)
            parts = [part.id for part in due.parts]
            if step in parts:
                return (*done, *(part for part in parts[: parts.index(step)] if part not in omit))
            if due.id not in omit:
                done.append(due.id)
        return None
