"""For whom the host's pages are."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse

from laager.base import Refusal, RefusedError
from laager.web.models import Player
from laager.web.shared.http import person_page

P = ParamSpec("P")


def host_page(page: Callable[Concatenate[HttpRequest, Player, P], HttpResponse]) -> Callable[..., Any]:
    """Make a page for the owner of the server. For everybody else it doesn't exist."""

    @wraps(page)
    def call_page(request: HttpRequest, host: Player, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not host.is_superuser:
            raise RefusedError(Refusal.NO_SUCH, "this page doesn't exist", "only the owner of a server has one here")
        return page(request, host, *args, **kwargs)

    return person_page(call_page)
