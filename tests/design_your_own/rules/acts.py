"""The acts of the acceptance cases that are legal or not, each by the rule that judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from laager.catalogue.kinds import Grade
from laager.rules.design_your_own.answers import Breach
from laager.rules.design_your_own.lines import fittings, infantry, pieces, support, vehicles, works
from laager.rules.design_your_own.lines.infantry import Capability, InfantryLine
from laager.rules.design_your_own.lines.works import WorkLine
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.sequence import CATEGORIES, SEQUENCES
from tests.design_your_own.rules.printed import PRINTED

Given = Mapping[str, Any]
Found = Iterable[Breach | str | None]

REASONS = {
    "nationality": "only against Japanese",
    "date": "before 1944",
    "capability": "Partisans",
    "reinforcements": "at least four",
}
"""What the cases call a reason that the rules have one word for."""


def in_order(given: Given, wanted: str) -> list[str]:
    """The sequence of play closes each category before it opens the next."""
    order = list(CATEGORIES)
    done = [name.casefold().replace(" ", "-") for name in given["categories_done"]]
    late = [name for name in done if order.index(name) >= order.index(wanted)]
    too_late = wanted == "fortifications" and "second-infantry" in late
    return ["too late" if too_late else "category order"] * bool(late)


def counted(name: str, total: int | None = None) -> Callable[[Given], Found]:
    def judge(given: Given) -> Found:
        most = PRINTED.charts.counters.squads_of_a_type if total is None else given["listing_number"]
        extra = given["extra_pieces_agreed"]
        return [pieces.counter_breach(name, given["held"] + 1, most, extra_pieces=extra)]

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


def fortified(given: Given, *wanted: WorkLine) -> Found:
    found = works.works_breaches(
        PRINTED,
        wanted,
        group=Group.AMERICAN,
        enemy={"Japanese": Group.JAPANESE, "German": Group.GERMAN}.get(given.get("enemy", "")),
        year=given.get("year", 1944),
        boards=given.get("boards", 1),
        squads=10,
    )
    return [breach for _, breach in found]


def op_tank(given: Given) -> Found:
    tank = next(one for one in vehicles.op_tanks(PRINTED, Group.AMERICAN) if one.id == "sherman-us-m4")
    return vehicles.op_tank_breaches(
        tank,
        group=Group.AMERICAN,
        year=1900 + given["year"],
        motorized=given["motorized"],
        battery=given["battery"].split()[-1],
    )


def partisan_sappers(given: Given) -> Found:
    marks = frozenset({Capability.SAPPER})
    return infantry.line_breaches(PRINTED, InfantryLine(given["type"], Grade.FIRST_LINE, 6, 1, marks, partisan=True))


def announcing(given: Given) -> list[str]:
    for steps in SEQUENCES.values():
        ids = [step.id for step in steps]
        assert all(ids.index(one) < ids.index("announcing") for one in ids if one.startswith("buying"))
    finished = given["own_second_done"] and given["enemy_second_done"]
    return [] if finished else ["both must be finished"]


def zero(given: Given) -> Found:
    assert not in_order({"categories_done": ["Infantry", "ordnance"]}, "vehicles")
    return [pieces.points_breach(given["spent"], 0)]


JUDGES: dict[str, Callable[[Given], Found]] = {
    "T01": lambda given: in_order(given, "vehicles"),
    "T04": op_tank,
    "T05": lambda given: in_order(given, "fortifications"),
    "T08": zero,
    "T09": counted("4-6-7"),
    "T10": counted("4-6-7"),
    "T11": counted("X", 4),
    "T12": lambda given: [pieces.armament_breach("AAMG", given["equipped"] + 1, given["optional_counters"])],
    "T13": lambda given: [infantry.not_for_sale(given["action"].removeprefix("buy "))],
    "T14": lambda given: [infantry.not_for_sale(given["action"].removeprefix("buy "))],
    "T18": half(Capability.SKI, "elite_mmc", "with_ski"),
    "T19": half(Capability.WINTER_CAMOUFLAGE, "mmc", "with_camouflage"),
    "T23": partisan_sappers,
    "T25": lambda given: fortified(given, WorkLine("udt")),
    "T26": lambda given: fortified(given, WorkLine("udt")),
    "T27": lambda given: fortified(given, WorkLine("roadblock", given["roadblocks"] + 1)),
    "T28": lambda given: fortified(given, WorkLine("minefield", given["factors"])),
    "T29": lambda given: fortified(given, WorkLine("minefield", given["factors"])),
    "T33": lambda given: [
        support.reinforcement_breach(
            int(support.least_reinforcements(PRINTED, given["mpv_first"], given["mpv_second"], given["squads_second"])),
            given["reinforcements"],
            given["squads_second"],
        )
    ],
    "T34": lambda given: [fittings.placement_breach(given["trio"], given["placed_in"])],
    "T35": announcing,
}


def judge(id_: str, given: Given) -> dict[str, Any]:
    """Return whether an act is legal, and why not in the cases' words."""
    found = [one for one in JUDGES[id_](given) if one]
    assert len(found) <= 1, "each case breaks one rule"
    if not found:
        return {"legal": True}
    (one,) = found
    reason = one if isinstance(one, str) else one.reason
    return {"legal": False, "reason": REASONS.get(reason, reason)}
