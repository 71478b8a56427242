"""Where visitors come from, as far as limits care."""

from __future__ import annotations

import ipaddress
from functools import lru_cache


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
