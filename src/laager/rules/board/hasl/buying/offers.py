"""What a side may buy from its RG chart, at which price, and why not.

`Cart` is what a side wants; `offers` is its chart as data for screens; `cart_problems` is the one
judge of whether a cart is legal. All are pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.units import Arrival, Group
from laager.rules.board.state import MAX_SAN

RADIO, PHONE, OBSERVER = "radio", "phone", "observer"
"""What directs an OBA module."""

OBSERVERS, REGISTRATION = "observer", "pre-registration"
"""What a line of the chart may bring to a module, as `RgLine.special` has it."""


@dataclass(frozen=True)
class Wanted:
    """One row of a cart: so many groups of one line of the chart that come in one way.

    `arrival` and `area` are for groups with units: a Setup Area, or the arrow hex of an Entry Area.
    `objective` is the objective hex, or the hex that is Pre-Registered; `equipment` is for OBA.
    """

    key: str
    arrival: Arrival | None = None
    count: int = 1
    area: str = ""
    objective: str = ""
    equipment: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Wanted:
        """Return what a row of an answer describes."""
        arrival = row.get("arrival", "")
        return cls(
            row["rg"],
            Arrival(arrival) if arrival else None,
            row.get("count", 1),
            row.get("area", ""),
            row.get("objective", ""),
            row.get("equipment", ""),
        )


@dataclass(frozen=True)
class Cart:
    """All groups that a side wants to buy for one CG Date."""

    groups: tuple[Wanted, ...] = ()

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Cart:
        """Return the cart that an answer to the purchase question describes."""
        return cls(tuple(Wanted.of(row) for row in answer.get("groups", ())))

    def count(self, key: str) -> int:
        """Return how many groups of a line are in it, however they come."""
        return sum(wanted.count for wanted in self.groups if wanted.key == key)

    def lines(self, cg: Hasl, side: str) -> Iterator[tuple[RgLine, Wanted]]:
        """Return its rows with their lines of the chart; rows that the chart has not are left out.

        For what a system's own rules count: `sum(w.count for line, w in cart.lines(cg, side) ...)`.
        """
        for wanted in self.groups:
            line = cg.line(side, wanted.key)
            if line is not None:
                yield line, wanted


@dataclass(frozen=True)
class Price:
    """What a group costs if it comes in one way; `why_not` is empty where it may be bought so."""

    arrival: Arrival | None
    cost: int
    why_not: str = ""


@dataclass(frozen=True)
class Offer:
    """A line of the chart as it stands for a side.

    `bought` in the whole campaign, `bought_now` for this CG Date, both with the cart; `left` how
    many more may be bought now (None: no limit but CPP). `why_not` says why none may be.
    """

    line: RgLine
    prices: tuple[Price, ...]
    bought: int
    bought_now: int
    left: int | None
    why_not: str = ""


# Prices and places ------------------------------------------------------------------------------


@implements("ABtF 9.2 CPP")
def cost(cg: Hasl, side: str, cart: Cart) -> int:
    """Return the CPP that a cart costs. Rows that the chart has not cost nothing."""
    return sum(cg.variant.price(cg, line, wanted.arrival) * wanted.count for line, wanted in cart.lines(cg, side))


@implements("HASL 7", "HASL 9", "ER 1.5188 Setup Area/Entry ID")
def areas_for(cg: Hasl, side: str, line: RgLine, arrival: Arrival | None) -> tuple[str, ...]:
    """Return where a group may be recorded that comes in this way.

    Arrow hexes of its Eligible Entry Areas if it enters, else the side's Setup Areas that are not
    Isolated; nothing for a group that does not come to a place.
    """
    if arrival is None:
        return ()
    if arrival is Arrival.ENTER:
        return cg.arrows(side, line)
    return tuple(area.name for area in cg.state.areas_of(side) if not area.isolated)


def _arrival_refused(cg: Hasl, side: str, line: RgLine, arrival: Arrival | None) -> str:
    """Say why a group can't be bought to come in this way; empty when it can."""
    ways = cg.variant.arrivals(cg, side, line)
    if arrival is None:
        return f"{line.key} comes with units; say how: {_listed(ways)}" if ways else ""
    if not ways:
        return f"{line.key} brings no units; leave out how it comes"
    if arrival not in ways:
        return f"{line.key} can't come {ARRIVAL_WORDS[arrival]}; it comes {_listed(ways)}"
    if not areas_for(cg, side, line, arrival):
        if arrival is Arrival.ENTER:
            return f"{line.key} has no Eligible Entry Area; choose another way"
        return "there is no Friendly Setup Area that is not Isolated; have it enter"
    return ""


ARRIVAL_WORDS = {Arrival.ON_MAP: "on map", Arrival.ENTER: "by entering", Arrival.RESERVE: "in Reserve"}


def _listed(ways: Iterable[Arrival]) -> str:
    return " or ".join(way.value for way in ways)


