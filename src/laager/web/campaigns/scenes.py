"""The map of a campaign as one seat sees it, now or after an earlier entry: what pictures, hexes and LOS start from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.translation import gettext

from laager.base import RefusedError
from laager.campaign.views import find, state_at
from laager.hexmap.draw import Layers, legend_texts
from laager.web.shared.recent import Recent
from laager.web.shared.translation import translate

if TYPE_CHECKING:
    from laager.hexmap import HexMap
    from laager.web.campaigns.tables import Table


@dataclass(frozen=True)
class Scene:
    """The map and what a viewer's state shows on it; `at` is the viewer's entry, None for now."""

    map: HexMap
    layers: Layers
    state: Any
    at: int | None = None


def scene_of(table: Table, at: int | None = None) -> Scene:
    """Return the map as the seat sees it, or saw it after an entry (the viewer's own number).

    Raises RefusedError (no-such) if the campaign has no map, or there is no such entry.
    """
    state = table.view.state if at is None else state_at(table.campaign, table.view.viewer, at)
    map_, layers = table.ruleset.drawing(table.campaign.context, state)
    layers = replace(
        layers,
        title=translate(layers.title or map_.title),
        sides={side: translate(name) for side, name in layers.sides.items()},
        words={text: gettext(text) for text in legend_texts()},
    )
    if at is not None:
        when = find(table.view, at)
        subtitle = " · ".join(part for part in (layers.subtitle, f"entry {when.number}") if part)
        layers = replace(layers, subtitle=subtitle)
    return Scene(map_, layers, state, at)


_HAS_MAP: Recent[UUID, bool] = Recent(1000)


def has_map(table: Table) -> bool:
    """True if the campaign has a map; a purchase has none. It follows from the opening, and never changes."""

    def look() -> bool:
        try:
            return bool(scene_of(table))
        except RefusedError:
            return False

    return _HAS_MAP.get(table.seat.game.pk, look)
