"""Which patrols a good player sends: who goes, on which mission, to which hex.

It is judged by what the side knows: its own units, known enemies, and who Controls what.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from laager.campaign.temperament import Temperament
from laager.dice import Dice, distribution
from laager.hexmap import find_nearest
from laager.rules.board.changes import LEADERS
from laager.rules.board.places import hex_of
from laager.rules.board.setup.hiding import is_in_cover
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols import rules

DETECTION = "patrol-detection"
USUAL_RANK = "sergeant"
"""The rank that is proposed for a leader; his counter says which he has (PL 2.72)."""

CLOSE = 3
"""Hexes from which an Ambush can fire at those who leave the enemy's ground."""


@dataclass(frozen=True)
class _Patrol:
    """A patrol that could go, how good that is, and how likely it is that it carries its mission out."""

    row: Mapping[str, Any]
    worth: float
    chance: float


def judge_patrols(cg: Cg, side: str, temper: Temperament) -> list[dict[str, Any]]:
    """Return the patrols that somebody of a temperament sends, of those that the side has bought.

    A Patrol that isn't sent is lost, but so are a squad and its leader if it is found.
    """
    chooser = _PatrolChooser(cg, side)
    rows: list[dict[str, Any]] = []
    for _ in range(cg.state.side(side).patrols):
        free = [patrol for patrol in chooser.candidates(rows) if patrol.chance >= temper["patrol.chance"]]
        if not free:
            break
        rows.append(dict(max(free, key=lambda patrol: patrol.worth * patrol.chance).row))
    return rows


@dataclass(frozen=True)
class _PatrolChooser:
    """What the patrols of a side are chosen from."""

    cg: Cg
    side: str

    @cached_property
    def type(self) -> str:
        """An attacker wants to know what stands where he goes; a defender waits on the attacker's way."""
        return rules.RECON if self.cg.state.side(self.side).attack else rules.AMBUSH

    @cached_property
    def fit(self) -> Sequence[Unit]:
        return [unit for unit in rules.fit(self.cg, self.side) if not unit.has(Mark.WOUNDED)]

    @cached_property
    def known_enemies(self) -> frozenset[str]:
        """The hexes with known enemies: to go there is to fight, and each next to the Mission Hex is a DRM."""
        units = self.cg.state.units.values()
        return frozenset(unit.hex for unit in units if unit.side != self.side and unit.known and unit.hex)

    @cached_property
    def unheld_tvp(self) -> Mapping[str, int]:
        """What the side doesn't Control that is worth TVP, by hex."""
        control, worth = self.cg.state.ground.control, dict[str, int]()
        for at, tvp in self.cg.card.tvp.items():
            if control.get(at) != self.side:
                worth[hex_of(at)] = worth.get(hex_of(at), 0) + tvp
        return worth

    @cached_property
    def enemy_ground(self) -> frozenset[str]:
        """Where the enemy comes from: what he Controls, and where he is seen."""
        control = self.cg.state.ground.control
        held = {hex_of(at) for at, side in control.items() if side != self.side}
        return frozenset(held) | self.known_enemies

    def candidates(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[_Patrol]:
        """Yield the patrols that could go besides others: for each leader, to each hex that is worth it."""
        gone = {name for row in rows for name in (*row["units"], row["leader"])}
        taken = {row["hex"] for row in rows}
        for leader in self.fit:
            if leader.kind not in LEADERS or leader.id in gone:
                continue
            squad = self._squad(leader, gone)
            if squad is not None:
                for name in self._hexes(leader, taken):
                    yield self._patrol(squad, leader, name)

    def _squad(self, leader: Unit, gone: Iterable[str]) -> Unit | None:
        """Return who goes with a leader: one squad, as more is a DRM and less hardly fights; a Stealthy or Elite one.

        Crews stay with their Guns.
        """
        apart = self.cg.charts.limit("patrol-gathering")
        home = rules.home(self.cg, leader)
        squads = [
            unit
            for unit in self.fit
            if unit.kind == "squad" and unit.id not in gone and unit.hex in home
            if self.cg.map.distance(unit.hex or "", leader.hex or "") <= apart
        ]
        return min(squads, key=lambda unit: (self._drm(unit), unit.id), default=None)

    def _drm(self, squad: Unit) -> int:
        table = self.cg.table(DETECTION)
        return sum(table.modifier(quality).value for quality in rules.qualities(self.cg, [squad]))

    def _hexes(self, leader: Unit, taken: Iterable[str]) -> list[str]:
        """Return the Mission Hexes that are worth it: outside the own ground, and without a known enemy."""
        ours = rules.home(self.cg, leader) | self.known_enemies | set(taken)
        names = self.cg.sort(rules.mission_hexes(self.cg, leader) - ours)
        return [name for name in names if self.type == rules.RECON or is_in_cover(self.cg, name)]

    def _patrol(self, squad: Unit, leader: Unit, name: str) -> _Patrol:
        going = rules.Patrol(self.side, 1, self.type, name, leader.id, USUAL_RANK, (squad.id, leader.id))
        modifiers = rules.patrol_modifiers(self.cg, going, [squad, leader], DETECTION)
        row = {
            "type": self.type,
            "units": [squad.id],
            "leader": leader.id,
            "rank": USUAL_RANK,
            "hero": "none",
            "sw": [],
            "hex": name,
            "accessible": True,
        }
        return _Patrol(row, self._worth(name), self._chance(sum(modifier.value for modifier in modifiers)))

    def _worth(self, name: str) -> float:
        """Return what a mission to a hex is worth: what a Recon can Search there, or how near an Ambush lies."""
        if self.type == rules.RECON:
            return 1.0 + sum(self.unheld_tvp.get(near, 0) for near in (name, *self.cg.map.neighbours(name)))
        away = find_nearest(self.cg.map, name, self.enemy_ground).distance
        return 1.0 if away is None or away > CLOSE else 2.0

    def _chance(self, drm: int) -> float:
        """Return the chance that a patrol isn't found."""
        table, odds = self.cg.table(DETECTION), distribution(Dice.DR, drm)
        good = sum(ways for final, ways in odds.weights.items() if table.result(final) == "mission")
        return float(good / sum(odds.weights.values()))
