"""Who visits: from which network, in which time zone, and in a browser that is known or not."""

from __future__ import annotations

import ipaddress
from datetime import tzinfo
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

if TYPE_CHECKING:
    from laager.web.models import Player


@lru_cache(10_000)
def network_of(address: str) -> str:
    """Return by what limits know a visitor: the IPv4 address, or the first half of the IPv6 address.

    A visitor with one IPv6 address has all with the same first half (/64). Other texts are returned as they are.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, 64), strict=False))


# Time zones ---------------------------------------------------------------------------------------

UTC = "UTC"
_SAME_AS_UTC = frozenset({"Etc/UTC", "Etc/GMT", "Etc/UCT", "Etc/Zulu", "GMT", "UCT", "Zulu"})


@cache
def list_zones() -> tuple[str, ...]:
    """Return the zones to choose from, UTC first, then by name."""
    return (UTC, *sorted(name for name in available_timezones() if "/" in name and name[:4] != "Etc/"))


def check_zone(text: str) -> str:
    """Return the zone that a browser names; "" for anything else."""
    name = UTC if text in _SAME_AS_UTC else text
    return name if name in list_zones() else ""


def zone_of(name: str) -> tzinfo:
    """Return a time zone by its name; the server's own for "", or if there is none of that name."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return timezone.get_default_timezone()


# Known browsers -----------------------------------------------------------------------------------

BROWSER_COOKIE = "known"
BROWSER_SALT = "laager.device"
REMEMBERED_S = 365 * 24 * 60 * 60
"""How long a browser is remembered, in seconds."""


def remember_browser(response: HttpResponse, user: Player) -> None:
    """Let a browser keep that somebody has logged in there."""
    value = signing.dumps(user.username.casefold(), salt=BROWSER_SALT)
    response.set_cookie(
        BROWSER_COOKIE,
        value,
        REMEMBERED_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
        path="/login/",
    )


def is_known_browser(request: HttpRequest, name: str) -> bool:
    """Return True if somebody has logged in to an account in this browser before."""
    try:
        known: object = signing.loads(request.COOKIES.get(BROWSER_COOKIE, ""), salt=BROWSER_SALT, max_age=REMEMBERED_S)
    except signing.BadSignature:
        return False
    return known == name.strip().casefold()
