"""`laager backup`: writes a backup, opens it again and verifies every campaign in it."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.counting import count_of
from laager.web.serving.backup import keys
from laager.web.serving.backup.archive import BackupWriter, Manifest, reading, writing
from laager.web.serving.backup.last import note_backup
from laager.web.serving.backup.targets import find_target
from laager.web.serving.config import KEY_FILE, Config, wake_django

if TYPE_CHECKING:
    from laager.web.serving.backup.proving import BadCampaign

UNNOTED = "laager serve --check won't know of this backup."


@dataclass(frozen=True)
class CheckedBackup:
    """A backup whose campaigns were opened and verified."""

    file: str
    manifest: Manifest
    bad: tuple[BadCampaign, ...]

    @property
    def is_good(self) -> bool:
        """True if every campaign opens and verifies."""
        return not self.bad

    def describe(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "file": self.file,
            "made": self.manifest.made.isoformat(),
            "people": self.manifest.tables["web.player"].rows,
            "campaigns": self.manifest.tables["web.game"].rows,
            "good": self.is_good,
            "problems": [asdict(bad) for bad in self.bad],
        }

    def campaign_lines(self) -> list[str]:
        """Return in words how many campaigns open and verify, and what is wrong with the others."""
        count = self.manifest.tables["web.game"].rows
        if not self.bad:
            return ["  Checked: every campaign in it opens and verifies."] if count else []
        can_not = f"{len(self.bad)} can't be opened and verified; the backup has them as they are:"
        return [
            f"  Of {count_of(count, 'campaign')} {can_not}",
            *(f"  {campaign.campaign}: {campaign.what}" for campaign in self.bad),
        ]


@dataclass(frozen=True)
class BackupReport(CheckedBackup):
    """The result of a backup."""

    bytes: int
    removed: tuple[str, ...]
    """Older backups that made room (`keep`)."""
    key_advice: str
    """How the key is kept."""
    key_inside: bool
    is_noted: bool
    """True if `laager serve --check` will know of it."""

    def describe(self) -> dict[str, Any]:
        """Return it as JSON."""
        key = "inside" if self.key_inside else "apart"
        return super().describe() | {"bytes": self.bytes, "key": key, "removed": list(self.removed)}

    def lines(self) -> list[str]:
        """Return it in words."""
        return [
            f"{self.file}: {self.manifest.contents} ({self.bytes / 1e6:.1f} MB)",
            *self.campaign_lines(),
            f"  {self.key_advice}",
            *([] if self.is_noted or self.bad else [f"  The data folder can't be written: {UNNOTED}"]),
            *(f"  removed {name}" for name in self.removed),
        ]


def backup(
    target: str,
    keep: int | None = None,
    phrase_from: str | None = None,
    force: bool = False,
    endpoint: str | None = None,
) -> BackupReport:
    """Write a backup of the server's database, which may be in use, and check it.

    `target` is a .zip file, or a folder, in which it gets a name with its time; there `keep` removes all but so many.
    Either may lie in a bucket (`s3://bucket/folder`), at the server `endpoint`.
    `phrase_from` is where the pass phrase is read with which the key goes into it (`keys.read_phrase`).
    Raises RefusedError and DataError; then there is no new file, and an old one is as it was.
    """
    made = datetime.now(UTC)
    where = find_target(target, endpoint, made, keep, force)
    phrase = keys.read_phrase(phrase_from) if phrase_from is not None else None
    if phrase is not None:
        keys.check_phrase(phrase)
    config = Config.of(os.environ)
    _need_database(config)
    wake_django()
    from laager.web.serving.backup.proving import bad_campaigns

    try:
        with where.scratch() as scratch:
            with writing(scratch) as writer:
                _write(writer, config, made, phrase)
            with reading(scratch, where.name) as archive:
                archive.check()
                bad = tuple(bad_campaigns(archive))
                manifest = archive.manifest
            size = scratch.stat().st_size
            where.place(scratch)
        removed = where.rotate(keep) if keep and not bad else ()
    except OSError as err:
        raise DataError([Problem(f"can't be written ({err.strerror or err})", file=where.name)]) from None
    return BackupReport(
        where.name,
        manifest,
        bad,
        size,
        removed,
        _key_advice(config, phrase is not None),
        phrase is not None,
        not bad and note_backup(config, made, where.address),
    )


def _need_database(config: Config) -> None:
    """Raise RefusedError if SQLite's file isn't there: to connect would make one."""
    file = config.sqlite_file
    if file is not None and not file.exists():
        right = "look at LAAGER_DATA and DATABASE_URL: they must be those of the server"
        raise RefusedError(Refusal.NO_SUCH, f"there is no database {file}", right)


def _write(writer: BackupWriter, config: Config, made: datetime, phrase: str | None) -> None:
    from django.db import DatabaseError, connection

    from laager import __version__
    from laager.web.serving.backup import rows

    try:
        with rows.one_moment():
            migrations = rows.applied_migrations()
            rows.dump(writer, migrations)
    except DatabaseError as err:
        # The error's text may quote the address of the database with its password.
        wrong = f"the database doesn't answer as expected ({type(err).__name__})"
        raise RefusedError(Refusal.LOCKED, wrong, "look at DATABASE_URL, and try laager serve --check") from None
    if phrase is not None:
        writer.add_key(keys.lock([config.secret_key, *config.old_secret_keys], phrase))
    writer.finish(
        Manifest(
            version=__version__,
            made=made,
            database=connection.vendor,
            migrations=tuple(migrations),
            tables=writer.tables,
        )
    )


def _key_advice(config: Config, inside: bool) -> str:
    if inside:
        return "The server's key is in it, locked with your pass phrase."
    where = "LAAGER_SECRET_KEY" if config.given_key else str(config.data / KEY_FILE)
    return f"The server's key isn't in it. Keep a copy of {where} elsewhere: no campaign in progress opens without it."
