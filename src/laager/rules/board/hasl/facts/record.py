"""What stands on the roster and the purchase record: points, groups, levels, areas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.campaign import Fact
from laager.rules.board.hasl.state import HaslState
from laager.rules.board.hasl.units import Area, Group
from laager.rules.board.state import evolve


class CppChanged(Fact):
    """A side gained or spent CPP."""

    side: str
    by: int

    def apply(self, state: HaslState) -> HaslState:
        """Add to its balance, and to what the roster says of the date: spent, or there to spend."""
        left = state.side(self.side).cpp + self.by
        state = state.with_side(self.side, cpp=left)
        line = state.scenario
        spent = line.spent.get(self.side, 0) - min(self.by, 0)
        return state.with_scenario(
            start={**line.start, self.side: left + spent},
            spent={**line.spent, self.side: spent},
            left={**line.left, self.side: left},
        )

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} CPP {self.by:+d}"


class FppChanged(Fact):
    """A side gained, spent or forfeited FPP."""

    side: str
    by: int
    forfeit: bool = False

    def apply(self, state: HaslState) -> HaslState:
        """Add to its balance; what is spent stands on the roster."""
        state = state.with_side(self.side, fpp=state.side(self.side).fpp + self.by)
        if self.by >= 0 or self.forfeit:
            return state
        spent = state.scenario.fpp.get(self.side, 0) - self.by
        return state.with_scenario(fpp={**state.scenario.fpp, self.side: spent})

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} FPP {self.by:+d}"


class GroupJoined(Fact):
    """A reinforcement group was bought, or given by the OB."""

    group: Group

    def apply(self, state: HaslState) -> HaslState:
        """Write it on the Purchase Record; what is given does not count as bought."""
        group = self.group
        state = evolve(state, groups={**state.groups, (group.side, group.id): group})
        if group.given:
            return state
        own = state.side(group.side)
        return state.with_side(
            group.side,
            bought={**own.bought, group.rg: own.bought.get(group.rg, 0) + 1},
            bought_now={**own.bought_now, group.rg: own.bought_now.get(group.rg, 0) + 1},
        )

    def tell(self) -> str:
        """Say it in a line."""
        how = "given" if self.group.given else f"{self.group.cost} CPP"
        return f"{self.group.side} gets {self.group.id} ({how})"


class GroupChanged(Fact):
    """Something on a group's line was settled or changed."""

    side: str
    group: str
    changes: dict[str, Any]

    def apply(self, state: HaslState) -> HaslState:
        """Write it on the line."""
        held = state.groups.get((self.side, self.group))
        if held is None:
            return state
        changed = Group.model_validate({**held.model_dump(), **self.changes})
        return evolve(state, groups={**state.groups, (self.side, self.group): changed})

    def tell(self) -> str:
        """Say it in a line."""
        changes = (_change(name, value) for name, value in self.changes.items())
        return f"{self.side} {self.group}: {'; '.join(changes)}"


WORDS: Mapping[str, str] = {
    "sw": "SW",
    "named": "leaders of the OB",
    "equipment": "directed by",
    "black": "black chits",
    "red": "red chits",
    "holder": "possessed by",
    "security": "Security Area",
    "pre_registered": "Pre-Registered hex",
}
"""What is said for fields whose names do not read well."""

SWITCHES: Mapping[str, tuple[str, str]] = {
    "in_play": ("not in play", "in play"),
    "used": ("no FFE:1 placed", "an FFE:1 placed"),
    "placed": ("not placed", "placed"),
    "given": ("bought", "given"),
}
"""What is said for fields that are off or on."""


def _change(name: str, value: Any) -> str:
    if name in SWITCHES:
        return SWITCHES[name][bool(value)]
    if name == "lost":
        return f"lost, {value}" if value else "not lost"
    word = WORDS.get(name, name)
    if value is None or value in ("", [], (), {}):
        return f"{word} nobody" if name in ("holder", "equipment") else f"no {word}"
    return f"{word} {_told(value)}"


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{count} x {type_}" for type_, count in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


class ExhaustionSet(Fact):
    """A side's Campaign Exhaustion DRM for the date."""

    side: str
    drm: int

    def apply(self, state: HaslState) -> HaslState:
        """Note it."""
        return state.with_side(self.side, exhaustion=self.drm)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} Campaign Exhaustion DRM {self.drm:+d}"


class AmmunitionChanged(Fact):
    """A side's Ammunition Shortage level rose or fell."""

    side: str
    by: int

    def apply(self, state: HaslState) -> HaslState:
        """Add to it."""
        return state.with_side(self.side, ammunition=state.side(self.side).ammunition + self.by)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} Ammunition Shortage level {self.by:+d}"


class AreasDetermined(Fact):
    """The Setup Areas of both sides, and who Controls which Block."""

    areas: tuple[Area, ...]
    block_control: dict[str, str] = {}

    def apply(self, state: HaslState) -> HaslState:
        """Set them."""
        return evolve(state, areas=self.areas, block_control=dict(self.block_control))

    def tell(self) -> str:
        """Say it in a line."""
        sides = dict.fromkeys(area.side for area in self.areas)
        told = (f"{side}: {', '.join(area.name for area in self.areas if area.side == side)}" for side in sides)
        return "Setup Areas: " + ("; ".join(told) or "none")


class SnipersPlaced(Fact):
    """A side's Sniper counters on the map. Public."""

    side: str
    hexes: tuple[str, ...]

    def apply(self, state: HaslState) -> HaslState:
        """Note them."""
        return state.with_side(self.side, snipers=self.hexes)

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.side} Snipers in {', '.join(self.hexes)}"


class UnitRetained(Fact):
    """A unit is Retained in a Setup Area, or off the map by an Entry Area (its arrow hex).

    `was_in_play` is whether it has left the map to get there: it has taken part in a scenario.
    `ended` is where a Gun stood that is bound to that place wherever it is Retained.
    """

    unit: str
    area: str
    was_in_play: bool = False
    ended: str = ""

    def apply(self, state: HaslState) -> HaslState:
        """Note it on the unit."""
        state = state.with_arrival(self.unit) if self.was_in_play else state
        return state.with_unit(self.unit, lambda unit: unit.but(area=self.area, stood=self.ended or unit.stood))

    def tell(self) -> str:
        """Say it in a line."""
        return f"{self.unit} Retained in {self.area or 'no area'}"
