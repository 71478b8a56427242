"""A viewshed drawn on the map of its board."""

from __future__ import annotations

from laager.hexmap import HexMap
from laager.hexmap.draw import Layers, LosLayer, draw_svg
from laager.hexmap.draw.los import BLOCKED, CLEAR, HINDERED, UNKNOWN, UPPER
from laager.los.exact.engine import Glance, Viewshed


def draw_viewshed(view: Viewshed, map_: HexMap) -> str:
    """Return the map of the board as an SVG document with what a Location sees.

    A hex counts by its ground Location; where only an upper level is seen, its lowest level stands in the hex. Hexes
    that the map doesn't have are left out. Raises RefusedError (NO_SUCH) if it lacks the Location's own hex.
    """
    named = dict(zip(view.map.names, view.map.map_names, strict=True))
    hexes: dict[str, set[str]] = {}
    labels: dict[str, str] = {}
    levels: dict[str, list[Glance]] = {}
    for glance in view:
        levels.setdefault(glance.target.hex, []).append(glance)
    for name, glances in levels.items():
        if named[name] not in map_.hexes or name == view.source.hex:
            continue
        kind, label = _look_of_hex(glances)
        hexes.setdefault(kind, set()).add(named[name])
        if label:
            labels[named[name]] = label
    title = f"What {view.source} sees"
    seen = {kind: frozenset(names) for kind, names in hexes.items()}
    layer = LosLayer(title, seen, labels, (named[view.source.hex],))
    return draw_svg(map_, Layers(title=title, subtitle=view.map.name, sight=layer))


def _look_of_hex(glances: list[Glance]) -> tuple[str, str]:
    """Return how a hex is seen, by its Locations from the ground up, and what is written in it."""
    ground, *others = glances
    if ground.clear:
        return (HINDERED, f"+{ground.hindrance}") if ground.hindrance else (CLEAR, "")
    upper = [
        glance.target
        for glance in others
        if glance.clear and (glance.target.elevation or 0) > (ground.target.elevation or 0)
    ]
    if upper:
        lowest = min(upper, key=lambda seen_location: seen_location.elevation or 0)
        return UPPER, f"L{lowest.level}" if lowest.level else lowest.kind
    return (UNKNOWN, "") if ground.clear is None else (BLOCKED, "")
