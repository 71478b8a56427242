"""Checks that several rules share: hindrance, blind hexes, roofs, cliffs, hexsides that an end ignores."""

from __future__ import annotations

from laager.los.exact import fields as f
from laager.los.exact import rulenames as n
from laager.los.exact.compiled import kernel
from laager.los.exact.kernels.points import (
    Arrays,
    State,
    along_side,
    bit,
    centre_flags,
    distance,
    lowest,
    near,
    nearer,
    nearest,
    place_flags,
    touched_sides,
)


@kernel
def block(s: State, rule: int) -> bool:
    """Note what blocks the line at the present pixel."""
    s[f.RULE], s[f.BLOCK_X], s[f.BLOCK_Y] = rule, s[f.X], s[f.Y]
    return True


@kernel
def fail(s: State) -> bool:
    """Note that VASL fails here: it wants a hex that isn't there."""
    s[f.FAILED] = 1
    return True


@kernel
def roof(flags: int) -> bool:
    """Return True if an end of the line is a rooftop."""
    return flags & f.ROOFTOP != 0


@kernel
def cellar(flags: int) -> bool:
    """Return True if an end of the line is a cellar."""
    return flags & f.CELLAR != 0


@kernel
def at_end(s: State) -> bool:
    """Return True if the current hex is that of one of the ends."""
    return s[f.HEX] == s[f.SOURCE_HEX] or s[f.HEX] == s[f.TARGET_HEX]


@kernel
def spine_side(m: Arrays, s: State) -> int:
    """Return the side next to the pixel if the line runs along it (exit hexspine + 1 or + 4), else -1."""
    side = nearest(m, s[f.HEX], s[f.X], s[f.Y])
    if side >= 0 and (side == (s[f.EXIT_SPINE] + 1) % 6 or side == (s[f.EXIT_SPINE] + 4) % 6):
        return side
    return -1


@kernel
def clear_table(s: State, table: State) -> None:
    """Forget the hindrances of the line before."""
    for away in range(s[f.RANGE] + 1):
        table[away, 0], table[away, 1] = 0, -1
    s[f.COUNTED] = 1


@kernel
def hinder(m: Arrays, s: State, table: State) -> bool:
    """Count a hindrance: the highest value for each range. `table` has (value, hex) by range. At +6 it blocks."""
    # B.10: each range hinders once, by its highest value; the hexes of both ends do not.
    if at_end(s) or s[f.FROM_SOURCE] >= s[f.RANGE] or s[f.TO_TARGET] >= s[f.RANGE]:
        return False
    value = 1
    if s[f.ALONG] and s[f.FROM_SOURCE] % 2 == 1:
        if s[f.FLAGS] & f.ROOFLESS:
            value = 2
        else:
            side = spine_side(m, s)
            if side >= 0:
                beyond = near(m, s[f.HEX], side)
                if beyond < 0:
                    return fail(s)
                if centre_flags(m, beyond) & f.ROOFLESS:
                    value = 2
    elif s[f.FLAGS] & (f.LIGHT_WOODS | f.ROOFLESS):
        value = 2
    if not s[f.COUNTED]:
        clear_table(s, table)
    if value > table[s[f.FROM_SOURCE], 0]:
        s[f.HINDRANCE] += value - table[s[f.FROM_SOURCE], 0]
        table[s[f.FROM_SOURCE], 0] = value
        table[s[f.FROM_SOURCE], 1] = s[f.HEX]
    # B.10: Hindrances of +6 or more block.
    if s[f.HINDRANCE] >= 6:
        return block(s, n.HINDRANCES)
    return False


