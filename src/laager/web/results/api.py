"""Results, the ladder and the balance of cards, for programs."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.calls import user_of
from laager.web.api.refusals import WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, seat_of
from laager.web.library.files import offers
from laager.web.results.balance import balance_card, balance_cards
from laager.web.results.finished import choose_listing as choose
from laager.web.results.finished import filter_results, list_results
from laager.web.results.ratings import rate_players
from laager.web.seats.permissions import Action

router = Router(tags=["results"])

CardId = Annotated[str, Path(max_length=120, description="A shipped card.")]
FileName = Annotated[str, Path(max_length=120, description="A file of your library.")]
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


class ShareOut(Schema):
    """How often a side won."""

    count: int
    total: int
    part: float = Field(description="The share, from 0 to 1.")
    low: float = Field(description="From where the true share lies, with 95 % confidence.")
    high: float


class SideBalanceOut(Schema):
    """The wins of a side. Shares are null if there is nothing to go by."""

    side: str
    wins: int = Field(description="In rated campaigns.")
    played: ShareOut | None = Field(description="Its share of the rated campaigns.")
    simulated: ShareOut | None = Field(description="Its share in your own largest simulation of the same card.")
    shipped: ShareOut | None = Field(description="Its share in the simulation that ships with the card.")


class ShippedOut(Schema):
    """The simulation that ships with a card."""

    campaigns: int
    commander: str
    version: str = Field(description="The version of Laager that simulated it.")
    day: date


class BalanceOut(Schema):
    """How a card is balanced."""

    card: str
    ruleset: str
    campaigns: int = Field(description="How many rated campaigns there are.")
    draws: int
    sides: list[SideBalanceOut]
    shipped: ShippedOut | None
    shipped_current: bool = Field(description="False if the card has been changed since then, or nothing ships.")


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


@router.get("/balance", response=answers(list[BalanceOut], 409, 422), operation_id="balance")
def show_balance(request: HttpRequest, card: CardTitle = "") -> Any:
    """Show the balance of the cards in the listed results, of each as the last campaign began with it."""
    user = user_of(request)
    return balance_cards(filter_results(list_results(), card), user)


@router.get("/cards/shipped/{name}/balance", response=answers(BalanceOut, 404), operation_id="card_balance")
def show_card_balance(request: HttpRequest, name: CardId) -> Any:
    """Show the balance of a shipped card, played or not."""
    user = user_of(request)
    return balance_card(offers.find_shipped(name), list_results(), user)


@router.get("/cards/own/{name}/balance", response=answers(BalanceOut, 404), operation_id="own_card_balance")
def show_own_card_balance(request: HttpRequest, name: FileName) -> Any:
    """Show the balance of a card of your library, played or not."""
    user = user_of(request)
    return balance_card(offers.find_own(user, name), list_results(), user)


@router.put(SEAT + "/listed", response=answers(None, *WRITE, code=204), operation_id="choose_listing")
def choose_listing(request: HttpRequest, game: GameId, seat: SeatName, sent: ListedIn) -> Any:
    """Choose whether the campaign's result may be listed. Players only."""
    mine = seat_of(request, game, seat, Action.ANSWER)
    choose(mine, sent.listed)
    return Status(204, None)
