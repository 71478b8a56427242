"""VASL's module: the parts that Laager needs, taken out once and kept in a small file.

The module itself is large, belongs to others, and stays with the player. Out of its build file come the slots of the
counter palettes and the prototypes that they are made with; the small file holds these as packed lines of JSON. Both
are untrusted input.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem
from laager.base.files import read_bytes
from laager.vasl.archive import BUILD_FILES, Archive, open_definitions, read_xml
from laager.vasl.saves.owners import printable
from laager.vasl.saves.sequence import WorkLimit
from laager.vasl.saves.traits import parse_whole
from laager.vasl.setup.build_file import (
    ADVICE,
    MAX_PROTOTYPES,
    MAX_SLOTS,
    MAX_TEXT,
    MAX_WORK,
    BuildReader,
    Definition,
    Slot,
    parse_build_file,
    parse_definition,
    slot_faults,
    text_faults,
)
from laager.vasl.setup.extension import MAX_EXTENSIONS, Extension, ExtensionFile, extension_in_data, is_extension_data

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MODULE_DATA = "moduledata"
MAX_MODULE_DATA = 20_000
MAX_EDGE = 5000

FORMAT = "laager-vasl-counters/1"
ZIP = b"PK\x03\x04"
"""How a module begins, as every ZIP file does."""
MAX_PACKED, MAX_UNPACKED = 4 * 2**20, 16 * 2**20
"""Largest file of counters, packed and unpacked, in bytes."""
_ROOTS = frozenset({"VASSAL.launch.BasicModule", "VASSAL.build.GameModule"})


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
    extensions: tuple[Extension, ...] = ()

    def __repr__(self) -> str:
        return f"<Module VASL {self.version}: {len(self.slots)} counters>"

    def with_extension(self, file: ExtensionFile) -> VaslModule:
        """Return the module with the counters of an extension; they take the place of those of an earlier version.

        Raises DataError if they are too many.
        """
        added = file.extension
        slots = (*(slot for slot in self.slots if not added.owns(slot.gpid)), *file.slots)
        others = tuple(extension for extension in self.extensions if extension.id != added.id)
        if len(slots) > MAX_SLOTS or len(others) >= MAX_EXTENSIONS:
            right = f"{MAX_SLOTS} counters at most with those of the module, of {MAX_EXTENSIONS} extensions"
            raise DataError([Problem("is too much", right, file=file.label)])
        prototypes = MappingProxyType({**self.prototypes, **file.prototypes})
        return replace(self, slots=slots, prototypes=prototypes, extensions=(*others, added))

    def extensions_of(self, numbers: Iterable[str | None]) -> tuple[Extension, ...]:
        """Return the extensions that pieces with these numbers of slots come from."""
        ids = {number.rpartition(":")[0] for number in numbers if number}
        return tuple(extension for extension in self.extensions if extension.id in ids)

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
        if self.extensions:
            lines[0]["extensions"] = [extension.data for extension in self.extensions]
        lines += [[name, text] for name, text in self.prototypes.items()]
        lines += [[slot.gpid, slot.name, slot.palette, slot.text] for slot in self.slots]
        text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
        packer = zlib.compressobj(9, wbits=31)
        return packer.compress(text.encode("utf-8", "replace")) + packer.flush()


# From the module ----------------------------------------------------------------------------------


def read_module(path: Path) -> VaslModule:
    """Read a module (.vmod) of any size. Raises DataError with the problems if it isn't VASL's or can't be trusted."""
    return module_of(open_definitions(path, (*BUILD_FILES, MODULE_DATA)))


def module_of(archive: Archive) -> VaslModule:
    """Return the module in an archive. Raises DataError with all its problems."""
    root, build = parse_build_file(archive, _ROOTS)
    if MODULE_DATA not in archive:
        raise DataError([Problem(f"has no {MODULE_DATA}", ADVICE, file=archive.label)])
    reader = BuildReader(archive, build)
    reader.go_through(root)
    data = archive.read(MODULE_DATA, MAX_MODULE_DATA).decode("utf-8", "replace")
    read_xml(data, archive, MODULE_DATA)
    if not reader.slots:
        reader.problems.append(Problem("has no counters", ADVICE))
    if not reader.maps:
        reader.problems.append(Problem("has no map of VASL", ADVICE))
    if reader.problems:
        reader.refuse()
    map_ = reader.maps[0]
    version, vassal = (printable(root.get(key, ""))[:40] for key in ("version", "VassalVersion"))
    edge = _edge(map_, "edgeWidth"), _edge(map_, "edgeHeight")
    prototypes, slots = MappingProxyType(reader.prototypes), tuple(reader.slots)
    return VaslModule(version, vassal, data, map_.get("mapName", "")[:40], edge, prototypes, slots)


def _edge(element: Element, key: str) -> int:
    number = parse_whole(element.get(key, ""))
    return number if number is not None and 0 <= number <= MAX_EDGE else 0


# From the small file ------------------------------------------------------------------------------


def read_counters(path: Path) -> VaslModule:
    """Read a module or the file of counters that was made of one. Raises DataError if it can't be used."""
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(ZIP)) == ZIP:
                return read_module(path)
    return counters_in(read_bytes(path, MAX_PACKED), str(path))


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
    extensions: Any = head.get("extensions", [])
    if not isinstance(extensions, list) or len(extensions) > MAX_EXTENSIONS:
        raise DataError([Problem("has too many extensions", f"{MAX_EXTENSIONS} at most")])
    if not all(map(is_extension_data, extensions)):
        raise DataError([Problem("does not name its extensions as a file of counters does")])
    slots: list[Slot] = []
    prototypes: dict[str, str] = {}
    work = WorkLimit(MAX_WORK)
    for number, line in enumerate(lines, 2):
        if not isinstance(line, list) or len(line) not in (2, 4) or not all(isinstance(text, str) for text in line):
            raise DataError([Problem("is neither a counter nor a prototype", field=f"line {number}")])
        slot = Slot(*line) if len(line) == 4 else Slot("", line[0], "", line[1])
        for fault in (*slot_faults(slot), *text_faults(slot.text)):
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
    named = tuple(extension_in_data(extension) for extension in extensions)
    return VaslModule(*short, (edge[0], edge[1]), MappingProxyType(prototypes), tuple(slots), named)


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
