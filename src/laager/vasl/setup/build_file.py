"""Build files of VASSAL: the slots of the palettes and the prototypes in a module, or in an extension of one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from laager.base import DataError, Problem
from laager.vasl.archive import BUILD_FILES, Archive, read_xml
from laager.vasl.saves.sequence import WorkLimit, decode, unfold
from laager.vasl.saves.traits import MAX_TRAITS, TAB

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_BUILD = 12 * 2**20
"""Largest build file, in bytes: VASL's has 3 to 4 MB."""
MAX_TAGS, MAX_EQUALS = 100_000, 300_000
"""Most `<` and `=` in a build file, so that it cannot fill the memory with elements or attributes."""
MAX_DEEP = 60
MAX_SLOTS, MAX_PROTOTYPES = 20_000, 2_000
MAX_TEXT = 40_000
"""Longest definition of a slot or prototype, in characters."""
MAX_NAME = 200
MAX_PALETTE = 400
MAX_WORK = 60_000_000
"""Characters that the reading of all definitions may go through."""

ADVICE = "name the module of VASL, such as VASL.vmod"
_SLOT, _PROTOTYPE = "VASSAL.build.widget.PieceSlot", "VASSAL.build.module.PrototypeDefinition"
_MAP = "VASL.build.module.ASLMap"
_GRAFT = "VASSAL.build.module.ExtensionElement"
"""An extension's element: its `target` names the component of the module that what is inside belongs to."""
_WIDGETS = "VASSAL.build.widget."
EXTENSION = "VASSAL.build.module.ModuleExtension"
"""The root of an extension's build file."""
MAX_TARGET = 2000
_GPID = re.compile(r"([\w .-]{1,40}:)?[0-9]{1,9}")
"""A slot's number; one of an extension begins with the extension's id."""
_JOINT = " > "


@dataclass(frozen=True, repr=False)
class Definition:
    """Types and states of the traits of a slot or prototype, from the outermost inwards: one state for each type."""

    types: tuple[str, ...]
    states: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Definition of {len(self.types)} traits>"


@dataclass(frozen=True, repr=False)
class Slot:
    """A slot of a palette: its number in the module, its name, its palette (`Axis O/B > German > SQ`), its text."""

    gpid: str
    name: str
    palette: str
    text: str

    def __repr__(self) -> str:
        return f"<Slot {self.gpid}: {self.name} in {self.palette}>"


def parse_definition(text: str, work: WorkLimit) -> Definition:
    """Return the traits of a definition. Raises DataError for a text that does not define a piece.

    Missing states are nothing, as in VASL.
    """
    parts = decode(text, "/", 100)
    if len(parts) != 4 or parts[0] != "+":
        raise DataError([Problem("is not the definition of a piece", "+/null/TYPE/STATE")])
    types = unfold(parts[2], TAB, work, MAX_TRAITS)
    states = unfold(parts[3], TAB, work, MAX_TRAITS)
    if len(states) > len(types):
        raise DataError([Problem(f"has {len(types)} traits with {len(states)} states", "one for each")])
    if not types[-1].startswith("piece;"):
        raise DataError([Problem("has no basic piece inside", "piece;…")])
    return Definition(tuple(types), (*states, *[""] * (len(types) - len(states))))


def parse_build_file(archive: Archive, roots: Collection[str]) -> tuple[Element, str]:
    """Return the root of the build file and the entry's name: text in UTF-8 that can't become much larger than it is.

    Raises DataError; `roots` are the tags that the root may have.
    """
    build = next((name for name in BUILD_FILES if name in archive), None)
    if build is None:
        raise DataError([Problem(f"has no {BUILD_FILES[0]}", ADVICE, file=archive.label)])
    data = archive.read(build, MAX_BUILD)
    if data.count(b"<") > MAX_TAGS or data.count(b"=") > MAX_EQUALS:
        archive.refuse(build, "has too many elements", "the build file of VASL")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        archive.refuse(build, "is not written in UTF-8", "the build file of VASL")
    root = read_xml(text, archive, build)
    if root.tag not in roots:
        if root.tag == EXTENSION:
            archive.refuse(build, "describes an extension, not a module", "name it with --extension, beside the module")
        wanted = "an extension" if EXTENSION in roots else "a module"
        archive.refuse(
            build, f"does not describe {wanted} of VASSAL", "name VASL.vmod as the module, .vmdx as extensions"
        )
    return root, build


