"""How far an address reaches: a link that is sent to somebody must open on that person's machine."""

from __future__ import annotations

import ipaddress
from enum import StrEnum
from urllib.parse import urlsplit

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
