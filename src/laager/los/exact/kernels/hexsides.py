"""Walls, hedges, bocage, embankments and the walls between rowhouses; leaving the building of the first hex."""

from __future__ import annotations

from laager.los.exact import fields as f
from laager.los.exact import rulenames as n
from laager.los.exact.compiled import kernel, part
from laager.los.exact.kernels.checks import at_end, blind, block, cellar, fail, is_ignored, no_low, roof, roof_test
from laager.los.exact.kernels.points import (
    Arrays,
    State,
    centre_flags,
    distance,
    near,
    nearest,
    place_flags,
    touched_sides,
)


@part
def leaving(m: Arrays, s: State) -> bool:
    """Look out of the building that the line starts in (A6.8, B23.87)."""
    if s[f.LEFT_BUILDING] or s[f.HEX] == s[f.SOURCE_HEX]:
        return False
    # A6.8: to another level a line leaves the building only above its top.
    if s[f.FLAGS] & f.PLAIN:
        if s[f.SOURCE_LEVEL] <= s[f.RISE] + s[f.GROUND] and s[f.SOURCE_LEVEL] != s[f.TARGET_LEVEL]:
            return block(s, n.LEAVES_BUILDING)
        return False
    # B23.87, A6.8: in a factory a line from or to a rooftop stops at the roofs between.
    if (s[f.SOURCE_FLAGS] | s[f.TARGET_FLAGS]) & f.FACTORY and s[f.SOURCE_HEX] != s[f.TARGET_HEX]:
        return roof_test(m, s, -1 if roof(s[f.SOURCE_FLAGS]) or roof(s[f.TARGET_FLAGS]) else 0)
    return False


@part
def hexside(m: Arrays, s: State) -> bool:
    """Meet hexside terrain (B9, B23.71, B27.2, O6.3)."""
    if s[f.START_HILL] or s[f.END_HILL]:
        return False
    if s[f.FLAGS] & f.ROW_WALL:
        return row_wall(m, s)
    return any_hexside(m, s)


@kernel
def dug_in(s: State) -> int:
    """Return the rule by which a hexside obstacle hides an entrenchment or a cellar; 0 none, -1 neither is there."""
    source, target, away = s[f.SOURCE_FLAGS], s[f.TARGET_FLAGS], s[f.RANGE] > 1
    # B27.2: behind a hexside obstacle an entrenchment has LOS to adjacent hexes and to higher Locations only.
    if source & f.ENTRENCHMENT:
        return n.ENTRENCHED if away and s[f.TARGET_LEVEL] <= s[f.SOURCE_LEVEL] else 0
    if target & f.ENTRENCHMENT:
        return n.ENTRENCHED if away and s[f.TARGET_LEVEL] >= s[f.SOURCE_LEVEL] else 0
    # O6.3: a cellar looks over the hexsides of its hex to adjacent hexes and to higher levels only.
    if cellar(source):
        return (
            n.CELLAR
            if s[f.RANGE] != 1 and s[f.FROM_SOURCE] == 1 and s[f.TARGET_LEVEL] + cellar(target) <= s[f.SOURCE_LEVEL] + 1
            else 0
        )
    if cellar(target):
        return n.CELLAR if s[f.RANGE] != 1 and s[f.TO_TARGET] == 1 and s[f.TARGET_LEVEL] + 1 >= s[f.SOURCE_LEVEL] else 0
    return -1


@kernel
def any_hexside(m: Arrays, s: State) -> bool:
    """Meet hexside terrain that isn't a wall between rowhouses, wherever the ends are."""
    rule = dug_in(s)
    if rule >= 0 and cellar(s[f.SOURCE_FLAGS]) and cellar(s[f.TARGET_FLAGS]):
        rule = n.CELLAR
    if rule >= 0:
        return block(s, rule) if rule else False
    cur = s[f.HEX]
    side = nearest(m, cur, s[f.X], s[f.Y])
    if is_ignored(m, s, s[f.SOURCE_HEX], s[f.EXIT_SPINE], side) or is_ignored(
        m, s, s[f.TARGET_HEX], s[f.ENTER_SPINE], side
    ):
        return False
    source, target, g = s[f.SOURCE_LEVEL], s[f.TARGET_LEVEL], s[f.GROUND]
    # B9.2: a wall or hedge blocks between ends that are both on the level of its base.
    if not s[f.FLAGS] & f.BOCAGE:
        if g == source and g == target and not s[f.ON_SLOPE]:
            return block(s, n.HEXSIDE)
        return False
    # B9.52: bocage is a full-level obstacle: higher than both ends, as high as both, as high as the higher one,
    top = g + s[f.RISE]
    if top > source and top > target:
        return block(s, n.BOCAGE)
    if top == source and source == target and s[f.FLAGS] & f.HALF:
        return block(s, n.BOCAGE)
    if top == max(source, target) and source != target and not s[f.ON_SLOPE]:
        return block(s, n.BOCAGE)
    # A6.4: … or with the lower end in its Blind Hexes.
    if blind(m, s, s[f.RISE], False, no_low()):
        return block(s, n.BOCAGE)
    return False


