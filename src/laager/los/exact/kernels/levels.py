"""Ground and terrain by their height, between the ends of the line (A6.2, A6.4, B10.23), and hillocks (F6)."""

from __future__ import annotations

from laager.los.exact import fields as f
from laager.los.exact import rulenames as n
from laager.los.exact.compiled import kernel, part
from laager.los.exact.kernels.blindhex import blind_hexes
from laager.los.exact.kernels.checks import block, cellar, cliff_level, hinder, roof, roof_test
from laager.los.exact.kernels.hexsides import any_hexside
from laager.los.exact.kernels.points import Arrays, State, bit, centre_flags, in_border, near, nearer, nearest


@part
def by_height(m: Arrays, s: State, table: State) -> bool:
    """Apply the rules of height to the present pixel, in VASL's order."""
    if s[f.EASY] and too_low(s, s[f.FLAGS], s[f.GROUND] + s[f.RISE]):
        return False
    return (
        ground(m, s)
        or split(m, s, table)
        or half_level(m, s, table)
        or higher(m, s, table)
        or as_high(m, s, table)
        or blind_hexes(m, s, table)
        or hillock(m, s, table)
    )


@kernel
def too_low(s: State, flags: int, top: int) -> bool:
    """Return True for a pixel that none of the rules of height can stop at: no higher than the lower end.

    On the level of both ends split and half-level terrain counts. A short cut, for lines without special cases.
    """
    if flags & (f.BRIDGE | f.CLIFF):
        return False
    low = min(s[f.SOURCE_LEVEL], s[f.TARGET_LEVEL])
    return top < low or (top == low and (s[f.SOURCE_LEVEL] != s[f.TARGET_LEVEL] or not flags & (f.HALF | f.SPLIT)))


@kernel
def bypass_below(m: Arrays, s: State, end: int, centre: int) -> int:
    """Return 1 for an end in bypass in a depression hex: VASL takes it for a level higher."""
    return 1 if not centre and m.hexes[end, f.DEPRESSED] else 0


@part
def ground(m: Arrays, s: State) -> bool:
    """Meet ground that is higher than both ends (A6.2)."""
    if s[f.FLAGS] & f.BRIDGE:
        s[f.IGNORED] = s[f.HEX]
    low = cliff_level(m, s)
    if s[f.FAILED]:
        return True
    if low == -99:
        low = m.hexes[s[f.HEX], f.BASE]
    if low > -99 and low <= max(s[f.SOURCE_LEVEL], s[f.TARGET_LEVEL]):
        return False
    source = (
        s[f.SOURCE_LEVEL]
        + cellar(s[f.SOURCE_FLAGS])
        - 0.5 * roof(s[f.SOURCE_FLAGS])
        + bypass_below(m, s, s[f.SOURCE_HEX], s[f.SOURCE_CENTRE])
    )
    target = (
        s[f.TARGET_LEVEL]
        + cellar(s[f.TARGET_FLAGS])
        - 0.5 * roof(s[f.TARGET_FLAGS])
        + bypass_below(m, s, s[f.TARGET_HEX], s[f.TARGET_CENTRE])
    )
    # A6.2: ground higher than both ends blocks, unless the line follows its depression there (A6.3).
    if s[f.GROUND] > source and s[f.GROUND] > target and s[f.HEX] != s[f.IGNORED]:
        return block(s, n.GROUND)
    return False


@kernel
def is_split(s: State) -> bool:
    """Return True for split terrain on the level of both ends."""
    source, target = s[f.SOURCE_LEVEL] + cellar(s[f.SOURCE_FLAGS]), s[f.TARGET_LEVEL] + cellar(s[f.TARGET_FLAGS])
    return s[f.FLAGS] & f.SPLIT != 0 and s[f.GROUND] == source and source == target


