"""The places where a board shows who controls a Block: its rules for markers, one for each letter and side.

A board such as that of a town of Blocks has rules `BrBlkA`, `GrBlkA` ... in `overlaySSR`: a picture for each, with
the pixel of its top left corner. They tell what the printed Blocks are called. On the boards that Laager makes of maps
a Block may be called by words (`AxisBlk_Mill`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from laager.base import DataError
from laager.vasl.archive import Archive
from laager.vasl.boards.picture import picture_size

OVERLAYS = "overlaySSR"
MAX_TEXT = 2**18
MAX_RULES = 2000
LEAST = 3
"""Fewest letters that make Blocks of a row of rules."""
FARTHEST = 20_000
"""The farthest pixel that a marker may lie at."""

_RULE = re.compile(
    r"[A-Za-z]{0,12}?(?:Blk|Block)_?(?P<letter>[A-Z]{1,2})|(?:Axis|Allied)Blk_(?P<word>[A-Za-z0-9_]{1,20})"
)
_PLACE = re.compile(r"(?P<picture>\S{1,80})\s+(?P<x>[0-9]{1,6}),(?P<y>[0-9]{1,6})")


def find_block_markers(archive: Archive) -> Mapping[str, tuple[int, int]]:
    """Return the pixel of the middle of each Block's marker, by the Block's letter; none if there are none.

    Raises DataError for a list that is too long.
    """
    markers: dict[str, tuple[int, int]] = {}
    for name, picture, x, y in rules_with_pictures(archive):
        letter = block_of_rule(name)
        if letter and letter not in markers and max(x, y) <= FARTHEST and picture in archive:
            try:
                width, height = picture_size(archive, picture)
            except DataError:
                continue  # A marker that nobody can see is none.
            markers[letter] = (x + width // 2, y + height // 2)
    return dict(sorted(markers.items())) if len(markers) >= LEAST else {}


def block_of_rule(name: str) -> str:
    """Return the Block whose control a rule shows; "" for rules about anything else."""
    rule = _RULE.fullmatch(name)
    return (rule["letter"] or rule["word"].replace("_", " ")) if rule else ""


def rules_with_pictures(archive: Archive) -> Iterator[tuple[str, str, int, int]]:
    """Yield the rule, the picture and its top left pixel of each picture that a board lays on itself.

    Raises DataError for a list that is too long.
    """
    if OVERLAYS not in archive:
        return
    name, rules = "", 0
    for line in archive.read(OVERLAYS, MAX_TEXT).decode("latin-1").splitlines():
        words = line.partition("//")[0].strip()
        place = _PLACE.fullmatch(words)
        if place is not None:
            if name:
                yield name, place["picture"], int(place["x"]), int(place["y"])
        elif words:
            rules += 1
            if rules > MAX_RULES:
                return
            name = words
