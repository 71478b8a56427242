"""The German purchase of September 1944 as a chain of rules, from the points to the SW."""

from __future__ import annotations

from typing import Any

from laager.catalogue.dyo import Month
from laager.catalogue.kinds import Column
from laager.rules.design_your_own.answers import Missing
from laager.rules.design_your_own.lines import bonus, leaders, oba, support
from laager.rules.design_your_own.lines.infantry import InfantryLine
from laager.rules.design_your_own.nations import Group
from tests.design_your_own.rules.ops import Given, known, line, mpv_of
from tests.design_your_own.rules.printed import PRINTED


def bonus_line(lines: list[InfantryLine], type_: str, number: int) -> InfantryLine:
    like = next(each for each in lines if each.type == type_)
    return line({"type": type_, "class": like.subsection.title(), "number": number, "bonus": True})


def german_chain(given: Given) -> dict[str, Any]:
    """Return every subtotal of the purchase, in order."""
    first = [line(row) for row in given["first_lines"]]
    second = [line({**row, "second_purchase": True}) for row in given["second_lines"]]
    first_mpv, second_mpv = sum(map(mpv_of, first)), sum(map(mpv_of, second))
    after_first = given["allotment"] - first_mpv
    batteries = [known(oba.battery_cost(PRINTED, **battery)) for battery in given["oba"]]
    before_second = given["points_before_oba"] - sum(batteries)

    month = Month(given["date"]["year"], given["date"]["month"])
    own = bonus.chart_elr(PRINTED, Group.GERMAN, month, enemy=Group.RUSSIAN)
    announced = bonus.announced_elr(bonus.squads_by_elr([*first, *second], known(own)))
    assert announced is not None
    free = bonus.bonus_number(PRINTED, announced.elr, given["enemy_elr"], first_mpv + second_mpv, 154)
    bought = [*first, *second]
    picked = [bonus_line(bought, *pick) for pick in given["bonus_pick"].items()]
    counts = leaders.counts_of([*bought, *picked])
    worth = leaders.equivalency(PRINTED, counts)
    engineers = leaders.engineer_equivalents(PRINTED, bought)

    count = leaders.leader_count(PRINTED, worth.total, given["lg"], Column.GENERAL)
    types = leaders.ladder_types(PRINTED, Column.GENERAL)
    assert not isinstance(types, Missing)
    ladder = leaders.trade(leaders.best_ladder(int(count.leaders), types), types)
    assert ladder is not None
    return {
        "first_mpv": first_mpv,
        "after_first": after_first,
        "spent_on_ordnance_and_vehicles": after_first - given["points_before_oba"],
        "oba_total": sum(batteries),
        "before_second": before_second,
        "second_mpv": second_mpv,
        "unused": before_second - second_mpv,
        "infantry_mpv": first_mpv + second_mpv,
        "own_elr": known(own),
        "bonus": int(free),
        "actual": {part.title(): int(sum(each)) for part, each in counts.items()},
        "equivalent": {**{part.title(): int(worth.parts[part]) for part in counts}, "total": worth.total},
        "leaders": {str(count.extra): 1, **ladder},
        "sw": {
            name: known(support.sw_allotment(PRINTED, worth.total, ratio, name=name))
            for name, ratio in given["ratios"].items()
        },
        "ae_equivalents": engineers.total,
    }
