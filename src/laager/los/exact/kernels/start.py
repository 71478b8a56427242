"""The start of a check: what is known of a line before the first pixel is looked at."""

from __future__ import annotations

import math

from laager.los.exact import fields as f
from laager.los.exact import rulenames as n
from laager.los.exact.compiled import kernel
from laager.los.exact.kernels.points import Arrays, State, bit, centre_flags, distance, lowest, near, touched
from laager.los.exact.kernels.tests import roof

_TAN_60 = math.tan(math.radians(60))


@kernel
def set_source(m: Arrays, s: State, source: int) -> None:
    """Put the Location that looks into the state; it stays there for line after line."""
    p = m.places
    s[f.SRC], s[f.S], s[f.S_CODE] = p[source, f.P_HEX], p[source, f.P_LEVEL], p[source, f.P_TERRAIN]
    s[f.S_FLAGS], s[f.S_CENTRE] = m.flags[s[f.S_CODE]], p[source, f.P_CENTRE]
    s[f.S_GROUND], s[f.S_DEPRESSED] = p[source, f.P_GROUND], p[source, f.P_DEPRESSED]
    s[f.SX], s[f.SY] = p[source, f.P_X], p[source, f.P_Y]


@kernel
def set_target(m: Arrays, s: State, target: int) -> None:
    """Put the Location that is looked at into the state, and forget the line before."""
    p = m.places
    s[f.SOURCE_FIELDS : f.CROSSED_LIST] = 0
    s[f.TGT], s[f.T], s[f.T_CODE] = p[target, f.P_HEX], p[target, f.P_LEVEL], p[target, f.P_TERRAIN]
    s[f.T_FLAGS], s[f.T_CENTRE] = m.flags[s[f.T_CODE]], p[target, f.P_CENTRE]
    s[f.T_DEPRESSED] = p[target, f.P_DEPRESSED]
    s[f.TX], s[f.TY] = p[target, f.P_X], p[target, f.P_Y]
    s[f.R] = distance(m, s[f.SRC], s[f.TGT])


@kernel
def same_hex(m: Arrays, s: State) -> None:
    """Decide between two Locations of one hex: stairs, or a bridge between."""
    plain = s[f.S_FLAGS] & s[f.T_FLAGS] & f.PLAIN
    s[f.X], s[f.Y] = s[f.SX], s[f.SY]
    rule = n.NONE
    if plain:
        if abs(s[f.S] - s[f.T]) > 1 or not m.hexes[s[f.SRC], f.STAIRS]:
            rule = n.LEVEL_OR_STAIRWAY
    elif (s[f.S_FLAGS] & f.BRIDGE and s[f.T_CENTRE]) or (s[f.T_FLAGS] & f.BRIDGE and s[f.S_CENTRE]):
        rule = n.UNDER_BRIDGE
    if rule:
        s[f.RULE], s[f.BX], s[f.BY] = rule, s[f.SX], s[f.SY]


@kernel
def set_line(m: Arrays, s: State) -> None:
    """Find the line's direction, the sides it leaves and enters, and what the ends say of it."""
    _direction(s)
    if _sides_matter(m, s):
        _sides(m, s)
    else:
        s[f.SS0], s[f.SS1], s[f.TS0], s[f.TS1] = -1, -1, -1, -1
    source = s[f.S] - roof(s[f.S_FLAGS])
    target = s[f.T] - roof(s[f.T_FLAGS])
    s[f.EXITS] = s[f.S_DEPRESSED] != 0 and target - source <= s[f.R]
    s[f.ENTERS] = s[f.T_DEPRESSED] != 0 and source - target <= s[f.R]
    if m.whole[f.SLOPED]:
        _slopes(m, s)
    s[f.START_HILL] = s[f.S_FLAGS] & f.IS_HILLOCK != 0 or s[f.ON_SLOPE] != 0
    s[f.END_HILL] = s[f.T_FLAGS] & f.IS_HILLOCK != 0
    s[f.CROSSING], s[f.S_HILL], s[f.T_HILL] = -1, -1, -1
    if m.whole[f.HILLOCKS]:
        s[f.CROSSING] = m.hexes[s[f.SRC], f.HILLOCK] if s[f.START_HILL] else -1
        s[f.S_HILL] = -1 if s[f.START_HILL] else _hill_beyond(m, s[f.SRC], s[f.SS0], s[f.SS1])
        s[f.T_HILL] = -1 if s[f.END_HILL] else _hill_beyond(m, s[f.TGT], s[f.TS0], s[f.TS1])
    restart(m, s)


