"""What the colours of a board mean: by a legend, the board's own names, VASL's shared table, or the most alike."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from laager.vasl.archive import Archive, packed_table
from laager.vasl.boards.losdata import by_name
from laager.vasl.colours.names import meaning_of

MAX_DATA = 2**18
MAX_COLOURS = 4000
"""Most colours that an archive may name."""
ALIKE, GUESSED = 14.0, 60.0
"""How far apart two colours may be, by hue and brightness, for one to mean what the other does: surely, at a guess."""
INK = 24
"""How far from black or white a colour may be for it to be that of dots and lines."""
COMMON = 0.04
"""The share of a picture from which on a colour is ground, though it is that of dots or numbers too."""

GROUND = 0.5
"""The share of a picture above which a colour is ground, whatever it is like."""
ROADS = frozenset({"Dirt Road", "Paved Road"})
"""The terrain of which the colours tell a level only between banks: boards borrow them on other ground."""

Origin = Literal["legend", "board", "shared", "texture", "alike", "guess", "none"]
"""How a colour's meaning is known: told by a person, named by the board or by VASL, that of the colour which it
speckles, that of one much like it, of one a little like it, not at all."""

_USUAL = re.compile(
    r"Level_?[0-9]|(DirtRd|PavedRd|Orch|Brush|Grain)L0|(Stone|Wood)Bldg([1-9]|10)|Woods(Green|Black)|Water"
    r"|GullyBrown[0-9]"
)
"""The colours of the shared table that unknown ones are compared with: none of winter, mud and desert."""


@dataclass(frozen=True)
class Colour:
    """What a colour of VASL's boards means: a terrain by name, a level; None if it stands for neither."""

    rgb: int
    terrain: str | None
    level: int | None


@cache
def shared_colours() -> Mapping[str, Colour]:
    """Return the colours that all boards share, by VASL's names."""
    return MappingProxyType(
        {
            row["name"]: Colour(
                rgb(int(row["red"]), int(row["green"]), int(row["blue"])),
                row["terrain"] or None,
                int(row["level"]) if row["level"] else None,
            )
            for row in packed_table("colours.csv")
        }
    )


def rgb(red: int, green: int, blue: int) -> int:
    """Return a colour as one number."""
    return red << 16 | green << 8 | blue


def named_colours(archive: Archive) -> Mapping[str, int]:
    """Return the colours that an archive names in its `colors` (a name and `r,g,b`, line by line)."""
    return _named(_text(archive))


def _text(archive: Archive) -> bytes:
    return archive.read("colors", MAX_DATA) if "colors" in archive else b""


def _named(text: bytes) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for line in text.decode("latin-1").splitlines():
        words = line.split()
        parts = words[1].split(",") if len(words) > 1 else []
        if len(parts) == 3 and all(re.fullmatch("[0-9]{1,3}", part) for part in parts) and len(found) < MAX_COLOURS:
            found[words[0]] = rgb(*(min(int(part), 255) for part in parts))
    return found


def colours_of(archive: Archive) -> Mapping[str, Colour]:
    """Return the colours that count for an archive: the shared ones, and its own values for them."""
    found = dict(shared_colours())
    for name, number in named_colours(archive).items():
        old = found.get(name)
        if old is not None:
            found[name] = Colour(number, old.terrain, old.level)
    return found


def own_colours(archive: Archive) -> Mapping[str, Colour]:
    """Return the colours that an archive names itself, with what VASL or the name says of them."""
    return _own(_text(archive))


def _own(text: bytes) -> Mapping[str, Colour]:
    shared = shared_colours()
    found = {}
    for name, number in _named(text).items():
        old = shared.get(name)
        terrain, level = (old.terrain, old.level) if old else meaning_of(name)
        found[name] = Colour(number, terrain, level)
    return found


@dataclass(frozen=True)
class Meaning:
    """What a colour of a picture is taken for: terrain by VASL's name and level, each None if it tells nothing.

    `name` is what the colour is called, `origin` how that is known.
    """

    terrain: str | None
    level: int | None
    origin: Origin
    name: str = ""


NOTHING = Meaning(None, None, "none")
RIGHT = Meaning(None, None, "legend", "right")
"""What a legend says of a colour if it is what it is taken for."""


