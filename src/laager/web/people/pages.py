"""Who takes part in a campaign: seats, invitations, the owner; and one's own notices."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from laager.base import Refusal, RefusedError
from laager.web.campaigns.seat_pages import frame_context, seat_page, table_page
from laager.web.campaigns.tables import Table, look
from laager.web.models import Device, Member, Pace, Role, Webhook
from laager.web.public.pages import consent_context
from laager.web.records.log import feed
from laager.web.seats import devices, members, outgoing, seating, seatlog, webhooks
from laager.web.seats.permissions import Action, Seat
from laager.web.shared.http import STATUS_OF, absolute_address, parse_number, reach


def _people_context(request: HttpRequest, table: Table, **more: Any) -> dict[str, Any]:
    seat = table.seat
    manages = seat.may(Action.MANAGE)
    seated = members.list_seated(seat.game)
    return (
        frame_context(table, "people")
        | {
            "members": seated,
            "invitations": [(each, members.may_withdraw(seat, each)) for each in members.open_invitations(seat.game)],
            "wishes": [(each, seating.may_agree(seat, each)) for each in seating.open_wishes(seat.game)],
            "changes": seatlog.changes(seat.game),
            "may_free": seat.may(Action.FREE),
            "now": timezone.now(),
            "seats": _seats(table) if manages else [],
            "manages": manages,
            "heirs": _heirs(seated, seat) if manages else {},
            "days": members.DAYS,
            "reach": reach(absolute_address(request, "/")),
            "kinds": Webhook.Kind.choices if seat.role is Role.PLAYER else [],
            "paces": Pace.choices if seat.may(Action.DRAFT) else [],
            **_notices_context(seat),
            **consent_context(request, table),
            "feed": absolute_address(request, reverse("feed", args=[feed.feed_key(seat)])),
        }
        | more
    )


def _notices_context(seat: Seat) -> dict[str, Any]:
    """Return what the page shows of a player's notices: how often, on devices, by webhook."""
    hook = Webhook.objects.filter(member=seat.member).first()
    member = Member.objects.get(pk=seat.member.pk)
    return {
        "listed": member.listed,
        "may_list": seat.may(Action.ANSWER) and seat.role is Role.PLAYER and seat.game.ruleset != "dyo",
        "pace": member.pace,
        "push": member.push,
        "has_devices": Device.objects.filter(user=seat.user).exists(),
        "failed_devices": member.device_notices.exclude(trouble="").select_related("device").order_by("pk"),
        "hook": hook,
        "hook_kind": hook.kind if hook else "",
        "hook_url": hook.url if hook else "",
    }


def _heirs(members: list[Any], seat: Seat) -> dict[int, Any]:
    """Return to whom the campaign can be handed on."""
    return {m.user_id: m.user for m in members if m.user_id != seat.user.pk}


def _seats(table: Table) -> list[tuple[str, Role, str]]:
    """Return the kinds of seats that can be offered: value, role, side."""
    sides = table.campaign.ruleset.sides
    return [
        *((f"{role}:{side}", role, side) for role in (Role.PLAYER, Role.MATE) for side in sides),
        *((f"{role}:", role, "") for role in (Role.UMPIRE, Role.SPECTATOR)),
    ]


@require_GET
@table_page
def show(request: HttpRequest, table: Table) -> HttpResponse:
    """Show who sits where."""
    return render(request, "people/people.html", _people_context(request, table))


