"""Archives: ZIP files from anywhere, opened with every size and count held against a limit."""

from __future__ import annotations

import csv
import hashlib
import struct
import zipfile
import zlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property
from importlib.resources import files
from io import BytesIO, FileIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from laager.base import DataError, Problem
from laager.base.files import read_bytes

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_FILE = 64 * 2**20
"""Largest archive, in bytes."""
MAX_MEMBERS = 2000
MAX_MODULE_MEMBERS = 30_000
MAX_CONTENTS = 4 * 2**20
"""Largest list of contents of a module, in bytes: VASL's has some 1 MB."""
MAX_DEFINITIONS = 12 * 2**20
"""Largest unpacked entry that is taken out of a module, in bytes."""
MAX_MEMBER = 48 * 2**20
"""Largest unpacked entry, in bytes."""
MAX_RATIO = 200
"""Most times larger than packed that an entry may be, if it is larger than `SMALL`."""
SMALL = 2**20
MAX_NAME = 200

BUILD_FILES = ("buildFile.xml", "buildFile")
"""Entries that only a module of VASSAL, or an extension of one, has."""
_MODULES = frozenset({".vmod", ".vmdx"})
_ENTRY = b"PK\x01\x02"
"""Begins every entry of a ZIP's list of contents."""
_SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"

_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, ValueError),
    *(RuntimeError, IndexError, OverflowError),
)
"""Raised by Python's reader of ZIP files on damaged ones."""


class Archive:
    """A ZIP file in memory: the names of its entries, and what is in them. Never unpacked to disk.

    `name` is the file's name without its folders, `label` what stands for it in messages. A module is refused,
    unless it is what the caller wants.
    """

    def __init__(self, data: bytes, label: str, *, module: bool = False) -> None:
        self._data = data
        self._module = module
        self.label = label
        self.name = Path(label).name
        self._members = self._read_contents()

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __repr__(self) -> str:
        return f"<Archive {self.name}: {len(self._members)} entries>"

    @property
    def data(self) -> bytes:
        """The whole file."""
        return self._data

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entries, as the file lists them."""
        return tuple(self._members)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 (hexadecimal) of the whole file."""
        return hashlib.sha256(self._data).hexdigest()

    def packed_size(self, name: str) -> int:
        """Return the size of an entry as it is packed, in bytes."""
        return self._member(name).compress_size

    def size(self, name: str) -> int:
        """Return the size of an entry in bytes, as the archive says; nothing longer or shorter is read."""
        return self._member(name).file_size

    def read(self, name: str, most: int = MAX_MEMBER) -> bytes:
        """Return what is in an entry. Raises DataError if it is not there, damaged or too large.

        `most` is the largest size that the caller can use, in bytes.
        """
        member = self._member(name)
        if member.file_size > most:
            self.refuse(name, f"unpacks to {member.file_size} bytes", f"{most} at most")
        try:
            with zipfile.ZipFile(BytesIO(self._data)) as file, file.open(member) as entry:
                # One byte more than said: the list of contents may lie.
                data = entry.read(member.file_size + 1)
        except _DAMAGED:
            self.refuse(name, "is damaged and cannot be unpacked", "get the file again")
        if len(data) != member.file_size:
            self.refuse(name, "is not as long as the archive says", "get the file again")
        return data

    def refuse(self, name: str, problem: str, right: str = "") -> NoReturn:
        """Raise DataError about an entry."""
        raise DataError([Problem(problem, right, name, file=self.label)])

    def _member(self, name: str) -> zipfile.ZipInfo:
        try:
            return self._members[name]
        except KeyError:
            self.refuse(name, "is not in the archive")

    def _read_contents(self) -> Mapping[str, zipfile.ZipInfo]:
        if self._data.startswith(_SEVEN_ZIP):
            _refuse(self.label, "is a 7-Zip archive, which is not read", "pack its contents anew as a ZIP file")
        most = MAX_MODULE_MEMBERS if self._module else MAX_MEMBERS
        if self._data.count(_ENTRY) > most:
            if not self._module and BUILD_FILES[-1].encode() in self._data:
                _refuse_module(self.label)
            _refuse(self.label, "has too many entries", f"{most} at most")
        try:
            with zipfile.ZipFile(BytesIO(self._data)) as file:
                members = [member for member in file.infolist() if not member.filename.endswith("/")]
        except _DAMAGED:
            _refuse(self.label, "is not a ZIP archive", "name a board or a save of VASL")
        problems = [problem for member in members for problem in _problems(member)]
        names = [member.filename for member in members]
        if not self._module and not problems and not set(BUILD_FILES).isdisjoint(names):
            _refuse_module(self.label)
        if len(set(names)) != len(names):
            problems.append(Problem("two entries have the same name"))
        if problems:
            raise DataError(replace(problem, file=self.label) for problem in problems[:20])
        return MappingProxyType({member.filename: member for member in members})


