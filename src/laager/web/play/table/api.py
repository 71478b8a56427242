"""At the table: where a campaign stands, what is asked, answering, rolling; drafts of answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.base.files import Document
from laager.campaign import Question, patience
from laager.campaign.patience import LONGEST_DAYS
from laager.web.api.refusals import READ, WRITE, answers, describe_problems
from laager.web.campaigns import actions, drafts, los
from laager.web.campaigns.seat_pages import ASKED, SEAT, GameId, Mark, SeatName, seat_of, table_of
from laager.web.campaigns.shapes import (
    AskedOut,
    JudgedOut,
    OutcomeOut,
    SheetOut,
    StatusOut,
    asked_json,
    entries_json,
    status_json,
)
from laager.web.campaigns.tables import Table, look
from laager.web.play.asking import checks
from laager.web.seats.permissions import Action, Seat

router = Router(tags=["playing"])


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
    """Return where the campaign stands for the seat, and what is asked of it."""
    with table_of(request, game, seat) as table:
        return status_json(table)


@router.get(SEAT + "/asked", response=answers(list[AskedOut], *READ), operation_id="asked")
def list_asked(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """List what is asked of the seat; for the umpire, of all sides."""
    with table_of(request, game, seat) as table:
        return [asked_json(question) for question in table.asked]


@router.get(ASKED, response=answers(AskedOut, *READ), operation_id="asked_one")
def asked_one(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Return one question or roll."""
    with table_of(request, game, seat) as table:
        return asked_json(table.find(mark))


