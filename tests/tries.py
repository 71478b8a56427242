"""How often a property is tried: a third of the examples in `make test`, all of them in `make soak`."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

PART, ALL = "part", "all"
"""The profiles of `make test` and of `make soak`."""

# A busy machine draws slowly; that is no fault of what is tested.
settings.register_profile(PART, deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(ALL, settings.get_profile(PART), max_examples=100)


def tries(count: int, **more: Any) -> settings:
    """Return the settings of a property: it is tried on so many examples, on a third of them in `make test`."""
    if settings.get_current_profile_name() == ALL:
        return settings(max_examples=count, **more)
    return settings(max_examples=min(count, max(count // 3, 10)), **more)
