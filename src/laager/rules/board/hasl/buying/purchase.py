"""Buying reinforcement groups in secret, from the RG chart or without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
from laager.rules.board.buying.shop import MOST_OF_ONE, nothing_bought
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.given_places import given_places
from laager.rules.board.hasl.buying.groups import entered_line, group_joins
from laager.rules.board.hasl.buying.offers import (
    OBSERVER,
    OBSERVERS,
    REGISTRATION,
    Cart,
    DateShop,
    Wanted,
    equipments,
    modules_of,
    wants_hex,
)
from laager.rules.board.hasl.buying.unlisted import entered, entered_problems, entered_row, suggest_entered
from laager.rules.board.hasl.charts import Kind, RgLine
from laager.rules.board.hasl.context import Hasl


@implements("ABtF 9.617", "ER 1.518")
@step("HASL 20", "Purchases")
def purchasing(cg: Hasl, side: str) -> Procedure[None]:
    """A side says where given groups come, then buys everything at once, in secret."""
    yield from given_places(cg, side)
    if cg.side_charts(side).rg is None:
        yield from _entering(cg, side)
        return
    shop = DateShop(cg, side)
    cart = Cart.of((yield from ask(cart_question(cg, side))))
    for wanted in cart.groups:
        line = shop.line(wanted.key)
        assert line is not None, "the cart was checked"
        yield from _bought(shop, line, wanted, shop.price(line, wanted.way))
    yield from _observers(cg, side, cart)
    yield from _registered(cg, side, cart)


# The question -----------------------------------------------------------------------------------


def cart_question(cg: Hasl, side: str) -> Question:
    """Return the question for all purchases of a side."""
    shop = DateShop(cg, side)
    fields = [
        Field("rg", Choice(tuple(shop.option(offer) for offer in shop.offers())), "Group"),
        Field("arrival", arrival_choice(cg, side), "How it comes, if it brings units", ""),
        Field("count", Number(1, MOST_OF_ONE), "How many", 1),
        Field("area", place_choice(cg, side), "Setup Area or Entry Area", ""),
    ]
    if named := dict.fromkeys(filter(None, (wants_hex(cg, side, x) for x in cg.lines(side)))):
        fields.append(Field("objective", Text(limit=12), " or ".join(named).capitalize(), ""))
    if able := [what for line in cg.lines(side) for what in equipments(cg, side, line)]:
        fields.append(Field("equipment", Choice.of("", *dict.fromkeys(able)), "What directs it, for OBA", ""))
    help_ = "One row for each group: its line, how it comes and where, how many. You keep CPP that you do not spend."
    groups = Field("groups", Rows(Record(tuple(fields)), most=60), "Reinforcement groups", [])
    return shop.question(f"What do you buy for {cg.date.title}?", (groups,), help_)


def arrival_choice(cg: Hasl, side: str) -> Choice:
    """Return the ways in which any group of a side can come, with "" for those without units.

    Without a chart: the ways of any group that can set up on the map.
    """
    lines = cg.lines(side) or (entered_line(Kind.INFANTRY, "", 0, units={}, sw={}),)
    able = {way for line in lines for way in cg.variant.arrivals(cg, side, line)}
    ways = (Option(way.value, words) for way, words in DateShop.words.items() if way in able)
    return Choice((Option("", "-"), *ways))


def place_choice(cg: Hasl, side: str) -> Choice:
    """Return the places that can be recorded for groups of a side, with "" for none."""
    names = {"": "-"}
    names |= {name: f"Entry Area {name}" for name in cg.arrows(side)}
    names |= {area.name: f"Setup Area {area.name}" for area in cg.state.areas_of(side) if not area.isolated}
    return Choice(tuple(Option(value, label) for value, label in names.items()))


# What follows -----------------------------------------------------------------------------------


def _bought(shop: DateShop, line: RgLine, wanted: Wanted, paid: int) -> Iterator[Fact]:
    """Let the groups of a row join, each for its price."""
    for _ in range(wanted.count):
        yield from group_joins(
            shop.cg,
            shop.side,
            line,
            wanted.way,
            wanted.area,
            cost=paid,
            equipment=wanted.equipment,
            objective="" if line.special == REGISTRATION else wanted.objective,
            why=shop.why(line, wanted.way, paid),
        )


def _observers(cg: Hasl, side: str, cart: Cart) -> Iterator[Fact]:
    """Give Offboard Observers that no module bought with them takes to Retained ones."""
    bought = DateShop(cg, side).count(cart, OBSERVERS)
    spare = bought - sum(w.count for w in cart.groups if w.equipment == OBSERVER)
    for module in [one for one in modules_of(cg, side) if one.equipment != OBSERVER][:spare]:
        yield GroupChanged.of(module, f"{module.id}: an Offboard Observer is bought for it", equipment=OBSERVER)


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
        yield GroupChanged.of(module, f"{module.id}: Pre-Registered hex {name}", pre_registered=(name,))


# Without a chart ----------------------------------------------------------------------------------


def _entering(cg: Hasl, side: str) -> Procedure[None]:
    shop = DateShop(cg, side)
    while True:
        answer = yield from ask(_entering_question(shop))
        groups = [entered(cg, side, item) for item in answer["groups"]]
        lines = [(group.line, group.wanted.count) for group in groups]
        doubts = list(cg.variant.entered_doubts(cg, side, lines))
        if not doubts or (yield from ask(_doubts_question(side, doubts))):
            break
    for group in groups:
        yield from _bought(shop, group.line, group.wanted, group.line.cost)


def _entering_question(shop: DateShop) -> Question:
    cg, side, held = shop.cg, shop.side, shop.held
    row = entered_row(cg, side, place_choice(cg, side), arrival_choice(cg, side))

    def totals(answer: Mapping[str, Any]) -> tuple[Total, ...]:
        each = each_row("groups", answer["groups"], lambda row: row["cost"] * row["count"])
        return (Total("CPP", sum(each.values()), held, each),)

    def suggest(rng: Random) -> dict[str, Any]:
        return {"groups": suggest_entered(cg, side, rng)}

    field = Field("groups", Rows(row, most=60), "Reinforcement groups", [])
    return replace(
        shop.question(
            f"What do you buy for {cg.date.title}?",
            (field,),
            "The RG chart of this side is not filled in: enter each group with what it costs and brings by the "
            "module's own chart. You keep to its limits yourself.",
        ),
        check=lambda answer: entered_problems(cg, side, answer["groups"]),
        suggest=suggest,
        totals=totals,
        irrevocable=lambda answer: nothing_bought(answer["groups"], held, "CPP"),
        offers=None,
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
        help="No lets you buy again.",
    )
