"""OBA, one DR after the other, and Air Support; each is bought or declined (DYO H1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from laager.base import DataError, Problem
from laager.campaign import (
    Choice,
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
    roll,
    step,
)
from laager.catalogue.dyo import UNKNOWN, Battery, GivenEntry
from laager.dice import Dice
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import AirSupportSettled, BatterySettled, ValuesGiven
from laager.rules.design_your_own.lines import oba as rules
from laager.rules.design_your_own.lines import pieces
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry, Dr, Extra
from laager.rules.design_your_own.state import GivenValue
from laager.rules.design_your_own.steps.buying import problems, taken_words
from laager.rules.design_your_own.steps.missing import fill_gaps
from laager.rules.design_your_own.steps.ordnance import dr_question


@step("DYO H1.5", "OBA", each_side=True, edition=2)
def oba(cg: Cg, side: str) -> Procedure[None]:
    """One DR for every 600 points; each battery is settled before the next DR (H1.5)."""
    entitled = int(rules.oba_drs(cg.rulebook, cg.ob(side).allotment))
    chart = ("oba",) if entitled else ()
    yield from fill_gaps(cg, side, "DYO H1.5", "oba_options", "op_tanks", whole=chart)
    for number in range(1, entitled + 1):
        odds = f"DR {number} of {entitled}; the dearest battery costs {dearest(cg, side)}."
        if not (yield from ask(dr_question(cg, side, "oba", "OBA", "DYO H1.5", odds))):
            return
        rolled = yield from roll(side, f"OBA, DR {number} of {entitled}", Dice.DR, secret=True)
        dr = evidence(rolled)
        offer = yield from _offer_of_dr(cg, side, rolled.final)
        if offer is None or not isinstance(offer.bpv, int):
            why = "the chart has no battery for it" if offer is None else "its BPV is not known"
            yield BatterySettled(side=side, entry=BatteryEntry(dr=dr), why=why, to=(side,))
            continue
        yield from _settle_battery(cg, side, dr, offer, offer.bpv)


def dearest(cg: Cg, side: str) -> str:
    """Return the bottom line of a side's chart for the year, or that nobody knows it."""
    chart = cg.nation(side).oba_chart(cg.month)
    bpv = chart.worst if chart.max_bpv is UNKNOWN else chart.max_bpv
    return "an unknown number of" if bpv is UNKNOWN else str(bpv)


def _offer_of_dr(cg: Cg, side: str, final: int) -> Procedure[Battery | None]:
    """Return the battery of a DR, None for none; asked if the catalogue lacks the cell."""
    chart = cg.nation(side).oba_chart(cg.month)
    offer = chart.at(final)
    if offer is UNKNOWN or (isinstance(offer, Battery) and offer.bpv is UNKNOWN):
        text = yield from ask(_cell_question(cg, side, chart.year, final))
        given = GivenValue(section="oba", type=str(chart.year), field=str(final), value=text)
        yield ValuesGiven(side=side, values=(given,), why="given by the players", rule="DYO H1.51", to=(side,))
        offer = cg.nation(side).oba_chart(cg.month).at(final)
    return offer if isinstance(offer, Battery) else None


def _cell_question(cg: Cg, side: str, year: int, final: int) -> Question:
    return Question(
        key="oba-cell",
        side=side,
        text=f"What does your OBA Availability Chart have for a DR of {final} in {year}?",
        form=Text(limit=20),
        rule="DYO H1.51",
        secret=True,
        default="none",
        help="Size and BPV, such as 70+ 63 or 80+M 92 (M mortars, R rockets), or none.",
        check=lambda text: _cell_problems(cg, side, year, final, text),
        suggest=lambda rng: rng.choice(["none", "70+ 63", "80+M 92"]),
    )


def _cell_problems(cg: Cg, side: str, year: int, final: int, text: str) -> list[Problem]:
    entered = GivenEntry(cg.terms.side(side).nation, "oba", str(year), str(final), text)
    try:
        filled = cg.catalogue.with_values([entered])
    except DataError as err:
        return [Problem(problem.what, problem.right) for problem in err.problems]
    cell = filled.nation(entered.nation).oba_chart(cg.month).at(final)
    if cell is None or (isinstance(cell, Battery) and isinstance(cell.bpv, int)):
        return []
    return [Problem("the BPV is missing", "write size and BPV, such as 70+ 63, or none")]


def _settle_battery(cg: Cg, side: str, dr: Dr, offer: Battery, bpv: int) -> Procedure[None]:
    """Buy or decline the battery that a DR offers; one that is too dear is not asked about."""
    entry = BatteryEntry(dr=dr, size=offer.size, sort=offer.letter, bpv=bpv)
    short = pieces.too_dear(cg, side, bpv, "it")
    if short and not _cheaper(cg, side, bpv):
        why = f"it costs {bpv} and {cg.points_left(side)} points are left (DYO H1.51)"
        yield BatterySettled(side=side, entry=entry, why=why, to=(side,))
        return
    answer = yield from ask(_question(cg, side, entry))
    if not answer["buy"]:
        yield BatterySettled(side=side, entry=entry, why="declined", to=(side,))
        return
    made = buy_battery(cg, side, entry, answer)
    yield BatterySettled(side=side, entry=made, why=rules.battery_line(cg, side, made)[1].why, to=(side,))


# The question -----------------------------------------------------------------------------------


def _cheaper(cg: Cg, side: str, bpv: int) -> bool:
    """True if scarce ammunition would make a battery affordable that is not."""
    scarce = rules.options(cg, side).get("scarce")
    return scarce is not None and bpv + rules.price(cg.rulebook, scarce, bpv, 1) <= cg.points_left(side)


