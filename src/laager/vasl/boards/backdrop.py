"""The boards' own pictures as the backdrop of maps made from them.

The map knows each board's file by name and hash; the pixels come from the user's own files, every
time anew, and go nowhere but into the drawing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.hexmap.draw import Backdrop, embedded
from laager.vasl.archive import Archive, open_archive
from laager.vasl.boards.metadata import read_metadata
from laager.vasl.boards.picture import packed_picture

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.values import Picture

Boards = Callable[[str], Archive]
"""Gives a board's archive by the name of its file; raises DataError if it is not there."""


def boards_in(folder: Path) -> Boards:
    """Return what gives the archives in a folder; in no other, whatever a map calls its file."""

    def find(file: str) -> Archive:
        path = folder / Path(file).name
        if not path.is_file():
            right = "put the board that the map was made from there, or name another folder"
            raise DataError([Problem("the board is not there", right, file=str(path))])
        return open_archive(path)

    return find


def backdrop_of(map_: HexMap, boards: Boards) -> Backdrop:
    """Return the backdrop of a map, its pictures embedded: a drawing with it stands alone.

    Raises RefusedError (NO_SUCH) for a map without pictures, DataError with every board that is
    missing, is another version than the map was made from, or holds no picture that will do.
    """
    found: list[tuple[Picture, str]] = []
    problems: list[Problem] = []
    for picture in pictures_of(map_):
        try:
            found.append((picture, embedded(*picture_data(picture, boards))))
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    return Backdrop(tuple(found))


def backdrop_at(map_: HexMap, address: Callable[[int], str]) -> Backdrop:
    """Return the backdrop of a map for a page that serves the pictures itself.

    `address` gives the address of each picture by its number in `map_.pictures`, from 0; what is
    served there is `picture_data`. Raises RefusedError (NO_SUCH) for a map without pictures.
    """
    return Backdrop(tuple((picture, address(number)) for number, picture in enumerate(pictures_of(map_))))


def picture_data(picture: Picture, boards: Boards) -> tuple[bytes, str]:
    """Return what of a board's picture is on the map, as bytes, and their media type.

    The same picture of the same boards gives the same bytes. Raises DataError if the board is
    missing, is another version than the map was made from, or its picture can't be used.
    """
    archive = boards(picture.file)
    if archive.sha256 != picture.sha256:
        what = "is another version of the board than the map was made from"
        right = (
            f"its SHA-256 is {archive.sha256[:12]}…, the map's {picture.sha256[:12]}…; "
            "import the map anew, or get that version"
        )
        raise DataError([Problem(what, right, file=archive.label)])
    name = read_metadata(archive).picture
    return packed_picture(archive, name, picture.part, picture.hex_size[1])


def pictures_of(map_: HexMap) -> tuple[Picture, ...]:
    """Return how the boards' pictures lie on a map. Raises RefusedError (NO_SUCH) for none."""
    if not map_.pictures:
        raise RefusedError(
            Refusal.NO_SUCH,
            f"the map {map_.title} has no board's picture to lie under it",
            "those made of VASL boards by `laager vasl import` have",
        )
    return map_.pictures
