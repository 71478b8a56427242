"""Saves of our own: a writer made from the description of the format, not from the reader."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from laager.vasl.archive import Archive

ESC, TAB = "\x1b", "\t"
NEW, OLD = "Main Map", "Map0"


def sequence(elements: Iterable[str], delimiter: str) -> str:
    """Join elements: a delimiter inside gets a backslash, awkward elements get quotes."""
    written = []
    for element in elements:
        escaped = element.replace(delimiter, "\\" + delimiter)
        quoted = len(escaped) >= 2 and escaped.startswith("'") and escaped.endswith("'")
        written.append(f"'{escaped}'" if quoted or escaped.endswith("\\") else escaped)
    return delimiter.join(written)


def nested(parts: Sequence[str]) -> str:
    """Return parts nested two by two, the first outermost."""
    if len(parts) == 1:
        return sequence(parts, TAB)
    return sequence([parts[0], nested(parts[1:])], TAB)


Part = tuple[str, str]
"""A trait: its type and its state."""


def layer(*levels: str, at: int = 1, pictures: Sequence[str] = ()) -> Part:
    """Return a layer with level names; `at` is negative where it is off."""
    pictures = [*pictures, *[""] * (len(levels) - len(pictures))]
    fields = ["emb2", "", "2", "", "", "2", "", "", "2", "", "", "", "0", "false", "0", "0"]
    fields += [sequence(pictures, ","), sequence(levels, ","), "true", "A layer"]
    return sequence(fields, ";"), str(at)


def old_layer(*levels: str, at: int = 1) -> Part:
    """Return a layer as the oldest versions wrote it."""
    fields = ["emb", "A", "Activate", "B", "Up", "C", "Down", "0", "0"]
    fields += [sequence(["sh/one", level] if level else ["sh/one"], ",") for level in levels]
    return sequence(fields, ";"), f"{at};"


def hidden(user: str | None) -> Part:
    return "hide;72,130;HIP;;player:;0.3", user if user is not None else "null"


def concealed(user: str | None, nation: str = "ge") -> Part:
    state = "null;" if user is None else sequence([user, "|0"], ";")
    return f"conceal;C;{nation}/{nation}qmark58;{nation};;", state


def label(text: str, form: str = "$pieceName$ ($label$)", slot: str = "Label") -> Part:
    fields = ["label", "76,130", slot, "10", "0,0,0", "0,0,0", "t", "0", "c", "0", "b", "c", form]
    return sequence(fields, ";"), text


def mark(**values: str) -> Part:
    return f"mark;{sequence(values, ',')}", sequence(values.values(), ",")


def owner(name: str) -> Part:
    return "PROP;Owner;false,0,100,false;:77\\,650:P\\,$PlayerName$", name


@dataclass
class Counter:
    """A piece: traits from the outermost inwards, then what the basic piece says."""

    id: str
    name: str
    traits: list[Part] = field(default_factory=list)
    at: tuple[int, int] = (0, 0)
    map: str = NEW
    slot: str = ""
    image: str = ""
    more: str = ""

    def command(self) -> str:
        inner = sequence(["piece", "K", "D", self.image, self.name], ";")
        kinds = [*(one[0] for one in self.traits), inner]
        return "+/" + sequence([self.id, nested(kinds), self.state()], "/")

    def state(self) -> str:
        inner = sequence([self.map, str(self.at[0]), str(self.at[1]), self.slot], ";") + self.more
        return nested([*(one[1] for one in self.traits), inner])


def stack(number: str, counters: Sequence[Counter], at: tuple[int, int] | None = None) -> str:
    """Return the command for a stack, bottom to top; where the lowest piece lies, unless told."""
    where, on = (counters[0].at, counters[0].map) if counters else ((0, 0), NEW)
    x, y = at or where
    ids = [one.id for one in counters]
    return "+/" + sequence([number, "stack", sequence([on, str(x), str(y), *ids], ";")], "/")


def board(column: int, row: int, name: str, *more: str, version: str = "6.0") -> str:
    """Return the description of a board; `more` are numbers of a crop, or words to follow."""
    crop = [word for word in more if word.lstrip("-").isdigit()][:4]
    rest = [word for word in more if word not in crop]
    return TAB.join(["bd", str(column), str(row), name, *crop, "VER", version, *rest, ""])


def game(*commands: str, boards: str = "bd\t", info: str = "INFO\tAxis\tAllied\t3\t3 \t4 ") -> str:
    """Return the text of a game: one command within `begin_save` and `end_save`."""
    inside = ESC.join([*commands, info, "UNMASK\t", boards, "NOTES\t", "PNOTES\t"])
    return sequence(["begin_save", "", ESC + inside, "end_save"], ESC)


def log(text: str, *steps: Sequence[str]) -> str:
    """Return the text of a log: that of a game, and steps of one or more commands each."""
    told = [sequence([f"LOG\t{command}" for command in step], ESC) for step in steps]
    return ESC.join([text, *(sequence([one], ESC) for one in told)])


def change(before: Counter, after: Counter) -> str:
    """Return the command that gives a piece the state that it has as another counter."""
    return "D/" + sequence([before.id, after.state(), before.state()], "/")


def move(piece: str, to: tuple[int, int], under: str = "null", on: str = NEW, player: str = "someone") -> str:
    """Return the command that moves a piece or a stack, right above another or to the bottom."""
    old = [NEW, "0", "0", "null"]
    return "M/" + sequence([piece, on, str(to[0]), str(to[1]), under, *old, player], "/")


def veiled(text: str, key: int = 58) -> bytes:
    hidden_ = bytes(byte ^ key for byte in text.encode())
    return f"!VCSK{key:02x}{hidden_.hex()}".encode()


MODULE = '<data version="1"><version>{}</version><name>VASL</name></data>'
DATA = (
    '<data version="1"><version></version><VassalVersion>{}</VassalVersion>'
    "<dateSaved>1564795508589</dateSaved><description>{}</description></data>"
)


def packed(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = BytesIO()
    with zipfile.ZipFile(held, "w", method) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return held.getvalue()


def save_bytes(
    text: str, vasl: str = "6.5.1", vassal: str = "3.2.17", key: int | None = 58, comment: str = ""
) -> bytes:
    """Return a whole save; without a key the game is written in plain text."""
    return packed(
        {
            "moduledata": MODULE.format(vasl).encode(),
            "savedata": DATA.format(vassal, comment).encode(),
            "savedGame": text.encode() if key is None else veiled(text, key),
        }
    )


def archive(text: str, **options: object) -> Archive:
    return Archive(save_bytes(text, **options), "own.vsav")  # type: ignore[arg-type]


def write(folder: Path, text: str, name: str = "own.vsav") -> Path:
    path = folder / name
    path.write_bytes(save_bytes(text))
    return path