@part
def split(m: Arrays, s: State, table: State) -> bool:
    """Meet the lower part of terrain such as an orchard, on the level of both ends."""
    if not is_split(s):
        return False
    flags = s[f.FLAGS]
    # A6.2: an orchard or the like blocks or hinders on its own level by its lower part.
    if s[f.ON_SLOPE]:
        return block(s, n.UP_SLOPE) if flags & f.OBSTACLE else hinder(m, s, table)
    if flags & f.LOWER_OBSTACLE or (flags & f.OUTER_WALL and not s[f.LEFT_BUILDING]):
        return block(s, n.SPLIT)
    return flags & f.LOWER_HINDRANCE != 0 and hinder(m, s, table)


@part
def half_level(m: Arrays, s: State, table: State) -> bool:
    """Meet half-level terrain on the level of both ends (A6.2); on hillocks grain and brush hinder once."""
    top, flags = s[f.GROUND] + s[f.RISE], s[f.FLAGS]
    on_slope, start, end = s[f.ON_SLOPE] != 0, s[f.START_HILL] != 0, s[f.END_HILL] != 0
    from_hill = start and top == s[f.SOURCE_LEVEL] and s[f.SOURCE_LEVEL] > s[f.TARGET_LEVEL]
    to_hill = end and top == s[f.TARGET_LEVEL] and s[f.TARGET_LEVEL] > s[f.SOURCE_LEVEL]
    # F6.4: over a hillock only the first hex of grain or brush hinders.
    if (hillock_counts(s) and not on_slope) or from_hill or to_hill:
        if flags & f.GRAIN_BRUSH and not (start and end) and s[f.FIRST_GRAIN] < 0:
            s[f.FIRST_GRAIN] = s[f.HEX]
            return hinder(m, s, table)
        return False
    source_roof, target_roof = roof(s[f.SOURCE_FLAGS]), roof(s[f.TARGET_FLAGS])
    if source_roof != target_roof or s[f.SOURCE_LEVEL] != s[f.TARGET_LEVEL] or top != s[f.SOURCE_LEVEL] or on_slope:
        return False
    if not flags & f.HALF or flags & f.HEXSIDE:
        return False
    # A6.2: half-level terrain blocks or hinders between ends on its own level.
    return block(s, n.HALF) if flags & f.OBSTACLE else hinder(m, s, table)


@part
def higher(m: Arrays, s: State, table: State) -> bool:
    """Meet terrain that is higher than both ends (A6.2)."""
    flags, g = s[f.FLAGS], s[f.GROUND]
    source = s[f.SOURCE_LEVEL] + cellar(s[f.SOURCE_FLAGS]) - 0.5 * roof(s[f.SOURCE_FLAGS])
    target = s[f.TARGET_LEVEL] + cellar(s[f.TARGET_FLAGS]) - 0.5 * roof(s[f.TARGET_FLAGS])
    # Unlike `is_split`, VASL takes half a level off a rooftop here: split terrain may count in both rules.
    if flags & f.BOCAGE or (flags & f.SPLIT and g == source and source == target):
        return False
    top = g + s[f.RISE] + (0.5 if flags & f.HALF and not flags & f.HEXSIDE else 0.0)
    # A6.2: an obstacle higher than both ends blocks, other terrain hinders.
    if not (top > source and top > target):
        return False
    if flags & f.OBSTACLE and not flags & f.LIGHT_WOODS:
        return block(s, n.HIGHER)
    # Inside the factory itself nothing blocks.
    if flags & f.FACTORY:
        return s[f.LEFT_BUILDING] != 0 and block(s, n.HIGHER)
    if flags & (f.BRIDGE | f.ROAD_NAME) and g > s[f.SOURCE_LEVEL] and g > s[f.TARGET_LEVEL]:
        # The line passes below a bridge or an elevated road.
        return False
    return not s[f.ON_SLOPE] and hinder(m, s, table)


