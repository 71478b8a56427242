"""Saves (.vsav), and logs (.vlog) after all their steps: read from the file to plain values.

User ids, which are passwords, go from the text into `Owners` and nowhere else. No message of an error repeats anything
of what a save contains, but the name of the module of another game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_tb
from types import MappingProxyType
from typing import TypeVar

from laager.base import DataError, LaagerError, Problem
from laager.vasl.archive import Archive, open_archive, read_xml
from laager.vasl.saves.counters import kind_of, naming, nation_of, own_status
from laager.vasl.saves.game import MAIN_MAPS, Info, Piece, Save
from laager.vasl.saves.owners import Owners, printable
from laager.vasl.saves.placing import Laid, PixelPlace, Shapes, find, read_layout, usual_shape
from laager.vasl.saves.replay import PRIVATE, Replayed, replayed
from laager.vasl.saves.rolls import rolls_in
from laager.vasl.saves.sequence import Commands, WorkLimit, decode, sort, unveil, walk
from laager.vasl.saves.stacks import read_stacks, settled
from laager.vasl.saves.traits import Traits, read_traits, traits_of

T = TypeVar("T")

GAME = "savedGame"
MODULE = "moduledata"
DATA = "savedata"
VASL = "VASL"
"""What VASL's module is called; in older saves nothing is."""
MAX_GAME = 24 * 2**20
"""Largest saved game, veiled, in bytes."""
MAX_XML = 2**20
_INFO_PARTS = 9
_MAX_ID = 64
_LAST_YEAR = 4_102_444_800
"""Seconds to the year 2100: no save is from later."""


def read_save(path: Path, shapes: Shapes = usual_shape) -> Save:
    """Read a save. Raises DataError if it isn't one, or can't be trusted."""
    return save_of(open_archive(path), shapes)


def save_of(archive: Archive, shapes: Shapes = usual_shape) -> Save:
    """Return the save in an archive; `shapes` gives the boards. Raises DataError."""
    module, data = _words(archive, MODULE), _words(archive, DATA)
    if not _is_vasl(module.get("name", VASL)):
        name = printable(module["name"])[:40]
        archive.refuse(MODULE, f"is of a game of {name}, not of VASL", "name a save or a log of VASL")
    text, _ = within(archive, GAME, lambda: unveil(archive.read(GAME, MAX_GAME)))
    reading = within(archive, GAME, lambda: _Reading(text))
    boards = within(archive, GAME, lambda: read_layout(reading.commands.boards, shapes))
    return within(archive, GAME, lambda: reading.save(archive, boards, module, data))


def within(archive: Archive, entry: str, action: Callable[[], T]) -> T:
    """Do something with an entry; a refusal names the file and the entry.

    Raises DataError; RuntimeError for a bug, without the text of the error, which may quote what
    was read, and so a user id.
    """
    problems: list[Problem] = []
    broken = ""
    try:
        return action()
    except DataError as err:
        problems = [one if one.file else replace(one.inside(entry), file=archive.label) for one in err.problems]
    except LaagerError:
        raise
    except Exception as err:
        broken = f"{type(err).__name__} at {_where(err)}"
    # Raised out here, so that neither hangs on the error that it stands for.
    if broken:
        raise RuntimeError(broken)
    raise DataError(problems)


def _where(err: Exception) -> str:
    """Return the lines of our code that an error came through, the innermost last."""
    frames = [(frame.f_code, line) for frame, line in walk_tb(err.__traceback__)]
    return ", ".join(f"{Path(code.co_filename).name}:{line}" for code, line in frames[-4:])


def _is_vasl(name: str) -> bool:
    return name.upper().startswith(VASL) or not name


def _words(archive: Archive, entry: str) -> Mapping[str, str]:
    """Return the texts of the elements of a small XML file by their tags."""
    if entry not in archive:
        return {}
    root = read_xml(archive.read(entry, MAX_XML), archive, entry)
    return {one.tag: (one.text or "").strip() for one in root}