def _question(cg: Cg, side: str, entry: BatteryEntry) -> Question:
    known = rules.options(cg, side)
    kinds = [Option("", "normal ammunition"), Option("plentiful", "plentiful ammunition")]
    if "scarce" in known:
        kinds.append(Option("scarce", "scarce ammunition"))
    extras = tuple(
        Option(name, f"{name}: {rules.price(cg.rulebook, option, entry.bpv, 1)}")
        for name, option in known.items()
        if name not in rules.NO_EXTRAS
    )
    fields = [
        Field("buy", YesNo(), "Buy it", False),
        Field("ammunition", Choice(tuple(kinds)), "Ammunition", ""),
        Field("contact", Choice(_CONTACT), "Contact", "radio"),
    ]
    if extras:
        row = Record((Field("name", Choice(extras), "What"), Field("number", Number(1, 20), "", 1)))
        fields.append(Field("extras", Rows(row, most=20), "Further costs", []))

    def cost(answer: Mapping[str, Any]) -> int:
        return buy_battery(cg, side, entry, answer).total if answer["buy"] else 0

    return Question(
        key="battery",
        side=side,
        text=f"Do you buy {entry.text} OBA for {entry.bpv}? You have {cg.points_left(side)} points.",
        form=Record(tuple(fields)),
        rule="DYO H1.51",
        secret=True,
        default={field.name: field.default for field in fields},
        help="Now or never. Plentiful ammunition costs a fifth more; radio or field phone is free.",
        check=lambda answer: _problems(cg, side, entry, answer),
        suggest=lambda rng: _suggest(cg, side, entry, rng),
        totals=lambda answer: (Total("points", cost(answer), cg.points_left(side)),),
        irrevocable=lambda answer: taken_words(cg, side, cost(answer)),
        nothing="Decline it",
    )


_CONTACT = (Option("radio", "radio"), Option("phone", "field phone"))


def buy_battery(cg: Cg, side: str, entry: BatteryEntry, answer: Mapping[str, Any]) -> BatteryEntry:
    """Return the bought battery, with its letter and its price."""
    chosen = {
        "bought": True,
        "letter": pieces.id_letters(len(cg.ob(side).batteries), 1),
        "contact": answer["contact"],
        "ammunition": answer["ammunition"],
        "extras": tuple(Extra(**row, cost=0) for row in answer.get("extras", ())),
    }
    return rules.battery_line(cg, side, entry.model_copy(update=chosen))[0]


def _problems(cg: Cg, side: str, entry: BatteryEntry, answer: Mapping[str, Any]) -> list[Problem]:
    """Return everything that the rules have against buying a battery with these options."""
    if not answer["buy"]:
        return []
    made = buy_battery(cg, side, entry, answer)
    had = cg.ob(side).batteries
    against = (breach for i, breach in rules.battery_breaches(cg, side, (*had, made)) if i == len(had))
    return problems(pieces.too_dear(cg, side, made.total, "the battery"), *against)


def _suggest(cg: Cg, side: str, entry: BatteryEntry, rng: Random) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "buy": rng.random() < 0.7,
        "ammunition": rng.choice(["", "", "plentiful"]),
        "contact": rng.choice(["radio", "phone"]),
    }
    names = [name for name in rules.options(cg, side) if name not in rules.NO_EXTRAS]
    if names:
        answer["extras"] = []
        if rng.random() < 0.4:
            answer["extras"] = [{"name": rng.choice(names), "number": 1}]
    if _problems(cg, side, entry, answer):
        answer["buy"] = False
    return answer


@step("DYO H1.531", "Air Support", each_side=True)
def air_support(cg: Cg, side: str) -> Procedure[None]:
    """Once a side may roll for Air Support, and buy what the DR allows (H1.531)."""
    if cg.reading("air-time") == "after-oba":
        yield from _rolled_for(cg, side)


@step("DYO H1.531", "Air Support, first", each_side=True)
def air_support_first(cg: Cg, side: str) -> Procedure[None]:
    """The same before the first OBA DR, for those who roll for it then (H1.531)."""
    if cg.reading("air-time") == "before-oba":
        yield from _rolled_for(cg, side)


def _rolled_for(cg: Cg, side: str) -> Procedure[None]:
    number, price = rules.number_of(cg, side), rules.air_price(cg.rulebook, cg.month.year)
    barred = rules.barred_from_air(cg, side)
    if number is None or price is None or barred:
        return
    chance = rules.odds_air(number)[True]
    odds = f"Number {number.value}: {chance * 36}/36; Air Support costs {price}."
    question = dr_question(cg, side, "air-support", "Air Support", "DYO H1.531", odds, default=False)
    if not (yield from ask(question)):
        return
    rolled = yield from roll(side, "Air Support", Dice.DR, secret=True)
    entry = AirEntry(dr=evidence(rolled), number=number.value, exponent=rules.exponent(cg, side))
    why = f"DR {rolled.final} against {number.why}"
    offered = rolled.final <= number.value and not pieces.too_dear(cg, side, price, "it")
    if offered and (yield from ask(_air_question(cg, side, price))):
        entry = entry.model_copy(update={"bought": True, "cost": price})
    yield AirSupportSettled(side=side, entry=entry, why=why, to=(side,))


def _air_question(cg: Cg, side: str, price: int) -> Question:
    return Question(
        key="air-support",
        side=side,
        text=f"Do you buy Air Support for {price}? You have {cg.points_left(side)} points.",
        form=YesNo(),
        rule="DYO H1.531",
        secret=True,
        default=False,
        help="Now or never.",
        check=lambda wanted: problems(pieces.too_dear(cg, side, price, "Air Support") if wanted else None),
        irrevocable=lambda wanted: taken_words(cg, side, price if wanted else 0),
        nothing="Decline it",
    )
