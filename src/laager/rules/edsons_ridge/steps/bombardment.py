"""Pre-Game Bombardment: who can use it, where, with which MC; plots and immune hexes (CG15; GEO-4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import (
    Field,
    Number,
    Placing,
    Procedure,
    Record,
    Rows,
    SecretQuestion,
    Text,
    YesNo,
    ask,
    implements,
    step,
)
from laager.hexmap import Parallelogram, area_corners, bombardment_areas, bombardment_problems, parallelograms_between
from laager.hexmap.coords import LIST_EXAMPLE
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.public import could_buy
from laager.rules.board.hasl.state import ATTACK, Group
from laager.rules.board.places import parse_hexes
from laager.rules.edsons_ridge.facts import BombardmentPlotted
from laager.rules.edsons_ridge.night import attackers
from laager.rules.edsons_ridge.state import PlottedBombardment
from laager.rules.edsons_ridge.steps.fpf import special_kind

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

BOMBARDMENT = "bombardment"
"""The `RgLine.special` of a Bombardment group."""


def retained_bombardments(cg: Er, side: str) -> list[Group]:
    """Return the Bombardment groups that a side has Retained."""
    return [
        group
        for group in cg.state.groups_of(side)
        if not group.lost and not group.placed and special_kind(cg, group) == BOMBARDMENT
    ]


@implements("ER CG15")
def usable_bombardments(cg: Er, side: str) -> int:
    """Return how many Bombardments a side may use now: those Retained, if it attacks."""
    return len(retained_bombardments(cg, side)) if cg.state.scenario.chits.get(side) == ATTACK else 0


@implements("ER CG15")
def bombardments_lost_by_idle(cg: Er, side: str) -> list[Group]:
    """Return the Bombardments that a side loses by having chosen Idle (a reading)."""
    if cg.reading("bombardment-idle") == "kept" or cg.state.scenario.chits.get(side) == ATTACK:
        return []
    return retained_bombardments(cg, side)


def areas_between(cg: Er, row: Mapping[str, Any]) -> tuple[Parallelogram, ...]:
    """Return the areas between two corners as entered, the natural one first; none if unknown."""
    corner, opposite = row["corner"], row["opposite"]
    if corner not in cg.map or opposite not in cg.map:
        return ()
    areas = parallelograms_between(cg.map, corner, opposite)
    if cg.reading("bombardment-shape") == "level":
        return tuple(area for area in areas if area.level)
    return areas


def areas_of(cg: Er, rows: Sequence[Mapping[str, Any]]) -> list[Parallelogram]:
    """Return the areas of an answer; rows that name none are left out."""
    areas = []
    for row in rows:
        possible = areas_between(cg, row)
        if row["which"] <= len(possible):
            areas.append(possible[row["which"] - 1])
    return areas


@implements("ER CG15", "ER GEO-4")
def area_problems(cg: Er, side: str, rows: Sequence[Mapping[str, Any]], single: bool) -> Iterator[Problem]:
    """Yield all that is wrong with a side's areas; `single` is the U.S. option of one and a 3MC."""
    limits = cg.rule_charts.bombardment
    if single and side != limits.single_for:
        yield Problem("a single area with a 3MC is for the U.S.", "single: no", "single")
    if single and len(rows) > 1:
        yield Problem("a single area was declared", "name one area", "areas")
    if len(rows) > limits.most_areas:
        yield Problem(f"{len(rows)} areas are too many", f"{limits.most_areas} at most", "areas")
    whole = True
    for number, row in enumerate(rows, 1):
        possible = areas_between(cg, row)
        if row["which"] > len(possible):
            whole = False
            right = f"{len(possible)} lie there" if possible else "name opposite corners such as A5 and O14"
            lies = f"no area of 10 x 15 hexes lies between {row['corner']} and {row['opposite']}"
            yield Problem(lies, right, f"areas[{number}]")
    if whole and rows:
        level = cg.reading("bombardment-shape") == "level"
        yield from bombardment_problems(cg.map, areas_of(cg, rows), level_only=level)


@implements("ER CG15")
def morale_check(cg: Er, single: bool) -> int:
    """Return the MC that units in the areas take: 2, or 3 in a single area that was declared."""
    limits = cg.rule_charts.bombardment
    return limits.single_mc if single else limits.mc


@implements("ER CG15", "ER CHART Bombardment sheet")
def immune_problems(cg: Er, areas: Sequence[Parallelogram], names: Sequence[str]) -> Iterator[Problem]:
    """Yield what is wrong with the hexes that the players found immune by C1.8."""
    inside = frozenset[str]().union(*(area.hexes(cg.map) for area in areas))
    for name in names:
        if name not in inside:
            yield Problem(f"{name} is in no Bombardment area", "name hexes that are")
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield Problem(f"{name} is named twice", "name it once")