class _Reading:
    """One reading of a game: its commands, its traits, and whose pieces are hidden."""

    def __init__(self, text: str) -> None:
        self.work = WorkLimit()
        self.owners = Owners()
        self.replay = _played(text, self.work)
        self.commands: Commands = self.replay.commands
        self.traits = {added.id: read_traits(traits_of(added, self.work)) for added in self.commands.pieces}
        self._learn_secrets()

    def _learn_secrets(self) -> None:
        """Note all user ids before the first text is shown: any text may repeat one."""
        for traits in self.traits.values():
            for one in traits.owned("hide", "conceal", "concealment"):
                self.owners.number(one.user)
        for user in self.replay.users:
            self.owners.keep_secret(user)
        for text in self.commands.unmasking:
            for user in decode(text, "\t"):
                self.owners.keep_secret(user)
        for user in decode(self.commands.info, "\t")[PRIVATE::2]:
            self.owners.keep_secret(user)
        for command in self.commands.artillery:
            parts = decode(command, "/")
            self.owners.keep_secret(decode(parts[-1], ",")[0])
        for user in decode(self.commands.private_notes, "\t")[::2]:
            self.owners.keep_secret(user)
        added = (*self.commands.pieces, *self.commands.stacks)
        if any(one.id in self.owners for one in added):
            raise DataError([Problem("has a piece without a valid number")])

    def save(
        self, archive: Archive, boards: tuple[Laid, ...], module: Mapping[str, str], data: Mapping[str, str]
    ) -> Save:
        clean = self.owners.clean
        pieces = {id_: self._piece(id_, traits) for id_, traits in self.traits.items()}
        stacks, empty = read_stacks(self.commands.stacks, pieces, clean)
        placed = (_placed(piece, boards) for piece in settled(pieces, stacks).values())
        return Save(
            file=archive.name,
            vasl=clean(module.get("version", ""))[:_MAX_ID],
            vassal=clean(data.get("VassalVersion", ""))[:_MAX_ID],
            saved=_when(data.get("dateSaved", "")),
            comment=clean(data.get("description", "")),
            boards=boards,
            info=self._info(),
            notes=clean(self.commands.notes.strip("|\\ ")),
            extensions=tuple(self._extension(one) for one in self.commands.extensions),
            pieces=tuple(placed),
            stacks=stacks,
            empty_stacks=empty,
            owners=len(self.owners),
            others=MappingProxyType(self.commands.others),
            steps=self.replay.steps,
            misfits=self.replay.misfits,
            rolls=rolls_in(self.replay.chat, clean),
        )

    def _piece(self, id_: str, traits: Traits) -> Piece:
        named = naming(traits, self.owners.clean, self.work)
        return Piece(
            id=id_,
            name=named.name,
            unit=named.unit,
            basic=traits.basic,
            shown=named.shown,
            kind=kind_of(traits, named),
            nation=nation_of(traits, named),
            slot=traits.slot,
            map=None if traits.at.map is None else self.owners.clean(traits.at.map),
            x=traits.at.x,
            y=traits.at.y,
            status=(*own_status(named.name), *["moved"] * traits.moved),
            labels=named.labels,
            facing=MappingProxyType(dict(named.facing)),
            turned=traits.turned,
            hidden_by=self._owner(traits, "hide"),
            concealed_by=self._owner(traits, "conceal"),
            counter_of=self._owner(traits, "concealment"),
            mover=self.owners.clean(traits.mover)[:_MAX_ID] or None,
            hindrance=traits.marks.get("Hindrance") == "true",
            marks_location="Location" in traits.marks,
            unread=traits.unread,
        )

    def _owner(self, traits: Traits, how: str) -> int | None:
        numbers = (self.owners.number(one.user) for one in traits.owned(how))
        return next((number for number in numbers if number is not None), None)

    def _info(self) -> Info | None:
        if not self.commands.info:
            return None
        told = [part.strip() for part in decode(self.commands.info, "\t")[:_INFO_PARTS]]
        return Info(*(self.owners.clean("" if one == "?" else one)[:40] for one in told))

    def _extension(self, text: str) -> tuple[str, str]:
        name, version, *_ = [*decode(text, "\t"), "", ""]
        clean = self.owners.clean
        return clean(name)[:_MAX_ID], clean(version)[:_MAX_ID]


def _played(text: str, work: WorkLimit) -> Replayed:
    """Return a game at its end: that of a log after all its steps. Raises DataError."""
    commands, begins = [], []
    for command, begin in walk(text, work):
        commands.append(command)
        begins.append(begin)
    found = sort(commands)
    return replayed(found, begins[len(begins) - len(found.after) :], work)


def _placed(piece: Piece, boards: Sequence[Laid]) -> Piece:
    """Return a piece with the hex in which it lies."""
    if piece.map not in MAIN_MAPS:
        return replace(piece, place=PixelPlace())
    return replace(piece, place=find(boards, piece.x, piece.y))


def _when(text: str) -> str | None:
    """Return a time in ms since 1970 as date and time, or None if it makes no sense."""
    if not text.isascii() or not text.isdigit() or len(text) > 16:
        return None
    seconds, thousandths = divmod(int(text), 1000)
    if seconds > _LAST_YEAR:
        return None
    told = datetime.fromtimestamp(seconds, UTC).replace(microsecond=thousandths * 1000)
    return told.isoformat(timespec="milliseconds")
