"""The start of a check: what is known of a line before the first pixel is looked at."""

from __future__ import annotations

import math

from laager.los.exact import fields as f
from laager.los.exact import rulenames as n
from laager.los.exact.compiled import kernel
from laager.los.exact.kernels.checks import roof
from laager.los.exact.kernels.points import Arrays, State, bit, centre_flags, distance, lowest, near, touched_sides

_TAN_60 = math.tan(math.radians(60))


@kernel
def set_source(m: Arrays, s: State, source: int) -> None:
    """Put the Location that looks into the state; it stays there for line after line."""
    p = m.places
    s[f.SOURCE_HEX], s[f.SOURCE_LEVEL], s[f.SOURCE_CODE] = (
        p[source, f.P_HEX],
        p[source, f.P_LEVEL],
        p[source, f.P_TERRAIN],
    )
    s[f.SOURCE_FLAGS], s[f.SOURCE_CENTRE] = m.flags[s[f.SOURCE_CODE]], p[source, f.P_CENTRE]
    s[f.SOURCE_GROUND], s[f.SOURCE_DEPRESSED] = p[source, f.P_GROUND], p[source, f.P_DEPRESSED]
    s[f.SOURCE_X], s[f.SOURCE_Y] = p[source, f.P_X], p[source, f.P_Y]


@kernel
def set_target(m: Arrays, s: State, target: int) -> None:
    """Put the Location that is looked at into the state, and forget the line before."""
    p = m.places
    s[f.SOURCE_FIELDS : f.CROSSED_LIST] = 0
    s[f.TARGET_HEX], s[f.TARGET_LEVEL], s[f.TARGET_CODE] = (
        p[target, f.P_HEX],
        p[target, f.P_LEVEL],
        p[target, f.P_TERRAIN],
    )
    s[f.TARGET_FLAGS], s[f.TARGET_CENTRE] = m.flags[s[f.TARGET_CODE]], p[target, f.P_CENTRE]
    s[f.TARGET_DEPRESSED] = p[target, f.P_DEPRESSED]
    s[f.TARGET_X], s[f.TARGET_Y] = p[target, f.P_X], p[target, f.P_Y]
    s[f.RANGE] = distance(m, s[f.SOURCE_HEX], s[f.TARGET_HEX])


@kernel
def same_hex(m: Arrays, s: State, source: int) -> None:
    """Decide between two Locations of one hex: stairs, or a bridge between."""
    plain = s[f.SOURCE_FLAGS] & s[f.TARGET_FLAGS] & f.PLAIN
    s[f.X], s[f.Y] = s[f.SOURCE_X], s[f.SOURCE_Y]
    rule = n.NONE
    if plain:
        # A6.8: in a building LOS goes to an adjacent level, by a stairway.
        if abs(s[f.SOURCE_LEVEL] - s[f.TARGET_LEVEL]) > 1 or not m.hexes[s[f.SOURCE_HEX], f.STAIRS]:
            rule = n.LEVEL_OR_STAIRWAY
    # B6.3: a bridge hides what is below it in its own hex.
    elif (s[f.SOURCE_FLAGS] & f.BRIDGE and s[f.TARGET_CENTRE]) or (s[f.TARGET_FLAGS] & f.BRIDGE and s[f.SOURCE_CENTRE]):
        rule = n.UNDER_BRIDGE
    if rule:
        at = source - f.VERTICES_APART * _is_far(m, source)
        s[f.RULE], s[f.BLOCK_X], s[f.BLOCK_Y] = rule, m.places[at, f.P_X], m.places[at, f.P_Y]


@kernel
def _is_far(m: Arrays, place: int) -> bool:
    """Return True for a bypass on the second vertex of its hexside; VASL says of it that the first is blocked."""
    first = place - f.VERTICES_APART
    if first < 0 or m.places[place, f.P_CENTRE] or m.places[first, f.P_CENTRE]:
        return False
    return bool(m.places[first, f.P_HEX] == m.places[place, f.P_HEX])


