"""VASSAL's format of a saved game: every byte under one key, and inside sequences within sequences.

Under the key, each byte is written as two hexadecimal digits. Elements of a sequence are joined with a delimiter.
Inside an element a backslash stands before the delimiter; an element that ends with a backslash, or stands in
single quotes, is put into single quotes.
"""

from __future__ import annotations

import re
from binascii import Error as NotHexError
from binascii import unhexlify
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from laager.base import DataError, Problem

MAX_ELEMENTS = 200_000
"""Longest sequence."""
MAX_WORK = 200_000_000
"""Characters that one reading may go through in all: nesting goes through them repeatedly."""
_DELIMITER_COST = 50
"""Cost of a delimiter, in plain characters."""


class WorkLimit:
    """Counts what a reading has gone through, so that no file can keep it busy for long."""

    def __init__(self, most: int = MAX_WORK) -> None:
        self.left = most

    def spend(self, characters: int) -> None:
        """Take note of characters about to be gone through. Raises DataError if it is too much."""
        self.left -= characters
        if self.left < 0:
            raise DataError([Problem("is nested so often that reading it would take too long", "no game of VASL is")])


def decode(text: str, delimiter: str, most: int = MAX_ELEMENTS) -> list[str]:
    """Return the elements of a sequence: at least one. Raises DataError if it has over `most`."""
    if text.count(delimiter) >= MAX_ELEMENTS:
        raise DataError([Problem("has a sequence that is too long", f"{most} elements at most")])
    elements: list[str] = []
    pending: list[str] = []
    parts = text.split(delimiter)
    last = parts.pop()
    for part in parts:
        if part.endswith("\\"):
            pending.append(part[:-1])
            continue
        elements.append(_unquote(delimiter.join((*pending, part))))
        pending.clear()
    elements.append(_unquote(delimiter.join((*pending, last))))
    if len(elements) > most:
        raise DataError([Problem("has a sequence that is too long", f"{most} elements at most")])
    return elements


def encode(elements: Iterable[str], delimiter: str) -> str:
    """Return a sequence of elements."""
    return delimiter.join(_escape_element(element, delimiter) for element in elements)


def unfold(text: str, delimiter: str, work: WorkLimit, most: int) -> list[str]:
    """Return what is nested as sequences of two, from the outermost to the innermost.

    Raises DataError if it is nested over `most` times, or `work` runs out.
    """
    elements = _simply_nested(text, delimiter, work, most) or []
    if elements:
        return elements
    while len(elements) < most:
        work.spend(len(text) + _DELIMITER_COST * text.count(delimiter))
        end = _end_of_first(text, delimiter)
        elements.append(_unescape(text[:end], delimiter))
        if end == len(text):
            return elements
        text = text[end + 1 :]
        if text.count(delimiter) != text.count(f"\\{delimiter}"):
            text = text[: _end_of_first(text, delimiter)]
        text = _unescape(text, delimiter)
    raise _too_deep(most)


def _too_deep(most: int) -> DataError:
    return DataError([Problem("has a piece that is nested too deeply", f"{most} times at most")])


def _simply_nested(text: str, delimiter: str, work: WorkLimit, most: int) -> list[str] | None:
    """Return what is nested without quotes, in one go; None if it must be unfolded step by step.

    Then before the first delimiter there is no backslash, before the second one, and so on.
    Raises DataError if that goes on over `most` times: step by step it would take long to find out.
    """
    work.spend(len(text))
    *parts, last = text.split(delimiter, most)
    elements = []
    for number, part in enumerate(parts):
        plain = part.rstrip("\\")
        if len(part) - len(plain) != number or part.startswith("'"):
            return None
        elements.append(plain)
    if len(parts) == most:
        raise _too_deep(most)
    return None if last.startswith("'") else [*elements, last]


def fold(elements: Iterable[str], delimiter: str) -> str:
    """Return elements, from the outermost to the innermost, nested as `unfold` reads them."""
    text: str | None = None
    for element in reversed(tuple(elements)):
        text = _escape_element(element, delimiter) if text is None else encode((element, text), delimiter)
    return text or ""


