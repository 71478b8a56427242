"""The file: a setup as a save, as an addition to a save, or as a log of one step.

It holds no user id and no time of play: the number of a piece is a mark (`marks`), the order of the commands that of
the map. What only one side knows is in that side's file alone.
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
from laager.vasl.saves.save import DATA, GAME, MAX_GAME, MODULE, run_on_entry, save_of
from laager.vasl.saves.sequence import BEGIN, END, ESCAPE, MAX_PIECES, encode, unveil, veil
from laager.vasl.setup.board import LaidBoards
from laager.vasl.setup.counters import stack_command
from laager.vasl.setup.module import VaslModule
from laager.vasl.setup.plan import OPEN, Pile

_KEY = 0x4C
"""The key of the veil: it hides nothing, so it may be the same always."""


@dataclass(frozen=True)
class ScenarioBox:
    """The scenario box: the side that moves first and now (`Axis` or `Allied`), the turn, ELR and SAN by side.

    Unknown values are "".
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
        values = (self.first, self.first, self.turn, self.axis_elr, self.axis_san, self.allied_elr, self.allied_san)
        fields = [value or " ? " for value in (*values, "", "")]
        return encode(("INFO", *fields, printable(self.notes).replace("\n", "|").replace("\t", " ")), "\t")


@dataclass(frozen=True)
class WrittenFile:
    """A written file, with the number of pieces added and of those it had already."""

    data: bytes
    pieces: int
    there: int = 0


def write_save(
    piles: Sequence[Pile],
    marks: Marks,
    ground: LaidBoards,
    module: VaslModule,
    box: ScenarioBox,
    comment: str,
    at: datetime,
) -> WrittenFile:
    """Return a save that sets up piles; `at` is the time that it bears."""
    pieces = _nest("", placing_commands(piles, marks, module.map))
    game = encode((BEGIN, pieces, *_state(box, ground, module, piles), END), ESCAPE)
    return WrittenFile(pack_game(game, module, comment, at), _count(piles))


def write_log(
    piles: Sequence[Pile],
    marks: Marks,
    ground: LaidBoards,
    module: VaslModule,
    box: ScenarioBox,
    comment: str,
    at: datetime,
) -> WrittenFile:
    """Return a log of one step that adds piles to the game that is open (File, Load Continuation)."""
    # Each command has its own LOG; only the first is a step, the others are parts of it.
    first, *rest = [f"LOG\t{command}" for command in placing_commands(piles, marks, module.map)] or [""]
    game = encode((BEGIN, *_state(box, ground, module, piles), END, _nest(first, rest)), ESCAPE)
    return WrittenFile(pack_game(game, module, comment, at), _count(piles))


def _nest(first: str, rest: Iterable[str]) -> str:
    """Return commands as one element of a sequence of commands: each further one is a sequence again."""
    return encode((first, *(encode((command,), ESCAPE) for command in rest)), ESCAPE)


def add_to(data: bytes, name: str, piles: Sequence[Pile], marks: Marks) -> WrittenFile:
    """Return a save with piles added, all else as it was; what it has already is left as it is.

    `name` stands for the save in messages. Raises DataError if it is none to trust or cannot take them.
    """
    if len(data) > MAX_FILE:
        raise DataError([Problem("is too large", f"{MAX_FILE} bytes at most", file=name)])
    archive = Archive(data, name)
    save = save_of(archive)
    if save.steps:
        raise DataError([Problem("is a log", "save the game in VASL, and name that save", file=name)])
    known_ids = {piece.id for piece in save.pieces} | {stack.id for stack in save.stacks}
    fresh, old = _without_existing(piles, marks, known_ids)
    if not fresh:
        return WrittenFile(data, 0, old)
    map_name = next((piece.map for piece in save.pieces if piece.map in MAIN_MAPS), None) or MAIN_MAPS[0]
    added = list(placing_commands(fresh, marks, map_name, known_ids))
    if len(save.pieces) + len(save.stacks) + len(added) > MAX_PIECES:
        raise DataError([Problem("would have too many pieces", f"{MAX_PIECES} at most", file=name)])

    def change() -> WrittenFile:
        text, key = unveil(archive.read(GAME, MAX_GAME))
        insertion = Insertion(text, archive.label)
        insertion.insert(added)
        insertion.prove()
        return WrittenFile(insertion.pack(data, key), _count(fresh), old)

    return run_on_entry(archive, GAME, change)


def placing_commands(piles: Iterable[Pile], marks: Marks, map_name: str, taken: Collection[str] = ()) -> Iterator[str]:
    """Yield the commands that put piles on a map: the pieces of each, then its stack."""
    used = set(taken)
    for number, pile in enumerate(piles):
        ids = []
        for piece in pile.pieces:
            mark = mark_of(piece.key, pile.seen, marks)
            used.add(mark)
            yield piece.counter.command(mark, map_name, *pile.at)
            if piece.counter.stacks:
                ids.append(mark)
        if ids:
            stack_mark = next(mark for mark in _stack_marks(pile, number, marks) if mark not in used)
            used.add(stack_mark)
            yield stack_command(stack_mark, map_name, *pile.at, ids)


def mark_of(key: str, how: str, marks: Marks) -> str:
    """Return the number of a piece: of a unit by its id, so that the report knows it again."""
    return marks.of(key.removeprefix("unit:"), known=how == OPEN)


def _stack_marks(pile: Pile, number: int, marks: Marks) -> Iterator[str]:
    for again in range(MAX_PIECES):
        yield marks.of(f"stack:{pile.where}:{pile.seen}:{number}:{again}", known=pile.seen == OPEN)


def _without_existing(piles: Iterable[Pile], marks: Marks, known_ids: Collection[str]) -> tuple[list[Pile], int]:
    """Return the piles without the pieces that a save has already under either mark, and the number of those."""
    remaining, old = [], 0
    for pile in piles:
        pieces = []
        for piece in pile.pieces:
            name = piece.key.removeprefix("unit:")
            if marks.open_mark(name) in known_ids or marks.secret(name) in known_ids:
                old += 1
            else:
                pieces.append(piece)
        if pieces:
            remaining.append(Pile(pile.where, pile.at, tuple(pieces), pile.seen))
    return remaining, old


def _state(box: ScenarioBox, ground: LaidBoards, module: VaslModule, piles: Sequence[Pile]) -> Iterator[str]:
    """Yield the commands of a starting state that aren't about pieces; VASL misses the extensions that they name."""
    yield from (box.command, "UNMASK\t", ground.command)
    numbers = (piece.counter.read.slot for pile in piles for piece in pile.pieces)
    yield from (encode(("EXT", used.name, used.version), "\t") for used in module.extensions_of(numbers))


def _count(piles: Iterable[Pile]) -> int:
    return sum(len(pile.pieces) for pile in piles)


def pack_game(game: str, module: VaslModule, comment: str, at: datetime) -> bytes:
    """Return the archive of a save or log."""
    when = int(at.astimezone(UTC).timestamp()) * 1000
    details = (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1">'
        f"<version></version><VassalVersion>{escape(module.vassal)}</VassalVersion>"
        f"<dateSaved>{when}</dateSaved><description>{escape(printable(comment))}</description></data>\n"
    )
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for entry, content in ((GAME, veil(game, _KEY)), (DATA, details.encode()), (MODULE, module.data.encode())):
            info = zipfile.ZipInfo(entry, at.timetuple()[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, content)
    return buffer.getvalue()
