"""What a board archive says of itself: BoardMetadata.xml, or the `data` file of older boards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from laager.base import DataError, Problem
from laager.hexmap.coords import MAX_COLUMNS, MAX_ROWS
from laager.vasl.archive import Archive, read_xml
from laager.vasl.boards.layout import Geometry

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

METADATA = "BoardMetadata.xml"
DATA = "data"
MAX_TEXT = 4 * 2**20
"""Largest description of a board, in bytes."""
MAX_NAMED = 40
"""Longest name of a board, a version or an entry that is taken over."""
MAX_SIDES = 50_000
PICTURES = (".gif", ".png", ".jpg", ".jpeg")

_ABSENT = -999
_BOUNDS = {"width": (8, 2000), "height": (8, 2000), "x": (-20_000, 20_000), "y": (-20_000, 20_000)}
"""Bounds of the geometry, in pixels: hexes that a person can see, an origin near the picture."""
_XML = {"width": "hexWidth", "height": "hexHeight", "x": "A1CenterX", "y": "A1CenterY"}
_OLD = {"width": "dx", "height": "dy", "x": "x0", "y": "y0"}


@dataclass(frozen=True)
class Metadata:
    """What a board says of itself.

    `columns` and `rows` of an even column, if it tells; `slopes` and `embankments` are hexsides
    (0 to 5, clockwise from the top) by hex. `buildings` are VASL's names of buildings by hex. `old`
    boards have no BoardMetadata.xml.
    """

    name: str
    version: str
    dated: str
    picture: str
    geometry: Geometry
    columns: int | None = None
    rows: int | None = None
    slopes: Mapping[str, frozenset[int]] = field(default_factory=dict)
    embankments: Mapping[str, frozenset[int]] = field(default_factory=dict)
    buildings: Mapping[str, str] = field(default_factory=dict)
    old: bool = False


def read_metadata(archive: Archive) -> Metadata:
    """Return what an archive says of its board. Raises DataError with all that is wrong."""
    if METADATA in archive:
        return _Reader(archive).xml(archive.read(METADATA, MAX_TEXT))
    if DATA in archive or f"{archive.name}.gif" in archive:
        text = archive.read(DATA, MAX_TEXT).decode("latin-1") if DATA in archive else ""
        return _Reader(archive).old(text)
    problem = f"has neither {METADATA}, nor {DATA}, nor the picture {archive.name}.gif"
    raise DataError([Problem(problem, "name a board archive such as bd01", file=archive.label)])


class _Reader:
    def __init__(self, archive: Archive) -> None:
        self.archive = archive
        self.where = METADATA
        self.problems: list[Problem] = []

    def xml(self, data: bytes) -> Metadata:
        root = read_xml(data, self.archive, METADATA)
        if root.tag != "boardMetadata":
            self.archive.refuse(METADATA, "is not about a board", "its root must be boardMetadata")
        words = root.attrib
        metadata = Metadata(
            # Board 79 names itself as its file is called.
            name=self._text(words, "name").removeprefix("bd"),
            version=self._text(words, "version", needed=False),
            dated=self._text(words, "versionDate", needed=False),
            picture=self._text(words, "boardImageFileName", longest=200),
            geometry=self._geometry(words, _XML, words.get("altHexGrain", "")),
            columns=self._count(words, "width", MAX_COLUMNS),
            rows=self._count(words, "height", MAX_ROWS),
            slopes=self._sides(root, "slope"),
            embankments=self._sides(root, "rrembankment"),
            buildings=self._buildings(root),
        )
        self._raise_problems()
        return metadata

    def old(self, text: str) -> Metadata:
        self.where = DATA
        words: dict[str, str] = {}
        for line in text.splitlines():
            parts = line.split(maxsplit=2)
            if len(parts) > 1:
                words[parts[0].lower()] = parts[1]
        metadata = Metadata(
            name=self.archive.name.removeprefix("bd")[:MAX_NAMED],
            version=words.get("version", "")[:MAX_NAMED],
            dated="",
            picture=self._only_picture(),
            geometry=self._geometry(words, _OLD, words.get("alternate", "")),
            old=True,
        )
        self._raise_problems()
        return metadata

    def _only_picture(self) -> str:
        """Return the picture that is called as old boards' are, else the only one that there is."""
        usual = f"bd{self.archive.name.removeprefix('bd')}.gif"
        pictures = [name for name in self.archive.names if name.lower().endswith(PICTURES)]
        return pictures[0] if usual not in pictures and len(pictures) == 1 else usual

    def _note_problem(self, problem: str, right: str = "", field: str = "") -> None:
        place = f"{self.where}: {field}" if field else self.where
        self.problems.append(Problem(problem, right, place, file=self.archive.label))

    def _raise_problems(self) -> None:
        if self.problems:
            raise DataError(self.problems)

    def _text(self, words: Mapping[str, str], key: str, *, needed: bool = True, longest: int = MAX_NAMED) -> str:
        text = words.get(key, "").strip()
        if needed and not text:
            self._note_problem("is missing", "every board has it", key)
        if len(text) > longest or not text.isprintable():
            self._note_problem(f"{text[:20]!a} is not valid", f"{longest} characters at most", key)
        return text

    def _geometry(self, words: Mapping[str, str], keys: Mapping[str, str], grain: str) -> Geometry:
        given = {}
        for part, key in keys.items():
            number = self._number(words, key, *_BOUNDS[part])
            if number is not None:
                given[part] = number
        return Geometry(**given, alternate=grain.strip().lower() == "true")

    def _number(self, words: Mapping[str, str], key: str, least: float, most: float) -> float | None:
        text = words.get(key, "").strip()
        if not text:
            return None
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if number == _ABSENT:
            return None
        if not least <= number <= most:
            self._note_problem(f"{text[:20]!a} is not valid", f"a number from {least} to {most}", key)
            return None
        return number

    def _count(self, words: Mapping[str, str], key: str, most: int) -> int | None:
        number = self._number(words, key, 1, most)
        return None if number is None else int(number)

    def _sides(self, root: Element, tag: str) -> dict[str, frozenset[int]]:
        sides_by_hex: dict[str, frozenset[int]] = {}
        for element in root.iter(tag):
            name, sides = element.get("hex", ""), element.get("hexsides", "")
            if len(name) > 8 or len(sides) > 6 or not set(sides) <= set("012345"):
                self._note_problem(f"{sides[:10]!a} is not valid", "a row of digits from 0 to 5", f"{tag}s")
            elif len(sides_by_hex) < MAX_SIDES:
                sides_by_hex[name] = sides_by_hex.get(name, frozenset()) | {int(side) for side in sides}
        return sides_by_hex

    def _buildings(self, root: Element) -> dict[str, str]:
        """Return the buildings that the board names by hex; used only to read its picture."""
        buildings: dict[str, str] = {}
        for element in root.iter("buildingType"):
            name, kind = element.get("hexName", ""), element.get("buildingTypeName", "")
            if 0 < len(name) <= 8 and len(buildings) < MAX_SIDES:
                buildings[name] = kind[:MAX_NAMED]
        return buildings
