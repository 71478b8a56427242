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

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar

from laager.base.texts import Meanings, Multilingual
from laager.campaign.facts import Fact, Side
from laager.campaign.questions import Later, Question, no_decision
from laager.dice import Dice, Modifier, Rolled

if TYPE_CHECKING:
    from laager.campaign.house.rules import HouseRules

T = TypeVar("T")


@dataclass(frozen=True)
class Roll:
    """Dice to be rolled by (or for) a side. A secret roll is known to that side only.

    A sealed roll is known to the umpire only: it has, or could have, modifiers that not even its
    side may know (`unseen`), and that its faces would tell.
    """

    side: Side
    label: str
    dice: Dice
    modifiers: tuple[Modifier, ...] = ()
    rule: str = ""
    secret: bool = False
    sealed: bool = False
    unseen: tuple[Modifier, ...] = ()
    about: str = ""
    """The unit for which it is rolled, by its ID, if its label doesn't say; who sees the roll knows the unit."""
    table: str = ""
    """The table that is rolled on, by its id; "" if it is none that the rules name."""

    @property
    def all_modifiers(self) -> tuple[Modifier, ...]:
        """All modifiers, including those that its side may not know."""
        return self.modifiers + self.unseen

    @property
    def audience(self) -> tuple[Side, ...] | None:
        """Who may know it: everyone, its side, or nobody but the umpire."""
        if self.sealed:
            return ()
        return (self.side,) if self.secret else None


@dataclass(frozen=True)
class Ask:
    """Questions to be answered together.

    `spared` are those that nobody is bothered with, as they leave nothing to decide.
    """

    questions: tuple[Question, ...]
    spared: tuple[Question, ...] = ()


Command = Fact | Roll | Ask
Procedure = Generator[Command, Any, T]


def roll(
    side: Side,
    label: str,
    dice: Dice,
    modifiers: Iterable[Modifier] = (),
    rule: str = "",
    secret: bool = False,
    unseen: Iterable[Modifier] | None = None,
    about: str = "",
    table: str = "",
) -> Procedure[Rolled]:
    """Have dice rolled; modifiers of 0 are left out. Returns faces, modifiers and final result.

    `about` is the unit for which it is rolled, where the label doesn't tell it from others.
    `unseen` are modifiers that the side itself may not know; a roll that may have some is sealed,
    even if it has none.
    """
    sealed = unseen is not None
    worth_telling = tuple(modifier for modifier in modifiers if modifier.value)
    kept_back = tuple(modifier for modifier in unseen or () if modifier.value)
    rolled: Rolled = yield Roll(
        side, label, dice, worth_telling, rule, secret or sealed, sealed, kept_back, about, table
    )
    return rolled


def ask(question: Question) -> Procedure[Any]:
    """Ask one question; returns the accepted answer."""
    answers = yield Ask((question,))
    return answers[question.side, question.key]


def ask_all(questions: Iterable[Question]) -> Procedure[Mapping[Side, Any]]:
    """Ask one question of each of several sides at once; returns the answers by side.

    Answers of several sides are secret: a side must not see another's before it gives its own. What follows from
    them is told by facts.
    """
    asked = tuple(questions)
    if len(asked) > 1:
        asked = tuple(question.but(secret=True) for question in asked)
    if not asked:
        return {}
    answers = yield Ask(asked)
    return {question.side: answers[question.side, question.key] for question in asked}