@kernel
def _sides_matter(m: Arrays, s: State) -> bool:
    """Return True if a rule may ask by which sides the line leaves and enters; finding them takes a while."""
    if m.whole[f.SLOPED] or m.whole[f.HILLOCKS] or s[f.ALONG]:
        return True
    if not (s[f.S_CENTRE] and s[f.T_CENTRE]):
        return True
    roofs = (s[f.S_FLAGS] | s[f.T_FLAGS]) & f.ROOFTOP != 0
    return bool(s[f.S_DEPRESSED] or s[f.T_DEPRESSED] or roofs)


@kernel
def _slopes(m: Arrays, s: State) -> None:
    """Note whether the line runs down or along a slope at one of its ends."""
    leaves = bit(m, s[f.SRC], f.SLOPES, s[f.SS0]) or bit(m, s[f.SRC], f.SLOPES, s[f.SS1])
    enters = bit(m, s[f.TGT], f.SLOPES, s[f.TS0]) or bit(m, s[f.TGT], f.SLOPES, s[f.TS1])
    s[f.ON_SLOPE] = (leaves and s[f.S] >= s[f.T]) or (enters and s[f.T] >= s[f.S])


@kernel
def restart(m: Arrays, s: State) -> None:
    """Stand at the first pixel."""
    s[f.LEFT] = centre_flags(m, s[f.SRC]) & f.BUILDING == 0
    s[f.CUR], s[f.RS], s[f.RT], s[f.CONT] = s[f.SRC], 0, s[f.R], 1
    s[f.PREV], s[f.IGNORED], s[f.FIRST_RUBBLE], s[f.FIRST_GRAIN], s[f.WALL_HEX] = -1, -1, -1, -1, -1
    s[f.MEMORY], s[f.OLDER] = -1, -1
    s[f.RULE], s[f.OVER], s[f.SKIPPED] = 0, 0, 0


@kernel
def _direction(s: State) -> None:
    dx, dy, away = s[f.TX] - s[f.SX], s[f.TY] - s[f.SY], s[f.R]
    s[f.EXIT_SPINE], s[f.ENTER_SPINE] = -1, -1
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
    if s[f.S_CENTRE] or s[f.T_CENTRE]:
        one, other = _pair(m, s)
        s[f.SS0], s[f.SS1] = one, other
        s[f.TS0] = (one + 3) % 6 if one >= 0 else -1
        s[f.TS1] = (other + 3) % 6 if other >= 0 else -1
    if not s[f.S_CENTRE]:
        s[f.SS0], s[f.SS1] = _bypass(m, s, s[f.SRC])
    if not s[f.T_CENTRE]:
        s[f.TS0], s[f.TS1] = _bypass(m, s, s[f.TGT])


@kernel
def _pair(m: Arrays, s: State) -> tuple[int, int]:
    dx, dy = s[f.TX] - s[f.SX], s[f.TY] - s[f.SY]
    if dx == 0:
        return (0, -1) if dy < 0 else (3, -1)
    if s[f.LEVEL_LINE]:
        return (1, 2) if dx > 0 else (4, 5)
    if s[f.SIXTY]:
        if dx > 0:
            return (2, 3) if dy > 0 else (0, 1)
        return (3, 4) if dy > 0 else (5, 0)
    return lowest(touched(m, s[f.SRC], s)), -1


@kernel
def _bypass(m: Arrays, s: State, number: int) -> tuple[int, int]:
    sides = touched(m, number, s)
    count = 0
    for side in range(6):
        count += (sides >> side) & 1
    if count > 2:
        for side in range(6):
            for vertex in (side, (side + 1) % 6):
                x, y = m.hexes[number, f.VERTEX_X + vertex], m.hexes[number, f.VERTEX_Y + vertex]
                if (x == s[f.SX] and y == s[f.SY]) or (x == s[f.TX] and y == s[f.TY]):
                    sides &= ~(1 << side)
    one = lowest(sides)
    return one, lowest(sides & ~(1 << max(one, 0)))


@kernel
def _hill_beyond(m: Arrays, number: int, one: int, other: int) -> int:
    """Return the hillock beyond the sides of an end; the second side wins."""
    found = -1
    for side in (one, other):
        if side >= 0:
            beyond = near(m, number, side)
            if beyond >= 0 and m.hexes[beyond, f.HILLOCK] >= 0:
                found = m.hexes[beyond, f.HILLOCK]
    return found
