"""Initiative: the chits, the scenario that they make, who sets up first (1.522, 1.5223)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from laager.campaign import Choice, Procedure, ask_all, implements, step
from laager.rules.board.card.parts import AXIS, SIDES
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.facts import ChitsRevealed, ScenarioDetermined
from laager.rules.board.hasl.scenario import initiative as shared
from laager.rules.board.hasl.state import ATTACK, IDLE
from laager.rules.board.wording import yield_facts
from laager.rules.edsons_ridge.charts import MatrixRow
from laager.rules.edsons_ridge.steps.bombardment import lose_bombardments

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


@implements("ER 1.5222")
@step("ER 1.522", "Initiative")
def initiative(cg: Er) -> Procedure[None]:
    """Both choose a chit in secret; revealed together they make a scenario, or an Idle Date."""
    chits = yield from ask_all(shared.chit_question(cg, side) for side in SIDES)
    yield ChitsRevealed(chits=dict(chits), why="both chits are revealed together")
    yield from yield_facts(lose_bombardments(cg))
    if shared.is_idle_date(chits):
        yield from shared.begin_idle_date(cg)
        return
    row = scenario_type(cg, chits)
    first, why = yield from who_sets_up_first(cg, chits, row)
    yield ScenarioDetermined(
        kind_of_scenario=row.name,
        sets_up_first=first,
        moves_first=shared.who_moves_first(who_moves_first(row), first),
        why=why,
    )


@implements("ER 1.5222")
def scenario_type(cg: Er, chits: Mapping[str, str]) -> MatrixRow:
    """Return the scenario of two chits."""
    return cg.rule_charts.initiative.row(*(chits[side] for side in SIDES))


@implements("ER 1.525")
def who_moves_first(row: MatrixRow) -> str:
    """Return who moves first: in an Assault the side that set up second, in a Dual Attack by a dr."""
    return shared.LATER if row.result == "dual-attack" else "second"


@implements("ER 1.5223")
def who_sets_up_first(cg: Er, chits: Mapping[str, str], row: MatrixRow) -> Procedure[tuple[str, str]]:
    """Return who sets up first, by the owner's chart or as the players tell, and why."""
    kind = shared.charted_type(cg, chits)
    side: str | None = kind.sets_up_first if kind is not None else None
    why = "by the chart of scenario types"
    if side is None:
        assaulted = next((candidate for candidate in SIDES if chits[candidate] == IDLE), AXIS)
        side = yield from ask_and_confirm(
            "sets-up-first",
            next(candidate for candidate in SIDES if chits[candidate] == ATTACK),
            f"{row.name}: who sets up first?",
            Choice.of_labels(
                {candidate: cg.side(candidate).name for candidate in SIDES} | {shared.LATER: "a dr decides now"}
            ),
            assaulted,
            help="Laager doesn't know the module's chart; it proposes the side that is assaulted.",
        )
        why = "as the players told"
    if side == shared.LATER:
        return (yield from shared.decide_by_dr(cg, "sets-up", "Who sets up first"))
    assert side is not None
    return side, why
