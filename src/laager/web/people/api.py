"""Who sits where: members, invitations, the owner's business."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.calls import Row, user_of
from laager.web.api.refusals import READ, WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, seat_of
from laager.web.models import SeatChange
from laager.web.seats import members, seating, seatlog
from laager.web.seats.permissions import Action
from laager.web.shared import throttle
from laager.web.shared.http import absolute_address, address_of

router = Router(tags=["people"])

RoleName = Literal["player", "mate", "umpire", "spectator"]


class MemberOut(Schema):
    """Somebody with a seat."""

    id: int
    user: int = Field(validation_alias="user_id")
    username: str = Field(validation_alias="user.username")
    role: str
    side: str
    seat: str
    since: datetime
    freed_on: datetime | None = Field(
        description="When the seat can be freed, if that is announced and its holder stays away."
    )


class ChangeOfSeatsOut(Schema):
    """What happened to a seat. `until` is when an announced seat can be freed."""

    at: datetime
    kind: str
    who: str = Field(validation_alias="who_name")
    by: str = Field(validation_alias="by_name")
    role: str
    side: str
    until: datetime | None
    text: str

    @staticmethod
    def resolve_text(change: SeatChange) -> str:
        """Say it in words."""
        return seatlog.words(change)


class SeatWishOut(Schema):
    """Somebody who has seen other secrets, and waits for consent to take a seat."""

    id: int
    username: str
    role: str
    side: str
    agreed: list[str]
    yours: bool = Field(description="True if your seat has still to agree or refuse.")


class InvitationOut(Schema):
    """An invitation that can still be taken."""

    id: int
    role: str
    side: str
    made: datetime
    ends: datetime


class NewInvitationOut(InvitationOut):
    """A new invitation with its key and link, which are shown only once."""

    key: str
    link: str


class PeopleOut(Schema):
    """Who takes part; of open invitations those that you may withdraw."""

    owner: int
    waiting_days: int = Field(description="Days for which the freeing of a seat is announced.")
    members: list[MemberOut]
    invitations: list[InvitationOut]
    wishes: list[SeatWishOut]
    changes: list[ChangeOfSeatsOut] = Field(description="What happened to seats, the newest first.")


class InviteIn(Schema):
    """To what somebody is invited; players and mates need a side."""

    role: RoleName
    side: Annotated[str, Field(max_length=40)] = ""
    days: Annotated[int, Field(ge=1, le=90)] = members.DAYS


class KeyIn(Schema):
    """The key of an invitation: the last part of its link."""

    key: Annotated[str, Field(min_length=1, max_length=200)]


class TakenOut(Schema):
    """The seat that was taken; none, for an invitation to the server alone."""

    campaign: UUID | None
    seat: str


class HandOnIn(Schema):
    """The new owner."""

    user: Annotated[int, Field(ge=1, le=2**31 - 1)]


class ChangeIn(Schema):
    """The changes; everything else stays as it is."""

    title: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    archived: Annotated[bool, Field(strict=True)] | None = None


@router.get(SEAT + "/people", response=answers(PeopleOut, *READ), operation_id="people")
def list_people(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """List who takes part."""
    mine = seat_of(request, game, seat)
    return {
        "owner": mine.game.owner_id,
        "members": members.list_seated(mine.game),
        "waiting_days": mine.game.waiting_days,
        "invitations": [each for each in members.open_invitations(mine.game) if members.may_withdraw(mine, each)],
        "wishes": [
            {"id": each.pk, "username": each.user.username, "role": each.invitation.role,
             "side": each.invitation.side, "agreed": each.agreed,
             "yours": seating.may_agree(mine, each)}
            for each in seating.open_wishes(mine.game)
        ],
        "changes": seatlog.changes(mine.game),
    }  # fmt: skip


@router.post(SEAT + "/invitations", response=answers(NewInvitationOut, *WRITE, code=201), operation_id="invite")
def invite(request: HttpRequest, game: GameId, seat: SeatName, sent: InviteIn) -> Any:
    """Make an invitation to a seat. Owner only."""
    made, key = members.invite(seat_of(request, game, seat), sent.role, sent.side, sent.days)
    link = absolute_address(request, reverse("invitation", args=[key]))
    return Status(201, vars(made) | {"key": key, "link": link})


@router.delete(
    SEAT + "/invitations/{number}", response=answers(None, *WRITE, code=204),
    operation_id="withdraw",
)  # fmt: skip
def withdraw(request: HttpRequest, game: GameId, seat: SeatName, number: Row) -> Any:
    """Withdraw an open invitation: the owner any, a player one that shows the side's secrets."""
    members.withdraw(seat_of(request, game, seat), number)
    return Status(204, None)


