"""Line of sight (LOS): on real boards as VASL decides it, and approximately from the hexes of a map.

    from laager.los import read_los_map, sight
    print(sight(read_los_map(Path("bd01")), "D5", "F9 level 1").sentence)

`exact` is VASL's engine, `approximate` the one by hexes, and `questions` asks both: for the rules, for players, for a
picture. The two engines don't know each other; what a line is called is in `result`, for all.

All values are immutable. NumPy and Numba take their time to import, so that a module is imported when its first name
is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laager.los.exact.deviations import DEVIATIONS
    from laager.los.exact.engine import Glance, Viewshed, all_pairs, sight, sights, viewshed
    from laager.los.exact.keeping import make_table
    from laager.los.exact.losmap import LosMap
    from laager.los.exact.maps import board_map, boards_map, read_los_map
    from laager.los.exact.readiness import prepare, prepare_in_background, progress, ready
    from laager.los.questions.picture import draw_viewshed
    from laager.los.result import Hindrance, Location, LosResult, Point, location

__all__ = [
    "DEVIATIONS",
    "Glance",
    "Hindrance",
    "Location",
    "LosMap",
    "LosResult",
    "Point",
    "Viewshed",
    "all_pairs",
    "board_map",
    "boards_map",
    "draw_viewshed",
    "location",
    "make_table",
    "prepare",
    "prepare_in_background",
    "progress",
    "read_los_map",
    "ready",
    "sight",
    "sights",
    "viewshed",
]

_HOMES = {
    "exact.deviations": "DEVIATIONS",
    "exact.engine": "Glance Viewshed all_pairs sight sights viewshed",
    "exact.keeping": "make_table",
    "exact.losmap": "LosMap",
    "exact.maps": "board_map boards_map read_los_map",
    "questions.picture": "draw_viewshed",
    "exact.readiness": "prepare prepare_in_background progress ready",
    "result": "Hindrance Location LosResult Point location",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"laager.los.{_HOME[name]}"), name)
