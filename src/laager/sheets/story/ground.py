"""The ground of a battle: what changed hands, and the map before and after it, as a viewer saw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laager.campaign import find_ruleset
from laager.campaign.engine import Campaign
from laager.campaign.views import View, state_at
from laager.hexmap import HexMap, sort_key
from laager.hexmap.draw import Layers
from laager.sheets.story.battles import Battle

MOST_LISTED = 12
"""Most Locations that a table of the ground lists; of the rest it gives the number."""


@dataclass(frozen=True)
class Won:
    """What a side won and lost in a battle: Strategic Locations (in order), and Blocks where the map has them."""

    side: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    blocks_gained: tuple[str, ...] = ()
    blocks_lost: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """True if anything changed hands."""
        return bool(self.gained or self.lost or self.blocks_gained or self.blocks_lost)


def ground_won(campaign: Campaign, seen: View, battle: Battle, sides: Sequence[str]) -> tuple[Won, ...]:
    """Return what each side won and lost between the beginning of play and the end of the aftermath."""
    before, after = (state_at(campaign, seen.viewer, at) for at in (battle.before, battle.last))
    return tuple(change_of_hands(side, before, after) for side in sides)


def change_of_hands(side: str, before: Any, after: Any) -> Won:
    """Return what a side won and lost between two states."""
    gained, lost = (sorted(there, key=sort_key) for there in _change(side, before.ground.control, after.ground.control))
    blocks = (getattr(state, "block_control", {}) for state in (before, after))
    more, fewer = map(sorted, _change(side, *blocks))
    # At the first battle nobody has determined yet who holds which Block.
    if not getattr(before, "block_control", {}):
        more, fewer = [], []
    return Won(side, tuple(gained), tuple(lost), tuple(more), tuple(fewer))


def _change(side: str, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[set[str], set[str]]:
    """Return what a side has that it did not have, and had that it has no more."""
    had, has = ({place for place, whose in held.items() if whose == side} for held in (before, after))
    return has - had, had - has


def scene(campaign: Campaign, seen: View, at: int, title: str = "") -> tuple[HexMap, Layers]:
    """Return the map, and what a viewer saw on it after an entry. Raises RefusedError without a map."""
    rules = find_ruleset(campaign.opening["ruleset"])
    map_, layers = rules.drawing(campaign.context, state_at(campaign, seen.viewer, at))
    # Drawn later, perhaps in another process: what can be read once only is read now.
    return map_, replace(
        layers,
        subtitle=title or layers.subtitle,
        units=tuple(layers.units),
        strategic=tuple(layers.strategic),
        highlight=tuple(layers.highlight),
        entry_areas=tuple(layers.entry_areas),
    )


def only_control(layers: Layers) -> Layers:
    """Return what is drawn with Control and the front alone, for a film of the campaign."""
    return replace(layers, units=(), strategic=(), tvp={}, highlight=(), entry={}, entry_areas=())
