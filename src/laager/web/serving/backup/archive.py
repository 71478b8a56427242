"""The file of a backup: what is in it, how it is written, and the check that it is whole.

`manifest.json` says when and from what it was made, and for each table how many rows it has and their SHA-256.
`rows/<model>.jsonl` has the names of a table's columns on its first line, and then each row as a list.
`key.json`, if there, has the server's keys, locked with a pass phrase (`keys`).
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from laager.base import DataError, Problem, disk
from laager.base.counting import count_of

FORM: Literal["backup/1"] = "backup/1"
MANIFEST, KEY = "manifest.json", "key.json"


NEEDED = frozenset({"web.player", "web.game", "web.entryline"})
"""Tables that every backup has."""


class TableSummary(BaseModel):
    """How many rows a table has in a backup, and the SHA-256 of its file."""

    rows: int = Field(ge=0)
    sha256: str


class Manifest(BaseModel):
    """What a backup says of itself."""

    model_config = ConfigDict(frozen=True)

    laager: Literal["backup/1"] = FORM
    version: str
    """Of the Laager that made it."""
    made: datetime
    database: str
    """`sqlite` or `postgresql`."""
    migrations: tuple[tuple[str, str], ...]
    """The migrations that the database had, as application and name."""
    tables: dict[str, TableSummary]
    """The tables by their model, such as `web.game`."""

    @field_validator("tables")
    @classmethod
    def _has_main_tables(cls, value: dict[str, TableSummary]) -> dict[str, TableSummary]:
        if missing := NEEDED - value.keys():
            raise ValueError(f"these tables are missing: {', '.join(sorted(missing))}")
        return value

    @property
    def contents(self) -> str:
        """How many people and campaigns are in it, in words."""
        people, campaigns = (self.tables[model].rows for model in ("web.player", "web.game"))
        return f"{count_of(people, 'person', 'people')}, {count_of(campaigns, 'campaign')}"


class BackupWriter:
    """Writes a backup's parts one after the other."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self.tables: dict[str, TableSummary] = {}

    def add_table(self, model: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Add the rows of a table, in the order given."""
        digest, count = hashlib.sha256(), -1
        with self._file.open(_rows_name(model), "w", force_zip64=True) as out:
            for row in _with_heading(columns, rows):
                line = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
                digest.update(line)
                out.write(line)
                count += 1
        self.tables[model] = TableSummary(rows=count, sha256=digest.hexdigest())

    def add_key(self, locked: dict[str, Any]) -> None:
        """Add the server's keys as `keys.lock` returns them."""
        self._file.writestr(KEY, json.dumps(locked))

    def finish(self, manifest: Manifest) -> None:
        """Write what the backup says of itself."""
        self._file.writestr(MANIFEST, manifest.model_dump_json(indent=1))


def _with_heading(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    yield columns
    yield from rows


def _rows_name(model: str) -> str:
    return f"rows/{model}.jsonl"


@contextmanager
def scratch_beside(target: Path) -> Iterator[Path]:
    """Give a new private file beside a target; it is gone afterwards unless it was moved. Raises OSError."""
    scratch = target.with_name(f".{target.name}-{os.urandom(4).hex()}")
    disk.write_private(scratch, "")
    try:
        yield scratch
    finally:
        scratch.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[BackupWriter]:
    """Write a backup into a file that is there; it is on the disk when this ends."""
    with path.open("r+b") as out:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
            yield BackupWriter(file)
        out.flush()
        os.fsync(out.fileno())


@dataclass(frozen=True)
class OpenBackup:
    """A backup that is open for reading. `name` is what messages call it."""

    file: zipfile.ZipFile
    name: str
    manifest: Manifest

    def check(self) -> None:
        """Read all of it. Raises DataError for what was changed or is missing."""
        problems = []
        for model, table in self.manifest.tables.items():
            digest, count = hashlib.sha256(), -1
            try:
                for line in self._lines(model):
                    digest.update(line)
                    count += 1
            except (KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error):
                count = -1
            if count != table.rows or digest.hexdigest() != table.sha256:
                problems.append(self._damage_of(_rows_name(model)))
        if problems:
            raise DataError(problems)

    def columns(self, model: str) -> list[str]:
        """Return the names of a table's columns."""
        return list(json.loads(next(self._lines(model))))

    def rows(self, model: str) -> Iterator[list[Any]]:
        """Yield a table's rows, each with its values in the order of the columns."""
        lines = self._lines(model)
        next(lines)
        yield from map(json.loads, lines)

    @property
    def locked_key(self) -> Any:
        """The server's keys as they were locked; None if the backup has none. Raises DataError."""
        if KEY not in self.file.namelist():
            return None
        try:
            return json.loads(self.file.read(KEY))
        except (ValueError, OSError, zipfile.BadZipFile):
            raise DataError([self._damage_of(KEY)]) from None

    def _lines(self, model: str) -> Iterator[bytes]:
        with self.file.open(_rows_name(model)) as file:
            yield from file

    def _damage_of(self, part: str) -> Problem:
        return Problem(
            "the backup is damaged: this was changed or is missing", "take another backup", part, None, self.name
        )


@contextmanager
def reading(path: Path, name: str = "") -> Iterator[OpenBackup]:
    """Open a backup. Raises DataError if it isn't one."""
    name = name or str(path)
    try:
        file = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise DataError([Problem("there is no such file", file=name)]) from None
    except (OSError, zipfile.BadZipFile):
        raise DataError([_stranger(name)]) from None
    with file:
        try:
            manifest = Manifest.model_validate_json(file.read(MANIFEST))
        except (KeyError, OSError, ValidationError, zipfile.BadZipFile):
            raise DataError([_stranger(name)]) from None
        yield OpenBackup(file, name, manifest)


def _stranger(name: str) -> Problem:
    return Problem("this isn't a backup that this Laager can read", "name a file that laager backup made", file=name)
