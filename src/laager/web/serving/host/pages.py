"""The host's page: the whole server at a glance, for its owner alone."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from laager.web.models import ErrorPlace, Game, Player
from laager.web.serving import metrics
from laager.web.serving.host import announcements, news, overview
from laager.web.serving.host.rights import host_page

ON_A_PAGE = 25
"""How many campaigns are shown at once: each is opened to be looked at."""


@host_page
def show(request: HttpRequest, host: Player) -> HttpResponse:
    """Show the server: campaigns, people, sizes, versions, the last backup."""
    return _render_host_page(request, host, announcements.AnnouncementForm(instance=announcements.load()))


@require_POST
@host_page
def announce(request: HttpRequest, host: Player) -> HttpResponse:
    """Show everybody an announcement, in place of the one before."""
    form = announcements.AnnouncementForm(request.POST)
    if not form.is_valid():
        return _render_host_page(request, host, form, status=422)
    announcements.store(form)
    messages.success(request, _("Everybody sees your announcement now."))
    return redirect("host")


@require_POST
@host_page
def remove_announcement(request: HttpRequest, host: Player) -> HttpResponse:
    """Take the announcement away."""
    announcements.remove()
    messages.success(request, _("The announcement is gone."))
    return redirect("host")


def _render_host_page(
    request: HttpRequest, host: Player, form: announcements.AnnouncementForm, status: int = 200
) -> HttpResponse:
    # The newest first: in the order of their last change they would tell when something secret was stored.
    games = Game.objects.select_related("owner").order_by("archived", "-made", "pk")
    page = Paginator(games, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "campaigns": overview.list_campaigns(list(page), host),
        "people": overview.list_people(),
        "server": overview.describe_server(settings.CONFIG),
        "workload": metrics.describe_workload(),
        "errors": ErrorPlace.objects.order_by("-seen", "place", "kind"),
        "news": news.read_news(),
        "announcing": form,
        "announced": announcements.load_current(),
    }
    return render(request, "serving/host/host.html", context, status=status)


urlpatterns = [
    path("host/", show, name="host"),
    path("host/announcement/", announce, name="host-announce"),
    path("host/announcement/remove/", remove_announcement, name="host-announcement-remove"),
]
