"""The public page for programs: its address, and a player's consent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.urls import reverse
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.refusals import READ, WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, seat_of, table_of
from laager.web.models import Member
from laager.web.public.past import agreed_delays, choose_delay, public_key
from laager.web.seats.permissions import Action
from laager.web.shared.http import absolute_address

router = Router(tags=["people"])

Delay = Literal["day", "battle", ""]


class PublicPageOut(Schema):
    """The page that everybody may see of a campaign."""

    address: Annotated[str, Field(description='"" as long as not all players agree.')]
    delays: Annotated[list[str], Field(description="How far it stays behind: each of these holds.")]
    mine: Annotated[Delay, Field(description="What you chose; \"\" if you don't agree, or needn't be asked.")]


class PublicPageIn(Schema):
    """How far behind everybody may see the campaign; "" if not at all."""

    delay: Delay


@router.get(SEAT + "/public", response=answers(PublicPageOut, *READ), operation_id="public_page")
def show(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Tell where the public page is, and what you chose."""
    with table_of(request, game, seat) as table:
        delays, mine = sorted(agreed_delays(table)), table.seat
    address = absolute_address(request, reverse("public", args=[public_key(mine.game)])) if delays else ""
    chosen = Member.objects.values_list("public_delay", flat=True).get(pk=mine.member.pk)
    return {"address": address, "delays": delays, "mine": chosen}


@router.put(SEAT + "/public", response=answers(None, *WRITE, code=204), operation_id="choose_public_page")
def choose(request: HttpRequest, game: GameId, seat: SeatName, sent: PublicPageIn) -> Any:
    """Choose whether everybody may see the campaign, and how far behind. Players only."""
    choose_delay(seat_of(request, game, seat, Action.ANSWER), sent.delay)
    return Status(204, None)
