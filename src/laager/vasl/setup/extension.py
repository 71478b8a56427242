"""Extensions of VASL's module (.vmdx): counters and prototypes that are added to the module's.

An extension names itself by its file: VASSAL writes the file's name and the version into each save, and puts the
extension's id before the numbers of its counters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from laager.base import DataError, Problem
from laager.vasl.archive import BUILD_FILES, Archive, open_definitions
from laager.vasl.saves.owners import printable
from laager.vasl.setup.build_file import EXTENSION, BuildReader, Slot, parse_build_file

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

EXTENSION_SUFFIX = ".vmdx"
MAX_EXTENSIONS = 30
_MAX_WORD = 64
_ID = re.compile(r"[\w .-]{1,40}")
_KEYS = ("name", "id", "version")


@dataclass(frozen=True)
class Extension:
    """An extension: its file's name without the ending, the id before its counters' numbers, its version."""

    name: str
    id: str
    version: str

    @property
    def data(self) -> dict[str, str]:
        """The extension as plain values."""
        return {key: getattr(self, key) for key in _KEYS}

    def owns(self, number: str) -> bool:
        """True if a slot with this number is the extension's."""
        return number.rpartition(":")[0] == self.id


@dataclass(frozen=True, repr=False)
class ExtensionFile:
    """What an extension's file adds to a module. `left_out` says which counters can't be used, and why."""

    label: str
    extension: Extension
    prototypes: Mapping[str, str]
    slots: tuple[Slot, ...]
    left_out: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<ExtensionFile {self.extension.name}: {len(self.slots)} counters>"


def read_extension(path: Path) -> ExtensionFile:
    """Read an extension (.vmdx) of any size. Raises DataError if it isn't VASL's, has no counters, or isn't valid."""
    return extension_of(open_definitions(path, BUILD_FILES))


def extension_of(archive: Archive) -> ExtensionFile:
    """Return the extension in an archive, named as its file is. Raises DataError."""
    root, build = parse_build_file(archive, (EXTENSION,))
    if not _is_of_vasl(root):
        module = printable(root.get("module", ""))[:40]
        archive.refuse(build, f"is an extension of {module}, not of VASL", "name an extension of VASL")
    id_, name = root.get("extensionId", ""), printable(Path(archive.name).stem)[:_MAX_WORD]
    if not _ID.fullmatch(id_):
        archive.refuse(build, "has no id", "save it anew with VASSAL's editor")
    reader = BuildReader(archive, build, lenient=True)
    reader.go_through(root)
    extension = Extension(name, id_, printable(root.get("version", ""))[:_MAX_WORD])
    slots = tuple(slot for slot in reader.slots if extension.owns(slot.gpid))
    foreign = (slot.name for slot in reader.slots if not extension.owns(slot.gpid))
    strange = [f"counter {name[:40]!a} has the number of another file" for name in foreign]
    if not slots:
        raise DataError([Problem("has no counters", "leave it out: nothing is set up from it", file=archive.label)])
    prototypes = MappingProxyType(reader.prototypes)
    return ExtensionFile(archive.label, extension, prototypes, slots, (*reader.left_out, *strange))


def _is_of_vasl(root: Element) -> bool:
    module = root.get("module", "")
    return root.get("anyModule") == "true" or not module or module.upper().startswith("VASL")


def is_extension_data(data: Any) -> bool:
    """True if plain values name an extension."""
    return (
        isinstance(data, dict)
        and all(isinstance(data.get(key), str) and len(data[key]) <= _MAX_WORD for key in _KEYS)
        and _ID.fullmatch(data["id"]) is not None
    )


def extension_in_data(data: Mapping[str, str]) -> Extension:
    """Return the extension that plain values name."""
    return Extension(printable(data["name"]), data["id"], printable(data["version"]))
