"""Charts of a campaign: points over its battles as lines, and how often dice fell as bars.

Sides are told apart by colour, line style and mark, and named beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import Point
from laager.hexmap.draw.markup import escape, group, number, path, tag, text
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
    return _document(title, [group([*numbers, *names, *end_labels], font_size=12), *lines])


@dataclass(frozen=True)
class Falls:
    """How often dice fell for somebody: his side, his name, and the times of each value, in order."""

    side: str
    name: str
    times: tuple[int, ...]


def draw_falls(title: str, values: Sequence[int], fair: Sequence[float], rolled: Sequence[Falls], due: str) -> str:
    """Return rolls against fair dice as an SVG document: a group of bars for each value, a line where fair dice fall.

    `fair` is the share of all rolls that each value has with fair dice, `due` what the line is called. Bars are shares
    of one's own rolls, so that who rolled more doesn't stand higher.
    """
    styles = side_styles(falls.side for falls in rolled)
    shares = [[times / max(sum(falls.times), 1) for times in falls.times] for falls in rolled]
    top = max((*fair, *(share for row in shares for share in row)))
    slot = (WIDTH - _LEFT - _RIGHT) / len(values)
    bar = slot * 0.8 / len(rolled)

    def height(share: float) -> float:
        return (HEIGHT - _TOP - _FOOT) * share / top

    foot = HEIGHT - _FOOT
    bars = [
        tag("rect", x=number(_LEFT + i * slot + slot * 0.1 + k * bar), y=number(foot - height(share)),
            width=number(bar * 0.9), height=number(height(share)), fill=styles[falls.side].colour)
        for k, (falls, row) in enumerate(zip(rolled, shares, strict=True)) for i, share in enumerate(row)
    ]  # fmt: skip
    marks = [
        path(f"M{number(_LEFT + (i + 0.05) * slot)} {number(foot - height(share))}h{number(slot * 0.9)}")
        for i, share in enumerate(fair)
    ]
    labels = [
        text(_LEFT + (i + 0.5) * slot, HEIGHT - 24, str(value), text_anchor="middle", fill=PALE_INK)
        for i, value in enumerate(values)
    ]
    right = WIDTH - _RIGHT + 12
    key = [
        tag("rect", x=right, y=_TOP + 22 * i, width=12, height=12, fill=styles[falls.side].colour)
        + text(right + 18, _TOP + 11 + 22 * i, falls.name, fill=INK)
        for i, falls in enumerate(rolled)
    ]
    y = _TOP + 22 * len(rolled) + 6
    key.append(path(f"M{right:g} {y:g}h12", stroke=INK, stroke_width=3) + text(right + 18, y + 5, due, fill=INK))
    line = path(f"M{_LEFT:g} {foot:g}H{WIDTH - _RIGHT:g}", stroke=PALE_INK, stroke_width=1)
    drawn = [line, *bars, group(marks, stroke=INK, stroke_width=3), group([*labels, *key], font_size=12)]
    return _document(title, drawn)


def _document(title: str, body: Sequence[str]) -> str:
    """Return a chart as an SVG document on paper, beneath its title."""
    head = (
        tag("rect", width="100%", height="100%", fill=PAPER),
        text(_LEFT, 22, title, font_size=14, font_weight="bold", fill=INK),
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{HEIGHT:g}" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-family="{FONT}" role="img">\n'
        f"<title>{escape(title)}</title>\n{''.join((*head, *body))}</svg>\n"
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
