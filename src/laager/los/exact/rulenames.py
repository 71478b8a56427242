"""Rules that block a line: VASL's short name of it, the rulebook's number, and what it says."""

from __future__ import annotations

from typing import NamedTuple


class RuleName(NamedTuple):
    """`label` is what the oracles call it, `number` the rulebook's, `words` say what blocks."""

    label: str
    number: str
    words: str


NONE, LEVEL_OR_STAIRWAY, UNDER_BRIDGE, EXITS_DEPRESSION, ENTERS_DEPRESSION, HEXSIDE_DEPRESSION = range(6)
LEAVES_BUILDING, FROM_ROOF, TO_ROOF, TO_ROOF_NEAR, ENTRENCHED, CELLAR, BOCAGE, HEXSIDE = range(6, 14)
EMBANKMENT, GROUND, SPLIT, HALF, HIGHER, AS_HIGH, SLOPE, BLIND, CREST = range(14, 23)
HILLOCKS, HILLOCK, HILLOCK_RUBBLE, ROW_WALL, HINDRANCES, UP_SLOPE = range(23, 29)

_ALL = {
    NONE: RuleName("", "", ""),
    LEVEL_OR_STAIRWAY: RuleName(
        "level or stairway", "A6.8", "the levels of the building, which aren't adjacent or have no stairway"
    ),
    UNDER_BRIDGE: RuleName("under the bridge", "B6.3", "the bridge above"),
    EXITS_DEPRESSION: RuleName("A6.3", "A6.3", "the depression that the line leaves"),
    ENTERS_DEPRESSION: RuleName("A6.3", "A6.3", "the depression that the line enters"),
    HEXSIDE_DEPRESSION: RuleName("B19.51", "B19.51", "the crest line along which it runs"),
    LEAVES_BUILDING: RuleName("A6.8 Example 2", "A6.8", "the building that the line starts in"),
    FROM_ROOF: RuleName("B23.87", "B23.87", "the roof, seen from a rooftop"),
    TO_ROOF: RuleName("B23.87", "B23.87", "the roof, seen towards a rooftop"),
    TO_ROOF_NEAR: RuleName("A6.8", "A6.8", "the roof next to the first hex"),
    ENTRENCHED: RuleName("B27.2", "B27.2", "a hexside obstacle before an entrenchment"),
    CELLAR: RuleName("O6.3", "O6.3", "what lies before a cellar"),
    BOCAGE: RuleName("B9.52", "B9.52", "bocage"),
    HEXSIDE: RuleName("hexside B9.2", "B9.2", "a wall, hedge or the like on the same level"),
    EMBANKMENT: RuleName("hexside B9.2", "B9.2", "a railway embankment on the same level"),
    GROUND: RuleName("A6.2", "A6.2", "ground that is higher than both ends"),
    SPLIT: RuleName("terrain A6.2", "A6.2", "terrain on the same level"),
    HALF: RuleName("half-level A6.2", "A6.2", "a half-level obstacle on the same level"),
    HIGHER: RuleName("terrain A6.2", "A6.2", "terrain that is higher than both ends"),
    AS_HIGH: RuleName("A6.2", "A6.2", "an obstacle as high as the higher end"),
    SLOPE: RuleName("F2.3", "F2.3", "an obstacle on the slope"),
    BLIND: RuleName("A6.4", "A6.4", "a Blind Hex behind an obstacle"),
    CREST: RuleName("B10.23", "B10.23", "a Blind Hex behind a crest line"),
    HILLOCKS: RuleName("F6.4", "F6.4", "hillocks between"),
    HILLOCK: RuleName("F6.4", "F6.4", "terrain on a hillock"),
    HILLOCK_RUBBLE: RuleName("F6.4", "F6.4", "rubble behind other rubble, seen from a hillock"),
    ROW_WALL: RuleName("B23.71", "B23.71", "a wall between two rowhouses or inside a factory"),
    HINDRANCES: RuleName("B.10", "B.10", "Hindrances of +6 or more"),
    UP_SLOPE: RuleName("up-slope", "A6.2", "terrain before a Location up the slope"),
}

RULES: tuple[RuleName, ...] = tuple(_ALL[number] for number in range(len(_ALL)))
"""The rules by the numbers that the kernels use."""
