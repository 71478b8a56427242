"""Purchasing reinforcements in secret (PL 2.3, 2.31, 2.33, 2.34, CG4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

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
    step,
)
from laager.rules.board.buying.nothing import nothing_bought
from laager.rules.platoon_leader.buying.groups import group_joins
from laager.rules.platoon_leader.buying.oba import PHONE, RADIO, modules
from laager.rules.platoon_leader.buying.offers import (
    Cart,
    Offer,
    Wanted,
    attack_refused,
    cart_problems,
    cost,
    must_attack,
    offers,
    patrol_limit,
    platoons_bought,
    price,
)
from laager.rules.platoon_leader.card.card import ReinforcementGroup, RgKind, Setup
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import AttackOptionTaken, CpChanged, GroupChanged, PatrolsChanged

MOST_OF_ONE = 20
"""A bound on the count of one row, so that a slip of the finger is told as such."""

SETUP_WORDS = {Setup.OFF_MAP: "off map", Setup.ON_MAP: "On Map", Setup.RESERVE: "In Reserve"}


@step("PL 2.3", "Purchases", each_side=True)
def purchasing(cg: Cg, side: str) -> Procedure[None]:
    """Each side fills one cart in secret; all of it is bought at once."""
    answer = yield from ask(cart_question(cg, side))
    cart = Cart.of(answer)
    for row, wanted in zip(answer["groups"], cart.groups, strict=True):
        for _ in range(wanted.count):
            yield from _bought(cg, side, wanted, row["equipment"])
    yield from _attack(cg, side, cart)
    yield from _patrols(cg, side, cart)
    yield from _registered(cg, side, cart)


# The question -----------------------------------------------------------------------------------


def cart_question(cg: Cg, side: str) -> Question:
    """Return the question for all purchases of a side.

    It is asked whatever the CP, because not being asked would tell the enemy how many there are.
    """
    fields = (Field("groups", Rows(_row(cg, side), most=40), "Reinforcement groups", []), *_options(cg, side))
    held = cg.state.side(side).cp
    return Question(
        key="purchases",
        side=side,
        text=f"What do you buy for this firefight? You have {held} CP.",
        form=Record(fields),
        rule="PL 2.3",
        secret=True,
        default={field.name: field.default for field in fields},
        help="One row for each group: its ID, its form of setup, how many. CP not spent are kept; "
        "CP are turned into FP later (PL 2.38).",
        check=lambda answer: cart_problems(cg, side, Cart.of(answer)),
        suggest=lambda rng: suggest_cart(cg, side, rng),
        totals=lambda answer: cart_totals(cg, side, answer),
        irrevocable=lambda answer: nothing_bought(cost(cg, side, Cart.of(answer)), held, "CP"),
        offers=lambda answer: [_option(one) for one in offers(cg, side, Cart.of(answer))],
    )


def cart_totals(cg: Cg, side: str, answer: Mapping[str, Any]) -> tuple[Total, ...]:
    """Return what a cart uses of the CP and of the infantry platoons that may be bought."""
    cart, rows = Cart.of(answer), answer["groups"]
    each = each_row("groups", rows, lambda row: cost(cg, side, Cart.of({"groups": [row]})))
    return (
        Total("CP", cost(cg, side, cart), cg.state.side(side).cp, each),
        Total("Infantry platoons", platoons_bought(cg, side, cart), cg.side(side).max_platoons),
    )


def _row(cg: Cg, side: str) -> Record:
    chart = tuple(_option(offer) for offer in offers(cg, side))
    setups = tuple(Option(setup.value, SETUP_WORDS[setup]) for setup in Setup)
    fields = [
        Field("rg", Choice(chart), "Group"),
        Field("setup", Choice(setups), "Setup", Setup.OFF_MAP.value),
        Field("count", Number(1, MOST_OF_ONE), "How many", 1),
    ]
    equipment = Choice((Option(RADIO, "radio"), Option(PHONE, "field phone")))
    fields.append(Field("equipment", equipment, "For OBA: radio or field phone", RADIO))
    return Record(tuple(fields))


def _option(offer: Offer) -> Option:
    prices = ", ".join(f"{SETUP_WORDS[item.setup]} {item.cost}" for item in offer.prices if not item.why_not)
    label = f"{offer.group.name}: {prices} CP" if prices else offer.group.name
    return Option(offer.group.id, label, offer.why_not)


def _options(cg: Cg, side: str) -> Iterator[Field]:
    card = cg.side(side)
    if not attack_refused(cg, side):
        label = f"Attack Option: {card.attack_cost} CP"
        yield Field("attack", YesNo(), label, must_attack(cg, side))
    limit = patrol_limit(cg, side)
    if limit:
        yield Field("patrols", Number(0, limit), f"Patrols: {card.patrol_cost} CP each", 0)
    if card.pre_registered:
        present = [{"hex": module.pre_registered} for module in modules(cg, side)]
        form = Rows(Record((Field("hex", Text(limit=12), "Hex"),)), most=20)
        kept = [row for row in present if row["hex"]]
        yield Field("pre_registered", form, "Pre-registered hexes, one per OBA module", kept)


def suggest_cart(cg: Cg, side: str, rng: Random) -> dict[str, Any]:
    """Return a legal cart filled by chance, for automatic play."""
    cart = Cart(attack=must_attack(cg, side))
    if not attack_refused(cg, side) and rng.random() < 0.5:
        cart = _if_legal(cg, side, cart, Cart(attack=True))
    if rng.random() < 0.3:
        cart = _if_legal(cg, side, cart, Cart(attack=cart.attack, patrols=1))
    while rng.random() < 0.75:
        free = [
            Wanted(offer.group.id, item.setup, 1)
            for offer in offers(cg, side, cart)
            for item in offer.prices
            if not item.why_not
        ]
        if not free:
            break
        more = Cart((*cart.groups, rng.choice(free)), cart.attack, cart.patrols)
        cart = _if_legal(cg, side, cart, more)
    rows = [{"rg": wanted.rg, "setup": wanted.setup.value, "count": 1} for wanted in cart.groups]
    answer: dict[str, Any] = {"groups": rows}
    if not attack_refused(cg, side):
        answer["attack"] = cart.attack
    if patrol_limit(cg, side):
        answer["patrols"] = cart.patrols
    return answer


def _if_legal(cg: Cg, side: str, old: Cart, new: Cart) -> Cart:
    return old if cart_problems(cg, side, new) else new


# What follows -----------------------------------------------------------------------------------


def _bought(cg: Cg, side: str, wanted: Wanted, equipment: str) -> Iterator[Fact]:
    line = cg.side(side).group(wanted.rg)
    assert line is not None, "the cart was checked"
    why = _why(cg, line, wanted.setup)
    is_oba = line.kind is RgKind.OBA
    paid = price(cg, line, wanted.setup)
    kit = equipment if is_oba else ""
    yield from group_joins(cg, side, line, wanted.setup, paid, equipment=kit, why=why)


def _why(cg: Cg, line: ReinforcementGroup, setup: Setup) -> str:
    paid = price(cg, line, setup)
    if paid == line.cost:
        return f"{line.name}, {SETUP_WORDS[setup]}: {paid} CP"
    change = f"{paid - line.cost:+d}"
    return f"{line.name}, {SETUP_WORDS[setup]}: {line.cost} {change} = {paid} CP (PL 2.34)"


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
    why = f"{cart.patrols} Patrols: {total} CP"
    yield PatrolsChanged(side=side, by=cart.patrols, rule="PL 2.31", why=why, to=(side,))
    if total:
        yield CpChanged(side=side, by=-total, rule="PL 2.31", why=why, to=(side,))


def _registered(cg: Cg, side: str, cart: Cart) -> Iterator[Fact]:
    """Give the modules their pre-registered hexes, in the order of the modules."""
    if not cg.side(side).pre_registered:
        return
    names = [cg.map.main(name) for name in cart.pre_registered]
    for number, module in enumerate(list(modules(cg, side))):
        name = names[number] if number < len(names) else ""
        if name == module.pre_registered:
            continue
        changes: Mapping[str, Any] = {"pre_registered": name}
        yield GroupChanged(
            side=side,
            group=module.id,
            changes=dict(changes),
            rule="PL CG4",
            why=f"{module.id}: pre-registered hex {name or 'none'}",
            to=(side,),
        )
