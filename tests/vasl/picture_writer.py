"""Pictures in the colours of VASL's boards, drawn by the tests."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

from PIL import Image, ImageDraw

LEVEL0, WOODS, BRUSH, STONE, STREAM = ((175, 188, 106), (85, 95, 45), (123, 165, 85), (100, 100, 100), (131, 190, 240))
BLACK = (0, 0, 0)
"""The colour of hex lines, which stands for nothing."""

Box = tuple[int, int, int, int]
Colour = tuple[int, int, int]


def picture(size: tuple[int, int], boxes: Mapping[Box, Colour], form: str = "GIF") -> bytes:
    """Return a picture that is clear but for boxes (left, top, right, bottom) of colour."""
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for (left, top, right, bottom), colour in boxes.items():
        draw.rectangle((left, top, right - 1, bottom - 1), fill=(*colour, 255))
    held = BytesIO()
    if form == "GIF":
        # One colour of the palette stands for what is clear.
        flat = Image.new("P", size, 255)
        colours = list(dict.fromkeys(boxes.values()))
        flat.putpalette([part for colour in colours for part in colour])
        pen = ImageDraw.Draw(flat)
        for (left, top, right, bottom), colour in boxes.items():
            pen.rectangle((left, top, right - 1, bottom - 1), fill=colours.index(colour))
        flat.save(held, "GIF", transparency=255)
    else:
        image.save(held, form)
    return held.getvalue()
