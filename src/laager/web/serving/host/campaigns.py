"""The host's page of one campaign: replacing an owner who is gone, the archive, giving it out; taking another in."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from laager.base import Refusal, RefusedError
from laager.web.campaigns import importing
from laager.web.campaigns.tables import look
from laager.web.models import Game, Member, Player, Role
from laager.web.records import verification
from laager.web.seats import members, seating, seatlog
from laager.web.serving.host.overview import is_over, watch
from laager.web.serving.host.rights import host_page
from laager.web.shared.http import file_response


def _find_game(pk: UUID) -> Game:
    game = Game.objects.select_related("owner").filter(pk=pk).first()
    if game is None:
        raise RefusedError(Refusal.NO_SUCH, "this campaign doesn't exist")
    return game


@host_page
def show_campaign(request: HttpRequest, host: Player, game: UUID) -> HttpResponse:
    """Show whose a campaign is; replace an owner who is gone."""
    row = _find_game(game)
    if request.method == "POST":
        until = seating.replace_owner(row, host)
        if until is None:
            messages.success(request, _("The campaign has a new owner."))
        else:
            messages.success(request, _("It is announced."))
        return redirect("host-campaign", game)
    seated = Member.objects.filter(game=row).select_related("user")
    own = [member for member in seated if member.user_id == row.owner_id]
    heirs = [member for member in seated if member.user_id != row.owner_id]
    freed = [member.freed_on for member in own if member.freed_on]
    context = {
        "game": row,
        "host": host,
        "heir": seating.choose_heir(heirs) if heirs else None,
        "until": max(freed) if own and len(freed) == len(own) else None,
        "over": is_over(row, host),
        "changes": seatlog.changes(row),
    }
    return render(request, "serving/host/host_campaign.html", context)


@require_POST
@host_page
def archive(request: HttpRequest, host: Player, game: UUID) -> HttpResponse:
    """Archive a campaign, or take it out of the archive, as its owner would."""
    members.archive(watch(_find_game(game), host), request.POST.get("archived") == "yes")
    return redirect("host-campaign", game)


@host_page
def give_out(request: HttpRequest, host: Player, game: UUID) -> HttpResponse:
    """Give a campaign that is over as a campaign file."""
    row = _find_game(game)
    with look(watch(row, host)) as table:
        data = verification.whole_log(table)
    return file_response(data, "application/x-ndjson; charset=utf-8", f"{slugify(row.title) or 'campaign'}.laager")


@require_POST
@host_page
def take_in(request: HttpRequest, host: Player) -> HttpResponse:
    """Take a campaign in from a file."""
    upload = request.FILES.get("file")
    if upload is None:
        raise RefusedError(Refusal.BAD_ANSWER, "no file was chosen", "choose a campaign file")
    game = importing.take_in(host, upload.read(), upload.name or "campaign")
    messages.success(request, _("The campaign is here now. Invite its players."))
    return redirect("people", game.pk, Role.UMPIRE.value)


urlpatterns = [
    path("host/campaign/<uuid:game>/", show_campaign, name="host-campaign"),
    path("host/campaign/<uuid:game>/archive/", archive, name="host-campaign-archive"),
    path("host/campaign/<uuid:game>/file", give_out, name="host-campaign-file"),
    path("host/take-in/", take_in, name="host-take-in"),
]
