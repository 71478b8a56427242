"""The boards' own pictures under a map, in place of drawn terrain."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

from laager.hexmap.draw import curves
from laager.hexmap.draw.lattice import STEP_X, STEP_Y, Lattice, Point, centre
from laager.hexmap.draw.markup import layer, path, tag
from laager.hexmap.draw.style import PAPER
from laager.hexmap.values import Picture

COLUMN, HEIGHT = 3 * STEP_X, 2 * STEP_Y
"""From column to column and the height of a hex, in picture units."""


@dataclass(frozen=True)
class Backdrop:
    """Pictures to lie under a map: how each lies, and the address of its pixels.

    What is at an address is the picture's `part` alone, in any resolution. An address is a `data:`
    one (see `embedded`), so that the drawing stands alone, or one that whoever shows the SVG can
    fetch, such as a page's own; only drawings with the former become PNG. `veil` is how much of
    the paper's colour lies over the pictures, from 0 to 1, so that what is drawn over them stands
    out. `painted` draws the terrain of the map over the pictures, so thickly (from 0 to 1), for
    who compares the two; 0 leaves it out. Raises ValueError for another veil.
    """

    pictures: tuple[tuple[Picture, str], ...]
    veil: float = 0.22
    painted: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.veil <= 1:
            raise ValueError(f"a veil of {self.veil:g} will not do; from 0 to 1")


def embedded(data: bytes, media_type: str) -> str:
    """Return the address that holds a picture itself; `media_type` such as image/png."""
    return f"data:{media_type};base64,{b64encode(data).decode()}"


def covers(lattice: Lattice, backdrop: Backdrop) -> bool:
    """Return whether the pictures lie under the centres of all hexes; a cut one's on the edge."""
    frames = [_Frame(lattice, picture) for picture, _ in backdrop.pictures]
    return all(any(frame.holds(lattice.point(centre(place))) for frame in frames) for place in lattice.at)


def draw_backdrop(lattice: Lattice, backdrop: Backdrop) -> str:
    """Return the pictures, each stretched so that its hexes are those of the map."""
    whole = curves.closed_lines(lattice.points(loop) for loop in lattice.outline)
    shown = [_Frame(lattice, picture).image(address) for picture, address in backdrop.pictures]
    veil = path(whole, fill=PAPER, fill_opacity=backdrop.veil) if backdrop.veil else ""
    return layer("backdrop", [*shown, veil])


class _Frame:
    """Where a picture lies, in picture units: its box, as if it were not turned, and the pivot."""

    def __init__(self, lattice: Lattice, picture: Picture) -> None:
        self.pivot = lattice.middle(picture.hex)
        self.turned = picture.reversed
        across, down = COLUMN / picture.hex_size[0], HEIGHT / picture.hex_size[1]
        x, y, width, height = picture.part
        self.left = self.pivot[0] + (x - picture.at[0]) * across
        self.top = self.pivot[1] + (y - picture.at[1]) * down
        self.width, self.height = width * across, height * down
        self.slack = 3 * across

    def holds(self, point: Point) -> bool:
        """Return whether a point lies on the picture, or at most three of its pixels beside it."""
        x, y = point
        if self.turned:
            x, y = 2 * self.pivot[0] - x, 2 * self.pivot[1] - y
        inside = -self.slack <= x - self.left <= self.width + self.slack
        return inside and -self.slack <= y - self.top <= self.height + self.slack

    def image(self, address: str) -> str:
        """Return the picture as an element."""
        x, y = (f"{along:.3f}" for along in self.pivot)
        return tag(
            "image",
            x=f"{self.left:.3f}",
            y=f"{self.top:.3f}",
            width=f"{self.width:.3f}",
            height=f"{self.height:.3f}",
            preserveAspectRatio="none",
            transform=f"rotate(180 {x} {y})" if self.turned else None,
            href=address,
        )
