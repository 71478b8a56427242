"""Results and the ladder, for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.calls import user_of
from laager.web.api.refusals import WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, seat_of
from laager.web.models import Member
from laager.web.results.finished import filter_results, list_results
from laager.web.results.ratings import rate_players
from laager.web.seats.permissions import Action

router = Router(tags=["results"])

CardTitle = Annotated[str, Query(max_length=200, description="Only campaigns of the card with this title.")]
SideName = Annotated[str, Query(max_length=40, description="As players play this side; else both.")]


class ResultOut(Schema):
    """A finished campaign whose players all let it be listed."""

    title: str
    card: str
    ruleset: str
    players: dict[str, list[str]] = Field(description="Who held the sides at the end.")
    commanders: dict[str, str] = Field(description="The commanders that held sides; such campaigns aren't rated.")
    winner: str = Field(description="The side that won; empty for a draw.")
    began: datetime
    ended: datetime
    battles: int
    rated: bool = Field(validation_alias="is_rated")


class LadderOut(Schema):
    """A player on the ladder."""

    place: int | None = Field(description="Null for a player with too few campaigns.")
    player: str
    campaigns: int
    rating: float
    margin: float = Field(description="Two standard deviations of the rating.")
    missing: int = Field(description="The number of campaigns that are missing for a place.")


class ListedIn(Schema):
    """True if you let the result be listed."""

    listed: Annotated[bool, Field(strict=True)]


@router.get("/results", response=answers(list[ResultOut], 409, 422), operation_id="results")
def list_all(request: HttpRequest, card: CardTitle = "") -> Any:
    """List finished campaigns, the latest first."""
    user_of(request)
    return filter_results(list_results(), card)


@router.get("/ladder", response=answers(list[LadderOut], 409, 422), operation_id="ladder")
def show_ladder(request: HttpRequest, card: CardTitle = "", side: SideName = "") -> Any:
    """Rate the players by the listed results."""
    user_of(request)
    return rate_players(filter_results(list_results(), card), side)


@router.put(SEAT + "/listed", response=answers(None, *WRITE, code=204), operation_id="choose_listing")
def choose_listing(request: HttpRequest, game: GameId, seat: SeatName, sent: ListedIn) -> Any:
    """Choose whether the campaign's result may be listed. Players only."""
    mine = seat_of(request, game, seat, Action.ANSWER)
    Member.objects.filter(pk=mine.member.pk).update(listed=sent.listed)
    return Status(204, None)
