"""OBA modules: what directs them, Security Areas, Pre-Registered hexes for each scenario (CG12; GEO-10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import Procedure, ask, implements, no_decision, step
from laager.hexmap import security_area_problems
from laager.rules.board.card.parts import ALLIED, other_side
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.offers import modules_of
from laager.rules.board.hasl.buying.registered import hexes_question
from laager.rules.board.hasl.charts import Kind
from laager.rules.board.hasl.public import could_buy
from laager.rules.board.hasl.state import Group

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


@implements("ER CG12(2)", "ER GEO-10")
def security_problems(cg: Er, way: Sequence[str]) -> tuple[Problem, ...]:
    """Return what is wrong with the Security Area of a U.S. phone, from it to the map edge."""
    areas = {f"Entry Area {arrow}": cg.entry_hexes(arrow) for arrow in cg.arrows(ALLIED)}
    return security_area_problems(cg.map, way, cg.state.friendly(other_side(ALLIED)), areas)


@implements("ER CG12(3)")
def modules_registered_before(cg: Er, side: str) -> list[Group]:
    """Return the modules Retained from earlier scenarios with a Pre-Registered hex.

    The side can choose it again now; a Security Area is chosen at every setup.
    """
    return [module for module in modules_of(cg, side) if module.date < cg.state.number and module.pre_registered]


@step("ER CG12(3)", "Pre-Registered hexes", each_side=True, edition=2)
def registered_anew(cg: Er, side: str) -> Procedure[None]:
    """A side may give its Retained modules other Pre-Registered hexes."""
    modules = modules_registered_before(cg, side)
    if not modules:
        # On the first date nobody has Retained any, as everybody knows.
        if cg.state.number > 1 and could_buy(cg, side, lambda line: line.kind is Kind.OBA):
            text = "You have Retained no module with a Pre-Registered hex."
            yield from ask(no_decision("pre-registered", side, text))
        return
    text = "Which Pre-Registered hexes do your Retained modules have in this scenario?"
    question = hexes_question(cg, side, modules, "pre-registered", text, help_="What you leave out keeps its hex.")
    rows = yield from ask(question)
    for row in rows:
        name = cg.map.main(row["hex"])
        if (name,) != cg.state.groups[side, row["module"]].pre_registered:
            yield GroupChanged(
                side=side,
                group=row["module"],
                changes={"pre_registered": (name,)},
                why=f"{row['module']}: Pre-Registered hex {name} for this scenario",
                to=(side,),
            )