@part
def as_high(m: Arrays, s: State, table: State) -> bool:
    """Meet terrain that is as high as the higher end (A6.2)."""
    cur = s[f.HEX]
    _level_ground(m, s)
    h, flags = s[f.RISE], s[f.FLAGS]
    both_half = flags & f.HALF and flags & f.BUILDING
    top = s[f.GROUND] + h + (0.5 if both_half else 0.0)
    source = (
        s[f.SOURCE_LEVEL]
        + cellar(s[f.SOURCE_FLAGS])
        - 0.5 * roof(s[f.SOURCE_FLAGS])
        + bypass_below(m, s, s[f.SOURCE_HEX], s[f.SOURCE_CENTRE])
    )
    target = (
        s[f.TARGET_LEVEL]
        + cellar(s[f.TARGET_FLAGS])
        - 0.5 * roof(s[f.TARGET_FLAGS])
        + bypass_below(m, s, s[f.TARGET_HEX], s[f.TARGET_CENTRE])
    )
    # A6.2: an obstacle as high as the higher end blocks: over it a height advantage is needed.
    if top != max(source, target) or source == target:
        return False
    if h == 0 and not both_half:
        if s[f.FROM_SOURCE] == 1 and s[f.SOURCE_LEVEL] > m.hexes[cur, f.BASE] and nearer(m, s[f.SOURCE_HEX], s) < 0:
            return False
        if s[f.TO_TARGET] == 1 and s[f.TARGET_LEVEL] > m.hexes[cur, f.BASE] and nearer(m, s[f.TARGET_HEX], s) < 0:
            return False
    if s[f.ON_SLOPE] or s[f.START_HILL] or s[f.END_HILL] or flags & (f.BOCAGE | f.ROW_WALL):
        return False
    factory = (s[f.SOURCE_FLAGS] | s[f.TARGET_FLAGS]) & f.FACTORY != 0
    if not s[f.LEFT_BUILDING] and factory and not flags & f.OUTER_WALL and s[f.SOURCE_HEX] != s[f.TARGET_HEX]:
        return roof_test(m, s, 1 if roof(s[f.SOURCE_FLAGS]) or roof(s[f.TARGET_FLAGS]) else 0)
    return _needs_advantage(m, s, table)


@kernel
def _level_ground(m: Arrays, s: State) -> None:
    """Take the ground at the edge of an end's hex for that hex's own, as VASL does."""
    for end in (s[f.SOURCE_HEX], s[f.TARGET_HEX]):
        if s[f.PIXEL_HEX] == end and not m.hexes[end, f.DEPRESSED] and nearest(m, end, s[f.X], s[f.Y]) >= 0:
            s[f.GROUND] = m.hexes[end, f.BASE]


@kernel
def _needs_advantage(m: Arrays, s: State, table: State) -> bool:
    cur, h, depressed = s[f.HEX], s[f.RISE], m.hexes[s[f.HEX], f.DEPRESSED] != 0
    low = cliff_level(m, s)
    if s[f.FAILED]:
        return True
    if low == -99:
        low = m.hexes[cur, f.BASE]
    if low > -99 and low < max(s[f.SOURCE_LEVEL], s[f.TARGET_LEVEL]):
        return False
    followed = s[f.IGNORED] >= 0 and in_border(m, s[f.IGNORED], s[f.X], s[f.Y])
    outside = not followed and not (depressed and (s[f.ENTERS] or s[f.EXITS]))
    if not outside and not (depressed and h >= 1):
        return False
    # From a bank next to it a line goes along the water.
    if centre_flags(m, cur) & f.WATER and h < 1:
        if (
            s[f.FROM_SOURCE] == 1
            and s[f.SOURCE_LEVEL] > s[f.TARGET_LEVEL]
            and centre_flags(m, s[f.TARGET_HEX]) & f.WATER
        ):
            return False
        if s[f.TO_TARGET] == 1 and s[f.TARGET_LEVEL] > s[f.SOURCE_LEVEL] and centre_flags(m, s[f.SOURCE_HEX]) & f.WATER:
            return False
    if s[f.FLAGS] & f.ORCHARD_BARE:
        return hinder(m, s, table)
    return block(s, n.AS_HIGH)


