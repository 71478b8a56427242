"""A legal setup to start from, and legal ones by chance for automatic play (PL 2.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import Any

from laager.rules.board.changes import LEADERS, MMC, is_vehicle
from laager.rules.board.places import ENTRENCHMENTS, ITEMS, PANJI, can_enter, road_between, room_of
from laager.rules.board.setup.hiding import CONCEALED, HIDDEN, NO_CONCEALMENT, NONE, in_cover, may_conceal
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.platoon_leader.buying.groups import is_new
from laager.rules.platoon_leader.buying.works import in_reserve
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.setup.forts import MARK, site_faults
from laager.rules.platoon_leader.setup.plan import Plan, Setting
from laager.rules.platoon_leader.setup.rights import barred

ROOM = 6
"""Half-squads that may stand in a Location without overstacking (A5.1)."""

Row = dict[str, Any]


def proposal(setting: Setting) -> Row:
    """Return a legal setup: groups together, behind cover where there is some, all that fits.

    Who finds no legal hex (a Reserve near the enemy, say) stays off map.
    """
    return _Proposal(setting).answer()


def suggestion(setting: Setting, rng: Random) -> Row:
    """Return a legal setup by chance: other hexes, some units left off map."""
    return _Proposal(setting, rng).answer()


class _Proposal:
    """Fills an answer group by group; with a source of chance, in a random way."""

    def __init__(self, setting: Setting, rng: Random | None = None) -> None:
        self.setting, self.cg, self.rng = setting, setting.cg, rng
        self.load: dict[str, int] = {}
        self.rows: dict[str, Row] = {}
        self.hexes = self._by_worth()
        if rng is not None:
            rng.shuffle(self.hexes)
        self.forts: list[Row] = []
        self.dug = {at: set(when) for at, when in Plan(setting, {}).dug.items()}

    def answer(self) -> Row:
        """Return the whole answer, in the order of the record."""
        found: Row = {}
        if self.setting.forts or self.setting.dummies:
            found["forts"] = self._place_forts()
        if self.setting.units:
            self._place_units()
            order = [unit.id for unit in self.setting.units]
            found["units"] = sorted(self.rows.values(), key=lambda row: order.index(row["unit"]))
        if len(self.setting.modules) > 1:
            names = [module.id for module in self.setting.modules]
            if self.rng is not None:
                self.rng.shuffle(names)
            found["modules"] = names[: charts().limit("oba-modules")]
        if self.setting.phones:
            found["lines"] = []
        return found

    def _by_worth(self) -> list[str]:
        """Return the hexes of the area: cover first, there what is worth TVP, then the front."""
        worth: dict[str, int] = {}
        for location, points in self.cg.card.tvp.items():
            name = location.split(".")[0]
            worth[name] = worth.get(name, 0) + points
        away = self._from_enemy()

        def key(name: str) -> tuple[bool, int, int]:
            return not in_cover(self.cg, name), -worth.get(name, 0), away.get(name, 0)

        return sorted(self.cg.sort(self.setting.ground.area), key=key)

    def _from_enemy(self) -> dict[str, int]:
        """Return how many steps each hex is from the nearest enemy cluster."""
        found = dict.fromkeys(self.cg.enemy_clusters(self.setting.side), 0)
        edge = list(found)
        while edge:
            steps = found[edge[0]] + 1
            reached = {near for name in edge for near in self.cg.map.neighbours(name)} - set(found)
            found.update(dict.fromkeys(reached, steps))
            edge = list(reached)
        return found

    # Units --------------------------------------------------------------------------------------

    def _place_units(self) -> None:
        units = self.setting.units
        for unit in (*filter(is_vehicle, units), *(u for u in units if u.kind in MMC)):
            if self.rng is None or self.rng.random() < 0.9:
                self._put(unit, self._free_hex(unit))
        for unit in units:
            if unit.id not in self.rows and not is_vehicle(unit) and unit.kind not in MMC | ITEMS:
                self._put_smc(unit)
        for unit in units:
            if unit.kind in ITEMS and not unit.with_unit:
                self._give(unit)

    def _free_hex(self, unit: Unit) -> str:
        """Return the first hex with room in which a unit may set up; "" if there is none."""
        size = ROOM if is_vehicle(unit) else self.cg.nation_of(unit).hs_equivalents(unit.type)
        crowded = ""
        for name in self.hexes:
            if not self._legal(unit, name):
                continue
            if self.load.get(name, 0) + size <= ROOM:
                self.load[name] = self.load.get(name, 0) + size
                return name
            crowded = crowded or name
        return crowded

    def _legal(self, unit: Unit, name: str) -> bool:
        free = barred(self.cg, self.setting.ground, unit, name, self.dug) is None
        return free and can_enter(self.cg, unit, name)

    def _put(self, unit: Unit, at: str, holder: str = "") -> None:
        if at:
            hide = NONE if holder else self._hide(unit, at)
            self.rows[unit.id] = {"unit": unit.id, "at": at, "hide": hide, "with": holder}

    def _hide(self, unit: Unit, at: str) -> str:
        """Return the best way to hide that costs nothing."""
        if in_reserve(self.cg, unit):
            return NONE
        ways = [CONCEALED] if may_conceal(self.cg, unit, at) else []
        if self.cg.initial and not unit.has(*NO_CONCEALMENT) and self._mans_new_gun(unit):
            ways = [HIDDEN, *ways]
        if self.rng is not None:
            return self.rng.choice([*ways, NONE])
        return ways[0] if ways else NONE

    def _mans_new_gun(self, unit: Unit) -> bool:
        guns = [u for u in self.setting.units if u.kind == "gun" and u.with_unit == unit.id]
        return bool(guns) and not any(gun.has(Mark.WAS_REVEALED) for gun in guns)

    def _put_smc(self, unit: Unit) -> None:
        """Put an SMC with his own group; if that isn't there and he is free of it, anywhere."""
        if unit.kind == "armor-leader":
            for carrier in self._own(unit, "afv", "vehicle"):
                self._put(unit, self.rows[carrier.id]["at"], carrier.id)
                return
            return
        mates = list(self._own(unit, *MMC, "afv"))
        led = {row["at"] for name, row in self.rows.items() if self._is_leader(name)}
        mates.sort(key=lambda mate: self.rows[mate.id]["at"] in led)
        for mate in mates:
            if self._legal(unit, self.rows[mate.id]["at"]):
                self._put(unit, self.rows[mate.id]["at"])
                return
        if not is_new(self.cg, unit):
            self._put(unit, self._free_hex(unit))

    def _is_leader(self, name: str) -> bool:
        return self.cg.state.units[name].kind in LEADERS

    def _own(self, unit: Unit, *kinds: str) -> Iterator[Unit]:
        """Return the units of the same group that set up."""
        for mate in self.setting.units:
            if mate.id in self.rows and mate.kind in kinds and mate.group == unit.group:
                yield mate

    def _give(self, item: Unit) -> None:
        """Give an SW or Gun to an MMC that has none yet: of its group while it is bound to that."""
        laden = {row["with"] for row in self.rows.values()}
        laden |= {unit.with_unit for unit in self.setting.units}
        able = list(self._own(item, *MMC))
        if not able and not is_new(self.cg, item):
            able = [u for u in self.setting.units if u.id in self.rows and u.kind in MMC]
        able.sort(key=lambda mate: mate.id in laden)
        if able:
            row = {"unit": item.id, "at": "", "hide": NONE, "with": able[0].id}
            self.rows[item.id] = row

    # Fortifications -----------------------------------------------------------------------------

    def _place_forts(self) -> list[Row]:
        for fort in self.setting.forts:
            if fort.kind == MARK:
                continue
            row = self._fort_row(fort)
            if row is not None and (self.rng is None or self.rng.random() < 0.8):
                self.forts.append(row)
                if fort.kind in ENTRENCHMENTS:
                    room = room_of(fort.kind, row["at"])
                    self.dug.setdefault(room, set()).add(fort.firefight)
        return self.forts

    def _fort_row(self, fort: Fort) -> Row | None:
        """Return a row that places a fortification; None if it may stand nowhere."""
        taken = {row["at"] for row in self.forts}
        for name in self.facing:
            if name in taken:
                continue
            for beyond in self._hexsides(fort, name):
                row = _row(fort.id, name, beyond)
                plan = Plan(self.setting, {"forts": [*self.forts, row]})
                if not list(site_faults(plan, plan.sites[-1])):
                    return row
        return None

    @cached_property
    def facing(self) -> list[str]:
        """The hexes of the area, those nearest the enemy's clusters first; by chance if random."""
        if self.rng is not None:
            return self.hexes
        enemy = self.cg.enemy_clusters(self.setting.side)
        left, found, away = self.setting.ground.area, list[str](), 0
        while left and enemy:
            away += 1
            near = self.cg.map.within(enemy, away) & left
            found += self.cg.sort(near)
            left -= near
        return found or self.cg.sort(left)

    def _hexsides(self, fort: Fort, name: str) -> Sequence[str]:
        around = self.cg.map.neighbours(name)
        if fort.kind == PANJI:
            return [", ".join(around[: fort.factors])]
        if fort.kind == "roadblock":
            return [near for near in around if road_between(self.cg, name, near)]
        return [""]


def _row(fort: str, at: str, hexside: str = "") -> Row:
    return {"fort": fort, "at": at, "hexside": hexside, "count": 1, "show": False, "cloaking": False, "dc": ""}
