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
from laager.vasl.colours.colour_names import meaning_of_name

MAX_DATA = 2**18
MAX_COLOURS = 4000
"""Most colours that an archive may name."""
ALIKE, GUESSED = 14.0, 60.0
"""Largest distance of two colours, by hue and brightness, for one to mean what the other does: surely, at a guess."""
INK = 24
"""Farthest from black or white that the colour of dots and lines may be."""
COMMON = 0.04
"""Share of a picture that makes a colour ground, even if dots or numbers have it too."""

PAINTED = 0.5
"""Share of a picture in colours that names tell, or nearly, below which a board is painted in colours of its own."""
CLOSE = 4.0
"""Largest distance of two colours, by hue and brightness, that are the same on a painted board too."""
FAMILY = 30.0
"""Largest distance to the commonest colour of a painted board, by hue and brightness, of what is ground too."""
DARK = 90
"""Mean brightness below which a colour is not that of open ground on a painted board."""
GROUND = 0.5
"""Share of a picture above which a colour is ground, whatever it resembles."""
ROADS = frozenset({"Dirt Road", "Paved Road"})
"""Terrain whose colours tell a level only between banks: boards borrow them on other ground."""

Origin = Literal["legend", "board", "shared", "texture", "alike", "guess", "none"]
"""How a colour's meaning is known: from a person, from the board's or VASL's names, from the colour that it speckles,
from one much like it, from one a little like it, not at all."""

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
    return _parse_colours(_colours_text(archive))


def _colours_text(archive: Archive) -> bytes:
    return archive.read("colors", MAX_DATA) if "colors" in archive else b""


def _parse_colours(text: bytes) -> Mapping[str, int]:
    colours: dict[str, int] = {}
    for line in text.decode("latin-1").splitlines():
        words = line.split()
        parts = words[1].split(",") if len(words) > 1 else []
        if len(parts) == 3 and all(re.fullmatch("[0-9]{1,3}", part) for part in parts) and len(colours) < MAX_COLOURS:
            colours[words[0]] = rgb(*(min(int(part), 255) for part in parts))
    return colours


def colours_of(archive: Archive) -> Mapping[str, Colour]:
    """Return the colours that count for an archive: the shared ones, and its own values for them."""
    colours = dict(shared_colours())
    for name, number in named_colours(archive).items():
        shared = colours.get(name)
        if shared is not None:
            colours[name] = Colour(number, shared.terrain, shared.level)
    return colours


def own_colours(archive: Archive) -> Mapping[str, Colour]:
    """Return the colours that an archive names itself, with what VASL or the name says of them."""
    return _own_meanings(_colours_text(archive))


def _own_meanings(text: bytes) -> Mapping[str, Colour]:
    shared = shared_colours()
    colours = {}
    for name, number in _parse_colours(text).items():
        shared_colour = shared.get(name)
        terrain, level = (shared_colour.terrain, shared_colour.level) if shared_colour else meaning_of_name(name)
        colours[name] = Colour(number, terrain, level)
    return colours


@dataclass(frozen=True)
class Meaning:
    """The meaning of a picture's colour: terrain by VASL's name, and level, each None if it tells nothing.

    `name` is the colour's name, `origin` how its meaning is known.
    """

    terrain: str | None
    level: int | None
    origin: Origin
    name: str = ""


NOTHING = Meaning(None, None, "none")
RIGHT = Meaning(None, None, "legend", "right")
"""The meaning in a legend of a colour that is what it is taken for."""


