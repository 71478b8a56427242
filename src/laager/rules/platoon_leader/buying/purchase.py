"""Purchasing reinforcements in secret (PL 2.3, 2.31, 2.33, 2.34, CG4)."""

from __future__ import annotations

from collections.abc import Iterator

from laager.base.counting import count_of
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
    YesNo,
    ask,
    step,
)
from laager.rules.board.buying.shop import MOST_OF_ONE
from laager.rules.board.facts import GroupChanged
from laager.rules.platoon_leader.buying.groups import group_joins
from laager.rules.platoon_leader.buying.oba import PHONE, RADIO, modules
from laager.rules.platoon_leader.buying.offers import (
    Cart,
    FirefightShop,
    Wanted,
    attack_refused,
    must_attack,
    patrol_limit,
)
from laager.rules.platoon_leader.card.card import RgKind, Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import AttackOptionTaken, CpChanged, PatrolsChanged


@step("PL 2.3", "Purchases", each_side=True)
def purchasing(cg: Cg, side: str) -> Procedure[None]:
    """Each side fills one cart in secret, and buys all of it at once."""
    cart = Cart.of((yield from ask(cart_question(cg, side))))
    for wanted in cart.groups:
        for _ in range(wanted.count):
            yield from _buy(FirefightShop(cg, side), wanted)
    yield from _attack(cg, side, cart)
    yield from _patrols(cg, side, cart)
    yield from _pre_register(cg, side, cart)


def cart_question(cg: Cg, side: str) -> Question:
    """Return the question for all purchases of a side."""
    shop = FirefightShop(cg, side)
    modules_sold = frozenset(line.id for line in shop.lines if line.kind is RgKind.OBA)
    row = Record.of(
        Field("rg", Choice(tuple(shop.option(offer) for offer in shop.offers())), "Group"),
        Field("setup", _setup_choice(shop), "Setup", Setup.OFF_MAP.value),
        Field("count", Number(1, MOST_OF_ONE), "How many", 1),
        Field(
            "equipment",
            Choice((Option(RADIO, "radio"), Option(PHONE, "field phone"))),
            "For OBA",
            RADIO,
            only_for=modules_sold,
        ),
    )
    fields = (Field("groups", Rows(row, most=40), "Reinforcement groups", []), *_options(cg, side))
    help_ = (
        "One row for each group: its ID, its form of setup, how many. You keep CP that you do not spend; "
        "you turn CP into FP later (PL 2.38)."
    )
    return shop.question("What do you buy for this firefight?", fields, help_, "PL 2.3")


def _setup_choice(shop: FirefightShop) -> Choice:
    """Return the forms of setup; In Reserve can't be chosen by a side that has no Reserves."""
    own = shop.cg.side(shop.side)
    no_reserves = "" if own.reserves else f"the {own.name} have no Reserves here; buy it off-map or on-map"
    barred = {Setup.RESERVE: no_reserves}
    return Choice(tuple(Option(way.value, shop.words[way], barred.get(way, "")) for way in Setup))


def _options(cg: Cg, side: str) -> Iterator[Field]:
    card = cg.side(side)
    if not attack_refused(cg, side):
        yield Field("attack", YesNo(), f"Attack Option: {card.attack_cost} CP", must_attack(cg, side))
    if limit := patrol_limit(cg, side):
        yield Field("patrols", Number(0, limit), f"Patrols: {card.patrol_cost} CP each", 0)
    if card.pre_registered:
        form = Rows(Record((Field("hex", Text(limit=12), "Hex"),)), most=20)
        kept = [{"hex": module.pre_registered} for module in modules(cg, side) if module.pre_registered]
        yield Field("pre_registered", form, "Pre-registered hexes, one per OBA module", kept)


# What follows -----------------------------------------------------------------------------------


def _buy(shop: FirefightShop, wanted: Wanted) -> Iterator[Fact]:
    line = shop.line(wanted.key)
    assert line is not None, "the cart was checked"
    paid = shop.price(line, wanted.way)
    why = shop.price_in_words(line, wanted.way, paid)
    kit = wanted.equipment if line.kind is RgKind.OBA else ""
    yield from group_joins(shop.cg, shop.side, line, wanted.way, paid, equipment=kit, why=why)


def _attack(cg: Cg, side: str, cart: Cart) -> Iterator[Fact]:
    if not cart.attack:
        return
    price_ = cg.side(side).attack_cost
    why = f"Attack Option: {price_} CP"
    yield AttackOptionTaken(side=side, rule="PL 1.4 Attack Option", why=why, to=(side,))
    if price_:
        yield CpChanged(side=side, by=-price_, rule="PL 1.4 Attack Option", why=why, to=(side,))


def _patrols(cg: Cg, side: str, cart: Cart) -> Iterator[Fact]:
    if not cart.patrols:
        return
    total = cg.side(side).patrol_cost * cart.patrols
    why = f"{count_of(cart.patrols, 'Patrol')}: {total} CP"
    yield PatrolsChanged(side=side, by=cart.patrols, rule="PL 2.31", why=why, to=(side,))
    if total:
        yield CpChanged(side=side, by=-total, rule="PL 2.31", why=why, to=(side,))


def _pre_register(cg: Cg, side: str, cart: Cart) -> Iterator[Fact]:
    """Give the modules their pre-registered hexes, in the order of the modules."""
    if not cg.side(side).pre_registered:
        return
    names = [cg.map.main(name) for name in cart.pre_registered]
    for number, module in enumerate(list(modules(cg, side))):
        name = names[number] if number < len(names) else ""
        if name == module.pre_registered:
            continue
        why = f"{module.id}: pre-registered hex {name or 'none'}"
        yield GroupChanged.of(module, why, "PL CG4", pre_registered=name)