@kernel
def blind(m: Arrays, s: State, height: int, cliff: bool, low: int) -> bool:
    """Return True if the lower end is in a Blind Hex of the pixel (A6.4). `low` is a level, -100 for none."""
    if s[f.SOURCE_LEVEL] == s[f.TARGET_LEVEL]:
        return False
    source, target = (
        s[f.SOURCE_LEVEL] - 0.5 * roof(s[f.SOURCE_FLAGS]),
        s[f.TARGET_LEVEL] - 0.5 * roof(s[f.TARGET_FLAGS]),
    )
    high_hex, low_hex, to_high, to_low = s[f.SOURCE_HEX], s[f.TARGET_HEX], s[f.FROM_SOURCE], s[f.TO_TARGET]
    if s[f.SOURCE_LEVEL] < s[f.TARGET_LEVEL]:
        high_hex, low_hex, to_high, to_low = s[f.TARGET_HEX], s[f.SOURCE_HEX], s[f.TO_TARGET], s[f.FROM_SOURCE]
    high, lower = max(source, target), min(source, target)
    if (s[f.ON_SLOPE] or s[f.START_HILL]) and s[f.GROUND] + s[f.RISE] == max(s[f.SOURCE_LEVEL], s[f.TARGET_LEVEL]):
        high += 1
    more = 0.0
    if (roof(s[f.SOURCE_FLAGS]) or roof(s[f.TARGET_FLAGS])) and s[f.FLAGS] & f.BUILDING and s[f.FLAGS] & f.HALF:
        more = 0.5
    if cliff and not s[f.ALONG]:
        side = nearest(m, s[f.HEX], s[f.X], s[f.Y])
        if side >= 0 and place_flags(m, s[f.HEX], side) & f.CLIFF and high > height:
            if to_high == 1 and nearer(m, high_hex, s) < 0:
                return False
            if to_low == 1 and nearer(m, low_hex, s) > 0:
                return False
    ground = s[f.GROUND]
    if s[f.ALONG] and low > -100:
        ground = low
    if s[f.FLAGS] & f.ROW_WALL:
        to_low += 1
        to_high -= 1
    # A6.4: one more Blind Hex for each five hexes of range to the higher end.
    far = int(to_high / 5)
    if height == 0 and not cliff:
        side = lowest(touched_sides(m, s[f.HEX], s))
        down = -1 if bit(m, s[f.HEX], f.MARKS, max(side, 0)) else 0
        # B10.23: a crest line casts no least number of Blind Hexes.
        return bool(to_low <= max(2 * (ground + down + more) + far - high - lower, 0.0))
    # A6.4: one Blind Hex for a full-level obstacle, more by its levels, fewer by the height advantage; at least one.
    return bool(to_low <= max(2 * (ground + height + more) + far - high - lower + 1, 1.0))


@kernel
def no_low() -> int:
    """Return what stands for "no level" in `blind`."""
    return -100


@kernel
def is_ignored(m: Arrays, s: State, end: int, spine: int, side: int) -> bool:
    """Return True if hexside terrain at a place of the current hex doesn't count for an end of the line."""
    hexside = s[f.HEX]
    away = distance(m, end, hexside)
    if side < 0:
        return True
    if away > 2:
        return False
    # B9.2: hexsides of an end's own hex do not count,
    if hexside == end or near(m, hexside, side) == end:
        return True
    # B9.2: … nor those that end at its hexspines; bocage there does (B9.52).
    if away == 1:
        for x in range(6):
            if near(m, end, x) == hexside and (side == (x + 2) % 6 or side == (x + 4) % 6):
                code = m.hexes[hexside, f.SIDE + side]
                if code == f.NULL or not m.flags[code] & f.BOCAGE:
                    return True
        if not place_flags(m, hexside, side) & f.HEXSIDE:
            return True
    return spine >= 0 and _ignored_spine(m, end, spine, hexside, side, away)