@dataclass(frozen=True)
class Step:
    """A numbered step of a rulebook's sequence.

    `each_side`: one procedure per side, side by side, neither waiting for the other; otherwise one
    procedure for the table. `run` takes the ruleset's context, and the side if `each_side`.
    `edition` grows when a correction changes what the procedure asks, rolls or yields, so that
    logs written before it are still understood. `since` is the edition of the sequence in which the step was added.
    """

    id: str
    clause: str
    title: str
    run: Callable[..., Procedure[None]]
    each_side: bool = False
    also: tuple[str, ...] = ()
    edition: int = 1
    apart: bool = False
    """The lanes of both sides don't look at each other: each can go back by itself."""
    parts: tuple[Step, ...] = ()
    """The steps in whose place it stands. A campaign that has begun with them goes on with them."""
    since: int = 1
    """2 for a step that was added to a sequence that had none such before, and so on."""
    gathers: bool = False
    """True if it goes through steps that have clauses of their own."""

    def stands_for(self, name: str) -> bool:
        """True if it is the step of this name, or one in whose place it stands."""
        return name == self.id or any(part.id == name for part in self.parts)

    @property
    def __clauses__(self) -> tuple[str, ...]:
        """The clauses that this step carries out."""
        return (self.clause, *self.also)

    def record(self, sequence: int = 1) -> dict[str, Any]:
        """Return the body of the entry that begins it, in this edition of the sequence. Edition 1 isn't stored."""
        editions = {"edition": self.edition, "sequence": sequence}
        return {"step": self.id, "clause": self.clause} | {key: n for key, n in editions.items() if n > 1}

    def corrected_since(self, record: Mapping[str, Any]) -> bool:
        """True if the procedure was corrected after this record of it was made."""
        edition = record.get("edition", 1)
        return isinstance(edition, int) and edition < self.edition

    def added_since(self, record: Mapping[str, Any]) -> bool:
        """True if the sequence got this step after it came to this record of another step."""
        sequence = record.get("sequence", 1)
        return isinstance(sequence, int) and sequence < self.since


def sequence_edition(steps: Iterable[Step]) -> int:
    """Return the edition of a sequence of steps."""
    return max((step.since for step in steps), default=1)


def without_missed(steps: tuple[Step, ...], done: Collection[str]) -> tuple[Step, ...]:
    """Leave out the steps of a round that were added only when the campaign had done a later one."""
    if sequence_edition(steps) == 1:
        return steps
    reached = max((i for i, step in enumerate(steps) if step.id in done), default=0)
    return tuple(step for i, step in enumerate(steps) if i >= reached or step.since == 1 or step.id in done)


def edition_of_parts(parts: Iterable[Step]) -> int:
    """Return the edition of a step that stands for others: a correction of a part, or a new part, corrects it too."""
    return 1 + sum(part.edition - 1 + part.since - 1 for part in parts)


def step(
    clause: str, title: str, *, each_side: bool = False, also: Iterable[str] = (), edition: int = 1, since: int = 1
) -> Callable[[Callable[..., Procedure[None]]], Step]:
    """Turn a procedure into the step of a clause; `also` names further clauses it carries out.

    Raise `edition` by one when the procedure is corrected and no longer fits its old records. Give a step that you add
    to a sequence that campaigns already follow a `since`: the sequence's next edition.
    """

    def make(run: Callable[..., Procedure[None]]) -> Step:
        name = run.__name__.replace("_", "-")
        return Step(name, clause, title, run, each_side, tuple(also), edition, since=since)

    return make


def conduct(step: Step, cg: Context, *side: Side) -> Procedure[None]:
    """Begin a step, for one side if each does it by itself, as the house of the campaign plays it."""
    procedure = step.run(cg, *side)
    house = getattr(cg, "house", None)
    if not house:
        return procedure
    # House rules are made of questions and steps.
    from laager.campaign.house.conduct import conduct_step

    return conduct_step(house, step, procedure, cg, side)


def one_after_the_other(
    name: str, clause: str, title: str, *parts: Step, otherwise: str = "", apart: bool = False
) -> Step:
    """Make one step of several that each side does by itself, one after the other.

    Each side goes through all parts without waiting for the other, who learns only when the whole
    is done: at which part somebody had something to decide is nobody else's business. Where it can
    be that no part asks a side anything, it is asked at the end all the same, with the text
    `otherwise`. `apart`: what a side does in it depends on nothing that the other does in it.
    """

    def run(cg: Context, side: Side) -> Procedure[None]:
        asked = False
        for part in parts:
            asked |= yield from under_clause(part.clause, conduct(part, cg, side))
        if otherwise and not asked:
            yield Ask((no_decision(name, side, otherwise, clause),))

    clauses = tuple(name for part in parts for name in part.__clauses__)
    edition = edition_of_parts(parts) + bool(otherwise)
    return Step(name, clause, title, run, each_side=True, also=clauses, edition=edition, apart=apart, gathers=True)


