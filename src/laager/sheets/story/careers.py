"""Careers: the units and leaders that stood on the map at the end of every battle, as far as a viewer knew them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.views import View, state_at
from laager.sheets.story.battles import Battle

VETERANS = ("leader", "commissar", "armor-leader", "hero", "squad", "half-squad", "crew", "afv", "vehicle", "gun")
"""The kinds of units that have a career, in the order in which they are listed."""


@dataclass(frozen=True)
class Career:
    """A unit that was in every battle: the types that it had one after the other, and the unit as it is now."""

    ranks: tuple[str, ...]
    unit: Any


def careers(campaign: Campaign, seen: View, known: Sequence[Battle], side: str) -> tuple[Career, ...]:
    """Return the units of a side that the viewer saw on the map in every battle, leaders first; none of one battle.

    A unit counts for a battle if it stood there when play ended: before that battle's losses are taken off.
    """
    if len(known) < 2:
        return ()
    moments = [state_at(campaign, seen.viewer, battle.before).units for battle in known]
    now = seen.state.units
    numbers = [
        number
        for number, unit in moments[0].items()
        if unit.side == side
        and unit.kind in VETERANS
        and number in now
        and all(number in units and units[number].at for units in moments)
    ]
    numbers.sort(key=lambda number: VETERANS.index(moments[0][number].kind))
    return tuple(
        Career(_without_repeats([*(units[number].type for units in moments), now[number].type]), now[number])
        for number in numbers
    )


def _without_repeats(types: Sequence[str]) -> tuple[str, ...]:
    return tuple(type_ for type_, _ in groupby(types))
