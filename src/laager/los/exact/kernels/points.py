"""Pixels and hexes: which hex a pixel is in, what is near it, which sides a line touches."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from laager.los.exact import fields as f
from laager.los.exact.compiled import kernel

State = NDArray[Any]


class Arrays(NamedTuple):
    """A map for the kernels.

    `hexes` (hex, field) and `places` (Location, field) as `fields` names them; `flags` and `heights` of each kind of
    terrain; `words` the pixels in one long row, first column by column, then all of them again row by row; `spans`
    (hex, row, 2) the columns from and to which the extended border of a hex reaches in each row of pixels; `whole` the
    map's size and what it has.
    """

    hexes: NDArray[Any]
    places: NDArray[Any]
    flags: NDArray[Any]
    heights: NDArray[Any]
    words: NDArray[Any]
    spans: NDArray[Any]
    whole: NDArray[Any]


@kernel
def distance(m: Arrays, first: int, other: int) -> int:
    """Return the range between two hexes."""
    q = m.hexes[first, f.AQ] - m.hexes[other, f.AQ]
    r = m.hexes[first, f.AR] - m.hexes[other, f.AR]
    return max(abs(q), abs(r), abs(q + r))


@kernel
def in_border(m: Arrays, number: int, x: int, y: int) -> bool:
    """Return True if a pixel is in the extended border of a hex."""
    row = y - m.hexes[number, f.TOP]
    if row < 0 or row >= m.spans.shape[1]:
        return False
    return m.spans[number, row, 0] <= x < m.spans[number, row, 1]


@kernel
def near(m: Arrays, number: int, side: int) -> int:
    """Return the hex beyond a side, -1 if there is none; beyond no side VASL takes the hex itself."""
    if side < 0:
        return number
    return m.hexes[number, f.NEAR + side]


@kernel
def place_flags(m: Arrays, number: int, side: int) -> int:
    """Return the flags of the terrain at a hexside; without a side VASL takes the top one."""
    return m.flags[m.hexes[number, f.PLACE + max(side, 0)]]


@kernel
def centre_flags(m: Arrays, number: int) -> int:
    """Return the flags of a hex's own terrain."""
    return m.flags[m.hexes[number, f.CENTRE]]


@kernel
def bit(m: Arrays, number: int, field: int, side: int) -> bool:
    """Return True if a field of six flags has that of a side."""
    return side >= 0 and (m.hexes[number, field] >> side) & 1 == 1


@kernel
def nearest(m: Arrays, number: int, x: int, y: int) -> int:
    """Return the side whose edge point is nearest to a pixel, -1 if the centre is at least as near."""
    dx, dy = x - m.hexes[number, f.CX], y - m.hexes[number, f.CY]
    best = dx * dx + dy * dy
    nearest_side = -1
    for side in range(6):
        if bit(m, number, f.ON_MAP, side):
            dx, dy = x - m.hexes[number, f.EDGE_X + side], y - m.hexes[number, f.EDGE_Y + side]
            if dx * dx + dy * dy < best:
                best = dx * dx + dy * dy
                nearest_side = side
    return nearest_side


@kernel
def off_centre(m: Arrays, number: int, x: int, y: int) -> int:
    """Return the squared distance of a pixel from the centre of a hex."""
    dx, dy = x - m.hexes[number, f.CX], y - m.hexes[number, f.CY]
    return dx * dx + dy * dy


@kernel
def nearer(m: Arrays, number: int, s: State) -> int:
    """Compare the pixel's way to a hex's centre with that of the current hex's centre: -1 shorter, 1 longer."""
    from_pixel = off_centre(m, number, s[f.X], s[f.Y])
    centre = off_centre(m, number, m.hexes[s[f.HEX], f.CX], m.hexes[s[f.HEX], f.CY])
    if from_pixel == centre:
        return 0
    return -1 if from_pixel < centre else 1


@kernel
def turn(ax: int, ay: int, bx: int, by: int, cx: int, cy: int) -> int:
    """Return on which side of the line from a to b the point c lies: 1, -1, or 0 on it."""
    product = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if product == 0:
        return 0
    return 1 if product > 0 else -1