def ask_where_undecided(*procedures: Procedure[None], last: Procedure[None]) -> Procedure[None]:
    """Run procedures of one side one after the other, asking it in secret only where it has something to decide.

    `last` always asks, whatever there is to decide. So the enemy, who sees that the side is still asked after what
    he may see of the others, learns nothing of whether more follows.
    """
    spared: tuple[Question, ...] = ()
    for procedure in (*procedures, last):
        send: Any = None
        while True:
            try:
                command = procedure.send(send)
            except StopIteration:
                break
            if isinstance(command, Ask):
                empty = all(question.secret and question.empty for question in command.questions)
                if empty and procedure is not last:
                    spared += command.questions
                    send = {(question.side, question.key): question.default for question in command.questions}
                    continue
                command = replace(command, spared=(*command.spared, *spared))
            send = yield command


def ask_together(*procedures: Procedure[None]) -> Procedure[None]:
    """Ask at once what procedures ask first; then the last of them goes on to its end, then the one before.

    So what is seen of the first ones is seen when nothing else is asked any more.
    """
    waiting: list[tuple[Procedure[None], Ask]] = []
    for procedure in procedures:
        yield from _until_asking(procedure, None, waiting)
    answers = (yield from _ask_waiting(waiting)) if waiting else {}
    for procedure, asked in reversed(waiting):
        send: Any = {
            (question.side, question.key): answers[question.side, question.key] for question in asked.questions
        }
        while True:
            try:
                command = procedure.send(send)
            except StopIteration:
                break
            send = yield command


def ask_at_least(procedure: Procedure[None], question: Question) -> Procedure[None]:
    """Run a procedure, and ask this question if it has asked nothing: its steps may be left out by a house."""
    send: Any = None
    asked = False
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            break
        asked |= isinstance(command, Ask)
        send = yield command
    if not asked:
        yield Ask((question,))


def _ask_waiting(waiting: Sequence[tuple[Procedure[None], Ask]]) -> Procedure[dict[tuple[Side, str], Any]]:
    """Ask what procedures wait for, without what leaves nothing to decide; return all answers."""
    questions = [question for _, asked in waiting for question in asked.questions]
    kept = needed_questions(questions)
    answers = {(question.side, question.key): question.default for question in questions}
    asked_all_the_same = {id(question) for question in kept}
    answers |= yield Ask(kept, tuple(question for question in questions if id(question) not in asked_all_the_same))
    return answers


def at_once(*procedures: Procedure[None]) -> Procedure[None]:
    """Run procedures side by side: what they ask is asked together, and each goes on with its own answers.

    A side is not bothered with questions that leave it nothing to decide, as long as it is asked something
    else in secret. If all its secret questions are such, it is asked one in their place: the enemy sees
    only that the side is asked, and so never learns which of them had something in them.
    """
    waiting: list[tuple[Procedure[None], Ask]] = []
    for procedure in procedures:
        yield from _until_asking(procedure, None, waiting)
    while waiting:
        now, waiting = _without_clashes(waiting)
        given = yield from _ask_waiting(now)
        for procedure, asked in now:
            answers = {
                (question.side, question.key): given[question.side, question.key] for question in asked.questions
            }
            yield from _until_asking(procedure, answers, waiting)


def needed_questions(questions: Iterable[Question]) -> tuple[Question, ...]:
    """Return the questions that must be asked so that nobody learns who has something to decide.

    Those of a side stand together, its secret ones first: an open answer, which everybody sees at once,
    doesn't tell if more follow.
    """
    asked = tuple(questions)
    kept: list[Question] = []
    for question in asked:
        mine = [other for other in asked if other.side == question.side and other.secret]
        if not question.secret or not question.empty or len(mine) == 1:
            kept.append(question)
        elif question is mine[0] and all(other.empty for other in mine):
            kept.append(no_decision(NOTHING, question.side, "You have nothing to decide now.", question.rule))
    sides = list(dict.fromkeys(question.side for question in kept))
    return tuple(sorted(kept, key=lambda question: (sides.index(question.side), not question.secret)))


