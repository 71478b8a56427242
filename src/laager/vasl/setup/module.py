"""VASL's module: the parts that Laager needs, taken out once and kept in a small file.

The module itself is large, belongs to others, and stays with the player. Out of its build file come the slots of the
counter palettes and the prototypes that they are made with; the small file holds these as packed lines of JSON. Both
are untrusted input.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from laager.base import DataError, Problem
from laager.base.files import read_bytes
from laager.vasl.archive import BUILD_FILES, Archive, read_xml
from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import WorkLimit, decode, unfold
from laager.vasl.saves.traits import MAX_TRAITS, TAB, parse_whole

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MODULE_DATA = "moduledata"
MAX_MODULE = 128 * 2**20
"""Largest module, in bytes: VASL has some 60 MB."""
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
MAX_MODULE_DATA = 20_000
MAX_EDGE = 5000
MAX_WORK = 60_000_000
"""Characters that the reading of all definitions may go through."""

FORMAT = "laager-vasl-counters/1"
ZIP = b"PK\x03\x04"
"""How a module begins, as every ZIP file does."""
MAX_PACKED, MAX_UNPACKED = 4 * 2**20, 16 * 2**20
"""Largest file of counters, packed and unpacked, in bytes."""
_SLOT, _PROTOTYPE = "VASSAL.build.widget.PieceSlot", "VASSAL.build.module.PrototypeDefinition"
_MAP = "VASL.build.module.ASLMap"
_ROOTS = frozenset({"VASSAL.launch.BasicModule", "VASSAL.build.GameModule"})
_GPID = re.compile(r"([0-9A-Za-z]{1,12}:)?[0-9]{1,9}")
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


@dataclass(frozen=True, repr=False)
class VaslModule:
    """The parts of a module that Laager needs.

    `version` is VASL's, `vassal` that of the engine it is made for, `data` its moduledata, which a save repeats,
    `map` the name of the map, `edge` the width and height of the border around the boards in pixels.
    """

    version: str
    vassal: str
    data: str
    map: str
    edge: tuple[int, int]
    prototypes: Mapping[str, str]
    slots: tuple[Slot, ...]

    def __repr__(self) -> str:
        return f"<Module VASL {self.version}: {len(self.slots)} counters>"

    @cached_property
    def palettes(self) -> Mapping[str, tuple[Slot, ...]]:
        """The slots by the whole name of their palette."""
        by_name: dict[str, list[Slot]] = {}
        for slot in self.slots:
            by_name.setdefault(slot.palette, []).append(slot)
        return MappingProxyType({name: tuple(slots) for name, slots in by_name.items()})

    @cached_property
    def defined(self) -> Mapping[str, Definition]:
        """The definitions of prototypes, by name."""
        work = WorkLimit(MAX_WORK)
        return MappingProxyType({name: parse_definition(text, work) for name, text in self.prototypes.items()})

    def pack(self) -> bytes:
        """Return the small file of counters, which `unpack_counters` reads."""
        head = {"laager": FORMAT, "version": self.version, "vassal": self.vassal, "data": self.data}
        lines: list[Any] = [head | {"map": self.map, "edge": list(self.edge)}]
        lines += [[name, text] for name, text in self.prototypes.items()]
        lines += [[slot.gpid, slot.name, slot.palette, slot.text] for slot in self.slots]
        text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
        packer = zlib.compressobj(9, wbits=31)
        return packer.compress(text.encode("utf-8", "replace")) + packer.flush()


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


# From the module ----------------------------------------------------------------------------------


def read_module(path: Path) -> VaslModule:
    """Read a module (.vmod). Raises DataError with the problems if it isn't VASL's or can't be trusted."""
    return module_of(Archive(read_bytes(path, MAX_MODULE), str(path), module=True))


def module_of(archive: Archive) -> VaslModule:
    """Return the module in an archive. Raises DataError."""
    build = next((name for name in BUILD_FILES if name in archive), None)
    if build is None or MODULE_DATA not in archive:
        problem = f"has no {BUILD_FILES[0]}" if build is None else f"has no {MODULE_DATA}"
        raise DataError([Problem(problem, "name the module of VASL, such as VASL.vmod", file=archive.label)])
    root = _parse_build_file(archive, build)
    reading = _BuildReader(archive, build)
    reading.go_through(root)
    data = archive.read(MODULE_DATA, MAX_MODULE_DATA).decode("utf-8", "replace")
    read_xml(data, archive, MODULE_DATA)
    return reading.module(root, data)


