"""The campaign begins: what is agreed, the card's numbers, Control and Setup Areas, the OB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Fact, Procedure, implements, step
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.course.beginning import agreements, balance_fields, starting_numbers
from laager.rules.board.facts import Agreed, ControlChanged
from laager.rules.board.hasl.areas import initial_areas, initial_blocks, initial_control
from laager.rules.board.hasl.buying.groups import join_given
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import AreasDetermined, CampaignBegun, ChitsRevealed, ScenarioDetermined
from laager.rules.board.hasl.refit.areas import retain_units
from laager.rules.board.hasl.state import ATTACK, IDLE


@implements("ABtF 9.5", "ER CHART CG listing")
@step("HASL 4", "The campaign begins")
def beginning(cg: Hasl) -> Procedure[None]:
    """Agree on what is left to the players, then set up both sides as the card has them."""
    agreed = yield from agreements((*balance_fields(cg, cg.card.balance), *cg.variant.agreements(cg)))
    yield campaign_begun(cg, agreed)
    for about, value in agreed.items():
        yield Agreed(about=about, value=value, why="both sides want it")
    yield from control_at_start(cg)
    for side in SIDES:
        yield from join_given(cg, side, cg.side(side).ob, "given by the OB")
    yield from retain_units(cg)
    yield from initial_scenario(cg)


# The card's numbers -------------------------------------------------------------------------------


@implements("HASL 3", "ABtF 9.51", "ABtF 9.52", "ABtF 9.53", "ER CHART CG listing")
def campaign_begun(cg: Hasl, agreed: Mapping[str, Any]) -> CampaignBegun:
    """Return the starting numbers of the card, with the balance provisions agreed on."""
    cards = {side: cg.side(side) for side in SIDES}
    printed = {
        "elr": {side: half.elr for side, half in cards.items()},
        "san": {side: half.san for side, half in cards.items()},
        "cp": {side: half.cpp for side, half in cards.items()},
    }
    numbers, why = starting_numbers(printed, cg.card.balance, agreed)
    ammunition = {side: half.ammunition for side, half in cards.items()}
    return CampaignBegun(elr=numbers["elr"], san=numbers["san"], cpp=numbers["cp"], ammunition=ammunition, why=why)


@implements("HASL 3", "HASL 5", "ABtF 9.5b")
def control_at_start(cg: Hasl) -> Iterator[Fact]:
    """Each side Controls what the card lists and the Strategic Locations of its setup area."""
    for side in SIDES:
        locations = initial_control(cg, side)
        if locations:
            why = "listed by the card, or in the side's setup area"
            yield ControlChanged(side=side, locations=locations, why=why)
    why = "as the card lists them; what is outside is Uncontrolled Territory"
    yield AreasDetermined(areas=initial_areas(cg), block_control=dict(initial_blocks(cg)), why=why)


@implements("HASL 4", "ABtF 9.2 Initial Scenario", "ABtF 9.5a")
def initial_scenario(cg: Hasl) -> Iterator[Fact]:
    """The Initial Scenario has the chits that it assumes, and the order that the card prints."""
    first = cg.card.initial
    yield ChitsRevealed(
        chits={first.attacker: ATTACK, other_side(first.attacker): IDLE},
        counted=cg.variant.assumed_chits_count(cg),
        why="assumed for the Initial Scenario",
    )
    yield ScenarioDetermined(
        kind_of_scenario="Initial Scenario",
        sets_up_first=first.sets_up_first,
        moves_first=first.moves_first,
        why="as the card has it",
    )
