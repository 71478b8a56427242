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
from laager.catalogue.dyo import UNKNOWN, Battery, Given, ObaOption
from laager.catalogue.dyo import Unknown as NotEntered
from laager.dice import Dice
from laager.rules.design_your_own.answers import Breach, Calculation, Reason
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import AirSupportSettled, BatterySettled, ValuesGiven
from laager.rules.design_your_own.lines.oba import Extra as Cost
from laager.rules.design_your_own.lines.oba import (
    air_breaches,
    air_number,
    air_price,
    battery_cost,
    bomb_exponent,
    oba_drs,
    observation_plane_breaches,
    odds_air,
)
from laager.rules.design_your_own.lines.pieces import id_letters
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry, Dr, Extra
from laager.rules.design_your_own.state import GivenValue
from laager.rules.design_your_own.steps.buying import taken_words, too_dear
from laager.rules.design_your_own.steps.missing import fill_gaps
from laager.rules.design_your_own.steps.ordnance import dr_question

AMMUNITION = ("plentiful", "scarce")
PLANE = "observation plane"
NO_EXTRAS = (*AMMUNITION, "field phone")
"""Options of the catalogue that have a place of their own in the form."""


@step("DYO H1.5", "OBA", each_side=True, edition=2, also=("DYO H1.51", "DYO H1.52", "DYO H1.53"))
def oba(cg: Cg, side: str) -> Procedure[None]:
    """One DR for every 600 points; each battery is settled before the next DR."""
    entitled = int(oba_drs(cg.ob(side).allotment))
    chart = ("oba",) if entitled else ()
    yield from fill_gaps(cg, side, "DYO H1.5", "oba_options", "op_tanks", whole=chart)
    for number in range(1, entitled + 1):
        odds = f"DR {number} of {entitled}; the dearest battery costs {dearest(cg, side)}."
        if not (yield from ask(dr_question(cg, side, "oba", "OBA", "DYO H1.5", odds))):
            return
        rolled = yield from roll(side, f"OBA, DR {number} of {entitled}", Dice.DR, secret=True)
        dr = evidence(rolled)
        offer = yield from _offered(cg, side, rolled.final)
        if offer is None or not isinstance(offer.bpv, int):
            why = "the chart has no battery for it" if offer is None else "its BPV is not known"
            yield BatterySettled(side=side, entry=BatteryEntry(dr=dr), why=why, to=(side,))
            continue
        yield from _settled(cg, side, dr, offer, offer.bpv)


def dearest(cg: Cg, side: str) -> str:
    """Return the bottom line of a side's chart for the year, or that nobody knows it."""
    chart = cg.nation(side).oba_chart(cg.month)
    found = chart.worst if chart.max_bpv is UNKNOWN else chart.max_bpv
    return "an unknown number of" if found is UNKNOWN else str(found)


def _offered(cg: Cg, side: str, final: int) -> Procedure[Battery | None]:
    """Return the battery of a DR, None for none; asked if the catalogue lacks the cell."""
    chart = cg.nation(side).oba_chart(cg.month)
    offer = chart.at(final)
    if offer is UNKNOWN or (isinstance(offer, Battery) and offer.bpv is UNKNOWN):
        text = yield from ask(_cell_question(cg, side, chart.year, final))
        given = GivenValue(section="oba", type=str(chart.year), field=str(final), value=text)
        why = "told by the players"
        yield ValuesGiven(side=side, values=(given,), why=why, rule="DYO H1.51", to=(side,))
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
    told = Given(cg.terms.side(side).nation, "oba", str(year), str(final), text)
    try:
        filled = cg.catalogue.with_values([told])
    except DataError as err:
        return [Problem(problem.what, problem.right) for problem in err.problems]
    cell = filled.nation(told.nation).oba_chart(cg.month).at(final)
    if cell is None or (isinstance(cell, Battery) and isinstance(cell.bpv, int)):
        return []
    return [Problem("the BPV is missing", "write size and BPV, such as 70+ 63, or none")]


