"""Pre-Game Bombardment: areas are plotted and immune hexes announced, before play (CG15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Fact, Field, Number, Procedure, Question, Record, Rows, Text, YesNo, ask, implements, step
from laager.hexmap import Parallelogram, bombardment_areas
from laager.hexmap.ranges import LIKE
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.asking import agreed
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.places import typed_hexes
from laager.rules.edsons_ridge.bombardment import (
    BOMBARDMENT,
    area_problems,
    areas_of,
    banked,
    immune_problems,
    lost_by_idle,
    mc,
    usable,
)
from laager.rules.edsons_ridge.charts import charts
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import BombardmentPlotted
from laager.rules.edsons_ridge.night import attackers
from laager.rules.edsons_ridge.state import Bombarded

LOOKED_AT = 40
"""How many legal areas chance chooses among."""


@step("ER CG15", "Bombardment")
def bombardments(cg: Hasl) -> Procedure[None]:
    """Each side that attacks may use a Bombardment that it has; the Japanese first."""
    assert isinstance(cg, Er)
    for side in attackers(cg):
        if not could_have(cg, side):
            continue
        answer = yield from ask(bombardment_question(cg, side))
        found = areas_of(cg, answer["areas"])
        if not found:
            continue
        group = banked(cg, side)[0]
        immune = yield from _immune(cg, side, found)
        single = bool(answer.get("single"))
        plotted = Bombarded(
            side=side, areas=tuple(area.name(cg.map) for area in found), mc=mc(single), immune=tuple(immune)
        )
        why = f"{len(found)} x 150 hexes, {len(immune)} of them immune (C1.8)"
        yield BombardmentPlotted(bombardment=plotted, why=why)
        changes = {"placed": True, "lost": "fallen"}
        why = "a Bombardment is used once"
        yield GroupChanged(side=side, group=group.id, changes=changes, why=why, to=(side,))


def could_have(cg: Er, side: str) -> bool:
    """Whether by its chart a side may have Bombardments: asking it tells nothing then."""
    lines = cg.side_charts(side).rg
    return lines is None or any(line.special == BOMBARDMENT for line in lines)


def bombardment_question(cg: Er, side: str) -> Question:
    """Return the question for the areas of a Bombardment; none named: it is kept."""
    row = Record(
        (
            Field("corner", Text(12), "A corner hex"),
            Field("opposite", Text(12), "The opposite corner hex"),
            Field("which", Number(1, 9), "Which area, if several lie between them", 1),
        )
    )
    limits = charts().bombardment
    most = limits.most_areas if usable(cg, side) else 0
    fields = [Field("areas", Rows(row, most=most), "Areas of 10 x 15 hexes", [])]
    default: dict[str, Any] = {"areas": []}
    if side == limits.single_for:
        label = f"A single area with a {limits.single_mc}MC, declared before plotting"
        fields.insert(0, Field("single", YesNo(), label, False))
        default["single"] = False
    return Question(
        key="bombardment",
        side=side,
        text="Where does your Pre-Game Bombardment fall?",
        form=Record(tuple(fields)),
        secret=True,
        default=default,
        check=lambda told: list(area_problems(cg, side, told["areas"], bool(told.get("single")))),
        suggest=lambda rng: default | {"areas": some_areas(cg, side, rng)},
        help="Two areas lie along one Hex Grain, each with seven hexes next to the other. No area: "
        "the Bombardment is kept.",
    )


def some_areas(cg: Er, side: str, rng: Random) -> list[dict[str, Any]]:
    """Return an area by chance, or none."""
    if not usable(cg, side) or rng.random() < 0.3:
        return []
    level = cg.reading("bombardment-shape") == "level"
    able = list(islice(bombardment_areas(cg.map, level_only=level), LOOKED_AT))
    if not able:
        return []
    first, _, opposite = rng.choice(able).name(cg.map).partition("-")
    return [{"corner": first, "opposite": opposite, "which": 1}]


@implements("ER CHART Bombardment sheet", "ER CG15")
def _immune(cg: Er, side: str, areas: Sequence[Parallelogram]) -> Procedure[list[str]]:
    """Have the players tell which hexes are immune, as if the areas were one mapboard (C1.8)."""

    def check(text: str) -> Sequence[Problem]:
        names, wrong = typed_hexes(cg, text)
        return wrong or list(immune_problems(cg, areas, names))

    names = " and ".join(area.name(cg.map) for area in areas)
    text = yield from agreed(
        "immune-hexes",
        side,
        f"Which hexes of {names} are immune to the Bombardment?",
        Text(4000),
        "",
        help="Write the coordinates of the areas on the plotting sheet as if they were one "
        "mapboard, roll by C1.8, and name the hexes found, "
        f"{LIKE}. None: leave it empty.",
        check=check,
    )
    return cg.sort(dict.fromkeys(typed_hexes(cg, text)[0]))


@implements("ER CG15")
def lost_bombardments(cg: Er) -> Iterator[Fact]:
    """Who chose Idle keeps his Bombardments for the next Attack, or loses them (a reading)."""
    for side in SIDES:
        for group in lost_by_idle(cg, side):
            changes = {"lost": "the side stayed Idle"}
            why = "bought to attack, and the side stayed Idle"
            yield GroupChanged(side=side, group=group.id, changes=changes, why=why, to=(side,))