@kernel
def embankment(m: Arrays, s: State) -> bool:
    """Meet a railway embankment of Red Barricades at the first pixel of a hex."""
    cur = s[f.HEX]
    side = nearest(m, cur, s[f.X], s[f.Y])
    if side < 0 or not (touched_sides(m, cur, s) >> side) & 1 or not place_flags(m, cur, side) & f.EMBANKMENT:
        return False
    rule = dug_in(s)
    if rule >= 0:
        return block(s, rule) if rule else False
    beyond = near(m, cur, side)
    if at_end(s) or beyond == s[f.SOURCE_HEX] or beyond == s[f.TARGET_HEX]:
        return False
    if is_ignored(m, s, s[f.SOURCE_HEX], s[f.EXIT_SPINE], side) or is_ignored(
        m, s, s[f.TARGET_HEX], s[f.ENTER_SPINE], side
    ):
        return False
    # B9.2: a railway embankment blocks as a wall does.
    if s[f.GROUND] == s[f.SOURCE_LEVEL] and s[f.GROUND] == s[f.TARGET_LEVEL] and not s[f.ON_SLOPE]:
        return block(s, n.EMBANKMENT)
    return False


@kernel
def row_wall(m: Arrays, s: State) -> bool:
    """Meet a wall between rowhouses, or inside a factory (B23.71, O5.31)."""
    source, target = s[f.SOURCE_LEVEL] - roof(s[f.SOURCE_FLAGS]), s[f.TARGET_LEVEL] - roof(s[f.TARGET_FLAGS])
    top = s[f.GROUND] + s[f.RISE]
    level = top == source and source == target and s[f.FLAGS] & f.HALF != 0
    both = roof(s[f.SOURCE_FLAGS]) and roof(s[f.TARGET_FLAGS])
    high = (top > source and top > target) or (level and not both) or (top == max(source, target) and source != target)
    if s[f.FLAGS] & f.FACTORY_INNER and s[f.ALONG]:
        return _inner_wall_along(m, s, source, target, high)
    if _beside_roof(m, s, False):
        return False
    # B23.71: a rowhouse wall is as high as its building, and an obstacle between its hexes.
    if high:
        return block(s, n.ROW_WALL)
    if s[f.SOURCE_LEVEL] == s[f.TARGET_LEVEL]:
        return False
    side = nearest(m, s[f.HEX], s[f.X], s[f.Y])
    beyond = near(m, s[f.HEX], side)
    if beyond < 0:
        return fail(s)
    # A6.4: Blind Hexes behind the wall, counted from the hex beyond it.
    return _blind_at(m, s, distance(m, s[f.SOURCE_HEX], beyond))


@kernel
def _blind_at(m: Arrays, s: State, away: int) -> bool:
    """Look for Blind Hexes as if the wall were in the nearer one of two hexes."""
    to_source, to_target = s[f.FROM_SOURCE], s[f.TO_TARGET]
    if s[f.SOURCE_LEVEL] > s[f.TARGET_LEVEL]:
        s[f.FROM_SOURCE] = min(to_source, away)
    else:
        s[f.TO_TARGET] = min(to_target, away)
    is_blind = blind(m, s, s[f.RISE], False, no_low())
    s[f.FROM_SOURCE], s[f.TO_TARGET] = to_source, to_target
    return block(s, n.ROW_WALL) if is_blind else False


@kernel
def _beside_roof(m: Arrays, s: State, second: bool) -> bool:
    """Return True at the hexsides of a rooftop's own hex, over which it looks."""
    if roof(s[f.SOURCE_FLAGS]) and _is_across_side(
        m, s, s[f.SOURCE_HEX], s[f.FROM_SOURCE], s[f.SOURCE_SIDE], s[f.SOURCE_SIDE_2] if second else -1
    ):
        return True
    return roof(s[f.TARGET_FLAGS]) and _is_across_side(
        m, s, s[f.TARGET_HEX], s[f.TO_TARGET], s[f.TARGET_SIDE], s[f.TARGET_SIDE_2] if second else -1
    )


