"""Maps as pictures: SVG in layers, PNG and PDF.

`draw_svg` draws a map and what `Layers` hold over it, on a `Backdrop` of the boards' own pictures
if there is one; `draw_png` turns that into pixels and `draw_pdf` into a page, with lettering that
ships. `draw_board` draws the ground alone, as printed boards have it, `draw_preview` to be shown
small, `draw_legend_sheet` the legend alone. `draw_chart` draws points over battles, `draw_falls`
how dice fell, `draw_result` who won, `draw_film` how the front moved. All in a style of our own that can be
read in grey, in print and by the colour-blind.
"""

from laager.hexmap.draw.chart import Curve, Falls, draw_chart, draw_falls
from laager.hexmap.draw.film import draw_film
from laager.hexmap.draw.fonts import FONT_FILES
from laager.hexmap.draw.layers import (
    Backdrop,
    BlockLayer,
    EntryMark,
    FortMark,
    FrontLayer,
    FrontOutline,
    GroundMark,
    Layers,
    UnitMark,
    as_data_url,
    block_layer,
    entry_marks,
    front_layer,
    plain_layers,
)
from laager.hexmap.draw.legend import legend_texts
from laager.hexmap.draw.los import LosLayer
from laager.hexmap.draw.preview import draw_preview
from laager.hexmap.draw.result import RESULT_SIZE, ResultCard, draw_result
from laager.hexmap.draw.svg import draw_board, draw_legend_sheet, draw_pdf, draw_png, draw_svg

__all__ = [
    "FONT_FILES",
    "RESULT_SIZE",
    "Backdrop",
    "BlockLayer",
    "Curve",
    "EntryMark",
    "Falls",
    "FortMark",
    "FrontLayer",
    "FrontOutline",
    "GroundMark",
    "Layers",
    "LosLayer",
    "ResultCard",
    "UnitMark",
    "as_data_url",
    "block_layer",
    "draw_board",
    "draw_chart",
    "draw_falls",
    "draw_film",
    "draw_legend_sheet",
    "draw_pdf",
    "draw_png",
    "draw_preview",
    "draw_result",
    "draw_svg",
    "entry_marks",
    "front_layer",
    "legend_texts",
    "plain_layers",
]  # fmt: skip