@kernel
def _ignored_spine(m: Arrays, end: int, spine: int, hexside: int, side: int, away: int) -> bool:
    if away == 2:
        hexside, side = near(m, hexside, side), (side + 3) % 6
        if hexside < 0:
            return True
        if distance(m, end, hexside) > 1:
            return False
    i, j = (spine + 5) % 6, (spine + 4) % 6
    a, b = near(m, end, i), near(m, end, spine)
    if a < 0 or b < 0 or m.hexes[b, f.SIDE + j] == f.NULL:
        return False
    if not ((hexside == a and side == spine) or (hexside == b and side == i)):
        return False
    return not (m.hexes[a, f.SIDE + spine] != f.NULL and m.hexes[b, f.SIDE + i] != f.NULL)


@kernel
def under_roof(m: Arrays, s: State, number: int, height: int, more: int) -> int:
    """Return the rule by which the roof of a hex blocks a line from or to a rooftop, 0 if it doesn't."""
    source, target = roof(s[f.SOURCE_FLAGS]), roof(s[f.TARGET_FLAGS])
    if source == target or centre_flags(m, number) & f.ROOFLESS:
        return 0
    # B23.87: a rooftop does not see through roofs.
    if source:
        return n.FROM_ROOF if number != s[f.TARGET_HEX] or s[f.RANGE] == 1 else 0
    # A6.8: nor does anybody next to it see up through the roof above.
    if s[f.FROM_SOURCE] == 1 and not centre_flags(m, s[f.SOURCE_HEX]) & f.ROOFLESS:
        return n.TO_ROOF_NEAR
    if number != s[f.TARGET_HEX] and 2 * height >= s[f.TARGET_LEVEL] + more:
        return n.TO_ROOF_NEAR if s[f.FROM_SOURCE] == 1 else n.TO_ROOF
    return 0


@kernel
def roof_test(m: Arrays, s: State, more: int) -> bool:
    """Block the line by the roof of the current hex, or of the one beyond the hexside along which it runs."""
    rule = under_roof(m, s, s[f.HEX], s[f.RISE], more)
    if rule and s[f.ALONG] and s[f.FROM_SOURCE] % 2 == 1 and (roof(s[f.SOURCE_FLAGS]) or roof(s[f.TARGET_FLAGS])):
        side = spine_side(m, s)
        rule = 0
        if side >= 0:
            beyond = near(m, s[f.HEX], side)
            if beyond < 0:
                return fail(s)
            rule = under_roof(m, s, beyond, m.heights[m.hexes[beyond, f.CENTRE]], more)
    return block(s, rule) if rule else False


@kernel
def cliff_level(m: Arrays, s: State) -> int:
    """Return the level beside a cliff along which the line runs: the lower of the two hexes; -100 without one.

    Where the hex beyond is that of an end the level is -99: the rules differ in what they take then.
    """
    if not (s[f.ALONG] and s[f.FROM_SOURCE] % 2 == 1):
        return -100
    side = along_side(m, s)
    if side < 0 or not place_flags(m, s[f.HEX], side) & f.CLIFF:
        return -100
    beyond = near(m, s[f.HEX], side)
    if beyond < 0:
        fail(s)
        return -100
    if beyond == s[f.SOURCE_HEX] or beyond == s[f.TARGET_HEX]:
        return -99
    return min(m.hexes[beyond, f.BASE], m.hexes[s[f.HEX], f.BASE])


@kernel
def near_cliff(m: Arrays, s: State) -> bool:
    """Return True if the pixel, or the hexside along which the line runs, is at a cliff."""
    if not s[f.ALONG]:
        if s[f.GRID] < 0:
            return fail(s)
        return bit(m, s[f.GRID], f.CLIFFS, nearest(m, s[f.GRID], s[f.X], s[f.Y]))
    return _cliff_pair(m, s[f.SOURCE_HEX], s[f.EXIT_SPINE]) or _cliff_pair(m, s[f.TARGET_HEX], s[f.ENTER_SPINE])


@kernel
def _cliff_pair(m: Arrays, number: int, spine: int) -> bool:
    return (
        m.hexes[number, f.DEPRESSED] != 0
        and bit(m, number, f.CLIFFS, spine)
        and bit(m, number, f.CLIFFS, (spine + 1) % 6)
    )
