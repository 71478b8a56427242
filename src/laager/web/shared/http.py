"""What pages and API share of HTTP: the person logged in, what was sent, refusals, files to save, addresses."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from laager.base import LaagerError, Refusal
from laager.sheets import LANGUAGES
from laager.web.models import Player
from laager.web.shared import throttle
from laager.web.shared.tags import problem_in_words
from laager.web.shared.translation import translate
from laager.web.shared.visitors import network_of

P = ParamSpec("P")

STATUS_OF = {
    Refusal.NO_SUCH: 404,
    Refusal.NOT_YOURS: 403,
    Refusal.STALE: 409,
    Refusal.NOT_ASKED: 409,
    Refusal.NEEDS_CONSENT: 409,
    Refusal.OVER: 409,
    Refusal.TOO_OFTEN: 429,
    Refusal.NOT_INSTALLED: 501,
    Refusal.LOCKED: 503,
    Refusal.BROKEN_LOG: 503,
    Refusal.BAD_ANSWER: 422,
    Refusal.BAD_DATA: 422,
}
"""The HTTP status of each refusal, for pages and API."""

ACCESS_LOG = logging.getLogger("laager.web.access")

API = "/api/"
"""Where programs ask."""


def add_retry_after(response: HttpResponse, err: LaagerError) -> HttpResponse:
    """Add how long to wait, if a program asked too often."""
    if isinstance(err, throttle.TooOftenError):
        response.headers["Retry-After"] = str(err.seconds)
    return response


def address_of(request: HttpRequest) -> str:
    """Return the network that a request came from, as the trusted proxy tells it: what limits count."""
    return network_of(str(request.META.get("REMOTE_ADDR", "")))


def refusal_json(err: LaagerError) -> HttpResponse:
    """Return the answer to a program that tells what was refused, in the shape of the API."""
    refused: dict[str, Any] = {"refused": err.code.value, "text": str(err), "problems": []}
    return JsonResponse(refused, status=STATUS_OF[err.code])


def refusal_page(request: HttpRequest, err: LaagerError) -> HttpResponse:
    """Return the page that says what was refused; only its middle if a script asked."""
    template = "shared/refused_part.html" if getattr(request, "htmx", False) else "shared/refused.html"
    return add_retry_after(
        render_refusal(request, template, err, {"heading": err.heading, "at_table": _table_of(request, err)}), err
    )


def render_refusal(request: HttpRequest, template: str, err: LaagerError, context: dict[str, Any]) -> HttpResponse:
    """Return a page with what was refused on it."""
    shown = {"refusal": err, "problems": err.problems, **context}
    return render(request, template, shown, status=STATUS_OF[err.code])


def show_refusal(request: HttpRequest, err: LaagerError) -> None:
    """Say on the next page what was refused, problem by problem in the reader's words; the page shows of which file."""
    for problem in err.problems:
        messages.error(request, problem_in_words(replace(problem, file="")))
    if not err.problems:
        messages.error(request, translate(err))


def _table_of(request: HttpRequest, err: LaagerError) -> str:
    """Return the way back to the table at which something was refused; "" for anywhere else."""
    match = request.resolver_match
    if err.code is Refusal.NO_SUCH or not match or "seat" not in match.kwargs:
        return ""
    return reverse("table", args=[match.kwargs["game"], match.kwargs["seat"]])


def person(request: HttpRequest) -> Player:
    """Return who is logged in. For pages that nobody else reaches."""
    return cast("Player", request.user)


def person_page(page: Callable[Concatenate[HttpRequest, Player, P], HttpResponse]) -> Callable[..., Any]:
    """Make a page for people who are logged in: it is called with the person, too."""

    @login_required
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(page)
    def call_page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return page(request, person(request), *args, **kwargs)

    return cast("Callable[..., Any]", call_page)


def posted_fields(request: HttpRequest) -> dict[str, list[str]]:
    """Return what was sent: the values of each field, in the order of the form."""
    return {name: [str(value) for value in values] for name, values in request.POST.lists()}


def parse_number(text: str, digits: int = 9) -> int | None:
    """Return the whole number that a text is; None for anything else, or more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def form_language() -> str:
    """Return the reader's language, if forms are printed in it."""
    language = (get_language() or "en").partition("-")[0]
    return language if language in LANGUAGES else "en"


def file_response(data: str | bytes, media_type: str, name: str) -> HttpResponse:
    """Return a file to be saved under a name."""
    return HttpResponse(data, media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def picture_response(request: HttpRequest, data: bytes, media_type: str, etag: str) -> HttpResponse:
    """Return a picture; nothing but its mark if the browser has it already."""
    same = etag in request.headers.get("If-None-Match", "").split(", ")
    response = HttpResponseNotModified() if same else HttpResponse(data, media_type)
    response["ETag"] = etag
    # Kept by the browser alone, which asks every time whether it still holds.
    response["Cache-Control"] = "private, no-cache"
    # As a document of its own a drawing may do nothing.
    response["X-Content-Type-Options"] = "nosniff"
    return response


def absolute_address(request: HttpRequest, address: str) -> str:
    """Return a whole address, as others can open it."""
    base = settings.CONFIG.address.rstrip("/")
    return base + address if base else request.build_absolute_uri(address)


# How far an address reaches -----------------------------------------------------------------------


HOME_ENDINGS = (".local", ".lan", ".home", ".internal", ".home.arpa", ".localdomain")
"""How names end that only a network's own name server knows (RFC 6762, RFC 8375, and what routers use)."""


class Reach(StrEnum):
    """Where an address can be opened."""

    MACHINE = "machine"
    NETWORK = "network"
    EVERYWHERE = "everywhere"


def reach(address: str) -> Reach:
    """Return how far a whole address (`http://192.168.1.20:8000/…`) reaches, as its host tells.

    A public name can still lead to a machine at home; nobody can tell that from the name.
    """
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return _of_name(host)
    if isinstance(number, ipaddress.IPv6Address):
        number = number.ipv4_mapped or number
    if number.is_loopback or number.is_unspecified:
        return Reach.MACHINE
    return Reach.EVERYWHERE if number.is_global else Reach.NETWORK


def _of_name(host: str) -> Reach:
    if host in ("", "localhost") or host.endswith(".localhost"):
        return Reach.MACHINE
    return Reach.NETWORK if "." not in host or host.endswith(HOME_ENDINGS) else Reach.EVERYWHERE