def _end_of_first(text: str, delimiter: str) -> int:
    """Return where the first element ends."""
    at = text.find(delimiter)
    while at > 0 and text[at - 1] == "\\":
        at = text.find(delimiter, at + 1)
    return len(text) if at < 0 else at


def _unescape(element: str, delimiter: str) -> str:
    return _unquote(element.replace(f"\\{delimiter}", delimiter))


def _unquote(element: str) -> str:
    """Return an element without the single quotes around it."""
    if len(element) > 1 and element[0] == "'" == element[-1]:
        return element[1:-1]
    return element


def _escape_element(element: str, delimiter: str) -> str:
    element = element.replace(delimiter, f"\\{delimiter}")
    if element.endswith("\\") or (len(element) > 1 and element[0] == "'" == element[-1]):
        return f"'{element}'"
    return element


HEADER = b"!VCSK"
_KEY = slice(len(HEADER), len(HEADER) + 2)
_GET_ANEW = "get the file again"


def unveil(data: bytes) -> tuple[str, int | None]:
    """Return the text of a saved game, and the key: None if it was plain already.

    What is not UTF-8 is kept as lone surrogates, so that `veil` gives back the same bytes. Raises
    DataError if the veil is damaged; no message repeats anything of the text.
    """
    key: int | None = None
    if data.startswith(HEADER):
        try:
            key = unhexlify(data[_KEY])[0]
            data = unhexlify(data[_KEY.stop :].rstrip())
        except (NotHexError, IndexError):
            problem = Problem("is damaged: not written in pairs of digits", _GET_ANEW)
            raise DataError([problem]) from None
        data = data.translate(_xor_table(key))
    return data.decode("utf-8", "surrogateescape"), key


def veil(text: str, key: int | None) -> bytes:
    """Return what `unveil` reads: plain UTF-8 without a key."""
    data = text.encode("utf-8", "surrogateescape")
    if key is None:
        return data
    return HEADER + f"{key:02x}".encode() + data.translate(_xor_table(key)).hex().encode()


def _xor_table(key: int) -> bytes:
    return bytes(byte ^ key for byte in range(256))


ESCAPE = "\x1b"
MAX_COMMANDS = 100_000
MAX_NESTED = 40
"""Deepest nesting of commands in commands."""
MAX_PIECES = 10_000

BEGIN, END = "begin_save", "end_save"
LOG = "LOG\t"
"""Beginning of every command of a log's steps."""
_ID = re.compile(r"[0-9A-Za-z_.:-]{1,40}")
_PROPERTY = "GlobalProperty"
_COUNTED = ("-/", "D/", "M/", "LOG", "CHAT", "SETUP_STACK", _PROPERTY)


@dataclass(frozen=True, repr=False)
class AddCommand:
    """A piece or a stack as the game adds it. `type` and `state` are still folded together."""

    id: str
    type: str
    state: str

    def __repr__(self) -> str:
        # What is folded together may hold a user id, which is a password.
        return f"<Added: type of {len(self.type)} and state of {len(self.state)} characters>"