@kernel
def hillock_counts(s: State) -> bool:
    """Return True if the rules of hillocks count for the present pixel."""
    level = s[f.GROUND] + s[f.RISE]
    if level != s[f.SOURCE_LEVEL] or level != s[f.TARGET_LEVEL]:
        return False
    hills = s[f.CROSSING] >= 0 or s[f.SOURCE_HILL] >= 0 or s[f.TARGET_HILL] >= 0
    return bool(hills or s[f.START_HILL] or s[f.END_HILL])


@kernel
def hillock(m: Arrays, s: State, table: State) -> bool:
    """Look from or to a hillock, over others, or past one next to an end (F6)."""
    if not hillock_counts(s) or (s[f.START_HILL] and s[f.END_HILL]):
        return False
    flags = s[f.FLAGS]
    if not (s[f.START_HILL] or s[f.END_HILL]):
        hillock_here = m.hexes[s[f.HEX], f.HILLOCK]
        # F6.4: the hillock next to an end does not stop a line from or to that end.
        if hillock_here >= 0:
            if hillock_here == s[f.SOURCE_HILL] and not s[f.SOURCE_FLAGS] & f.ENTRENCHMENT:
                return False
            if hillock_here == s[f.TARGET_HILL] and not s[f.TARGET_FLAGS] & f.ENTRENCHMENT:
                return False
        if not flags & f.HALF or flags & f.HEXSIDE:
            return False
        return block(s, n.HILLOCK) if flags & f.OBSTACLE else hinder(m, s, table)
    if s[f.START_HILL]:
        sloped = bit(m, s[f.SOURCE_HEX], f.SLOPES, s[f.SOURCE_SIDE]) or bit(
            m, s[f.SOURCE_HEX], f.SLOPES, s[f.SOURCE_SIDE_2]
        )
        # F6.4: from a hillock a line crosses no more than two others.
        if s[f.CROSSED] - (1 if s[f.TARGET_HILL] >= 0 else 0) + (1 if sloped else 0) > 2:
            return block(s, n.HILLOCKS)
    else:
        sloped = bit(m, s[f.TARGET_HEX], f.SLOPES, s[f.TARGET_SIDE]) or bit(
            m, s[f.TARGET_HEX], f.SLOPES, s[f.TARGET_SIDE_2]
        )
        # F6.4: up to a hillock a line crosses no more than one other.
        if s[f.CROSSED] - (1 if s[f.SOURCE_HILL] >= 0 else 0) + (1 if sloped else 0) > 1:
            return block(s, n.HILLOCKS)
    # F6.4: over the first wall or hedge, not over a second one.
    if flags & f.WALL_HEDGE:
        return _second_wall(m, s)
    # F6.4: over the first rubble hex, not over a second one.
    if flags & f.RUBBLE and s[f.HEX] != s[f.FIRST_RUBBLE]:
        return block(s, n.HILLOCK_RUBBLE)
    return False


@kernel
def _second_wall(m: Arrays, s: State) -> bool:
    """Look from or to a hillock over walls and hedges: over the first, not over another."""
    cur, side = s[f.HEX], nearest(m, s[f.HEX], s[f.X], s[f.Y])
    if s[f.WALL_HEX] < 0:
        s[f.WALL_HEX], s[f.WALL_SIDE], s[f.WALL_X], s[f.WALL_Y] = cur, side, s[f.X], s[f.Y]
        return False
    if s[f.WALL_HEX] == cur and s[f.WALL_SIDE] == side:
        return False
    if side >= 0 and near(m, cur, side) == s[f.WALL_HEX] and s[f.WALL_SIDE] == (side + 3) % 6:
        return False
    dx, dy = s[f.X] - s[f.WALL_X], s[f.Y] - s[f.WALL_Y]
    start, end = s[f.START_HILL], s[f.END_HILL]
    s[f.START_HILL], s[f.END_HILL] = 0, 0
    blocks = any_hexside(m, s)
    if blocks and not s[f.FAILED] and dx * dx + dy * dy <= 225:
        blocks = False
        s[f.RULE] = 0
    if not blocks:
        s[f.START_HILL], s[f.END_HILL] = start, end
    return blocks
