"""Pictures of boards painted by the tests: a square of its own colour around each hex's centre."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from math import hypot

from PIL import Image, ImageDraw

from laager.hexmap import HexMap
from laager.hexmap.draw import Backdrop, Layers, draw_png, draw_svg
from tests.vasl.board_writer import Draft

Colour = tuple[int, int, int]

HALF = 15
"""Half the side of a square, in pixels."""
_TARGET = re.compile(r'<path data-hex="([^"]+)" d="([^"]+)"')
_NUMBER = re.compile(r"-?[0-9.]+")


def colour(number: int) -> Colour:
    """Return the colour of the hex with that number: all far from one another and from grey."""
    return (40 + 70 * (number % 4), 40 + 70 * (number // 4 % 4), 40 + 100 * (number // 16 % 3))


def painted(draft: Draft, names: Iterable[str], kind: str = "GIF", times: int = 1) -> bytes:
    """Return the picture of a board, so many times as large."""
    image = Image.new("RGB", (draft.width, draft.height), (128, 128, 128))
    brush = ImageDraw.Draw(image)
    for number, name in enumerate(names):
        x, y = draft.centre(name)
        brush.rectangle((x - HALF, y - HALF, x + HALF, y + HALF), fill=colour(number))
    if times > 1:
        image = image.resize((image.width * times, image.height * times), Image.Resampling.NEAREST)
    return saved(image, kind)


def saved(image: Image.Image, kind: str) -> bytes:
    data = BytesIO()
    image.save(data, kind)
    return data.getvalue()


def seen(map_: HexMap, backdrop: Backdrop, aside: float = 8) -> dict[str, Colour]:
    """Draw a map on its backdrop as a PNG; return the colour beside each whole hex's centre."""
    svg = draw_svg(map_, Layers(coordinates=False, legend=False, targets=True), backdrop)
    width = re.search(r'width="([0-9.]+)"', svg)
    assert width
    size = round(float(width[1]) * 2)
    image = Image.open(BytesIO(draw_png(svg, size))).convert("RGB")
    scale = image.width / float(width[1])
    found = {}
    for name, d in _TARGET.findall(svg):
        if map_.hex(name).half:
            continue
        numbers = [float(number) for number in _NUMBER.findall(d)]
        x, y = sum(numbers[::2]) / len(numbers) * 2, sum(numbers[1::2]) / len(numbers) * 2
        shown = image.getpixel((int((x + aside) * scale), int((y + aside) * scale)))
        assert isinstance(shown, tuple)
        found[name] = (shown[0], shown[1], shown[2])
    return found


def like(shown: Colour, painted_: Colour, veil: float = 0.22) -> bool:
    """Return whether a colour is what a painted one is under the veil of paper."""
    paper = (252, 251, 246)
    mixed = [(1 - veil) * a + veil * b for a, b in zip(painted_, paper, strict=True)]
    return hypot(*(a - b for a, b in zip(shown, mixed, strict=True))) < 24
