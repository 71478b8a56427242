"""What every request passes: the reader's language and time, and refusals as pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from laager.base import DataError, LaagerError, Refusal

Handler = Callable[[HttpRequest], HttpResponse]

STATUS = {
    Refusal.NO_SUCH: 404,
    Refusal.NOT_YOURS: 403,
    Refusal.STALE: 409,
    Refusal.NOT_ASKED: 409,
    Refusal.NEEDS_CONSENT: 409,
    Refusal.OVER: 409,
    Refusal.LOCKED: 503,
    Refusal.BROKEN_LOG: 503,
    Refusal.BAD_ANSWER: 422,
    Refusal.BAD_DATA: 422,
}
"""The HTTP status of each refusal, for pages and API."""


class ReaderMiddleware:
    """Shows times in the reader's zone and texts in the reader's language."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Set both for this request."""
        user = request.user
        language = getattr(user, "language", "") or translation.get_language_from_request(request)
        zone = getattr(user, "time_zone", "") or "UTC"
        with translation.override(language), timezone.override(_zone(zone)):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        if user.is_authenticated:
            # What one seat may see must not lie in any cache.
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


class RefusalMiddleware:
    """Turns what Laager refuses into a page that says what is wrong and what would be right."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, err: Exception) -> HttpResponse | None:
        """Return the page of a refusal; None for any other error."""
        if not isinstance(err, LaagerError):
            return None
        problems = err.problems if isinstance(err, DataError) else ()
        context = {"refusal": err, "problems": problems, "heading": getattr(err, "heading", "")}
        part = getattr(request, "htmx", False)
        template = "laager/refused_part.html" if part else "laager/refused.html"
        return render(request, template, context, status=STATUS[err.code])


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """Give all templates what they need everywhere."""
    return {
        "languages": settings.LANGUAGES,
        "theme": getattr(request.user, "theme", "") if hasattr(request, "user") else "",
    }