def _problems(member: zipfile.ZipInfo) -> list[Problem]:
    """Return what is wrong with an entry, judged by the list of contents alone."""
    name, problems = member.filename, []
    shown = ascii(name[:40])
    strange = not 0 < len(name) <= MAX_NAME or not name.isprintable()
    if strange or name.startswith("/") or ".." in name.split("/") or "\\" in name:
        problems.append(Problem("an entry has a strange name", "a plain name of a file", shown, steps=(shown,)))
    if member.flag_bits & 1:
        problems.append(Problem("is encrypted", "an archive without a password", shown, steps=(shown,)))
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        problems.append(
            Problem(
                "is packed in an unusual way", "stored or deflated, as every program can write", shown, steps=(shown,)
            )
        )
    size, packed = member.file_size, member.compress_size
    if size > MAX_MEMBER:
        problems.append(Problem(f"unpacks to {size} bytes", f"{MAX_MEMBER} at most", shown, steps=(shown,)))
    elif size > SMALL and size > MAX_RATIO * max(packed, 1):
        right = "something is meant to fill the memory; get the file from VASL itself"
        problems.append(Problem(f"unpacks to {size // max(packed, 1)} times its size", right, shown, steps=(shown,)))
    return problems


def _refuse(label: str, problem: str, right: str = "") -> NoReturn:
    raise DataError([Problem(problem, right, file=label)])


def _refuse_module(label: str) -> NoReturn:
    right = "name a board or a save; laager vasl module takes the counters out of VASL's module"
    _refuse(label, "is a module of VASSAL, or an extension of one", right)


def open_archive(path: Path) -> Archive:
    """Open a board or a save. Raises DataError if it can't be read or is not an archive to trust."""
    if path.suffix.lower() in _MODULES and path.is_file():
        _refuse_module(str(path))
    return Archive(read_bytes(path, MAX_FILE), str(path))


class _BoundedFile(FileIO):
    """A file of any size, of which no more than `MAX_CONTENTS` is read at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the next bytes. Raises OSError if too many are asked for."""
        if size is None or size < 0:
            here = self.tell()
            size = self.seek(0, 2) - here
            self.seek(here)
        if size > MAX_CONTENTS:
            raise OSError
        return super().read(size) or b""


def open_definitions(path: Path, wanted: Collection[str]) -> Archive:
    """Return an archive with the wanted entries of a module, which may be of any size. Raises DataError.

    The other entries (pictures, classes) are neither read nor judged.
    """
    label, buffer = str(path), BytesIO()
    if not path.is_file():
        read_bytes(path, 0)  # Says what is wrong with the path.
    try:
        with _BoundedFile(path) as file, zipfile.ZipFile(file) as module, zipfile.ZipFile(buffer, "w") as definitions:
            members = [member for member in module.infolist() if member.filename in wanted]
            problems = [problem for member in members for problem in _definition_problems(member)]
            if len({member.filename for member in members}) != len(members):
                problems.append(Problem("two entries have the same name"))
            if len(module.filelist) > MAX_MODULE_MEMBERS:
                problems.append(Problem("has too many entries", f"{MAX_MODULE_MEMBERS} at most"))
            if problems:
                raise DataError(Problem(p.what, p.right, p.field, file=label) for p in problems[:20])
            for member in members:
                definitions.writestr(member.filename, module.read(member))
    except _DAMAGED:
        _refuse(label, "is not a ZIP archive, or is damaged", "name VASL's module, such as VASL.vmod")
    return Archive(buffer.getvalue(), label, module=True)


def _definition_problems(member: zipfile.ZipInfo) -> list[Problem]:
    problems = _problems(member)
    if not problems and member.file_size > MAX_DEFINITIONS:
        problems = [Problem(f"unpacks to {member.file_size} bytes", f"{MAX_DEFINITIONS} at most", member.filename)]
    return problems


def packed_table(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the tables about VASL that ship with Laager."""
    return list(csv.DictReader((files("laager.packs") / "vasl" / name).read_text("utf-8").splitlines()))


def read_xml(text: bytes | str, archive: Archive, entry: str) -> Element:
    """Return the root of an XML file from anywhere. Raises DataError for entities, a document type, or no XML."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    problem, right = "is not XML that can be read", "get the file again"
    try:
        root: Element = fromstring(text, forbid_dtd=True)
        return root
    except DefusedXmlException:
        problem, right = "defines entities or a document type", "no file of VASL does"
    except (ParseError, ValueError, LookupError, RecursionError):
        pass
    return archive.refuse(entry, problem, right)
