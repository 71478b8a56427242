"""Why a person should look at what was read by colours: the reasons as map files have them."""

from __future__ import annotations

UNKNOWN, MIXED, BESIDE, BANK, LEVELS, WATER, SUNK, BRIDGE, HOUSE, SIDE, BAR, ROAD = (
    *(
        "colours without a meaning",
        "another terrain covers more",
        "another terrain next to the dot",
        "a stream or gully next to the dot",
    ),
    *(
        "several levels",
        "water may lie a level lower",
        "a sunken or an elevated road",
        "a bridge may be a level higher",
    ),
    *("a building at the edge", "part of a hexside", "a black bar in a building", "a road ends here"),
)
UNLIKE = "read otherwise than hexes like it"
PRINT = "colours that are only here"
REASONS = (UNKNOWN, MIXED, BESIDE, BANK, LEVELS, WATER, SUNK, BRIDGE, HOUSE, SIDE, BAR, ROAD, UNLIKE, PRINT)
HEX_REASONS = tuple(why for why in REASONS if why not in {SIDE, BAR, UNLIKE, PRINT})
"""The reasons of which each speaks against a hex for itself."""
ABOUT_LEVELS = frozenset({LEVELS, WATER, SUNK, BRIDGE, BANK})
"""The reasons that speak against a level."""
ABOUT_BARS = frozenset({BAR})
"""The reasons for which a hexside may be a rowhouse's wall."""
ABOUT_HOUSES = frozenset({HOUSE})
GROUND_REASONS = frozenset({UNKNOWN, MIXED, BESIDE, UNLIKE})
"""The reasons that speak against a terrain, which a hex's look can tell."""
MOSTLY_WRONG = frozenset({UNKNOWN, PRINT})
"""The reasons for which most of what is in doubt is something else."""
