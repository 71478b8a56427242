"""The log: numbered entries, each carrying the hash of the one before.

`Entry` is one line. On disk a campaign is one JSON-lines file (`FileStore`); tests and servers may
keep the lines elsewhere behind the same small interface (`Store`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from pydantic_core import from_json, to_json

from laager.base import DataError, Problem, Refusal, RefusedError, disk

Audience = tuple[str, ...] | None
"""The sides that may know an entry; None for everybody."""

EntryType = Literal[
    "open", "seed", "step", "fact", "answer", "roll", "done",
    "undo", "redo", "undo-asked", "undo-refused", "redo-asked", "redo-refused",
    "declared", "end-asked", "end-refused", "settle-asked", "settle-refused", "revealed",
    "ruling-asked", "ruling-secret", "ruling-agreed", "ruling-refused", "ruling", "ruled", "reopened", "named",
    "patience-asked", "patience-refused", "patience", "late",
]  # fmt: skip

NEEDED: Mapping[str, Mapping[str, type]] = {
    "open": {"ruleset": str, "title": str, "dice": dict},
    "seed": {"seed": str},
    "step": {"step": str, "clause": str},
    "fact": {"kind": str, "fact": dict},
    "declared": {"kind": str, "fact": dict},
    "answer": {"side": str, "key": str, "text": str},
    "roll": {
        "side": str, "label": str, "dice": str, "faces": list, "modifiers": list, "final": int,
        "source": str, "stream": str, "number": int,
    },
    "done": {"step": str},
    "undo": {"to": int, "by": str},
    "undo-asked": {"to": int, "by": str},
    "undo-refused": {"by": str},
    "redo": {"by": str},
    "redo-asked": {"by": str},
    "redo-refused": {"by": str},
    "end-asked": {"by": str},
    "end-refused": {"by": str},
    "settle-asked": {"by": str},
    "settle-refused": {"by": str},
    "revealed": {"seed": str},
    "ruling-asked": {"by": str, "why": str, "facts": list, "secret": dict},
    "ruling-secret": {"facts": list},
    "ruling-agreed": {"by": str},
    "ruling-refused": {"by": str},
    "ruling": {"by": str, "why": str, "agreed": list, "secret": dict},
    "ruled": {"kind": str, "fact": dict},
    "reopened": {"side": str, "key": str, "nth": int},
    "named": {"side": str, "unit": str, "name": str},
    "patience-asked": {"by": str, "days": int, "then": str},
    "patience-refused": {"by": str},
    "patience": {"by": str, "days": int, "then": str},
    "late": {"by": str, "side": str, "since": str},
}  # fmt: skip
"""What the body of an entry of each type must have at least."""

REQUESTS = frozenset({
    "undo-asked", "undo-refused", "redo-asked", "redo-refused", "end-asked", "end-refused",
    "settle-asked", "settle-refused", "ruling-asked", "ruling-secret", "ruling-agreed", "ruling-refused", "named",
    "patience-asked", "patience-refused", "patience", "late",
})  # fmt: skip
"""Requests between the sides, their refusals, names that a side gives its units, and what is agreed about time; they
change nothing."""

FACTS = frozenset({"fact", "declared", "ruled"})
"""The entries with a fact: from the rules, from outside the steps, from a ruling."""

ROOT = "0" * 64
_TAIL = len(',"hash":""}') + 64


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log.

    `number` counts from 1, `at` is UTC in ISO form, `lane` names the procedure inside a step (empty
    for the whole table, else the side), `to` is the audience, `body` depends on the type. The
    number is left out of its repr: gaps would reveal what happened in secret.
    """

    number: int = field(repr=False)
    type: EntryType
    body: dict[str, Any]
    at: str = ""
    lane: str = ""
    to: Audience = None


