"""Saves (.vsav), and logs (.vlog) after all their steps: read from the file to plain values.

User ids, which are passwords, go from the text into `Owners` and nowhere else. No message of an error repeats anything
of what a save contains, but the name of the module of another game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_tb
from types import MappingProxyType
from typing import TypeVar

from laager.base import DataError, LaagerError, Problem
from laager.vasl.archive import Archive, open_archive, read_xml
from laager.vasl.saves.counters import kind_of, name_piece, nation_of, status_in_name
from laager.vasl.saves.game import MAIN_MAPS, Piece, Save, ScenarioInfo
from laager.vasl.saves.owners import Owners, printable
from laager.vasl.saves.placing import BoardInSave, PixelPlace, Shapes, place_at_pixel, read_layout, usual_shape
from laager.vasl.saves.replay import PRIVATE, ReplayedGame, replay_log
from laager.vasl.saves.rolls import rolls_in
from laager.vasl.saves.sequence import Commands, WorkLimit, decode, sort_commands, unveil, walk_commands
from laager.vasl.saves.stacks import apply_stacks, read_stacks
from laager.vasl.saves.traits import Traits, read_traits, traits_of

T = TypeVar("T")

GAME = "savedGame"
MODULE = "moduledata"
DATA = "savedata"
VASL = "VASL"
"""Name of VASL's module; older saves have none."""
MAX_GAME = 24 * 2**20
"""Largest saved game, veiled, in bytes."""
MAX_XML = 2**20
_DECK = "deck;"
"""Type of a deck, from which pieces are drawn: newer versions of VASSAL write it into the save."""
_INFO_PARTS = 9
_MAX_ID = 64
_LAST_YEAR = 4_102_444_800
"""Seconds to the year 2100: no save is from later."""


def read_save(path: Path, shapes: Shapes = usual_shape) -> Save:
    """Read a save. Raises DataError if it isn't one, or can't be trusted."""
    return save_of(open_archive(path), shapes)


def save_of(archive: Archive, shapes: Shapes = usual_shape) -> Save:
    """Return the save in an archive; `shapes` gives the boards. Raises DataError."""
    module, data = _texts_by_tag(archive, MODULE), _texts_by_tag(archive, DATA)
    if not _is_vasl(module.get("name", VASL)):
        name = printable(module["name"])[:40]
        archive.refuse(MODULE, f"is of a game of {name}, not of VASL", "name a save or a log of VASL")
    text, _ = run_on_entry(archive, GAME, lambda: unveil(archive.read(GAME, MAX_GAME)))
    reading = run_on_entry(archive, GAME, lambda: _GameReader(text))
    boards = run_on_entry(archive, GAME, lambda: read_layout(reading.commands.boards, shapes))
    return run_on_entry(archive, GAME, lambda: reading.save(archive, boards, module, data))


def run_on_entry(archive: Archive, entry: str, action: Callable[[], T]) -> T:
    """Return what an action on an entry returns; its DataError gets the file and the entry.

    Raises DataError; RuntimeError for a bug, without the text of the error, which may quote what
    was read, and so a user id.
    """
    problems: list[Problem] = []
    broken = ""
    try:
        return action()
    except DataError as err:
        problems = [
            problem if problem.file else replace(problem.inside(entry), file=archive.label) for problem in err.problems
        ]
    except LaagerError:
        raise
    except Exception as err:
        broken = f"{type(err).__name__} at {_code_lines(err)}"
    # Raised out here, so that neither hangs on the error that it stands for.
    if broken:
        raise RuntimeError(broken)
    raise DataError(problems)


def _code_lines(err: Exception) -> str:
    """Return the lines of our code that an error came through, the innermost last."""
    frames = [(frame.f_code, line) for frame, line in walk_tb(err.__traceback__)]
    return ", ".join(f"{Path(code.co_filename).name}:{line}" for code, line in frames[-4:])


def _is_vasl(name: str) -> bool:
    return name.upper().startswith(VASL) or not name


def _texts_by_tag(archive: Archive, entry: str) -> Mapping[str, str]:
    """Return the texts of the elements of a small XML file by their tags."""
    if entry not in archive:
        return {}
    root = read_xml(archive.read(entry, MAX_XML), archive, entry)
    return {element.tag: (element.text or "").strip() for element in root}


