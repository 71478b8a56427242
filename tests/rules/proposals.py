"""Runs the steps of any rule system and holds each of their questions to its promise.

What a question proposes is legal, whatever the state.
"""

from __future__ import annotations

from random import Random
from typing import Any

from laager.base import DataError
from laager.campaign.facts import Fact
from laager.campaign.questions import Question
from laager.campaign.steps import Procedure, Roll, Step
from laager.dice import Rolled


def run_by_chance(step: Step, cg: Any, rng: Random) -> list[Fact]:
    """Run a step (both lanes, if it has one per side) on `cg.state`, and return its facts."""
    if not step.each_side:
        return carried(cg, step.run(cg), rng)
    return [fact for side in cg.state.sides for fact in carried(cg, step.run(cg, side), rng)]


def carried(cg: Any, procedure: Procedure[None], rng: Random, *, suggests: bool = False) -> list[Fact]:
    """Run a procedure with dice and answers by chance, and return its facts.

    `suggests`: what its questions make up for automatic play has to be legal too, at once.
    """
    facts: list[Fact] = []
    send: Any = None
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            return facts
        send = None
        if isinstance(command, Fact):
            facts.append(type(command).model_validate(command.body()))
            cg.state = facts[-1].apply(cg.state)
        elif isinstance(command, Roll):
            faces = tuple(rng.randint(1, 6) for _ in range(command.dice.count))
            send = Rolled(command.dice, faces, command.modifiers)
        else:
            send = {(one.side, one.key): answered(one, rng, suggests) for one in command.questions}


def answered(question: Question, rng: Random, suggests: bool = False) -> Any:
    """Return an answer by chance, after a look at what the question itself proposes."""
    own = [] if question.default is None else [question.default]
    if suggests and question.suggest is not None:
        own.append(question.suggest(rng))
    for answer in own:
        try:
            question.accept(answer)
        except DataError as err:
            raise AssertionError(f"{question.key} proposes {answer!r}: {err}") from err
    return question.accept(rng.choice([*own, question.sample(rng)]))