@kernel
def set_line(m: Arrays, s: State) -> None:
    """Find the line's direction, the sides it leaves and enters, and what the ends say of it."""
    _direction(s)
    if _sides_matter(m, s):
        _sides(m, s)
    else:
        s[f.SOURCE_SIDE], s[f.SOURCE_SIDE_2], s[f.TARGET_SIDE], s[f.TARGET_SIDE_2] = -1, -1, -1, -1
    source = s[f.SOURCE_LEVEL] - roof(s[f.SOURCE_FLAGS])
    target = s[f.TARGET_LEVEL] - roof(s[f.TARGET_FLAGS])
    # A6.3: the rules of depressions count unless the other end is higher by more than the range.
    s[f.EXITS] = s[f.SOURCE_DEPRESSED] != 0 and target - source <= s[f.RANGE]
    s[f.ENTERS] = s[f.TARGET_DEPRESSED] != 0 and source - target <= s[f.RANGE]
    if m.whole[f.SLOPED]:
        _slopes(m, s)
    s[f.START_HILL] = s[f.SOURCE_FLAGS] & f.IS_HILLOCK != 0 or s[f.ON_SLOPE] != 0
    s[f.END_HILL] = s[f.TARGET_FLAGS] & f.IS_HILLOCK != 0
    s[f.CROSSING], s[f.SOURCE_HILL], s[f.TARGET_HILL] = -1, -1, -1
    if m.whole[f.HILLOCKS]:
        s[f.CROSSING] = m.hexes[s[f.SOURCE_HEX], f.HILLOCK] if s[f.START_HILL] else -1
        s[f.SOURCE_HILL] = (
            -1 if s[f.START_HILL] else _hill_beyond(m, s[f.SOURCE_HEX], s[f.SOURCE_SIDE], s[f.SOURCE_SIDE_2])
        )
        s[f.TARGET_HILL] = (
            -1 if s[f.END_HILL] else _hill_beyond(m, s[f.TARGET_HEX], s[f.TARGET_SIDE], s[f.TARGET_SIDE_2])
        )
    restart(m, s)


@kernel
def _sides_matter(m: Arrays, s: State) -> bool:
    """Return True if a rule may ask by which sides the line leaves and enters; finding them takes a while."""
    if m.whole[f.SLOPED] or m.whole[f.HILLOCKS] or s[f.ALONG]:
        return True
    if not (s[f.SOURCE_CENTRE] and s[f.TARGET_CENTRE]):
        return True
    roofs = (s[f.SOURCE_FLAGS] | s[f.TARGET_FLAGS]) & f.ROOFTOP != 0
    return bool(s[f.SOURCE_DEPRESSED] or s[f.TARGET_DEPRESSED] or roofs)


@kernel
def _slopes(m: Arrays, s: State) -> None:
    """Note whether the line runs down or along a slope at one of its ends."""
    leaves = bit(m, s[f.SOURCE_HEX], f.SLOPES, s[f.SOURCE_SIDE]) or bit(
        m, s[f.SOURCE_HEX], f.SLOPES, s[f.SOURCE_SIDE_2]
    )
    enters = bit(m, s[f.TARGET_HEX], f.SLOPES, s[f.TARGET_SIDE]) or bit(
        m, s[f.TARGET_HEX], f.SLOPES, s[f.TARGET_SIDE_2]
    )
    s[f.ON_SLOPE] = (leaves and s[f.SOURCE_LEVEL] >= s[f.TARGET_LEVEL]) or (
        enters and s[f.TARGET_LEVEL] >= s[f.SOURCE_LEVEL]
    )


@kernel
def restart(m: Arrays, s: State) -> None:
    """Stand at the first pixel."""
    s[f.LEFT_BUILDING] = centre_flags(m, s[f.SOURCE_HEX]) & f.BUILDING == 0
    s[f.HEX], s[f.FROM_SOURCE], s[f.TO_TARGET], s[f.CONTINUOUS] = s[f.SOURCE_HEX], 0, s[f.RANGE], 1
    s[f.LAST_HEX], s[f.IGNORED], s[f.FIRST_RUBBLE], s[f.FIRST_GRAIN], s[f.WALL_HEX] = -1, -1, -1, -1, -1
    s[f.MEMORY], s[f.OLDER] = -1, -1
    s[f.RULE], s[f.OVER], s[f.SKIPPED] = 0, 0, 0


