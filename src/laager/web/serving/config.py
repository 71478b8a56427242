"""What can be set from outside, read once from the environment."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, unquote, urlsplit
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from laager.base import DataError, Problem, disk
from laager.base.extras import advice
from laager.base.schema_words import explain

KEY_FILE = "secret-key"
SHORTEST_TOKEN = 20
"""Shortest token for `/metrics`, in characters."""


def default_data(environ: Mapping[str, str]) -> Path:
    """Return the folder that the XDG rules give a program's data."""
    base = environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "laager"


class Config(BaseModel):
    """The settings of a server. Every field is the variable `LAAGER_<FIELD>`.

    `database_url` is `DATABASE_URL`, as hosts name it. Of `hosts`, `origins`,
    `old_secret_keys` and `webhook_networks` several are parted by commas. `given_key` tells whether the key came from
    outside.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: Path
    database_url: str = ""
    secret_key: str = ""
    old_secret_keys: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    origins: tuple[str, ...] = ()
    https: bool = False
    registration: bool = False
    smtp_host: str = ""
    smtp_port: int = 587
    smtp_user: str = ""
    smtp_password: str = ""
    smtp_tls: bool = True
    mail_from: str = "laager@localhost"
    address: str = ""
    login_tries: int = 10
    writes_a_minute: int = 120
    reads_a_minute: int = Field(default=1200, ge=60)
    proxies: str = "127.0.0.1"
    workers: int = Field(default=1, ge=1, le=64)
    at_once: int = Field(default=16, ge=1, le=1000)
    campaigns_megabytes: int = Field(default=256, ge=16)
    heavy_at_once: int = Field(default=2, ge=1, le=64)
    heavy_seconds: int = Field(default=60, ge=1, le=3600)
    heavy_megabytes: int = Field(default=1024, ge=128)
    simulated_campaigns: int = Field(default=5000, ge=0)
    boards: str = ""
    time_zone: str = "UTC"
    webhook_networks: tuple[str, ...] = ()
    metrics_token: str = ""
    given_key: bool = Field(default=False, exclude=True)

    @field_validator("boards")
    @classmethod
    def _is_folder(cls, value: str) -> str:
        if value and not Path(value).expanduser().is_dir():
            raise ValueError("this folder doesn't exist")
        return value

    @field_validator("time_zone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError):
            raise ValueError("this time zone doesn't exist; write it as Europe/Berlin") from None
        return value

    @field_validator("metrics_token")
    @classmethod
    def _is_long(cls, value: str) -> str:
        if value and len(value) < SHORTEST_TOKEN:
            raise ValueError(f"this can be guessed; take {SHORTEST_TOKEN} random characters or more")
        return value

    @field_validator("webhook_networks")
    @classmethod
    def _are_networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for network in value:
            try:
                ip_network(network, strict=False)
            except ValueError:
                raise ValueError("this isn't a network; write it as 192.168.1.0/24 or 192.168.1.5") from None
        return value

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Self:
        """Read the environment. Raises DataError naming each variable that isn't valid."""
        given: dict[str, Any] = {
            name: environ[f"LAAGER_{name.upper()}"]
            for name in cls.model_fields
            if name not in {"database_url", "given_key"} and environ.get(f"LAAGER_{name.upper()}")
        }
        for name in ("hosts", "origins", "old_secret_keys", "webhook_networks"):
            if name in given:
                given[name] = tuple(part.strip() for part in given[name].split(",") if part.strip())
        data = Path(given.get("data") or default_data(environ)).expanduser()
        given["data"] = data
        given["database_url"] = environ.get("DATABASE_URL") or sqlite_url(data)
        given["given_key"] = "secret_key" in given
        given.setdefault("secret_key", _kept_key(data))
        _name_own_host(given)
        problems = [*_problem_of_database(given["database_url"])]
        try:
            config = cls.model_validate(given)
        except ValidationError as err:
            problems += [
                Problem(*explain(wrong), f"LAAGER_{str(wrong['loc'][0]).upper()}")
                for wrong in err.errors(include_url=False)
            ]
        if problems:
            raise DataError(problems) from None
        return config

    @property
    def makes_folder(self) -> bool:
        """True if the server needs a folder of its own: for SQLite, or to keep its key in."""
        return not self.given_key or self.database_url.startswith("sqlite")

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the database; None if that is PostgreSQL."""
        parts = urlsplit(self.database_url)
        return Path(unquote(parts.path.removeprefix("/"))) if parts.scheme == "sqlite" else None

    @property
    def logging(self) -> dict[str, Any]:
        """How the server logs: one JSON object a line, without anything secret."""
        return {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"json": {"()": "laager.web.serving.logs.JsonLines"}},
            "handlers": {
                "out": {"class": "logging.StreamHandler", "formatter": "json"},
                "errors": {"()": "laager.web.serving.errors.ErrorCounter", "level": "ERROR"},
            },
            "root": {"handlers": ["out", "errors"], "level": "WARNING"},
            "loggers": {
                "laager": {"level": "INFO"},
                "django.request": {"level": "ERROR"},
                "django.security.DisallowedHost": {"level": "CRITICAL"},
                "uvicorn.error": {"level": "INFO"},
            },
        }


def _name_own_host(given: dict[str, Any]) -> None:
    """Let the server answer to the name in its own address, besides the names that are set."""
    try:
        name = urlsplit(given.get("address") or "").hostname
    except ValueError:
        return
    hosts = given.get("hosts") or Config.model_fields["hosts"].default
    if name and name not in hosts:
        given["hosts"] = (*hosts, f"[{name}]" if ":" in name else name)


def sqlite_url(data: Path) -> str:
    """Return the URL of the database that lies in a data folder."""
    return f"sqlite:///{quote(str((data / 'laager.sqlite3').absolute()))}"


def _problem_of_database(url: str) -> Iterator[Problem]:
    """Tell what is wrong with a database's address, without the password that it may hold."""
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        scheme = ""
    if scheme not in {"sqlite", "postgresql", "postgres"}:
        yield Problem(
            "the server can't use this database",
            field="DATABASE_URL",
            right="postgresql://user:password@host/name, or nothing for SQLite",
        )
    elif scheme != "sqlite" and not find_spec("psycopg"):
        yield Problem(
            "PostgreSQL needs a part of Laager that isn't installed here", advice("postgresql"), "DATABASE_URL"
        )


def _kept_key(data: Path) -> str:
    """Return the key that the data folder keeps; one for this process alone if it has none."""
    try:
        return (data / KEY_FILE).read_text(encoding="ascii").strip()
    except OSError:
        return secrets.token_urlsafe(48)


def keep_key(data: Path) -> None:
    """Make a data folder's key if it has none, readable by its owner alone."""
    with suppress(FileExistsError):
        disk.write_private(data / KEY_FILE, secrets.token_urlsafe(48))


def wake_django() -> None:
    """Let Django read the settings from the environment, for a process that the server didn't start."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "laager.web.serving.settings"
    import django

    django.setup()
