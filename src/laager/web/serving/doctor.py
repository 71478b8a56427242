"""`laager doctor`: examines a server from all sides, the network too, and says what to do about each thing."""

from __future__ import annotations

import os
import platform
import shutil
import smtplib
import socket
import ssl
import subprocess
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from laager.web.serving.config import Config, wake_django
from laager.web.serving.readiness import CHECKS, SECONDS_TO_ANSWER, ServerFinding, is_at_home

LOW_GB, FULL_GB = 2.0, 0.2
"""Free space that is little, and that is too little, in GB."""
MOST_APART = timedelta(seconds=30)
"""How far two clocks may be apart."""
SOON_DAYS = 14
"""Days before its end by which a certificate should have been renewed."""
DAY_S = 86_400
PUSH_SERVICES = ("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com")
"""The push services of the usual browsers, looked at as long as no device has turned notices on."""


Check = Callable[[Config], Iterator[ServerFinding]]


@dataclass(frozen=True)
class DoctorReport:
    """What was found, each with its subject."""

    findings: tuple[tuple[str, ServerFinding], ...]

    @property
    def is_good(self) -> bool:
        """True if nothing is wrong; hints may be left."""
        return all(finding.grade != "wrong" for _, finding in self.findings)

    def describe(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "good": self.is_good,
            "findings": [
                {"about": about, "grade": finding.grade, "text": finding.what, "advice": finding.advice}
                for about, finding in self.findings
            ],
        }

    def lines(self) -> list[str]:
        """Return it in words: a line for each thing, and beneath it what to do."""
        lines = []
        for about, finding in self.findings:
            lines.append(f"{finding.grade:5} {about:11} {finding.what}")
            if finding.advice:
                lines.append(f"{'':17} -> {finding.advice}")
        return lines


def examine(host: str, port: int) -> DoctorReport:
    """Examine the server that would listen at a host and port, with the settings of the environment. Changes nothing.

    Raises DataError for settings that aren't valid.
    """
    config = Config.of(os.environ)
    wake_django()
    checks: dict[str, Check] = {**CHECKS, **OWN_CHECKS, "port": lambda _config: _port(host, port)}
    if config.makes_folder and not config.data.exists():
        checks |= {"data": _no_folder, "key": lambda _config: iter(())}
    if config.sqlite_file is not None and not config.sqlite_file.exists():
        # To connect would make the file.
        checks |= {"database": _no_database, "clock": _follow_time_server, "push": _push_ways}
    return DoctorReport(tuple((about, finding) for about in ORDER for finding in checks[about](config)))


def _versions(_config: Config) -> Iterator[ServerFinding]:
    import sqlite3

    import django

    from laager import __version__

    programs = f"Laager {__version__}, Python {platform.python_version()}, Django {django.__version__}"
    yield ServerFinding("good", f"{programs}, SQLite {sqlite3.sqlite_version}, on {platform.system()}")


def _disk(config: Config) -> Iterator[ServerFinding]:
    place = config.data
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free / 1e9
    sentence = f"{free:.1f} GB are free at {place}"
    if free < FULL_GB:
        yield ServerFinding("wrong", sentence, "make room: soon nothing more can be stored")
    elif free < LOW_GB:
        yield ServerFinding("hint", sentence, "make room, or move old backups away")
    else:
        yield ServerFinding("good", sentence)


def _no_folder(config: Config) -> Iterator[ServerFinding]:
    wrong = f"there is no data folder yet ({config.data})"
    yield ServerFinding("hint", wrong, "laager serve makes it, and a key in it; if there was one, look at LAAGER_DATA")


def _no_database(config: Config) -> Iterator[ServerFinding]:
    wrong = f"there is no database yet ({config.sqlite_file})"
    yield ServerFinding("hint", wrong, "laager serve makes it; if there was one, look at LAAGER_DATA")


