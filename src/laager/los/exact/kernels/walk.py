"""The walk: pixel by pixel from the source to the target, each in the hex or the hexes that it counts for."""

from __future__ import annotations

from laager.los.exact import fields as f
from laager.los.exact.compiled import kernel, part
from laager.los.exact.kernels.checks import fail
from laager.los.exact.kernels.depression import depression, follow
from laager.los.exact.kernels.hexsides import embankment, hexside, leaving
from laager.los.exact.kernels.levels import by_height
from laager.los.exact.kernels.points import Arrays, State, distance, in_border, near, nearest


@part
def walk_all(m: Arrays, s: State, table: State) -> None:
    """Look at every pixel."""
    dx, dy = s[f.TARGET_X] - s[f.SOURCE_X], s[f.TARGET_Y] - s[f.SOURCE_Y]
    columns = abs(dx) + 1
    step = dy / columns
    right = -1 if dx < 0 else 1
    down = -1 if dy < 0 else 1
    x, enter = s[f.SOURCE_X], float(s[f.SOURCE_Y])
    leave = enter + step
    for _ in range(columns):
        y = int(enter)
        for _ in range(abs(int(leave) - y) + 1):
            if pixel(m, s, table, x, y):
                return
            y += down
        enter = leave
        x += right
        leave += step


@kernel
def pixel(m: Arrays, s: State, table: State, x: int, y: int) -> bool:
    """Look at a pixel in every hex that it counts for. Returns True if the walk is over."""
    s[f.X], s[f.Y] = x, y
    if 0 <= x < m.whole[f.WIDTH] and 0 <= y < m.whole[f.HEIGHT]:
        word = m.words[x * m.whole[f.HEIGHT] + y]
        s[f.CODE], s[f.GROUND] = word & 255, ((word >> f.LEVEL_SHIFT) & 255) - 128
        s[f.GRID] = ((word >> f.HEX_SHIFT) & f.HEX_MASK) - 1
    else:
        s[f.CODE], s[f.GROUND], s[f.GRID] = f.NULL, 0, -1
    in_source = in_border(m, s[f.SOURCE_HEX], x, y)
    in_target = in_border(m, s[f.TARGET_HEX], x, y)
    if in_source:
        s[f.PIXEL_HEX] = s[f.SOURCE_HEX]
    elif in_target:
        s[f.PIXEL_HEX] = s[f.TARGET_HEX]
    else:
        s[f.PIXEL_HEX] = s[f.GRID]
    if s[f.PIXEL_HEX] < 0:
        s[f.OVER] = 1
        return True
    if not s[f.LEFT_BUILDING]:
        if m.flags[s[f.CODE]] & f.UNKNOWN:
            return fail(s)
        s[f.LEFT_BUILDING] = m.flags[s[f.CODE]] & f.BUILDING == 0
    if not s[f.ALONG] or in_source or in_target:
        return in_hex(m, s, table)
    return _in_pair(m, s, table)


@part
def _in_pair(m: Arrays, s: State, table: State) -> bool:
    """Look at a pixel of a line along hexsides in both hexes that it runs between."""
    first = s[f.PIXEL_HEX]
    if s[f.SOURCE_GROUND] and distance(m, s[f.SOURCE_HEX], first) % 2 == 0:
        return in_hex(m, s, table)
    second = _second_of_pair(m, s, first)
    if second < 0:
        return in_hex(m, s, table)
    for number in (first, second):
        if not in_border(m, number, s[f.X], s[f.Y]):
            continue
        s[f.PIXEL_HEX] = number
        if number == s[f.SOURCE_HEX] or number == s[f.TARGET_HEX]:
            continue
        centre = m.hexes[number, f.CENTRE]
        if not m.flags[s[f.CODE]] & f.UNKNOWN and m.flags[centre] & f.INHERENT:
            if m.flags[s[f.CODE]] & f.HEXSIDE and in_hex(m, s, table):
                return True
            if not (m.flags[centre] & f.JUNGLE and m.flags[s[f.CODE]] & f.WATER):
                s[f.CODE] = centre
        if in_hex(m, s, table):
            return True
    return False


