"""What other packages bring along: entry points by their group."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points


def find_plugins(group: str) -> Mapping[str, EntryPoint]:
    """Return what is installed under an entry-point group, by name."""
    return _plugins_on(tuple(sys.path), group)


@cache
def _plugins_on(_path: tuple[str, ...], group: str) -> Mapping[str, EntryPoint]:
    # Reading what is installed takes some milliseconds, and pages ask several times.
    return {point.name: point for point in entry_points(group=group)}
