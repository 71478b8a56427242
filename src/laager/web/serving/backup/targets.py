"""Where a backup goes: a file, a folder of backups, or a folder in a bucket (`bucket`)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from laager.base import DataError, Problem, Refusal, RefusedError, disk
from laager.web.serving.backup.archive import scratch_beside
from laager.web.serving.backup.bucket import SCHEME, Bucket

DATED = re.compile(r"laager-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.zip")
"""Matches the names that backups in a folder get, which sort by their time."""


class FileTarget:
    """A .zip file, or a folder in which each backup gets a name with its time."""

    def __init__(self, target: Path, made: datetime, keep: int | None, force: bool) -> None:
        """Raises RefusedError or DataError if nothing could be written there."""
        self.path = target / dated_name(made) if target.is_dir() else target
        self.name = str(self.path)
        if target.is_dir():
            return
        if target.suffix != ".zip":
            right = "make it first, or name a file that ends in .zip"
            raise DataError([Problem("this folder doesn't exist", right, file=str(target))])
        _check_single(str(target), target.exists(), keep, force)

    @property
    def address(self) -> str:
        """Where the backup lies, from everywhere on this machine."""
        return str(self.path.resolve())

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Give a private file for a backup until it is good. Raises OSError."""
        with scratch_beside(self.path) as scratch:
            yield scratch

    def place(self, scratch: Path) -> None:
        """Put a backup where it belongs. Raises OSError."""
        disk.move(scratch, self.path)
        disk.sync_folder(self.path.parent)

    def rotate(self, keep: int) -> tuple[str, ...]:
        """Remove all but the newest backups of the folder; return the names of those removed. Raises OSError."""
        old = _old_names((path.name for path in self.path.parent.iterdir()), keep)
        for name in old:
            self.path.with_name(name).unlink()
        return old


class BucketTarget:
    """A .zip file in a bucket, or a folder in it."""

    def __init__(self, bucket: Bucket, made: datetime, keep: int | None, force: bool) -> None:
        """Ask the server whether it would take a backup. Raises RefusedError if not."""
        folder, _slash, name = bucket.path.rpartition("/")
        is_file = name.endswith(".zip")
        self._folder = replace(bucket, path=folder) if is_file else bucket
        self._file = name if is_file else dated_name(made)
        self.name = self.address = f"{self._folder.address}/{self._file}"
        names = self._folder.file_names()
        if is_file:
            _check_single(self.address, name in names, keep, force)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Give a private file for a backup until it is good. Raises OSError."""
        with (
            tempfile.TemporaryDirectory(prefix="laager-backup-") as folder,
            scratch_beside(Path(folder) / self._file) as scratch,
        ):
            yield scratch

    def place(self, scratch: Path) -> None:
        """Put a backup where it belongs. Raises RefusedError."""
        self._folder.upload(scratch, self._file)

    def rotate(self, keep: int) -> tuple[str, ...]:
        """Remove all but the newest backups of the folder; return the names of those removed. Raises RefusedError."""
        old = _old_names(self._folder.file_names(), keep)
        for name in old:
            self._folder.remove(name)
        return old


def find_target(
    target: str, endpoint: str | None, made: datetime, keep: int | None, force: bool
) -> FileTarget | BucketTarget:
    """Return where a backup goes. Raises RefusedError or DataError if it can't go there."""
    if target.startswith(SCHEME):
        return BucketTarget(Bucket.open(target, endpoint), made, keep, force)
    _refuse_endpoint(endpoint)
    return FileTarget(Path(target), made, keep, force)


@contextmanager
def local_copy(source: str, endpoint: str | None) -> Iterator[Path]:
    """Give a backup as a file here; one in a bucket is fetched first. Raises RefusedError or DataError."""
    if not source.startswith(SCHEME):
        _refuse_endpoint(endpoint)
        yield Path(source)
        return
    bucket = Bucket.open(source, endpoint)
    if not bucket.path.endswith(".zip"):
        dated = [name for name in bucket.file_names() if DATED.fullmatch(name)]
        right = f"the newest backup there is {bucket.address}/{dated[-1]}" if dated else "there is no backup in it"
        raise DataError([Problem("this is a folder", right, file=bucket.address)])
    with tempfile.TemporaryDirectory(prefix="laager-restore-") as folder:
        file = Path(folder) / "backup.zip"
        bucket.download(file)
        yield file


def dated_name(made: datetime) -> str:
    """Return the name that a backup gets in a folder."""
    return f"laager-{made:%Y-%m-%dT%H-%M-%SZ}.zip"


def _old_names(names: Iterable[str], keep: int) -> tuple[str, ...]:
    return tuple(sorted(filter(DATED.fullmatch, names), reverse=True)[keep:])


def _check_single(name: str, exists: bool, keep: int | None, force: bool) -> None:
    """Raise RefusedError if a file that isn't in a folder of backups can't be written so."""
    if keep is not None:
        right = "name a folder, in which each backup gets a name with its time"
        raise RefusedError(Refusal.BAD_ANSWER, f"--keep can't remove older backups beside {name}", right)
    if exists and not force:
        wrong = f"{name} exists already; choose another name, or overwrite it with --force"
        raise RefusedError(Refusal.BAD_DATA, wrong)


def _refuse_endpoint(endpoint: str | None) -> None:
    if endpoint is not None:
        right = "leave it out, or write the bucket as s3://bucket/folder"
        raise RefusedError(Refusal.BAD_ANSWER, "--endpoint is for backups in a bucket", right)
