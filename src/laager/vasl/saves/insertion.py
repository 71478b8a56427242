"""Changing a save without touching anything else: commands put before the end of its starting state, or exchanged."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from io import BytesIO

from laager.base import DataError, Problem
from laager.vasl.saves.save import GAME
from laager.vasl.saves.sequence import BEGIN, END, ESCAPE, WorkLimit, flatten, veil

_END = re.compile(rf"(\\*){ESCAPE}{END}(?=\\*{ESCAPE}|$)")


class Insertion:
    """The text of a game, being changed; `name` stands for its file in messages."""

    def __init__(self, text: str, name: str) -> None:
        self.before = self.text = text
        self.name = name
        self.commands = flatten(text, WorkLimit())
        self.expected = list(self.commands)

    def refuse(self, problem: str) -> DataError:
        """Return the error that nothing was changed."""
        return DataError([Problem(problem, "save it anew with VASL", GAME, file=self.name)])

    def insert(self, commands: Sequence[str]) -> None:
        """Put commands before the end of the starting state, at the same depth of nesting. Raises DataError."""
        match = _END.search(self.text, self.text.find(BEGIN))
        if match is None:
            raise self.refuse("has no end of its starting state")
        at = match.end() - len(END)
        joint = f"{match[1]}{ESCAPE}"
        self.text = "".join((self.text[:at], *(f"{command}{joint}" for command in commands), self.text[at:]))
        place = self.expected.index(END, self.expected.index(BEGIN))
        self.expected[place:place] = commands

    def swap(self, old: str, new: str | None) -> None:
        """Put a command in another's place; without one, take it out."""
        if self.text.count(old) != 1:
            raise self.refuse("holds a label of ours twice")
        at = self.text.index(old)
        behind = self.text[at + len(old) :]
        if new is None:
            before = re.search(rf"(\\*){ESCAPE}$", self.text[max(0, at - 80) : at])
            after = re.match(rf"(\\*){ESCAPE}", behind)
            if before and after and before[1] == after[1]:
                behind = behind[after.end() :]
        self.text = f"{self.text[:at]}{new or ''}{behind}"
        self.expected[self.expected.index(old)] = new or ""

    def prove(self) -> None:
        """Raise DataError unless the game has the old commands with the changes made here, and nothing else."""
        if flatten(self.text, WorkLimit()) != [command for command in self.expected if command]:
            raise self.refuse("could not be changed without touching anything else")

    def pack(self, data: bytes, key: int | None) -> bytes:
        """Return the archive with the changed game in it; all other entries as they were, in their order."""
        buffer = BytesIO()
        with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
            new.comment = old.comment
            for info in old.infolist():
                new.writestr(info, veil(self.text, key) if info.filename == GAME else old.read(info))
        return buffer.getvalue()
