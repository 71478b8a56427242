"""Marking maps on the command line: what hexes are that no archive tells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, Problem
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.writing import check_free, put

if TYPE_CHECKING:
    from laager.hexmap import HexMap

MAX_BYTES = 16 * 2**20


def mark_map(path: Path, changes: list[str], source: Path | None, out: Path | None, as_json: bool) -> None:
    """Write changes into a map file; without any, say what is not known of it."""
    from laager.base.files import parse_document
    from laager.hexmap import map_from_document
    from laager.vasl import mark, read_changes

    if out is not None and out.exists() and out.resolve() != path.resolve():
        check_free(out)
    listed = list(changes)
    if source is not None:
        listed += read_changes(_text(source))
    text = _text(path)
    new = mark(text, listed, str(path))
    if new != text or out is not None:
        put(out or path, new.encode())
    map_ = map_from_document(parse_document(new, str(path)))
    if as_json:
        _show(out or path, map_, len(listed))
    else:
        _say(out or path, map_, len(listed))


def _show(path: Path, map_: HexMap, changes: int) -> None:
    from laager.hexmap.terrain import unknown_hexes

    show_json({"file": str(path), "changes": changes, "unknown": list(unknown_hexes(map_))})


def _say(path: Path, map_: HexMap, changes: int) -> None:
    from laager.hexmap.terrain import still_unknown

    if changes:
        say(f"written: {path} ({changes} changes)" if changes > 1 else f"written: {path}")
    told = still_unknown(map_) or "of every hex in play it is known what it is"
    say_wrapped(f"{told[0].upper()}{told[1:]}.")


def _text(path: Path) -> str:
    """Return the text of a file. Raises DataError if it can't be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError([Problem("is too large", f"{MAX_BYTES} bytes at most", file=str(path))])
        # Line ends are kept as they are.
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as err:
        what = f"byte {err.start} is not UTF-8 text"
        raise DataError([Problem(what, "save the file as UTF-8", file=str(path))]) from None
    except OSError as err:
        what = "there is no such file" if isinstance(err, FileNotFoundError) else "cannot be read"
        raise DataError([Problem(what, "name a map file", file=str(path))]) from None
