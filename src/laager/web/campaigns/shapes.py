"""What goes out at a campaign's table: the shapes of answers, made of what a seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal
from uuid import UUID

from ninja import Schema
from pydantic import Field

from laager.campaign.describing import Wish, entry_json
from laager.campaign.telling import Told
from laager.web.api.refusals import Wrong
from laager.web.campaigns import progress
from laager.web.campaigns.tables import Asked, Table
from laager.web.seats.permissions import Action


class StepOut(Schema):
    """A step of the sequence of play."""

    id: str
    clause: str
    title: str


class DueOut(StepOut):
    """A step of the round, and whether it is done."""

    done: bool
    now: bool


class CourseOut(Schema):
    """The round that is under way."""

    title: str
    steps: list[DueOut]


class ModifierOut(Schema):
    """A modifier of a roll."""

    value: int
    reason: str
    rule: str


class AskedOut(Schema):
    """A question, or dice to be rolled. It is answered by its mark.

    The mark stays the same as long as the same is asked; an answer under an old one is refused.
    """

    mark: str
    what: Literal["question", "roll"]
    key: str
    side: str
    text: str
    rule: str
    secret: bool
    step: StepOut
    help: str = ""
    form: dict[str, Any] | None = Field(None, description="What may be answered; of a question.")
    default: Any = Field(None, description="The proposal: a legal answer; of a question.")
    warning: str = Field("", description="What the proposal spends or closes for good; or empty.")
    nothing: str = Field("", description="What to call it to take a proposal with a warning.")
    los: bool = Field(False, description="True if it depends on LOS: `check` then says what was found.")
    dice: Literal["DR", "dr"] | None = Field(None, description="Two dice or one; of a roll.")
    modifiers: list[ModifierOut] = Field([], description="Of a roll, as far as they are known.")


class WishOut(Schema):
    """Something that one side asks of the others: to take or bring back, to end in a draw, to put the record right."""

    kind: Literal["undo", "redo", "draw", "ruling", "settle", "patience"]
    by: str
    others: list[str]
    request: int = Field(description="The number of the request in your log.")
    to: int
    entries: int = Field(description="How many lines of your log would go, or come back.")
    rolls: int = Field(description="How many of them are rolls: they would be made anew.")
    lost: int = Field(description="How many lines since would go for what is brought back.")
    why: str = Field(description="Of a ruling: why, in the words of who asks for it.")
    changes: list[str] = Field(
        description="Of a ruling: what it puts right, as far as you may know; of terms about time: these."
    )
    secret: str = Field(description="Of a ruling: what all may know of corrections in secret records.")
    text: str


class StatusOut(Schema):
    """Where a campaign stands for a seat."""

    campaign: UUID
    seat: str
    role: str
    side: str
    title: str
    ruleset: str
    archived: bool
    over: bool
    tag: str = Field(description="A mark of all that the seat can see; it changes with it.")
    version: int = Field(description="How many entries of the log the seat can see.")
    at: str = Field(description="When the last of them was made (UTC).")
    headline: list[str]
    course: CourseOut
    waiting_for: list[str] = Field(description="The sides whose answers are missing.")
    wishes: list[WishOut]
    asked: list[AskedOut] = Field(description="What is asked of the seat; of all, for the umpire.")
    may: list[str] = Field(description="What the seat may do.")


class EntryOut(Schema):
    """An entry of the log, as the seat may know it."""

    number: int
    at: str
    type: str
    counts: bool = Field(description="True if it still counts, or was taken back.")
    text: str
    body: dict[str, Any]


class ColumnOut(Schema):
    """A column of a sheet."""

    title: str
    align: Literal["left", "right", "center"]


class SheetOut(Schema):
    """A record sheet as plain rows."""

    id: str
    title: str
    side: str
    columns: list[ColumnOut]
    rows: list[list[str]]
    notes: list[str]


class TotalOut(Schema):
    """What an answer uses up of something that is counted, and how much there is of it."""

    label: str
    used: int
    limit: int | None
    each: dict[str, int] = Field(description="What its parts use, by their place in the answer.")


class LosOut(Schema):
    """What was found about LOS for an answer. It proposes: the answer counts."""

    key: str
    title: str
    seen: bool | None = Field(description="None: there is no answer.")
    followed: bool = Field(description="False if the answer says the opposite.")
    proof: str
    approximate: bool
    engine: str
    boards: dict[str, str] = Field(description="The boards that were read, each with its SHA-256.")


class JudgedOut(Schema):
    """The check of an answer; it was not given."""

    accepted: bool
    problems: list[Wrong]
    totals: list[TotalOut]
    warning: str = Field("", description="What the answer spends or closes for good; or empty.")
    los: list[LosOut] = Field([], description="What was found about LOS, for questions that depend on it.")


class OutcomeOut(Schema):
    """The result of a change: what the seat has seen since, and where it stands now."""

    news: list[EntryOut]
    status: StatusOut


# Making them --------------------------------------------------------------------------------------


def asked_json(asked: Asked) -> dict[str, Any]:
    """Return what is asked as plain values: everything that `AskedOut` has."""
    shown, pending = asked.describe(), asked.pending
    shown |= {"side": pending.side, "secret": pending.secret}
    if pending.roll is not None:
        roll = pending.roll
        text = f"{roll.dice.value} for {roll.label}"
        shown |= {"what": "roll", "text": text, "rule": roll.rule or pending.step.clause}
    else:
        los = pending.question is not None and pending.question.sights is not None
        shown |= {"what": "question", "rule": shown["rule"] or pending.step.clause, "los": los}
    return {name: shown.get(name, without) for name, without in ASKED_PARTS.items()}


ASKED_PARTS = {name: None if part.is_required() else part.get_default() for name, part in AskedOut.model_fields.items()}
"""The parts of what is asked, and what stands there without them."""


def _course_json(table: Table) -> dict[str, Any]:
    course = progress.current_round(table)
    steps = [
        {"id": due.step.id, "clause": due.step.clause, "title": due.step.title, "done": due.done, "now": due.now}
        for due in course.steps
    ]
    return {"title": course.title, "steps": steps}


def _wish_json(wish: Wish) -> dict[str, Any]:
    return {name: getattr(wish, name) for name in WishOut.model_fields}


def status_json(table: Table) -> dict[str, Any]:
    """Return where the campaign stands as plain values."""
    seat, view = table.seat, table.view
    return {
        "campaign": seat.game.pk,
        "seat": seat.name,
        "role": seat.role.value,
        "side": seat.member.side,
        "title": seat.game.title,
        "ruleset": table.ruleset.id,
        "archived": seat.game.archived,
        "over": table.campaign.over,
        "tag": table.tag,
        "version": view.version,
        "at": view.log[-1].entry.at,
        "headline": list(table.ruleset.headline(table.campaign.context, view.state)),
        "course": _course_json(table),
        "waiting_for": list(view.waiting_for),
        "wishes": [_wish_json(wish) for wish in table.wishes],
        "asked": [asked_json(asked) for asked in table.asked],
        "may": [action.value for action in Action if seat.may(action)],
    }


def entries_json(table: Table, lines: Iterable[Told]) -> list[dict[str, Any]]:
    """Return entries of the seat's log as plain values."""
    return [entry_json(line, table.view.log) for line in lines]
