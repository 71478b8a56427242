"""Buying Recon, and inspecting Locations after setup (1.521, 1.524)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from laager.base import Problem
from laager.campaign import (
    Fact,
    Field,
    Number,
    Procedure,
    Question,
    Record,
    SecretQuestion,
    Text,
    YesNo,
    ask,
    implements,
    roll,
    step,
)
from laager.dice import Dice, Modifier
from laager.rules.board.changes import hide, reveal
from laager.rules.board.facts import FortJoined
from laager.rules.board.hasl.asking import chart_modifiers
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import CppChanged
from laager.rules.board.telling import tell
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import LocationInspected, ReconRolled, ReserveCountersPlaced, ReserveDummyPlaced
from laager.rules.edsons_ridge.recon import (
    UNLISTED,
    after,
    found_at,
    listed,
    locations,
    next_to_name,
    order_of,
    order_problems,
    place_problem,
    places,
    price,
)
from laager.rules.edsons_ridge.terrain import conceals

MOST_DRM = 6


@step("ER 1.521", "Recon")
def recon(cg: Er, side: str) -> Procedure[None]:
    """A side buys Recon or does not, and rolls for how many Locations; not at the start."""
    if cg.initial:
        return
    answer = yield from ask(recon_question(cg, side))
    order = order_of(cg, side, answer)
    if not order.wanted:
        return
    costs = price(cg, side, order)
    why = f"Recon: {order.cost} CPP" + (f", drm {costs - order.cost}" if order.bought else "")
    if costs:
        yield CppChanged(side=side, by=-costs, why=why, to=(side,))
    modifiers = [Modifier(order.bought, "bought", "ER 1.521")]
    modifiers += [Modifier(order.drm, "as the owner looked it up", "ER 1.521 DRM")]
    table = cg.chart_table("recon")
    if table is not None:
        modifiers += yield from chart_modifiers(table, side, "Recon", {}, secret=True)
    rolled = yield from roll(side, "Recon", Dice.dr, modifiers, secret=True)
    number = locations(rolled.final)
    yield ReconRolled(side=side, locations=number, why=str(rolled), to=(side,))


def recon_question(cg: Er, side: str) -> SecretQuestion:
    """Return the secret question whether a side buys Recon; asked whatever its CPP."""
    chart = listed(cg, side)
    most = (chart or UNLISTED).most
    fields = [Field("recon", YesNo(), "Buy Recon", False)]
    if chart is None:
        fields.append(Field("cost", Number(0, 99), "CPP that it costs", 0))
    fields.append(Field("bought", Number(0, most), "Drm bought, for CPP more", 0))
    if cg.chart_table("recon") is None:
        label = "All other drm that apply, added up"
        fields.append(Field("drm", Number(-MOST_DRM, MOST_DRM), label, 0))
    help_ = f"Recon costs {chart.cost} CPP, a drm of +1 {chart.drm_cost} more." if chart else ""
    default = {field.name: field.default for field in fields}
    return SecretQuestion(
        key="recon",
        side=side,
        text=f"Do you buy Recon for {cg.date.title}? {cg.state.side(side).cpp} CPP are left.",
        form=Record.of(*fields),
        default=default,
        irrevocable=lambda answer: "" if answer["recon"] else f"No Recon for {cg.date.title} then.",
        nothing="Buy no Recon",
        check=lambda answer: tuple(order_problems(cg, side, order_of(cg, side, answer))),
        suggest=lambda rng: default | {"recon": rng.random() < 0.5},
        help=help_ or "The chart of Recon is not filled in: its price and drm are the module's.",
    )


# Inspection ---------------------------------------------------------------------------------------


@step("ER 1.524", "Recon inspection")
def recon_inspection(cg: Hasl) -> Procedure[None]:
    """Both name Locations in turn, the Japanese first; what is there is shown."""
    assert isinstance(cg, Er)
    passed: frozenset[str] = frozenset()
    side = next_to_name(cg, passed, "")
    while side:
        text = yield from ask(location_question(cg, side))
        if text:
            yield from tell(inspected(cg, side, cg.map.main_location(text)))
        else:
            passed |= {side}
        side = next_to_name(cg, passed, side)


def location_question(cg: Er, side: str) -> Question:
    """Return the question which Location a side inspects next."""

    def check(text: str) -> tuple[Problem, ...]:
        problem = place_problem(cg, side, text) if text else None
        return () if problem is None else (problem,)

    def suggest(rng: Random) -> str:
        able = cg.sort(places(cg, side))
        return rng.choice(able) if able and rng.random() < 0.9 else ""

    return Question(
        key="inspection",
        side=side,
        text=f"Which Location do you inspect? {cg.state.recon_left(side)} are left.",
        form=Text(20),
        default="",
        check=check,
        suggest=suggest,
        help="Within six hexes of one of your Setup or Eligible Entry Areas; nothing to stop.",
    )


@implements("ER 1.524")
def inspected(cg: Er, side: str, at: str) -> Iterator[Fact]:
    """Everything in a Location is shown to the enemy; then it has back what it had, but HIP."""
    found = found_at(cg, side, at)
    dummies = [key for key, where in cg.state.dummies.items() if where == at and key[0] != side]
    words = found.words + ("Dummy counter",) * len(dummies)
    yield LocationInspected(side=side, at=at, found=words, why=f"Recon by the {cg.side(side).name}")
    for fort in found.forts:
        yield FortJoined(fort=fort.but(hidden=False), why="found by Recon")
    for owner, group in dummies:
        why = "a Dummy found by Recon"
        yield ReserveDummyPlaced(side=owner, group=group, at="", why=why, to=(owner,))
        left = list(cg.state.counters.get(owner, ()))
        if at in left:
            left.remove(at)
            yield ReserveCountersPlaced(side=owner, at=tuple(left), why=why)
    concealing = conceals(cg, at)
    fates = [after(cg, unit, concealing) for unit in found.units]
    for fate in fates:
        unit = cg.state.units[fate.unit.id]
        if fate.mark is None:
            yield from reveal(unit, "found by Recon outside Concealment Terrain")
        elif not unit.has(fate.mark) and not unit.with_unit:
            yield from hide(unit, fate.mark, "found by Recon, in Concealment Terrain")
