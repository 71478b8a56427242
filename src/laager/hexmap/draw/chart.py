"""A chart of points over the battles of a campaign: a line for each side, told apart by colour, line style and mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Point
from laager.hexmap.draw.markup import escape, group, path, tag, text
from laager.hexmap.draw.style import FONT, INK, PALE_INK, PAPER, SideStyle, side_styles

WIDTH, HEIGHT = 560.0, 250.0
_LEFT, _RIGHT, _TOP, _FOOT = 48.0, 120.0, 40.0, 42.0
_STEPS = 5
"""Numbers on the vertical axis, about."""


@dataclass(frozen=True)
class Curve:
    """The points of one side, one value for each label of the chart; `name` is what players call it."""

    side: str
    name: str
    values: tuple[int, ...]


def draw_chart(title: str, labels: Sequence[str], series: Sequence[Curve]) -> str:
    """Return curves as an SVG document; labels stand under the points, from left to right.

    Raises ValueError if a curve has not as many values as there are labels.
    """
    wrong = next((curve for curve in series if len(curve.values) != len(labels)), None)
    if wrong is not None or not labels:
        raise ValueError(f"a chart of {len(labels)} labels needs as many values in each curve, and at least one")
    styles = side_styles(curve.side for curve in series)
    step = _axis_step(max((value for curve in series for value in curve.values), default=0))
    top = step * max(-(-max((v for curve in series for v in curve.values), default=0) // step), 1)
    across = (WIDTH - _LEFT - _RIGHT) / max(len(labels) - 1, 1)

    def at(i: int, value: int) -> Point:
        return _LEFT + i * across, _TOP + (HEIGHT - _TOP - _FOOT) * (1 - value / top)

    numbers = [
        path(f"M{curves.at((_LEFT, at(0, n)[1]))}H{WIDTH - _RIGHT:g}", stroke="#d8d5c6", stroke_width=1)
        + text(_LEFT - 8, at(0, n)[1] + 4, str(n), text_anchor="end", fill=PALE_INK)
        for n in range(0, top + 1, step)
    ]
    names = [
        text(at(i, 0)[0], HEIGHT - 18, label, text_anchor="middle", fill=PALE_INK) for i, label in enumerate(labels)
    ]
    lines = [_line(curve, styles[curve.side], [at(i, v) for i, v in enumerate(curve.values)]) for curve in series]
    ends = _spread_labels([at(len(labels) - 1, curve.values[-1])[1] for curve in series])
    end_labels = [
        text(WIDTH - _RIGHT + 12, y + 4, f"{curve.name} {curve.values[-1]}", font_weight="bold",
             fill=styles[curve.side].colour)
        for curve, y in zip(series, ends, strict=True)
    ]  # fmt: skip
    body = [
        tag("rect", width="100%", height="100%", fill=PAPER),
        text(_LEFT, 22, title, font_size=14, font_weight="bold", fill=INK),
        group([*numbers, *names, *end_labels], font_size=12),
        *lines,
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{HEIGHT:g}" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-family="{FONT}" role="img">\n'
        f"<title>{escape(title)}</title>\n{''.join(body)}</svg>\n"
    )


def _axis_step(most: int) -> int:
    """Return the step between numbers of the axis: 1, 2 or 5 times a power of ten."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power * _STEPS >= most:
                return factor * power
        power *= 10


def _spread_labels(heights: list[float], least: float = 16.0) -> list[float]:
    """Return heights of lettering, moved down as far as needed so that no two overlap."""
    moved = dict[int, float]()
    last = float("-inf")
    for i, y in sorted(enumerate(heights), key=lambda numbered: numbered[1]):
        last = moved[i] = max(y, last + least)
    return [moved[i] for i in range(len(heights))]


def _line(curve: Curve, style: SideStyle, points: list[Point]) -> str:
    """Return one curve with a mark at each point."""
    line = path(
        curves.line(points), fill="none", stroke=style.colour, stroke_width=3, stroke_dasharray=style.dash,
        stroke_linejoin="round",
    )  # fmt: skip
    return group([line, *(_mark(style, *point) for point in points)], data_side=curve.side)


def _mark(style: SideStyle, x: float, y: float) -> str:
    if style.shape == "round":
        return tag("circle", cx=round(x, 1), cy=round(y, 1), r=4.5, fill=style.colour)
    return tag("rect", x=round(x - 4, 1), y=round(y - 4, 1), width=8, height=8, fill=style.colour)
