"""Types however they are spelt, and vehicles and Guns by the names of the vasl-templates program.

Its names are VASL's and the rulebook's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import unescape
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from laager.base.files import FilePart, check, read_packaged
from laager.catalogue.dyo.entry import CatalogueEntry
from laager.catalogue.dyo.model import SECTIONS, DyoCatalogueFile

PACKAGE = "laager.catalogue.dyo"
NAMES = "vasl_names.yaml"

KINDS: Mapping[str, str] = {"vehicles": "vehicles", "guns": "ordnance"}
"""The program's word for a section of a catalogue."""


class ProgramPiece(NamedTuple):
    """A vehicle or Gun of the program: its id, and what it is called there."""

    id: str
    name: str


Known = Annotated[str, Field(pattern=r"^[a-z]{2,4}/[vo]:[0-9]{3}( .+)?$")]
"""An id of the program, and behind it the program's name unless it is that of Laager."""


class NationPieces(FilePart):
    """The program's vehicles and ordnance of a nation, by the types of Laager's catalogue."""

    vehicles: dict[str, Known] = {}
    ordnance: dict[str, Known] = {}


class NamesFile(FilePart):
    """The program's pieces by nation: `laager: vasl-names/2`."""

    laager: Literal["vasl-names/2"]
    nations: dict[str, NationPieces]


@cache
def _file() -> NamesFile:
    return check(read_packaged(PACKAGE, NAMES), NamesFile)


@cache
def pieces_of(*nations: str) -> Mapping[str, Mapping[str, ProgramPiece]]:
    """Return the program's vehicles and ordnance of nations by Laager's types; what the first one has counts."""
    pieces: dict[str, dict[str, ProgramPiece]] = {"vehicles": {}, "ordnance": {}}
    for nation in reversed(nations):
        entered = _file().nations.get(nation, NationPieces())
        pieces["vehicles"] |= _pieces(entered.vehicles)
        pieces["ordnance"] |= _pieces(entered.ordnance)
    return pieces


def _pieces(entered: Mapping[str, str]) -> dict[str, ProgramPiece]:
    pieces = {}
    for type_, known_as in entered.items():
        id_, _, name = known_as.partition(" ")
        pieces[type_] = ProgramPiece(id_, name or type_)
    return pieces


# Spellings --------------------------------------------------------------------------------------

_WRITTEN = {"½": "1/2", "¼": "1/4", "¾": "3/4"}


def plain_spelling(text: str) -> str:
    """Return a name as it is compared with others: without blanks, signs, marks of web pages, and in small letters.

    `PzKpfw IVF<sub>2</sub>`, `PzIVF2` and `pzkpfw-IVF2` are the same.
    """
    words = unescape(re.sub(r"<[^>]*>", "", text))
    for sign, figures in _WRITTEN.items():
        words = words.replace(sign, figures)
    return re.sub(r"[^\w/()*+]", "", words.casefold()).replace("pzkpfw", "pz")


def find_piece(pieces: Mapping[str, ProgramPiece], type_: str) -> ProgramPiece | None:
    """Return a piece by its type or, however it is spelt, by the program's name; None if there is none."""
    if type_ in pieces:
        return pieces[type_]
    wanted = plain_spelling(type_)
    alike = {piece for known, piece in pieces.items() if wanted in map(plain_spelling, (known, piece.name))}
    return alike.pop() if len(alike) == 1 else None


def type_of(text: str, known: Iterable[str], section: str, *nations: str) -> str:
    """Return which of the known types a text names, as VASL or the rulebook spells it too; the text itself if none.

    `section` is that of the catalogue. A spelling that fits several types names none.
    """
    types = list(known)
    if text in types:
        return text
    wanted = plain_spelling(text)
    pieces = pieces_of(*nations)[KINDS[section]] if section in KINDS else {}
    piece = find_piece(pieces, text)
    alike = {
        type_
        for type_ in types
        if plain_spelling(type_) == wanted or (piece is not None and find_piece(pieces, type_) == piece)
    }
    return alike.pop() if len(alike) == 1 else text


# Catalogue files ---------------------------------------------------------------------------------

REFERENCES: Mapping[tuple[str, str], str] = {
    ("squads", "half"): "squads",
    ("vehicles", "half_squad"): "squads",
    ("armament", "vehicle"): "vehicles",
    ("op_tanks", "counter"): "vehicles",
}
"""The fields that name a type, by section and field, with the section of that type."""


def spell_like(file: DyoCatalogueFile, base: DyoCatalogueFile | None) -> DyoCatalogueFile:
    """Return a file with the types of the one that it is laid over, however it spells them.

    The types that its fields name are spelt as in either of the two.
    """
    below = _types(base) if base is not None else {}
    for section, types in _types(file).items():
        # A type that the file has beside that of the base is another one.
        file = _respell(
            file, section, "type", section, [type_ for type_ in below.get(section, ()) if type_ not in types]
        )
    own = _types(file)
    for (section, name), target in REFERENCES.items():
        file = _respell(file, section, name, target, dict.fromkeys([*own.get(target, ()), *below.get(target, ())]))
    return file


def _respell(file: DyoCatalogueFile, section: str, name: str, target: str, known: Iterable[str]) -> DyoCatalogueFile:
    """Return a file in which a field of a section's entries has the known types, all of the section `target`."""
    types = list(known)

    def respell(entry: CatalogueEntry) -> CatalogueEntry:
        text = getattr(entry, name)
        if not isinstance(text, str) or text in types:
            return entry
        return entry.model_copy(update={name: type_of(text, types, target, file.nation, file.group or "")})

    entries = file.entries(section)
    return file.model_copy(update={section: list(map(respell, entries))}) if entries and types else file


def _types(file: DyoCatalogueFile) -> dict[str, tuple[str, ...]]:
    """Return the types of each section of a file that has some."""
    return {
        section: tuple(dict.fromkeys(entry.type for entry in file.entries(section) or () if hasattr(entry, "type")))
        for section in SECTIONS
        if "type" in SECTIONS[section].model_fields and file.entries(section) is not None
    }