class BuildReader:
    """One reading of a build file.

    With `lenient` counters that can't be used are left out and named in `left_out`, else they are problems.
    """

    def __init__(self, archive: Archive, build: str, *, lenient: bool = False) -> None:
        self.archive, self.build, self.lenient = archive, build, lenient
        self.slots: list[Slot] = []
        self.prototypes: dict[str, str] = {}
        self.maps: list[Element] = []
        self.problems: list[Problem] = []
        self.left_out: list[str] = []
        self._work = WorkLimit(MAX_WORK)

    def go_through(self, root: Element) -> None:
        """Take note of slots, prototypes and maps in their order. Raises DataError."""
        waiting: list[tuple[Element, tuple[str, ...]]] = [(root, ())]
        while waiting:
            element, path = waiting.pop()
            inside = []
            for child in element:
                if child.tag == _SLOT:
                    self._slot(child, path)
                elif child.tag == _PROTOTYPE:
                    self._prototype(child)
                else:
                    if child.tag == _MAP:
                        self.maps.append(child)
                    inside.append((child, self._path_inside(child, path)))
            if len(path) > MAX_DEEP:
                self.archive.refuse(self.build, "is nested too deeply", f"{MAX_DEEP} times at most")
            waiting += reversed(inside)

    def _path_inside(self, element: Element, path: tuple[str, ...]) -> tuple[str, ...]:
        """Return the palette of what is inside an element, by the names around it."""
        if element.tag == _GRAFT:
            target = element.get("target", "")
            steps = [decode(step, ":") for step in decode(target[:MAX_TARGET], "/")]
            return tuple(step[1] for step in steps if step[0].startswith(_WIDGETS) and len(step) > 1)
        name = element.get("entryName")
        return path if name is None else (*path, name)

    def _slot(self, element: Element, path: Sequence[str]) -> None:
        name, gpid = element.get("entryName", ""), element.get("gpid", "")
        slot = Slot(gpid, name, _JOINT.join(path), element.text or "")
        if self._is_usable(f"counter {name[:40]!a}", slot.text, slot_faults(slot)):
            self.slots.append(slot)

    def _prototype(self, element: Element) -> None:
        name, text = element.get("name", ""), element.text or ""
        if self._is_usable(f"prototype {name[:40]!a}", text, _name_faults(name)):
            self.prototypes.setdefault(name, text)

    def _is_usable(self, which: str, text: str, faults: Iterator[str]) -> bool:
        """Note the problems of a definition; refuse the file if there are too many."""
        problems = [Problem(f"{which} {fault}") for fault in (*faults, *text_faults(text))]
        if not problems:
            try:
                parse_definition(text, self._work)
            except DataError as err:
                problems = [Problem(f"{which} {fault.what}", fault.right) for fault in err.problems]
        if self.lenient and self._work.left > 0:
            self.left_out += [problem.what for problem in problems[:1]]
        else:
            self.problems += problems
        if len(self.slots) >= MAX_SLOTS or len(self.prototypes) >= MAX_PROTOTYPES or len(self.problems) > 20:
            self.problems = self.problems[:20] or [Problem("has too many counters", f"{MAX_SLOTS} at most")]
            self.refuse()
        return not problems

    def refuse(self) -> NoReturn:
        """Raise DataError with the problems."""
        raise DataError(
            Problem(problem.what, problem.right, self.build, file=self.archive.label) for problem in self.problems
        )


def _name_faults(name: str) -> Iterator[str]:
    if len(name) > MAX_NAME or not name.isprintable():
        yield "has no valid name"


def slot_faults(slot: Slot) -> Iterator[str]:
    """Yield what is wrong with a slot's names and number."""
    yield from _name_faults(slot.name)
    if slot.gpid and not _GPID.fullmatch(slot.gpid):
        yield "has no valid number"
    if len(slot.palette) > MAX_PALETTE or not slot.palette.isprintable():
        yield "is in a palette without a valid name"


def text_faults(text: str) -> Iterator[str]:
    """Yield what is wrong with the length of a definition."""
    if len(text) > MAX_TEXT:
        yield f"has a definition of {len(text)} characters"
