"""The acts of the acceptance cases that are legal or not, each by the rule that judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from laager.catalogue.kinds import Grade
from laager.rules.design_your_own.answers import Breach, Missing
from laager.rules.design_your_own.lines import fittings, infantry, oba, pieces, support, vehicles, works
from laager.rules.design_your_own.lines.infantry import Capability, InfantryLine
from laager.rules.design_your_own.lines.pieces import Category
from laager.rules.design_your_own.lines.works import Work
from laager.rules.design_your_own.nations import Group

Given = Mapping[str, Any]
Found = Iterable[Breach | Missing | None]

CATEGORIES = {category.words.casefold(): category for category in Category}

REASONS = {
    "nationality": "only against Japanese",
    "date": "before 1944",
    "capability": "Partisans",
    "reinforcements": "at least four",
}
"""What the cases call a reason that the rules have one word for."""


def done(given: Given) -> list[Category]:
    return [CATEGORIES[name.casefold()] for name in given["categories_done"]]


def counted(name: str, total: int | None = None) -> Callable[[Given], Found]:
    def judge(given: Given) -> Found:
        most = pieces.squad_counters() if total is None else given["listing_number"]
        extra = given["extra_pieces_agreed"]
        return [pieces.counter_breach(name, given["held"], 1, most, extra_pieces=extra)]

    return judge


def half(capability: Capability, all_: str, some: str) -> Callable[[Given], Found]:
    def judge(given: Given) -> Found:
        plain = given[all_] - given[some]
        return infantry.side_wide_breaches(
            [
                InfantryLine("with", Grade.ELITE, 10, given[some], frozenset({capability})),
                InfantryLine("without", Grade.ELITE, 10, plain),
            ]
        )

    return judge


def fortified(given: Given, *wanted: Work) -> Found:
    return works.works_breaches(
        wanted,
        group=Group.AMERICAN,
        enemy={"Japanese": Group.JAPANESE, "German": Group.GERMAN}.get(given.get("enemy", "")),
        year=given.get("year", 1944),
        boards=given.get("boards", 1),
        squads=10,
    )


def op_tank(given: Given) -> Found:
    tank = vehicles.op_tank("sherman-us-m4")
    assert tank is not None
    return vehicles.op_tank_breaches(
        tank,
        group=Group.AMERICAN,
        year=1900 + given["year"],
        motorized=given["motorized"],
        battery=given["battery"].split()[-1],
    )


def partisan_sappers(given: Given) -> Found:
    marks = frozenset({Capability.SAPPER})
    return infantry.line_breaches(InfantryLine(given["type"], Grade.FIRST_LINE, 6, 1, marks, partisan=True))


def announcing(given: Given) -> Found:
    finished = [side for side in ("own", "enemy") if given[f"{side}_second_done"]]
    return [pieces.announcing_breach(finished, ("own", "enemy"))]


def zero(given: Given) -> Found:
    return [
        pieces.order_breach([Category.INFANTRY, Category.ORDNANCE], Category.VEHICLES),
        pieces.points_breach(given["spent"], 0),
    ]


JUDGES: dict[str, Callable[[Given], Found]] = {
    "T01": lambda given: [pieces.order_breach(done(given), Category.VEHICLES)],
    "T04": op_tank,
    "T05": lambda given: [pieces.order_breach(done(given), Category.FORTIFICATIONS)],
    "T06": lambda given: [pieces.exchange_breach(given["recorded"][0]["type"])],
    "T07": lambda given: [pieces.reroll_breach("Availability DR", 1, 1)],
    "T08": zero,
    "T09": counted("4-6-7"),
    "T10": counted("4-6-7"),
    "T11": counted("X", 4),
    "T12": lambda given: [pieces.armament_breach("AAMG", given["equipped"], 1, given["optional_counters"])],
    "T13": lambda given: [infantry.not_for_sale(given["action"].removeprefix("buy "))],
    "T14": lambda given: [infantry.not_for_sale(given["action"].removeprefix("buy "))],
    "T15": lambda given: [oba.settle_breach(pending="neither" in given["first_result"])],
    "T18": half(Capability.SKI, "elite_mmc", "with_ski"),
    "T19": half(Capability.WINTER_CAMOUFLAGE, "mmc", "with_camouflage"),
    "T23": partisan_sappers,
    "T25": lambda given: fortified(given, Work("udt")),
    "T26": lambda given: fortified(given, Work("udt")),
    "T27": lambda given: fortified(given, Work("roadblock", given["roadblocks"] + 1)),
    "T28": lambda given: fortified(given, Work("minefield", given["factors"])),
    "T29": lambda given: fortified(given, Work("minefield", given["factors"])),
    "T32": lambda given: [pieces.reroll_breach("Leader Exchange DR", given["exchange_dr_made"], 1, "DYO H1.82")],
    "T33": lambda given: [
        support.reinforcement_breach(
            int(support.least_reinforcements(given["mpv_first"], given["mpv_second"], given["squads_second"])),
            given["reinforcements"],
            given["squads_second"],
        )
    ],
    "T34": lambda given: [fittings.placement_breach(given["trio"], given["placed_in"])],
    "T35": announcing,
}


def judge(id_: str, given: Given) -> dict[str, Any]:
    """Return whether an act is legal, and why not in the cases' words."""
    found = [breach for breach in JUDGES[id_](given) if isinstance(breach, Breach)]
    assert len(found) <= 1, "each case breaks one rule"
    if not found:
        return {"legal": True}
    reason = found[0].reason
    return {"legal": False, "reason": "one DR" if id_ == "T07" else REASONS.get(reason, reason)}