def _parse_build_file(archive: Archive, build: str) -> Element:
    """Return the root of the build file, as text in UTF-8 that cannot become much larger than it is."""
    data = archive.read(build, MAX_BUILD)
    if data.count(b"<") > MAX_TAGS or data.count(b"=") > MAX_EQUALS:
        archive.refuse(build, "has too many elements", "the build file of VASL")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        archive.refuse(build, "is not written in UTF-8", "the build file of VASL")
    root = read_xml(text, archive, build)
    if root.tag not in _ROOTS:
        archive.refuse(build, "does not describe a module of VASSAL", "name the module of VASL, such as VASL.vmod")
    return root


class _BuildReader:
    """One reading of a build file."""

    def __init__(self, archive: Archive, build: str) -> None:
        self.archive, self.build = archive, build
        self.slots: list[Slot] = []
        self.prototypes: dict[str, str] = {}
        self.maps: list[Element] = []
        self.work = WorkLimit(MAX_WORK)
        self.problems: list[Problem] = []

    def go_through(self, root: Element) -> None:
        """Take note of slots, prototypes and maps in their order."""
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
                    name = child.get("entryName")
                    inside.append((child, path if name is None else (*path, name)))
            if len(path) > MAX_DEEP:
                self.archive.refuse(self.build, "is nested too deeply", f"{MAX_DEEP} times at most")
            waiting += reversed(inside)

    def _slot(self, element: Element, path: Sequence[str]) -> None:
        name, gpid = element.get("entryName", ""), element.get("gpid", "")
        slot = Slot(gpid, name, _JOINT.join(path), element.text or "")
        self._check(f"counter {name[:40]!a}", slot.text, _slot_faults(slot))
        self.slots.append(slot)

    def _prototype(self, element: Element) -> None:
        name, text = element.get("name", ""), element.text or ""
        self._check(f"prototype {name[:40]!a}", text, _name_faults(name))
        self.prototypes.setdefault(name, text)

    def _check(self, which: str, text: str, faults: Iterator[str]) -> None:
        """Note the problems of a definition; refuse the module if there are too many."""
        problems = [Problem(f"{which} {fault}") for fault in (*faults, *_text_faults(text))]
        if not problems:
            try:
                parse_definition(text, self.work)
            except DataError as err:
                problems = [Problem(f"{which} {fault.what}", fault.right) for fault in err.problems]
        self.problems += problems
        if len(self.slots) >= MAX_SLOTS or len(self.prototypes) >= MAX_PROTOTYPES or len(self.problems) > 20:
            self.problems = self.problems[:20] or [Problem("has too many counters", f"{MAX_SLOTS} at most")]
            self._refuse()

    def _refuse(self) -> NoReturn:
        raise DataError(
            Problem(problem.what, problem.right, self.build, file=self.archive.label) for problem in self.problems
        )

    def module(self, root: Element, data: str) -> VaslModule:
        """Return the module. Raises DataError with all its problems."""
        if not self.slots:
            self.problems.append(Problem("has no counters", "name the module of VASL, such as VASL.vmod"))
        edge, name = (0, 0), ""
        if not self.maps:
            self.problems.append(Problem("has no map of VASL", "name the module of VASL, such as VASL.vmod"))
        else:
            name = self.maps[0].get("mapName", "")
            edge = (_edge(self.maps[0], "edgeWidth"), _edge(self.maps[0], "edgeHeight"))
        if self.problems:
            self._refuse()
        version, vassal = (printable(root.get(key, ""))[:40] for key in ("version", "VassalVersion"))
        return VaslModule(version, vassal, data, name[:40], edge, MappingProxyType(self.prototypes), tuple(self.slots))


def _edge(element: Element, key: str) -> int:
    number = parse_whole(element.get(key, ""))
    return number if number is not None and 0 <= number <= MAX_EDGE else 0


def _name_faults(name: str) -> Iterator[str]:
    if len(name) > MAX_NAME or not name.isprintable():
        yield "has no valid name"


