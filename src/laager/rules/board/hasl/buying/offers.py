"""A side's offers on its RG chart for a CG Date: prices, and why something isn't on offer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import implements
from laager.campaign.temperament import Temperament
from laager.rules.board.buying import shop
from laager.rules.board.buying.shop import CartRow, GroupCart, Shop
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Group, GroupArrival

RADIO, PHONE, OBSERVER = "radio", "phone", "observer"
"""Equipment that directs an OBA module."""

OBSERVERS, REGISTRATION = "observer", "pre-registration"
"""Values of `RgLine.special`: additions to an OBA module."""

Way = GroupArrival | None
Offer = shop.ShopOffer[RgLine, Way]
Price = shop.WayPrice[Way]


@dataclass(frozen=True)
class Wanted(CartRow[Way]):
    """One row of a cart: a number of groups of one line of the chart that come in one way.

    `way` and `area` are for groups with units: a Setup Area, or the arrow hex of an Entry Area.
    `objective` is the objective hex, or the hex that is Pre-Registered; `equipment` is for OBA.
    """

    way: Way = None
    count: int = 1
    area: str = ""
    objective: str = ""
    equipment: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Wanted:
        """Return what a row of an answer describes."""
        way = GroupArrival(row["arrival"]) if row.get("arrival") else None
        more = (row.get(name, "") for name in ("area", "objective", "equipment"))
        return cls(row["rg"], way, row.get("count", 1), *more)

    @property
    def row(self) -> dict[str, Any]:
        """The row of an answer that describes it."""
        row: dict[str, Any] = {"rg": self.key, "arrival": self.way.value if self.way is not None else ""}
        row |= {"count": self.count, "area": self.area}
        more = {"objective": self.objective, "equipment": self.equipment}
        return row | {name: value for name, value in more.items() if value}


@dataclass(frozen=True)
class Cart(GroupCart[Wanted]):
    """All groups that a side wants to buy for one CG Date."""

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Cart:
        """Return the cart that an answer to the purchase question describes."""
        return cls(tuple(Wanted.of(row) for row in answer.get("groups", ())))

    def lines(self, cg: Hasl, side: str) -> Iterator[tuple[RgLine, Wanted]]:
        """Return its rows with their lines of the chart; rows that aren't on the chart are left out.

        For what a system's own rules count: `sum(w.count for line, w in cart.lines(cg, side) ...)`.
        """
        return DateShop(cg, side).rows(self)


class DateShop(Shop[RgLine, Way, Wanted, Cart]):
    """The shop of a side for the present CG Date."""

    cg: Hasl
    points = "CPP"
    battle = "one CG Date"
    words = {GroupArrival.ENTER: "enters", GroupArrival.ON_MAP: "on map", GroupArrival.RESERVE: "in Reserve"}

    @property
    @implements("ABtF CHART RG charts", "ER CHART RG charts")
    def lines(self) -> Sequence[RgLine]:
        """The side's RG chart."""
        return self.cg.lines(self.side)

    @property
    def points_held(self) -> int:
        """The side's CPP."""
        return self.cg.state.side(self.side).cpp

    def cart(self, answer: Mapping[str, Any]) -> Cart:
        """Return the cart that an answer describes."""
        return Cart.of(answer)

    def ways(self, line: RgLine) -> Sequence[Way]:
        """Return the ways in which a group can come; None for one without units."""
        return self.cg.variant.arrivals(self.cg, self.side, line) or (None,)

    @implements("ABtF 9.2 CPP")
    def price(self, line: RgLine, way: Way) -> int:
        """Return the CPP for a group that comes in a way."""
        return self.cg.variant.price(self.cg, line, way)

    @implements("HASL 20")
    def contents(self, line: RgLine) -> Iterable[str]:
        """Return the types of its units at Full strength, and of its SW."""
        return (*(units.type for units in line.full), *(weapon.type for weapon in line.sw))

    def unavailable(self, line: RgLine) -> str:
        """Say why a line isn't on offer on the present CG Date; "" if it is."""
        if not line.dates or self.cg.date.id in line.dates:
            return ""
        return f"{line.key} is available on {', '.join(line.dates)}"

    def most_now(self, line: RgLine) -> int | None:
        """Return the chart's limit for one CG Date."""
        return line.per_date

    def san(self, line: RgLine) -> int:
        """Return the SAN increase."""
        return line.san

    # Places ---------------------------------------------------------------------------------------

    @implements("HASL 7", "HASL 9", "ER 1.5188 Setup Area/Entry ID")
    def areas(self, line: RgLine, way: Way) -> tuple[str, ...]:
        """Return where a group can be recorded that comes in this way.

        Arrow hexes of its Eligible Entry Areas if it enters, else the side's Setup Areas that are not
        Isolated; nothing for a group that does not come to a place.
        """
        if way is None:
            return ()
        if way is GroupArrival.ENTER:
            return self.cg.arrows(self.side, line)
        return tuple(area.name for area in self.cg.state.areas_of(self.side) if not area.isolated)

    def way_problem(self, line: RgLine, way: Way) -> Problem | None:
        """Return why a group can't come in this way; None if it can."""
        ways = self.cg.variant.arrivals(self.cg, self.side, line)
        right = " or ".join(able.value for able in ways)
        if way is None:
            return Problem(f"{line.key} comes with units", f"say how: {right}") if ways else None
        if not ways:
            return Problem(f"{line.key} brings no units", "leave out how it comes")
        if way not in ways:
            return Problem(f"{line.key} can't come {way.value}", f"it comes {right}")
        if self.areas(line, way):
            return None
        if way is GroupArrival.ENTER:
            return Problem(f"{line.key} has no Eligible Entry Area", "choose another way")
        return Problem("you have no Setup Area that is not Isolated", "have it enter")

    def row_problems(self, line: RgLine, row: Wanted) -> Iterator[Problem]:
        """Yield what the rules have against a row by itself: how it comes, where, what is recorded."""
        if problem := self.way_problem(line, row.way):
            yield problem.inside("arrival")
        else:
            yield from self._area_problems(line, row)
        wanted = wants_hex(self.cg, self.side, line)
        if not wanted and row.objective:
            yield Problem(f"no hex is recorded for {line.key}", "leave it out", "objective")
        elif wanted and (fault := hex_problem(self.cg, row.objective)):
            yield Problem(f"{line.key} has no {wanted}: {fault}", "name a hex", "objective")
        possible = equipments(self.cg, self.side, line)
        if not possible and row.equipment:
            yield Problem(f"nothing directs {line.key}", "leave it out", "equipment")
        elif possible and row.equipment not in possible:
            yield Problem(
                f"{row.equipment or 'nothing'} can't direct {line.key}", f"one of {', '.join(possible)}", "equipment"
            )

    def _area_problems(self, line: RgLine, row: Wanted) -> Iterator[Problem]:
        places = self.areas(line, row.way)
        right = f"one of {', '.join(places)}"
        if not places and row.area:
            yield Problem(f"{line.key} comes to no place", "leave out the area", "area")
        elif places and not row.area:
            yield Problem(f"{line.key} has no area", right, "area")
        elif places and row.area not in places:
            entry = row.way is GroupArrival.ENTER
            reason = "not one of its Eligible Entry Areas" if entry else "not a Setup Area of yours, or Isolated"
            yield Problem(f"{line.key}: {row.area!r} is {reason}", right, "area")

    # OBA ------------------------------------------------------------------------------------------

    def cart_problems(self, cart: Cart) -> Iterator[Problem]:
        """Yield what is wrong with observers and Pre-Registered hexes, and what the variant has against a cart."""
        modules = list(modules_of(self.cg, self.side))
        bought = self.count(cart, OBSERVERS)
        taken = sum(row.count for row in cart.groups if row.equipment == OBSERVER)
        free = sum(module.equipment != OBSERVER for module in modules)
        if taken > bought:
            yield Problem(
                f"You want an Offboard Observer for {taken} modules, and buy {bought}",
                "buy one for each, or take a radio",
                "groups",
            )
        elif bought - taken > free:
            yield Problem(
                f"You want {bought} Offboard Observers", f"there are {taken + free} modules for them", "groups"
            )
        hexes = self.count(cart, REGISTRATION)
        free = sum(not module.pre_registered for module in modules)
        free += sum(row.count for line, row in self.rows(cart) if line.kind is Kind.OBA)
        if hexes > free:
            yield Problem(f"You want {hexes} Pre-Registered hexes", f"there are {free} modules without one", "groups")
        yield from self.cg.variant.purchase_problems(self.cg, self.side, cart)

    def count(self, cart: Cart, special: str) -> int:
        """Return how many groups of a special kind a cart has."""
        return sum(row.count for line, row in self.rows(cart) if line.special == special)

    # By chance ------------------------------------------------------------------------------------

    def choose_row(self, line: RgLine, way: Way, rng: Random) -> Wanted:
        """Return a row with one group, its places by chance."""
        places = self.areas(line, way)
        # A module with an Offboard Observer needs two rows that fit: chance buys them seldom.
        possible = [name for name in equipments(self.cg, self.side, line) if name != OBSERVER]
        area = rng.choice(places) if places else ""
        objective = rng.choice(self.cg.sort(self.cg.map.playable)) if wants_hex(self.cg, self.side, line) else ""
        return Wanted(line.key, way, 1, area, objective, rng.choice(possible) if possible else "")

    def row_for(self, line: RgLine, way: Way) -> Mapping[str, Any]:
        """Return the line, how and where it comes, and what directs it; a hex that it wants stays open."""
        places = self.areas(line, way)
        directs = [name for name in equipments(self.cg, self.side, line) if name != OBSERVER]
        wanted = Wanted(line.key, way, 1, places[0] if places else "", "", directs[0] if directs else "")
        return {name: value for name, value in wanted.row.items() if name != "count"}

    def suggest(self, rng: Random) -> dict[str, Any]:
        """Return a legal cart by chance."""
        return {"groups": [wanted.row for wanted in self.fill_cart(Cart(), rng).groups]}

    def judge(self, temper: Temperament) -> dict[str, Any]:
        """Return what somebody of a temperament buys."""
        from laager.rules.board.hasl.judgement import judge_purchases

        return judge_purchases(self.cg, self.side, temper)


def wants_hex(cg: Hasl, side: str, line: RgLine) -> str:
    """Return what hex is recorded for a group, in words; "" if none is."""
    if line.special == REGISTRATION:
        return "Pre-Registered hex"
    return "objective hex" if cg.variant.has_objective(cg, side, line) else ""


def hex_problem(cg: Hasl, name: str) -> str:
    """Say what is wrong with the name of a hex in play; "" if nothing is."""
    if not name:
        return "you named none"
    return "" if name in cg.map and cg.map.main(name) in cg.map.playable else f"{name!r} is not a hex in play"


def modules_of(cg: Hasl, side: str) -> Iterator[Group]:
    """Return a side's OBA modules that are Retained, the oldest first."""
    return (group for group in cg.state.groups_of(side) if group.kind == Kind.OBA and not group.lost)


def equipments(cg: Hasl, side: str, line: RgLine) -> tuple[str, ...]:
    """Return what can direct a module bought from a line."""
    if line.kind is not Kind.OBA:
        return ()
    sold = not cg.lines(side) or any(other.special == OBSERVERS for other in cg.lines(side))
    return (*cg.variant.equipment(cg, side, line), *((OBSERVER,) if sold else ()))
