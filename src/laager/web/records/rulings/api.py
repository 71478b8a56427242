"""Rulings for programs: what holds now as a file, what a ruling would change, asking for it, agreeing to it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from laager.rules.board.rulings import proposing
from laager.rules.board.rulings.template import ruling_template
from laager.web.api.refusals import READ, WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, table_of
from laager.web.records.rulings import drafts
from laager.web.seats.permissions import Action

router = Router(tags=["playing"])


class RulingIn(Schema):
    """A ruling, as its file has it (`laager: ruling/1`)."""

    ruling: dict[str, Any]


class DifferenceOut(Schema):
    """One field of the record, before and after, in plain values and in words."""

    part: str
    key: str
    field: str
    before: Any
    after: Any
    words: list[str] = Field(description="What it is about: line, field; what was there; what is there now.")
    text: str


class LeftOut(Schema):
    """What a ruling leaves contradictory, and the mend."""

    what: str
    mend: str


class RulingPreviewOut(Schema):
    """What a ruling would change."""

    why: str
    changes: list[DifferenceOut]
    left: list[LeftOut]
    at_once: bool = Field(description="True if it needs nobody's consent.")


class OpenRulingOut(Schema):
    """The ruling that waits for consent, as far as you may know it."""

    request: int = Field(description="The number of the request in your log.")
    by: str
    why: str
    changes: list[DifferenceOut]
    secret: dict[str, dict[str, int]] = Field(description="Side -> how many things of its secret record are corrected.")
    reopens: str
    agreed: list[str]
    waiting_for: list[str]


class RulingOut(Schema):
    """What is asked for now."""

    open: OpenRulingOut | None


class TemplateOut(Schema):
    """A ruling's file to fill in: what holds now, commented out."""

    text: str


@router.get(SEAT + "/ruling/open", response=answers(RulingOut, *READ), operation_id="open_ruling")
def open_ruling(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Return the ruling that waits for consent, before and after; null if none does."""
    with table_of(request, game, seat) as table:
        return {"open": proposing.describe_open(table.campaign, table.seat.viewer)}


@router.get(SEAT + "/ruling/template", response=answers(TemplateOut, 403, *READ), operation_id="ruling_template")
def template(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Return a ruling's file to fill in, with what holds now."""
    with table_of(request, game, seat, Action.DRAFT) as table:
        proposing.check_has_record(table.campaign)
        return {"text": ruling_template(table.campaign, table.seat.viewer)}


@router.post(SEAT + "/ruling/check", response=answers(RulingPreviewOut, *WRITE), operation_id="check_ruling")
def check(request: HttpRequest, game: GameId, seat: SeatName, sent: RulingIn) -> Any:
    """Return what a ruling would change, before and after, and what it leaves contradictory. Nothing is asked."""
    with table_of(request, game, seat, Action.DRAFT) as table:
        return proposing.preview_ruling(table.campaign, table.seat.viewer, drafts.document_of(sent.ruling))
