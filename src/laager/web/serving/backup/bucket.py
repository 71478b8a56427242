"""A bucket in which backups lie, at Amazon or any server that speaks S3, by the extra `s3`.

Keys come from the environment that S3's programs have in common (`AWS_ACCESS_KEY_ID` and so on). What the library says
of an error may quote what was sent, so our own words stand instead of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.extras import extra

if TYPE_CHECKING:
    from pathlib import Path

SCHEME = "s3://"
NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
OTHER_KEYS = (
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
)
"""Where a cluster's machinery says how to get keys."""
ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
RIGHT_ADDRESS = "write it as s3://bucket or s3://bucket/folder"
RIGHT_ENDPOINT = "write it as https://s3.example.org"
STATUS = re.compile(r"status code: (\d{3})")
"""Finds the HTTP status in what the library says of an error."""
CLIENT: Any = {"connect_timeout": timedelta(seconds=10), "timeout": timedelta(minutes=10)}
RETRIES: Any = {"max_retries": 3, "retry_timeout": timedelta(minutes=2)}


@dataclass(frozen=True)
class Bucket:
    """A bucket at a server, and the part of it in which something lies."""

    name: str
    path: str
    """The folder or file, without slashes around it; "" for the bucket itself."""
    endpoint: str
    store: Any

    @classmethod
    def open(cls, address: str, endpoint: str | None, environ: Mapping[str, str] = os.environ) -> Self:
        """Open what an address such as `s3://bucket/folder` names; nothing is sent yet.

        `endpoint` is the server's address, before the environment's. Raises DataError for addresses and RefusedError
        if there are no keys or the extra isn't installed.
        """
        name, _slash, path = address.removeprefix(SCHEME).partition("/")
        if not NAME.fullmatch(name) or set("?#@") & set(address):
            # It may have a password in it.
            raise DataError([Problem("this isn't the address of a bucket", RIGHT_ADDRESS)])
        server = endpoint or next((environ[key] for key in ENDPOINTS if environ.get(key)), "")
        _check_endpoint(server)
        if not all(map(environ.get, KEYS)) and not any(map(environ.get, OTHER_KEYS)):
            raise RefusedError(Refusal.NO_SUCH, "there are no keys for the bucket", f"set {' and '.join(KEYS)}")
        with extra("s3"):
            from obstore.exceptions import BaseError
            from obstore.store import S3Store
        more = {"aws_endpoint_url_s3": server, "client_options": CLIENT | {"allow_http": server.startswith("http://")}}
        try:
            store = S3Store(name, retry_config=RETRIES, **(more if server else {"client_options": CLIENT}))
        except BaseError:
            raise RefusedError(
                Refusal.BAD_DATA, "a setting of S3 isn't valid", "look at the variables that begin with AWS_"
            ) from None
        return cls(name, path.strip("/"), server.rstrip("/"), store)

    @property
    def address(self) -> str:
        """Its address, as it is typed."""
        return f"{SCHEME}{self.name}/{self.path}".rstrip("/")

    def file_names(self) -> list[str]:
        """Return the names of the files of its folder, sorted."""
        from obstore import list_with_delimiter

        with self._answering(f"there is no bucket {self.name}{self._where}", "make it first"):
            listed = list_with_delimiter(self.store, self.path or None)
        return sorted(str(entry["path"]).rpartition("/")[2] for entry in listed["objects"])

    def upload(self, source: Path, name: str) -> None:
        """Put a file into the folder, and look whether it is whole there."""
        import obstore

        with self._answering(f"there is no bucket {self.name}{self._where}", "make it first"):
            obstore.put(self.store, self._key(name), source)
            size = int(obstore.head(self.store, self._key(name))["size"])
        if size != source.stat().st_size:
            raise RefusedError(Refusal.LOCKED, f"{self.address}/{name} arrived incomplete", "try again")

    def download(self, target: Path) -> None:
        """Write what its address names into a file."""
        import obstore

        with self._answering(f"there is no file {self.address}{self._where}", "look into the bucket"):
            parts = obstore.get(self.store, self.path)
            with target.open("wb") as out:
                for part in parts:
                    out.write(part)

    def remove(self, name: str) -> None:
        """Remove a file of the folder."""
        import obstore

        with self._answering(f"there is no file {self.address}/{name}{self._where}", "look into the bucket"):
            obstore.delete(self.store, self._key(name))

    def _key(self, name: str) -> str:
        return f"{self.path}/{name}".lstrip("/")

    @property
    def _where(self) -> str:
        return f" at {self.endpoint}" if self.endpoint else ""

    @contextmanager
    def _answering(self, missing: str, right: str) -> Iterator[None]:
        """Say in our own words what a server refuses. Raises RefusedError."""
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, FileNotFoundError, PermissionError) as err:
            # Of some requests its kind doesn't say which status came.
            status = STATUS.search(str(err))
            raise self._refusal(int(status[1]) if status else 0, missing, right) from None

    def _refusal(self, status: int, missing: str, right: str) -> RefusedError:
        """Return what is wrong when a server answers with a status; 0: it doesn't answer."""
        server = self.endpoint or "Amazon S3"
        if status == HTTPStatus.NOT_FOUND:
            return RefusedError(Refusal.NO_SUCH, missing, right)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            wrong = f"the keys don't open the bucket {self.name}{self._where}"
            return RefusedError(Refusal.NOT_YOURS, wrong, f"look at {' and '.join(KEYS)}, and at what they allow")
        if status:
            wrong = f"{server} doesn't take this (status {status})"
            return RefusedError(Refusal.LOCKED, wrong, "look at --endpoint and AWS_REGION, and try again")
        return RefusedError(Refusal.LOCKED, f"{server} can't be reached", "look at the network and --endpoint")


def _check_endpoint(endpoint: str) -> None:
    """Raise DataError if a server's address isn't one; it isn't quoted, as it may have a password in it."""
    try:
        parts = urlsplit(endpoint)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
        is_good = is_good and not parts.query and not parts.fragment and parts.port != 0
    except ValueError:
        is_good = False
    if endpoint and not is_good:
        raise DataError([Problem("the endpoint isn't the address of a server", RIGHT_ENDPOINT)])
