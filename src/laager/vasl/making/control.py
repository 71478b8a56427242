"""Control of Blocks on a map's board: a plate for each Block and side, which players lay on the board in VASL.

They are rules of the board (`AxisBlkA`, `AlliedBlkA` …), as on VASL's own boards of Blocks: VASL lists them in its
window for terrain changes, and a reader of the board learns from them what its Blocks are called.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from statistics import fmean
from xml.sax.saxutils import quoteattr

from laager.base.extras import extra
from laager.hexmap import HexMap
from laager.hexmap.draw.fonts import text_width
from laager.hexmap.draw.front import block_plate
from laager.hexmap.draw.style import FONT, HALO, SideStyle, side_styles
from laager.hexmap.draw.svg import draw_png
from laager.vasl.making.grid import BoardGrid, Spot

SIDES = ("axis", "allied")
_SIZE = 17.0
"""Size of the letters, in pixels."""
_BELOW = 16
"""Distance of a plate's middle below the centre of its hex, so that the dot and the name stay free."""
_COLOURS = 64
_LETTERS, _WORD = re.compile(r"[A-Z]{1,2}"), re.compile(r"[A-Za-z0-9][A-Za-z0-9 ]{0,19}")


@dataclass(frozen=True)
class ControlPlate:
    """A rule that shows who controls a Block: its name, its picture and the pixel of its top left corner."""

    block: str
    side: str
    rule: str
    file: str
    picture: bytes
    corner: tuple[int, int]


def control_plates(map_: HexMap, grid: BoardGrid) -> tuple[ControlPlate, ...]:
    """Return the plates of the Blocks that a map names, in their order; none of a name that no rule can have."""
    named = map_.block_names.keys() | map_.block_lists.keys()
    places = {hex_.name: spot for spot, hex_ in grid.places.items()}
    styles = side_styles(SIDES)
    plates = []
    for block in sorted(map_.blocks.hexes, key=lambda name: (len(name), name)):
        spots = [places[name] for name in map_.in_order(map_.blocks.hexes[block]) if name in places]
        if block not in named or not spots or not _WORD.fullmatch(block):
            continue
        x, y = _middle(grid, spots)
        for side in SIDES:
            size, picture = _draw_plate(block, styles[side])
            rule = f"{side.capitalize()}Blk{block if _LETTERS.fullmatch(block) else '_' + block.replace(' ', '_')}"
            left, top = round(x - size[0] / 2), round(y + _BELOW - size[1] / 2)
            inside = (
                min(max(left, 0), max(grid.size[0] - size[0], 0)),
                min(max(top, 0), max(grid.size[1] - size[1], 0)),
            )
            plates.append(ControlPlate(block, side, rule, f"{rule}.gif", picture, inside))
    return tuple(plates)


def _middle(grid: BoardGrid, spots: list[Spot]) -> tuple[float, float]:
    """Return the centre of the hex that is nearest to the middle of a Block."""
    centres = [grid.geometry.exact(*spot) for spot in spots]
    x, y = (fmean(centre[axis] for centre in centres) for axis in (0, 1))
    return min(centres, key=lambda centre: (centre[0] - x) ** 2 + (centre[1] - y) ** 2)


def _draw_plate(block: str, style: SideStyle) -> tuple[tuple[int, int], bytes]:
    """Return the size of a plate and its picture, a GIF."""
    with extra("vasl"):
        from PIL import Image
    width = ceil(max(text_width(block, _SIZE, bold=True) + _SIZE * 0.7, _SIZE * 1.5)) + 2
    height = ceil(_SIZE * 1.44) + 2
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{FONT}"><rect width="100%" height="100%" fill="{HALO}"/>'
        f"{block_plate((width / 2, height / 2), block, style, _SIZE)}</svg>"
    )
    gif = BytesIO()
    with Image.open(BytesIO(draw_png(svg, width))) as drawn:
        drawn.convert("RGB").quantize(_COLOURS).save(gif, "GIF")
    return (width, height), gif.getvalue()


def control_entries(plates: tuple[ControlPlate, ...]) -> Mapping[str, bytes]:
    """Return the entries of an archive that let players lay the plates; none without plates."""
    if not plates:
        return {}
    rules = "".join(f"{plate.rule}\n{plate.file} {plate.corner[0]},{plate.corner[1]}\n\n" for plate in plates)
    menus: dict[str, list[ControlPlate]] = {}
    for plate in plates:
        menus.setdefault(plate.block, []).append(plate)
    controls = ["<SSRControls>", '  <Option name="Control of Blocks">']
    for block, sides in menus.items():
        controls += [f"    <Menu name={quoteattr(f'Block {block}')}>", '      <entry name="Nobody"/>']
        for plate in sides:
            name, words = plate.side.capitalize(), f"{plate.side.capitalize()} Block {block}"
            controls.append(
                f"      <entry name={quoteattr(name)} rule={quoteattr(plate.rule)} text={quoteattr(words)}/>"
            )
        controls.append("    </Menu>")
    controls += ["  </Option>", "</SSRControls>", ""]
    texts = {"overlaySSR": rules.encode(), "SSRControls": "\n".join(controls).encode()}
    return texts | {plate.file: plate.picture for plate in plates}


def control_rules(plates: tuple[ControlPlate, ...]) -> str:
    """Return the plates' rules as BoardMetadata.xml has them."""
    return "".join(
        f"    <overlaySSRule name={quoteattr(plate.rule)} image={quoteattr(plate.file)}"
        f' x="{plate.corner[0]}" y="{plate.corner[1]}"/>\n'
        for plate in plates
    )
