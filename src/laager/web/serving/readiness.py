"""`laager serve --check`: checks that the server has everything it needs."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from laager.base import disk
from laager.web.serving.config import KEY_FILE

if TYPE_CHECKING:
    from laager.web.serving.config import Config

OLD_BACKUP_HOURS = 48
"""How old the last backup may be, in hours."""
SECONDS_TO_ANSWER = 5.0
"""How long the server may take to answer at its own address, in seconds."""


@dataclass(frozen=True)
class ServerFinding:
    """Something that was looked at. `grade` is `good`, `hint` or `wrong`; `advice` says what to do, if anything."""

    grade: str
    what: str
    advice: str = ""

    @property
    def text(self) -> str:
        """It in one sentence."""
        return f"{self.what}; {self.advice}" if self.advice else self.what


def findings(config: Config) -> Iterator[ServerFinding]:
    """Look at everything and change nothing (but the data folder and its key, if missing)."""
    yield ServerFinding("good", "the settings can be read")
    for check in CHECKS.values():
        yield from check(config)


def _folder(config: Config) -> Iterator[ServerFinding]:
    if not config.makes_folder:
        return
    if os.access(config.data, os.W_OK | os.X_OK):
        yield ServerFinding("good", f"the data folder {config.data} can be written")
    else:
        yield ServerFinding("wrong", f"the data folder {config.data} cannot be written", "set LAAGER_DATA")


def _key(config: Config) -> Iterator[ServerFinding]:
    file = config.data / KEY_FILE
    if config.given_key:
        if len(config.secret_key) < 40:
            yield ServerFinding("wrong", "LAAGER_SECRET_KEY is too short", "take 50 random characters")
        else:
            yield ServerFinding("good", "the key comes from LAAGER_SECRET_KEY")
        return
    if file.exists() and disk.open_to_others(file):
        yield ServerFinding("wrong", f"others can read the key in {file}", "chmod 600 it")
    else:
        yield ServerFinding("good", f"the key is kept in {file}")
    if not config.database_url.startswith("sqlite"):
        yield ServerFinding("hint", "several machines need one key in common", "set LAAGER_SECRET_KEY")


def _database(config: Config) -> Iterator[ServerFinding]:
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as err:
        # The error's text may quote the address of the database with its password.
        yield ServerFinding("wrong", f"the database doesn't answer ({type(err).__name__})", "look at DATABASE_URL")
        return
    yield ServerFinding("good", f"the database answers ({connection.vendor})")
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        yield ServerFinding("hint", f"{len(missing)} migrations are missing", "laager serve carries them out")
    else:
        yield ServerFinding("good", "the database is up to date")
        yield from _owner()
        yield from _seals()
    if connection.vendor == "sqlite" and config.workers > 1:
        yield ServerFinding("hint", "several workers on SQLite wait for one another", "PostgreSQL is better")


def _owner() -> Iterator[ServerFinding]:
    from laager.web.seats import members

    if not members.has_owner():
        yield ServerFinding("hint", "nobody owns the server yet", "laager serve prints a link for the owner")


def _seals() -> Iterator[ServerFinding]:
    from laager.web.campaigns import store

    closed = store.closed_seals()
    if closed:
        yield ServerFinding(
            "wrong",
            f"{closed} campaigns are sealed with a key that the server does not have",
            "put it into LAAGER_OLD_SECRET_KEYS",
        )


def _visitors(config: Config) -> Iterator[ServerFinding]:
    """Ask the running server where a request seems to come from that takes the way of other people's."""
    import httpx

    if is_at_home(config):
        return
    place = config.address.rstrip("/")
    try:
        address = httpx.get(f"{place}/health", timeout=SECONDS_TO_ANSWER).json()["from"]
        seen = ipaddress.ip_address(address)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        yield ServerFinding("hint", f"no Laager answers at {place} now", "check again while it serves")
        return
    if seen.is_global:
        yield ServerFinding("good", f"a request to {place} seems to come from {seen}")
    else:
        yield ServerFinding(
            "hint",
            f"a request to {place} seems to come from {seen}",
            "if that is your proxy, put it into LAAGER_PROXIES: all visitors count as one",
        )


def is_at_home(config: Config) -> bool:
    """Return True if only this machine can open the pages."""
    return urlsplit(config.address).hostname in {None, "localhost", "127.0.0.1", "::1"}


def _address(config: Config) -> Iterator[ServerFinding]:
    parts = urlsplit(config.address)
    outside = not is_at_home(config)
    if not outside:
        yield ServerFinding("hint", "only this machine can open the pages", "LAAGER_ADDRESS names another")
    if "*" in config.hosts:
        yield ServerFinding("wrong", "LAAGER_HOSTS is *: anybody could send mails with false links", "list your names")
    if outside and parts.scheme != "https":
        yield ServerFinding(
            "hint", "the address is not https: passwords travel in clear", "put a proxy with https in front"
        )
    if parts.scheme == "https" and not config.https:
        yield ServerFinding(
            "wrong", "the address is https, but LAAGER_HTTPS is not set: cookies are lax", "set it to yes"
        )
    if config.https and parts.scheme != "https":
        yield ServerFinding("wrong", "LAAGER_HTTPS is set, but LAAGER_ADDRESS is not https: no login", "change one")
    elif config.https:
        yield ServerFinding("good", f"served as {config.address}, cookies only over https")


def _mail(config: Config) -> Iterator[ServerFinding]:
    if config.smtp_host:
        yield ServerFinding("good", f"mails go through {config.smtp_host}, port {config.smtp_port}")
    else:
        yield ServerFinding("hint", "mails are only printed", "set LAAGER_SMTP_HOST to send them")


def _backup(config: Config) -> Iterator[ServerFinding]:
    from laager.web.serving.backup.last import last_backup

    last = last_backup(config)
    if last is None:
        yield ServerFinding("hint", "no backup was made here yet", "laager backup FOLDER makes one")
        return
    text = f"the last good backup is of {last.made:%Y-%m-%d %H:%M} UTC: {last.file}"
    if not last.is_there:
        yield ServerFinding("hint", f"{text}, which isn't there any more", "make another if it lies nowhere else")
    elif last.age_hours > OLD_BACKUP_HOURS:
        yield ServerFinding("hint", text, "make one each day, as deploy/laager-backup.timer does")
    else:
        yield ServerFinding("good", text)


CHECKS: Mapping[str, Callable[[Config], Iterator[ServerFinding]]] = {
    "data": _folder,
    "key": _key,
    "database": _database,
    "address": _address,
    "proxies": _visitors,
    "mail": _mail,
    "backup": _backup,
}
"""What is looked at, by its subject."""
