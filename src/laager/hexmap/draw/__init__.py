"""Maps as pictures: SVG in layers, and PNG.

`draw_svg` draws a map and what `Layers` hold over it; `draw_png` turns that into pixels with
lettering that ships. All in a style of our own that can be read in grey, in print and by the
colour-blind.
"""

from laager.hexmap.draw.fonts import FONT_FILES
from laager.hexmap.draw.layers import FrontLayer, FrontLine, Layers, UnitMark, front_layer
from laager.hexmap.draw.png import draw_png
from laager.hexmap.draw.svg import draw_svg

__all__ = [
    "FONT_FILES",
    "FrontLayer",
    "FrontLine",
    "Layers",
    "UnitMark",
    "draw_png",
    "draw_svg",
    "front_layer",
]
