"""Who may know what of a state: the words in which each class of it says so."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any


class Known(StrEnum):
    """Who knows a field of the state."""

    PUBLIC = "public"
    """Everybody."""
    LINE = "line"
    """Whoever knows of the line in which it stands: of a unit, a fortification."""
    OWN = "own"
    """The side of the line in which it stands."""
    BY_SIDE = "by-side"
    """A mapping by side: each side knows its own part."""
    BY_UNIT = "by-unit"
    """Units, or a mapping by unit: each side knows those of its own units."""
    BY_FORT = "by-fort"
    """A mapping by fortification: each side knows those of its own."""


Knowledge = Known | Callable[[Any, Any], "Known | str"]
"""Who knows a field; or a function of the state and the line that says so, perhaps by naming a side."""