AREAS_TO_CHOOSE_AMONG = 40
"""Number of legal areas among which a random answer chooses."""


@step("ER CG15", "Bombardment")
def bombardments(cg: Er) -> Procedure[None]:
    """Each side that attacks may use a Bombardment that it has; the Japanese first."""
    for side in attackers(cg):
        if not could_buy(cg, side, lambda line: line.special == BOMBARDMENT):
            continue
        answer = yield from ask(bombardment_question(cg, side))
        areas = areas_of(cg, answer["areas"])
        if not areas:
            continue
        group = retained_bombardments(cg, side)[0]
        immune = yield from _ask_immune_hexes(cg, side, areas)
        single = bool(answer.get("single"))
        plotted = PlottedBombardment(
            side=side,
            areas=tuple(area.name(cg.map) for area in areas),
            mc=morale_check(cg, single),
            immune=tuple(immune),
        )
        why = f"{len(areas)} x 150 hexes, {len(immune)} of them immune (C1.8)"
        yield BombardmentPlotted(bombardment=plotted, why=why)
        changes = {"placed": True, "lost": "fallen"}
        why = "a Bombardment is used once"
        yield GroupChanged(side=side, group=group.id, changes=changes, why=why, to=(side,))


def bombardment_question(cg: Er, side: str) -> SecretQuestion:
    """Return the question for the areas of a Bombardment; none named: it is kept."""
    limits = cg.rule_charts.bombardment
    most = limits.most_areas if usable_bombardments(cg, side) else 0
    form = Rows.of(
        Field("corner", Text(12), "A corner hex"),
        Field("opposite", Text(12), "The opposite corner hex"),
        Field("which", Number(1, 9), "Which area, if several lie between them", 1),
        most=most,
    )
    fields = [Field("areas", form, "Areas of 10 x 15 hexes", [])]
    default: dict[str, Any] = {"areas": []}
    if side == limits.single_for:
        label = f"A single area with a {limits.single_mc}MC, declared before plotting"
        fields.insert(0, Field("single", YesNo(), label, False))
        default["single"] = False
    return SecretQuestion(
        key="bombardment",
        side=side,
        text="Where does your Pre-Game Bombardment fall?",
        form=Record.of(*fields),
        default=default,
        check=lambda answer: list(area_problems(cg, side, answer["areas"], bool(answer.get("single")))),
        suggest=lambda rng: default | {"areas": random_areas(cg, side, rng)},
        placing=Placing(lambda: dict.fromkeys(("corner", "opposite"), corner_hexes(cg) if most else ())),
        help="Two areas lie along one Hex Grain, each with seven hexes next to the other. No area: "
        "the Bombardment is kept.",
    )


def corner_hexes(cg: Er) -> frozenset[str]:
    """Return the hexes that are a corner of some area on the map."""
    return area_corners(cg.map, cg.reading("bombardment-shape") == "level")


def random_areas(cg: Er, side: str, rng: Random) -> list[dict[str, Any]]:
    """Return a random area, or none."""
    if not usable_bombardments(cg, side) or rng.random() < 0.3:
        return []
    level = cg.reading("bombardment-shape") == "level"
    possible = list(islice(bombardment_areas(cg.map, level_only=level), AREAS_TO_CHOOSE_AMONG))
    if not possible:
        return []
    first, _, opposite = rng.choice(possible).name(cg.map).partition("-")
    return [{"corner": first, "opposite": opposite, "which": 1}]


@implements("ER CHART Bombardment sheet", "ER CG15")
def _ask_immune_hexes(cg: Er, side: str, areas: Sequence[Parallelogram]) -> Procedure[list[str]]:
    """Ask the players which hexes are immune, as if the areas were one mapboard (C1.8)."""

    def check(text: str) -> Sequence[Problem]:
        names, wrong = parse_hexes(cg, text)
        return wrong or list(immune_problems(cg, areas, names))

    names = " and ".join(area.name(cg.map) for area in areas)
    text = yield from ask_and_confirm(
        "immune-hexes",
        side,
        f"Which hexes of {names} are immune to the Bombardment?",
        Text(4000),
        "",
        help="Write the coordinates of the areas on the plotting sheet as if they were one "
        "mapboard, roll by C1.8, and name the hexes found, "
        f"{LIST_EXAMPLE}. None: leave it empty.",
        check=check,
    )
    return cg.sort(dict.fromkeys(parse_hexes(cg, text)[0]))


@implements("ER CG15")
def lose_bombardments(cg: Er) -> Iterator[GroupChanged]:
    """A side that chose Idle keeps its Bombardments for the next Attack, or loses them (a reading)."""
    for side in SIDES:
        for group in bombardments_lost_by_idle(cg, side):
            changes = {"lost": "the side stayed Idle"}
            why = "bought to attack, and the side stayed Idle"
            yield GroupChanged(side=side, group=group.id, changes=changes, why=why, to=(side,))
