"""The question to a side that redeploys: which units go together, where, by which way, who directs.

`Orders` holds the form, the default and everything that the rules have against an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Form, Option, Placing, Question, Record, Rows, Several, Text, YesNo
from laager.campaign.temperament import sensible
from laager.hexmap.coords import WAY_EXAMPLE, parse_way
from laager.rules.board.changes import INFANTRY, LEADERS, is_vehicle
from laager.rules.board.moves import baggage
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.quality import leadership
from laager.rules.platoon_leader.redeployment.destinations import Goal, PassableGround, Way, locations_of
from laager.rules.platoon_leader.redeployment.judgement import judge_orders
from laager.rules.platoon_leader.redeployment.parties import Party, StayTerms, group_units, reach, riders
from laager.rules.platoon_leader.redeployment.situations import immobile, movers

NOBODY = "none"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """A clause under which units redeploy.

    `must`: all of them have to be named; `nearest`: only to the nearest friendly cluster that can
    be reached, otherwise to any friendly Controlled Terrain.
    """

    key: str
    rule: str
    text: str
    terms: StayTerms
    must: bool = True
    nearest: bool = True
    help: str = ""


class Orders:
    """The orders that a side can give to some units under a task."""

    def __init__(self, cg: Cg, side: str, units: Sequence[Unit], task: Task) -> None:
        self.cg = cg
        self.side = side
        self.task = task
        self.units = {unit.id: unit for unit in units}
        self.ways = PassableGround(cg, side)

    def under(self, cg: Cg) -> Orders:
        """Return the same orders in a campaign as it stands, which may be this one."""
        return self if cg is self.cg else Orders(cg, self.side, list(self.units.values()), self.task)

    # What is asked ------------------------------------------------------------------------------

    def question(self) -> Question:
        """Return the question; its default sends every unit that must go to a proposed hex."""
        hidden = any(not unit.known for unit in self.units.values())
        return Question(
            key=self.task.key,
            side=self.side,
            text=self.task.text,
            form=Rows(Record(self._fields)),
            rule=self.task.rule,
            secret=hidden or self.task.terms.secret,
            default=self.cg.later(lambda cg: judge_orders(self.under(cg), sensible())),
            judge=lambda temper: judge_orders(self, temper),
            help=self.task.help,
            check=self.problems,
            suggest=self.suggest,
            placing=Placing(lambda: {"to": self.aims()}),
        )

    def aims(self) -> frozenset[str]:
        """Return the hexes to which some unit could be sent, if it gets there."""
        if not self.task.nearest:
            return frozenset(self.ways.front.controlled[self.side])
        return frozenset(
            name for unit in self.units.values() for _, hexes in self.ways.by_nearness(unit.hex or "") for name in hexes
        )

    @cached_property
    def _fields(self) -> tuple[Field, ...]:
        """The fields of a row."""
        return tuple(self._all_fields())

    def _all_fields(self) -> Iterator[Field]:
        yield Field("units", Several(_options(self.units.values()), least=1), "Units that go together")
        yield Field("to", Text(80), "Where to; nothing: no such Location can be reached", "")
        yield Field("way", Text(600), f"By which hexes, {WAY_EXAMPLE}; nothing: the shortest", "")
        if self.leaders:
            leaders = (Option(NOBODY), *_options(self.leaders))
            yield Field("leader", Choice(leaders), "Who directs", NOBODY)
        if self.task.nearest:
            label = "Every nearer cluster is out of reach; with no destination: every one is"
            yield Field("farther", YesNo(), label, False)
        yield Field("dangers", YesNo(), "The way leads into a bog or mine hex", False)
        yield from self._equipment_fields()

    def _equipment_fields(self) -> Iterator[Field]:
        several: list[tuple[str, Form, str, Any]] = []
        if self.conveyances:
            options = (Option(NOBODY), *_options(self.conveyances))
            several.append(("conveyance", Choice(options), "What carries them", NOBODY))
        if self.carried:
            several.append(("leave", Several(_options(self.carried)), "What is left behind", []))
        if self.unpossessed:
            form = Several(_options(self.unpossessed))
            several.append(("take", form, "What is possessed on arrival", []))
        if any(item.kind == "gun" for item in (*self.carried, *self.unpossessed)):
            several.append(("emplaced", YesNo(), "Guns end emplaced", True))
        if any(unit.kind == "armor-leader" for unit in self.units.values()):
            options = (Option(NOBODY), *_options(self.own_vehicles))
            several.append(("mount", Choice(options), "What the armor leader mounts", NOBODY))
        yield from (Field(*parts) for parts in several)

    @cached_property
    def leaders(self) -> tuple[Unit, ...]:
        """The leaders who could direct units: on foot, or riding on a vehicle of the task."""
        present = [unit for unit in self.units.values() if unit.kind in LEADERS]
        for unit in (*self.units.values(), *self.conveyances):
            present += [rider for rider in riders(self.cg, unit) if rider.kind in LEADERS]
        able = [leader for leader in present if not leader.has(Mark.PRISONER)]
        return tuple({leader.id: leader for leader in able}.values())

    @cached_property
    def own_vehicles(self) -> tuple[Unit, ...]:
        """The side's vehicles on the map."""
        own = self.cg.state.units_of(self.side, "afv", "vehicle")
        return tuple(unit for unit in own if unit.on_map)

    @cached_property
    def conveyances(self) -> tuple[Unit, ...]:
        """Vehicles that can carry Infantry of the task: any that can still redeploy."""
        if not any(unit.kind in INFANTRY for unit in self.units.values()):
            return ()
        return tuple(unit for unit in movers(self.cg, self.side) if is_vehicle(unit) and self._can_drive(unit))

    def _can_drive(self, unit: Unit) -> bool:
        return not immobile(unit) and not unit.has(Mark.BOGGED)

    @cached_property
    def carried(self) -> tuple[Unit, ...]:
        """SW and Guns of the task's units."""
        items = [item for unit in self.units.values() for item in baggage(self.cg, unit)]
        return tuple(item for item in items if item.kind in ("sw", "gun"))

    @cached_property
    def unpossessed(self) -> tuple[Unit, ...]:
        """SW and Guns of the side that nobody possesses."""
        items = self.cg.state.units_of(self.side, "sw", "gun")
        return tuple(item for item in items if item.on_map and not item.with_unit)

    # What is proposed ---------------------------------------------------------------------------

    def must_be_named(self) -> Iterator[Unit]:
        """Return the units that must be named; prisoners need not try."""
        for unit in self.units.values():
            if self.task.must and not unit.has(Mark.PRISONER):
                yield unit

    def default(self) -> list[dict[str, Any]]:
        """Return rows for the units that must be named."""
        return self.rows_for(self.must_be_named())

    def rows_for(self, units: Iterable[Unit]) -> list[dict[str, Any]]:
        """Return rows that bring units where they can get: each squad by itself, leaders with the first one there.

        Units that get nowhere together are proposed one by one.
        """
        rows: list[dict[str, Any]] = []
        for together in group_units(self.cg, units):
            row = self._propose(together)
            alone = not row["to"] and len(together) > 1
            rows += [self._propose([unit]) for unit in together] if alone else [row]
        return rows

    def _propose(self, units: Sequence[Unit]) -> dict[str, Any]:
        row = self.row(units)
        goal = self.goal(units, row)
        if goal is not None:
            row["to"] = goal.to
            if self.task.nearest:
                row["farther"] = goal.farther
        return row

    def goal(self, units: Sequence[Unit], row: Row) -> Goal | None:
        """Return where units of a row that start together can get at best; None if nowhere."""
        if any(unit.has(Mark.BOGGED) for unit in units):
            return None
        return self.ways.goal(units[0].hex or "", self.limit(units, row))

    def row(self, units: Sequence[Unit], to: str = "") -> dict[str, Any]:
        """Return a row for units with a destination, or without: everything else as it is unless the side chooses."""
        row = {part.name: copy(part.default) for part in self._fields if part.name != "units"}
        row |= {"units": [unit.id for unit in units], "to": to}
        if "leader" in row:
            row["leader"] = self._best_leader(units)
        return row

    def _best_leader(self, units: Sequence[Unit]) -> str:
        """Return the leader to propose: the one with the best DRM of 0 or less."""
        along = {unit.id for unit in units}
        drms = {
            leader.id: leadership(self.cg, leader)
            for leader in self.leaders
            if leader.id in along or leader.with_unit in along
        }
        useful = [name for name, drm in drms.items() if drm <= 0]
        return min(useful, key=lambda name: drms[name], default=NOBODY)

    def limit(self, units: Sequence[Unit], row: Row) -> float:
        """Return how many hexes the units of a row can redeploy at best (PL 3.211)."""
        leave = frozenset(row.get("leave", ()))
        items = [item for unit in units for item in baggage(self.cg, unit, leave)]
        with_gun = any(item.kind == "gun" for item in items)
        carrier = row.get("conveyance", NOBODY)
        if carrier != NOBODY:
            units = (*units, self.cg.state.units[carrier])
        return reach(self.cg, units, with_gun=with_gun, emplaced=row.get("emplaced", True))

    def suggest(self, rng: Random) -> list[dict[str, Any]]:
        """Return a likely legal answer: the proposal with some other hexes in reach."""
        rows = []
        willing = self.default()
        if not self.task.must:
            chosen = [unit for unit in self.units.values() if rng.random() < 0.3]
            willing = [self._propose([unit]) for unit in chosen]
        for row in willing:
            units = [self.units[name] for name in row["units"]]
            start = units[0].hex or ""
            aims = self.ways.nearest_clusters(start)
            if not self.task.nearest:
                aims = self.ways.front.controlled[self.side] - {start}
            limit = min(self.limit(units, row), 20)
            near = self.ways.reachable(start, limit, aims) if row["to"] else []
            other = near and not row.get("farther")
            if row["to"] or self.task.must:
                rows.append({**row, "to": rng.choice(near)} if other else row)
        return rows

    # What follows from an answer --------------------------------------------------------------------

    def units_of(self, row: Row) -> tuple[Unit, ...]:
        """Return all units of a row, with the vehicle that carries them."""
        units = [self.units[name] for name in row["units"]]
        carrier = row.get("conveyance", NOBODY)
        if carrier != NOBODY and carrier not in row["units"]:
            units.append(self.cg.state.units[carrier])
        return tuple(units)

    def parties(self, rows: Sequence[Row]) -> list[Party]:
        """Return the parties of an accepted answer that have somewhere to go, in its order."""
        return [self._party(row) for row in rows if row["to"]]

    def _party(self, row: Row) -> Party:
        units = self.units_of(row)
        to = spread(locations_of(row["to"]), len(units))
        ways = tuple(self._ways(row, units, to))
        leader = row.get("leader", NOBODY)
        mount = row.get("mount", NOBODY)
        return Party(
            side=self.side,
            units=units,
            to=to,
            ways=tuple(way or () for way in ways),
            leader=None if leader == NOBODY else self.cg.state.units[leader],
            leave=frozenset(row.get("leave", ())),
            take=tuple(row.get("take", ())),
            emplaced=row.get("emplaced", True),
            dangers=row["dangers"],
            mount="" if mount == NOBODY else mount,
        )

    def _ways(self, row: Row, units: Sequence[Unit], to: Sequence[str]) -> Iterator[Way | None]:
        given = tuple(parse_way(row["way"]))
        limit = self.limit(units, row)
        for unit, place in zip(units, to, strict=True):
            start, end = unit.hex or "", place.split(".")[0]
            if given and given[0] == start:
                yield given
            else:
                yield self.ways.way(start, end, limit)

    # What is against an answer ------------------------------------------------------------------

    def problems(self, rows: Sequence[Row]) -> list[Problem]:
        """Return everything that the rules have against an answer."""
        from laager.rules.platoon_leader.redeployment.order_problems import RowProblems

        problems = [
            problem.inside(f"[{i + 1}]") for i, row in enumerate(rows) for problem in RowProblems(self, row).all()
        ]
        names = Counter(unit.id for row in rows for unit in self.units_of(row))
        for name in sorted(name for name, times in names.items() if times > 1):
            message = f"{self.cg.state.units[name].label} goes twice"
            problems.append(Problem(message, "a unit redeploys once (PL 3.211)"))
        for unit in self.must_be_named():
            if unit.id not in names:
                message = f"{unit.label} in {unit.at} is left out"
                right = "it must try; name it, without a destination if it can reach none"
                problems.append(Problem(message, right))
        return problems


def _options(units: Any) -> tuple[Option, ...]:
    return tuple(Option(unit.id, f"{unit.label}, {unit.at}") for unit in units)


def spread(ends: Sequence[str], count: int) -> tuple[str, ...]:
    """Return one Location for each unit: the same for all, or as they were given."""
    return tuple(ends) if len(ends) == count else (ends[0],) * count
