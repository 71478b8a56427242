"""The first page: my campaigns."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.web.campaigns.seat_pages import keep_seat
from laager.web.campaigns.tables import look
from laager.web.models import Member
from laager.web.seats.permissions import Seat
from laager.web.shared.http import person


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Show the user's campaigns, those first that need an answer."""
    user = person(request)
    seats = Member.objects.select_related("game").filter(user=user).order_by("pk")
    members = [member for member in seats if not member.game.archived]
    rows = []
    for game in {member.game_id for member in members}:
        # People who come back keep a seat that was to be freed.
        keep_seat(request, game, user)
    for member in members:
        with look(Seat(member.game, user, member)) as table:
            rows.append(
                {
                    "seat": table.seat,
                    "headline": table.ruleset.headline(table.campaign.context, table.view.state),
                    "ruleset": table.ruleset.title,
                    "asked": len(table.asked) if member.side else 0,
                    "waiting_for": table.view.waiting_for,
                    # When the viewer could last see something: anything else would tell of secrets.
                    "at": table.view.log[-1].entry.at,
                }
            )
    rows.sort(key=lambda row: str(row["at"]), reverse=True)
    rows.sort(key=lambda row: not row["asked"])
    return render(
        request, "starting/home.html", {"rows": rows, "archived": [member for member in seats if member.game.archived]}
    )


urlpatterns = [path("", home, name="home")]