def _slot_faults(slot: Slot) -> Iterator[str]:
    yield from _name_faults(slot.name)
    if slot.gpid and not _GPID.fullmatch(slot.gpid):
        yield "has no valid number"
    if len(slot.palette) > MAX_PALETTE or not slot.palette.isprintable():
        yield "is in a palette without a valid name"


def _text_faults(text: str) -> Iterator[str]:
    if len(text) > MAX_TEXT:
        yield f"has a definition of {len(text)} characters"


# From the small file ------------------------------------------------------------------------------


def read_counters(path: Path) -> VaslModule:
    """Read a module or the file of counters that was made of one. Raises DataError if it can't be used."""
    return counters_in(read_bytes(path, MAX_MODULE), str(path))


def counters_in(data: bytes, name: str) -> VaslModule:
    """Return the counters in a file of counters or a module; of this, the definitions are enough.

    Raises DataError with the problems; `name` stands for the file in messages.
    """
    if data.startswith(ZIP):
        return module_of(Archive(data, name, module=True))
    return unpack_counters(data, name)


def unpack_counters(data: bytes, name: str) -> VaslModule:
    """Return the counters in a file that `Module.pack` made; `name` stands for it in messages.

    Raises DataError with the problems.
    """
    if len(data) > MAX_PACKED:
        raise DataError([Problem(f"has {len(data)} bytes", f"{MAX_PACKED} at most", file=name)])
    try:
        return _unpack(data)
    except DataError as err:
        right = "a file that laager vasl module made"
        raise DataError(
            Problem(problem.what, problem.right or right, problem.field, file=name) for problem in err.problems
        ) from None


def _unpack(data: bytes) -> VaslModule:
    head, *lines = _read_lines(data)
    wanted = ("version", "vassal", "data", "map")
    if not isinstance(head, dict) or head.get("laager") != FORMAT:
        raise DataError([Problem("is not a file of counters")])
    texts = [head.get(key) for key in wanted]
    edge: Any = head.get("edge")
    if not all(isinstance(text, str) and len(text) <= MAX_MODULE_DATA for text in texts) or not _is_edge(edge):
        raise DataError([Problem("does not begin as a file of counters does")])
    slots: list[Slot] = []
    prototypes: dict[str, str] = {}
    work = WorkLimit(MAX_WORK)
    for number, line in enumerate(lines, 2):
        if not isinstance(line, list) or len(line) not in (2, 4) or not all(isinstance(text, str) for text in line):
            raise DataError([Problem("is neither a counter nor a prototype", field=f"line {number}")])
        slot = Slot(*line) if len(line) == 4 else Slot("", line[0], "", line[1])
        for fault in (*_slot_faults(slot), *_text_faults(slot.text)):
            raise DataError([Problem(fault, field=f"line {number}")])
        try:
            parse_definition(slot.text, work)
        except DataError as err:
            raise DataError(Problem(fault.what, fault.right, f"line {number}") for fault in err.problems) from None
        if len(line) == 4:
            slots.append(slot)
        else:
            prototypes[slot.name] = slot.text
    version, vassal, data_, map_ = (str(text) for text in texts)
    short = (printable(version)[:40], printable(vassal)[:40], data_, map_[:40])
    return VaslModule(*short, (edge[0], edge[1]), MappingProxyType(prototypes), tuple(slots))


def _is_edge(edge: Any) -> bool:
    return (
        isinstance(edge, list)
        and len(edge) == 2
        and all(type(number) is int and 0 <= number <= MAX_EDGE for number in edge)
    )


def _read_lines(data: bytes) -> list[Any]:
    """Return the values on the lines of a packed file. Raises DataError."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        text = unpacker.decompress(data, MAX_UNPACKED)
        whole_ = unpacker.eof
        lines = text.decode("utf-8").split("\n") if whole_ else []
    except (zlib.error, UnicodeDecodeError):
        raise DataError([Problem("can't be unpacked")]) from None
    if not whole_:
        raise DataError([Problem("is not whole, or unpacks to too much", f"{MAX_UNPACKED} bytes at most")])
    if len(lines) > MAX_SLOTS + MAX_PROTOTYPES + 1 or max(map(len, lines)) > 4 * MAX_TEXT:
        raise DataError([Problem("has too many lines or too long ones")])
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        raise DataError([Problem("has a line that is not JSON")]) from None