# Limits -----------------------------------------------------------------------------------------


@implements("HASL 20")
def date_refused(cg: Hasl, line: RgLine) -> str:
    """Say why a line can't be bought on the present CG Date; empty when it can."""
    if not line.dates or cg.date.id in line.dates:
        return ""
    return f"{line.key} is available on {', '.join(line.dates)}"


def _limits(cg: Hasl, side: str, line: RgLine, cart: Cart) -> Iterator[tuple[int, str]]:
    """Yield how many more of a line each limit allows beside the cart, with the limit in words."""
    own = cg.state.side(side)
    here = cart.count(line.key)
    if line.total is not None:
        left = line.total - own.bought.get(line.key, 0) - here
        yield left, f"{line.total} in the campaign at most"
    if line.per_date is not None:
        left = line.per_date - own.bought_now.get(line.key, 0) - here
        yield left, f"{line.per_date} for one CG Date at most"
    if line.san:
        left = (MAX_SAN - own.san - san_in(cg, side, cart)) // line.san
        yield left, f"SAN cannot exceed {MAX_SAN}"


def san_in(cg: Hasl, side: str, cart: Cart) -> int:
    """Return by how much a cart raises the SAN."""
    return sum(line.san * wanted.count for line, wanted in cart.lines(cg, side))


# The chart for screens --------------------------------------------------------------------------


@implements("ABtF CHART RG charts", "ER CHART RG charts")
def offers(cg: Hasl, side: str, cart: Cart = Cart()) -> tuple[Offer, ...]:
    """Return every line of a side's chart: prices, how many are bought and left, what is possible.

    With a cart: what stands beside what is already in it.
    """
    rest = cg.state.side(side).cpp - cost(cg, side, cart)
    return tuple(_offer(cg, side, line, cart, rest) for line in cg.lines(side))


def _offer(cg: Hasl, side: str, line: RgLine, cart: Cart, rest: int) -> Offer:
    own = cg.state.side(side)
    limits = list(_limits(cg, side, line, cart))
    why_not = date_refused(cg, line)
    if not why_not:
        why_not = next((words for left, words in limits if left <= 0), "")
    prices = []
    for arrival in cg.variant.arrivals(cg, side, line) or (None,):
        costs = cg.variant.price(cg, line, arrival)
        refused = why_not or _arrival_refused(cg, side, line, arrival)
        if not refused and costs > rest:
            refused = f"costs {costs} CPP, {max(0, rest)} are left"
        prices.append(Price(arrival, costs, refused))
    if all(price.why_not for price in prices):
        why_not = why_not or prices[0].why_not
    here = cart.count(line.key)
    return Offer(
        line,
        tuple(prices),
        own.bought.get(line.key, 0) + here,
        own.bought_now.get(line.key, 0) + here,
        max(0, min(left for left, _ in limits)) if limits else None,
        why_not,
    )


# Judging a cart ---------------------------------------------------------------------------------


def cart_problems(cg: Hasl, side: str, cart: Cart) -> tuple[Problem, ...]:
    """Return everything that the rules have against a cart; nothing if it is legal."""
    return (
        *_row_problems(cg, side, cart.groups),
        *_count_problems(cg, side, cart),
        *_observer_problems(cg, side, cart),
        *_registration_problems(cg, side, cart),
        *cg.variant.purchase_problems(cg, side, cart),
        *_cpp_problems(cg, side, cart),
    )


def _row_problems(cg: Hasl, side: str, rows: Sequence[Wanted]) -> Iterator[Problem]:
    for number, wanted in enumerate(rows, 1):
        line = cg.line(side, wanted.key)
        where = f"groups[{number}]"
        if line is None:
            advice = did_you_mean(wanted.key, [item.key for item in cg.lines(side)], "it has")
            yield Problem(f"{wanted.key} is not on the chart", advice, f"{where}.rg")
            continue
        if refused := date_refused(cg, line):
            yield Problem(refused, "leave it out", f"{where}.rg")
        yield from row_problems(cg, side, line, wanted, where)


def row_problems(cg: Hasl, side: str, line: RgLine, wanted: Wanted, where: str) -> Iterator[Problem]:
    """Yield what the rules have against a row by itself: how it comes, where, what is recorded."""
    for field, found in _place_problems(cg, side, line, wanted):
        what, _, right = found.partition("; ")
        yield Problem(what, right, f"{where}.{field}")
    yield from _hex_problems(cg, side, line, wanted, where)
    yield from _equipment_problems(cg, side, line, wanted, where)


