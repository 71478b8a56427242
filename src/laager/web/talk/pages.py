"""The talk at a table: its channels, writing, deleting, muting."""

from __future__ import annotations

from typing import Any

from django.contrib import messages as notes_to_user
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from laager.base import DataError
from laager.web.campaigns.seat_pages import frame_context, seat_page
from laager.web.campaigns.tables import look
from laager.web.seats.permissions import Seat
from laager.web.shared.http import STATUS_OF, parse_number
from laager.web.talk import messages
from laager.web.talk.channels import Channel, find_channel, readable_channels


@require_http_methods(["GET", "HEAD", "POST"])
@seat_page()
def talk(request: HttpRequest, seat: Seat, name: str = "table") -> HttpResponse:
    """Show a channel, and write in it."""
    channel = find_channel(seat, name)
    if request.method != "POST":
        return _page(request, seat, channel)
    text = request.POST.get("text", "")
    try:
        messages.write_message(seat, name, text, request.POST.get("quote") == "yes")
    except DataError as err:
        return _page(request, seat, channel, text, err)
    return redirect(reverse("talk-channel", args=[seat.game.pk, seat.name, name]) + "#write")


def _page(
    request: HttpRequest, seat: Seat, channel: Channel, text: str = "", err: DataError | None = None
) -> HttpResponse:
    messages.note_read(seat, channel.name)
    with look(seat) as table:
        context = frame_context(table, "talk")
    context |= {
        "channel": channel,
        "channels": _offer_channels(seat, channel),
        "typed": text,
        "problems": err.problems if err else (),
        "longest": messages.LONGEST_CHARS,
        "muted": channel.is_public and messages.is_muted(seat),
        "mutable": messages.list_mutable(seat) if channel.is_public else (),
        **_list_lines(request, seat, channel),
    }
    return render(request, "talk/talk.html", context, status=STATUS_OF[err.code] if err else 200)


def _list_lines(request: HttpRequest, seat: Seat, channel: Channel) -> dict[str, Any]:
    before = parse_number(request.GET.get("before", ""))
    lines = messages.read_messages(seat, channel.name, before)
    return {"lines": lines, "before": before, "earlier": lines[0].number if lines and lines[0].number > 1 else None}


def _offer_channels(seat: Seat, current: Channel) -> list[tuple[Channel, str, int]]:
    """Return the channels that the page offers, with their titles and what is unread in them."""
    unread = messages.talk_news(seat).unread
    with_umpire = messages.has_umpire(seat.game)
    return [
        (channel, channel.title(seat.game), unread.get(channel.name, 0))
        for channel in readable_channels(seat)
        if channel.kind != "umpire" or with_umpire or channel == current or channel.name in unread
    ]


@seat_page(post=True)
def delete(request: HttpRequest, seat: Seat, name: str, number: int) -> HttpResponse:
    """Delete a message of your own."""
    messages.delete_message(seat, name, number)
    return redirect("talk-channel", seat.game.pk, seat.name, name)


@seat_page(post=True)
def mute(request: HttpRequest, seat: Seat, user: int) -> HttpResponse:
    """Mute somebody where everybody reads, or let the person write again. Owner only."""
    muted = request.POST.get("muted") == "yes"
    messages.mute(seat, user, muted)
    said = _("Muted. What everybody reads, this person only reads.") if muted else _("This person can write again.")
    notes_to_user.success(request, said)
    return redirect("talk", seat.game.pk, seat.name)


seat_patterns = [
    path("talk", talk, name="talk"),
    path("talk/mute/<int:user>", mute, name="talk-mute"),
    path("talk/<slug:name>", talk, name="talk-channel"),
    path("talk/<slug:name>/<int:number>/delete", delete, name="talk-delete"),
]
