"""`laager restore`: puts a backup into an empty database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError, disk
from laager.web.serving.backup import keys
from laager.web.serving.backup.archive import OpenBackup, reading
from laager.web.serving.backup.saving import CheckedBackup
from laager.web.serving.backup.targets import local_copy
from laager.web.serving.config import KEY_FILE, Config, wake_django

if TYPE_CHECKING:
    from laager.web.serving.backup.proving import BadCampaign


@dataclass(frozen=True)
class RestoreReport(CheckedBackup):
    """The result of a restore; `restored` is False if the backup was only checked."""

    restored: bool

    def describe(self) -> dict[str, Any]:
        """Return it as JSON."""
        return super().describe() | {"restored": self.restored, "version": self.manifest.version}

    def lines(self) -> list[str]:
        """Return it in words."""
        first = f"{self.file}: made {self.manifest.made:%Y-%m-%d %H:%M} UTC by Laager {self.manifest.version}"
        return [
            f"{first}, {self.manifest.contents}",
            *self.campaign_lines(),
            *(["  Restored. Start the server with laager serve; everybody logs in again."] if self.restored else []),
        ]


def restore(
    source: str, phrase_from: str | None = None, check: bool = False, endpoint: str | None = None
) -> RestoreReport:
    """Put a backup into the server's database, which must be empty; with `check`, only look if the backup is good.

    `source` is a file, or one in a bucket (`s3://bucket/folder/file.zip`) at the server `endpoint`.
    Raises RefusedError and DataError; then the database is as empty as it was.
    """
    config = Config.of(os.environ)
    # What the server writes nobody else on the machine may read.
    os.umask(0o077)
    with local_copy(source, endpoint) as file, reading(file, source) as archive:
        archive.check()
        opened = _open_keys(archive, config, phrase_from)
        wake_django()
        _use_keys(config, opened)
        from laager.web.serving.backup.proving import bad_campaigns

        if check:
            bad = tuple(bad_campaigns(archive))
        else:
            _need_key(archive, config, opened)
            with _kept_key(config, opened):
                bad = _restore(archive, config)
    return RestoreReport(source, archive.manifest, bad, not check)


def _open_keys(archive: OpenBackup, config: Config, phrase_from: str | None) -> list[str]:
    """Return the keys that are in the backup, if a pass phrase opens them."""
    locked = archive.locked_key
    if phrase_from is None:
        return []
    if locked is None:
        right = "leave --passphrase out, and give the server its key"
        raise RefusedError(Refusal.NO_SUCH, "this backup has no key in it", right)
    return keys.unlock(locked, keys.read_phrase(phrase_from), archive.name)


def _has_key(config: Config) -> bool:
    return config.given_key or (config.data / KEY_FILE).exists()


def _need_key(archive: OpenBackup, config: Config, opened: list[str]) -> None:
    """Raise RefusedError if there is no key at all that the restored server would use."""
    if _has_key(config) or opened:
        return
    if archive.locked_key is not None:
        raise RefusedError(
            Refusal.NO_SUCH, "the server's key is in the backup, locked", "unlock it with --passphrase FILE"
        )
    raise RefusedError(
        Refusal.NO_SUCH,
        "the server's key isn't in the backup, and there is none here",
        f"put your copy to {config.data / KEY_FILE} or into LAAGER_SECRET_KEY (laager serve --check makes a new one, "
        "but with that no campaign in progress opens)",
    )


def _use_keys(config: Config, opened: list[str]) -> None:
    """Open seals with the keys of a backup too; the server's own comes first, with which they are sealed again."""
    from django.conf import settings

    own = [config.secret_key] if _has_key(config) or not opened else []
    known = [*own, *opened, *config.old_secret_keys]
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = known[0], known[1:]


@contextmanager
def _kept_key(config: Config, opened: list[str]) -> Iterator[None]:
    """Put the backup's key into the data folder if there is no other; it is gone again if what follows fails."""
    if config.makes_folder:
        config.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = config.data / KEY_FILE
    if _has_key(config):
        yield
        return
    disk.write_private(file, opened[0])
    try:
        yield
    except BaseException:
        file.unlink()
        raise


def _restore(archive: OpenBackup, config: Config) -> tuple[BadCampaign, ...]:
    """Restore, and return the campaigns that don't open or verify."""
    from django.core.management import call_command
    from django.db import DatabaseError

    from laager.web.campaigns import store
    from laager.web.serving.backup import rows
    from laager.web.serving.backup.proving import bad_campaigns
    from laager.web.serving.serve import alone_with_database

    try:
        with alone_with_database(config.data):
            if not rows.is_empty():
                raise RefusedError(
                    Refusal.BAD_DATA,
                    "this database isn't empty, and a restore overwrites nothing",
                    "choose an empty folder with LAAGER_DATA, or a new database with DATABASE_URL",
                )
            bad = tuple(bad_campaigns(archive))
            try:
                rows.load(archive)
                call_command("migrate", verbosity=0, interactive=False)
                store.renew_seals()
            except BaseException:
                rows.clear()
                raise
    except DatabaseError as err:
        wrong = f"the database doesn't answer as expected ({type(err).__name__}); nothing was restored"
        raise RefusedError(Refusal.LOCKED, wrong, "look at DATABASE_URL, and try laager serve --check") from None
    return bad
