"""Depressions: following one when a hex is entered, leaving and entering one (A6.3, B19.51)."""

from __future__ import annotations

from laager.los.exact import fields as f
from laager.los.exact import rulenames as n
from laager.los.exact.compiled import kernel, part
from laager.los.exact.kernels.blindhex import blind_hexes
from laager.los.exact.kernels.checks import block, fail, roof
from laager.los.exact.kernels.points import (
    Arrays,
    State,
    bit,
    centre_flags,
    distance,
    lowest,
    near,
    nearer,
    nearest,
    place_flags,
    side_towards,
    touched_sides,
)


@kernel
def _leads(m: Arrays, number: int, side: int) -> bool:
    """Return True if a side leads into a depression or over water."""
    return bit(m, number, f.MARKS, side) or place_flags(m, number, side) & f.WATER != 0


@kernel
def _rises(m: Arrays, s: State, gain: float, top: float, low: float, left: int, first: bool) -> bool:
    """Return True if the ground stands in the way of following the depression."""
    base, depressed = m.hexes[s[f.HEX], f.BASE], m.hexes[s[f.HEX], f.DEPRESSED]
    down = 1 if depressed or (first and s[f.FROM_SOURCE] == 1 and base <= s[f.SOURCE_LEVEL]) else 0
    height = base + down + s[f.RISE]
    return (height >= top or height > low) and gain < left


@kernel
def _follow_out(m: Arrays, s: State, here: int, source: float, target: float) -> bool:
    """Follow the depression of the source by the side at which the line enters the hex."""
    if _leads(m, s[f.HEX], here):
        if target - source >= 1:
            s[f.IGNORED] = s[f.HEX]
        return target - source >= 1
    extra = 1 if s[f.FROM_SOURCE] == distance(m, s[f.SOURCE_HEX], s[f.LAST_HEX]) else 0
    left = s[f.RANGE] - (s[f.FROM_SOURCE] - 1 + extra)
    return s[f.HEX] == s[f.TARGET_HEX] or not _rises(m, s, target - source, target, source, left, True)


@kernel
def follow(m: Arrays, s: State) -> bool:
    """Note the hex in which the line follows a depression: its ground is then ignored."""
    source, target = (
        s[f.SOURCE_LEVEL] - 0.5 * roof(s[f.SOURCE_FLAGS]),
        s[f.TARGET_LEVEL] - 0.5 * roof(s[f.TARGET_FLAGS]),
    )
    sides = touched_sides(m, s[f.HEX], s)
    here = nearest(m, s[f.HEX], s[f.X], s[f.Y])
    follows = True
    if s[f.EXITS] and target > source and here >= 0 and (sides >> here) & 1:
        follows = _follow_out(m, s, here, source, target)
    if s[f.ENTERS] and source > target and s[f.HEX] != s[f.TARGET_HEX]:
        for side in range(6):
            if side == here or not (sides >> side) & 1:
                continue
            if _leads(m, s[f.HEX], side):
                follows = source - target >= 1
                if follows:
                    s[f.IGNORED] = s[f.HEX]
            elif follows:
                beyond = near(m, s[f.HEX], side)
                if beyond < 0:
                    return fail(s)
                extra = 1 if s[f.TO_TARGET] == distance(m, s[f.TARGET_HEX], beyond) else 0
                left = s[f.RANGE] - (s[f.TO_TARGET] - 1 + extra)
                follows = not _rises(m, s, source - target, source, target, left, False)
    return False


@part
def depression(m: Arrays, s: State, table: State) -> bool:
    """Leave a depression, and enter one (A6.3, B19.51)."""
    if s[f.EXITS] and _case(m, s, table, s[f.SOURCE_HEX], s[f.TARGET_HEX], n.EXITS_DEPRESSION):
        return True
    return bool(s[f.ENTERS]) and _case(m, s, table, s[f.TARGET_HEX], s[f.SOURCE_HEX], n.ENTERS_DEPRESSION)


