"""Deviations from VASL that players may switch on, each with its name. None is on unless somebody asks for it.

VASL differs from the rulebook in more than these; `docs/guide/los.md` lists what it does otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from laager.base import DataError, Problem, did_you_mean

BOTH_WAYS = "both-ways"
TRUE_MAP = "true-map"
UNDER_BRIDGE = "under-bridge"
SCRUB = "scrub"
WITH_FAULTS = "with-faults"

DEVIATIONS: Mapping[str, str] = MappingProxyType(
    {
        BOTH_WAYS: (
            "LOS is the same in both directions (A6.1): blocked if either is, with the higher Hindrance of the two. "
            "VASL's answer depends on who looks."
        ),
        TRUE_MAP: (
            "Cropped boards and overlays lie where players see them: hexes are made anew of the joined pixels. VASL's "
            "map has some of them in the wrong place, and holds no overlays."
        ),
        UNDER_BRIDGE: (
            "The Location under a bridge is one level below it (B6.1). On hills of level 2 and more VASL has it as "
            "high as the bridge, or higher."
        ),
        SCRUB: "Terrain code 100 is Scrub, as code 121 is. VASL can't load boards 26 to 31, which have it.",
        WITH_FAULTS: (
            "Where parts of VASL's map are in the wrong place, or an overlay is missing from it, its answer is taken "
            "as it is. Otherwise there is no answer there."
        ),
    }
)
"""The effect of each deviation, by its name."""


def check_deviations(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of deviations in their order, each once. Raises DataError for unknown ones."""
    wanted = set(names)
    strange = sorted(wanted - set(DEVIATIONS))
    if strange:
        raise DataError(
            Problem(f"there is no deviation {name[:40]!r}", did_you_mean(name, [*DEVIATIONS], "the deviations are"))
            for name in strange
        )
    return tuple(name for name in DEVIATIONS if name in wanted)