def encode(entry: Entry, previous: str) -> tuple[bytes, str]:
    """Return the line of an entry (with newline) and its hash, chained to the previous one."""
    head: dict[str, Any] = {"n": entry.number, "at": entry.at, "type": entry.type}
    if entry.lane:
        head["lane"] = entry.lane
    if entry.to is not None:
        head["to"] = list(entry.to)
    head |= {"body": entry.body, "prev": previous}
    text = to_json(head)[:-1]
    digest = hashlib.sha256(text).hexdigest()
    return text + f',"hash":"{digest}"}}\n'.encode(), digest


def decode(line: bytes, number: int, previous: str) -> tuple[Entry, str]:
    """Return the entry on a line and its hash. Raises ValueError saying what is wrong with it."""
    stripped = line.rstrip(b"\n")
    digest = hashlib.sha256(stripped[:-_TAIL]).hexdigest()
    if stripped[-_TAIL:] != f',"hash":"{digest}"}}'.encode():
        raise ValueError("its hash doesn't fit: the line was changed or isn't complete")
    raw = from_json(stripped)
    if raw["prev"] != previous:
        raise ValueError("it doesn't follow the line before: lines are missing or swapped")
    if raw["n"] != number:
        raise ValueError(f"it is numbered {raw['n']} where {number} is due")
    to = raw.get("to")
    audience = None if to is None else tuple(to)
    return Entry(number, raw["type"], raw["body"], raw["at"], raw.get("lane", ""), audience), digest


def check_body(entry: Entry) -> str:
    """Return what is wrong with an entry, whatever its hash says; "" if nothing is."""
    kind: str = entry.type
    body: Any = entry.body
    if kind not in NEEDED:
        return f"it is of type {kind!r}, which this Laager doesn't know; was it written by a newer one?"
    for name, wanted in NEEDED[kind].items():
        if not isinstance(body, dict) or not isinstance(body.get(name), wanted):
            return f"it isn't a valid entry of type {kind!r}: its {name} is missing or wrong"
    if kind == "answer" and "value" not in body:
        return "it is an answer without a value"
    if kind == "open" and not {"mode", "commitment"} <= set(body["dice"]):
        return "it doesn't say where the dice come from"
    return ""


@dataclass(frozen=True)
class Loaded:
    """What a store held: its entries, the hash of the last, and what had to be cut off."""

    entries: tuple[Entry, ...]
    head: str
    repaired: str = ""


def read_lines(data: bytes, name: str) -> tuple[Loaded, int]:
    """Decode a log. Returns it with the length in bytes of its good part.

    A torn last line (an interrupted write) is left out and reported; anything else wrong raises
    DataError with the line.
    """
    entries: list[Entry] = []
    head, good = ROOT, 0
    lines = data.splitlines(keepends=True)
    for i, line in enumerate(lines):
        try:
            if not line.endswith(b"\n"):
                raise ValueError("it isn't complete")
            entry, head = decode(line, i + 1, head)
        except (ValueError, KeyError, TypeError) as err:
            if i == len(lines) - 1 and i > 0 and not line.endswith(b"\n"):
                note = f"line {i + 1} was cut off while it was written; it has been left out"
                return Loaded(tuple(entries), head, note), good
            wrong = err.args[0] if isinstance(err, ValueError) and err.args else "not a log line"
            right = "restore the file from a copy" if i else "is this a campaign file?"
            raise DataError([Problem(str(wrong), right, line=i + 1, file=name)], Refusal.BROKEN_LOG) from None
        entries.append(entry)
        good += len(line)
    return Loaded(tuple(entries), head), good


class Store(Protocol):
    """Where the lines of one campaign are kept. Appends are atomic and durable."""

    name: str

    def load(self) -> Loaded:
        """Return all entries."""
        ...

    def append(self, entries: Sequence[Entry]) -> None:
        """Add entries; all are stored when this returns, or an error is raised."""
        ...


