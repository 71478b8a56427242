"""Option B of PL 2.5: units in a friendly MLR set up again, each in the MLR that it was in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from laager.base import Problem
from laager.base.counting import count_of
from laager.campaign import Fact, Field, Placing, Procedure, Rows, SecretQuestion, Several, Text, YesNo, ask, implements
from laager.rules.board.changes import INFANTRY, MMC, change_marks, is_vehicle, place_unit
from laager.rules.board.facts import UnitAttached
from laager.rules.board.places import hex_of, is_accessible
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.judgement import judge_new_setup
from laager.rules.platoon_leader.redeployment.situations import enemy_seen_at, front_of, is_guarded, location_problems
from laager.rules.platoon_leader.reorganization.consequences import fixed_in_place
from laager.rules.platoon_leader.setup.rights import fixes_gun

Row = Mapping[str, Any]

ITEMS = frozenset({"sw", "gun"})


def set_up_again(cg: Cg, side: str) -> Procedure[None]:
    """Ask where the units stand now, and put them there."""
    again = SetUpAgain(cg, side)
    if not again.units:
        return
    rows = yield from ask(again.question())
    for row in rows:
        yield from yield_facts(again.place_row(row))
    yield from yield_facts(again.followers())


class SetUpAgain:
    """The units that a side can set up again, and what it can do with them."""

    def __init__(self, cg: Cg, side: str) -> None:
        self.cg = cg
        self.side = side
        self.front = front_of(cg)
        units = [unit for unit in cg.state.units_of(side) if self._may(unit)]
        self.units = {unit.id: unit for unit in units}
        self._free_by_mlr: dict[str, list[str]] = {}

    def under(self, cg: Cg) -> SetUpAgain:
        """Return the same in a campaign as it stands, which may be this one."""
        return self if cg is self.cg else SetUpAgain(cg, self.side)

    @implements("PL 2.5 Option B", "PL CG3")
    def _may(self, unit: Unit) -> bool:
        """True if a unit can set up again: not if it is fixed or immobile, nor outside the MLR."""
        if fixed_in_place(unit) or is_guarded(unit):
            return False
        if unit.place is Place.POOL:
            return True
        standing = unit.on_map and not unit.has(Mark.WRECK)
        return standing and unit.hex in self.front.friendly_mlr[self.side]

    def letter(self, unit: Unit) -> str:
        """Return the MLR that a unit belongs to."""
        if unit.place is Place.POOL:
            return unit.mlr
        return self.front.mlr_of(self.side, unit.hex or "") or ""

    @cached_property
    def areas(self) -> Mapping[str, list[str]]:
        """The hexes of each MLR in which units can set up, by its letter, in the stated order."""
        friendly = self.front.friendly_mlr[self.side]
        return {
            mlr.letter: [name for name in self.cg.sort(mlr.hexes & friendly) if is_accessible(self.cg, name)]
            for mlr in self.front.mlrs[self.side]
        }

    def follows(self, unit: Unit) -> bool:
        """True if a unit goes with another one unless it is placed itself."""
        return unit.with_unit in self.units

    def must(self) -> list[Unit]:
        """Return the units that have to be placed: those that were taken off the map."""
        pooled = [unit for unit in self.units.values() if unit.place is Place.POOL]
        return [unit for unit in pooled if not self.follows(unit)]

    # The question -------------------------------------------------------------------------------

    def question(self) -> SecretQuestion:
        """Ask where units set up; a unit on the map that is not named stays there."""
        listed = self.units.values()
        labels = {u.id: f"{u.label}, MLR {self.letter(u)}" for u in listed}
        fields = [Field("units", Several.of_labels(labels, least=1), "Units"), Field("at", Text(20), "Location")]
        if any(unit.kind == "gun" for unit in self.units.values()):
            fields.append(Field("emplaced", YesNo(), "Guns are emplaced", True))
        return SecretQuestion(
            key="set-up-in-mlr",
            side=self.side,
            text="Set up your units again, each in the MLR that it is in. "
            + "; ".join(f"MLR {letter}: {count_of(len(area), 'hex', 'hexes')}" for letter, area in self.areas.items()),
            form=Rows.of(*fields),
            rule="PL 2.5 Option B",
            default=self.cg.later(lambda cg: self.under(cg).default()),
            judge=lambda _: judge_new_setup(self),
            help="SW and Guns go with the unit that possesses them; named with others in a row they are "
            "possessed by the first of those. Guns in pillboxes and fortified buildings and "
            "immobile vehicles stay. A 5/8-inch counter can leave a Trench (CG11).",
            check=self.problems,
            suggest=self.suggest,
            placing=Placing(lambda: {"at": {name for area in self.areas.values() for name in area}}),
        )

    def default(self) -> list[dict[str, Any]]:
        """Return a setup spread over the Controlled hexes of each MLR."""
        return self._spread(None)

    def suggest(self, rng: Random) -> list[dict[str, Any]]:
        """Return a setup spread by chance."""
        return self._spread(rng)

    def _spread(self, rng: Random | None) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        counts: dict[str, int] = {}
        last: dict[str, dict[str, Any]] = {}
        ranked = sorted(self.must(), key=lambda unit: not (unit.kind in MMC or is_vehicle(unit)))
        for unit in ranked:
            letter = self.letter(unit)
            leads = unit.kind in MMC or is_vehicle(unit)
            if leads or letter not in last:
                row = self.row([unit.id], self._place(letter, counts, rng))
                rows.append(row)
                if leads and not is_vehicle(unit):
                    last.setdefault(letter, row)
            else:
                last[letter]["units"].append(unit.id)
        return rows

    def _place(self, letter: str, counts: dict[str, int], rng: Random | None) -> str:
        free = self._free(letter)
        number = counts.get(letter, 0)
        counts[letter] = number + 1
        return free[number % len(free)] if rng is None else rng.choice(free)

    def _free(self, letter: str) -> list[str]:
        """Return the hexes of an MLR for troops: Controlled ones, without enemies in sight; found once."""
        if letter not in self._free_by_mlr:
            area = self.areas[letter]
            held = [name for name in area if name in self.front.controlled[self.side]] or area
            free = [name for name in held if not enemy_seen_at(self.cg, self.side, name)]
            self._free_by_mlr[letter] = free or held
        return self._free_by_mlr[letter]

    def row(self, units: list[str], at: str) -> dict[str, Any]:
        """Return a row that puts units in a Location."""
        row: dict[str, Any] = {"units": units, "at": at}
        guns = any(unit.kind == "gun" for unit in self.units.values())
        return row | ({"emplaced": True} if guns else {})

    def problems(self, rows: Sequence[Row]) -> list[Problem]:
        """Return what is against a setup."""
        problems = [problem.inside(f"[{i + 1}]") for i, row in enumerate(rows) for problem in self.row_problems(row)]
        names = [name for row in rows for name in row["units"]]
        for name in sorted({name for name in names if names.count(name) > 1}):
            label = self.units[name].label
            problems.append(Problem(f"{label} is placed twice", "place it once"))
        for unit in self.must():
            if unit.id not in names:
                problems.append(Problem(f"{unit.label} is left out", f"place it, MLR {unit.mlr}"))
        return problems

    def row_problems(self, row: Row) -> Iterator[Problem]:
        """Yield what is against a row by itself."""
        yield from location_problems(self.cg, self.side, row["at"], "at")
        name = hex_of(row["at"])
        if name not in self.cg.map:
            return
        for unit in (self.units[unit_id] for unit_id in row["units"]):
            letter = self.letter(unit)
            if self.cg.map.main(name) not in self.areas.get(letter, ()):
                right = f"set it up in MLR {letter}, outside No Man's Land"
                yield Problem(f"{name} is not in the MLR of {unit.label}", right, "at")
        troops = [unit_id for unit_id in row["units"] if self.units[unit_id].kind in INFANTRY]
        vehicles = [unit_id for unit_id in row["units"] if is_vehicle(self.units[unit_id])]
        items = [unit_id for unit_id in row["units"] if self.units[unit_id].kind in ITEMS]
        if items and vehicles and not troops:
            yield Problem("vehicles don't possess SW and Guns", "name troops or no vehicle", "units")

    # What follows -------------------------------------------------------------------------------

    def place_row(self, row: Row) -> Iterator[Fact]:
        """The units of a row stand in its Location; items among them have a possessor there."""
        units = [self.units[name] for name in row["units"]]
        troops = [unit for unit in units if unit.kind in INFANTRY]
        taker = next((u for u in troops if u.kind in MMC), troops[0] if troops else None)
        crew = next((u for u in troops if u.kind == "crew"), taker)
        for unit in units:
            yield from self._stands(unit, row["at"])
            holder = crew if unit.kind == "gun" else taker
            holder_id = holder.id if holder is not None and unit.kind in ITEMS else ""
            if holder_id != unit.with_unit:
                yield UnitAttached(unit=unit.id, to_unit=holder_id, why="set up again", to=unit.audience)
            if unit.kind == "gun":
                wanted = row["emplaced"] and holder is not None
                put = [Mark.EMPLACED]
                yield from change_marks(unit, add=put if wanted else [], remove=[] if wanted else put)
                yield from self._fix_gun(unit, row["at"])
            yield from self._left_behind(unit, row["at"])

    @implements("PL CG3")
    def _fix_gun(self, gun: Unit, at: str) -> Iterator[Fact]:
        """A Gun that sets up in a pillbox or Fortified Building is not moved again."""
        if fixes_gun(self.cg, gun, at):
            yield from change_marks(gun, add=[Mark.FIXED], why=f"set up in {at}, it stays there")

    def _left_behind(self, unit: Unit, at: str) -> Iterator[Fact]:
        """Guns that can't be moved lose a crew that goes elsewhere."""
        for item in self.cg.state.units.values():
            if item.with_unit == unit.id and item.id not in self.units and item.at != at:
                why = f"left behind in {item.at}"
                yield UnitAttached(unit=item.id, why=why, to=item.audience)

    def followers(self) -> Iterator[Fact]:
        """A unit that goes with another one stands where that one stands."""
        for unit in self.units.values():
            leader = self.cg.state.units.get(self.cg.state.units[unit.id].with_unit)
            while leader is not None and leader.with_unit in self.cg.state.units:
                leader = self.cg.state.units[leader.with_unit]
            if leader is not None and leader.on_map and leader.at:
                now = self.cg.state.units[unit.id]
                if now.at != leader.at:
                    yield from self._stands(now, leader.at)
                    yield from self._fix_gun(self.cg.state.units[unit.id], leader.at)

    def _stands(self, unit: Unit, at: str) -> Iterator[Fact]:
        if unit.at != at or not unit.on_map:
            yield place_unit(unit, at, why="set up again in its MLR")
            add = [Mark.CONCEALED] if unit.has(Mark.HIP) else []
            yield from change_marks(unit, add=add, remove=[Mark.HIP, Mark.ENCIRCLED], why="set up again")