def _clock(config: Config) -> Iterator[ServerFinding]:
    """Compare this machine's clock with the database's, and with the times that are stored."""
    from django.db import DatabaseError, connection
    from django.db.models import Max
    from django.utils import timezone

    from laager.web.models import Game

    set_it = "set the clock: timedatectl set-ntp true"
    try:
        newest = Game.objects.aggregate(newest=Max("changed"))["newest"]
        if newest and newest > timezone.now() + MOST_APART:
            yield ServerFinding(
                "wrong", f"the clock is behind: something was stored at {newest:%Y-%m-%d %H:%M} UTC", set_it
            )
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT clock_timestamp()")
                apart = abs(timezone.now() - cursor.fetchone()[0])
            if apart > MOST_APART:
                seconds = f"{apart.total_seconds():.0f} seconds"
                yield ServerFinding("wrong", f"this clock and the database's are {seconds} apart", set_it)
    except DatabaseError:
        # `_database` says so.
        pass
    yield from _follow_time_server(config)


def _follow_time_server(_config: Config) -> Iterator[ServerFinding]:
    """Ask systemd whether the clock is kept right."""
    from django.utils import timezone

    now = f"it is {timezone.now():%Y-%m-%d %H:%M:%S} UTC"
    try:
        answer = subprocess.run(
            ["timedatectl", "show", "--property=NTPSynchronized", "--value"],
            capture_output=True, text=True, timeout=SECONDS_TO_ANSWER, check=False,
        ).stdout.strip()  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        answer = ""
    if answer == "yes":
        yield ServerFinding("good", f"{now}; the clock follows a time server")
    else:
        yield ServerFinding(
            "hint", f"{now}, if this machine's clock is right", "compare it; a time server keeps it right"
        )


def _reach(config: Config) -> Iterator[ServerFinding]:
    """Say what the address of an invitation reaches, and whether its certificate is good."""
    from laager.web.shared.http import Reach, reach

    place = config.address.rstrip("/")
    match reach(place):
        case Reach.NETWORK:
            advice = "for players elsewhere put a tunnel or a proxy with https in front"
            yield ServerFinding("hint", f"an invitation to {place} opens in this network only", advice)
        case Reach.EVERYWHERE:
            yield ServerFinding("good", f"an invitation to {place} opens everywhere, if its name leads here")
        case Reach.MACHINE:
            # The check of the address says so.
            pass
    if place:
        yield from _connect(place)


def _connect(place: str) -> Iterator[ServerFinding]:
    parts = urlsplit(place)
    name, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    try:
        with socket.create_connection((name, port), SECONDS_TO_ANSWER) as line:
            if secure:
                yield _certificate(line, name)
    except socket.gaierror:
        yield ServerFinding("wrong", f"nobody knows the name {name}", "enter it where your domain is kept (DNS)")
    except ssl.SSLError as err:
        reason = getattr(err, "verify_message", "") or err.reason or "no TLS"
        yield ServerFinding(
            "wrong", f"the certificate of {name} isn't good ({reason})", "renew it; see the proxy's log"
        )
    except OSError:
        yield ServerFinding(
            "hint", f"nothing answers at {name}, port {port}", "start the server and its proxy or tunnel"
        )


