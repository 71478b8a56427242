"""Writing files: whole or not at all, and never over another file by accident."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from laager.base import DataError, Problem, Refusal, RefusedError, disk
from laager.cli.out import say, show_json

OR_FORCE = ", or add --force"


def check_free(*paths: Path, force: bool = False, or_else: str = "") -> None:
    """Raise RefusedError if a file cannot be written because something is there already."""
    right = "name another file with --out"
    for path in paths:
        if path.is_dir():
            raise RefusedError(Refusal.BAD_DATA, f"{path} is a folder", right)
        if path.exists() and not force:
            raise RefusedError(Refusal.BAD_DATA, f"{path} already exists", right + or_else)


def write_texts(texts: Mapping[Path, str], force: bool, quiet: bool = False) -> None:
    """Write files, all or none, and say so."""
    check_free(*texts, force=force, or_else=OR_FORCE)
    new = [path for path in texts if not path.exists()]
    try:
        for path, text in texts.items():
            put(path, text.encode())
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        raise
    if not quiet:
        say(*(f"written: {path}" for path in texts))


def write_bytes(path: Path, data: bytes, done: str, as_json: bool) -> None:
    """Write what was drawn or printed, over any file that is there, and say so."""
    put(path, data)
    if as_json:
        show_json({"file": str(path), "bytes": len(data)})
    else:
        say(f"{done}: {path}")


def put(path: Path, data: bytes) -> None:
    """Replace a file: readers find either the old one or the new one, whole.

    Raises DataError if it cannot be written; the old file is then as it was.
    """
    try:
        if path.exists() and not path.is_file():
            # A device or a pipe, such as /dev/stdout.
            path.write_bytes(data)
        else:
            disk.replace(path, data)
    except OSError as err:
        raise DataError([Problem(f"can't be written ({err.strerror})", file=str(path))]) from None
