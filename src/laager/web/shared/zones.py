"""Time zones: those to choose from, and the one in which times are shown to somebody."""

from __future__ import annotations

from datetime import tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

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
