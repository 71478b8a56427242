"""Where a user's VASL boards are, for the backdrop of maps: as told, as set, or as last time."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Backdrop

BOARDS = "LAAGER_BOARDS"
"""The setting that names the folder of the boards."""
_LONGEST = 4000


def backdrop(map_: HexMap, told: Path | None) -> Backdrop:
    """Return the boards' own pictures to lie under a map, from a folder that is told or known.

    A folder that is told is remembered once all pictures were found in it. Raises RefusedError if
    no folder is known or the map has no pictures, DataError for boards that are missing, of
    another version, or damaged.
    """
    from laager.vasl import backdrop_of, boards_in, pictures_of

    pictures_of(map_)  # A map without any is refused for that, not for want of a folder.
    found = backdrop_of(map_, boards_in(_folder(told)))
    if told is not None:
        remember(told)
    return found


def remember(folder: Path) -> None:
    """Keep in mind where the boards are. Where that cannot be written, it is not kept."""
    note = _note()
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{folder.resolve()}\n", encoding="utf-8")
    except OSError:
        return


def remember_folder_of(boards: Iterable[Path]) -> None:
    """Keep in mind where boards are that a map was made from, if they are all in one folder.

    A folder stands for the boards in it.
    """
    folders = {one if one.is_dir() else one.parent for one in (path.resolve() for path in boards)}
    if len(folders) == 1:
        remember(folders.pop())


def _folder(told: Path | None) -> Path:
    named = os.environ.get(BOARDS, "").strip()
    folder = told or (Path(named) if named else _remembered())
    if folder is None:
        raise RefusedError(
            Refusal.BAD_DATA, "where your VASL boards are is not known", f"name their folder with --boards or {BOARDS}"
        )
    if not folder.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{folder} is no folder", "name that of your VASL boards")
    return folder


def _remembered() -> Path | None:
    try:
        text = _note().read_text(encoding="utf-8")[:_LONGEST].strip()
    except (OSError, ValueError):
        return None
    return Path(text) if text and text.isprintable() else None


def _note() -> Path:
    import typer

    return Path(typer.get_app_dir("laager")) / "boards-folder"