def _settled(cg: Cg, side: str, dr: Dr, offer: Battery, bpv: int) -> Procedure[None]:
    """Buy or decline the battery that a DR offers; one that is too dear is not asked about."""
    entry = BatteryEntry(dr=dr, size=offer.size, sort=offer.letter, bpv=bpv)
    short = too_dear(cg, side, bpv, "it")
    if short and not _cheaper(cg, side, bpv):
        why = f"it costs {bpv} and {cg.left(side)} points are left (DYO H1.51)"
        yield BatterySettled(side=side, entry=entry, why=why, to=(side,))
        return
    answer = yield from ask(_question(cg, side, offer, bpv))
    if not answer["buy"]:
        yield BatterySettled(side=side, entry=entry, why="declined", to=(side,))
        return
    made = bought(cg, side, entry, answer)
    why = total(cg, side, bpv, answer).why
    yield BatterySettled(side=side, entry=made, why=why, to=(side,))


# The question -----------------------------------------------------------------------------------


def options(cg: Cg, side: str) -> Mapping[str, ObaOption]:
    """Return the further costs of OBA at the date whose price is known, by name (DYO H1.53).

    An Observation Plane is one of them if the catalogue has a price for it (DYO H1.532).
    """
    known = [
        option
        for option in cg.nation(side).oba_options(cg.month)
        if isinstance(option.bpv, int) or isinstance(option.percent, int)
    ]
    plane = cg.nation(side).air(cg.month).observation_plane
    if isinstance(plane, int):
        known.append(ObaOption(type=PLANE, bpv=plane, limit=1))
    return {option.type: option for option in known}


def _cheaper(cg: Cg, side: str, bpv: int) -> bool:
    """Whether scarce ammunition would make a battery affordable that is not."""
    scarce = options(cg, side).get("scarce")
    return scarce is not None and bpv + price(scarce, bpv, 1) <= cg.left(side)


def _costs(option: ObaOption, number: int) -> tuple[Cost, ...]:
    """Return an option of the catalogue, taken so many times, as the rules reckon it."""
    points = option.bpv if isinstance(option.bpv, int) else None
    percent = option.percent if isinstance(option.percent, int) and points is None else None
    return (Cost(option.type, points, percent),) * number


def price(option: ObaOption, bpv: int, number: int) -> int:
    """Return what an option adds to a battery."""
    found = battery_cost(bpv, extras=_costs(option, number))
    assert isinstance(found, Calculation)
    return found.value - bpv


def _question(cg: Cg, side: str, offer: Battery, bpv: int) -> Question:
    known = options(cg, side)
    kinds = [Option("", "normal ammunition"), Option("plentiful", "plentiful ammunition")]
    if "scarce" in known:
        kinds.append(Option("scarce", "scarce ammunition"))
    extras = tuple(
        Option(name, f"{name}: {price(option, bpv, 1)}") for name, option in known.items() if name not in NO_EXTRAS
    )
    fields = [
        Field("buy", YesNo(), "Buy it", False),
        Field("ammunition", Choice(tuple(kinds)), "Ammunition", ""),
        Field("contact", Choice(_CONTACT), "Contact", "radio"),
    ]
    if extras:
        row = Record((Field("name", Choice(extras), "What"), Field("number", Number(1, 20), "", 1)))
        fields.append(Field("extras", Rows(row, most=20), "Further costs", []))
    return Question(
        key="battery",
        side=side,
        text=f"The DR offers {offer.text} OBA for {bpv}; do you buy it? You have {cg.left(side)}.",
        form=Record(tuple(fields)),
        rule="DYO H1.51",
        secret=True,
        default={field.name: field.default for field in fields},
        help="Now or never. Plentiful ammunition costs a fifth more; radio or field phone is free.",
        check=lambda answer: _problems(cg, side, offer, bpv, answer),
        suggest=lambda rng: _suggest(cg, side, offer, bpv, rng),
        totals=lambda answer: _totals(cg, side, bpv, answer),
        irrevocable=lambda answer: taken_words(cg, side, _cost(cg, side, bpv, answer)),
        nothing="Decline it",
    )


def _cost(cg: Cg, side: str, bpv: int, answer: Mapping[str, Any]) -> int:
    return total(cg, side, bpv, answer).value if answer["buy"] else 0


def _totals(cg: Cg, side: str, bpv: int, answer: Mapping[str, Any]) -> tuple[Total, ...]:
    used = _cost(cg, side, bpv, answer)
    return (Total("points", used, cg.left(side)),)


_CONTACT = (Option("radio", "radio"), Option("phone", "field phone"))


