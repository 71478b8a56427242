"""VASL's kinds of terrain by code, and what of Laager's vocabulary each becomes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from laager.vasl.archive import packed_table

CODES = 256


@dataclass(frozen=True, eq=False)
class Terrain:
    """A kind of terrain of VASL, one object for each code. Boards do not redefine codes.

    `category` is VASL's (open, road, woods, depression, building ...), `height` and `half` its
    height above the ground in levels and half a level more. `inherent` terrain fills its whole
    hex. `becomes` is what it is on a map of ours (`terrain:woods`, `road:paved` ...): empty for
    plain open ground, "-" for what our vocabulary has no word for.
    """

    code: int
    name: str
    category: str
    height: int = 0
    half: bool = False
    inherent: bool = False
    hexside: bool = False
    building: bool = False
    becomes: str = "-"

    @property
    def house(self) -> bool:
        """Whether this is a building proper: not a wall between two."""
        return self.building and not self.hexside

    @property
    def storeys(self) -> int:
        """The levels above the ground floor: a building of one and a half levels has one."""
        return max(0, self.height if self.half else self.height - 1)

    @property
    def kind(self) -> str:
        """The part of a map that it becomes: terrain, road, hexside, building ..., or nothing."""
        return self.becomes.partition(":")[0]

    @property
    def word(self) -> str:
        """The word for it in that part of a map."""
        return self.becomes.partition(":")[2]


@cache
def terrains() -> tuple[Terrain, ...]:
    """Return the terrain of every code; a code that VASL did not have is open ground by number."""
    found = [Terrain(code, f"unknown terrain {code}", "open") for code in range(CODES)]
    for row in packed_table("terrain.csv"):
        flags = {flag: row[flag] == "1" for flag in ("half", "inherent", "hexside", "building")}
        one = Terrain(
            int(row["code"]), row["name"], row["category"], int(row["height"]), becomes=row["becomes"], **flags
        )
        found[one.code] = one
    return tuple(found)


@cache
def by_name(name: str) -> Terrain:
    """Return the terrain with a name of VASL's table. Raises KeyError."""
    return {one.name: one for one in reversed(terrains())}[name]