class MemoryStore:
    """Keeps a campaign in memory, encoded as on disk."""

    def __init__(self, data: bytes = b"", name: str = "memory") -> None:
        self._written = bytearray(data)
        self.name = name
        self._head = ROOT

    @property
    def data(self) -> bytes:
        """The lines as they would be in a file."""
        return bytes(self._written)

    def load(self) -> Loaded:
        """Return all entries."""
        loaded, good = read_lines(self.data, self.name)
        del self._written[good:]
        self._head = loaded.head
        return loaded

    def append(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        text, self._head = _encode_all(entries, self._head)
        self._written += text


def _encode_all(entries: Iterable[Entry], head: str) -> tuple[bytes, str]:
    lines = []
    for entry in entries:
        line, head = encode(entry, head)
        lines.append(line)
    return b"".join(lines), head


class FileStore:
    """A campaign file, held for this process alone while it is open (`with FileStore(path)`).

    Raises RefusedError (locked) if another process holds it, DataError if it isn't a campaign.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self._head = ROOT
        self._length = 0
        self._lock: Any = None

    def __enter__(self) -> Self:
        from filelock import FileLock, Timeout

        if not self.path.parent.is_dir():
            raise DataError([Problem("this folder doesn't exist", file=str(self.path.parent))])
        lock = FileLock(self.path.with_name(f".{self.path.name}.lock"))
        try:
            lock.acquire(timeout=0)
        except (Timeout, FileNotFoundError) as err:
            if disk.too_long(self.path) and not self.path.exists():
                wrong = f"Windows can't keep a file whose name with all its folders is this long: {self.path.resolve()}"
                raise RefusedError(Refusal.BAD_DATA, wrong, "choose a folder nearer to the drive") from None
            if isinstance(err, FileNotFoundError):
                raise
            raise RefusedError(
                Refusal.LOCKED, f"another laager is using {self.path}", "nothing was changed: try again when it is done"
            ) from None
        self._lock = lock
        return self

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, tb: TracebackType | None) -> None:
        if not self.path.exists():
            # What could not be made leaves no lock behind; on Windows it is gone with its release.
            with suppress(OSError):
                Path(self._lock.lock_file).unlink()
        self._lock.release()

    def create(self, entries: Sequence[Entry]) -> None:
        """Write a new campaign; all of it or nothing. Raises RefusedError if the file exists."""
        if unusable := disk.unusable_name(self.path.name):
            raise RefusedError(Refusal.BAD_DATA, unusable, "name another file with --file")
        if self.path.exists():
            sentence = f"{self.path} exists already; choose another name or move it away"
            raise RefusedError(Refusal.BAD_DATA, sentence)
        text, self._head = _encode_all(entries, ROOT)
        self._length = len(text)
        disk.replace(self.path, text)

    def load(self) -> Loaded:
        """Return all entries; a torn last line is left out and will be overwritten."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            raise DataError([Problem("this campaign file doesn't exist", file=self.name)]) from None
        except OSError as err:
            raise DataError([Problem(f"can't be read ({err.strerror})", file=self.name)]) from None
        if not data:
            raise DataError([Problem("the file is empty", "is this a campaign file?", file=self.name)])
        loaded, self._length = read_lines(data, self.name)
        self._head = loaded.head
        return loaded

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries behind the last good line and wait until they are on the disk."""
        text, head = _encode_all(entries, self._head)
        try:
            with self.path.open("r+b") as out:
                out.truncate(self._length)
                out.seek(self._length)
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
        except OSError as err:
            self._cut_back()
            raise RefusedError(
                Refusal.BROKEN_LOG, f"{self.path} could not be written ({err.strerror})", "nothing counts"
            ) from err
        self._head, self._length = head, self._length + len(text)

    def _cut_back(self) -> None:
        """Cut off what a failed write left behind; whole lines of it would count."""
        with suppress(OSError):
            os.truncate(self.path, self._length)


class StagedStore:
    """Holds back what is appended until all of it is wanted (`commit`), or drops it."""

    def __init__(self, under: Store) -> None:
        self.under = under
        self.name = under.name
        self.held: list[Entry] = []

    def load(self) -> Loaded:
        """Return all entries of the store underneath."""
        return self.under.load()

    def append(self, entries: Sequence[Entry]) -> None:
        """Hold entries back."""
        self.held += entries

    def commit(self) -> None:
        """Store what was held back, all at once."""
        held, self.held = self.held, []
        if held:
            self.under.append(held)
