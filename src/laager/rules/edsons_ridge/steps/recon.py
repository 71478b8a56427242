"""Recon: what it costs, how much it brings, and inspecting Locations after setup (1.521, 1.524; GEO-8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

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
from laager.hexmap import recon_places, recon_problem
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import hide, is_unseen, reveal, sort_by_holder
from laager.rules.board.facts import FortJoined
from laager.rules.board.hasl.asking import ask_modifiers
from laager.rules.board.hasl.charts import Recon
from laager.rules.board.hasl.facts import CppChanged
from laager.rules.board.places import place_problem as location_problem
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.edsons_ridge.facts import LocationInspected, ReconRolled, ReserveCountersPlaced, ReserveDummyPlaced
from laager.rules.edsons_ridge.terrain import is_concealing

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

UNLISTED_PRICES = Recon(cost=0, drm_cost=1, most=1)
"""Prices if the chart isn't filled in: a DRM costs one CPP, and the players are asked for the rest."""


@dataclass(frozen=True)
class ReconOrder:
    """A side's order of Recon: if it wants any, the base cost, the DRM bought and those that apply."""

    wanted: bool
    cost: int = 0
    bought: int = 0
    drm: int = 0


def listed_prices(cg: Er, side: str) -> Recon | None:
    """Return a side's prices of Recon; None if its chart isn't filled in."""
    return cg.side_charts(side).recon


@implements("ER 1.521 DRM")
def read_order(cg: Er, side: str, answer: Mapping[str, object]) -> ReconOrder:
    """Return the order that an answer describes."""
    chart = listed_prices(cg, side)
    cost = chart.cost if chart is not None else int(str(answer.get("cost", 0)))
    return ReconOrder(bool(answer["recon"]), cost, int(str(answer.get("bought", 0))), int(str(answer.get("drm", 0))))


@implements("ER 1.521")
def recon_price(cg: Er, side: str, order: ReconOrder) -> int:
    """Return the CPP that Recon costs: its own, and those for a drm that is bought."""
    if not order.wanted:
        return 0
    return order.cost + order.bought * (listed_prices(cg, side) or UNLISTED_PRICES).drm_cost


@implements("ER 1.521")
def order_problems(cg: Er, side: str, order: ReconOrder) -> Iterator[Problem]:
    """Yield why a side can't have Recon as it wants it."""
    if order.bought and not order.wanted:
        yield Problem("a drm is bought without Recon", "buy Recon, or no drm", "bought")
    held, costs = cg.state.side(side).cpp, recon_price(cg, side, order)
    if costs > held:
        yield Problem(f"Recon costs {costs} CPP", f"{held} CPP are left", "recon")


@implements("ER 1.521")
def locations_to_inspect(final: int) -> int:
    """Return how many Locations a Final dr lets a side inspect: 0 at least."""
    return max(0, final)


# Inspection ---------------------------------------------------------------------------------------


@implements("ER 1.524")
def next_side(cg: Er, passed: frozenset[str], last: str) -> str:
    """Return the side that names the next Location, in turn, the Japanese first; "" if none is left.

    `passed` are the sides that name no more, `last` is the side that named one last ("" at first).
    When one side has none left, the other goes on alone.
    """
    sides = [side for side in SIDES if cg.state.recon_left(side) > 0 and side not in passed]
    if not sides:
        return ""
    turn = SIDES[0] if not last else other_side(last)
    return turn if turn in sides else sides[0]


@implements("ER 1.524", "ER GEO-8")
def place_problem(cg: Er, side: str, location: str) -> Problem | None:
    """Return why a side may not inspect a Location; None if it may."""
    if wrong := location_problem(cg, side, location):
        return Problem(*wrong)
    at = cg.map.main_location(location)
    if at in cg.state.inspected_by(side):
        return Problem(f"{at} has been inspected", "name another one")
    return recon_problem(cg.map, at, cg.own_areas(side))


def inspectable_hexes(cg: Er, side: str) -> frozenset[str]:
    """Return the hexes in which a side may still inspect a Location at ground level."""
    return recon_places(cg.map, cg.own_areas(side)) - frozenset(cg.state.inspected_by(side))


