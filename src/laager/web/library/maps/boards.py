"""VASL boards at hand: those in a reader's own library, and those in the server's folder.

A board of somebody's library is read for its owner alone. The server's folder (`LAAGER_BOARDS`) is
for servers whose users all own the boards in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models import Sum

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.hexmap import PICTURE_FILE
from laager.hexmap.values import Picture
from laager.vasl import Archive
from laager.web.models import OwnBoard, Player
from laager.web.shared.recent import Recent

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.hexmap.draw import Backdrop
    from laager.vasl import BoardFile, Boards, Shape, Shapes

MOST_BOARDS = 80
MOST_BOARD_BYTES = 400 * 2**20
"""All boards of one person together."""

KEPT = 8
"""How many boards' pictures a worker keeps in memory, ready to be sent; each up to some MB."""


def folder() -> Path | None:
    """Return the folder of boards that this server can read, if any."""
    named = settings.CONFIG.boards
    path = Path(named).expanduser()
    return path if named and path.is_dir() else None


class Shelf:
    """The boards that one reader can have: the own ones first, then the server's."""

    def __init__(self, reader: Player) -> None:
        self.reader = reader
        self.folder = folder()

    def has(self, picture: Picture) -> bool:
        """Return True if there is the board of a picture; an own one must be the same version."""
        own = OwnBoard.objects.filter(owner=self.reader, name=picture.file).defer("data").first()
        if own is not None:
            return own.sha256 == picture.sha256
        return self._exists(picture.file)

    def __call__(self, file: str) -> Archive:
        """Return a board's archive. Raises DataError if it is not there, or is spoilt."""
        own = OwnBoard.objects.filter(owner=self.reader, name=file).first()
        if own is not None:
            return Archive(bytes(own.data), file)
        if self.folder is None or not self._exists(file):
            raise DataError([Problem("the board is not there", "add it to your library", file=file)])
        # Under its own name: nobody learns where the server's folder is.
        name = Path(file).name
        return Archive((self.folder / name).read_bytes(), name)

    def shapes(self) -> Shapes:
        """Return what gives the sizes of boards by code: of those at hand, else the usual ones."""
        from laager.vasl import shape_of, usual_shape

        known: dict[str, Shape | None] = {}

        def shape(code: str) -> Shape | None:
            if code not in known:
                file = f"bd{code}"
                known[code] = shape_of(self(file)) if self._exists(file) else usual_shape(code)
            return known[code]

        return shape

    def battle_boards(self) -> Boards:
        """Return what gives the boards of a setup by code: those at hand, else the usual ones."""
        from laager.vasl import board_in, usual_board

        def board(code: str) -> BoardFile | None:
            file = f"bd{code}"
            named = re.fullmatch(PICTURE_FILE, file)
            return board_in(self(file), code) if named and self._exists(file) else usual_board(code)

        return board

    def codes(self) -> list[str]:
        """Return the codes of the reader's own boards."""
        names = OwnBoard.objects.filter(owner=self.reader).order_by("name").values_list("name", flat=True)
        return [name.removeprefix("bd") for name in names]

    def _exists(self, file: str) -> bool:
        if OwnBoard.objects.filter(owner=self.reader, name=file).exists():
            return True
        return self.folder is not None and (self.folder / Path(file).name).is_file()


def has_boards(map_: HexMap, reader: Player) -> bool:
    """Return True if all boards are at hand from which a map was made."""
    shelf = Shelf(reader)
    return bool(map_.pictures) and all(shelf.has(picture) for picture in map_.pictures)


def archives_of(map_: HexMap, reader: Player) -> dict[str, Archive]:
    """Return the boards of a map, by file. Raises DataError if one isn't there, or is spoilt."""
    shelf = Shelf(reader)
    return {picture.file: shelf(picture.file) for picture in map_.pictures}


def embed_pictures(map_: HexMap, reader: Player) -> Backdrop | None:
    """Return the pictures of the boards under a map, in the drawing itself; None without them."""
    from laager.vasl import backdrop_of

    return backdrop_of(map_, Shelf(reader)) if has_boards(map_, reader) else None


# Pictures that pages fetch ------------------------------------------------------------------------


_READY: Recent[Picture, tuple[bytes, str]] = Recent(KEPT)
"""Pictures of boards as they are sent, those used last; people get one only if they have the board."""


def board_picture(map_: HexMap, number: int, reader: Player) -> tuple[bytes, str, str]:
    """Return the picture of one board of a map: bytes, media type, mark of its content.

    Raises RefusedError if the map has none of this number or the reader has not the board,
    DataError for a board that isn't valid.
    """
    from laager.vasl import picture_data

    shelf = Shelf(reader)
    if not 0 <= number < len(map_.pictures) or not shelf.has(map_.pictures[number]):
        raise RefusedError(Refusal.NO_SUCH, "you don't have the board of this picture")
    picture = map_.pictures[number]
    data, media_type = _READY.get(picture, lambda: picture_data(picture, shelf))
    return data, media_type, hashlib.sha256(data).hexdigest()[:32]


# Boards of one's own -------------------------------------------------------------------------------


def keep_boards(user: Player, sent: Sequence[tuple[str, bytes]]) -> list[Archive]:
    """Add boards to somebody's library. Raises DataError with every problem."""
    from laager.vasl import read_metadata

    archives: list[Archive] = []
    problems: list[Problem] = []
    for name, data in sent:
        plain = name.replace("\\", "/").rpartition("/")[2]
        if not re.fullmatch(PICTURE_FILE, plain):
            problem = f"{plain[:40]!r} cannot be the name of a board"
            problems.append(Problem(problem, "keep the name that VASL gave it, such as bd01"))
            continue
        try:
            archive = Archive(data, plain)
            read_metadata(archive)
            archives.append(archive)
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    contents = {archive.name: data for archive, (_, data) in zip(archives, sent, strict=True)}
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=user.pk)
        kept = OwnBoard.objects.filter(owner=user).exclude(name__in=contents)
        total = kept.aggregate(all=Sum("size"))["all"] or 0
        total += sum(map(len, contents.values()))
        if kept.count() + len(contents) > MOST_BOARDS or total > MOST_BOARD_BYTES:
            right = f"{MOST_BOARDS} boards and {MOST_BOARD_BYTES // 2**20} MB at most; remove some"
            raise DataError([Problem("your library holds too many boards", right)])
        for archive in archives:
            data = contents[archive.name]
            OwnBoard.objects.update_or_create(
                owner=user, name=archive.name, defaults={"data": data, "sha256": archive.sha256, "size": len(data)}
            )
    return archives


def remove_board(user: Player, name: str) -> None:
    """Remove a board. Raises RefusedError if there is none."""
    if not OwnBoard.objects.filter(owner=user, name=name).delete()[0]:
        raise RefusedError(Refusal.NO_SUCH, f"you have no board {name[:40]!r} in your library")
