"""A legend: what the commonest colours of a board's picture stand for, told by a person who looks at it.

It is a file with a line for each colour: where it is found, what it is taken for now, and `is`, to be filled in with
the words of map files (`woods`, `paved`, `stone`, `open+level:1`), `nothing` for what is drawn over the ground, or
`right` if it is what it is taken for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from math import hypot
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from laager.base import DataError, Problem, did_you_mean
from laager.base.files import FilePart, check, parse_document
from laager.vasl.archive import Archive
from laager.vasl.boards.board import Board
from laager.vasl.boards.losdata import by_name, terrains
from laager.vasl.colours.margin import crop_to_map
from laager.vasl.colours.palette import RIGHT, Meaning, hue_points
from laager.vasl.colours.pixel_ground import HIGHEST, LOWEST
from laager.vasl.colours.pixels import Pixels, read_pixels

MOST = 64
"""Most colours of a legend that is written."""
LEAST = 0.0002
"""Smallest share of a picture of a colour that is listed."""
SAMPLES = 4
"""Most hexes that a colour is listed with."""
CUT = (112, 56)
"""Width and height of a cut-out, in pixels: about two hexes of a usual board."""
SHADE = 18.0
"""Distance within which unsure colours are shades of one: a little more than that of colours that people call alike."""
UNSURE = frozenset({"guess", "alike", "none"})
"""The origins of meanings that a person should confirm."""
NOTHING = "nothing"
"""The word for what is drawn over the ground: lines, dots, numbers."""

_LEVEL = re.compile(r"level:([+-]?[0-9]{1,2})")
_KINDS = ("terrain", "road", "watercourse", "hexside", "building", "feature")


class LegendEntry(FilePart):
    """One colour: where it is, what it is taken for now, and what it is."""

    colour: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$", description="Red, green, blue, such as #94b95f")]
    share: Annotated[float, Field(ge=0, le=100, description="Percent of the picture")] = 0
    hexes: Annotated[tuple[str, ...], Field(description="Hexes with much of it")] = ()
    now: Annotated[str, Field(description="What it is taken for if nobody says")] = ""
    sure: Annotated[bool, Field(description="False if that is a guess")] = True
    is_: Annotated[str, Field(alias="is", max_length=60, description="What it is; empty to leave it as it is")] = ""


class LegendFile(FilePart):
    """What the colours of a board's picture stand for."""

    laager: Literal["vasl-legend/1"]
    board: str = ""
    colours: Annotated[tuple[LegendEntry, ...], Field(max_length=256)] = ()


def read_legend(text: str, name: str = "the legend") -> Mapping[int, Meaning]:
    """Return the meanings in a legend, by colour (RGB as one number). Raises DataError with all problems."""
    file = check(parse_document(text, name), LegendFile)
    meanings: dict[int, Meaning] = {}
    problems = []
    for at, entry in enumerate(file.colours, 1):
        if not entry.is_.strip():
            continue
        try:
            meanings[int(entry.colour[1:], 16)] = parse_meaning(entry.is_)
        except DataError as err:
            problems += [
                Problem(problem.what, problem.right, f"colours.[{at}].is", file=name) for problem in err.problems
            ]
    if problems:
        raise DataError(problems)
    return meanings


def parse_meaning(text: str) -> Meaning:
    """Return the meaning of a legend's words: terrain and a level, joined by +. Raises DataError."""
    if text.strip() == RIGHT.name:
        return RIGHT
    terrain: str | None = None
    level: int | None = None
    silent = False
    for word in (part.strip() for part in text.split("+")):
        number = _LEVEL.fullmatch(word)
        if number is not None:
            level = int(number[1])
            if not LOWEST <= level <= HIGHEST:
                raise DataError([Problem(f"level {level} is out of bounds", f"from {LOWEST} to {HIGHEST}")])
        elif word == NOTHING:
            silent = True
        elif word not in legend_words():
            known = (*legend_words(), NOTHING, RIGHT.name, "level:1")
            raise DataError([Problem(f"{word[:30]!r} is nothing that a colour can be", did_you_mean(word, known))])
        elif terrain is not None:
            raise DataError([Problem(f"{text[:40]!r} is two kinds of terrain", "one colour is one kind")])
        else:
            terrain = legend_words()[word]
    if silent and (terrain or level is not None):
        raise DataError([Problem(f"{text[:40]!r} is something and nothing", f"only {NOTHING}, or what it is")])
    if terrain is None and not silent:
        terrain = "Open Ground"
    return Meaning(terrain, level, "legend", text.strip())


@cache
def legend_words() -> Mapping[str, str]:
    """Return the words that a legend may use, with VASL's name for each."""
    words_by_name = {"open": "Open Ground"}
    for kind in _KINDS:
        for terrain in terrains():
            if terrain.kind == kind and not terrain.name.startswith("unknown"):
                words_by_name.setdefault(terrain.word, terrain.name)
    return words_by_name


