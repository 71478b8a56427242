"""What every request passes: health, the log, the reader's language and time, refusals as pages."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import DatabaseError, Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.views import defaults

from laager.base import LaagerError, Refusal, RefusedError
from laager.campaign.speech import with_texts_of_card
from laager.web.models import Player
from laager.web.serving import metrics
from laager.web.serving.host import announcements
from laager.web.shared import meters, throttle, visitors
from laager.web.shared.fair_queue import VISIT
from laager.web.shared.http import ACCESS_LOG, API, add_retry_after, address_of, refusal_json, refusal_page
from laager.web.shared.storing import store_if_possible

Handler = Callable[[HttpRequest], HttpResponse]


LOG = logging.getLogger("laager.web")
TOO_MUCH: tuple[tuple[type[Exception], str, str], ...] = (
    (
        TooManyFilesSent,
        f"these are more than {settings.DATA_UPLOAD_MAX_NUMBER_FILES} files",
        "send some of them at a time",
    ),
    (
        TooManyFieldsSent,
        f"this form has more than {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS} fields",
        "send less at a time",
    ),
    (RequestDataTooBig, "this is too large", "send less at a time"),
)
"""What Django refuses before a page is asked: what it raises, what is said, what would be right."""
NO_DATABASE = "the database does not answer properly; try this page again in a moment"
"""What is said when a page cannot be made because of the database."""


class HealthMiddleware:
    """Answers monitoring, whatever host name it uses.

    `/health`: this process answers, and says where the request seems to come from. `/ready`: the database does, too.
    `/metrics`: figures for who has the token (`metrics`).
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or pass the request on."""
        if request.path == "/health":
            return JsonResponse({"health": "good", "from": request.META.get("REMOTE_ADDR", "")})
        if request.path == "/ready":
            return _ready()
        if request.path == metrics.ADDRESS and (figures := metrics.answer_scrape(request)):
            return figures
        return self.get_response(request)


def _ready() -> HttpResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM web_game LIMIT 1")
    except DatabaseError:
        return JsonResponse({"ready": False, "why": "the database does not answer"}, status=503)
    return JsonResponse({"ready": True})


TEXT = re.compile(r"(?:text/(?!event-stream)|image/svg\+xml|application/(?:[a-z.-]+\+)?(?:json|javascript|xml|yaml))")
"""Content types of what gets much smaller when it is compressed, and may wait until it is."""


class CompressionMiddleware(GZipMiddleware):
    """Compresses what is text, styles and scripts included.

    A few random bytes are added to each, so that nobody can guess a secret on a page from how well it compresses
    with what he sent (the BREACH attack); tokens of forms are masked anew on every page.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Take marks of contents as they were before `process_response` made them weak."""
        if (marks := request.META.get("HTTP_IF_NONE_MATCH")) is not None:
            request.META["HTTP_IF_NONE_MATCH"] = marks.replace("W/", "")

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a response if it is text."""
        if request.method == "HEAD" or not TEXT.match(response.get("Content-Type", "")):
            return response
        if response.streaming and response.status_code != 200:
            # Part of a file, or nothing of it.
            return response
        return super().process_response(request, response)


class LogMiddleware:
    """Writes a line for each request: the pattern of its address, never the address itself.

    Addresses name campaigns, and some hold keys; queries hold what was searched for.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, and write down how it went."""
        begun = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - begun
        facts = {
            "method": request.method if request.method in METHODS else "other",
            "route": route_of(request),
            "status": response.status_code,
            "ms": round(1000 * seconds, 1),
        }
        meters.observe_request(metrics.name_of(request.resolver_match), seconds, response.status_code)
        ACCESS_LOG.info("request", extra={"facts": facts})
        return response


class ContentPolicyMiddleware:
    """Tells browsers what a page may load: nothing from elsewhere."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, and add the header."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def route_of(request: HttpRequest) -> str:
    """Return the pattern of a request's address; a dash for an unknown page."""
    match = request.resolver_match
    return "/" + match.route if match else "-"


LIVE_CHECKS = frozenset({"check", "report-check", "report-save", "library-live"})
"""The names of the addresses that pages call by themselves while something is typed or placed."""


