"""Where your VASL boards are, for the backdrop of maps: as you say, as set, or as last time."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import Refusal, RefusedError

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Backdrop, Layers
    from laager.los.questions.board_engine import Boards

BOARDS = "LAAGER_BOARDS"
"""The setting that names the folder of the boards."""
_LONGEST = 4000


def draw(map_: HexMap, layers: Layers, wanted: bool, boards: Path | None) -> tuple[str, str]:
    """Return a map as SVG and its title; on the boards' own pictures if they or their folder are `wanted`."""
    from laager.hexmap.draw import draw_svg

    pictures = backdrop(map_, boards) if wanted or boards is not None else None
    return draw_svg(map_, layers, pictures), layers.title or map_.title


def backdrop(map_: HexMap, named: Path | None) -> Backdrop:
    """Return the boards' own pictures to put under a map, from a folder that is named or known.

    A named folder is remembered once all pictures were found in it. Raises RefusedError if no folder is known
    or the map has no pictures, DataError for boards that are missing, of another version, or damaged.
    """
    from laager.vasl import backdrop_of, boards_in, pictures_of

    pictures_of(map_)  # Refuse a map without pictures before a missing folder.
    pictures = backdrop_of(map_, boards_in(_folder(named)))
    if named is not None:
        remember(named)
    return pictures


def known_boards(map_: HexMap) -> Boards | None:
    """Return what gives the boards of the folder that is set or was named last, for exact LOS on a map.

    None if the map isn't made from boards, no folder is known, or `laager los --prepare` has never run.
    """
    if not map_.pictures:
        return None
    from laager.los.exact.readiness import load_compiled
    from laager.vasl import boards_in

    if not load_compiled():
        return None
    try:
        return boards_in(_folder(None))
    except RefusedError:
        return None


def remember(folder: Path) -> None:
    """Remember where the boards are, if a note of it can be written."""
    note = _note()
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text(f"{folder.resolve()}\n", encoding="utf-8")
    except OSError:
        return


def remember_folder_of(boards: Iterable[Path]) -> None:
    """Remember the folder of these boards if they are all in one; a folder stands for the boards in it."""
    folders = {place if place.is_dir() else place.parent for place in (path.resolve() for path in boards)}
    if len(folders) == 1:
        remember(folders.pop())


def _folder(named: Path | None) -> Path:
    setting = os.environ.get(BOARDS, "").strip()
    folder = named or (Path(setting) if setting else _remembered_folder())
    if folder is None:
        raise RefusedError(
            Refusal.BAD_DATA, "the folder of your VASL boards is not known", f"name it with --boards or {BOARDS}"
        )
    if not folder.is_dir():
        raise RefusedError(Refusal.NO_SUCH, f"{folder} is not a folder", "name the folder of your VASL boards")
    return folder


def _remembered_folder() -> Path | None:
    try:
        text = _note().read_text(encoding="utf-8")[:_LONGEST].strip()
    except (OSError, ValueError):
        return None
    return Path(text) if text and text.isprintable() else None


def _note() -> Path:
    import typer

    return Path(typer.get_app_dir("laager")) / "boards-folder"
