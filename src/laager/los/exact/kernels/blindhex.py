"""Blind Hexes behind obstacles and crest lines (A6.4, B10.23, F2.3)."""

from __future__ import annotations

from laager.los.exact import fields as f
from laager.los.exact import rulenames as n
from laager.los.exact.compiled import kernel
from laager.los.exact.kernels.checks import (
    at_end,
    blind,
    block,
    cellar,
    cliff_level,
    fail,
    hinder,
    near_cliff,
    no_low,
    roof,
    spine_side,
)
from laager.los.exact.kernels.points import Arrays, State, centre_flags, near


@kernel
def blind_hexes(m: Arrays, s: State, table: State) -> bool:
    """Look for the lower end in the Blind Hexes of the present pixel."""
    source = s[f.SOURCE_LEVEL] + cellar(s[f.SOURCE_FLAGS]) - 0.5 * roof(s[f.SOURCE_FLAGS])
    target = s[f.TARGET_LEVEL] + cellar(s[f.TARGET_FLAGS]) - 0.5 * roof(s[f.TARGET_FLAGS])
    low, high = min(source, target), max(source, target)
    top = s[f.GROUND] + s[f.RISE]
    # F2.3: an obstacle as high as the higher end casts Blind Hexes down the slope.
    if top == high and high > low and (s[f.START_HILL] or s[f.ON_SLOPE]) and blind(m, s, s[f.RISE], False, no_low()):
        return block(s, n.SLOPE)
    if s[f.FLAGS] & f.BOCAGE:
        return False
    up = 1 if s[f.FLAGS] & f.CLIFF else 0
    # A6.4: an obstacle between the levels of both ends casts Blind Hexes on the lower one.
    if not low < top + up < high:
        return False
    beside = cliff_level(m, s)
    cliff = near_cliff(m, s)
    if s[f.FAILED]:
        return True
    if beside == -99:
        beside = no_low()
    if not blind(m, s, s[f.RISE], cliff, beside):
        return False
    if (s[f.FLAGS] & f.OBSTACLE and not s[f.FLAGS] & f.HEXSIDE) or s[f.FLAGS] & f.OUTER_WALL:
        return _obstacle(m, s)
    return _factory_or_crest(m, s, table, low < s[f.GROUND] + up < high, cliff, beside)


@kernel
def _obstacle(m: Arrays, s: State) -> bool:
    outer = s[f.FLAGS] & f.OUTER_WALL != 0
    roofless = centre_flags(m, s[f.HEX]) & f.ROOFLESS != 0
    inherent_elsewhere = s[f.FLAGS] & f.INHERENT != 0 and s[f.CODE] != m.hexes[s[f.HEX], f.CENTRE]
    if (roofless and not outer) or inherent_elsewhere:
        return False
    if not (s[f.ALONG] and s[f.FLAGS] & f.BUILDING) or s[f.TO_TARGET] % 2 == 0 or outer:
        return block(s, n.BLIND)
    return _second_hex(m, s)


@kernel
def _second_hex(m: Arrays, s: State) -> bool:
    """Look at the hex on the other side of the hexside that a line runs along; from or to a rooftop it may block."""
    if not (roof(s[f.SOURCE_FLAGS]) or roof(s[f.TARGET_FLAGS])):
        return False
    s[f.RULE] = 0
    side = spine_side(m, s)
    if side < 0:
        return False
    beyond = near(m, s[f.HEX], side)
    if beyond < 0:
        return fail(s)
    return not centre_flags(m, beyond) & f.ROOFLESS and block(s, n.CREST)


@kernel
def _factory_or_crest(m: Arrays, s: State, table: State, ground: bool, cliff: bool, beside: int) -> bool:
    flags = s[f.FLAGS]
    roofless = centre_flags(m, s[f.HEX]) & f.ROOFLESS != 0
    out = s[f.LEFT_BUILDING] != 0 or s[f.TARGET_LEVEL] > 2 * s[f.RISE]
    # B10.23: a roofed factory casts Blind Hexes once the line has left it, or from far above.
    if flags & f.FACTORY and out and not roofless and not flags & f.FACTORY_INNER:
        if s[f.ALONG] and s[f.TO_TARGET] % 2 == 1:
            return _second_hex(m, s)
        return block(s, n.CREST)
    # B10.23: a crest line casts Blind Hexes too.
    if ground and blind(m, s, 0, cliff, beside):
        return block(s, n.CREST)
    if at_end(s):
        return False
    # An orchard out of season hinders only next to the target.
    if flags & f.ORCHARD_BARE:
        return s[f.TO_TARGET] == 1 and hinder(m, s, table)
    if flags & f.FACTORY:
        return False
    return hinder(m, s, table)