@kernel
def _second_of_pair(m: Arrays, s: State, first: int) -> int:
    """Return the other hex of a line along hexsides, -1 if there is none."""
    for side in range(6):
        beyond = m.hexes[first, f.NEAR + side]
        if (
            beyond >= 0
            and beyond != s[f.SOURCE_HEX]
            and beyond != s[f.TARGET_HEX]
            and in_border(m, beyond, s[f.X], s[f.Y])
        ):
            return beyond
    side = nearest(m, first, s[f.X], s[f.Y])
    if side < 0:
        return -1
    beyond = near(m, first, side)
    return -1 if beyond == s[f.SOURCE_HEX] or beyond == s[f.TARGET_HEX] else beyond


@kernel
def in_hex(m: Arrays, s: State, table: State) -> bool:
    """Look at the present pixel in one hex. Returns True if the walk is over."""
    s[f.RISE], s[f.FLAGS] = m.heights[s[f.CODE]], m.flags[s[f.CODE]]
    if s[f.FLAGS] & f.UNKNOWN:
        s[f.OVER] = 1
        return True
    first = s[f.PIXEL_HEX] != s[f.HEX]
    if first and enter(m, s):
        return True
    if (s[f.EXITS] or s[f.ENTERS]) and depression(m, s, table):
        return True
    if leaving(m, s):
        return True
    if s[f.FLAGS] & f.HEXSIDE and not s[f.FLAGS] & f.CLIFF:
        if hexside(m, s):
            return True
    elif first and m.whole[f.EMBANKMENTS] and embankment(m, s):
        return True
    if not _counts(s):
        return False
    if s[f.FLAGS] & f.INHERENT and s[f.CODE] != m.hexes[s[f.HEX], f.CENTRE]:
        return False
    return by_height(m, s, table)


@part
def _counts(s: State) -> bool:
    """Return True if the rules of height count for the present pixel: not in hexes as far away as the other end."""
    source, target, away = s[f.HEX] == s[f.SOURCE_HEX], s[f.HEX] == s[f.TARGET_HEX], s[f.RANGE]
    if not source and not target and away != s[f.TO_TARGET] and away != s[f.FROM_SOURCE]:
        return True
    if s[f.FLAGS] & (f.OPEN | f.HEXSIDE):
        return False
    if source and not s[f.SOURCE_CENTRE]:
        return True
    return not s[f.TARGET_CENTRE] and (target or (s[f.ALONG] != 0 and away == s[f.FROM_SOURCE]))


@part
def enter(m: Arrays, s: State) -> bool:
    """Enter a hex: the ranges from it, the slope, depressions, hillocks."""
    back = s[f.LAST_HEX] == s[f.PIXEL_HEX]
    if not back:
        s[f.LAST_HEX] = s[f.HEX]
    ranges(m, s, s[f.PIXEL_HEX])
    if not back and not s[f.ALONG] and (s[f.EXITS] or s[f.ENTERS]) and follow(m, s):
        return True
    if m.whole[f.HILLOCKS]:
        _hillocks(m, s)
    if s[f.FIRST_RUBBLE] < 0 and s[f.FLAGS] & f.RUBBLE and s[f.CODE] == m.hexes[s[f.HEX], f.CENTRE]:
        s[f.FIRST_RUBBLE] = s[f.HEX]
    return False


@kernel
def ranges(m: Arrays, s: State, number: int) -> None:
    """Make a hex the current one."""
    s[f.HEX] = number
    s[f.FROM_SOURCE], s[f.TO_TARGET] = distance(m, number, s[f.SOURCE_HEX]), distance(m, number, s[f.TARGET_HEX])
    if abs(s[f.SOURCE_LEVEL] - m.hexes[number, f.BASE]) != s[f.FROM_SOURCE]:
        s[f.CONTINUOUS] = 0


@kernel
def _hillocks(m: Arrays, s: State) -> None:
    hillock_here, crossing = m.hexes[s[f.HEX], f.HILLOCK], s[f.CROSSING]
    if crossing >= 0 and hillock_here < 0:
        for i in range(s[f.CROSSED]):
            if s[f.CROSSED_LIST + i] == crossing:
                s[f.CROSSING] = -1
                return
        if s[f.CROSSED] < f.MOST_CROSSED:
            s[f.CROSSED_LIST + s[f.CROSSED]] = crossing
            s[f.CROSSED] += 1
        s[f.CROSSING] = -1
    elif crossing < 0:
        s[f.CROSSING] = hillock_here
