"""A film of a map: Control and the front at one moment after the other, as one SVG that moves by itself (SMIL)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from laager.hexmap.draw import front, grid, marks
from laager.hexmap.draw.fonts import text_width
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import Layers
from laager.hexmap.draw.markup import escape, number, tag, text
from laager.hexmap.draw.style import INK, SideStyle, side_styles
from laager.hexmap.draw.svg import HEAD, MARGIN, draw_svg
from laager.hexmap.hexmap import HexMap

SECONDS = 2.5
"""Each moment is shown so long."""

_ID = re.compile(r' id="layer-([a-z-]+)"')


def draw_film(map_: HexMap, title: str, moments: Sequence[tuple[str, Layers]]) -> str:
    """Return moments, each with its caption, as a moving SVG document that begins again after the last.

    Without motion (in print, or where nothing moves) the last moment is seen. Raises ValueError without moments, and
    as `draw_svg` does.
    """
    if not moments:
        raise ValueError("a film needs at least one moment")
    sides = moments[-1][1].sides
    ground = Layers(title=title, subtitle=" ", legend=False, sides=sides, coordinates=False)
    still = draw_svg(map_, ground)
    lattice = Lattice(map_, MARGIN, MARGIN + HEAD)
    frames = [_frame(lattice, caption, replace(layers, sides=sides)) for caption, layers in moments]
    shown = "".join(_timed(content, i, len(frames)) for i, content in enumerate(frames))
    symbols = tag("defs", front.nml_symbol()) if any(layers.front for _, layers in moments) else ""
    return still.replace("</svg>\n", f"{symbols}{shown}</svg>\n")


def _frame(lattice: Lattice, caption: str, layers: Layers) -> str:
    """Return what is drawn over the ground at one moment; its layers are classes, as ids can be there once only."""
    styles = _styles(layers)
    parts = [
        front.draw_front_ground(lattice, layers.front, styles),
        front.draw_block_ground(lattice, layers.blocks, styles),
        front.draw_front_lines(lattice, layers.front, styles),
        front.draw_block_lines(lattice, layers.blocks, styles),
        grid.draw_coordinates(lattice, printed=False),
        front.draw_front_letters(lattice, layers.front, styles),
        front.draw_block_names(lattice, layers.blocks, styles),
        marks.draw_control(lattice, layers.control, styles),
        text(lattice.left, lattice.top - 24, caption, font_size=14, font_weight="bold", fill=INK),
        *_names(lattice, layers, styles),
    ]
    return _ID.sub(r' class="layer-\1"', "".join(parts))


def _names(lattice: Lattice, layers: Layers, styles: dict[str, SideStyle]) -> list[str]:
    """Return the sides' names, each with its flag, above the right end of the map."""
    found, x = [], lattice.left + lattice.width - 70
    for side, name in reversed(list(layers.sides.items())):
        x -= text_width(name, 13, bold=True)
        found.append(text(x, lattice.top - 24, name, font_size=13, font_weight="bold", fill=styles[side].colour))
        found.append(marks.flag(x - 22, lattice.top - 26, styles[side]))
        x -= 44
    return found


def _styles(layers: Layers) -> dict[str, SideStyle]:
    shown = layers.front.sides if layers.front is not None else ()
    held = layers.blocks.sides if layers.blocks is not None else ()
    return side_styles((*layers.sides, *shown, *held, *sorted(set(layers.control.values()))))


def _timed(content: str, i: int, count: int) -> str:
    """Return a moment that is seen in its turn; without motion the last one is seen."""
    if count == 1:
        return f"<g>{content}</g>\n"
    values = ";".join("inline" if k == i else "none" for k in range(count))
    times = ";".join(_share(k / count) for k in range(count))
    turn = (
        f'<animate attributeName="display" values="{escape(values)}" keyTimes="{times}" calcMode="discrete" '
        f'dur="{number(count * SECONDS)}s" repeatCount="indefinite"/>'
    )
    return f'<g display="{"inline" if i == count - 1 else "none"}">{turn}{content}</g>\n'


def _share(share: float) -> str:
    """Return a share of the whole as SMIL writes it."""
    return f"{share:.4f}".rstrip("0").rstrip(".") or "0"
