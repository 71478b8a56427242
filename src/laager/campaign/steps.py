"""Steps: procedures that read like the rule they carry out.

A step is a generator. It yields facts as they follow, and asks and rolls through `ask`,
`ask_all` and `roll`:

    @step("PL 3.47", "ELR loss or gain", each_side=True)
    def elr_change(cg, side):
        rolled = yield from roll(side, "ELR change", Dice.DR, modifiers(cg, side))
        yield ElrChanged(side=side, by=...)

The engine records every answer and every roll, so that a procedure cut off anywhere is resumed by
running it again on what is recorded. A procedure must therefore depend on nothing but the state,
the answers and the rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from laager.campaign.facts import Fact, Side
from laager.campaign.questions import Question
from laager.dice import Dice, Modifier, Rolled

T = TypeVar("T")


@dataclass(frozen=True)
class Roll:
    """Dice to be rolled by (or for) a side. A secret roll is known to that side only."""

    side: Side
    label: str
    dice: Dice
    modifiers: tuple[Modifier, ...] = ()
    rule: str = ""
    secret: bool = False


@dataclass(frozen=True)
class Ask:
    """Questions to be answered together; nobody sees another's answer before all are in."""

    questions: tuple[Question, ...]


Command = Fact | Roll | Ask
Procedure = Generator[Command, Any, T]


def roll(
    side: Side,
    label: str,
    dice: Dice,
    modifiers: Iterable[Modifier] = (),
    rule: str = "",
    secret: bool = False,
) -> Procedure[Rolled]:
    """Have dice rolled; modifiers of 0 are left out. Returns faces, modifiers and final result."""
    worth_telling = tuple(modifier for modifier in modifiers if modifier.value)
    rolled: Rolled = yield Roll(side, label, dice, worth_telling, rule, secret)
    return rolled


def ask(question: Question) -> Procedure[Any]:
    """Ask one question; returns the accepted answer."""
    answers = yield Ask((question,))
    return answers[question.side, question.key]


def ask_all(questions: Iterable[Question]) -> Procedure[Mapping[Side, Any]]:
    """Ask one question of each of several sides at once; returns the answers by side."""
    asked = tuple(questions)
    if not asked:
        return {}
    answers = yield Ask(asked)
    return {question.side: answers[question.side, question.key] for question in asked}


@dataclass(frozen=True)
class Step:
    """A numbered step of a rulebook's sequence.

    `each_side`: one procedure per side, side by side, neither waiting for the other; otherwise one
    procedure for the table. `run` takes the ruleset's context, and the side if `each_side`.
    """

    id: str
    clause: str
    title: str
    run: Callable[..., Procedure[None]]
    each_side: bool = False
    also: tuple[str, ...] = ()

    @property
    def __clauses__(self) -> tuple[str, ...]:
        """The clauses that this step carries out."""
        return (self.clause, *self.also)


def step(
    clause: str, title: str, *, each_side: bool = False, also: Iterable[str] = ()
) -> Callable[[Callable[..., Procedure[None]]], Step]:
    """Turn a procedure into the step of a clause; `also` names further clauses it carries out."""

    def make(run: Callable[..., Procedure[None]]) -> Step:
        name = run.__name__.replace("_", "-")
        return Step(name, clause, title, run, each_side, tuple(also))

    return make


def together(name: str, clause: str, title: str, *parts: Step) -> Step:
    """Make one step of several that each side does by itself, one after the other.

    Each side goes through all parts without waiting for the other, who learns only when the whole
    is done: at which part somebody had something to decide is nobody else's business.
    """

    def run(cg: Context, side: Side) -> Procedure[None]:
        for part in parts:
            yield from _under(part.clause, part.run(cg, side))

    clauses = tuple(name for part in parts for name in part.__clauses__)
    return Step(name, clause, title, run, each_side=True, also=clauses)


def _under(clause: str, procedure: Procedure[None]) -> Procedure[None]:
    """Run a procedure, giving its clause to whatever names no rule of its own."""
    send: Any = None
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            return
        send = yield _ruled(command, clause)


def _ruled(command: Command, clause: str) -> Command:
    if isinstance(command, Fact):
        return command if command.rule else command.model_copy(update={"rule": clause})
    if isinstance(command, Roll):
        return command if command.rule else replace(command, rule=clause)
    return Ask(tuple(q if q.rule else replace(q, rule=clause) for q in command.questions))


class Context:
    """What a step sees: the live state, beside whatever its ruleset adds (card, map, tables).

    The engine alone sets `state`, after every fact.
    """

    state: Any
