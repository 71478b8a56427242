"""Posts to receivers that players or their browsers name, and to no place that only this machine can reach.

Whoever names an address could name one behind the server's own firewall. So the name is looked up once, each of its
addresses must be on the public internet or in a network that the settings allow (`LAAGER_WEBHOOK_NETWORKS`), and the
connection goes to an address that was checked: what the name means a moment later doesn't count. Redirects aren't
followed, proxies of the environment aren't asked, and only the beginning of an answer is read.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError
from laager.web.models import Outgoing

if TYPE_CHECKING:
    import httpx

PATIENCE_S = 10.0
"""Seconds for everything: look-up, connection, answer."""
ANSWER_BYTES = 2048
"""Most that is read of an answer."""
ANSWER_CHARS = 200
"""Most that is kept of an answer."""
MOST_ADDRESSES = 3
"""Most addresses of one name that are tried."""
NOT_FOR_VISITORS = (ip_network("168.63.129.16/32"), ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
"""Addresses that count as public but lead behind the firewall: a cloud's own services, and translated ones."""

Trouble = Outgoing.Trouble


@dataclass(frozen=True)
class Delivery:
    """How a post went: "" and the receiver's answer, or the trouble."""

    trouble: str = ""
    status: int = 0
    answer: str = ""


@dataclass(frozen=True)
class Post:
    """What is to be posted where."""

    url: str
    body: bytes
    headers: Mapping[str, str]


def check_url(text: str, networks: Iterable[str], longest: int = 500) -> str:
    """Return the address of a receiver as it is kept. Raises RefusedError, but doesn't look its name up."""
    import httpx

    right = "https://discord.com/api/webhooks/…, or the address of your own program"
    if len(text) > longest:
        raise RefusedError(Refusal.BAD_ANSWER, f"the address is longer than {longest} characters")
    try:
        url = httpx.URL(text.strip())
        known = url.scheme in {"http", "https"} and url.host and (url.port is None or 0 < url.port < 1 << 16)
    except (httpx.InvalidURL, UnicodeError, ValueError):
        known = False
    if not known:
        raise RefusedError(Refusal.BAD_ANSWER, "this isn't the address of a receiver", right)
    if url.userinfo:
        raise RefusedError(Refusal.BAD_ANSWER, "the address can't have a user's name or password in it", right)
    try:
        literal = ip_address(url.host)
    except ValueError:
        literal = None
    trouble = _address_trouble(url.scheme, str(literal), networks) if literal else None
    if trouble:
        raise RefusedError(Refusal.BAD_ANSWER, str(trouble.label))
    return str(url.copy_with(fragment=None))


def deliver(posts: Sequence[Post], networks: Iterable[str]) -> list[Delivery]:
    """Post everything at once, and wait until each has its answer or its time is over. Not for a running event loop."""
    return asyncio.run(_deliver_all(posts, tuple(networks)))


@cache
def _load_certificates() -> ssl.SSLContext:
    """Return whose certificates are believed. To read them all takes 20 ms: each process does it once."""
    import httpx

    return httpx.create_ssl_context()


async def _deliver_all(posts: Sequence[Post], networks: Sequence[str]) -> list[Delivery]:
    return await asyncio.gather(*(_deliver_in_time(post, networks) for post in posts))


async def _deliver_in_time(post: Post, networks: Sequence[str]) -> Delivery:
    import httpx

    try:
        async with asyncio.timeout(PATIENCE_S):
            return await _deliver(post, networks)
    except (TimeoutError, httpx.TimeoutException):
        return Delivery(Trouble.TOO_SLOW)
    except httpx.HTTPError as err:
        return Delivery(Trouble.CERTIFICATE if _is_about_certificate(err) else Trouble.NO_CONNECTION)
    except (httpx.InvalidURL, OSError, UnicodeError, ValueError):
        return Delivery(Trouble.NO_ADDRESS)


async def _deliver(post: Post, networks: Sequence[str]) -> Delivery:
    import httpx

    url = httpx.URL(post.url)
    host = url.raw_host.decode("ascii")
    addresses = await look_up(host, url.port or (443 if url.scheme == "https" else 80))
    for address in addresses:
        if trouble := _address_trouble(url.scheme, address, networks):
            return Delivery(trouble)
    # A client for each: no connection to an address is used again for another name.
    async with httpx.AsyncClient(trust_env=False, verify=_load_certificates(), timeout=PATIENCE_S / 2) as client:
        for address in addresses[:MOST_ADDRESSES]:
            request = httpx.Request(
                "POST",
                url.copy_with(host=address),
                headers={**post.headers, "Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity"},
                content=post.body,
                # The certificate must be that of the name.
                extensions={"sni_hostname": host, "timeout": httpx.Timeout(PATIENCE_S / 2).as_dict()},
            )
            try:
                return await _read_answer(await client.send(request, stream=True, follow_redirects=False))
            except httpx.ConnectError as err:
                if address == addresses[:MOST_ADDRESSES][-1] or _is_about_certificate(err):
                    raise
    return Delivery(Trouble.NO_ADDRESS)


async def _read_answer(response: httpx.Response) -> Delivery:
    beginning = b""
    try:
        async for chunk in response.aiter_raw(ANSWER_BYTES):
            beginning += chunk
            if len(beginning) >= ANSWER_BYTES:
                break
    finally:
        await response.aclose()
    status = response.status_code
    answer = _printable(beginning[:ANSWER_BYTES].decode("utf-8", "replace"))
    if response.is_success:
        return Delivery("", status, answer)
    return Delivery(Trouble.REDIRECT if response.is_redirect else Trouble.ANSWER, status, answer)


async def look_up(host: str, port: int) -> list[str]:
    """Return the addresses of a name. Raises OSError if it has none."""
    entries = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in entries))


def _address_trouble(scheme: str, address: str, networks: Iterable[str]) -> Outgoing.Trouble | None:
    """Return why nothing is posted to an address, or None."""
    ip = _reached_by(ip_address(address))
    if any(ip in ip_network(network, strict=False) for network in networks):
        return None
    if not ip.is_global or ip.is_multicast or ip.is_reserved or any(ip in each for each in NOT_FOR_VISITORS):
        return Trouble.NOT_PUBLIC
    return Trouble.NOT_ENCRYPTED if scheme != "https" else None


def _reached_by(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the address that a connection would reach: some of IPv6 have one of IPv4 in them."""
    if isinstance(ip, IPv6Address):
        return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else ip)
    return ip


def _is_about_certificate(err: BaseException | None) -> bool:
    while err is not None:
        if isinstance(err, ssl.SSLCertVerificationError):
            return True
        err = err.__cause__ or err.__context__
    return False


def _printable(text: str) -> str:
    """Return text from elsewhere on one line, without what isn't to be seen."""
    seen = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    return " ".join(seen.split())[:ANSWER_CHARS]