@kernel
def _direction(s: State) -> None:
    dx, dy, away = s[f.TARGET_X] - s[f.SOURCE_X], s[f.TARGET_Y] - s[f.SOURCE_Y], s[f.RANGE]
    s[f.EXIT_SPINE], s[f.ENTER_SPINE] = -1, -1
    # Not in the rulebook: a line that nearly runs along hexsides counts as one that does.
    near_enough = 0.05 if away < 5 else (0.03 if away <= 15 else 0.015)
    s[f.LEVEL_LINE] = dy == 0
    s[f.SIXTY] = dx != 0 and abs(abs(dy / dx) - _TAN_60) < near_enough
    s[f.ALONG] = s[f.SIXTY] or s[f.LEVEL_LINE]
    if s[f.SIXTY]:
        if dx > 0:
            s[f.EXIT_SPINE] = 3 if dy > 0 else 1
        else:
            s[f.EXIT_SPINE] = 4 if dy > 0 else 0
    elif s[f.LEVEL_LINE] and dx != 0:
        s[f.EXIT_SPINE] = 2 if dx > 0 else 5
    if s[f.EXIT_SPINE] >= 0:
        s[f.ENTER_SPINE] = (s[f.EXIT_SPINE] + 3) % 6


@kernel
def _sides(m: Arrays, s: State) -> None:
    """Find the sides by which the line leaves the source hex and enters the target hex."""
    if s[f.SOURCE_CENTRE] or s[f.TARGET_CENTRE]:
        first, other = _pair(m, s)
        s[f.SOURCE_SIDE], s[f.SOURCE_SIDE_2] = first, other
        s[f.TARGET_SIDE] = (first + 3) % 6 if first >= 0 else -1
        s[f.TARGET_SIDE_2] = (other + 3) % 6 if other >= 0 else -1
    if not s[f.SOURCE_CENTRE]:
        s[f.SOURCE_SIDE], s[f.SOURCE_SIDE_2] = _bypass(m, s, s[f.SOURCE_HEX])
    if not s[f.TARGET_CENTRE]:
        s[f.TARGET_SIDE], s[f.TARGET_SIDE_2] = _bypass(m, s, s[f.TARGET_HEX])


@kernel
def _pair(m: Arrays, s: State) -> tuple[int, int]:
    dx, dy = s[f.TARGET_X] - s[f.SOURCE_X], s[f.TARGET_Y] - s[f.SOURCE_Y]
    if dx == 0:
        return (0, -1) if dy < 0 else (3, -1)
    if s[f.LEVEL_LINE]:
        return (1, 2) if dx > 0 else (4, 5)
    if s[f.SIXTY]:
        if dx > 0:
            return (2, 3) if dy > 0 else (0, 1)
        return (3, 4) if dy > 0 else (5, 0)
    return lowest(touched_sides(m, s[f.SOURCE_HEX], s)), -1


@kernel
def _bypass(m: Arrays, s: State, number: int) -> tuple[int, int]:
    sides = touched_sides(m, number, s)
    count = 0
    for side in range(6):
        count += (sides >> side) & 1
    if count > 2:
        for side in range(6):
            for vertex in (side, (side + 1) % 6):
                x, y = m.hexes[number, f.VERTEX_X + vertex], m.hexes[number, f.VERTEX_Y + vertex]
                if (x == s[f.SOURCE_X] and y == s[f.SOURCE_Y]) or (x == s[f.TARGET_X] and y == s[f.TARGET_Y]):
                    sides &= ~(1 << side)
    first = lowest(sides)
    return first, lowest(sides & ~(1 << max(first, 0)))


@kernel
def _hill_beyond(m: Arrays, number: int, first: int, other: int) -> int:
    """Return the hillock beyond the sides of an end; the second side wins."""
    hillock = -1
    for side in (first, other):
        if side >= 0:
            beyond = near(m, number, side)
            if beyond >= 0 and m.hexes[beyond, f.HILLOCK] >= 0:
                hillock = m.hexes[beyond, f.HILLOCK]
    return hillock
