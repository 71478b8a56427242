"""Buying reinforcement groups in secret, from the RG chart or without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    SecretQuestion,
    Text,
    Total,
    YesNo,
    ask,
    each_row,
    implements,
    step,
)
from laager.catalogue import Kind as UnitKind
from laager.rules.board.buying.shop import MOST_OF_ONE, cost_problems, nothing_bought
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.given_places import given_places
from laager.rules.board.hasl.buying.groups import (
    SW_KINDS,
    UNIT_KINDS,
    count_problems,
    counts_of,
    entered_line,
    join_group,
)
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
from laager.rules.board.hasl.buying.registered import given_hexes
from laager.rules.board.hasl.charts import WITH_UNITS, Kind, Module, RgLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.state import MAX_SAN

_KINDS = {
    Kind.INFANTRY: "Infantry",
    Kind.HEAVY_WEAPONS: "heavy weapons",
    Kind.AFV: "AFV",
    Kind.VEHICLE: "vehicles",
    Kind.GUN: "Guns",
    Kind.OBA: "OBA",
    Kind.MISCELLANEOUS: "miscellaneous",
    Kind.TRANSPORT: "transport",
    Kind.FORTIFICATION: "FPP",
    Kind.SAN: "SAN increase",
}
"""Types of groups, in words."""


@implements("ABtF 9.617", "ER 1.518")
@step("HASL 20", "Purchases")
def purchasing(cg: Hasl, side: str) -> Procedure[None]:
    """A side says where given groups come, then buys everything at once, in secret."""
    yield from given_places(cg, side)
    yield from given_hexes(cg, side)
    if cg.side_charts(side).rg is None:
        yield from _entering(cg, side)
        return
    shop = DateShop(cg, side)
    cart = Cart.of((yield from ask(cart_question(cg, side))))
    for wanted in cart.groups:
        line = shop.line(wanted.key)
        assert line is not None, "the cart was checked"
        yield from _join_groups(shop, line, wanted, shop.price(line, wanted.way))
    yield from _give_observers(cg, side, cart)
    yield from _register_hexes(cg, side, cart)


# The question -----------------------------------------------------------------------------------


def cart_question(cg: Hasl, side: str) -> Question:
    """Return the question for all purchases of a side."""
    shop = DateShop(cg, side)
    coming = frozenset(line.key for line in cg.lines(side) if cg.variant.arrivals(cg, side, line))
    wanted = {line.key: wants_hex(cg, side, line) for line in cg.lines(side)}
    directed = {line.key: equipments(cg, side, line) for line in cg.lines(side)}
    fields = [
        Field("rg", Choice(tuple(shop.option(offer) for offer in shop.offers())), "Group"),
        Field("arrival", arrival_choice(cg, side), "How it comes, if it brings units", "", only_for=coming),
        Field("count", Number(1, MOST_OF_ONE), "How many", 1),
        Field("area", place_choice(cg, side), "Setup Area or Entry Area", "", only_for=coming),
    ]
    if hexes := dict.fromkeys(filter(None, wanted.values())):
        only = frozenset(key for key, hex_ in wanted.items() if hex_)
        fields.append(Field("objective", Text(limit=12), " or ".join(hexes).capitalize(), "", only_for=only))
    if equipment := [name for names in directed.values() for name in names]:
        only, choice = frozenset(key for key, names in directed.items() if names), dict.fromkeys(equipment)
        fields.append(Field("equipment", Choice.of("", *choice), "What directs it, for OBA", "", only_for=only))
    help_ = "One row for each group: its line, how it comes and where, how many. You keep CPP that you do not spend."
    groups = Field("groups", Rows.of(*fields, most=60), "Reinforcement groups", [])
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
    return Choice.of_labels(names)


# What follows -----------------------------------------------------------------------------------


def _join_groups(shop: DateShop, line: RgLine, wanted: Wanted, paid: int) -> Iterator[Fact]:
    """Let the groups of a row join, each for its price."""
    for _ in range(wanted.count):
        yield from join_group(
            shop.cg,
            shop.side,
            line,
            wanted.way,
            wanted.area,
            cost=paid,
            equipment=wanted.equipment,
            objective="" if line.special == REGISTRATION else wanted.objective,
            why=shop.price_in_words(line, wanted.way, paid),
        )


def _give_observers(cg: Hasl, side: str, cart: Cart) -> Iterator[Fact]:
    """Give Offboard Observers that no module bought with them takes to Retained ones."""
    bought = DateShop(cg, side).count(cart, OBSERVERS)
    spare = bought - sum(w.count for w in cart.groups if w.equipment == OBSERVER)
    for module in [each for each in modules_of(cg, side) if each.equipment != OBSERVER][:spare]:
        yield GroupChanged.of(module, f"{module.id}: an Offboard Observer is bought for it", equipment=OBSERVER)


def _register_hexes(cg: Hasl, side: str, cart: Cart) -> Iterator[Fact]:
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
        groups = [read_entered(cg, side, item) for item in answer["groups"]]
        lines = [(group.line, group.wanted.count) for group in groups]
        doubts = list(cg.variant.unlisted_group_doubts(cg, side, lines))
        if not doubts or (yield from ask(_doubts_question(side, doubts))):
            break
    for group in groups:
        yield from _join_groups(shop, group.line, group.wanted, group.line.cost)


def _entering_question(shop: DateShop) -> Question:
    cg, side, held = shop.cg, shop.side, shop.points_held
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
    text = "; ".join(map(str, doubts)) + ". Does your chart allow it?"
    return SecretQuestion(
        "purchase-doubts", side, text, YesNo(), default=False, suggest=lambda rng: True, help="No lets you buy again."
    )


@dataclass(frozen=True)
class EnteredGroup:
    """A group as its owner enters it: the line that it would have on a chart, and how it comes."""

    line: RgLine
    wanted: Wanted


def read_entered(cg: Hasl, side: str, row: Mapping[str, Any]) -> EnteredGroup:
    """Return the group that a row of an answer describes."""
    nation = cg.nation(side)
    line = entered_line(
        Kind(row["kind"]),
        row["name"],
        row["cost"],
        formation=row.get("formation", ""),
        units=counts_of(row["units"], nation, UNIT_KINDS),
        sw=counts_of(row["sw"], nation, SW_KINDS),
        fpp=row["fpp"],
        san=row["san"],
        module=Module.model_construct(black=row["black"], red=row["red"]) if row["black"] else None,
    )
    return EnteredGroup(line, Wanted.of({**row, "rg": line.key}))


def entered_row(cg: Hasl, side: str, places: Choice, arrivals: Choice) -> Record:
    """Return the form of a row."""
    kinds = Choice.of_labels({kind.value: words for kind, words in _KINDS.items()})
    formations = cg.side(side).formations
    fields = [
        Field("name", Text(limit=60), "Group"),
        Field("kind", kinds, "Type"),
        Field("cost", Number(0, 99), "CPP for one, as it comes"),
        Field("count", Number(1, 20), "How many", 1),
    ]
    if formations:
        choice = Choice.of_labels({"": "none", **{formation.id: formation.name for formation in formations}})
        fields.append(Field("formation", choice, "Formation", ""))
    fields += [
        Field("units", Text(limit=200), "Units of one at Full Strength: 3 x 4-6-7", ""),
        Field("sw", Text(limit=200), "SW of one: LMG, 2 x DC", ""),
        Field("arrival", arrivals, "How it comes, if it brings units", ""),
        Field("area", places, "Setup Area or Entry Area", ""),
        Field("objective", Text(limit=12), "Objective hex, where one is recorded", ""),
        Field("fpp", Number(0, 99), "FPP, if it is of type F", 0),
        Field("san", Number(0, 3), "SAN increase, if it is of type S", 0),
        Field("black", Number(0, 20), "OBA: black chits of the Draw Pile", 0),
        Field("red", Number(0, 20), "OBA: red chits", 0),
        Field("equipment", Text(limit=12), "OBA: radio, phone or observer", ""),
    ]
    return Record.of(*fields)


# Checks ------------------------------------------------------------------------------------------


@implements("HASL 20")
def entered_problems(cg: Hasl, side: str, rows: Sequence[Mapping[str, Any]]) -> tuple[Problem, ...]:
    """Return what is wrong with groups entered by any chart."""
    problems: list[Problem] = []
    total = san = 0
    for number, row in enumerate(rows, 1):
        where = f"groups[{number}]"
        problems += _text_problems(cg, side, row, where)
        group = read_entered(cg, side, row)
        problems += _kind_problems(group.line, row, where)
        problems += (problem.inside(where) for problem in DateShop(cg, side).row_problems(group.line, group.wanted))
        total += group.line.cost * group.wanted.count
        san += group.line.san * group.wanted.count
    numbers = cg.state.side(side)
    if san and numbers.san + san > MAX_SAN:
        problems.append(Problem(f"This makes the SAN {numbers.san + san}", f"SAN can't exceed {MAX_SAN}", "groups"))
    return (*problems, *cost_problems(total, numbers.cpp, "CPP"))


def _text_problems(cg: Hasl, side: str, row: Mapping[str, Any], where: str) -> Iterator[Problem]:
    if not row["name"]:
        yield Problem("the group has no name", "name it as its chart does", f"{where}.name")
    for field, kinds in (("units", UNIT_KINDS), ("sw", SW_KINDS)):
        yield from count_problems(row[field], cg.nation(side), kinds, f"{where}.{field}")


def _kind_problems(line: RgLine, row: Mapping[str, Any], where: str) -> Iterator[Problem]:
    troops = line.kind in WITH_UNITS
    if troops and not row["units"]:
        yield Problem(f"{line.name} brings no units", "list them: 3 x 4-6-7", f"{where}.units")
    checks = (
        ("units", "units", troops),
        ("sw", "SW", troops),
        ("fpp", "FPP", line.kind is Kind.FORTIFICATION),
        ("san", "SAN increase", line.kind is Kind.SAN),
        ("black", "Draw Pile", line.kind is Kind.OBA),
        ("red", "Draw Pile", line.kind is Kind.OBA),
    )
    for field, words, fits in checks:
        if row[field] and not fits:
            fault = f"a group of type {line.kind} has no {words}"
            yield Problem(fault, "leave it out", f"{where}.{field}")
        elif fits and not row[field] and field in ("fpp", "san", "black"):
            yield Problem(f"{line.name} has no {words}", "say how much", f"{where}.{field}")


def suggest_entered(cg: Hasl, side: str, rng: Random) -> list[dict[str, Any]]:
    """Return rows entered by chance, for automatic play; nothing if chance finds none legal."""
    rows: list[dict[str, Any]] = []
    for _ in range(rng.randint(0, 3)):
        row = rng.choice((_some_infantry, _some_fpp, _some_oba))(cg, side, rng)
        if row is not None and not entered_problems(cg, side, [*rows, row]):
            rows.append(row)
    return rows


EMPTY: Mapping[str, Any] = {
    "count": 1,
    "units": "",
    "sw": "",
    "arrival": "",
    "area": "",
    "objective": "",
    "fpp": 0,
    "san": 0,
    "black": 0,
    "red": 0,
    "equipment": "",
}
"""The defaults of a row."""


def _some_infantry(cg: Hasl, side: str, rng: Random) -> dict[str, Any] | None:
    nation = cg.nation(side)
    squad = rng.choice(nation.types(UnitKind.SQUAD))
    line = entered_line(Kind.INFANTRY, "Platoon", 0, units={squad: 3}, sw={})
    ways = [(way, area) for way in cg.variant.arrivals(cg, side, line) for area in DateShop(cg, side).areas(line, way)]
    if not ways:
        return None
    way, area = rng.choice(ways)
    row: dict[str, Any] = {"name": "Platoon", "kind": "I", "cost": rng.randint(3, 7)}
    row |= {**EMPTY, "units": f"3 x {squad}", "arrival": way.value, "area": area}
    if rng.random() < 0.5:
        row["sw"] = rng.choice(nation.types(UnitKind.SW))
    if wants_hex(cg, side, line):
        row["objective"] = rng.choice(cg.map.in_order(cg.map.playable))
    return row


def _some_fpp(cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
    return {"name": "FPP", "kind": "F", "cost": rng.randint(2, 5), **EMPTY, "fpp": 12}


def _some_oba(cg: Hasl, side: str, rng: Random) -> dict[str, Any]:
    line = entered_line(Kind.OBA, "OBA", 0, units={}, sw={})
    able = equipments(cg, side, line)
    row: dict[str, Any] = {"name": "OBA", "kind": "O", "cost": rng.randint(4, 6), **EMPTY}
    return row | {"black": 8, "red": 2, "equipment": rng.choice(able) if able else ""}