NOTHING = "nothing-to-decide"
"""The key of what is asked in the place of several questions that leave nothing to decide."""


def _until_asking(procedure: Procedure[None], send: Any, waiting: list[tuple[Procedure[None], Ask]]) -> Procedure[None]:
    """Let a procedure go on until it asks; what it asks then joins those that wait."""
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            return
        if isinstance(command, Ask):
            waiting.append((procedure, command))
            return
        send = yield command


def _without_clashes(
    waiting: list[tuple[Procedure[None], Ask]],
) -> tuple[list[tuple[Procedure[None], Ask]], list[tuple[Procedure[None], Ask]]]:
    """Return those that can ask together, and those that must wait as a key of theirs is taken."""
    now: list[tuple[Procedure[None], Ask]] = []
    later: list[tuple[Procedure[None], Ask]] = []
    taken: set[tuple[Side, str]] = set()
    for waits in waiting:
        keys = {(question.side, question.key) for question in waits[1].questions}
        (later if keys & taken else now).append(waits)
        taken |= keys
    return now, later


def change_commands(procedure: Procedure[T], change: Callable[[Command], Command]) -> Procedure[T]:
    """Run a procedure, changing each of its commands before it goes out; return what the procedure returns."""
    send: Any = None
    while True:
        try:
            command = procedure.send(send)
        except StopIteration as end:
            result: T = end.value
            return result
        send = yield change(command)


def under_clause(clause: str, procedure: Procedure[None]) -> Procedure[bool]:
    """Run a procedure, giving its clause to whatever names no rule; return True if it has asked."""
    asked = False

    def name_rule(command: Command) -> Command:
        nonlocal asked
        asked |= isinstance(command, Ask)
        return with_rule(command, clause)

    yield from change_commands(procedure, name_rule)
    return asked


def with_rule(command: Command, clause: str) -> Command:
    """Return a command that names a rule: its own, else this clause."""
    if isinstance(command, Fact):
        return command if command.rule else command.but(rule=clause)
    if isinstance(command, Roll):
        return command if command.rule else replace(command, rule=clause)
    if all(q.rule for q in command.questions):
        return command
    return replace(command, questions=tuple(q if q.rule else q.but(rule=clause) for q in command.questions))


def people(name: str) -> str:
    """Return the people of a nation, or of a side that is called as one: Germans for German, British as it is."""
    if not name.endswith(("an", "et", "ek", "Pole", "Finn")):
        return name
    return name.map(lambda own: f"{own}s") if isinstance(name, Multilingual) else f"{name}s"


class Context:
    """What a step sees: the live state, and whatever its ruleset adds (card, map, tables).

    The engine alone sets `state`, after every fact.
    """

    state: Any

    def with_state(self, state: Any) -> Self:
        """Return the same campaign with another state: that of a viewer, or of another moment."""
        other = copy(self)
        other.state = state
        return other

    def later(self, propose: Callable[[Self], Any]) -> Later:
        """Return a proposal for a question that is asked now, made when somebody reads it.

        `propose` gets the campaign as it stands now, whatever has happened by then: this one if nothing has.
        """
        state = self.state
        return Later(lambda: propose(self if self.state is state else self.with_state(state)))

    @property
    def house(self) -> HouseRules | None:
        """What the campaign plays differently from the rules as printed; nothing, if None or false."""
        return None

    @cached_property
    def texts(self) -> Mapping[str, Meanings]:
        """What the card says in other languages: by language, by what it says in its own."""
        return {}

    def name_battle(self, kind: str) -> str:
        """Return what players call a kind of battle, its sides by their names."""
        return kind

    def people_of(self, side: Side) -> str:
        """Return what players call a side, in the plural where there is one: Germans, British, Japanese."""
        return side.capitalize()