class Palette:
    """What colours mean on one board: the legend first, then the board's own names, then VASL's shared ones.

    `present` are the colours of its picture: what a board names and doesn't have is like none of them. Many boards
    come with one list of names for all. `right` are the colours of which a legend says that they are what they are
    taken for.
    """

    def __init__(self, archive: Archive, present: Container[int], legend: Mapping[int, Meaning] | None = None) -> None:
        told = dict(legend or {})
        self.right = frozenset(number for number, one in told.items() if one == RIGHT)
        self._legend = {number: one for number, one in told.items() if one != RIGHT}
        self._told, named = _told_by(_text(archive))
        likely = {number: one for number, one in _usual().items() if number not in named}
        likely |= {number: found for number, found in named.items() if number in present or number in _usual()}
        likely |= {number: one for number, one in self._legend.items() if one.terrain is not None}
        self._places = _places(list(likely))
        self._likely = tuple(likely.values())
        self._along = np.array([by_name(one.terrain).hexside for one in self._likely if one.terrain is not None])

    def meaning(self, number: int, share: float) -> Meaning:
        """Return what a colour is known to mean that covers such a share of the picture; NOTHING if it is not."""
        if number in self._legend:
            return self._legend[number]
        told = self._told.get(number, ())
        # White is snow, and the colour of dots: what covers little is drawn over the ground.
        silent = [one for one in told if one.terrain is None]
        speaking = [one for one in told if one.terrain is not None]
        if speaking and (not silent or share >= COMMON):
            return speaking[0]
        return silent[0] if silent else NOTHING

    def like(self, number: int, share: float) -> Meaning:
        """Return the meaning of the colour most like an unknown one; NOTHING if none is."""
        darkest, brightest = min(_parts(number)), max(_parts(number))
        if share < COMMON and (brightest <= INK or darkest >= 255 - INK):
            return Meaning(None, None, "alike", "Black" if brightest <= INK else "White")
        apart = ((self._places - _places([number])) ** 2).sum(axis=1)
        nearest = int(apart.argmin())
        if apart[nearest] > ALIKE**2:
            # Walls and hedges are drawn in their own colours; a guess is about ground.
            nearest = int(np.where(self._along, np.inf, apart).argmin())
        if apart[nearest] > GUESSED**2:
            return NOTHING
        like = self._likely[nearest]
        if share > GROUND and like.terrain in ROADS:
            # No street covers most of a board: it is ground of a colour that nobody has named.
            return Meaning("Open Ground", like.level, "guess", like.name)
        return Meaning(like.terrain, like.level, "alike" if apart[nearest] <= ALIKE**2 else "guess", like.name)


@lru_cache(maxsize=8)
def _told_by(text: bytes) -> tuple[Mapping[int, list[Meaning]], Mapping[int, Meaning]]:
    """Return what colours mean by an archive's names and VASL's, and what those mean that the archive names."""
    own = _by_colour(_own(text), "board")
    named = {number: found[0] for number, found in own.items() if found[0].terrain is not None}
    return MappingProxyType({**_shared(), **own}), MappingProxyType(named)


def _by_colour(named: Mapping[str, Colour], origin: Origin) -> dict[int, list[Meaning]]:
    """Return what each colour means, by all the names that it has."""
    found: dict[int, list[Meaning]] = {}
    for name, one in named.items():
        found.setdefault(one.rgb, []).append(Meaning(one.terrain, one.level, origin, name))
    return found


@cache
def _shared() -> Mapping[int, list[Meaning]]:
    return MappingProxyType(_by_colour(shared_colours(), "shared"))


@cache
def _usual() -> Mapping[int, Meaning]:
    """Return the colours of the shared table that unknown ones are compared with."""
    told = ((number, found[0]) for number, found in _shared().items())
    return MappingProxyType(
        {number: one for number, one in told if one.terrain is not None and _USUAL.fullmatch(one.name)}
    )


def _parts(number: int) -> tuple[int, int, int]:
    return number >> 16, number >> 8 & 255, number & 255


def _places(numbers: Sequence[int]) -> NDArray[np.float64]:
    """Return colours as points that lie near each other if people call them alike: two of hue, one of brightness."""
    flat = np.array(numbers, np.int64).reshape(-1)
    red, green, blue = flat >> 16, flat >> 8 & 255, flat & 255
    return np.stack([red - green, green - blue, (red + green + blue) / 3], axis=-1)


def code_of(meaning: Meaning) -> int:
    """Return the terrain code of a meaning, -1 for none."""
    return -1 if meaning.terrain is None else by_name(meaning.terrain).code
