"""Who goes where: what each side fights for, by what it knows, and with which units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil
from typing import Any

from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import LEADERS
from laager.rules.board.places import hex_of
from laager.simulation.battles.field import FoughtField, Luck, UnitFate, mmc_kinds, straight_way
from laager.simulation.forces import Figures

MOST_ASSIGNED = 3
"""MMC in a stack's worth of squads, which one side sends against one Location."""

MOST_STACKS = 2
"""Most stacks that find room around one Location."""

FARTHER = 3
"""Hexes that a Location of nobody counts as farther away than one of the enemy."""

TAKEN, HELD, MELEE = "taken", "held", "melee"


@dataclass
class Contest:
    """A fight for one hex: who goes for it, who is in the way, and how it ended."""

    side: str
    hex: str
    attackers: list[UnitFate]
    defenders: list[UnitFate] = field(default_factory=list)
    supporters: list[UnitFate] = field(default_factory=list)
    result: str = HELD

    @property
    def everybody(self) -> list[UnitFate]:
        """All units of both sides that take part."""
        return [*self.attackers, *self.supporters, *self.defenders]


class TargetChoice(FoughtField):
    """A battle fought in waves: in each, both sides choose what they go for."""

    def __init__(self, cg: Any, figures: Figures, luck: Luck) -> None:
        super().__init__(cg, figures, luck)
        self.contests: list[Contest] = []
        self.waves = max(1, round(max(map(self.fights_each, SIDES))))
        self.advanced: list[UnitFate] = []
        self.holding: set[str] = set()
        """Units that stay in a Location that they have won; whoever came with them goes on."""

    def fights_each(self, side: str) -> float:
        """Return how many Locations, one after the other, a platoon of a side can fight for in the whole battle."""
        return self.figures["ground.per-turn"] * self.turns * self.efforts[side]

    def _platoons(self, side: str) -> float:
        """Return how many platoons a side has on the map, weakened ones too."""
        return len([fate for fate in self.fighters(side) if fate.unit.kind in mmc_kinds()]) / MOST_ASSIGNED

    def weight(self, fates: Iterable[UnitFate]) -> float:
        """Return what units are worth together."""
        return sum(self.worth(fate) for fate in fates)

    def choose_targets(self, side: str) -> Iterable[Contest]:
        """Yield what a side goes for, by what it knows: what the campaign counts, what is near, what is weakly held.

        A Location that is known to be held gets as many stacks as it needs, if there are as many.
        """
        figures, effort = self.figures, self.efforts[side]
        free = {f.unit.id: f for f in self.fighters(side) if f.in_good_order and not self.is_tied(f)}
        free = {name: f for name, f in free.items() if name not in self.holding}
        squads = {name: f for name, f in free.items() if f.unit.kind in mmc_kinds()}
        leaders = [f for f in free.values() if f.unit.kind in LEADERS]
        if not squads:
            return
        reach = ceil(figures["reach.turns"] * self.turns * effort / self.waves) + 1
        fought = sum(contest.side == side for contest in self.contests)
        budget = round(self.fights_each(side) * self._platoons(side)) - fought
        goals = self.goals(side)
        stack = self.weight(squads.values()) / len(squads) * MOST_ASSIGNED
        near = self.map.hexes_within([f.hex for f in squads.values()], reach)
        stands = {f.hex for f in squads.values()}
        known = self.known_enemies(side)
        resistance = {name: self.resistance(name, known) for name in goals if name in near}
        order = {
            name: min(self.distance(name, stand) for stand in stands)
            + goals[name]
            + figures["target.resistance"] * there / stack
            - self._pull(side, name)
            for name, there in resistance.items()
        }
        for name in sorted(order, key=lambda name: (order[name], self.luck("target", side, name))):
            if budget <= 0 or not squads:
                break
            able = [f for f in squads.values() if self.distance(name, f.hex) <= reach and self.may_stand(f, name)]
            able.sort(key=lambda f: (self.distance(name, f.hex), self.luck("goes", f.unit.id)))
            wanted = figures["target.superiority"] * resistance[name] / stack
            sent = able[: MOST_ASSIGNED * max(1, min(MOST_STACKS, round(wanted)))]
            if sent:
                budget -= 1
                squads = {key: f for key, f in squads.items() if f not in sent}
                with_them = [f for f in leaders if f.hex in {g.hex for g in sent}]
                leaders = [f for f in leaders if f not in with_them]
                yield Contest(side, name, [*sent, *with_them])
        if effort > figures["effort.defend"] and goals:
            self._advance(side, [*squads.values(), *leaders], list(goals), reach)

    def _pull(self, side: str, name: str) -> float:
        """Return how many hexes nearer a hex is to a side for what the campaign counts it."""
        return self.figures["target.prize"] * self.prizes[side].get(name, 0.0)

    def known_enemies(self, side: str) -> list[UnitFate]:
        """Return the enemies that can fight and that a side knows."""
        return [fate for fate in self.fighters(other_side(side)) if fate.engaged or fate.unit.known]

    def resistance(self, name: str, known: Iterable[UnitFate]) -> float:
        """Return what of the known enemies stands against a side in a hex and near it, cover counted."""
        near = self.near(known, [name], int(self.figures["reach.contact"]))
        inside = [fate for fate in near if fate.hex == name]
        nearby = [fate for fate in near if fate.hex != name]
        weight = self.weight(inside) + self.figures["ground.nearby"] * self.weight(nearby)
        return weight * self.ground_cover(name)

    def goals(self, side: str) -> dict[str, int]:
        """Return the hexes that a side can win, in the map's order; those of nobody count as farther away."""
        goals: dict[str, int] = {}
        won = {fate.hex for fate in self.of(side) if fate.unit.id in self.holding and fate.on_map}
        for at in self.cg.sort(self.strategic):
            holder = self.holder_of(at)
            if holder != side and hex_of(at) not in won:
                goals[hex_of(at)] = min(goals.get(hex_of(at), FARTHER), 0 if holder else FARTHER)
        return goals

    def _advance(self, side: str, fates: Iterable[UnitFate], goals: list[str], reach: int) -> None:
        """Units that reach no goal yet go towards the one that is nearest for what it counts."""
        seen = self.seen_hexes(side)
        for fate in fates:
            if self.luck("advances", fate.unit.id) >= self.figures["reach.advance"]:
                continue
            goal = min(goals, key=lambda name: (self.distance(name, fate.hex) - self._pull(side, name), name))
            way = straight_way(self.map, self.hex_names, fate.hex, goal)[:reach]
            stand = next((n for n in reversed(way) if n not in seen and self.may_stand(fate, n)), "")
            if stand:
                self.move(fate, stand)
                self.advanced.append(fate)
