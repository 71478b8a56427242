"""Air Support: a DR against the nation's number, then bought or not (DYO H1.531)."""

from __future__ import annotations

from laager.base import Problem
from laager.campaign import Procedure, Question, YesNo, ask, roll, step
from laager.catalogue.dyo import Unknown as NotEntered
from laager.dice import Dice
from laager.rules.design_your_own.air import air_breaches, air_number, air_price, bomb_exponent, odds_air
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import AirSupportSettled
from laager.rules.design_your_own.ob import AirEntry
from laager.rules.design_your_own.reckoning import Breach, Reckoning
from laager.rules.design_your_own.steps.buying import taken_words, too_dear
from laager.rules.design_your_own.steps.ordnance import dr_question


@step("DYO H1.531", "Air Support", each_side=True, also=("DYO H1.531-T", "DYO H1.531-n^"))
def air_support(cg: Cg, side: str) -> Procedure[None]:
    """Once a side may roll for Air Support, and buy what the DR allows."""
    if cg.reading("air-time") == "after-oba":
        yield from _rolled_for(cg, side)


@step("DYO H1.531", "Air Support, first", each_side=True, also=("DYO H1.531-T", "DYO H1.531-n^"))
def air_support_first(cg: Cg, side: str) -> Procedure[None]:
    """The same before the first OBA DR, for those who roll for it then."""
    if cg.reading("air-time") == "before-oba":
        yield from _rolled_for(cg, side)


def _rolled_for(cg: Cg, side: str) -> Procedure[None]:
    number, price = number_of(cg, side), air_price(cg.month.year, chosen=cg.chosen)
    barred = barred_from_air(cg, side)
    if number is None or price is None or barred:
        return
    chance = odds_air(number)[True]
    odds = f"Number {number.value}: {chance * 36}/36; Air Support costs {price}."
    question = dr_question(cg, side, "air-support", "Air Support", "DYO H1.531", odds, default=False)
    if not (yield from ask(question)):
        return
    rolled = yield from roll(side, "Air Support", Dice.DR, secret=True)
    entry = AirEntry(dr=evidence(rolled), number=number.value, exponent=exponent(cg, side))
    why = f"DR {rolled.final} against {number.why}"
    offered = rolled.final <= number.value and not too_dear(cg, side, price, "it")
    if offered and (yield from ask(_question(cg, side, price))):
        entry = entry.model_copy(update={"bought": True, "cost": price})
    yield AirSupportSettled(side=side, entry=entry, why=why, to=(side,))


def barred_from_air(cg: Cg, side: str) -> tuple[Breach, ...]:
    """Return why a side cannot have Air Support; a number of its own needs no row."""
    return air_breaches(
        cg.group(side), cg.month.year, number=number_of(cg, side), weather=cg.state.weather, chosen=cg.chosen
    )


def number_of(cg: Cg, side: str) -> Reckoning | None:
    """Return a side's Air Support Number: the catalogue's if it has one, else the chart's."""
    own = cg.nation(side).air(cg.month).number
    if isinstance(own, int):
        return Reckoning.of(own, "by the catalogue", "DYO H1.531-T")
    return air_number(cg.row(side, "air_row"), cg.month.year, cg.enemy(side), chosen=cg.chosen)


def exponent(cg: Cg, side: str) -> int | None:
    """Return the bomb exponent, None where the chart has lost it."""
    own = cg.nation(side).air(cg.month).exponent
    supplied = None if isinstance(own, NotEntered) else own
    found = bomb_exponent(cg.row(side, "air_row"), cg.month.year, supplied)
    return found if isinstance(found, int) else None


def _question(cg: Cg, side: str, price: int) -> Question:
    return Question(
        key="air-support",
        side=side,
        text=f"Do you buy Air Support for {price}? You have {cg.left(side)} points.",
        form=YesNo(),
        rule="DYO H1.531",
        secret=True,
        default=False,
        help="Now or never.",
        check=lambda wanted: _dear(cg, side, price) if wanted else [],
        irrevocable=lambda wanted: taken_words(cg, side, price if wanted else 0),
        nothing="Decline it",
    )


def _dear(cg: Cg, side: str, price: int) -> list[Problem]:
    short = too_dear(cg, side, price, "Air Support")
    return [short.problem()] if short else []
