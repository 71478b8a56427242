"""The setup that is proposed in Platoon Leader: groups together, behind cover where there is some (PL 2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from laager.rules.board.changes import MMC, is_vehicle
from laager.rules.board.places import ITEMS, can_enter
from laager.rules.board.setup.hiding import NONE, is_in_cover
from laager.rules.board.setup.placements import Reason, SetupFortRow, SetupPlace, SetupUnitRow
from laager.rules.board.setup.proposal import SetupProposal
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.buying.groups import in_reserve, is_new
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.setup.plan import PlPlan, Setting
from laager.rules.platoon_leader.setup.rights import why_barred

UNARMED = (Mark.PRISONER, Mark.BERSERK, Mark.BROKEN)
"""Units with one of these markers are given nothing."""


class PlProposal(SetupProposal):
    """Places groups; a unit that finds no legal hex (a Reserve near the enemy, say) stays off map."""

    setting: Setting
    cg: Cg

    def __init__(
        self, setting: Setting, forts: Sequence[SetupFortRow], rng: Random | None = None, forward: float = 0.0
    ) -> None:
        super().__init__(setting, rng, forward)
        self.dug = PlPlan(setting, {"forts": forts}).dug
        self.hexes = self._by_worth()
        if rng is not None:
            rng.shuffle(self.hexes)

    def rows(self) -> list[SetupUnitRow]:
        """Return the rows of the answer; what stays off map, or with the unit that has it, has none."""
        return [
            {
                "unit": name,
                "at": "" if placement.unit.kind in ITEMS else placement.at,
                "hide": NONE if in_reserve(self.cg, placement.unit) else placement.hide,
                "with": placement.holder,
            }
            for name, placement in self.place_all().items()
            if (placement.at and placement.unit.kind not in ITEMS)
            or (placement.holder and not placement.unit.with_unit)
        ]

    def _by_worth(self) -> list[str]:
        """Return the hexes of the area: cover first, there what is worth TVP, then the front."""
        worth, away = self.worth(), self._from_enemy()

        def key(name: str) -> tuple[bool, int, int]:
            return not is_in_cover(self.cg, name), -worth.get(name, 0), away.get(name, 0)

        return sorted(self.cg.sort(self.setting.home), key=key)

    def worth(self) -> Mapping[str, int]:
        """Return the TVP of each hex, in steps that a few hexes of distance outweigh."""
        worth: dict[str, int] = {}
        for location, points in self.cg.card.tvp.items():
            name = location.split(".")[0]
            worth[name] = worth.get(name, 0) + points
        return {name: min(2 * points, 8) for name, points in worth.items()}

    def ground(self, unit: Unit, mate: str) -> frozenset[str]:
        """Return the hexes where a unit can set up: Reserves are far from the enemy."""
        ground = self.setting.ground
        return ground.reserve if in_reserve(self.cg, unit) else ground.area

    def _from_enemy(self) -> dict[str, int]:
        """Return how many steps each hex is from the nearest enemy cluster."""
        grid = self.cg.map.grid
        steps_by_hex, steps = dict[str, int](), 0
        edge = reached = self.cg.map.mask(self.setting.enemy_ground)
        while edge:
            steps_by_hex.update(dict.fromkeys(grid.list_names(edge), steps))
            edge = grid.grow(edge) & grid.everything & ~reached
            reached, steps = reached | edge, steps + 1
        return steps_by_hex

    def rank(self, unit: Unit) -> int:
        """Return how late a unit is placed: vehicles, then MMC, then SMC."""
        return 0 if is_vehicle(unit) else 1 if unit.kind in MMC else 2

    def leaves_out(self, unit: Unit) -> bool:
        """True if a unit is left off the map, by chance."""
        return self.rng is not None and self.rank(unit) < 2 and self.rng.random() < 0.1

    def candidates(self, unit: Unit) -> Iterator[str]:
        """Yield the hexes of the area; for an SMC those of its group first, and no others while it is new."""
        if self.rank(unit) < 2:
            yield from self.posts.get(unit.id, ())
            yield from self.hexes
            return
        yield from self.with_mates(unit)
        if not is_new(self.cg, unit):
            yield from self.hexes

    def standing(self) -> Iterator[SetupPlace]:
        """Yield the units on the map, which keep their places."""
        for unit in self.cg.state.units_of(self.setting.side):
            if unit.on_map and not unit.has(*UNARMED):
                yield SetupPlace(unit, unit.at or "")

    def bound_to_group(self, unit: Unit) -> bool:
        """True if a unit has to be with its own group: while it is new, and armor leaders always."""
        return unit.kind == "armor-leader" or is_new(self.cg, unit)

    def fault(self, unit: Unit, at: str, *, towed: bool = False) -> Reason | None:
        """Return why a unit can't set up in a Location; SW and Guns go wherever their unit does."""
        if unit.kind in ITEMS or unit.kind == "armor-leader":
            return None
        if not can_enter(self.cg, unit, at):
            return f"{unit.label} cannot stand in {at}", "a Location that it can enter"
        return why_barred(self.cg, self.setting.ground, unit, at, self.dug)

    def hides_free(self, placement: SetupPlace) -> bool:
        """True if a Gun hides without bought HIP: in the Initial Firefight, if it was not seen."""
        return self.cg.initial and not placement.unit.has(Mark.WAS_REVEALED)
