"""The file: a setup as a save, as an addition to a save, or as a log of one step.

Nobody's user id is in it, and no time of play: the number of a piece is a mark (`marks`), the order of the commands
that of the map. What only one side knows is in that side's file alone.
"""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from xml.sax.saxutils import escape

from laager.base import DataError, Problem
from laager.vasl.archive import MAX_FILE, Archive
from laager.vasl.saves.game import MAIN_MAPS
from laager.vasl.saves.insertion import Insertion
from laager.vasl.saves.marks import Marks
from laager.vasl.saves.owners import printable
from laager.vasl.saves.save import DATA, GAME, MAX_GAME, MODULE, save_of, within
from laager.vasl.saves.sequence import BEGIN, END, ESCAPE, MAX_PIECES, encode, unveil, veil
from laager.vasl.setup.board import Battlefield
from laager.vasl.setup.counters import stack_command
from laager.vasl.setup.module import Module
from laager.vasl.setup.plan import OPEN, Pile

_KEY = 0x4C
"""The key of the veil: it hides nothing, so it may be the same always."""


@dataclass(frozen=True)
class Box:
    """The scenario box: who moves first and now (`Axis` or `Allied`), the turn, ELR and SAN by side.

    What is not known is "".
    """

    first: str = ""
    turn: str = "1"
    axis_elr: str = ""
    axis_san: str = ""
    allied_elr: str = ""
    allied_san: str = ""
    notes: str = ""

    @property
    def command(self) -> str:
        """The command that fills the box."""
        told = (self.first, self.first, self.turn, self.axis_elr, self.axis_san, self.allied_elr, self.allied_san)
        fields = [one or " ? " for one in (*told, "", "")]
        return encode(("INFO", *fields, printable(self.notes).replace("\n", "|").replace("\t", " ")), "\t")


@dataclass(frozen=True)
class Made:
    """What was written: the file, and how many pieces are in it, or were there already."""

    data: bytes
    pieces: int
    there: int = 0


def write_save(
    piles: Sequence[Pile], marks: Marks, ground: Battlefield, module: Module, box: Box, comment: str, at: datetime
) -> Made:
    """Return a save that sets up piles; `at` is the time that it bears."""
    pieces = _nested("", commands(piles, marks, module.map))
    game = encode((BEGIN, pieces, *_rest(box, ground), END), ESCAPE)
    return Made(packed(game, module, comment, at), _count(piles))


def write_log(
    piles: Sequence[Pile], marks: Marks, ground: Battlefield, module: Module, box: Box, comment: str, at: datetime
) -> Made:
    """Return a log of one step that adds piles to the game that is open (File, Load Continuation)."""
    # Each command has its own LOG; only the first is a step, the others are parts of it.
    first, *rest = [f"LOG\t{one}" for one in commands(piles, marks, module.map)] or [""]
    game = encode((BEGIN, *_rest(box, ground), END, _nested(first, rest)), ESCAPE)
    return Made(packed(game, module, comment, at), _count(piles))


def _nested(first: str, rest: Iterable[str]) -> str:
    """Return commands as one element of a sequence of commands: each further one is a sequence again."""
    return encode((first, *(encode((one,), ESCAPE) for one in rest)), ESCAPE)


def add_to(data: bytes, name: str, piles: Sequence[Pile], marks: Marks) -> Made:
    """Return a save with piles added, all else as it was; what it has already is left as it is.

    `name` stands for the save in messages. Raises DataError if it is none to trust or cannot take them.
    """
    if len(data) > MAX_FILE:
        raise DataError([Problem("is too large", f"{MAX_FILE} bytes at most", file=name)])
    archive = Archive(data, name)
    save = save_of(archive)
    if save.steps:
        raise DataError([Problem("is a log", "save the game in VASL, and name that save", file=name)])
    there = {piece.id for piece in save.pieces} | {stack.id for stack in save.stacks}
    fresh, old = _fresh(piles, marks, there)
    if not fresh:
        return Made(data, 0, old)
    on = next((one.map for one in save.pieces if one.map in MAIN_MAPS), None) or MAIN_MAPS[0]
    added = list(commands(fresh, marks, on, there))
    if len(save.pieces) + len(save.stacks) + len(added) > MAX_PIECES:
        raise DataError([Problem("would have too many pieces", f"{MAX_PIECES} at most", file=name)])

    def change() -> Made:
        text, key = unveil(archive.read(GAME, MAX_GAME))
        insertion = Insertion(text, archive.label)
        insertion.insert(added)
        insertion.prove()
        return Made(insertion.packed(data, key), _count(fresh), old)

    return within(archive, GAME, change)


def commands(piles: Iterable[Pile], marks: Marks, on: str, taken: Collection[str] = ()) -> Iterator[str]:
    """Yield the commands that put piles on a map: the pieces of each, then its stack."""
    used = set(taken)
    for number, pile in enumerate(piles):
        ids = []
        for one in pile.pieces:
            mark = mark_of(one.key, pile.seen, marks)
            used.add(mark)
            yield one.counter.command(mark, on, *pile.at)
            if one.counter.stacks:
                ids.append(mark)
        if ids:
            own = next(mark for mark in _stack_marks(pile, number, marks) if mark not in used)
            used.add(own)
            yield stack_command(own, on, *pile.at, ids)


def mark_of(key: str, seen: str, marks: Marks) -> str:
    """Return the number of a piece: of a unit by its id, so that the report knows it again."""
    return marks.of(key.removeprefix("unit:"), known=seen == OPEN)


def _stack_marks(pile: Pile, number: int, marks: Marks) -> Iterator[str]:
    for again in range(MAX_PIECES):
        yield marks.of(f"stack:{pile.where}:{pile.seen}:{number}:{again}", known=pile.seen == OPEN)


def _fresh(piles: Iterable[Pile], marks: Marks, there: Collection[str]) -> tuple[list[Pile], int]:
    """Return the piles without what a save has already under either mark, and how much that is."""
    found, old = [], 0
    for pile in piles:
        pieces = []
        for one in pile.pieces:
            name = one.key.removeprefix("unit:")
            if marks.known(name) in there or marks.secret(name) in there:
                old += 1
            else:
                pieces.append(one)
        if pieces:
            found.append(Pile(pile.where, pile.at, tuple(pieces), pile.seen))
    return found, old


def _rest(box: Box, ground: Battlefield) -> tuple[str, str, str]:
    return box.command, "UNMASK\t", ground.command


def _count(piles: Iterable[Pile]) -> int:
    return sum(len(pile.pieces) for pile in piles)


def packed(game: str, module: Module, comment: str, at: datetime) -> bytes:
    """Return the archive of a save or log."""
    when = int(at.astimezone(UTC).timestamp()) * 1000
    told = (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1">'
        f"<version></version><VassalVersion>{escape(module.vassal)}</VassalVersion>"
        f"<dateSaved>{when}</dateSaved><description>{escape(printable(comment))}</description></data>\n"
    )
    held = BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, content in ((GAME, veil(game, _KEY)), (DATA, told.encode()), (MODULE, module.data.encode())):
            info = zipfile.ZipInfo(entry, at.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, content)
    return held.getvalue()
