"""The parts of a map: hexes, buildings, courses, entry arrows, pictures. All are immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

PICTURE_FILE = r"^[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]{0,79}$"
"""Matches a valid name of a board's file: no folders, no hidden files, no control characters."""


@dataclass(frozen=True)
class Building:
    """A building over one or more hexes.

    `levels` counts the storeys above the ground level, `levels_at` those of hexes in which it has
    fewer; `material` is stone, wooden or hut.
    """

    name: str
    material: str
    levels: int
    cellar: bool
    hexes: tuple[str, ...]
    levels_at: Mapping[str, int] = field(default_factory=dict, hash=False)

    def levels_in(self, name: str) -> int:
        """Return how many storeys above the ground it has in one of its hexes."""
        return self.levels_at.get(name, self.levels)

    def to_data(self) -> dict[str, Any]:
        """Return the building as plain data."""
        data = {**vars(self), "hexes": list(self.hexes), "levels_at": dict(self.levels_at)}
        return data if self.levels_at else {key: value for key, value in data.items() if key != "levels_at"}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Building:
        """Return the building that `to_data` described."""
        return Building(**{**data, "hexes": tuple(data["hexes"])})


@dataclass(frozen=True)
class Course:
    """A road or a watercourse: its kind and the hexes that it runs through, in order."""

    kind: str
    along: tuple[str, ...]


@dataclass(frozen=True)
class EntryArrow:
    """A big arrow at the map's edge (ABtF 9.2 Entry Area), named by its hex.

    `colour` and `owner` are the module's own words. With `same_edge_only` the area does not go
    round a corner of the map; a `single` one is the arrow's hex alone.
    """

    hex: str
    colour: str = ""
    owner: str = ""
    same_edge_only: bool = False
    single: bool = False


@dataclass(frozen=True)
class Picture:
    """The picture of a board that a map was made from, and how it lies under the hexes.

    The map holds no pixels: `file` is the name of the board's own file, `sha256` tells it from
    other versions of it. The centre of `hex` lies at pixel `at` of the whole picture, in which a
    hex is `hex_size` pixels from column to column and in height; `part` (x, y, width, height) is
    what of it is shown, turned round if `reversed`.
    """

    file: str
    sha256: str
    hex: str
    at: tuple[float, float]
    hex_size: tuple[float, float]
    part: tuple[int, int, int, int]
    reversed: bool = False

    def to_data(self) -> dict[str, Any]:
        """Return the picture as plain data."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Picture:
        """Return the picture that `to_data` described."""
        parts: dict[str, Any] = {key: tuple(data[key]) for key in ("at", "hex_size", "part")}
        return Picture(**{**data, **parts})


@dataclass(frozen=True)
class Hex:
    """One hex of a map.

    `q` and `r` are its axial position (see `coords`), `level` its base level, `half` whether the
    map's edge cuts it, `aliases` its names on other boards that share it.
    """

    name: str
    q: int
    r: int
    terrain: str = "open"
    also: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()
    level: int = 0
    half: bool = False
    aliases: tuple[str, ...] = ()
    building: Building | None = None
    watercourses: frozenset[str] = frozenset()
    as_printed: Hex | None = field(default=None, repr=False)
    """The hex as it is printed, if play has changed it (see `wear`)."""

    @property
    def printed(self) -> Hex:
        """The hex as it is printed; itself where play has changed nothing."""
        return self.as_printed or self

    @cached_property
    def contents(self) -> frozenset[str]:
        """Everything that `has` finds: terrain, features, watercourses, "building"."""
        built = {"building"} if self.building else frozenset[str]()
        return self.also | self.features | self.watercourses | {self.terrain} | built

    def has(self, feature: str) -> bool:
        """Return True if the hex has a kind of terrain or a feature; "building" is one."""
        return feature in self.contents
