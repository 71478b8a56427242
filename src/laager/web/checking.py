"""`laager serve --check`: checks that the server has everything it needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from laager.base import disk
from laager.web.config import KEY_FILE

if TYPE_CHECKING:
    from laager.web.config import Config


@dataclass(frozen=True)
class Finding:
    """Something that was looked at. `grade` is `good`, `hint` or `wrong`."""

    grade: str
    text: str


def findings(config: Config) -> Iterator[Finding]:
    """Look at everything and change nothing (but the data folder and its key, if missing)."""
    yield Finding("good", "the settings can be read")
    yield from _folder(config)
    yield from _key(config)
    yield from _database(config)
    yield from _address(config)
    yield from _mail(config)


def _folder(config: Config) -> Iterator[Finding]:
    if not config.makes_folder:
        return
    if os.access(config.data, os.W_OK | os.X_OK):
        yield Finding("good", f"the data folder {config.data} can be written")
    else:
        yield Finding("wrong", f"the data folder {config.data} cannot be written; set LAAGER_DATA")


def _key(config: Config) -> Iterator[Finding]:
    file = config.data / KEY_FILE
    if config.given_key:
        if len(config.secret_key) < 40:
            yield Finding("wrong", "LAAGER_SECRET_KEY is too short; take 50 random characters")
        else:
            yield Finding("good", "the key comes from LAAGER_SECRET_KEY")
        return
    if file.exists() and disk.open_to_others(file):
        yield Finding("wrong", f"others can read the key in {file}; chmod 600 it")
    else:
        yield Finding("good", f"the key is kept in {file}")
    if not config.database_url.startswith("sqlite"):
        yield Finding("hint", "several machines need one key in common: set LAAGER_SECRET_KEY")


def _database(config: Config) -> Iterator[Finding]:
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as err:
        # The error's text may quote the address of the database with its password.
        yield Finding("wrong", f"the database doesn't answer ({type(err).__name__}); look at DATABASE_URL")
        return
    yield Finding("good", f"the database answers ({connection.vendor})")
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        yield Finding("hint", f"{len(missing)} migrations are missing; laager serve carries them out")
    else:
        yield Finding("good", "the database is up to date")
        yield from _owner()
        yield from _seals()
    if connection.vendor == "sqlite" and config.workers > 1:
        yield Finding("hint", "several workers on SQLite wait for one another; PostgreSQL is better")


def _owner() -> Iterator[Finding]:
    from laager.web.services.people import members

    if not members.has_owner():
        yield Finding("hint", "nobody owns the server yet; laager serve prints a link for the owner")


def _seals() -> Iterator[Finding]:
    from laager.web.services.play import store

    closed = store.closed_seals()
    if closed:
        yield Finding(
            "wrong",
            f"{closed} campaigns are sealed with a key that the server does not have; "
            "put it into LAAGER_OLD_SECRET_KEYS",
        )


def _address(config: Config) -> Iterator[Finding]:
    parts = urlsplit(config.address)
    outside = parts.hostname not in {None, "localhost", "127.0.0.1", "::1"}
    if not outside:
        yield Finding("hint", "only this machine can open the pages; LAAGER_ADDRESS names another")
    if "*" in config.hosts:
        yield Finding("wrong", "LAAGER_HOSTS is *: anybody could send mails with false links")
    if outside and parts.scheme != "https":
        yield Finding("hint", "the address is not https: passwords travel in clear")
    if parts.scheme == "https" and not config.https:
        yield Finding("wrong", "the address is https, but LAAGER_HTTPS is not set: cookies are lax")
    if config.https and parts.scheme != "https":
        yield Finding("wrong", "LAAGER_HTTPS is set, but LAAGER_ADDRESS is not https: no login")
    elif config.https:
        yield Finding("good", f"served as {config.address}, cookies only over https")


def _mail(config: Config) -> Iterator[Finding]:
    if config.smtp_host:
        yield Finding("good", f"mails go through {config.smtp_host}, port {config.smtp_port}")
    else:
        yield Finding("hint", "mails are only printed; set LAAGER_SMTP_HOST to send them")
