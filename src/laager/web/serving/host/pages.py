"""The host's page: the whole server at a glance, for its owner alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from laager.base import Refusal, RefusedError
from laager.web.models import Game, Player
from laager.web.serving.host import overview
from laager.web.shared.http import person_page

P = ParamSpec("P")

ON_A_PAGE = 25
"""How many campaigns are shown at once: each is opened to be looked at."""


def host_page(page: Callable[Concatenate[HttpRequest, Player, P], HttpResponse]) -> Callable[..., Any]:
    """Make a page for the owner of the server. For everybody else it doesn't exist."""

    @wraps(page)
    def call_page(request: HttpRequest, host: Player, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not host.is_superuser:
            raise RefusedError(Refusal.NO_SUCH, "this page doesn't exist", "only the owner of a server has one here")
        return page(request, host, *args, **kwargs)

    return person_page(call_page)


@host_page
def show(request: HttpRequest, host: Player) -> HttpResponse:
    """Show the server: campaigns, people, sizes, versions, the last backup."""
    # The newest first: in the order of their last change they would tell when something secret was stored.
    games = Game.objects.select_related("owner").order_by("archived", "-made", "pk")
    page = Paginator(games, ON_A_PAGE).get_page(request.GET.get("page"))
    shown = {
        "page": page,
        "campaigns": overview.list_campaigns(list(page), host),
        "people": overview.list_people(),
        "server": overview.describe_server(settings.CONFIG),
    }
    return render(request, "serving/host/host.html", shown)


urlpatterns = [path("host/", show, name="host")]