class _GameReader:
    """One reading of a game: its commands, its traits, and whose pieces are hidden."""

    def __init__(self, text: str) -> None:
        self.work = WorkLimit()
        self.owners = Owners()
        self.replay = _play_to_end(text, self.work)
        self.commands: Commands = self.replay.commands
        pieces = [added for added in self.commands.pieces if not added.type.startswith(_DECK)]
        self.decks = len(self.commands.pieces) - len(pieces)
        self.traits = {added.id: read_traits(traits_of(added, self.work)) for added in pieces}
        self.properties = {} if self.replay.steps else _properties(self.commands.properties)
        self._learn_secrets()

    def _learn_secrets(self) -> None:
        """Note all user ids before the first text is shown: any text may repeat one."""
        for traits in self.traits.values():
            for owner in traits.owners_of("hide", "conceal", "concealment"):
                self.owners.number(owner.user)
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
        if any(command.id in self.owners for command in added):
            raise DataError([Problem("has a piece without a valid number")])

    def save(
        self, archive: Archive, boards: tuple[BoardInSave, ...], module: Mapping[str, str], data: Mapping[str, str]
    ) -> Save:
        clean = self.owners.clean
        pieces = {id_: self._piece(id_, traits) for id_, traits in self.traits.items()}
        stacks, empty = read_stacks(self.commands.stacks, pieces, clean)
        placed = (_with_place(piece, boards) for piece in apply_stacks(pieces, stacks).values())
        return Save(
            file=archive.name,
            vasl=clean(module.get("version", ""))[:_MAX_ID],
            vassal=clean(data.get("VassalVersion", ""))[:_MAX_ID],
            saved=_iso_time(data.get("dateSaved", "")),
            comment=clean(data.get("description", "")),
            boards=boards,
            info=self._info(),
            notes=clean(self.commands.notes.strip("|\\ ")),
            extensions=tuple(self._extension(text) for text in self.commands.extensions),
            pieces=tuple(placed),
            stacks=stacks,
            empty_stacks=empty,
            owners=len(self.owners),
            others=MappingProxyType({**self.commands.others, **({"deck": self.decks} if self.decks else {})}),
            steps=self.replay.steps,
            misfits=self.replay.misfits,
            rolls=rolls_in(self.replay.chat, clean),
        )

    def _piece(self, id_: str, traits: Traits) -> Piece:
        names = name_piece(traits, self.owners.clean, self.work, self.properties)
        return Piece(
            id=id_,
            name=names.name,
            unit=names.unit,
            basic=traits.basic,
            shown=names.shown,
            kind=kind_of(traits, names),
            nation=nation_of(traits, names),
            slot=traits.slot,
            map=None if traits.at.map is None else self.owners.clean(traits.at.map),
            x=traits.at.x,
            y=traits.at.y,
            status=(*status_in_name(names.name), *["moved"] * traits.moved),
            labels=names.labels,
            facing=MappingProxyType(dict(names.facing)),
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
        numbers = (self.owners.number(owner.user) for owner in traits.owners_of(how))
        return next((number for number in numbers if number is not None), None)

    def _info(self) -> ScenarioInfo | None:
        if not self.commands.info:
            return None
        texts = [part.strip() for part in decode(self.commands.info, "\t")[:_INFO_PARTS]]
        return ScenarioInfo(*(self.owners.clean("" if text == "?" else text)[:40] for text in texts))

    def _extension(self, text: str) -> tuple[str, str]:
        name, version, *_ = [*decode(text, "\t"), "", ""]
        clean = self.owners.clean
        return clean(name)[:_MAX_ID], clean(version)[:_MAX_ID]


def _properties(texts: Iterable[str]) -> dict[str, str]:
    """Return values of properties by name; the steps of a log may have changed them since."""
    fields = (decode(text, ";") for text in texts)
    return {parts[1]: parts[2][:_MAX_ID] for parts in fields if len(parts) > 2}


def _play_to_end(text: str, work: WorkLimit) -> ReplayedGame:
    """Return a game at its end: that of a log after all its steps. Raises DataError."""
    commands, begins = [], []
    for command, begin in walk_commands(text, work):
        commands.append(command)
        begins.append(begin)
    sorted_commands = sort_commands(commands)
    return replay_log(sorted_commands, begins[len(begins) - len(sorted_commands.after) :], work)


def _with_place(piece: Piece, boards: Sequence[BoardInSave]) -> Piece:
    """Return a piece with the hex in which it lies."""
    if piece.map not in MAIN_MAPS:
        return replace(piece, place=PixelPlace())
    return replace(piece, place=place_at_pixel(boards, piece.x, piece.y))


def _iso_time(text: str) -> str | None:
    """Return a time in ms since 1970 as date and time, or None if it makes no sense."""
    if not text.isascii() or not text.isdigit() or len(text) > 16:
        return None
    seconds, thousandths = divmod(int(text), 1000)
    if seconds > _LAST_YEAR:
        return None
    moment = datetime.fromtimestamp(seconds, UTC).replace(microsecond=thousandths * 1000)
    return moment.isoformat(timespec="milliseconds")