class Palette:
    """What colours mean on one board: the legend first, then the board's own names, then VASL's shared ones.

    `present` are the colours of its picture: a colour that a board names but doesn't have resembles none of them, for
    many boards come with one list of names for all. `right` are the colours that a legend confirms as they are.
    """

    def __init__(self, archive: Archive, present: Container[int], legend: Mapping[int, Meaning] | None = None) -> None:
        meanings = dict(legend or {})
        self.right = frozenset(number for number, meaning in meanings.items() if meaning == RIGHT)
        self._legend = {number: meaning for number, meaning in meanings.items() if meaning != RIGHT}
        self._known, named = _meanings_in(_colours_text(archive))
        likely = {number: meaning for number, meaning in _usual_meanings().items() if number not in named}
        likely |= {
            number: meaning for number, meaning in named.items() if number in present or number in _usual_meanings()
        }
        self._named_points = hue_points(list(likely))
        likely |= {number: meaning for number, meaning in self._legend.items() if meaning.terrain is not None}
        self._hue_points = hue_points(list(likely))
        self._likely = tuple(likely.values())
        self._along = np.array(
            [by_name(meaning.terrain).hexside for meaning in self._likely if meaning.terrain is not None]
        )

    def meaning(self, number: int, share: float) -> Meaning:
        """Return the known meaning of a colour that covers this share of the picture; NOTHING if it has none."""
        if number in self._legend:
            return self._legend[number]
        meanings = self._known.get(number, ())
        # White is snow, and the colour of dots: what covers little is drawn over the ground.
        silent = [meaning for meaning in meanings if meaning.terrain is None]
        speaking = [meaning for meaning in meanings if meaning.terrain is not None]
        if speaking and (not silent or share >= COMMON):
            return speaking[0]
        return silent[0] if silent else NOTHING

    def most_similar(self, number: int, share: float) -> Meaning:
        """Return the meaning of the colour most like an unknown one; NOTHING if none is near enough."""
        darkest, brightest = min(_red_green_blue(number)), max(_red_green_blue(number))
        if share < COMMON and (brightest <= INK or darkest >= 255 - INK):
            return Meaning(None, None, "alike", "Black" if brightest <= INK else "White")
        apart = ((self._hue_points - hue_points([number])) ** 2).sum(axis=1)
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

    def is_close(self, number: int) -> bool:
        """Return True if a colour is one that names tell, or so near to one that it is the same, drawn anew."""
        if any(meaning.terrain for meaning in self._known.get(number, ())):
            return True
        return bool(((self._named_points - hue_points([number])) ** 2).sum(axis=1).min(initial=np.inf) <= CLOSE**2)

    def find_painted_ground(self, colours: Sequence[int], counts: NDArray[np.int64]) -> frozenset[int] | None:
        """Return which colours, by number, are the ground of a painted board: the largest family of unknown ones.

        None if the board isn't painted: half of its picture is in named colours, or nearly. What is blue or dark is no
        ground. No legend changes the answer, or what it calls right would become something else.
        """
        is_known = np.array([self.is_close(colour) for colour in colours])
        if counts[is_known].sum() >= PAINTED * counts.sum():
            return None
        is_other = np.array([_is_blue_or_dark(colour) for colour in colours])
        shares = np.where(is_known | is_other, 0, counts) / max(int(counts.sum()), 1)
        hues = hue_points(colours)
        is_near = ((hues[:, None] - hues) ** 2).sum(axis=-1) <= FAMILY**2
        commonest = int((is_near @ shares).argmax())
        return frozenset(np.flatnonzero(is_near[commonest] & (shares > 0)).tolist())


@lru_cache(maxsize=8)
def _meanings_in(text: bytes) -> tuple[Mapping[int, list[Meaning]], Mapping[int, Meaning]]:
    """Return the meanings of all named colours, and of those that the archive names itself."""
    own = _meanings_by_colour(_own_meanings(text), "board")
    named = {number: meanings[0] for number, meanings in own.items() if meanings[0].terrain is not None}
    return MappingProxyType({**_shared_meanings(), **own}), MappingProxyType(named)


def _meanings_by_colour(named: Mapping[str, Colour], origin: Origin) -> dict[int, list[Meaning]]:
    """Return the meanings of each colour, one for each of its names."""
    meanings: dict[int, list[Meaning]] = {}
    for name, colour in named.items():
        meanings.setdefault(colour.rgb, []).append(Meaning(colour.terrain, colour.level, origin, name))
    return meanings


@cache
def _shared_meanings() -> Mapping[int, list[Meaning]]:
    return MappingProxyType(_meanings_by_colour(shared_colours(), "shared"))


@cache
def _usual_meanings() -> Mapping[int, Meaning]:
    """Return the colours of the shared table that unknown ones are compared with."""
    first_meanings = ((number, meanings[0]) for number, meanings in _shared_meanings().items())
    return MappingProxyType(
        {
            number: meaning
            for number, meaning in first_meanings
            if meaning.terrain is not None and _USUAL.fullmatch(meaning.name)
        }
    )


def _red_green_blue(number: int) -> tuple[int, int, int]:
    return number >> 16, number >> 8 & 255, number & 255


def _is_blue_or_dark(number: int) -> bool:
    """Return True if a colour is that of water, or of woods and roofs, rather than of open ground."""
    red, green, blue = _red_green_blue(number)
    return (blue > red + INK and blue > green + INK / 2) or red + green + blue < 3 * DARK


def hue_points(numbers: Sequence[int]) -> NDArray[np.float64]:
    """Return colours as points that lie near each other if people call them alike: two of hue, one of brightness."""
    flat = np.array(numbers, np.int64).reshape(-1)
    red, green, blue = flat >> 16, flat >> 8 & 255, flat & 255
    return np.stack([red - green, green - blue, (red + green + blue) / 3], axis=-1)


def terrain_code(meaning: Meaning) -> int:
    """Return the terrain code of a meaning, -1 for none."""
    return -1 if meaning.terrain is None else by_name(meaning.terrain).code
