"""The next session, for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router, Schema
from ninja.responses import Status
from pydantic import AwareDatetime, Field

from laager.web.api.refusals import READ, WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, describe_file, file_response, seat_of
from laager.web.models import SessionPlan
from laager.web.seats.permissions import Seat
from laager.web.talk import dates

router = Router(tags=["talk"])

PLAN = SEAT + "/dates/{number}"
PlanNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of the plan in its campaign.")]


class SessionTimeOut(Schema):
    """A time that is proposed, who can come and who can't, and what you have replied."""

    at: datetime
    yes: list[str]
    no: list[str]
    mine: bool | None


class PlanOut(Schema):
    """A plan for the next session."""

    number: int
    by: str
    note: str
    minutes: int
    state: str = Field(description="`open`, `fixed` or `off`.")
    fixed: datetime | None
    times: list[SessionTimeOut]


class PlanIn(Schema):
    """Times that you propose, each with its zone."""

    times: Annotated[list[AwareDatetime], Field(min_length=1, max_length=dates.MOST_TIMES)]
    minutes: Annotated[int, Field(ge=dates.SHORTEST, le=dates.LONGEST)] = 240
    note: Annotated[str, Field(max_length=dates.LONGEST_NOTE)] = ""


class RepliesIn(Schema):
    """The times at which you can come; at the others you can't."""

    can_come: Annotated[list[AwareDatetime], Field(max_length=dates.MOST_TIMES)]


class FixedTimeIn(Schema):
    """The time that is fixed."""

    at: AwareDatetime


def _plan_json(seat: Seat, plan: SessionPlan) -> dict[str, Any]:
    parts = {name: getattr(plan, name) for name in ("number", "note", "minutes", "state", "fixed")}
    return {**parts, "by": plan.who, "times": [vars(each) for each in dates.list_replies(seat, plan)]}


@router.get(SEAT + "/dates", response=answers(PlanOut | None, *READ), operation_id="dates")
def current_plan(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Return what is planned for the next session; null if nothing is."""
    mine = seat_of(request, game, seat)
    plan = dates.current_plan(mine.game)
    return _plan_json(mine, plan) if plan else None


@router.post(SEAT + "/dates", response=answers(PlanOut, *WRITE, code=201), operation_id="propose_dates")
def propose_times(request: HttpRequest, game: GameId, seat: SeatName, sent: PlanIn) -> Any:
    """Propose times for the next session."""
    mine = seat_of(request, game, seat)
    return Status(201, _plan_json(mine, dates.propose_times(mine, sent.times, sent.minutes, sent.note)))


@router.put(PLAN + "/reply", response=answers(None, *WRITE, code=204), operation_id="reply_dates")
def reply_to_plan(request: HttpRequest, game: GameId, seat: SeatName, number: PlanNumber, sent: RepliesIn) -> Any:
    """Say at which of the times you can come."""
    dates.reply_to_plan(seat_of(request, game, seat), number, sent.can_come)
    return Status(204, None)


@router.post(PLAN + "/fix", response=answers(PlanOut, *WRITE), operation_id="fix_date")
def fix_time(request: HttpRequest, game: GameId, seat: SeatName, number: PlanNumber, sent: FixedTimeIn) -> Any:
    """Fix one of the times: whoever proposed them, or the campaign's owner."""
    mine = seat_of(request, game, seat)
    return _plan_json(mine, dates.fix_time(mine, number, sent.at))


@router.delete(PLAN, response=answers(None, *WRITE, code=204), operation_id="call_off_dates")
def call_off(request: HttpRequest, game: GameId, seat: SeatName, number: PlanNumber) -> Any:
    """Call a plan off, whether a time is fixed or not: whoever proposed it, or the campaign's owner."""
    dates.call_off(seat_of(request, game, seat), number)
    return Status(204, None)


@router.get(
    PLAN + "/session.ics",
    response=answers(None, *READ),
    operation_id="session_calendar",
    openapi_extra=describe_file("text/calendar"),
)
def calendar_file(request: HttpRequest, game: GameId, seat: SeatName, number: PlanNumber) -> Any:
    """Give a fixed session as an iCalendar file."""
    mine = seat_of(request, game, seat)
    data = dates.calendar_file(mine, dates.find_plan(mine, number))
    return file_response(data, "text/calendar; charset=utf-8", f"session-{number}.ics")