@router.get(ASKED + "/beside", response=answers(list[SheetOut], *READ), operation_id="beside")
def list_sheets_beside(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """List the sheets that the side should see while it answers."""
    with table_of(request, game, seat) as table:
        return list(checks.sheets_beside(table, table.find(mark)))


# Answering ----------------------------------------------------------------------------------------


@router.post(ASKED + "/check", response=answers(JudgedOut, *WRITE), operation_id="check")
def check(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: AnswerIn) -> Any:
    """Check an answer against the rules, with what it uses up. It is not given."""
    with table_of(request, game, seat, Action.DRAFT) as table:
        question = _question(table, mark)
        problems = checks.find_problems(question, sent.answer)
        judged = {
            "accepted": not problems,
            "problems": describe_problems(problems),
            "totals": checks.totals(question, sent.answer),
            "warning": question.warning(sent.answer),
        }
        wanted = los.needed_los(table, table.find(mark), sent.answer)
    # Looking along the lines needs the campaign no more.
    return judged | {"los": [sight.record() for sight in los.look_up_los(wanted)]}


@router.post(ASKED + "/answer", response=answers(OutcomeOut, *WRITE), operation_id="answer")
def answer(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: AnswerIn) -> Any:
    """Give the answer to a question. It cannot be given twice."""
    mine = seat_of(request, game, seat, Action.ANSWER)
    outcome_ = outcome(mine, actions.answer, mark, sent.answer)
    drafts.drop(mine, mark)
    return outcome_


@router.post(ASKED + "/dice", response=answers(OutcomeOut, *WRITE), operation_id="enter_dice")
def enter_dice(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark, sent: FacesIn) -> Any:
    """Enter the dice that the players rolled themselves."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.enter_dice, mark, sent.faces)


@router.post(ASKED + "/roll", response=answers(OutcomeOut, *WRITE), operation_id="roll")
def roll(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Let Laager roll what the players were to roll."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.roll, mark)


def outcome(mine: Seat, change: Callable[..., object], *given: Any) -> dict[str, Any]:
    """Change something for a seat; return what the seat sees of it, and how it stands now."""
    with look(mine) as table:
        # Not the numbers of the seat's own log: when the campaign ends it gets the umpire's.
        before = table.campaign.version
    change(mine, *given)
    with look(mine) as table:
        news = [line for line in table.log if line.text and line.entry.number > before]
        return {"news": entries_json(table, news), "status": status_json(table)}


def _question(table: Table, mark: str) -> Question:
    asked = table.find(mark)
    asked.need_side(table.seat)
    return asked.need_question()


# Drafts -------------------------------------------------------------------------------------------


@router.get(ASKED + "/draft", response=answers(DraftOut, 403, *READ), operation_id="draft")
def draft(request: HttpRequest, game: GameId, seat: SeatName, mark: Mark) -> Any:
    """Give what the side has begun to answer; the proposal, if it has begun nothing."""
    with table_of(request, game, seat, Action.DRAFT) as table:
        question = _question(table, mark)
        kept = drafts.find_draft(table.seat, mark)
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
    """True if the side agrees to what the other one wishes."""

    agree: bool = Field(strict=True)
    request: int | None = Field(None, ge=1, le=2**31 - 1, description="The number of the request that is meant.")


class ProposedIn(Schema):
    """A ruling, as its file has it (`laager: ruling/1`)."""

    ruling: dict[str, Any]


class SureIn(Schema):
    """That it was not by mistake."""

    sure: Literal[True]


@router.post(SEAT + "/take-back", response=answers(OutcomeOut, *WRITE), operation_id="take_back")
def take_back(request: HttpRequest, game: GameId, seat: SeatName, sent: BackIn) -> Any:
    """Ask to take back, which the other side must agree to; the umpire takes back alone."""
    return outcome(seat_of(request, game, seat, Action.LOOK), actions.ask_back, sent.to)


@router.post(SEAT + "/take-back/consent", response=answers(OutcomeOut, *WRITE), operation_id="consent")
def consent(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the other side's wish to take back, or refuse it; or withdraw your own."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.consent_back, sent.agree, sent.request)


@router.post(SEAT + "/bring-back", response=answers(OutcomeOut, *WRITE), operation_id="bring_back")
def bring_back(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Ask to bring back what was last taken back; the umpire brings back alone."""
    return outcome(seat_of(request, game, seat, Action.LOOK), actions.bring_back)


@router.post(SEAT + "/bring-back/consent", response=answers(OutcomeOut, *WRITE), operation_id="consent_redo")
def consent_redo(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the other side's wish to bring back, or refuse it."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.consent_redo, sent.agree, sent.request)


class UnitNameIn(Schema):
    """A name for one of your units."""

    unit: str = Field(max_length=20, description="The unit's number, as in your roster.")
    name: str = Field(max_length=200, description="Its name; empty: none of its own any more.")


@router.post(SEAT + "/name", response=answers(OutcomeOut, *WRITE), operation_id="rename_unit")
def rename_unit(request: HttpRequest, game: GameId, seat: SeatName, sent: UnitNameIn) -> Any:
    """Give one of your units a name of its own; the enemy learns it only of units that it knows."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.rename_unit, sent.unit, sent.name)


@router.post(SEAT + "/ruling", response=answers(OutcomeOut, *WRITE), operation_id="propose_ruling")
def propose_ruling(request: HttpRequest, game: GameId, seat: SeatName, sent: ProposedIn) -> Any:
    """Ask the table for a ruling; the umpire rules alone where the campaign's terms say so."""
    document = Document(sent.ruling, "ruling")
    return outcome(seat_of(request, game, seat, Action.LOOK), actions.propose_ruling, document)


@router.post(SEAT + "/ruling/consent", response=answers(OutcomeOut, *WRITE), operation_id="consent_ruling")
def consent_ruling(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the ruling that is asked for, or refuse it; or withdraw your own."""
    return outcome(seat_of(request, game, seat, Action.LOOK), actions.consent_ruling, sent.agree, sent.request)


class ReopenIn(Schema):
    """An answer that is to be opened again, and why."""

    number: int = Field(ge=1, le=2**31 - 1, description="The number of the answer in your log.")
    why: str = Field(description="What was forgotten, in your own words; the other side reads it.")


class AsBeforeIn(Schema):
    """How far to answer as before a ruling."""

    onward: bool = Field(False, description="In the steps that follow too, as long as the answers hold.")


@router.post(SEAT + "/reopen", response=answers(OutcomeOut, *WRITE), operation_id="reopen")
def reopen(request: HttpRequest, game: GameId, seat: SeatName, sent: ReopenIn) -> Any:
    """Ask to open an earlier answer again: what followed stays where it still holds. The other side must agree."""
    return outcome(seat_of(request, game, seat, Action.LOOK), actions.reopen, sent.number, sent.why)


@router.post(SEAT + "/as-before", response=answers(OutcomeOut, *WRITE), operation_id="as_before")
def as_before(request: HttpRequest, game: GameId, seat: SeatName, sent: AsBeforeIn) -> Any:
    """Answer as before a ruling all that you are asked and that still holds."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.answer_as_before, sent.onward)


@router.post(SEAT + "/concede", response=answers(OutcomeOut, *WRITE), operation_id="concede")
def concede(request: HttpRequest, game: GameId, seat: SeatName, sent: SureIn) -> Any:
    """Concede the campaign for your own side."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.concede)


@router.post(SEAT + "/draw", response=answers(OutcomeOut, *WRITE), operation_id="draw")
def draw(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Propose to end the campaign as a draw."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.propose_draw)


@router.post(SEAT + "/settle", response=answers(OutcomeOut, *WRITE), operation_id="settle")
def settle(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Let the model settle the battle that is to be reported, or refuse it; if both agree, reports are filled in."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.settle_battle, sent.agree, sent.request)


@router.post(SEAT + "/draw/consent", response=answers(OutcomeOut, *WRITE), operation_id="answer_draw")
def answer_draw(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the proposed draw, or refuse it."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.answer_draw, sent.agree, sent.request)


# Time for a move ----------------------------------------------------------------------------------


class PatienceIn(Schema):
    """Terms about the time for a move."""

    days: Annotated[int, Field(ge=0, le=LONGEST_DAYS, description="Days for a move; 0 for as long as it takes.")]
    then: Literal["remind", "umpire", "sensible"] = Field(
        "remind",
        description="A reminder; besides, the umpire, or the other side too, can let the sensible commander answer.",
    )


class LateOut(Schema):
    """A side that is over its days."""

    side: str
    waited_since: datetime = Field(description="When everybody could last see something happen.")
    late_since: datetime


class PatienceOut(PatienceIn):
    """The terms in force, and who is late."""

    late: list[LateOut]


class LateIn(Schema):
    """The side that is late."""

    side: Annotated[str, Field(min_length=1, max_length=40)]


@router.get(SEAT + "/patience", response=answers(PatienceOut, *READ), operation_id="patience")
def show_patience(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Show what the table agreed on about the time for a move, and who is late."""
    with table_of(request, game, seat) as table:
        terms = patience.patience_of(table.campaign)
        late = patience.late_sides(table.campaign, timezone.now())
        return {"days": terms.days, "then": terms.then, "late": [asdict(each) for each in late]}


@router.post(SEAT + "/patience", response=answers(OutcomeOut, *WRITE), operation_id="propose_patience")
def propose_patience(request: HttpRequest, game: GameId, seat: SeatName, sent: PatienceIn) -> Any:
    """Propose other terms about the time for a move. The other side must agree."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.propose_patience, sent.days, sent.then)


@router.post(SEAT + "/patience/consent", response=answers(OutcomeOut, *WRITE), operation_id="answer_patience")
def answer_patience(request: HttpRequest, game: GameId, seat: SeatName, sent: ConsentIn) -> Any:
    """Agree to the proposed terms, or refuse them; withdraw your own."""
    return outcome(seat_of(request, game, seat, Action.ANSWER), actions.answer_patience, sent.agree, sent.request)


@router.post(SEAT + "/late", response=answers(OutcomeOut, *WRITE), operation_id="answer_late")
def answer_late(request: HttpRequest, game: GameId, seat: SeatName, sent: LateIn) -> Any:
    """Let the sensible commander answer for a side that is late, where the terms allow it."""
    return outcome(seat_of(request, game, seat, Action.LOOK), actions.answer_for_late, sent.side)
