"""Buying reinforcement groups in secret; where groups come that the OB gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Number,
    Option,
    Procedure,
    Question,
    Record,
    Rows,
    Text,
    Total,
    YesNo,
    ask,
    each_row,
    implements,
    step,
)
from laager.rules.board.buying.nothing import nothing_bought
from laager.rules.board.hasl.buying.given_places import given_places
from laager.rules.board.hasl.buying.groups import entered_line, group_joins
from laager.rules.board.hasl.buying.offers import (
    OBSERVER,
    OBSERVERS,
    REGISTRATION,
    Cart,
    Offer,
    Wanted,
    areas_for,
    cart_problems,
    cost,
    equipments,
    modules_of,
    offers,
    wants_hex,
)
from laager.rules.board.hasl.buying.unlisted import entered, entered_problems, entered_row, suggest_entered
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import GroupChanged
from laager.rules.board.hasl.units import Arrival

MOST_OF_ONE = 20
"""A bound on the count of one row, so that a slip of the finger is told as such."""

WAYS = {Arrival.ENTER: "enters", Arrival.ON_MAP: "on map", Arrival.RESERVE: "in Reserve"}


@implements("ABtF 9.617", "ER 1.518")
@step("HASL 20", "Purchases")
def purchasing(cg: Hasl, side: str) -> Procedure[None]:
    """A side says where given groups come, then buys everything at once, in secret."""
    yield from given_places(cg, side)
    if cg.side_charts(side).rg is None:
        yield from _entering(cg, side)
        return
    answer = yield from ask(cart_question(cg, side))
    cart = Cart.of(answer)
    for wanted in cart.groups:
        for _ in range(wanted.count):
            yield from _bought(cg, side, wanted)
    yield from _observers(cg, side, cart)
    yield from _registered(cg, side, cart)


# The question -----------------------------------------------------------------------------------


def cart_question(cg: Hasl, side: str) -> Question:
    """Return the question for all purchases of a side.

    It is asked whatever the CPP, because not being asked would tell the enemy how many there are.
    """
    held = cg.state.side(side).cpp
    return Question(
        key="purchases",
        side=side,
        text=f"What do you buy for {cg.date.title}? You have {held} CPP.",
        form=Record((Field("groups", Rows(_row(cg, side), most=60), "Reinforcement groups", []),)),
        secret=True,
        default={"groups": []},
        help="One row for each group: its line, how it comes and where, how many. CPP not spent are kept.",
        check=lambda answer: cart_problems(cg, side, Cart.of(answer)),
        suggest=lambda rng: suggest_cart(cg, side, rng),
        totals=lambda answer: cart_totals(cg, side, answer),
        irrevocable=lambda answer: nothing_bought(answer["groups"], held, "CPP"),
        offers=lambda answer: [_option(one) for one in offers(cg, side, Cart.of(answer))],
    )


def cart_totals(cg: Hasl, side: str, answer: Mapping[str, Any]) -> tuple[Total, ...]:
    """Return what a cart uses of the CPP."""
    rows = answer["groups"]
    each = each_row("groups", rows, lambda row: cost(cg, side, Cart.of({"groups": [row]})))
    return (Total("CPP", cost(cg, side, Cart.of(answer)), cg.state.side(side).cpp, each),)


def _row(cg: Hasl, side: str) -> Record:
    chart = tuple(_option(offer) for offer in offers(cg, side))
    fields = [
        Field("rg", Choice(chart), "Group"),
        Field("arrival", arrival_choice(cg, side), "How it comes, if it brings units", ""),
        Field("count", Number(1, MOST_OF_ONE), "How many", 1),
        Field("area", place_choice(cg, side), "Setup Area or Entry Area", ""),
    ]
    if named := dict.fromkeys(filter(None, (wants_hex(cg, side, x) for x in cg.lines(side)))):
        fields.append(Field("objective", Text(limit=12), " or ".join(named).capitalize(), ""))
    if able := [what for line in cg.lines(side) for what in equipments(cg, side, line)]:
        choice = Choice.of("", *dict.fromkeys(able))
        fields.append(Field("equipment", choice, "What directs it, for OBA", ""))
    return Record(tuple(fields))


def arrival_choice(cg: Hasl, side: str) -> Choice:
    """Return the ways in which any group of a side may come, with "" for those without units.

    Without a chart: the ways of any group that can set up on the map.
    """
    lines = cg.lines(side) or (entered_line(Kind.INFANTRY, "", 0, units={}, sw={}),)
    able = {way for line in lines for way in cg.variant.arrivals(cg, side, line)}
    ways = (Option(way.value, words) for way, words in WAYS.items() if way in able)
    return Choice((Option("", "-"), *ways))


def place_choice(cg: Hasl, side: str) -> Choice:
    """Return the places that may be recorded for groups of a side, with "" for none."""
    names = {"": "-"}
    names |= {name: f"Entry Area {name}" for name in cg.arrows(side)}
    names |= {area.name: f"Setup Area {area.name}" for area in cg.state.areas_of(side) if not area.isolated}
    return Choice(tuple(Option(value, label) for value, label in names.items()))


def _option(offer: Offer) -> Option:
    able = [price for price in offer.prices if not price.why_not] or offer.prices
    parts = [f"{WAYS[p.arrival]} {p.cost}" if p.arrival else f"{p.cost}" for p in able]
    left = "" if offer.left is None else f", {offer.left} left"
    label = f"{offer.line.name}: {', '.join(parts)} CPP; {offer.bought} bought{left}"
    return Option(offer.line.key, label, offer.why_not)


def suggest_cart(cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
    """Return a legal cart filled by chance, for automatic play."""
    cart = Cart()
    while rng.random() < 0.75:
        free = [
            (offer.line, price.arrival)
            for offer in offers(cg, side, cart)
            for price in offer.prices
            if not price.why_not
        ]
        if not free:
            break
        line, arrival = rng.choice(free)
        more = Cart((*cart.groups, _some(cg, side, line, arrival, rng)))
        if not cart_problems(cg, side, more):
            cart = more
    return {"groups": [_as_row(wanted) for wanted in cart.groups]}


def _some(cg: Hasl, side: str, line: RgLine, arrival: Arrival | None, rng: Random) -> Wanted:
    places = areas_for(cg, side, line, arrival)
    # A module with an Offboard Observer needs two rows that fit: chance buys them seldom.
    able = [what for what in equipments(cg, side, line) if what != OBSERVER]
    return Wanted(
        line.key,
        arrival,
        1,
        rng.choice(places) if places else "",
        rng.choice(cg.sort(cg.map.playable)) if wants_hex(cg, side, line) else "",
        rng.choice(able) if able else "",
    )


def _as_row(wanted: Wanted) -> dict[str, Any]:
    row: dict[str, Any] = {"rg": wanted.key, "count": wanted.count, "area": wanted.area}
    row["arrival"] = wanted.arrival.value if wanted.arrival is not None else ""
    if wanted.objective:
        row["objective"] = wanted.objective
    if wanted.equipment:
        row["equipment"] = wanted.equipment
    return row


# What follows -----------------------------------------------------------------------------------


def _bought(cg: Hasl, side: str, wanted: Wanted) -> Iterator[Fact]:
    line = cg.line(side, wanted.key)
    assert line is not None, "the cart was checked"
    paid = cg.variant.price(cg, line, wanted.arrival)
    registered = line.special == REGISTRATION
    yield from group_joins(
        cg,
        side,
        line,
        wanted.arrival,
        wanted.area,
        cost=paid,
        equipment=wanted.equipment,
        objective="" if registered else wanted.objective,
        why=_why(line, wanted.arrival, paid),
    )


def _why(line: RgLine, arrival: Arrival | None, paid: int) -> str:
    how = f"{line.name}, {WAYS[arrival]}" if arrival is not None else line.name
    if paid == line.cost:
        return f"{how}: {paid} CPP"
    return f"{how}: {line.cost} {paid - line.cost:+d} = {paid} CPP"


def _observers(cg: Hasl, side: str, cart: Cart) -> Iterator[Fact]:
    """Give Offboard Observers that no module bought with them takes to Retained ones."""
    bought = sum(w.count for line, w in cart.lines(cg, side) if line.special == OBSERVERS)
    spare = bought - sum(w.count for w in cart.groups if w.equipment == OBSERVER)
    for module in [one for one in modules_of(cg, side) if one.equipment != OBSERVER][:spare]:
        yield GroupChanged(
            side=side,
            group=module.id,
            changes={"equipment": OBSERVER},
            why=f"{module.id}: an Offboard Observer is bought for it",
            to=(side,),
        )


def _registered(cg: Hasl, side: str, cart: Cart) -> Iterator[Fact]:
    """Give modules their Pre-Registered hexes, in the order of both."""
    names = [
        cg.map.main(wanted.objective)
        for line, wanted in cart.lines(cg, side)
        if line.special == REGISTRATION
        for _ in range(wanted.count)
    ]
    free = [module for module in modules_of(cg, side) if not module.pre_registered]
    for module, name in zip(free, names, strict=False):
        yield GroupChanged(
            side=side,
            group=module.id,
            changes={"pre_registered": (name,)},
            why=f"{module.id}: Pre-Registered hex {name}",
            to=(side,),
        )


# Without a chart ----------------------------------------------------------------------------------


def _entering(cg: Hasl, side: str) -> Procedure[None]:
    while True:
        answer = yield from ask(_entering_question(cg, side))
        groups = [entered(cg, side, item) for item in answer["groups"]]
        lines = [(group.line, group.wanted.count) for group in groups]
        doubts = list(cg.variant.entered_doubts(cg, side, lines))
        if not doubts or (yield from ask(_doubts_question(side, doubts))):
            break
    for group in groups:
        line, wanted = group.line, group.wanted
        for _ in range(wanted.count):
            yield from group_joins(
                cg,
                side,
                line,
                wanted.arrival,
                wanted.area,
                cost=line.cost,
                equipment=wanted.equipment,
                objective=wanted.objective,
                why=_why(line, wanted.arrival, line.cost),
            )


def _entering_question(cg: Hasl, side: str) -> Question:
    row = entered_row(cg, side, place_choice(cg, side), arrival_choice(cg, side))
    held = cg.state.side(side).cpp
    return Question(
        key="purchases",
        side=side,
        text=f"What do you buy for {cg.date.title}? You have {held} CPP.",
        form=Record((Field("groups", Rows(row, most=60), "Reinforcement groups", []),)),
        secret=True,
        default={"groups": []},
        help="The RG chart of this side is not filled in: enter each group with what it costs "
        "and brings by the module's own chart. Its limits are yours to keep.",
        check=lambda answer: entered_problems(cg, side, answer["groups"]),
        suggest=lambda rng: {"groups": suggest_entered(cg, side, rng)},
        totals=lambda answer: _entered_totals(held, answer["groups"]),
        irrevocable=lambda answer: nothing_bought(answer["groups"], held, "CPP"),
    )


def _doubts_question(side: str, doubts: Sequence[Problem]) -> Question:
    return Question(
        key="purchase-doubts",
        side=side,
        text="; ".join(map(str, doubts)) + ". Does your chart allow it?",
        form=YesNo(),
        secret=True,
        default=False,
        suggest=lambda rng: True,
        help="No lets you buy anew.",
    )


def _entered_totals(held: int, rows: Sequence[Mapping[str, Any]]) -> tuple[Total, ...]:
    each = each_row("groups", rows, lambda row: row["cost"] * row["count"])
    return (Total("CPP", sum(each.values()), held, each),)
