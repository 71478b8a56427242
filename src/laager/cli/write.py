"""Files that are put in the place of others: whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from laager.base import Refusal, RefusedError


def put(path: Path, data: bytes) -> None:
    """Write a file, in place of the one that may be there: whoever looks finds either, whole.

    Raises RefusedError if the disk does not take it; the old file is then as it was.
    """
    target = path.resolve()
    scratch = ""
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else None
        handle, scratch = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).chmod(0o644 if mode is None else mode)
        Path(scratch).replace(target)
    except OSError as err:
        if scratch:
            Path(scratch).unlink(missing_ok=True)
        what = f"{path} cannot be written ({err.strerror})"
        raise RefusedError(Refusal.BAD_DATA, what) from None
