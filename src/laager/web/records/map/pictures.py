"""The map as a seat sees it, now or at an earlier moment, as a picture.

Everything comes from the viewer's own state: what it was never told is not in the drawing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import UUID

from laager.hexmap.draw import draw_legend_sheet, draw_png, draw_preview
from laager.web.campaigns import los
from laager.web.campaigns.scenes import scene_of
from laager.web.library.maps import boards
from laager.web.shared import processes
from laager.web.shared.processes import draw_map
from laager.web.shared.recent import Recent
from laager.web.shared.translation import language

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.los.questions.map_los import LosWish
    from laager.web.campaigns.tables import Table
    from laager.web.models import Player

KEPT = 64 * 2**20
"""How many bytes of pictures a worker keeps in memory; one is about half a megabyte."""

PNG_WIDTHS = (800, 1600)
"""The widths in which a map can be had as PNG, in pixels."""


# Pictures -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RenderedMap:
    """A drawing, and the ETag of its content."""

    data: bytes
    media_type: str
    etag: str


Key = tuple[UUID, str, str, int | None, str]


def _weight(picture: RenderedMap) -> int:
    return len(picture.data)


SHOWN: Recent[Key, RenderedMap] = Recent(1000, KEPT, _weight)
"""The pictures that were drawn last, for one viewer of one campaign at one moment each."""
_PNGS: Recent[tuple[UUID, str, str, int], RenderedMap] = Recent(1000, KEPT, _weight)
"""The PNGs that were made last, by viewer and by what they show: news may leave the map as it was."""


@dataclass(frozen=True)
class Drawing:
    """A picture still to be drawn, which needs the campaign no more.

    Take this while you hold the campaign's lock, release the lock, then draw.
    """

    key: Key
    draw: Callable[[], RenderedMap]

    def render(self) -> RenderedMap:
        """Draw it, or return it from memory. Raises RefusedError as `Processes.do` does."""
        return SHOWN.get(self.key, self.draw)


def picture(
    table: Table,
    at: int | None = None,
    address: Callable[[int], str] | None = None,
    wish: LosWish | None = None,
    *,
    legend: bool = True,
) -> Drawing:
    """Return the map as an SVG document, with what a wish shows; what was drawn before is not drawn anew.

    Without `legend` it is for a page that shows the legend beside it.
    """
    from laager.vasl import backdrop_at

    scene = scene_of(table, at)
    kind = "svg" if address is None else f"svg on {address(0)}"
    layers = replace(scene.layers, targets=True, legend=legend)
    backdrop = backdrop_at(scene.map, address) if address else None
    looking = los.prepare_look(table, scene, wish) if wish else None

    def draw() -> RenderedMap:
        shown = replace(layers, sight=looking.look().layer) if looking else layers
        return _picture(draw_map(table.seat.user, scene.map, shown, backdrop).encode(), "image/svg+xml")

    return Drawing(_key(table, at, f"{kind} {wish} {legend}"), draw)


def small_picture(table: Table) -> Drawing:
    """Return the printed ground as a small drawing, which a page shows until the whole one is there."""
    printed = scene_of(table).map.printed

    def draw() -> RenderedMap:
        return _picture(processes.QUICK.do(table.seat.user.pk, draw_preview, printed).encode(), "image/svg+xml")

    return Drawing((table.seat.game.pk, "", "printed", None, "small"), draw)


def legend_picture(table: Table, at: int | None = None) -> Drawing:
    """Return the legend of the map as a drawing of its own, to stand beside it."""
    scene = scene_of(table, at)

    def draw() -> RenderedMap:
        drawn = processes.QUICK.do(table.seat.user.pk, draw_legend_sheet, scene.map, scene.layers)
        return _picture(drawn.encode(), "image/svg+xml")

    return Drawing(_key(table, at, "legend"), draw)


def png(table: Table, at: int | None, width: int, wish: LosWish | None = None) -> Drawing:
    """Return the map as PNG, with the boards' own pictures under it if they are at hand, and what a wish shows."""
    scene, reader = scene_of(table, at), table.seat.user
    looking = los.prepare_look(table, scene, wish) if wish else None

    def draw() -> RenderedMap:
        layers = replace(scene.layers, sight=looking.look().layer) if looking else scene.layers
        svg = draw_map(reader, scene.map, layers, boards.embed_pictures(scene.map, reader))
        key = (table.seat.game.pk, table.view.viewer, hashlib.sha256(svg.encode()).hexdigest(), width)
        return _PNGS.get(key, lambda: _picture(processes.SLOW.do(reader.pk, draw_png, svg, width), "image/png"))

    return Drawing(_key(table, at, f"png {width} for {reader.pk} {wish}"), draw)


def _key(table: Table, at: int | None, kind: str) -> Key:
    return table.seat.game.pk, table.view.viewer, table.tag, at, f"{kind} {language()}"


def _picture(data: bytes, media_type: str) -> RenderedMap:
    return RenderedMap(data, media_type, f'"{hashlib.sha256(data).hexdigest()[:32]}"')


# The boards' own pictures -------------------------------------------------------------------------


def has_photos(table: Table, map_: HexMap) -> bool:
    """Return True if the map can lie on the pictures of its boards, for this reader."""
    return boards.has_boards(map_, table.seat.user)


def board_picture(map_: HexMap, number: int, reader: Player) -> RenderedMap:
    """Return the picture of one board of a map, by its number from 0, for who has the board.

    Raises as `boards.board_picture` does.
    """
    data, media_type, mark = boards.board_picture(map_, number, reader)
    return RenderedMap(data, media_type, f'"{mark}"')
