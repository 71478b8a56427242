"""The colours of a board's ground by VASL's names, so that a scenario's rules recolour the picture too.

VASL takes them from the archive's `colors`: a rule such as Winter says which name becomes which, and every pixel of
exactly that colour changes. So the picture keeps these colours as they were drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import numpy as np

from laager.base.extras import extra
from laager.hexmap import HexMap
from laager.hexmap.draw.style import GROUNDS, LEVELS, level_tint

COLOURS = "colors"
_MOST = 256
"""Most colours of a GIF."""
_NAMES: Mapping[str, str] = {
    **{"woods": "WoodsGreen", "brush": "BrushL0", "grain": "GrainL0", "orchard": "OrchL0", "plowed": "PlowedFields"},
    **{"marsh": "MarshGreenL0", "swamp": "SwampGreenL0", "vineyard": "VineyardGreen", "rice-paddy": "PaddyInterior"},
    **{"water": "Water", "river": "Water", "pond": "Water"},
}
"""VASL's names for the ground of kinds of terrain: those that its rules change."""


def named_tints(map_: HexMap) -> Mapping[str, str]:
    """Return the colours of a map's ground by VASL's names, as #rrggbb."""
    tints = {_level_name(level): level_tint(level) for level in sorted(LEVELS)}
    here = {hex_.terrain for hex_ in map_.hexes.values()} | {kind for hex_ in map_.hexes.values() for kind in hex_.also}
    return tints | {name: GROUNDS[kind].fill for kind, name in _NAMES.items() if kind in here}


def _level_name(level: int) -> str:
    return f"Level{level}" if level >= 0 else f"Level_{-level}"


def list_tints(tints: Mapping[str, str]) -> str:
    """Return the text of `colors`."""
    return "".join(f"{name} {','.join(map(str, _parse(tint)))}\n" for name, tint in tints.items())


def _parse(tint: str) -> tuple[int, int, int]:
    return int(tint[1:3], 16), int(tint[3:5], 16), int(tint[5:7], 16)


def to_gif(png: bytes, tints: Mapping[str, str]) -> bytes:
    """Return a picture as a GIF in which the pixels of these colours have them still, to the last bit."""
    with extra("vasl"):
        from PIL import Image
    exact = sorted({_parse(tint) for tint in tints.values()})
    gif = BytesIO()
    with Image.open(BytesIO(png)) as drawn:
        rgb = drawn.convert("RGB")
    reduced = rgb.quantize(_MOST - len(exact))
    pixels, numbers = np.asarray(rgb), np.array(reduced)
    packed = pixels[..., 0].astype(np.int32) << 16 | pixels[..., 1].astype(np.int32) << 8 | pixels[..., 2]
    palette = (reduced.getpalette() or [])[: 3 * (_MOST - len(exact))]
    first = len(palette) // 3
    for at, (red, green, blue) in enumerate(exact):
        numbers[packed == (red << 16 | green << 8 | blue)] = first + at
    picture = Image.fromarray(numbers, "P")
    picture.putpalette([*palette, *(part for colour in exact for part in colour)])
    picture.save(gif, "GIF")
    return gif.getvalue()
