"""Runs one step of the rules on a state made by hand, with given answers and dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.base import DataError
from laager.campaign.facts import Fact
from laager.campaign.questions import Question
from laager.campaign.steps import Ask, Roll, Step
from laager.dice import Rolled

DEFAULT = object()
"""Answers a question with its own default."""


@dataclass
class Played:
    """What a step did: its facts, rolls and questions, in order."""

    facts: list[Fact] = field(default_factory=list)
    rolls: list[tuple[Roll, Rolled]] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Fact]:
        return [fact for fact in self.facts if fact.kind in kinds]

    def finals(self, label: str = "") -> list[int]:
        return [rolled.final for roll, rolled in self.rolls if label in roll.label]

    @property
    def keys(self) -> list[str]:
        return [question.key for question in self.asked]

    def question(self, key: str) -> Question:
        return self.questions(key)[0]

    def questions(self, key: str) -> list[Question]:
        return [question for question in self.asked if question.key == key]


def play(
    step: Step,
    cg: Any,
    side: str | None = None,
    answers: Mapping[str, Any] | Sequence[tuple[str, Any]] = (),
    dice: Iterable[Sequence[int]] = (),
) -> Played:
    """Run a step (its lane of `side`, if it has one per side) on cg.state to its end.

    `answers`: by question key, `key@side`, or in order; a question that is not among them gets its
    default. `dice`: faces in order; running out is an error, and so are dice left over.
    """
    ordered = list(answers) if not isinstance(answers, Mapping) else None
    named = dict(answers) if isinstance(answers, Mapping) else {}
    faces = list(dice)
    played = Played()
    procedure = step.run(cg, side) if step.each_side else step.run(cg)
    send: Any = None
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            break
        if isinstance(command, Fact):
            fact = command if command.rule else command.model_copy(update={"rule": step.clause})
            played.facts.append(type(fact).model_validate(fact.body()))
            cg.state = played.facts[-1].apply(cg.state)
            send = None
        elif isinstance(command, Roll):
            assert faces, f"no dice left for {command.label}"
            rolled = Rolled(command.dice, tuple(faces.pop(0)), command.all_modifiers)
            played.rolls.append((command, rolled))
            send = rolled
        else:
            assert isinstance(command, Ask)
            send = {}
            for question in command.questions:
                played.asked.append(question)
                send[question.side, question.key] = question.accept(_answer(question, named, ordered))
    assert not faces, f"dice left over: {faces}"
    assert not ordered, f"answers left over: {ordered}"
    return played


def _answer(question: Question, named: dict[str, Any], ordered: list[tuple[str, Any]] | None) -> Any:
    if ordered:
        key, value = ordered[0]
        if key in (question.key, f"{question.key}@{question.side}"):
            ordered.pop(0)
            return question.default if value is DEFAULT else value
    for name in (f"{question.key}@{question.side}", question.key):
        if name in named:
            value = named[name]
            return question.default if value is DEFAULT else value
    return question.default


def refusals(question: Question, raw: Any) -> list[str]:
    """Return what is told to whoever gives this answer, each problem as a line; nothing if it is accepted."""
    try:
        question.accept(raw)
    except DataError as err:
        return [str(problem) for problem in err.problems]
    return []
