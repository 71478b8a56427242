"""Commands: what a saved game tells VASSAL to do, sorted by what it is about."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from laager.base import DataError, Problem
from laager.vasl.saves.sequence import Work, decode

ESCAPE = "\x1b"
MAX_COMMANDS = 100_000
MAX_NESTED = 40
"""How often commands may be nested in commands."""
MAX_PIECES = 10_000
MAX_BOARDS_TEXT = 100_000

BEGIN, END = "begin_save", "end_save"
_ID = re.compile(r"[0-9A-Za-z_.:-]{1,40}")
_COUNTED = ("-/", "D/", "M/", "LOG", "CHAT", "SETUP_STACK", "GlobalProperty")


@dataclass(frozen=True, repr=False)
class Added:
    """A piece or a stack as the game adds it. `type` and `state` are still folded together."""

    id: str
    type: str
    state: str

    def __repr__(self) -> str:
        # What is folded together may hold a user id, which is a password.
        return f"<Added: type of {len(self.type)} and state of {len(self.state)} characters>"


@dataclass(frozen=True, repr=False)
class Commands:
    """The commands of a game's starting state, by kind; what is not read is counted."""

    pieces: tuple[Added, ...] = ()
    stacks: tuple[Added, ...] = ()
    boards: str = ""
    info: str = ""
    notes: str = ""
    private_notes: str = ""
    unmasking: tuple[str, ...] = ()
    artillery: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    steps: int = 0
    others: dict[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Commands: {len(self.pieces)} pieces, {len(self.stacks)} stacks>"


def flatten(text: str, work: Work) -> list[str]:
    """Return all commands in order, without the nesting. Raises DataError beyond the limits."""
    if text.count(ESCAPE) > 2 * MAX_COMMANDS:
        raise DataError([Problem("has too many commands", f"{MAX_COMMANDS} at most")])
    found: list[str] = []
    waiting = [(text, 0)]
    while waiting:
        folded, depth = waiting.pop()
        if not folded:
            continue
        if depth > MAX_NESTED:
            raise DataError([Problem("has commands nested in commands too deeply", f"{MAX_NESTED} times at most")])
        work.spend(len(folded))
        first, *rest = decode(folded, ESCAPE)
        if first:
            found.append(first)
        waiting += [(one, depth + 1) for one in reversed(rest)]
    return found


def sort(commands: list[str]) -> Commands:
    """Return the commands of the starting state by kind. Raises DataError if there is no game."""
    if BEGIN not in commands:
        raise DataError([Problem("is not a saved game of VASSAL", f"it must have {BEGIN}")])
    sorting = _Sorting()
    started = commands[commands.index(BEGIN) + 1 :]
    for command in started:
        if command == END:
            break
        sorting.take(command)
    steps = sum(command.startswith("LOG\t") for command in started)
    return Commands(
        pieces=tuple(sorting.pieces.values()),
        stacks=tuple(sorting.stacks.values()),
        boards=sorting.first("bd"),
        info=sorting.first("INFO"),
        notes=sorting.first("NOTES"),
        private_notes=sorting.first("PNOTES"),
        unmasking=tuple(sorting.told.get("UNMASK", ())),
        artillery=tuple(sorting.artillery),
        extensions=tuple(sorting.told.get("EXT", ())),
        steps=steps,
        others=dict(sorted(sorting.others.items())),
    )


class _Sorting:
    def __init__(self) -> None:
        self.pieces: dict[str, Added] = {}
        self.stacks: dict[str, Added] = {}
        self.told: dict[str, list[str]] = {}
        self.artillery: list[str] = []
        self.others: Counter[str] = Counter()

    def take(self, command: str) -> None:
        if command.startswith("+/"):
            self._add(command)
            return
        if command.startswith("OBA/"):
            self.artillery.append(command)
            return
        word, tab, rest = command.partition("\t")
        if tab and word in ("bd", "INFO", "NOTES", "PNOTES", "UNMASK", "EXT"):
            self.told.setdefault(word, []).append(rest)
            return
        known = next((one for one in _COUNTED if command.startswith(one)), "other")
        self.others[known.rstrip("/")] += 1

    def first(self, word: str) -> str:
        """Return what the first command of a kind tells: later ones are for other windows."""
        return self.told.get(word, [""])[0]

    def _add(self, command: str) -> None:
        _, *parts = decode(command, "/", MAX_PIECES)
        if len(parts) != 3:
            what = f"adds a piece of {len(parts)} parts"
            raise DataError([Problem(what, "three: its number, its type and its state")])
        added = Added(*parts)
        if not _ID.fullmatch(added.id):
            raise DataError([Problem("has a piece without a valid number")])
        if added.id in self.pieces or added.id in self.stacks:
            raise DataError([Problem("adds two pieces under one number", "one each")])
        if len(self.pieces) + len(self.stacks) >= MAX_PIECES:
            raise DataError([Problem("has too many pieces", f"{MAX_PIECES} at most")])
        (self.stacks if added.type == "stack" else self.pieces)[added.id] = added