@dataclass(frozen=True, repr=False)
class Commands:
    """The commands of a game's starting state, by kind; what is not read is counted.

    `after` are the commands behind it: the steps of a log, and what is carried out before the first one.
    """

    pieces: tuple[AddCommand, ...] = ()
    stacks: tuple[AddCommand, ...] = ()
    boards: str = ""
    info: str = ""
    notes: str = ""
    private_notes: str = ""
    unmasking: tuple[str, ...] = ()
    artillery: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    """The values of the module's own properties, such as a side's CVP, at the start."""
    after: tuple[str, ...] = ()
    others: dict[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Commands: {len(self.pieces)} pieces, {len(self.stacks)} stacks>"


def flatten(text: str, work: WorkLimit) -> list[str]:
    """Return all commands in order, without the nesting. Raises DataError beyond the limits."""
    return [command for command, _ in walk_commands(text, work)]


def walk_commands(text: str, work: WorkLimit) -> Iterator[tuple[str, bool]]:
    """Yield all commands in order, each with whether a step of a log begins with it.

    The parts of a step are nested in it. Raises DataError beyond the limits.
    """
    if text.count(ESCAPE) > 2 * MAX_COMMANDS:
        raise DataError([Problem("has too many commands", f"{MAX_COMMANDS} at most")])
    waiting = [(text, 0, False)]
    while waiting:
        folded, depth, logged = waiting.pop()
        if not folded:
            continue
        if depth > MAX_NESTED:
            raise DataError([Problem("has commands nested in commands too deeply", f"{MAX_NESTED} times at most")])
        work.spend(len(folded))
        first, *rest = decode(folded, ESCAPE)
        begins = not logged and first.startswith(LOG)
        if first:
            yield first, begins
        waiting += [(nested, depth + 1, logged or begins) for nested in reversed(rest)]


def sort_commands(commands: list[str]) -> Commands:
    """Return the commands of the starting state by kind. Raises DataError if there is no game."""
    if BEGIN not in commands:
        raise DataError([Problem("is not a saved game of VASSAL", "choose a .vsav or .vlog, as VASSAL saved it")])
    sorting = _CommandSorter()
    started = commands[commands.index(BEGIN) + 1 :]
    end = started.index(END) if END in started else len(started)
    for command in started[:end]:
        sorting.take(command)
    return Commands(
        pieces=tuple(sorting.pieces.values()),
        stacks=tuple(sorting.stacks.values()),
        boards=sorting.first("bd"),
        info=sorting.first("INFO"),
        notes=sorting.first("NOTES"),
        private_notes=sorting.first("PNOTES"),
        unmasking=tuple(sorting.texts.get("UNMASK", ())),
        artillery=tuple(sorting.artillery),
        extensions=tuple(sorting.texts.get("EXT", ())),
        properties=tuple(sorting.texts.get(_PROPERTY, ())),
        after=tuple(started[end + 1 :]),
        others=dict(sorted(sorting.others.items())),
    )


def added_of(command: str) -> AddCommand:
    """Return what a command adds. Raises DataError if it's not a piece or stack with a valid number."""
    _, *parts = decode(command, "/", MAX_PIECES)
    if len(parts) != 3:
        problem = f"adds a piece of {len(parts)} parts"
        raise DataError([Problem(problem, "three: its number, its type and its state")])
    added = AddCommand(*parts)
    if not _ID.fullmatch(added.id):
        raise DataError([Problem("has a piece without a valid number")])
    return added


def check_number(pieces: int) -> None:
    """Raise DataError if a game has more pieces and stacks than any real one."""
    if pieces > MAX_PIECES:
        raise DataError([Problem("has too many pieces", f"{MAX_PIECES} at most")])


def kind_of_command(command: str) -> str:
    """Return the word under which a command that is not read is counted."""
    known = next((prefix for prefix in _COUNTED if command.startswith(prefix)), "other")
    return known.rstrip("/")


class _CommandSorter:
    def __init__(self) -> None:
        self.pieces: dict[str, AddCommand] = {}
        self.stacks: dict[str, AddCommand] = {}
        self.texts: dict[str, list[str]] = {}
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
            self.texts.setdefault(word, []).append(rest)
            return
        if tab and word == _PROPERTY:
            self.texts.setdefault(word, []).append(rest)
        self.others[kind_of_command(command)] += 1

    def first(self, word: str) -> str:
        """Return the text of the first command of a kind: later ones are for other windows."""
        return self.texts.get(word, [""])[0]

    def _add(self, command: str) -> None:
        added = added_of(command)
        if added.id in self.pieces or added.id in self.stacks:
            raise DataError([Problem("adds two pieces under one number", "one each")])
        (self.stacks if added.type == "stack" else self.pieces)[added.id] = added
        check_number(len(self.pieces) + len(self.stacks))