@router.post("/invitations/accept", response=answers(TakenOut, *WRITE), operation_id="accept")
def accept(request: HttpRequest, sent: KeyIn) -> Any:
    """Take an invitation."""
    throttle.count_opening(address_of(request))
    member = members.accept(members.open_invitation(sent.key).pk, user_of(request))
    if member is None:
        return {"campaign": None, "seat": ""}
    return {"campaign": member.game_id, "seat": member.seat}


class AnnouncedOut(Schema):
    """When the seat can be freed, unless its holder comes back."""

    freed_on: datetime


@router.delete(
    SEAT + "/members/{number}", response={**answers(None, *WRITE, code=204), 202: AnnouncedOut}, operation_id="remove"
)
def remove(request: HttpRequest, game: GameId, seat: SeatName, number: Row) -> Any:
    """Announce that a seat is to be freed (202); free it when the time has come (204).

    The owner, players and umpires may; the owner sends spectators away at once.
    """
    member = seating.free_seat(seat_of(request, game, seat), number)
    return Status(202, {"freed_on": member.freed_on}) if member.pk else Status(204, None)


@router.post(SEAT + "/members/{number}/keep", response=answers(None, *WRITE, code=204), operation_id="keep")
def keep(request: HttpRequest, game: GameId, seat: SeatName, number: Row) -> Any:
    """Call off your announcement that a seat is to be freed. Its holder need only come back."""
    seating.call_off(seat_of(request, game, seat), number)
    return Status(204, None)


class AgreeIn(Schema):
    """True if you agree, or refuse."""

    agree: Annotated[bool, Field(strict=True)]


@router.post(SEAT + "/wishes/{number}", response=answers(None, *WRITE, code=204), operation_id="seat_consent")
def consent(request: HttpRequest, game: GameId, seat: SeatName, number: Row, sent: AgreeIn) -> Any:
    """Agree, for your side, that somebody takes a seat, or refuse."""
    seating.consent(seat_of(request, game, seat), number, sent.agree)
    return Status(204, None)


@router.post(SEAT + "/leave", response=answers(None, *WRITE, code=204), operation_id="leave")
def leave(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Give up your own seat."""
    seating.leave_seat(seat_of(request, game, seat))
    return Status(204, None)


@router.post(SEAT + "/hand-on", response=answers(None, *WRITE, code=204), operation_id="hand_on")
def hand_on(request: HttpRequest, game: GameId, seat: SeatName, sent: HandOnIn) -> Any:
    """Make somebody else with a seat the owner. Owner only."""
    seating.hand_on(seat_of(request, game, seat), sent.user)
    return Status(204, None)


@router.patch(SEAT + "/settings", response=answers(None, *WRITE, code=204), operation_id="change_campaign")
def change(request: HttpRequest, game: GameId, seat: SeatName, sent: ChangeIn) -> Any:
    """Rename a campaign, archive it, or take it out of the archive. Owner only; the host can archive, too."""
    mine = seat_of(request, game, seat, Action.MANAGE if sent.title is not None else Action.ARCHIVE)
    if sent.title is not None:
        members.rename(mine, sent.title)
    if sent.archived is not None:
        members.archive(mine, sent.archived)
    return Status(204, None)