@kernel
def between(ax: int, ay: int, bx: int, by: int, cx: int, cy: int) -> bool:
    """Return True if c, which is on the line through a and b, lies between them."""
    return min(ax, bx) <= cx <= max(ax, bx) and min(ay, by) <= cy <= max(ay, by)


@kernel
def meets(s: State, cx: int, cy: int, dx: int, dy: int) -> bool:
    """Return True if the line of sight meets the segment from c to d; touching counts."""
    ax, ay, bx, by = s[f.SOURCE_X], s[f.SOURCE_Y], s[f.TARGET_X], s[f.TARGET_Y]
    a, b = turn(cx, cy, dx, dy, ax, ay), turn(cx, cy, dx, dy, bx, by)
    c, d = turn(ax, ay, bx, by, cx, cy), turn(ax, ay, bx, by, dx, dy)
    if a * b < 0 and c * d < 0:
        return True
    if a == 0 and between(cx, cy, dx, dy, ax, ay):
        return True
    if b == 0 and between(cx, cy, dx, dy, bx, by):
        return True
    if c == 0 and between(ax, ay, bx, by, cx, cy):
        return True
    return d == 0 and between(ax, ay, bx, by, dx, dy)


@kernel
def touched_sides(m: Arrays, number: int, s: State) -> int:
    """Return the sides of a hex's extended border that the line meets, as six flags."""
    sides = 0
    for side in range(6):
        other = (side + 1) % 6
        if meets(
            s,
            m.hexes[number, f.BORDER_X + side],
            m.hexes[number, f.BORDER_Y + side],
            m.hexes[number, f.BORDER_X + other],
            m.hexes[number, f.BORDER_Y + other],
        ):
            sides |= 1 << side
    return sides


@kernel
def lowest(sides: int) -> int:
    """Return the lowest of some sides, -1 if there is none."""
    for side in range(6):
        if (sides >> side) & 1:
            return side
    return -1


@kernel
def side_towards(m: Arrays, number: int, other: int) -> int:
    """Return the side of a hex beyond which another one lies, -1 if they aren't adjacent."""
    if other >= 0:
        for side in range(6):
            if m.hexes[number, f.NEAR + side] == other:
                return side
    return -1


@kernel
def along_side(m: Arrays, s: State) -> int:
    """Return the side of the current hex along which the line runs, -1 if VASL finds none."""
    side, other = s[f.TARGET_SIDE], s[f.TARGET_SIDE_2]
    # VASL doesn't ask whether the source has a second side: a missing one (-1) becomes side 2.
    if side < 0 and other == (s[f.SOURCE_SIDE_2] + 3) % 6:
        side = (s[f.SOURCE_SIDE] + 3) % 6
    if other < 0 and side == (s[f.SOURCE_SIDE] + 3) % 6:
        other = (s[f.SOURCE_SIDE_2] + 3) % 6
    # VASL keeps what it has filled in: the crest lines of depressions are looked for there afterwards.
    s[f.TARGET_SIDE], s[f.TARGET_SIDE_2] = side, other
    lower, second = min(side, other), max(side, other)
    if lower < 0:
        return -1
    if lower == 0 and second == 5:
        pair = (4, 1)
    elif second != lower + 1:
        return -1
    elif lower == 0:
        pair = (5, 2)
    elif lower == 1:
        pair = (0, 3)
    elif lower == 2:
        pair = (1, 4)
    elif lower == 3:
        pair = (2, 5)
    else:
        pair = (3, 0)
    return pair[0] if _edge_distance(m, s, pair[0]) < _edge_distance(m, s, pair[1]) else pair[1]


@kernel
def _edge_distance(m: Arrays, s: State, side: int) -> int:
    dx = s[f.X] - m.hexes[s[f.HEX], f.EDGE_X + side]
    dy = s[f.Y] - m.hexes[s[f.HEX], f.EDGE_Y + side]
    return dx * dx + dy * dy
