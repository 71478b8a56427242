"""What the rules have against an order to redeploy (PL 3.21, 3.211, 3.214 to 3.217, 2.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from laager.base import Problem
from laager.base.counting import count_of
from laager.campaign import implements
from laager.hexmap import split_location
from laager.hexmap.coords import parse_way
from laager.rules.board.changes import is_vehicle
from laager.rules.board.moves import baggage
from laager.rules.board.places import hex_of
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.redeployment.destinations import Way, in_writing, locations_of
from laager.rules.platoon_leader.redeployment.orders import NOBODY, Orders, Row, spread
from laager.rules.platoon_leader.redeployment.parties import riders
from laager.rules.platoon_leader.redeployment.situations import location_problems

SHOWN = 8
"""How many hexes of a cluster advice names."""


class RowProblems:
    """The problems of one row of an answer."""

    def __init__(self, orders: Orders, row: Row) -> None:
        self.orders = orders
        self.row = row
        self.cg = orders.cg
        self.units = orders.units_of(row)
        self.carrier: str = row.get("conveyance", NOBODY)
        self.foot = [unit for unit in self.units if not is_vehicle(unit)]
        self.vehicles = [unit for unit in self.units if is_vehicle(unit)]

    def all(self) -> Iterator[Problem]:
        """Yield every problem, fields named."""
        yield from self.stay_together()
        if self.carrier != NOBODY:
            yield from self.conveyance()
        yield from self.leader()
        yield from self.items()
        if self.row["to"]:
            yield from self.destinations()
        elif not self.orders.task.must:
            yield Problem("no destination", "name one, or leave out the units that stay", "to")
        elif self.row["way"]:
            yield Problem("a way to nowhere", "name where it leads", "to")
        elif not self.row["farther"]:
            yield from self.must_try()

    # Which units go together --------------------------------------------------------------------------

    @implements("PL 3.21")
    def stay_together(self) -> Iterator[Problem]:
        """A stack is in one Location, or is an AFV platoon, or Infantry with its conveyance."""
        places = dict.fromkeys(unit.at or "" for unit in (self.foot or self.units))
        groups = {unit.group for unit in self.vehicles}
        platoon = not self.foot and len(groups) == 1 and "" not in groups
        if len(places) > 1 and not platoon:
            right = "a stack is in one Location; only an AFV platoon moves as one body"
            yield Problem(f"they are in {', '.join(places)}", right, "units")
        if self.foot and self.vehicles and self.carrier == NOBODY:
            right = "name the vehicle that carries them as conveyance, or send them apart"
            yield Problem("Infantry and vehicles don't move together", right, "units")
        prisoners = [unit for unit in self.units if unit.has(Mark.PRISONER)]
        if prisoners and len(prisoners) < len(self.units):
            right = "prisoners without guard go by themselves"
            yield Problem("prisoners don't move with others", right, "units")
        for unit in self.vehicles:
            if self.row["to"] and unit.has(Mark.BOGGED):
                right = "leave its destination out"
                yield Problem(f"{unit.label} is bogged and can't move", right, "to")

    def conveyance(self) -> Iterator[Problem]:
        """One vehicle, units to carry, and room for them."""
        if not self.foot:
            yield Problem("there are no units to carry", "leave out the conveyance", "conveyance")
        if len(self.vehicles) > 1:
            yield Problem("more than one vehicle", "send the others apart", "units")
        vehicle = self.cg.state.units[self.carrier]
        nation = self.cg.nation_of(vehicle)
        room = nation.vehicles[vehicle.type].passengers * 2
        crowd = [*self.foot, *riders(self.cg, vehicle)]
        size = sum(self.cg.nation_of(unit).hs_equivalents(unit.type) for unit in crowd)
        if vehicle.kind == "vehicle" and room and size > room:
            message = f"{vehicle.label} carries {room:g} HS-equivalents, they are {size}"
            yield Problem(message, "send some apart", "conveyance")

    def leader(self) -> Iterator[Problem]:
        """The leader who directs goes along."""
        name = self.row.get("leader", NOBODY)
        if name == NOBODY:
            return
        leader = self.cg.state.units[name]
        along = {unit.id for unit in self.units}
        if leader.id not in along and leader.with_unit not in along:
            yield Problem(f"{leader.label} doesn't go along", "name one who does", "leader")

    def items(self) -> Iterator[Problem]:
        """What is left is with them, what is possessed lies where they arrive."""
        mine = {item.id for unit in self.units for item in baggage(self.cg, unit)}
        for name in self.row.get("leave", ()):
            if name not in mine:
                label = self.cg.state.units[name].label
                yield Problem(f"{label} is not with them", "name what they carry", "leave")
        ends = set(locations_of(self.row["to"]))
        for name in self.row.get("take", ()):
            item = self.cg.state.units[name]
            if item.at not in ends:
                right = "possess what is where they arrive"
                yield Problem(f"{item.label} lies in {item.at}", right, "take")
        mount = self.row.get("mount", NOBODY)
        if mount != NOBODY and not any(unit.kind == "armor-leader" for unit in self.units):
            yield Problem("no armor leader goes along", "leave it out", "mount")

    # Where they go ------------------------------------------------------------------------------

    @implements("PL 3.214", "PL 3.216", "PL 3.217")
    def must_try(self) -> Iterator[Problem]:
        """Units that can reach a friendly cluster must roll, unless the side says that terrain forbids it."""
        for unit in self.orders.must_be_named():
            along = unit.id in self.row["units"]
            goal = self.orders.goal([unit], self.row) if along else None
            if goal is not None:
                message = f"{unit.label} must try: {goal.to} can be reached"
                right = "name a destination; if terrain puts all out of reach, say so (farther)"
                yield Problem(message, right, "to")

    def destinations(self) -> Iterator[Problem]:
        """Each unit goes to a Location that it can go to, by a way that it can take."""
        ends = locations_of(self.row["to"])
        if len(ends) not in (1, len(self.units)):
            right = "one Location for all, or one for each in order"
            yield Problem(f"{count_of(len(ends), 'Location')} for {count_of(len(self.units), 'unit')}", right, "to")
            return
        wrong = [problem for end in dict.fromkeys(ends) for problem in self.location(end)]
        if wrong:
            yield from wrong
            return
        pairs = tuple(zip(self.units, spread(ends, len(self.units)), strict=True))
        aims = [pair for pair in pairs if pair[0].id in self.orders.units]
        yield from dict.fromkeys(problem for pair in aims for problem in self.aim(*pair))
        given = tuple(parse_way(self.row["way"]))
        yield from self.way(given, ends) if given else self.ranges(pairs)

    def location(self, end: str) -> Iterator[Problem]:
        """A Location of the map in which no enemy stands."""
        return location_problems(self.cg, self.orders.side, end, "to")

    @implements("PL 3.214", "PL 3.216", "PL 2.5 Option A")
    def aim(self, unit: Unit, end: str) -> Iterator[Problem]:
        """Friendly Controlled Terrain, of the nearest reachable cluster where the clause says so.

        Prisoners without guard go to an MLR of their side.
        """
        front, side, start = self.orders.ways.front, self.orders.side, unit.hex or ""
        name, level = split_location(end)
        if unit.has(Mark.PRISONER):
            if name not in front.friendly_mlr[side]:
                yield Problem(f"{end} is not in an MLR of their side", "prisoners go there", "to")
            return
        above = level is not None and self.cg.state.ground.control.get(end) != side
        if name not in front.controlled[side] or above:
            right = "go to a hex or Location of a friendly cluster"
            yield Problem(f"{end} is not friendly Controlled Terrain", right, "to")
        elif end == unit.at:
            yield Problem(f"{unit.label} is in {end} already", "name another Location", "to")
        elif self.orders.task.nearest and not self.row["farther"]:
            near = self.orders.ways.nearest_clusters(start)
            if name not in near:
                hexes = ", ".join(self.cg.sort(near)[:SHOWN])
                right = f"nearest is the one with {hexes}; if it is out of reach, say so (farther)"
                yield Problem(f"{end} is not in the nearest cluster", right, "to")

    def way(self, way: Way, ends: Sequence[str]) -> Iterator[Problem]:
        """The hexes of a way touch, can be entered and are not too many."""
        unknown = [name for name in way if name not in self.cg.map]
        if unknown:
            yield Problem(f"the map has no hex {', '.join(unknown)}", "name the hexes in order", "way")
            return
        starts = {unit.hex for unit in self.units}
        if way[0] not in starts or way[-1] not in {hex_of(end) for end in ends}:
            yield Problem(f"{in_writing(way)} leads elsewhere", "begin and end where they do", "way")
        for before, after in pairwise(way):
            if not self.cg.map.are_adjacent(before, after):
                right = "name every hex of the way in order"
                yield Problem(f"{after} does not touch {before}", right, "way")
        for name in dict.fromkeys(way[1:]):
            why_not = self.orders.ways.why_closed(name)
            if why_not:
                yield Problem(f"{name} {why_not}", "lead the way around it", "way")
        yield from self.too_far(len(way) - 1, "way")

    def ranges(self, pairs: Sequence[tuple[Unit, str]]) -> Iterator[Problem]:
        """Without a way named there must be one that is short enough."""
        for unit, end in pairs:
            way = self.orders.ways.shortest(unit.hex or "", hex_of(end))
            if way is None:
                right = "enemy units or the ground bar it; choose another"
                yield Problem(f"no way leads from {unit.at} to {end}", right, "to")
            else:
                yield from self.too_far(len(way) - 1, "to")

    @implements("PL 3.211")
    def too_far(self, hexes: int, field: str) -> Iterator[Problem]:
        """No farther than twice the movement reaches at best."""
        limit = self.orders.limit(self.units, self.row)
        if hexes > limit:
            right = f"at best {limit:.0f} can be reached (twice the MF, PL 3.211)"
            yield Problem(f"{hexes} hexes are out of range", right, field)
