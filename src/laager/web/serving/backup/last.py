"""When the last good backup was made: a note in the data folder, which `laager serve --check` reads."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from laager.base import disk
from laager.web.serving.backup.bucket import SCHEME

if TYPE_CHECKING:
    from laager.web.serving.config import Config

NOTE = "last-backup.json"


class LastBackup(BaseModel):
    """The last backup of which everything was good."""

    model_config = ConfigDict(frozen=True)

    made: datetime
    file: str
    """Where it was written: a whole path, or an address in a bucket."""

    @property
    def age_hours(self) -> float:
        """How old it is now."""
        return (datetime.now(UTC) - self.made).total_seconds() / 3600

    @property
    def is_there(self) -> bool:
        """True if the file is still where it was written. A bucket isn't asked."""
        return self.file.startswith(SCHEME) or Path(self.file).is_file()


def note_backup(config: Config, made: datetime, file: str) -> bool:
    """Note a good backup; return False if the data folder can't be written."""
    note = LastBackup(made=made, file=file)
    try:
        config.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        disk.replace(config.data / NOTE, note.model_dump_json().encode() + b"\n", private=True)
    except OSError:
        return False
    return True


def last_backup(config: Config) -> LastBackup | None:
    """Return the last good backup that was made here; None if there was none."""
    try:
        return LastBackup.model_validate_json((config.data / NOTE).read_bytes())
    except (OSError, ValidationError):
        return None