@dataclass(frozen=True)
class LocationContents:
    """Units and hidden works in a Location; units in the order in which they are shown."""

    units: tuple[Unit, ...]
    forts: tuple[Fort, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The contents in words."""
        units = tuple(unit.label for unit in self.units)
        works = tuple(" ".join(filter(None, (f.kind, f.size))) for f in self.forts)
        return units + works


NO_WORKS = frozenset({"hip", "concealment"})
"""Kinds that are bought with FPP but aren't works on the map."""


@implements("ER 1.524")
def contents_of(cg: Er, side: str, location: str) -> LocationContents:
    """Return what a side finds in a Location: enemy units, and works that it did not know."""
    at, enemy = cg.map.main_location(location), other_side(side)
    units = [unit for unit in cg.state.at(at) if unit.side == enemy]
    forts = [
        fort
        for fort in cg.state.forts.values()
        if fort.side == enemy and fort.hidden and fort.kind not in NO_WORKS and fort.at is not None
        if cg.map.main_location(fort.at) == at
    ]
    return LocationContents(tuple(sort_by_holder(cg, units)), tuple(forts))


@implements("ER 1.524")
def marker_after(cg: Er, unit: Unit, concealing: bool) -> Mark | None:
    """Return the marker that a unit has again after inspection; None for none.

    Reserves are Cloaked again wherever they are. Units that were hidden or concealed are concealed again
    in Concealment Terrain (never HIP), else they stand in the open, as do units that weren't hidden.
    """
    if not is_unseen(cg, unit):
        return None
    if cg.is_reserve(unit):
        return Mark.CLOAKED
    if not concealing:
        return None
    return Mark.CLOAKED if unit.has(Mark.CLOAKED) else Mark.CONCEALED


MOST_DRM = 6


@step("ER 1.521", "Recon")
def recon(cg: Er, side: str) -> Procedure[None]:
    """A side can buy Recon, and then rolls for how many Locations; not in the Initial Scenario."""
    if cg.initial:
        return
    answer = yield from ask(recon_question(cg, side))
    order = read_order(cg, side, answer)
    if not order.wanted:
        return
    costs = recon_price(cg, side, order)
    why = f"Recon: {order.cost} CPP" + (f", drm {costs - order.cost}" if order.bought else "")
    if costs:
        yield CppChanged(side=side, by=-costs, why=why, to=(side,))
    modifiers = [Modifier(order.bought, "bought", "ER 1.521")]
    modifiers += [Modifier(order.drm, "as the owner looked it up", "ER 1.521 DRM")]
    table = cg.chart_table("recon")
    if table is not None:
        modifiers += yield from ask_modifiers(table, side, "Recon", {}, secret=True)
    rolled = yield from roll(side, "Recon", Dice.dr, modifiers, secret=True, table="recon")
    number = locations_to_inspect(rolled.final)
    yield ReconRolled(side=side, locations=number, why=str(rolled), to=(side,))


def recon_question(cg: Er, side: str) -> SecretQuestion:
    """Ask a side in secret if it buys Recon, whatever CPP it has."""
    chart = listed_prices(cg, side)
    most = (chart or UNLISTED_PRICES).most
    fields = [Field("recon", YesNo(), "Buy Recon", False)]
    if chart is None:
        fields.append(Field("cost", Number(0, 99), "CPP that it costs", 0))
    fields.append(Field("bought", Number(0, most), "Drm bought, for CPP more", 0))
    if cg.chart_table("recon") is None:
        label = "All other drm that apply, added up"
        fields.append(Field("drm", Number(-MOST_DRM, MOST_DRM), label, 0))
    help_ = f"Recon costs {chart.cost} CPP, a drm of +1 {chart.drm_cost} more." if chart else ""
    form = Record.of(*fields)
    return SecretQuestion(
        key="recon",
        side=side,
        text=f"Buy Recon for {cg.date.title}? You have {cg.state.side(side).cpp} CPP left.",
        form=form,
        irrevocable=lambda answer: "" if answer["recon"] else f"No Recon for {cg.date.title} then.",
        nothing="Buy no Recon",
        check=lambda answer: tuple(order_problems(cg, side, read_order(cg, side, answer))),
        suggest=lambda rng: form.blank | {"recon": rng.random() < 0.5},
        help=help_ or "The chart of Recon isn't filled in: take price and drm from the module.",
    )


# Inspection ---------------------------------------------------------------------------------------


@step("ER 1.524", "Recon inspection")
def recon_inspection(cg: Er) -> Procedure[None]:
    """The sides name Locations in turn, the Japanese first; what is there is shown."""
    passed: frozenset[str] = frozenset()
    side = next_side(cg, passed, "")
    while side:
        text = yield from ask(location_question(cg, side))
        if text:
            yield from yield_facts(inspect_location(cg, side, cg.map.main_location(text)))
        else:
            passed |= {side}
        side = next_side(cg, passed, side)


def location_question(cg: Er, side: str) -> Question:
    """Return the question which Location a side inspects next."""

    def check(text: str) -> tuple[Problem, ...]:
        problem = place_problem(cg, side, text) if text else None
        return () if problem is None else (problem,)

    def suggest(rng: Random) -> str:
        able = cg.sort(inspectable_hexes(cg, side))
        return rng.choice(able) if able and rng.random() < 0.9 else ""

    return Question(
        key="inspection",
        side=side,
        text=f"Which Location do you inspect? You have {cg.state.recon_left(side)} left.",
        form=Text(20),
        default="",
        check=check,
        suggest=suggest,
        help="Within six hexes of one of your Setup or Eligible Entry Areas; nothing to stop.",
    )


@implements("ER 1.524")
def inspect_location(cg: Er, side: str, at: str) -> Iterator[Fact]:
    """Yield that the enemy sees everything in a Location, and that units are hidden again as before, except by HIP."""
    contents = contents_of(cg, side, at)
    dummies = [key for key, dummy_at in cg.state.dummies.items() if dummy_at == at and key[0] != side]
    words = contents.words + ("Dummy counter",) * len(dummies)
    yield LocationInspected(side=side, at=at, found=words, why=f"Recon by the {cg.side(side).name}")
    for fort in contents.forts:
        yield FortJoined(fort=fort.but(hidden=False), why="found by Recon")
    for owner, group in dummies:
        why = "a Dummy found by Recon"
        yield ReserveDummyPlaced(side=owner, group=group, at="", why=why, to=(owner,))
        left = list(cg.state.counters.get(owner, ()))
        if at in left:
            left.remove(at)
            yield ReserveCountersPlaced(side=owner, at=tuple(left), why=why)
    concealing = is_concealing(cg, at)
    marks = [(unit.id, marker_after(cg, unit, concealing)) for unit in contents.units]
    for name, mark in marks:
        unit = cg.state.units[name]
        if mark is None:
            yield from reveal(unit, "found by Recon outside Concealment Terrain")
        elif not unit.has(mark) and not unit.with_unit:
            yield from hide(unit, mark, "found by Recon, in Concealment Terrain")