def _certificate(line: socket.socket, name: str) -> ServerFinding:
    """Return how long a certificate is good. Raises ssl.SSLError, OSError."""
    import time

    with ssl.create_default_context().wrap_socket(line, server_hostname=name) as secure:
        end = str((secure.getpeercert() or {})["notAfter"])
    days = int((ssl.cert_time_to_seconds(end) - time.time()) // DAY_S)
    sentence = f"the certificate of {name} is good for {days} more days"
    if days < SOON_DAYS:
        return ServerFinding("hint", sentence, "see why the proxy hasn't renewed it")
    return ServerFinding("good", sentence)


def _port(host: str, port: int) -> Iterator[ServerFinding]:
    import httpx

    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    try:
        answer = httpx.get(f"http://{name}:{port}/health", timeout=SECONDS_TO_ANSWER, trust_env=False)
        if answer.json()["health"] == "good":
            yield ServerFinding("good", f"Laager answers on {host}, port {port}")
            return
    except (httpx.ConnectError, httpx.ConnectTimeout):
        yield ServerFinding("hint", f"nothing listens on {host}, port {port}", "start it: laager serve")
        return
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        pass
    wrong = f"another program answers on {host}, port {port}"
    yield ServerFinding("wrong", wrong, "end it, or choose another port: laager serve --port")


def _mail_server(config: Config) -> Iterator[ServerFinding]:
    """Log in to the mail server; no mail is sent."""
    from django.core.mail import get_connection

    yield from CHECKS["mail"](config)
    if not config.smtp_host:
        return
    try:
        line = get_connection("django.core.mail.backends.smtp.EmailBackend", timeout=SECONDS_TO_ANSWER)
        line.open()
        line.close()
    except smtplib.SMTPAuthenticationError:
        wrong, advice = "doesn't take the login", "look at LAAGER_SMTP_USER and LAAGER_SMTP_PASSWORD"
    except smtplib.SMTPNotSupportedError:
        wrong, advice = "has no STARTTLS or no login", "look at LAAGER_SMTP_PORT (587), or set LAAGER_SMTP_TLS=no"
    except ssl.SSLError:
        wrong, advice = "has no good certificate", "is LAAGER_SMTP_HOST the name in it?"
    except socket.gaierror:
        wrong, advice = "has a name that nobody knows", "look at LAAGER_SMTP_HOST"
    except (OSError, smtplib.SMTPException) as err:
        wrong, advice = (
            f"doesn't answer ({type(err).__name__})",
            "look at LAAGER_SMTP_HOST, LAAGER_SMTP_PORT, the firewall",
        )
    else:
        yield ServerFinding("good", "the mail server lets us in")
        if config.mail_from.endswith("@localhost"):
            yield ServerFinding("hint", f"mails come from {config.mail_from}", "set LAAGER_MAIL_FROM to a real address")
        return
    yield ServerFinding("wrong", f"the mail server {wrong}", advice)


def _push(config: Config) -> Iterator[ServerFinding]:
    """Look at what notices on devices need: the key, and what `_push_ways` looks at. Nothing is sent."""
    from django.db import DatabaseError

    from laager.web.models import Device, PushKey

    services: set[str] = set()
    try:
        if PushKey.objects.exists():
            yield ServerFinding("good", "the key that signs notices on devices is in the database")
        else:
            yield ServerFinding("hint", "there is no key yet to sign notices on devices with", "laager serve makes it")
        services = {urlsplit(endpoint).netloc for endpoint in Device.objects.values_list("endpoint", flat=True)}
    except DatabaseError:
        # `_database` says so.
        pass
    yield from _push_ways(config, services)


def _push_ways(config: Config, services: Collection[str] = ()) -> Iterator[ServerFinding]:
    """Say whether browsers may show notices, and whether the push services can be reached: those that are used."""
    secure = urlsplit(config.address).scheme == "https"
    if not secure and not is_at_home(config):
        yield ServerFinding(
            "hint", "devices show notices only over https, so none can turn them on", "put a proxy with https in front"
        )
    if not secure and config.mail_from.endswith("@localhost"):
        yield ServerFinding(
            "hint",
            "push services learn no address to complain to, and Apple's wants one",
            "set LAAGER_MAIL_FROM to a real address, or LAAGER_ADDRESS to one with https",
        )
    asked = sorted(services or PUSH_SERVICES)
    with ThreadPoolExecutor(len(asked)) as pool:
        away = [name for name, is_there in zip(asked, pool.map(_takes_calls, asked), strict=True) if not is_there]
    if away:
        yield ServerFinding(
            "hint",
            f"these push services can't be reached: {', '.join(away)}",
            "let this machine connect to them (port 443); mails and webhooks come without them",
        )
    else:
        yield ServerFinding("good", f"the push services can be reached: {', '.join(asked)}")


def _takes_calls(place: str) -> bool:
    """Return True if a push service takes connections; its name may have a port with it."""
    try:
        parts = urlsplit(f"//{place}")
        socket.create_connection((parts.hostname or "", parts.port or 443), SECONDS_TO_ANSWER).close()
    except (OSError, ValueError):
        return False
    return True


OWN_CHECKS: Mapping[str, Check] = {
    "versions": _versions,
    "disk": _disk,
    "clock": _clock,
    "invitations": _reach,
    "mail": _mail_server,
    "push": _push,
}
ORDER = (
    *("versions", "disk", "data", "key", "database", "clock", "port"),
    *("address", "invitations", "proxies", "mail", "push", "backup"),
)
"""The subjects in the order in which they are told."""