def _place_problems(cg: Hasl, side: str, line: RgLine, wanted: Wanted) -> Iterator[tuple[str, str]]:
    if refused := _arrival_refused(cg, side, line, wanted.arrival):
        yield "arrival", refused
        return
    places = areas_for(cg, side, line, wanted.arrival)
    if not places and wanted.area:
        yield "area", f"{line.key} comes to no place; leave out the area"
    elif places and not wanted.area:
        yield "area", f"{line.key} has no area; one of {', '.join(places)}"
    elif places and wanted.area not in places:
        what = "is no Eligible Entry Area of it"
        if wanted.arrival is not Arrival.ENTER:
            what = "is no Friendly Setup Area, or an Isolated one"
        yield "area", f"{line.key}: {wanted.area!r} {what}; one of {', '.join(places)}"


def wants_hex(cg: Hasl, side: str, line: RgLine) -> str:
    """Return what hex is recorded for a group, in words; "" if none is."""
    if line.special == REGISTRATION:
        return "Pre-Registered hex"
    return "objective hex" if cg.variant.objective(cg, side, line) else ""


def _hex_problems(cg: Hasl, side: str, line: RgLine, wanted: Wanted, where: str) -> Iterator[Problem]:
    what = wants_hex(cg, side, line)
    if not what and wanted.objective:
        yield Problem(f"no hex is recorded for {line.key}", "leave it out", f"{where}.objective")
    elif what and (found := hex_problem(cg, wanted.objective)):
        yield Problem(f"{line.key} has no {what}: {found}", "name a hex", f"{where}.objective")


def hex_problem(cg: Hasl, name: str) -> str:
    """Say what is wrong with the name of a hex in play; empty if nothing is."""
    if not name:
        return "none is named"
    if name not in cg.map or cg.map.main(name) not in cg.map.playable:
        return f"{name!r} is no hex in play"
    return ""


# OBA ----------------------------------------------------------------------------------------------


def modules_of(cg: Hasl, side: str) -> Iterator[Group]:
    """Return a side's OBA modules that are Retained, the oldest first."""
    return (group for group in cg.state.groups_of(side) if group.kind == Kind.OBA and not group.lost)


def equipments(cg: Hasl, side: str, line: RgLine) -> tuple[str, ...]:
    """Return what may direct a module bought from a line."""
    if line.kind is not Kind.OBA:
        return ()
    sold = not cg.lines(side) or any(other.special == OBSERVERS for other in cg.lines(side))
    return (*cg.variant.equipment(cg, side, line), *((OBSERVER,) if sold else ()))


def _equipment_problems(cg: Hasl, side: str, line: RgLine, wanted: Wanted, where: str) -> Iterator[Problem]:
    able = equipments(cg, side, line)
    if not able and wanted.equipment:
        what, right = f"nothing directs {line.key}", "leave it out"
        yield Problem(what, right, f"{where}.equipment")
    elif able and wanted.equipment not in able:
        what = f"{wanted.equipment or 'nothing'} can't direct {line.key}"
        yield Problem(what, f"one of {', '.join(able)}", f"{where}.equipment")


def _special(cg: Hasl, side: str, cart: Cart, special: str) -> int:
    return sum(wanted.count for line, wanted in cart.lines(cg, side) if line.special == special)


def _observer_problems(cg: Hasl, side: str, cart: Cart) -> Iterator[Problem]:
    bought = _special(cg, side, cart, OBSERVERS)
    taken = sum(wanted.count for wanted in cart.groups if wanted.equipment == OBSERVER)
    free = sum(module.equipment != OBSERVER for module in modules_of(cg, side))
    if taken > bought:
        what = f"{taken} modules are to have an Offboard Observer, {bought} are bought"
        yield Problem(what, "buy one for each, or take a radio", "groups")
    elif bought - taken > free:
        what = f"{bought} Offboard Observers are too many"
        yield Problem(what, f"there are {taken + free} modules for them", "groups")


def _registration_problems(cg: Hasl, side: str, cart: Cart) -> Iterator[Problem]:
    bought = _special(cg, side, cart, REGISTRATION)
    free = sum(not module.pre_registered for module in modules_of(cg, side))
    free += sum(wanted.count for line, wanted in cart.lines(cg, side) if line.kind is Kind.OBA)
    if bought > free:
        what = f"{bought} Pre-Registered hexes are too many"
        yield Problem(what, f"there are {free} modules without one", "groups")


# Sums ---------------------------------------------------------------------------------------------


@implements("HASL 20")
def _count_problems(cg: Hasl, side: str, cart: Cart) -> Iterator[Problem]:
    for line in cg.lines(side):
        here = cart.count(line.key)
        if not here:
            continue
        if here < 0 or any(w.key == line.key and w.count < 1 for w in cart.groups):
            yield Problem(f"fewer than one {line.key}", "leave it out", "groups")
        for left, words in _limits(cg, side, line, cart):
            if left < 0:
                yield Problem(f"{here} {line.key} are too many", words, "groups")


def _cpp_problems(cg: Hasl, side: str, cart: Cart) -> Iterator[Problem]:
    total, held = cost(cg, side, cart), cg.state.side(side).cpp
    if total > held:
        yield Problem(f"this costs {total} CPP", f"{held} CPP are there")
