"""An answer about a line of sight (LOS): clear or blocked, by which rule, where, what hinders it.

All values are immutable. The exact engine, which reads a board's pixels, and the approximate one, which reads only
hexes, give the same class; `LosResult.approximate` tells them apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from laager.base import DataError, Problem

Kind = Literal["ground", "level", "rooftop", "cellar", "bridge", "below bridge", "entrenched", "bypass", "above"]

MOST_ABOVE = 6
"""Highest point above the ground of a hex that can be asked about, in levels."""

_HEX = r"(?P<hex>[^\s:]{1,40})"
_KINDS = r"(?P<kind>ground|rooftop|roof|cellar|bridge|below bridge|below|entrenched)"
_BYPASS = r"bypass\s*(?P<vertex>[0-5])(?P<far>\s*far)?"
_ABOVE = rf"(?:above\s*|\+)(?P<above>[1-{MOST_ABOVE}])"
_TEXT = re.compile(rf"{_HEX}(?:(?:\s+|:)(?:{_KINDS}|(?:level\s*)?(?P<level>[0-9]{{1,2}})|{_BYPASS}|{_ABOVE}))?")
_SHORT: dict[str, Kind] = {
    **{"ground": "ground", "roof": "rooftop", "rooftop": "rooftop", "cellar": "cellar", "bridge": "bridge"},
    **{"below": "below bridge", "below bridge": "below bridge", "entrenched": "entrenched"},
}


@dataclass(frozen=True, slots=True)
class Location:
    """A Location as players write it: `4D5`, `4D5 level 2`, `4D5 rooftop`, `4D5 bypass 3`.

    `hex` has the board's name before it where the map has several boards. `level` is that of a building's upper
    level, 1 or more; 0 for the others. `vertex` (0 to 5, clockwise from the top left) is the one that a unit in bypass
    stands on; if `far`, it stands at the other end of that hexside, on the next vertex. `above` isn't a Location of
    play: it is a point `level` levels over the hex's ground, to ask how high something must be to be seen. `elevation`
    is the Location's level above the map's level 0, or None where nobody has looked it up; it doesn't count when
    Locations are compared.
    """

    hex: str
    kind: Kind = "ground"
    level: int = 0
    vertex: int | None = None
    far: bool = False
    elevation: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        match self.kind:
            case "ground":
                return self.hex
            case "level":
                return f"{self.hex} level {self.level}"
            case "bypass":
                return f"{self.hex} bypass {self.vertex}{' far' if self.far else ''}"
            case "above":
                return f"{self.hex} above {self.level}"
            case _:
                return f"{self.hex} {self.kind}"


def location(text: str) -> Location:
    """Return the Location that a text names: `D5`, `D5 level 2` or `D5:2`, `D5 roof`. Raises DataError."""
    match = _TEXT.fullmatch(" ".join(text.split()))
    if match is None:
        right = "a hex, then nothing, a level, roof, cellar, bridge, below, or bypass and a hexside: D5, D5:2, D5:roof"
        raise DataError([Problem(f"{text[:40]!a} is not a Location", right)])
    name = match["hex"]
    if match["vertex"]:
        return Location(name, "bypass", vertex=int(match["vertex"]), far=bool(match["far"]))
    if match["above"]:
        return Location(name, "above", int(match["above"]))
    if match["level"]:
        level = int(match["level"])
        return Location(name, "level" if level else "ground", level)
    return Location(name, _SHORT[match["kind"] or "ground"])


@dataclass(frozen=True, slots=True)
class Point:
    """The place where a line is blocked: the hex, and the pixel (from the top left) on a map that has pixels."""

    hex: str
    x: int | None = None
    y: int | None = None


@dataclass(frozen=True, slots=True)
class Hindrance:
    """A hex that hinders a line, and the DRM it gives."""

    hex: str
    drm: int

    def __str__(self) -> str:
        return f"+{self.drm} {self.hex}"


@dataclass(frozen=True, slots=True)
class LosResult:
    """The answer to "does `source` have LOS to `target`?", asked in that direction.

    `clear` is None where there is no answer: `reason` says why ("VASL gives no answer: ..."). Of a blocked line `rule`
    is the rulebook's number (`A6.2`, `B10.23`), `reason` says what it is about, `block` where. `hindrance` is the sum
    of the DRM of `hindrances`, also of those that a blocked line meets before its block; a line that they block
    (6 or more, B.10) names that rule. `range` counts hexes. `slope`: the ground falls or rises by one level with each
    hex, which VASL calls a continuous slope; None if nobody asked. `approximate`: decided from hexes alone, without
    terrain data; never settles anything without the players. `deviations` are the names of the deviations from
    VASL that were switched on for the answer.
    """

    source: Location
    target: Location
    clear: bool | None
    range: int
    rule: str = ""
    reason: str = ""
    block: Point | None = None
    hindrance: int = 0
    hindrances: tuple[Hindrance, ...] = ()
    slope: bool | None = None
    approximate: bool = False
    deviations: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """True only if the line is clear; a hindered line is."""
        return self.clear is True

    @property
    def blocked(self) -> bool:
        """True only if the line is blocked: not where there is no answer."""
        return self.clear is False

    @property
    def sentence(self) -> str:
        """The answer as a player says it, for example "D5 sees F9 level 1 (range 4), hindered by +1 E7"."""
        said = self._outcome()
        return f"{said} (Approximate: from hexes, not from VASL's terrain data.)" if self.approximate else said

    def _outcome(self) -> str:
        how_far = f"(range {self.range})"
        if self.clear is None:
            return f"No answer for {self.source} to {self.target}: {self.reason or 'not decided'}."
        if self.clear:
            hindered = ", hindered by " + ", ".join(map(str, self.hindrances)) if self.hindrance else ""
            total = f" (+{self.hindrance} in all)" if len(self.hindrances) > 1 else ""
            return f"{self.source} sees {self.target} {how_far}{hindered}{total}."
        where = f" at {self.block.hex}" if self.block and self.block.hex else ""
        why = " ".join(filter(None, (self.reason, f"({self.rule})" if self.rule else "")))
        return f"{self.source} doesn't see {self.target} {how_far}: blocked{where}{f' by {why}' if why else ''}."

    def describe(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "from": str(self.source),
            "to": str(self.target),
            "clear": self.clear,
            "range": self.range,
            "rule": self.rule,
            "reason": self.reason,
            "block": None if self.block is None else {"hex": self.block.hex, "x": self.block.x, "y": self.block.y},
            "hindrance": self.hindrance,
            "hindrances": [{"hex": hindrance.hex, "drm": hindrance.drm} for hindrance in self.hindrances],
            "continuous_slope": self.slope,
            "approximate": self.approximate,
            "deviations": list(self.deviations),
            "sentence": self.sentence,
        }
