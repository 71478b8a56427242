"""The talk at a table, for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.refusals import READ, WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, seat_of
from laager.web.models import TalkMessage
from laager.web.talk import messages
from laager.web.talk.channels import readable_channels

router = Router(tags=["talk"])

TALK = SEAT + "/talk"
ChannelName = Annotated[
    str, Path(description="A channel, such as `table`.", pattern=r"^[-a-zA-Z0-9_]+$", max_length=60)
]
MessageNumber = Annotated[int, Path(ge=1, le=2**31 - 1, description="The number of a message in its channel.")]
Number = Annotated[int, Query(ge=0, le=2**31 - 1)]


class ChannelOut(Schema):
    """A channel that the seat reads."""

    name: str
    title: str
    may_write: bool = Field(description="False if the seat only reads it.")
    unread: int


class TalkOut(Schema):
    """The channels of a seat, and a mark that changes with all that is said or deleted in them."""

    mark: str
    channels: list[ChannelOut]


class MessageOut(Schema):
    """A message. A deleted one keeps its number, and has no text."""

    number: int
    at: datetime
    by: str = Field(validation_alias="who")
    seat: str = Field(description="Where its writer sat: a side, `umpire` or `spectator`.")
    text: str
    may_be_quoted: bool = Field(description="True if the story may quote it.")
    deleted: bool


class MessageIn(Schema):
    """What is to be said."""

    text: Annotated[str, Field(min_length=1, max_length=messages.LONGEST_CHARS)]
    may_be_quoted: Annotated[bool, Field(strict=True, description="Let the story quote it; in `table` only.")] = False


class MuteIn(Schema):
    """True to mute a person, False to let the person write again."""

    muted: Annotated[bool, Field(strict=True)]


@router.get(TALK, response=answers(TalkOut, *READ), operation_id="talk")
def list_channels(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """List the channels that the seat reads."""
    mine = seat_of(request, game, seat)
    news = messages.talk_news(mine)
    channels = [
        {"name": each.name, "title": each.title(mine.game), "may_write": each.writable,
         "unread": news.unread.get(each.name, 0)}
        for each in readable_channels(mine)
    ]  # fmt: skip
    return {"mark": news.mark, "channels": channels}


@router.get(TALK + "/{name}", response=answers(list[MessageOut], *READ), operation_id="messages")
def list_messages(
    request: HttpRequest, game: GameId, seat: SeatName, name: ChannelName, after: Number = 0, before: Number = 0
) -> Any:
    """List the last messages of a channel, in order: 100 at most, after or before a number if you give one."""
    mine = seat_of(request, game, seat)
    return list(messages.read_messages(mine, name, before or None, after))


@router.post(TALK + "/{name}", response=answers(MessageOut, *WRITE, code=201), operation_id="write_message")
def write_message(request: HttpRequest, game: GameId, seat: SeatName, name: ChannelName, sent: MessageIn) -> Any:
    """Say something in a channel."""
    mine = seat_of(request, game, seat)
    message: TalkMessage = messages.write_message(mine, name, sent.text, sent.may_be_quoted)
    return Status(201, message)


@router.post(TALK + "/{name}/read", response=answers(None, *WRITE, code=204), operation_id="read_messages")
def note_read(request: HttpRequest, game: GameId, seat: SeatName, name: ChannelName) -> Any:
    """Note that you have read a channel up to its last message; nobody else learns it."""
    messages.note_read(seat_of(request, game, seat), name)
    return Status(204, None)


@router.delete(TALK + "/{name}/{number}", response=answers(None, *WRITE, code=204), operation_id="delete_message")
def delete_message(request: HttpRequest, game: GameId, seat: SeatName, name: ChannelName, number: MessageNumber) -> Any:
    """Delete a message that you wrote."""
    messages.delete_message(seat_of(request, game, seat), name, number)
    return Status(204, None)


@router.put(SEAT + "/mutes/{user}", response=answers(None, *WRITE, code=204), operation_id="mute")
def mute(
    request: HttpRequest,
    game: GameId,
    seat: SeatName,
    user: Annotated[int, Path(ge=1, le=2**31 - 1, description="The person's number, as in the list of people.")],
    sent: MuteIn,
) -> Any:
    """Mute a person where everybody reads, or let the person write again. Owner only."""
    messages.mute(seat_of(request, game, seat), user, sent.muted)
    return Status(204, None)
