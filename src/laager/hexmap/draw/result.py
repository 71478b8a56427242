"""The result of a campaign as a picture to share: its name, who won, the points, and the front as it was at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from laager.hexmap.draw import marks
from laager.hexmap.draw.fonts import text_width
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import Layers
from laager.hexmap.draw.markup import escape, number, path, tag, text
from laager.hexmap.draw.style import FONT, INK, PALE_INK, PAPER, side_styles
from laager.hexmap.draw.svg import HEAD, MARGIN, draw_svg
from laager.hexmap.hexmap import HexMap

RESULT_SIZE = 1200, 630
"""Width and height of the picture in pixels, as sites show a shared page."""

_EDGE = 40
_COLUMN = 400
"""The width of the column of words, left of the map."""
_LOWEST = 590
"""No word stands below."""


@dataclass(frozen=True)
class ResultCard:
    """What a result says: the campaign's own name, its card's, who won, why, each side's name, points in words."""

    title: str
    card: str
    """Below the title; "" where they are the same."""
    winner: str
    ending: str
    scores: tuple[tuple[str, str, str], ...]
    """Side, name, points."""


def draw_result(map_: HexMap, layers: Layers, result: ResultCard) -> str:
    """Return a result beside the map as an SVG document. Raises as `draw_svg` does."""
    width, height = RESULT_SIZE
    styles = side_styles(side for side, _, _ in result.scores)
    parts, y = list[str](), float(_EDGE + 44)
    for content, size, bold, most in (
        (result.title, 38, True, 3),
        *([(result.card, 20, False, 2)] if result.card else []),
        (result.winner, 28, True, 2),
        (result.ending, 18, False, 4),
    ):
        for line in wrap_text(content, size, bold, most):
            weight = "bold" if bold else "normal"
            parts.append(text(_EDGE, y, line, font_size=size, font_weight=weight, fill=INK if bold else PALE_INK))
            y += size * 1.25
        y += 24
    y = min(y, _LOWEST - 68 * len(result.scores))
    for side, name, points in result.scores:
        parts.append(marks.flag(_EDGE, y, styles[side]))
        parts.append(text(_EDGE + 34, y + 4, name, font_size=22, font_weight="bold", fill=styles[side].colour))
        parts.append(text(_EDGE + 34, y + 32, points, font_size=20, fill=INK))
        y += 68
    parts.append(text(_EDGE, height - 18, "Laager", font_size=14, fill=PALE_INK))
    left = _EDGE + _COLUMN + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{FONT}" role="img">\n<title>{escape(result.title)}</title>\n'
        f"{tag('rect', width='100%', height='100%', fill=PAPER)}{''.join(parts)}"
        f"{path(f'M{left - 10} {_EDGE}V{height - _EDGE}', stroke=PALE_INK, stroke_width=1)}"
        f"{_map_in(map_, layers, left, _EDGE, width - left - _EDGE, height - 2 * _EDGE)}</svg>\n"
    )


def _map_in(map_: HexMap, layers: Layers, x: int, y: int, width: int, height: int) -> str:
    """Return the map alone, without its title and legend, as large as it fits into a frame."""
    drawn = draw_svg(map_, replace(layers, legend=False, coordinates=False, targets=False))
    lattice = Lattice(map_, MARGIN, MARGIN + HEAD)
    scale = min(width / lattice.width, height / lattice.height)
    across, down = lattice.width * scale, lattice.height * scale
    frame = map(number, (x + (width - across) / 2, y + (height - down) / 2, across, down))
    shown = " ".join(map(number, (lattice.left, lattice.top, lattice.width, lattice.height)))
    return '<svg x="{}" y="{}" width="{}" height="{}" viewBox="{}">{}'.format(*frame, shown, drawn.partition(">")[2])


def wrap_text(content: str, size: int, bold: bool, most: int) -> Sequence[str]:
    """Return a text in at most `most` lines as wide as the column; the last ends in dots if there is more."""
    lines = [""]
    for word in content.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold=bold) > _COLUMN:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]} …"]