class ThrottleMiddleware:
    """Counts what changes something, and what is looked at, up to a number a minute for each person.

    Who isn't logged in is counted by address.

    Requests of programs with a token are counted where the token is looked up (`api.auth`). What
    a request costs is counted with the looks, so that answers can be given when no look is left.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, and count what it cost, here and in other processes."""
        begun = time.thread_time()
        try:
            return self.get_response(request)
        finally:
            who, visit = getattr(request, "counted_for", None), VISIT.get()
            if who is not None:
                elsewhere = visit.seconds if visit else 0.0
                throttle.LOOKS.charge(who, time.thread_time() - begun + elsewhere)

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Count a request; return the refusal if there were too many."""
        looks = request.method in {"GET", "HEAD", "OPTIONS"}
        try:
            if request.user.is_authenticated:
                request.counted_for = request.user.pk  # type: ignore[attr-defined]
                match = request.resolver_match
                live = match is not None and match.url_name in LIVE_CHECKS
                if looks or live:
                    throttle.LOOKS.take(request.user.pk)
                if not looks:
                    (throttle.count_check if live else throttle.count_change)(request.user)
            elif not request.headers.get("Authorization", "").startswith("Bearer "):
                address = address_of(request)
                if not looks:
                    throttle.count_knock(address)
                else:
                    request.counted_for = address  # type: ignore[attr-defined]
                    throttle.LOOKS.take(address)
        except throttle.TooOftenError as err:
            if looks and not request.user.is_authenticated:
                # A page would cost as much as the one that is refused.
                return add_retry_after(
                    HttpResponse(str(err), content_type="text/plain; charset=utf-8", status=429), err
                )
            if request.path.startswith(API):
                return add_retry_after(refusal_json(err), err)
            return refusal_page(request, err)
        except Error:
            # A database that cannot count cannot store either: the page itself says so, and hands
            # back what was typed.
            LOG.warning("a change could not be counted")
        return None


ZONE = "zone"
"""The cookie in which a page's script puts the browser's time zone, for readers who have chosen none."""


FOR_PROGRAMS = "/api/"
"""Where programs ask; they are told in English, whatever their owner reads."""


class ReaderMiddleware:
    """Shows times in the reader's zone and texts in the reader's language.

    Readers who have chosen no zone get the browser's. The account stores it once, and the cookie is gone.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Set both for this request."""
        user = request.user
        language = getattr(user, "language", "") or translation.get_language_from_request(request)
        if request.path.startswith(FOR_PROGRAMS):
            language = settings.LANGUAGE_CODE
        chosen = user.time_zone if user.is_authenticated else ""
        zone = chosen or visitors.check_zone(request.COOKIES.get(ZONE, ""))
        if zone and not chosen and user.is_authenticated:
            with store_if_possible():
                Player.objects.filter(pk=user.pk).update(time_zone=zone)
                user.time_zone = zone
        _note_visit(user)
        with translation.override(language), timezone.override(visitors.zone_of(zone)), with_texts_of_card({}):
            response = self.get_response(request)
        if ZONE in request.COOKIES and user.is_authenticated and user.time_zone:
            response.delete_cookie(ZONE, samesite="Lax")
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        if user.is_authenticated:
            # What one seat may see must not lie in any cache.
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def _note_visit(user: Player | AnonymousUser) -> None:
    """Keep the day on which somebody was last here, once a day. Who is here keeps the account."""
    today = datetime.now(UTC).date()
    if user.is_authenticated and (user.seen != today or user.deletion_on is not None):
        with store_if_possible():
            Player.objects.filter(pk=user.pk).update(seen=today, deletion_on=None)
            user.seen, user.deletion_on = today, None


class RefusalMiddleware:
    """Turns what Laager refuses into a page that says what is wrong and what would be right."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, err: Exception) -> HttpResponse | None:
        """Return the page of a refusal, or of a database that fails; None for any other error."""
        if isinstance(err, Error):
            LOG.error("the database failed", exc_info=err)
            err = RefusedError(Refusal.LOCKED, NO_DATABASE)
            if request.path.startswith(API):
                return refusal_json(err)
        if not isinstance(err, LaagerError):
            return None
        return refusal_page(request, err)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the answer to a request that is too large for Django, or that it doesn't understand (handler400)."""
    for kind, text, right in TOO_MUCH:
        if isinstance(exception, kind):
            refusal = RefusedError(Refusal.BAD_DATA, text, right)
            return refusal_json(refusal) if request.path.startswith(API) else refusal_page(request, refusal)
    return defaults.bad_request(request, exception)


def everywhere(request: HttpRequest) -> dict[str, Any]:
    """Give all templates what they need everywhere."""
    return {
        "languages": settings.LANGUAGES,
        # Called where a whole page shows it; parts of pages don't ask the database for it.
        "announcement": announcements.load_current,
        # A page's script names the browser's time zone if it is asked to.
        "ask_zone": not getattr(getattr(request, "user", None), "time_zone", ""),
        "theme": getattr(request.user, "theme", "") if hasattr(request, "user") else "",
    }