@kernel
def _by_road(m: Arrays, s: State, rule: int) -> bool:
    """Return True if the line crosses by a side with a road."""
    if s[f.ALONG]:
        return False
    leaving = rule == n.EXITS_DEPRESSION
    side = lowest(touched_sides(m, s[f.HEX], s)) if leaving else side_towards(m, s[f.HEX], s[f.LAST_HEX])
    return place_flags(m, s[f.HEX], side) & f.ROAD != 0


@kernel
def _case(m: Arrays, s: State, table: State, end: int, far: int, rule: int) -> bool:
    leaving = rule == n.EXITS_DEPRESSION
    source, target = (
        s[f.SOURCE_LEVEL] - 0.5 * roof(s[f.SOURCE_FLAGS]),
        s[f.TARGET_LEVEL] - 0.5 * roof(s[f.TARGET_FLAGS]),
    )
    low, high, away, level = (
        (source, target, s[f.TO_TARGET], s[f.TARGET_LEVEL])
        if leaving
        else (target, source, s[f.FROM_SOURCE], s[f.SOURCE_LEVEL])
    )
    cur, g = s[f.HEX], s[f.GROUND]
    base, down = m.hexes[cur, f.BASE], m.hexes[cur, f.DEPRESSED] != 0
    if centre_flags(m, cur) & f.BRIDGE:
        down = True
        base -= 1
    special = s[f.FLAGS] & (f.BRIDGE | f.ROAD) != 0 and not _by_road(m, s, rule)
    on_floor = down and (g == base or special)
    on_land = not down and g <= low
    # A6.3: without a height advantage of the range or more, a line leaves a depression only along its floor.
    first = away > high - low and cur != far and not on_floor and not (down and low >= g) and not on_land
    if first:
        first = not _let_through(m, s, far, level, away, high == low and (on_floor or on_land))
    if first:
        return block(s, rule)
    if _second(s, down, base, low, high, away) and not special and nearer(m, far, s) > 0:
        return block(s, rule)
    if cur == end and s[f.FLAGS] & f.CLIFF and blind_hexes(m, s, table):
        return True
    crest = _crest(m, s, end, s[f.SOURCE_SIDE] if leaving else s[f.TARGET_SIDE]) or _crest(
        m, s, end, s[f.SOURCE_SIDE_2] if leaving else s[f.TARGET_SIDE_2]
    )
    if s[f.FAILED]:
        return True
    # B19.51: no LOS along a hexside that is the crest line of the depression.
    if crest and s[f.ALONG] and low >= high:
        return block(s, n.HEXSIDE_DEPRESSION)
    return False


@kernel
def _second(s: State, down: bool, base: int, low: float, high: float, away: int) -> bool:
    return away == 1 and down and s[f.GROUND] != base and low < s[f.GROUND] and high <= s[f.GROUND]


@kernel
def _let_through(m: Arrays, s: State, far: int, level: int, away: int, same: bool) -> bool:
    """Return True where the line may leave the depression after all."""
    marked = bit(m, s[f.SOURCE_HEX], f.MARKS, s[f.SOURCE_SIDE]) or bit(m, s[f.SOURCE_HEX], f.MARKS, s[f.SOURCE_SIDE_2])
    if s[f.RANGE] == 1 and not s[f.ALONG] and marked:
        return True
    if same:
        return True
    really = m.hexes[s[f.HEX], f.DEPRESSED] != 0
    return away == 1 and level > m.hexes[s[f.HEX], f.BASE] and really and nearer(m, far, s) < 0


@kernel
def _crest(m: Arrays, s: State, end: int, side: int) -> bool:
    """Return True if there is a crest line between an end's hex and the hex beyond a side."""
    if side < 0:
        return False
    beyond = near(m, end, side)
    if beyond < 0:
        return fail(s)
    if m.hexes[beyond, f.BASE] != m.hexes[end, f.BASE]:
        return True
    own, other = m.hexes[end, f.DEPRESSED] != 0, m.hexes[beyond, f.DEPRESSED] != 0
    return own != other and bit(m, end, f.MARKS, side)
