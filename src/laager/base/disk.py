"""Files on the disk, the same way on Linux, macOS and Windows.

Windows has no handles of folders, no permission bits, keeps names such as `con` for itself, and refuses to replace
a file that a program (a virus scanner, say) has open at that moment.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

WINDOWS = os.name == "nt"

PAUSES = (0.05, 0.2, 0.5, 1.0)
"""Seconds to wait before the next try to replace a file that another program has open."""

LONGEST = 240
"""Letters of a path beyond which Windows may not find a file (260, less those that a scratch file's name has more)."""

_KEPT = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])( *\.|$)", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f]|[. ]$')


def replace(path: Path, data: bytes, private: bool = False) -> None:
    """Write a file, whole or not at all: a reader finds the old one or the new one.

    A file that is there keeps its permissions; a `private` one only its owner can read. Raises OSError; the old file
    then is as it was.
    """
    target = path.resolve()
    scratch = target.with_name(f".{target.name}-{os.urandom(4).hex()}")
    handle = _new(scratch, private)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists() and not private:
            scratch.chmod(target.stat().st_mode & 0o777)
        move(scratch, target)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def move(scratch: Path, target: Path) -> None:
    """Put a file in the place of another. Raises OSError."""
    for pause in PAUSES if WINDOWS else ():
        try:
            scratch.replace(target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    scratch.replace(target)


def sync_folder(folder: Path) -> None:
    """Wait until a new name in a folder is on the disk, where the system can open folders at all."""
    with suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_private(path: Path, text: str) -> None:
    """Write a new file that only its owner can read. Raises OSError, also if there is such a file."""
    with os.fdopen(_new(path, private=True), "w", encoding="utf-8") as out:
        out.write(text)


def open_to_others(path: Path) -> bool:
    """True if others on this machine can read a file.

    On Windows permission bits say nothing: there a file is as private as the folder it lies in, and that of a user is.
    """
    return not WINDOWS and bool(path.stat().st_mode & 0o077)


def unusable_name(name: str) -> str:
    """Say why Windows can't keep a file of this name; "" if it can, or if this isn't Windows."""
    if not WINDOWS:
        return ""
    if _KEPT.match(name):
        return f"Windows keeps the name {name!r} for a device"
    if _FORBIDDEN.search(name):
        return f'Windows allows no <>:"|?* in a name, and no dot or space at its end: {name!r}'
    return ""


def too_long(path: Path) -> bool:
    """True if Windows may refuse a path for its length; it then says that there is no such folder."""
    return WINDOWS and len(str(path.resolve())) > LONGEST


def _new(path: Path, private: bool) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
