"""What a campaign waits for: open questions, and dice that players roll themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import to_json

from laager.base import Problem
from laager.base.texts import text_of
from laager.campaign.again import Again, mend_answer
from laager.campaign.facts import Side
from laager.campaign.lanes import TABLE, Lane
from laager.campaign.questions import Check, Question
from laager.campaign.steps import Ask, Context, Roll, Step, with_rule


@dataclass(frozen=True, repr=False)
class Pending:
    """Something that the campaign waits for: an answer, or dice that players roll themselves."""

    step: Step
    lane: str
    side: Side
    key: str
    question: Question | None = None
    roll: Roll | None = None
    former: Any = None
    """What was answered before a ruling, where that doesn't come again by itself; None if nothing was."""
    unsettled: Any = None
    """What the rules propose, where the model has settled the battle and fills in a report instead; else None."""

    def __repr__(self) -> str:
        asks = self.question.text if self.question else f"roll {self.roll.dice}: {self.roll.label}" if self.roll else ""
        return f"<{self.side} {self.key} ({self.step.clause}): {asks}>"

    @property
    def secret(self) -> bool:
        """True if only its side may know of it."""
        if self.lane != TABLE:
            return True
        wanted = self.question or self.roll
        return bool(wanted and wanted.secret)


class CheckedOnce:
    """The check of a question, which knows what it let through last.

    Who tries an answer and then gives it is checked once, unless something has happened in between.
    """

    def __init__(self, check: Check, context: Context) -> None:
        self.check, self.context = check, context
        self._passed: tuple[Any, bytes] = None, b""

    def __repr__(self) -> str:
        """Return what the check itself is called: a question reads the same to all who have it."""
        return repr(self.check)

    def __call__(self, value: Any) -> Sequence[Problem]:
        """Return what the rules have against an answer."""
        state, written = self.context.state, to_json(value)
        if self._passed[0] is state and self._passed[1] == written:
            return ()
        problems = tuple(self.check(value))
        if not problems:
            self._passed = state, written
        return problems


def pending_in(step: Step, lanes: Iterable[Lane], hints: Mapping[str, str], context: Context) -> Iterator[Pending]:
    """Yield everything that the lanes of a step ask; `hints` are the card's."""
    for lane in lanes:
        command = lane.command and with_rule(lane.command, step.clause)
        if isinstance(command, Roll):
            yield Pending(step, lane.name, command.side, "roll", roll=command)
        elif isinstance(command, Ask):
            open_now = set(lane.open_questions())
            for question in command.questions:
                if (question.side, question.key) in open_now:
                    asked = _with_hint(question, hints).but(check=CheckedOnce(question.check, context))
                    yield Pending(step, lane.name, question.side, question.key, asked)


def with_former(pending: Pending, again: Again | None) -> Pending:
    """Return what is asked with the answer of before a ruling: what still holds of it is the proposal."""
    question = pending.question
    old = again.former(pending.lane, question) if again is not None and question is not None else None
    if old is None or question is None:
        return pending
    value = old.body["value"]
    proposal = mend_answer(question, value)
    proposed = question.but(default=proposal) if proposal is not None else question
    return replace(pending, question=proposed, former=value)


def hints_of(opening: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the hints that a campaign's card gives to those who are asked."""
    card: Mapping[str, Any] = opening.get("card") or opening.get("terms") or {}
    return {key: text_of(hint) for key, hint in card.get("hints", {}).items()}


def _with_hint(question: Question, hints: Mapping[str, str]) -> Question:
    """Return a question with the card's hint at the end of its help, if the card has one.

    A hint for `redeploy` also serves `redeploy-from-enemy-mlr`, if that has none of its own.
    """
    if not hints:
        return question
    key_of_hint = max((key for key in hints if f"{question.key}-".startswith(f"{key}-")), key=len, default="")
    if not key_of_hint:
        return question
    return question.but(help=" ".join(filter(None, (question.help, f"Hint: {hints[key_of_hint]}"))))