def bought(cg: Cg, side: str, entry: BatteryEntry, answer: Mapping[str, Any]) -> BatteryEntry:
    """Return the battery as it is bought, with its letter and its price."""
    known = options(cg, side)
    extras = tuple(
        Extra(name=row["name"], number=row["number"], cost=price(known[row["name"]], entry.bpv, row["number"]))
        for row in answer.get("extras", ())
    )
    letter = id_letters(len(cg.ob(side).batteries), 1)
    return entry.model_copy(
        update={
            "bought": True,
            "letter": letter,
            "contact": answer["contact"],
            "ammunition": answer["ammunition"],
            "extras": extras,
            "total": total(cg, side, entry.bpv, answer).value,
        }
    )


def total(cg: Cg, side: str, bpv: int, answer: Mapping[str, Any]) -> Calculation:
    """Return what a battery costs with its ammunition and further costs (DYO H1.53)."""
    known = options(cg, side)
    extras: list[Cost] = []
    if answer["ammunition"] == "scarce":
        extras += _costs(known["scarce"], 1)
    for row in answer.get("extras", ()):
        extras += _costs(known[row["name"]], row["number"])
    plentiful = answer["ammunition"] == "plentiful"
    found = battery_cost(bpv, plentiful=plentiful, extras=tuple(extras))
    assert isinstance(found, Calculation)
    return found


def _problems(cg: Cg, side: str, offer: Battery, bpv: int, answer: Mapping[str, Any]) -> list[Problem]:
    """Return everything that the rules have against buying a battery so."""
    if not answer["buy"]:
        return []
    found = [too_dear(cg, side, total(cg, side, bpv, answer).value, "the battery")]
    wanted: dict[str, int] = {}
    for row in answer.get("extras", ()):
        wanted[row["name"]] = wanted.get(row["name"], 0) + row["number"]
    found += [_limit_breach(cg, side, name, number) for name, number in wanted.items()]
    if PLANE in wanted:
        mm = int(offer.size.rstrip("+"))
        found += observation_plane_breaches(cg.group(side), cg.month.year, mm)
    return [breach.problem() for breach in found if breach]


def _limit_breach(cg: Cg, side: str, name: str, number: int) -> Breach | None:
    """Say whether an option is taken more often than the catalogue allows."""
    option = options(cg, side)[name]
    had = 0
    if option.per == "side":
        extras = [extra for battery in cg.ob(side).batteries for extra in battery.extras]
        had = sum(extra.number for extra in extras if extra.name == name)
    if not isinstance(option.limit, int) or had + number <= option.limit:
        return None
    what = f"{had + number} x {name}"
    return Breach(Reason.LIMIT, "DYO H1.53", what, f"{option.limit} at most per {option.per}")


def _suggest(cg: Cg, side: str, offer: Battery, bpv: int, rng: Random) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "buy": rng.random() < 0.7,
        "ammunition": rng.choice(["", "", "plentiful"]),
        "contact": rng.choice(["radio", "phone"]),
    }
    names = [name for name in options(cg, side) if name not in NO_EXTRAS]
    if names:
        answer["extras"] = []
        if rng.random() < 0.4:
            answer["extras"] = [{"name": rng.choice(names), "number": 1}]
    if _problems(cg, side, offer, bpv, answer):
        answer["buy"] = False
    return answer


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
    if offered and (yield from ask(_air_question(cg, side, price))):
        entry = entry.model_copy(update={"bought": True, "cost": price})
    yield AirSupportSettled(side=side, entry=entry, why=why, to=(side,))


def barred_from_air(cg: Cg, side: str) -> tuple[Breach, ...]:
    """Return why a side cannot have Air Support; a number of its own needs no row."""
    return air_breaches(
        cg.group(side), cg.month.year, number=number_of(cg, side), weather=cg.state.weather, chosen=cg.chosen
    )


def number_of(cg: Cg, side: str) -> Calculation | None:
    """Return a side's Air Support Number: the catalogue's if it has one, else the chart's."""
    own = cg.nation(side).air(cg.month).number
    if isinstance(own, int):
        return Calculation.of(own, "by the catalogue", "DYO H1.531-T")
    return air_number(cg.row(side, "air_row"), cg.month.year, cg.enemy(side), chosen=cg.chosen)


def exponent(cg: Cg, side: str) -> int | None:
    """Return the bomb exponent, None where the chart has lost it."""
    own = cg.nation(side).air(cg.month).exponent
    supplied = None if isinstance(own, NotEntered) else own
    found = bomb_exponent(cg.row(side, "air_row"), cg.month.year, supplied)
    return found if isinstance(found, int) else None


def _air_question(cg: Cg, side: str, price: int) -> Question:
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
