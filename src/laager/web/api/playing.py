"""At the table: where a campaign stands, what is asked, answering, rolling; drafts of answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.base import Refusal, RefusedError
from laager.campaign import Question
from laager.web.api.refusals import READ, WRITE, answers, described
from laager.web.api.seating import GameId, Mark, SeatName, seat_of, table_of
from laager.web.api.shapes import (
    AskedOut,
    JudgedOut,
    OutcomeOut,
    SheetOut,
    StatusOut,
    asked_json,
    entries_json,
    sheet_json,
    status_json,
)
from laager.web.services.people.permissions import Action, Seat
from laager.web.services.play import actions, checks, drafts
from laager.web.services.play.tables import Asked, Table, look

router = Router(tags=["playing"])

SEAT = "/campaigns/{game}/{seat}"
ASKED = SEAT + "/asked/{mark}"


class AnswerIn(Schema):
    """An answer, in the shape that the question's form describes."""

    answer: Any


class FacesIn(Schema):
    """The dice that the players rolled; of two dice the coloured one first."""

    faces: Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=1, max_length=2)]


class DraftOut(Schema):
    """What a side has begun to answer; it need not be right."""

    answer: Any
    changed: str


@router.get(SEAT, response=answers(StatusOut, *READ), operation_id="status")
def status(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Tell where the campaign stands for the seat, and what is asked of it."""
    with table_of(request, game, seat) as table:
        return status_json(table)


@router.get(SEAT + "/asked", response=answers(list[AskedOut], *READ), operation_id="asked")
def asked(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Tell what is asked of the seat; of all sides, for the umpire."""
    with table_of(request, game, seat) as table:
        return [asked_json(one) for one in table.asked]


@router.get(ASKED, response=answers(AskedOut, *READ), operation_id="asked_one")
def asked_one(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Tell one thing that is asked."""
    with table_of(request, game, seat) as table:
        return asked_json(table.find(mark))


@router.get(ASKED + "/beside", response=answers(list[SheetOut], *READ), operation_id="beside")
def beside(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Give the sheets that the side should have before its eyes while it answers."""
    with table_of(request, game, seat) as table:
        return [sheet_json(one) for one in checks.sheets_beside(table, table.find(mark))]


# Answering ----------------------------------------------------------------------------------------


@router.post(ASKED + "/check", response=answers(JudgedOut, *WRITE), operation_id="check")
def check(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: AnswerIn) -> Any:
    """Say what the rules have against an answer, and what it uses up. Nothing is given."""
    with table_of(request, game, seat, Action.DRAFT) as table:
        question = _question(table, mark)
        problems = checks.problems(question, sent.answer)
        totals = checks.totals(question, sent.answer)
        return {
            "accepted": not problems,
            "problems": described(problems),
            "totals": [
                {"label": one.label, "used": one.used, "limit": one.limit, "each": dict(one.each)} for one in totals
            ],
            "warning": question.warning(sent.answer),
        }


@router.post(ASKED + "/answer", response=answers(OutcomeOut, *WRITE), operation_id="answer")
def answer(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: AnswerIn) -> Any:
    """Give the answer to a question. It cannot be given twice."""
    with outcome(request, game, seat) as (mine, told):
        actions.answer(mine, mark, sent.answer)
        drafts.drop(mine, mark)
    return told


@router.post(ASKED + "/dice", response=answers(OutcomeOut, *WRITE), operation_id="enter_dice")
def enter_dice(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: FacesIn) -> Any:
    """Enter the dice that the players rolled themselves."""
    with outcome(request, game, seat) as (mine, told):
        actions.enter_dice(mine, mark, sent.faces)
    return told


@router.post(ASKED + "/roll", response=answers(OutcomeOut, *WRITE), operation_id="roll")
def roll(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Let Laager roll what the players were to roll."""
    with outcome(request, game, seat) as (mine, told):
        actions.roll(mine, mark)
    return told


@contextmanager
def outcome(
    request: HttpRequest, game: Any, seat: str, action: Action = Action.ANSWER
) -> Iterator[tuple[Seat, dict[str, Any]]]:
    """Give the seat for a change; afterwards what came of it is in the mapping given beside."""
    mine = seat_of(request, game, seat, action)
    with look(mine) as table:
        # Numbers of the seat's own log do not do: with the end it gets the umpire's.
        before = table.campaign.version
    told: dict[str, Any] = {}
    yield mine, told
    mine.game.refresh_from_db()
    with look(mine) as table:
        told["news"] = entries_json(table, [one for one in table.log if one.text and one.entry.number > before])
        told["status"] = status_json(table)


def _question(table: Table, mark: str) -> Question:
    wanted: Asked = table.find(mark)
    if wanted.pending.side != table.seat.viewer:
        raise RefusedError(Refusal.NOT_YOURS, "only the side that is asked prepares its answer")
    if wanted.pending.question is None:
        raise RefusedError(Refusal.BAD_ANSWER, "dice are asked for, not an answer")
    return wanted.pending.question


# Drafts -------------------------------------------------------------------------------------------


@router.get(ASKED + "/draft", response=answers(DraftOut, 403, *READ), operation_id="draft")
def draft(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Give what the side has begun to answer; the proposal, if it has begun nothing."""
    with table_of(request, game, seat, Action.DRAFT) as table:
        question = _question(table, mark)
        kept = drafts.kept(table.seat, mark)
        if kept is None:
            return {"answer": question.default, "changed": ""}
        return {"answer": kept.value, "changed": kept.changed.isoformat()}


@router.put(ASKED + "/draft", response=answers(None, *WRITE, code=204), operation_id="keep_draft")
def keep_draft(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: AnswerIn) -> Any:
    """Keep an answer that is not given yet, for the side's own players and mates."""
    drafts.keep(seat_of(request, game, seat, Action.DRAFT), mark, sent.answer)
    return Status(204, None)


@router.delete(ASKED + "/draft", response=answers(None, *WRITE, code=204), operation_id="drop_draft")
def drop_draft(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Forget what the side has begun to answer."""
    drafts.drop(seat_of(request, game, seat, Action.DRAFT), mark)
    return Status(204, None)


# Changing one's mind ------------------------------------------------------------------------------


class BackIn(Schema):
    """To where to take back: just after an entry of your log; else before your last answer."""

    to: int | None = Field(None, ge=1, le=2**31 - 1)


class ConsentIn(Schema):
    """Whether the side agrees to what the other one wishes."""

    agree: bool = Field(strict=True)
    request: int | None = Field(None, ge=1, le=2**31 - 1, description="The number of the request that is meant.")


class SureIn(Schema):
    """That it was not by mistake."""

    sure: Literal[True]


@router.post(SEAT + "/take-back", response=answers(OutcomeOut, *WRITE), operation_id="take_back")
def take_back(request: HttpRequest, game: GameId, seat: SeatName, sent: BackIn) -> Any:
    """Ask to take back, which the other side must agree to; the umpire takes back alone."""
    with outcome(request, game, seat, Action.LOOK) as (mine, told):
        actions.ask_back(mine, sent.to)
    return told


@router.post(SEAT + "/take-back/consent", response=answers(OutcomeOut, *WRITE), operation_id="consent")
def consent(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the other side's wish to take back, or refuse it; or withdraw your own."""
    with outcome(request, game, seat) as (mine, told):
        actions.consent_back(mine, sent.agree, sent.request)
    return told


@router.post(SEAT + "/bring-back", response=answers(OutcomeOut, *WRITE), operation_id="bring_back")
def bring_back(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Ask to bring back what was last taken back; the umpire brings back alone."""
    with outcome(request, game, seat, Action.LOOK) as (mine, told):
        actions.bring_back(mine)
    return told


@router.post(SEAT + "/bring-back/consent", response=answers(OutcomeOut, *WRITE), operation_id="consent_redo")
def consent_redo(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the other side's wish to bring back, or refuse it."""
    with outcome(request, game, seat) as (mine, told):
        actions.consent_redo(mine, sent.agree, sent.request)
    return told


@router.post(SEAT + "/concede", response=answers(OutcomeOut, *WRITE), operation_id="concede")
def concede(request: HttpRequest, game: GameId, seat: SeatName, sent: SureIn) -> Any:
    """Give the campaign up for one's own side."""
    with outcome(request, game, seat) as (mine, told):
        actions.concede(mine)
    return told


@router.post(SEAT + "/draw", response=answers(OutcomeOut, *WRITE), operation_id="draw")
def draw(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Propose to end the campaign as a draw."""
    with outcome(request, game, seat) as (mine, told):
        actions.propose_draw(mine)
    return told


@router.post(SEAT + "/draw/consent", response=answers(OutcomeOut, *WRITE), operation_id="answer_draw")
def answer_draw(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the proposed draw, or refuse it."""
    with outcome(request, game, seat) as (mine, told):
        actions.answer_draw(mine, sent.agree, sent.request)
    return told