@kernel
def _is_across_side(m: Arrays, s: State, end: int, away: int, first: int, other: int) -> bool:
    if away == 0:
        return True
    if away != 1:
        return False
    return (first >= 0 and near(m, end, first) == s[f.HEX]) or (other >= 0 and near(m, end, other) == s[f.HEX])


@kernel
def _has(m: Arrays, number: int, side: int, code: int) -> bool:
    return side >= 0 and m.hexes[number, f.SIDE + side] == code


@kernel
def _has_row_wall(m: Arrays, number: int, side: int) -> bool:
    """Return True if a row wall stands on a side of a hex."""
    code = m.hexes[number, f.SIDE + side]
    return code != f.NULL and m.flags[code] & f.ROW_WALL != 0


@kernel
def _inner_wall_along(m: Arrays, s: State, source: int, target: int, high: bool) -> bool:
    """Run along a wall inside a factory (O5.31)."""
    cur, code = s[f.HEX], s[f.CODE]
    a = (s[f.EXIT_SPINE] + 1) % 6
    b = (a + 3) % 6
    if cur == s[f.SOURCE_HEX] or cur == s[f.TARGET_HEX]:
        return _inner_wall_at_end(m, s)
    # O5.31: along an inner wall both of its hexes count at once, at each odd range.
    if s[f.FROM_SOURCE] % 2 == 1 and (_has(m, cur, a, code) or _has(m, cur, b, code)):
        side = nearest(m, cur, s[f.X], s[f.Y])
        if side == a and _has(m, cur, a, code):
            return _inner_wall_between(
                m, s, a, b, s[f.GROUND] + s[f.RISE] <= source or s[f.GROUND] + s[f.RISE] <= target
            )
        if side == b and _has(m, cur, b, code):
            return _inner_wall_between(
                m, s, b, a, s[f.GROUND] + s[f.RISE] <= source or s[f.GROUND] + s[f.RISE] <= target
            )
        return False
    if _beside_roof(m, s, True):
        return False
    if (roof(s[f.SOURCE_FLAGS]) or roof(s[f.TARGET_FLAGS])) and s[f.FROM_SOURCE] % 2 == 0:
        beside = False
        for side in ((a + 1) % 6, (a + 5) % 6, (b + 1) % 6, (b + 5) % 6):
            beside = beside or m.hexes[cur, f.SIDE + side] != f.NULL
        if not beside:
            return False
    if high or blind(m, s, s[f.RISE], False, no_low()):
        return block(s, n.ROW_WALL)
    return False


@kernel
def _inner_wall_at_end(m: Arrays, s: State) -> bool:
    cur, code = s[f.HEX], s[f.CODE]
    if cur == s[f.SOURCE_HEX]:
        if roof(s[f.SOURCE_FLAGS]):
            return False
        has_wall = _has(m, cur, s[f.SOURCE_SIDE], code) or _has(m, cur, s[f.SOURCE_SIDE_2], code)
    else:
        if roof(s[f.TARGET_FLAGS]):
            return False
        has_wall = _has(m, cur, s[f.TARGET_SIDE], code) or _has(m, cur, s[f.TARGET_SIDE_2], code)
    return block(s, n.ROW_WALL) if has_wall else False


@kernel
def _inner_wall_between(m: Arrays, s: State, p: int, q: int, low: bool) -> bool:
    """Run along the wall on side p of the current hex."""
    if not low:
        return block(s, n.ROW_WALL)
    cur = s[f.HEX]
    other = near(m, cur, p)
    if other < 0:
        return fail(s)
    if not (centre_flags(m, cur) | centre_flags(m, other)) & f.ROOFLESS:
        return False
    walled = False
    for side in ((p + 1) % 6, (p + 5) % 6, (q + 1) % 6, (q + 5) % 6):
        here = cur if side == (p + 1) % 6 or side == (p + 5) % 6 else other
        beyond = near(m, here, side)
        if _has_row_wall(m, cur, side) and beyond >= 0 and beyond != s[f.SOURCE_HEX] and beyond != s[f.TARGET_HEX]:
            walled = True
    if walled and blind(m, s, s[f.RISE], False, no_low()):
        return block(s, n.ROW_WALL)
    return False
