"""The whole drawing: a page with the map, its layers, title, legend and scale."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from html import unescape
from pathlib import Path

from laager.base.extras import extra
from laager.hexmap.draw import counters, features, forts, front, grid, ground, legend, los, marks, terrain
from laager.hexmap.draw.fonts import FONT_FILES, covers
from laager.hexmap.draw.lattice import STEP_X, STEP_Y, Lattice
from laager.hexmap.draw.layers import Backdrop, Layers, UnitMark, draw_backdrop, lie_under_all
from laager.hexmap.draw.markup import escape, layer, number, tag
from laager.hexmap.draw.style import FONT, PAPER, SideStyle, level_tint, side_styles
from laager.hexmap.draw.symbols import terrain_symbol, variants
from laager.hexmap.hexmap import HexMap

MARGIN = 40.0
HEAD = 58.0
_FOOT = 44.0
_GAP = 30.0


def draw_svg(map_: HexMap, layers: Layers | None = None, backdrop: Backdrop | None = None) -> str:
    """Return a map with its layers as an SVG document.

    With a `backdrop` the boards' own pictures stand for the drawn terrain, which is drawn under
    them only where they do not reach all hexes. Every part is a group `layer-...`; the same input
    gives the same text. Raises RefusedError (NO_SUCH) for a hex that is not on the map.
    """
    layers = _read_once(layers or Layers())
    styles = layer_styles(layers)
    lattice = _lattice(map_)
    painted = backdrop is not None and backdrop.painted > 0
    land = backdrop is None or painted or not lie_under_all(lattice, backdrop)
    sheet = _sheet(lattice, layers, styles, land)
    body = [
        tag("rect", id="layer-paper", width="100%", height="100%", fill=PAPER) + "\n",
        *(_draw_land(lattice, layers, styles) if backdrop is None else ()),
        *(_ground_over_pictures(lattice, layers, styles, backdrop, land) if backdrop else ()),
        front.draw_front_lines(lattice, layers.front, styles),
        front.draw_block_lines(lattice, layers.blocks, styles),
        grid.draw_unplayable(lattice),
        grid.draw_margin(lattice, sheet.width, sheet.height),
        grid.draw_frame(lattice),
        *_marks_and_lettering(lattice, layers, styles, printed=backdrop is not None),
        grid.draw_title(lattice, layers, sheet.width - MARGIN),
        legend.draw_legend(sheet.legend, sheet.legend_left, sheet.legend_top, layers.words),
        grid.draw_foot(lattice, layers, sheet.foot, sheet.width - 2 * MARGIN),
        grid.draw_targets(lattice) if layers.targets else "",
    ]
    width, height = number(sheet.width), number(sheet.height)
    name = escape(layers.title or map_.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" role="img">\n'
        f"<title>{name}</title>\n{_definitions(lattice, layers, styles, land)}{''.join(body)}</svg>\n"
    )


def draw_board(
    map_: HexMap, size: tuple[int, int], anchor: str, at: tuple[float, float], hex_size: tuple[float, float]
) -> str:
    """Return a map as an SVG document as a printed board has it: ground, hex grid and names, to the very edges.

    Around buildings it shows how far they block lines of sight.
    The picture has that size in pixels; the centre of the hex `anchor` lies `at` a pixel, a hex is `hex_size` pixels
    from column to column and in height.
    """
    lattice = _lattice(map_)
    layers = Layers()
    x, y = lattice.middle(anchor)
    across, down = hex_size[0] / (3 * STEP_X), hex_size[1] / (2 * STEP_Y)
    place = f"matrix({across} 0 0 {down} {at[0] - across * x} {at[1] - down * y})"
    below, above = _ground(map_, True)
    body = (below, features.draw_plots(lattice), above, grid.draw_coordinates(lattice), grid.draw_names(lattice))
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}">\n'
        f"{_definitions(lattice, layers, {}, land=True)}"
        f"{tag('rect', width='100%', height='100%', fill=level_tint(0))}"
        f'<g transform="{place}">{"".join(body)}</g></svg>\n'
    )


def draw_legend_sheet(map_: HexMap, layers: Layers, across: int = 1) -> str:
    """Return the legend of a drawing as an SVG document of its own, in `across` columns; it stands beside the map.

    Raises as `draw_svg` does.
    """
    layers = _read_once(layers)
    styles = layer_styles(layers)
    lattice = _lattice(map_)
    sections = legend.legend_sections(lattice, layers, styles)
    # Who knows the game knows woods: what stands on them comes first.
    sections.sort(key=lambda section: section.heading in legend.PRINTED)
    placed = legend.columns_across(sections, across)
    deep = max(sum(section.height for section in column) for column in placed)
    width, height = number(legend.COLUMN * len(placed)), number(deep + 12)
    body = tag("rect", width="100%", height="100%", fill=PAPER) + legend.draw_legend(placed, 10, -6, layers.words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" role="img">\n'
        f"{_definitions(lattice, layers, styles, land=True)}{body}</svg>\n"
    )


def _read_once(layers: Layers) -> Layers:
    """Return the layers with all iterables as tuples or sets, since an iterator can be read only once."""
    return replace(
        layers,
        strategic=tuple(layers.strategic),
        highlight=tuple(layers.highlight),
        units=tuple(layers.units),
        forts=tuple(layers.forts),
        ground=tuple(layers.ground),
        flames=tuple(layers.flames),
        blazes=tuple(layers.blazes),
        entry_areas=tuple(layers.entry_areas),
        entry={side: frozenset(hexes) for side, hexes in layers.entry.items()},
    )


def layer_styles(layers: Layers) -> dict[str, SideStyle]:
    """Return the style of each side: those named first, then others as they turn up."""
    front_sides = layers.front.sides if layers.front is not None else ()
    block_sides = layers.blocks.sides if layers.blocks is not None else ()
    used = {
        *layers.control.values(),
        *layers.entry,
        *(mark.side for mark in layers.units),
        *(mark.side for mark in layers.forts),
        *(mark.side for mark in layers.ground if mark.side),
    }
    return side_styles((*layers.sides, *front_sides, *block_sides, *sorted(used)))


def _draw_land(lattice: Lattice, layers: Layers, styles: dict[str, SideStyle], *, base: bool = True) -> tuple[str, ...]:
    """Return what lies on the ground, from below to above; without `base` no bare ground."""
    below, above = _ground(lattice.map, base)
    return (
        below,
        # Under contours, streams, roads and houses, which stay as clear as on the plain map.
        front.draw_front_ground(lattice, layers.front, styles),
        front.draw_block_ground(lattice, layers.blocks, styles),
        above,
    )


@lru_cache(maxsize=8)
def _lattice(map_: HexMap) -> Lattice:
    """Return the lattice of a map on the page."""
    return Lattice(map_, MARGIN, MARGIN + HEAD)


@lru_cache(maxsize=8)
def _ground(map_: HexMap, base: bool) -> tuple[str, str]:
    """Return the printed map below and above the campaign's ground. Cached: it takes half of a drawing's time."""
    lattice = _lattice(map_)
    below = (terrain.draw_levels(lattice, base=base), terrain.draw_terrain(lattice), terrain.draw_waters(lattice))
    above = (
        terrain.draw_contours(lattice),
        terrain.draw_watercourses(lattice),
        terrain.draw_roads(lattice),
        grid.draw_grid(lattice),
        features.draw_buildings(lattice),
        features.draw_hexsides(lattice),
        features.draw_features(lattice),
    )
    return "".join(below), "".join(above)


def _ground_over_pictures(
    lattice: Lattice, layers: Layers, styles: dict[str, SideStyle], backdrop: Backdrop, land: bool
) -> tuple[str, ...]:
    """Return the ground as the boards' pictures show it, with the situation's ground over it."""
    bare = replace(layers, front=None, blocks=None)
    over = _draw_land(lattice, bare, styles, base=False) if backdrop.painted else ()
    return (
        *(_draw_land(lattice, bare, styles) if land and not over else ()),
        draw_backdrop(lattice, backdrop),
        layer("painted", over, opacity=backdrop.painted),
        front.draw_front_ground(lattice, layers.front, styles),
        front.draw_block_ground(lattice, layers.blocks, styles),
        "" if land else grid.draw_grid(lattice),
    )


def _marks_and_lettering(
    lattice: Lattice, layers: Layers, styles: dict[str, SideStyle], *, printed: bool
) -> tuple[str, ...]:
    """Return marks and lettering, from below to above."""
    changes, oba = ground.draw_ground(lattice, layers.ground, styles)
    return (
        los.draw_los(lattice, layers.sight),
        marks.draw_highlight(lattice, layers.highlight),
        marks.draw_entry(lattice, layers.entry, styles),
        front.draw_entry_areas(lattice, layers.entry_areas),
        grid.draw_coordinates(lattice, printed=printed) if layers.coordinates else "",
        front.draw_front_letters(lattice, layers.front, styles),
        front.draw_block_names(lattice, layers.blocks, styles),
        grid.draw_names(lattice),
        marks.draw_strategic(lattice, layers.strategic),
        marks.draw_tvp(lattice, layers.tvp),
        marks.draw_control(lattice, layers.control, styles),
        changes,
        forts.draw_fires(lattice, layers.flames, layers.blazes),
        oba,
        marks.draw_units(lattice, layers.units, styles),
        forts.draw_forts(lattice, layers.forts, styles),
    )


def _definitions(lattice: Lattice, layers: Layers, styles: dict[str, SideStyle], land: bool) -> str:
    kinds = terrain.kinds(lattice) if land else []
    symbols = [terrain_symbol(kind, i) for kind in kinds for i in range(variants(kind))]
    if land and any(building.material == "wooden" for building in lattice.map.buildings):
        symbols.append(features.planks())
    if layers.front is not None:
        symbols.append(front.nml_symbol())
    if layers.strategic:
        symbols.append(marks.star_symbol())
    symbols.append(counter_symbols_of(layers.units, styles))
    symbols = [symbol for symbol in symbols if symbol]
    return f"<defs>{''.join(symbols)}</defs>\n" if symbols else ""


def counter_symbols_of(units: Iterable[UnitMark], styles: dict[str, SideStyle]) -> str:
    """Return the symbols of the counters in a drawing."""
    faced = [(mark, mark.face) for mark in units if mark.face is not None]
    return counters.counter_symbols(
        ((face, styles[mark.side]) for mark, face in faced), {state for mark, _ in faced for state in mark.states}
    )


@dataclass(frozen=True)
class _Sheet:
    """The size of the page and where things lie on it."""

    width: float
    height: float
    legend: list[list[legend.LegendSection]]
    legend_left: float
    legend_top: float
    foot: float


def _sheet(lattice: Lattice, layers: Layers, styles: dict[str, SideStyle], land: bool) -> _Sheet:
    """Lay out the page: the legend to the right of a map that is not broad, else below it."""
    right, bottom = lattice.left + lattice.width, lattice.top + lattice.height
    width, least = right + MARGIN, grid.LEAST_WIDTH
    foot = bottom + _GAP
    sections = legend.legend_sections(lattice, layers, styles, land) if layers.legend else []
    if not sections:
        return _Sheet(max(width, least), foot + _FOOT, [], 0, 0, foot)
    if lattice.width < 1.3 * lattice.height:
        placed = legend.columns(sections, max(lattice.height, 320))
        width = max(right + _GAP + legend.COLUMN * len(placed) + MARGIN - 14, least)
        deep = max(sum(section.height for section in column) for column in placed)
        foot = max(foot, lattice.top + deep + _GAP)
        return _Sheet(width, foot + _FOOT, placed, right + _GAP + 4, lattice.top - 16, foot)
    across = max(int((max(width, least) - 2 * MARGIN) / legend.COLUMN), 1)
    placed = legend.columns_across(sections, across)
    deep = max(sum(section.height for section in column) for column in placed)
    top = foot + _FOOT - 14
    return _Sheet(max(width, least), top + deep + MARGIN, placed, MARGIN, top, foot)


_TEXT = re.compile(r"<text[^>]*>([^<]*)</text>")


def visible_text(svg: str) -> str:
    """Return all text in a drawing."""
    return "".join(unescape(content) for content in _TEXT.findall(svg))


def draw_png(svg: str, width: int) -> bytes:
    """Return a drawing as a PNG of the given width in pixels, height in proportion.

    The shipped fonts are used, so that the picture is the same on every machine; only if it
    holds letters that they lack (Chinese, Japanese ...) are the machine's own fonts asked too.
    Raises ValueError for a width below 1 or text that is not SVG.
    """
    if width < 1:
        raise ValueError(f"a width of {width} is too small; it is in pixels, from 1")
    from resvg_py import svg_to_bytes

    png: bytes = svg_to_bytes(
        svg_string=svg,
        width=width,
        font_files=[str(Path(file)) for file in FONT_FILES],
        skip_system_fonts=covers(visible_text(svg)),
    )
    return png


POINTS = 0.5
"""Size of a picture unit on the page, in points: a hex is 12 mm high."""

_WIDTH = re.compile(r'<svg[^>]* width="([0-9.]+)"')
_SOURCE = """
#set page(width: auto, height: auto, margin: 0pt)
#set document(title: sys.inputs.title, date: none)
#let width = float(sys.inputs.width) * 1pt
#image(bytes(sys.inputs.svg), format: "svg", width: width, alt: sys.inputs.title)
"""


def draw_pdf(svg: str, title: str) -> bytes:
    """Return a drawing as a PDF of one page, with a title for readers that show it.

    The shipped fonts are used as in `draw_png`; the same drawing gives the same bytes. Pictures
    of a backdrop must be embedded. Raises ValueError for text that is not one of our drawings.
    """
    width = _WIDTH.search(svg[:1000])
    if width is None:
        raise ValueError("this is not a drawing of a map: it does not begin with an SVG and its width")
    with extra("pdf"):
        import typst

    fonts = typst.Fonts(
        include_system_fonts=not covers(visible_text(svg)),
        include_embedded_fonts=False,
        font_paths=sorted({str(path.parent) for path in FONT_FILES}),
    )
    inputs = {"svg": svg, "title": title, "width": str(float(width[1]) * POINTS)}
    pdf = typst.Compiler(_SOURCE.encode(), font_paths=fonts).compile(
        format="pdf", sys_inputs=inputs, timestamp=datetime(1970, 1, 1, tzinfo=UTC)
    )
    assert isinstance(pdf, bytes), "a PDF is one piece"
    return pdf
