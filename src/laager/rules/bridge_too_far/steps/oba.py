"""OBA modules: how many a side can use, how they come and go (CG6, CG10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import Fact, Procedure, implements, step
from laager.rules.board.card.parts import ALLIED, AXIS, SIDES, other_side
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.charts import Kind
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit import end
from laager.rules.board.hasl.setup.oba import security_problems
from laager.rules.board.wording import yield_facts
from laager.rules.bridge_too_far.facts import ModulesUsed

if TYPE_CHECKING:
    from laager.rules.bridge_too_far.context import Abtf

MODULES_PER_SCENARIO = {AXIS: 2, ALLIED: 1}
"""Most modules of a side in one scenario."""

MODULES_PER_DAY = {ALLIED: 3}
"""Most modules of a side on the CG Dates of one calendar day."""


@implements("ABtF CG6b")
def modules_in_play(cg: Hasl, side: str) -> tuple[str, ...]:
    """Return the modules that count against the limits.

    Their radio, phone or observer was in play at some time in the last scenario.
    """
    return tuple(group.id for group in cg.state.groups_of(side) if group.kind == Kind.OBA and group.in_play)


def modules_used_today(cg: Abtf, side: str, wanted: Iterable[str] = ()) -> int:
    """Return how many modules a side had in play on earlier CG Dates of this calendar day.

    By the reading one that was in play twice counts once, and not again if it is `wanted` now.
    """
    today = cg.calendar[cg.state.number]
    names = [*cg.state.modules_used(side, (date for date in today if date < cg.state.number))]
    return len(set(names) - set(wanted) if cg.reading("module-days") == "once" else names)


@implements("ABtF CG6")
def modules_left_today(cg: Abtf, side: str) -> int:
    """Return how many modules a side can have in play in the present scenario."""
    least = MODULES_PER_SCENARIO[side]
    if side in MODULES_PER_DAY:
        own = (group.id for group in cg.state.groups_of(side) if group.kind == Kind.OBA)
        used = min((modules_used_today(cg, side, [module]) for module in own), default=modules_used_today(cg, side))
        least = min(least, max(0, MODULES_PER_DAY[side] - used))
    return least


@implements("ABtF CG6a")
def module_problems(cg: Abtf, side: str, wanted: Iterable[str]) -> Iterator[Problem]:
    """Yield what is wrong with the modules that a side would have in play in this scenario."""
    wanted = frozenset(wanted)
    count, before = len(wanted), modules_used_today(cg, side, wanted)
    name = cg.side(side).name
    if count > MODULES_PER_SCENARIO[side]:
        yield Problem(
            f"{count} OBA modules in play are too many",
            f"{MODULES_PER_SCENARIO[side]} a scenario for the {name} (ABtF CG6a)",
        )
    most = MODULES_PER_DAY.get(side)
    if most is not None and before + count > most:
        yield Problem(
            f"{before + count} OBA modules on this calendar day are too many",
            f"{most} a day for the {name}, {before} were in play (ABtF CG6a)",
        )


@implements("ABtF CG6e", "ABtF GEO-11", "ABtF GEO-7", "ABtF 9.2 Enterable")
def security_area_problems(cg: Hasl, side: str, way: Sequence[str]) -> tuple[Problem, ...]:
    """Return what is wrong with a Security Area from a phone to a Friendly Entry Area.

    Each hex is adjacent to the one before, no river, no terrain Blaze, outside Enemy Setup Areas.
    What else Infantry can't enter, and its shape by C1.23, is for the players to see to.
    """
    problems = list(security_problems(cg, side, way))
    if way and cg.map.main(way[0]) in cg.state.friendly(other_side(side)):
        problems.append(Problem(f"{way[0]} is in an Enemy Setup Area", "the phone sets up elsewhere"))
    return tuple(problems)


@implements("ABtF CG10", "ABtF CG10c")
@step("ABtF 9.602", "Marker Removal", edition=end.marker_removal.edition)
def marker_removal(cg: Abtf) -> Procedure[None]:
    """Count the modules in play for their day; then remove markers and used modules."""
    yield from yield_facts(count_modules(cg))
    yield from end.marker_removal.run(cg)
    yield from yield_facts(take_modules_out_of_play(cg))


def count_modules(cg: Abtf) -> Iterator[Fact]:
    """Yield the modules that were in play: they count against the limits of their calendar day."""
    for side in SIDES:
        modules = modules_in_play(cg, side)
        if modules:
            yield ModulesUsed(
                side=side,
                date=cg.state.number,
                modules=modules,
                why="their radio, phone or observer was in play",
                rule="ABtF CG6b",
                to=(side,),
            )


def take_modules_out_of_play(cg: Abtf) -> Iterator[Fact]:
    """Yield that no module is in play between scenarios, so that none is counted twice."""
    for side in SIDES:
        for name in modules_in_play(cg, side):
            why = "the scenario is over"
            yield GroupChanged(side=side, group=name, changes={"in_play": False}, why=why, to=(side,))
