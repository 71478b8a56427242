"""Walking Wounded: the box, what goes into it after play, and what comes out of it (CG19)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Number, Procedure, Rows, SecretQuestion, ask, implements, step
from laager.catalogue import Kind, Nation
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.numbering import join_unit
from laager.rules.board.units import Mark
from laager.rules.board.wording import yield_facts
from laager.rules.bridge_too_far.facts import WalkingWoundedBoxed, WalkingWoundedBoxEmptied
from laager.rules.bridge_too_far.night import SQUAD_EQUIVALENTS

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

WW_SQUAD = "4-4-7"
"""The type of the Walking Wounded squads that come back."""


@implements("ABtF CG19", "ABtF CG19 EX")
def squad_equivalents(box: Mapping[str, int], nation: Nation, crews: bool = True) -> Fraction:
    """Return what the MMC in a box are worth: a squad 1, a HS or (if `crews`) a crew one half."""
    worth = {**SQUAD_EQUIVALENTS, **({} if crews else {"crew": Fraction(0)})}
    return sum((worth[nation.unit(type_).kind.value] * count for type_, count in box.items()), Fraction(0))


@implements("ABtF CG19b", "ABtF 9.6102")
def returning_squads(cg: Hasl, box: Mapping[str, int], side: str) -> int:
    """Return how many Walking Wounded squads come out of the box; fractions are dropped.

    None come while the side has no Friendly Setup Area to put them in.
    """
    if not any(cg.state.areas_of(side)):
        return 0
    crews = cg.reading("crews-in-ww-box") == "half-squad"
    return int(squad_equivalents(box, cg.nation(side), crews))


MOST_ROWS = 60
"""Most rows of the form, and most MMC in a row."""


@implements("ABtF 9.15")
@step("ABtF CG19a", "Walking Wounded box")
def walking_wounded_box(cg: Abtf) -> Procedure[None]:
    """The players tell which British MMC lost in play go into the box."""
    form = Rows.of(
        Field("type", Choice.of(*mmc_types(cg.nation(ALLIED))), "MMC"),
        Field("count", Number(1, MOST_ROWS), "How many", 1),
        most=MOST_ROWS,
    )
    rows = yield from ask_and_confirm(
        "ww-box",
        ALLIED,
        "Which British MMC were removed in play by Double Break, a Casualty MC or Fate?",
        form,
        help="Leave out Walking Wounded. They go into the Walking Wounded box; their CVP have been counted in play.",
        tell=lambda rows: ", ".join(f"{row['count']} x {row['type']}" for row in rows),
        suggest=lambda rng: _random_losses(cg, rng),
    )
    lost = sum_counts(rows, "type")
    if lost:
        yield WalkingWoundedBoxed(lost=lost, why="removed in play, by Casualty MC or the like")


def mmc_types(nation: Nation) -> tuple[str, ...]:
    """Return the types of MMC of a nation: squads, HS, crews."""
    return tuple(name for kind in (Kind.SQUAD, Kind.HALF_SQUAD, Kind.CREW) for name in nation.types(kind))


def sum_counts(rows: Sequence[Mapping[str, Any]], by: str) -> dict[str, int]:
    """Return the counts of rows added up by a field, in the order in which they are named."""
    totals: dict[str, int] = {}
    for row in rows:
        totals[row[by]] = totals.get(row[by], 0) + row["count"]
    return totals


def _random_losses(cg: Abtf, rng: Random) -> list[dict[str, Any]]:
    types = mmc_types(cg.nation(ALLIED))
    return [{"type": rng.choice(types), "count": 1} for _ in range(rng.randint(0, 4))]


@step("ABtF 9.6102", "Walking Wounded arrive")
def walking_wounded(cg: Abtf) -> Procedure[None]:
    """For each squad-equivalent in the box a 4-4-7 comes back; what is left is discarded."""
    box = cg.state.ww_box
    if not box:
        return
    count = returning_squads(cg, box, ALLIED)
    if count:
        rows = yield from ask(arrival_question(cg, count))
        for area, number in sum_counts(rows, "area").items():
            for _ in range(number):
                yield from yield_facts(join_wounded_squad(cg, area))
    yield WalkingWoundedBoxEmptied(why=f"{count} come back; what is left costs no CVP")


def arrival_question(cg: Abtf, count: int) -> SecretQuestion:
    """Return the question in which Friendly Setup Areas the Walking Wounded arrive."""
    names = [area.name for area in cg.state.areas_of(ALLIED)]

    def check(rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
        placed = sum(row["count"] for row in rows)
        if placed == count:
            return []
        return [Problem(f"{placed} Walking Wounded are placed", f"{count} come back")]

    def suggest(rng: Random) -> list[dict[str, Any]]:
        return [{"area": rng.choice(names), "count": 1} for _ in range(count)]

    return SecretQuestion(
        key="walking-wounded",
        side=ALLIED,
        text=f"In which Setup Areas do your {count} Walking Wounded {WW_SQUAD} arrive?",
        form=Rows.of(Field("area", Choice.of(*names), "Setup Area"), Field("count", Number(1, count), "How many", 1)),
        default=[{"area": names[0], "count": count}],
        check=check,
        suggest=suggest,
    )


def join_wounded_squad(cg: Abtf, area: str) -> Iterator[Fact]:
    """Yield that a Walking Wounded squad is in the OB again, in a Setup Area."""
    why = "Walking Wounded"
    joined = join_unit(cg, ALLIED, WW_SQUAD, "squad", marks=(Mark.WALKING_WOUNDED,), why=why)
    yield joined
    yield UnitRetained(unit=joined.unit.id, area=area, why=why, to=(ALLIED,))