@seat_page(Action.INVITE, post=True)
def invite(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Make an invitation, and show its link this once."""
    role, _colon, side = request.POST.get("seat", "").partition(":")
    made, link, refusal = None, "", None
    try:
        days = parse_number(request.POST.get("days", "")[:4])
        if days is None:
            raise RefusedError(Refusal.BAD_ANSWER, "an invitation is valid for 1 to 90 days")
        made, key = members.invite(seat, role, side, days)
        link = absolute_address(request, reverse("invitation", args=[key]))
    except RefusedError as err:
        refusal = err
    with look(seat) as table:
        shown = _people_context(request, table, made=made, link=link, refusal=refusal, offered=request.POST)
    return render(request, "people/people.html", shown, status=STATUS_OF[refusal.code] if refusal else 200)


@seat_page(post=True)
def withdraw(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Withdraw an invitation."""
    members.withdraw(seat, pk)
    messages.success(request, _("The invitation is withdrawn."))
    return _back(seat)


@seat_page(Action.FREE, post=True)
def remove(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Announce that a seat is to be freed, or free it when the time has come."""
    member = seating.free_seat(seat, pk)
    said = _("It is announced.") if member.pk else _("The seat is free.")
    messages.success(request, said)
    return _back(seat)


@seat_page(Action.FREE, post=True)
def keep(_request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Call off the announcement that a seat is to be freed."""
    seating.call_off(seat, pk)
    return _back(seat)


@seat_page(Action.ANSWER, post=True)
def consent(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """Agree that somebody takes a seat, or refuse."""
    seating.consent(seat, pk, request.POST.get("agree") == "yes")
    return _back(seat)


@seat_page(Action.DRAFT, post=True)
def pace(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Choose how often notices come."""
    chosen = request.POST.get("pace", "")
    if chosen not in Pace.values:
        raise RefusedError(Refusal.BAD_ANSWER, f"choose one of these: {', '.join(Pace.values)}")
    Member.objects.filter(pk=seat.member.pk).update(pace=chosen)
    messages.success(request, _("Notices come as you have chosen."))
    return redirect(reverse("people", args=[seat.game.pk, seat.name]) + "#notices")


@seat_page(Action.ANSWER, post=True)
def push(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Choose whether your devices show notices of this campaign."""
    devices.switch(seat.member, request.POST.get("push") == "yes")
    messages.success(request, _("Notices come as you have chosen."))
    return redirect(reverse("people", args=[seat.game.pk, seat.name]) + "#notices")


@seat_page(Action.ANSWER, post=True)
def webhook(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Choose where notices of the seat go besides mails, try it, or end it."""
    try:
        _change_webhook(request, seat)
    except RefusedError as err:
        with look(seat) as table:
            shown = _people_context(request, table, hook_refusal=err)
            if "url" in request.POST:
                shown |= {"hook_kind": request.POST.get("kind", ""), "hook_url": request.POST["url"]}
        return render(request, "people/people.html", shown, status=STATUS_OF[err.code])
    return redirect(reverse("people", args=[seat.game.pk, seat.name]) + "#notices")


def _change_webhook(request: HttpRequest, seat: Seat) -> None:
    match request.POST.get("do"):
        case "test":
            delivery = webhooks.send_test(seat)
            text = outgoing.describe_delivery(delivery)
            (messages.error if delivery.trouble else messages.success)(request, text)
        case "renew":
            webhooks.renew_secret(seat)
            messages.success(request, _("The key is new. The old one signs nothing any more."))
        case "remove":
            webhooks.remove_webhook(seat)
            messages.success(request, _("Notices go to no webhook any more."))
        case _:
            webhooks.choose_webhook(seat, request.POST.get("kind", ""), request.POST.get("url", ""))
            messages.success(request, _("Notices will go there. Send a test message to see whether they arrive."))


@seat_page(post=True)
def leave(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give up your own seat."""
    seating.leave_seat(seat)
    messages.success(request, _("You have left your seat."))
    return redirect("home")


@seat_page(Action.MANAGE, post=True)
def hand_on(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Make somebody else the owner."""
    seating.hand_on(seat, parse_number(request.POST.get("to", "")) or 0)
    messages.success(request, _("The campaign has another owner now."))
    return _back(seat)


@seat_page(Action.MANAGE, post=True)
def rename(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Give the campaign another title."""
    members.rename(seat, request.POST.get("title", ""))
    return _back(seat)


@seat_page(Action.ARCHIVE, post=True)
def archive(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Archive the campaign, or take it out of the archive."""
    members.archive(seat, request.POST.get("archived") == "yes")
    return _back(seat)


def _back(seat: Seat) -> HttpResponse:
    return redirect("people", seat.game.pk, seat.name)


seat_patterns = [
    path("people/", show, name="people"),
    path("people/invite/", invite, name="invite"),
    path("people/withdraw/<int:pk>/", withdraw, name="withdraw"),
    path("people/remove/<int:pk>/", remove, name="remove"),
    path("people/keep/<int:pk>/", keep, name="keep"),
    path("people/consent/<int:pk>/", consent, name="seat-consent"),
    path("people/pace/", pace, name="pace"),
    path("people/push/", push, name="push"),
    path("people/webhook/", webhook, name="webhook"),
    path("people/leave/", leave, name="leave"),
    path("people/hand-on/", hand_on, name="hand-on"),
    path("people/rename/", rename, name="rename"),
    path("people/archive/", archive, name="archive"),
]
