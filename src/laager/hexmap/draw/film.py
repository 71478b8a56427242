"""A film of a map: Control, front, works and units at one moment after the other, as one SVG that moves by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from laager.hexmap.draw import forts, front, grid, ground, marks
from laager.hexmap.draw.fonts import text_width
from laager.hexmap.draw.lattice import Lattice
from laager.hexmap.draw.layers import Layers
from laager.hexmap.draw.markup import escape, number, tag, text
from laager.hexmap.draw.style import INK, SideStyle
from laager.hexmap.draw.svg import HEAD, MARGIN, counter_symbols_of, draw_svg, layer_styles
from laager.hexmap.hexmap import HexMap

SECONDS_PER_MOMENT = 2.5
"""How long each moment is shown, in seconds."""

STILL = (
    "<style>@media (prefers-reduced-motion: reduce), print {"
    " .moment { display: none !important; } .moment.last { display: inline !important; } }</style>"
)
"""Shows the last moment alone to who wants nothing to move, also where a film is opened by itself."""
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
    styles = layer_styles(replace(moments[-1][1], sides=sides))
    frames = [_frame(lattice, caption, replace(layers, sides=sides)) for caption, layers in moments]
    timed = "".join(_time_frame(content, i, len(frames)) for i, content in enumerate(frames))
    shown = [mark for _, layers in moments for mark in layers.units]
    parts = [
        front.nml_symbol() if any(layers.front for _, layers in moments) else "",
        counter_symbols_of(shown, styles),
    ]
    symbols = tag("defs", "".join(parts)) if any(parts) else ""
    return still.replace("</svg>\n", f"{STILL}{symbols}{timed}</svg>\n")


def _frame(lattice: Lattice, caption: str, layers: Layers) -> str:
    """Return the drawing over the ground at one moment; its layers are classes, as an id may appear once only."""
    styles = layer_styles(layers)
    changes, _oba = ground.draw_ground(lattice, layers.ground, styles)
    parts = [
        front.draw_front_ground(lattice, layers.front, styles),
        front.draw_block_ground(lattice, layers.blocks, styles),
        front.draw_front_lines(lattice, layers.front, styles),
        front.draw_block_lines(lattice, layers.blocks, styles),
        grid.draw_coordinates(lattice, printed=False),
        front.draw_front_letters(lattice, layers.front, styles),
        front.draw_block_names(lattice, layers.blocks, styles),
        marks.draw_control(lattice, layers.control, styles),
        changes,
        forts.draw_fires(lattice, layers.flames, layers.blazes),
        marks.draw_units(lattice, layers.units, styles),
        forts.draw_forts(lattice, layers.forts, styles),
        text(lattice.left, lattice.top - 24, caption, font_size=14, font_weight="bold", fill=INK),
        *_names(lattice, layers, styles),
    ]
    return _ID.sub(r' class="layer-\1"', "".join(parts))


def _names(lattice: Lattice, layers: Layers, styles: dict[str, SideStyle]) -> list[str]:
    """Return the sides' names, each with its flag, above the right end of the map."""
    parts, x = [], lattice.left + lattice.width - 70
    for side, name in reversed(list(layers.sides.items())):
        x -= text_width(name, 13, bold=True)
        parts.append(text(x, lattice.top - 24, name, font_size=13, font_weight="bold", fill=styles[side].colour))
        parts.append(marks.flag(x - 22, lattice.top - 26, styles[side]))
        x -= 44
    return parts


def _time_frame(content: str, i: int, count: int) -> str:
    """Return a moment that is shown in its turn; without motion the last one is shown."""
    if count == 1:
        return f"<g>{content}</g>\n"
    values = ";".join("inline" if k == i else "none" for k in range(count))
    times = ";".join(_share(k / count) for k in range(count))
    turn = (
        f'<animate attributeName="display" values="{escape(values)}" keyTimes="{times}" calcMode="discrete" '
        f'dur="{number(count * SECONDS_PER_MOMENT)}s" repeatCount="indefinite"/>'
    )
    last = i == count - 1
    return f'<g class="moment{" last" if last else ""}" display="{"inline" if last else "none"}">{turn}{content}</g>\n'


def _share(share: float) -> str:
    """Return a share of the whole as SMIL writes it."""
    return f"{share:.4f}".rstrip("0").rstrip(".") or "0"
