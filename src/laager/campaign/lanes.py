"""Lanes: the running procedures of one step, fed from the log or by the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from laager.base import DataError, Refusal, RefusedError
from laager.campaign.facts import Fact, Side
from laager.campaign.log import Entry
from laager.campaign.rolls import rolled_of, same_roll
from laager.campaign.steps import Ask, Command, Context, Procedure, Roll, Step, conduct

TABLE = ""
"""The lane of a procedure that belongs to the whole table."""


def lanes_of(step: Step, sides: Sequence[Side], context: Context) -> dict[str, Lane]:
    """Return the lanes of a step that begins: one for each side, or one for the whole table."""
    if step.each_side:
        return {side: Lane(side, partial(conduct, step, context, side)) for side in sides}
    return {TABLE: Lane(TABLE, partial(conduct, step, context))}


class Lane:
    """One running procedure: the command it waits on, or finished."""

    def __init__(self, name: str, start: Callable[[], Procedure[None]]) -> None:
        self.name = name
        self.command: Command | None = None
        self.finished = False
        self.answers: dict[tuple[str, str], Any] = {}
        self._start = start
        self._procedure: Procedure[None] | None = None

    def ready(self) -> Command | None:
        """Start the procedure if it hasn't been, and return what it waits on."""
        if self._procedure is None:
            self._procedure = self._start()
            self._advance(None)
        return self.command

    def send(self, value: Any) -> None:
        """Give the procedure what it waited for."""
        self.answers = {}
        self._advance(value)

    def answer(self, side: str, key: str, value: Any) -> None:
        """Take one answer; the procedure goes on once all its open questions are answered."""
        self.answers[side, key] = value
        if isinstance(self.command, Ask) and not self.open_questions():
            self.send(dict(self.answers))

    def open_questions(self) -> list[tuple[str, str]]:
        """Return side and key of the questions still open in this lane."""
        if not isinstance(self.command, Ask):
            return []
        asked = [(question.side, question.key) for question in self.command.questions]
        return [ref for ref in asked if ref not in self.answers]

    def _advance(self, value: Any) -> None:
        assert self._procedure is not None
        try:
            self.command = self._procedure.send(value)
        except StopIteration:
            self.command = None
            self.finished = True


@dataclass(frozen=True)
class Replay:
    """Feeds recorded entries to the lanes of a step that was cut off, in their order."""

    step: Step
    lanes: Mapping[str, Lane]

    def feed(self, entry: Entry, apply: Callable[[Entry], Fact | None]) -> None:
        """Give one recorded entry to its lane. Raises RefusedError if the rule has changed."""
        lane = self.lanes.get(entry.lane)
        command = lane.ready() if lane else None
        if lane is None or not _fits(entry, command, lane):
            raise RefusedError(
                Refusal.BROKEN_LOG,
                f"entry {entry.number} doesn't fit step {self.step.clause} ({self.step.title}) as the rules are now",
                "take the step back and do it again (laager undo --step)",
            )
        if entry.type == "fact":
            apply(entry)
            lane.send(None)
        elif entry.type == "roll":
            lane.send(rolled_of(entry))
        else:
            lane.answer(entry.body["side"], entry.body["key"], entry.body["value"])


def _fits(entry: Entry, command: Command | None, lane: Lane) -> bool:
    if entry.type == "fact":
        return isinstance(command, Fact) and command.kind == entry.body["kind"]
    if entry.type == "roll":
        return isinstance(command, Roll) and same_roll(command, entry)
    if entry.type == "answer":
        return (entry.body["side"], entry.body["key"]) in lane.open_questions() and _fits_form(entry, lane)
    return False


def _fits_form(entry: Entry, lane: Lane) -> bool:
    """True if a recorded answer has the form that is asked for; the rules may have changed it."""
    questions = lane.command.questions if isinstance(lane.command, Ask) else ()
    for question in questions:
        if (question.side, question.key) == (entry.body["side"], entry.body["key"]):
            try:
                return bool(question.form.parse(entry.body["value"]) == entry.body["value"])
            except DataError:
                return False
    return False