def legend_text(archive: Archive, board: Board) -> str:
    """Return a legend to be filled in: the commonest colours of a board's picture, the largest first.

    Raises DataError if the picture can't be used, RefusedError if Pillow isn't installed.
    """
    lines = [
        "# What do the colours of this board stand for? Fill in `is` where `now` is wrong: a word of map files",
        "# (open, woods, paved, stone, wall, stream ...), with the level if it tells one (open+level:1), or",
        f"# {NOTHING} for what is only drawn over the ground. `{RIGHT.name}` says that `now` is right. Then:",
        "# laager vasl import BOARD --legend THIS_FILE",
        "laager: vasl-legend/1",
        f'board: "{board.code}"',
        "colours:",
    ]
    for entry in legend_entries(archive, board):
        hexes = ", ".join(f'"{name}"' for name in entry.hexes)
        lines.append(
            f'  - {{colour: "{entry.colour}", share: {entry.share:.2f}, hexes: [{hexes}], now: "{entry.now}",'
            f' sure: {str(entry.sure).lower()}, is: ""}}'
        )
    return "\n".join(lines) + "\n"


def legend_entries(archive: Archive, board: Board) -> tuple[LegendEntry, ...]:
    """Return the commonest colours of a board's map, those of unsure meaning first, with nothing filled in."""
    seen = crop_to_map(read_pixels(archive, board.metadata.picture), archive, board)
    pixels, meanings = seen.pixels, seen.meanings
    order = [at for at in np.argsort(-pixels.counts).tolist() if pixels.share(at) >= LEAST][:MOST]
    order.sort(key=lambda at: meanings[at].origin not in UNSURE)
    return tuple(
        LegendEntry.model_validate(
            {
                "colour": f"#{pixels.colours[at]:06x}",
                "share": round(100 * pixels.share(at), 2),
                "hexes": list(dict.fromkeys(_sample_hexes(pixels, at, seen.board))),
                "now": _describe_meaning(meanings[at]),
                "sure": meanings[at].origin not in UNSURE,
            }
        )
        for at in order
    )


def group_shades(entries: Sequence[LegendEntry]) -> tuple[tuple[LegendEntry, ...], ...]:
    """Return the colours of a legend with those together that one answer names, those of unsure meaning first.

    Shades of one colour are unsure, taken for the same, and all near the commonest of them.
    """
    groups: list[list[LegendEntry]] = []
    points = hue_points([int(entry.colour[1:], 16) for entry in entries])
    first: list[int] = []
    for at, entry in enumerate(entries):
        apart = [float(np.linalg.norm(points[at] - points[other])) for other in first]
        near = [
            number
            for number, group in enumerate(groups)
            if not (entry.sure or group[0].sure) and group[0].now == entry.now and apart[number] <= SHADE
        ]
        if near:
            groups[min(near, key=apart.__getitem__)].append(entry)
        else:
            groups.append([entry])
            first.append(at)
    return tuple(sorted(map(tuple, groups), key=lambda group: (group[0].sure, -sum(entry.share for entry in group))))


def _describe_meaning(meaning: Meaning) -> str:
    if meaning.terrain is None:
        return NOTHING if meaning.origin != "none" else ""
    word = by_name(meaning.terrain).word or "open" if by_name(meaning.terrain).becomes != "-" else meaning.terrain
    return word if meaning.level is None else f"{word}+level:{meaning.level}"


def legend_cuts(archive: Archive, board: Board, entries: Sequence[LegendEntry]) -> Mapping[str, bytes]:
    """Return a cut-out of a board's picture for each colour of its legend, as PNG, by the colour.

    It shows the place with the most of that colour, as the board has it, with what lies around. Raises DataError if
    the picture can't be used.
    """
    from PIL import Image

    pixels = read_pixels(archive, board.metadata.picture)
    numbers = {colour: at for at, colour in reversed(list(enumerate(pixels.colours))) if pixels.counts[at]}
    colours = np.array([(rgb >> 16, rgb >> 8 & 255, rgb & 255) for rgb in pixels.colours], np.uint8)
    cuts = {}
    for entry in entries:
        at = numbers.get(int(entry.colour[1:], 16))
        if at is None:
            continue
        x, y = _find_corner_of_cut(pixels, at)
        packed = BytesIO()
        part = pixels.numbers.T[y : y + CUT[1], x : x + CUT[0]]
        Image.fromarray(colours[part]).save(packed, "PNG")
        cuts[entry.colour] = packed.getvalue()
    return cuts


def _find_corner_of_cut(pixels: Pixels, at: int) -> tuple[int, int]:
    """Return the corner of the cut-out in which a colour covers most."""
    wide, high = CUT
    lines = pixels.numbers.T
    rows, columns = -(-lines.shape[0] // high), -(-lines.shape[1] // wide)
    counts = np.zeros((rows, columns), np.int64)
    across = np.arange(0, lines.shape[1], wide)
    for row in range(rows):
        is_colour = lines[row * high : (row + 1) * high] == at
        counts[row] = np.add.reduceat(is_colour.sum(axis=0), across)
    row, column = divmod(int(counts.argmax()), columns)
    return min(column * wide, max(lines.shape[1] - wide, 0)), min(row * high, max(lines.shape[0] - high, 0))


def _sample_hexes(pixels: Pixels, at: int, board: Board) -> Iterator[str]:
    """Yield hexes with a colour: those of the pixels that lie farthest from one another."""
    x, y = np.nonzero(pixels.numbers == at)
    step = max(1, len(x) // 400)
    spots = list(zip(x[::step].tolist(), y[::step].tolist(), strict=True))
    chosen: list[tuple[int, int]] = []
    for _ in range(min(SAMPLES, len(spots))):
        chosen.append(max(spots, key=lambda spot: min((hypot(spot[0] - a, spot[1] - b) for a, b in chosen), default=0)))
    yield from (name for name in (board.geometry.name(*spot) for spot in chosen) if name in board.by_name)
