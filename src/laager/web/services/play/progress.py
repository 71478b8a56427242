"""What is seen at the table: the course of the round, what is new, what must be done, the time.

All of it is made of what the seat may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.utils import timezone

from laager.campaign import Step
from laager.campaign.lanes import rolled_of
from laager.campaign.telling import FOLD_FROM, SHOWN_OF_FOLDED, Told
from laager.dice import Rolled
from laager.rules.board.sheets.battle import KEY as BATTLE
from laager.web.models import Draft, Member, Role
from laager.web.services.people.zones import zone_of
from laager.web.services.play import drafts
from laager.web.services.play.tables import Asked, Table

# Where we are ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Due:
    """A step of the round as it stands: done, now, or still to come."""

    step: Step
    done: bool
    now: bool


@dataclass(frozen=True)
class Round:
    """The round that is under way."""

    title: str
    steps: tuple[Due, ...]

    @property
    def number(self) -> int:
        """The number of the step that is under way."""
        return next((i for i, due in enumerate(self.steps, 1) if due.now), len(self.steps))


def course(table: Table) -> Round:
    """Return the steps of the round, as far as the viewer knows."""
    found = table.ruleset.course(table.view.state)
    now = next((step.id for step in found.steps if step.id not in found.done), "")
    steps = tuple(Due(step, step.id in found.done, step.id == now) for step in found.steps)
    return Round(found.title, steps)


# What must be done -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Todo:
    """A question or roll that waits for this seat, and the draft of an answer if there is one."""

    asked: Asked
    draft: Draft | None

    @property
    def text(self) -> str:
        """What is wanted, in words."""
        pending = self.asked.pending
        if pending.question is not None:
            return pending.question.text
        assert pending.roll is not None
        return f"{pending.roll.dice} – {pending.roll.label}"

    @property
    def rule(self) -> str:
        """The rule by which it is asked."""
        pending = self.asked.pending
        wanted = pending.question or pending.roll
        return (wanted.rule if wanted else "") or pending.step.clause


def todo(table: Table) -> list[Todo]:
    """Return what waits for this seat; for the umpire, for all."""
    return [Todo(asked, drafts.kept(table.seat, asked.mark)) for asked in table.asked]


def fought(table: Table) -> bool:
    """True if a battle is being fought of which the seat knows a side's secrets."""
    context, state, beside = table.campaign.context, table.view.state, table.ruleset.beside
    shown = (sheet for side in table.ruleset.sides for sheet in beside(context, state, BATTLE, side))
    return any(sheet.id == "battle-standing" for sheet in shown)


# What is new -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewsItem:
    """A line of the news: a step's heading, a roll with its dice, or what else is told.

    `more` are further lines like it, folded beneath.
    """

    told: Told
    roll: Rolled | None = None
    label: str = ""
    rule: str = ""
    more: tuple[Told, ...] = ()

    @property
    def heading(self) -> bool:
        """True if it is a heading: a step, or a word of the campaign itself."""
        return self.told.text.startswith("── ")

    @property
    def text(self) -> str:
        """The line without the marks of the plain log."""
        return self.told.text.strip().removeprefix("── ")


def news(table: Table, since: int | None, most: int) -> list[NewsItem]:
    """Return what was told after an entry (the viewer's number); without one, the last lines."""
    spoken = [one for one in table.log if one.text]
    if since is None:
        return [_item(one) for one in _with_content(spoken[-most:])]
    fresh = list(_with_content([one for one in spoken if one.number > since]))
    return list(_folded(fresh))


def _folded(told: Sequence[Told]) -> Iterator[NewsItem]:
    """Fold long runs of lines under one rule."""
    for _like, run in groupby(told, key=lambda one: one.like):
        found = list(run)
        if len(found) < FOLD_FROM:
            yield from map(_item, found)
            continue
        yield from map(_item, found[:SHOWN_OF_FOLDED])
        yield NewsItem(found[SHOWN_OF_FOLDED], more=tuple(found[SHOWN_OF_FOLDED:]))


def _with_content(told: Sequence[Told]) -> Iterator[Told]:
    """Leave out the headings of steps under which nothing is told, except the last."""
    for i, one in enumerate(told):
        follows = told[i + 1] if i + 1 < len(told) else None
        if one.entry.type == "step" and follows is not None and follows.entry.type == "step":
            continue
        yield one


def _item(one: Told) -> NewsItem:
    if one.entry.type != "roll":
        return NewsItem(one)
    body = one.entry.body
    return NewsItem(one, rolled_of(one.entry), f"{body['side']}: {body['label']}", body["rule"])


# The time ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clock:
    """What time it is for a side's players."""

    side: str
    zone: str
    now: datetime


def clocks(table: Table) -> list[Clock]:
    """Return the time of each side's players, one for each zone."""
    members = Member.objects.select_related("user").filter(game=table.seat.game, role=Role.PLAYER)
    found = {(member.side, str(zone_of(member.user.time_zone))) for member in members}
    order = list(table.ruleset.sides)
    now = timezone.now()
    return [
        Clock(side, zone, now.astimezone(zone_of(zone)))
        for side, zone in sorted(found, key=lambda one: (order.index(one[0]), one[1]))
    ]
