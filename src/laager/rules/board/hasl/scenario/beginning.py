"""The campaign begins: what is agreed, the card's numbers, Control and Setup Areas, the OB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Fact, Field, Option, Procedure, Question, Record, Several, ask_all, implements, step
from laager.rules.board.card.parts import SIDES, other
from laager.rules.board.facts import ControlChanged
from laager.rules.board.hasl.areas import initial_areas, initial_blocks, initial_control
from laager.rules.board.hasl.buying.groups import given_joins
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import Agreed, AreasDetermined, CampaignBegun, ChitsRevealed, ScenarioDetermined
from laager.rules.board.hasl.refit.areas import retained
from laager.rules.board.hasl.state import ATTACK, IDLE
from laager.rules.board.telling import tell

BALANCE = "balance"

MAX_ELR, MAX_SAN = 5, 7


@implements("ABtF 9.5", "ER CHART CG listing")
@step("HASL 4", "The campaign begins")
def beginning(cg: Hasl) -> Procedure[None]:
    """Agree on what is left to the players, then set up both sides as the card has them."""
    agreed = yield from agreements(cg)
    yield campaign_begun(cg, agreed)
    for about, value in agreed.items():
        yield Agreed(about=about, value=value, why="both sides want it")
    yield from tell(control_at_start(cg))
    for side in SIDES:
        yield from given_joins(cg, side, cg.side(side).ob, "given by the OB")
    yield from tell(retained(cg))
    yield from tell(initial_scenario(cg))


# What the players agree on ------------------------------------------------------------------------


def agreements(cg: Hasl) -> Procedure[Mapping[str, Any]]:
    """Ask both sides what they want; what both want is agreed. Nothing to choose: not asked."""
    fields = (*balance_fields(cg), *cg.variant.agreements(cg))
    if not fields:
        return {}
    default = {field.name: field.default for field in fields}
    answers = yield from ask_all(
        Question(
            key="agreements",
            side=side,
            text="What shall be in force in this campaign? Only what both sides choose is.",
            form=Record(fields),
            default=default,
            help="Both sides answer before either sees what the other wants.",
        )
        for side in SIDES
    )
    return both_chose(default, answers["axis"], answers["allied"])


def both_chose(default: Mapping[str, Any], one: Mapping[str, Any], two: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what both answers have in common: of lists the common members, else the default."""
    agreed: dict[str, Any] = {}
    for name, value in one.items():
        if isinstance(value, list):
            agreed[name] = [item for item in value if item in two[name]]
        else:
            agreed[name] = value if value == two[name] else default[name]
    return agreed


def balance_fields(cg: Hasl) -> Iterator[Field]:
    """Yield the field for the card's balance provisions, if it has any."""
    options = tuple(Option(item.id, f"for the {cg.side(item.side).name}: {item.text}") for item in cg.card.balance)
    if options:
        yield Field(BALANCE, Several(options), "Balance provisions in force", [])


# The card's numbers -------------------------------------------------------------------------------


@implements("HASL 3", "ABtF 9.51", "ABtF 9.52", "ABtF 9.53", "ER CHART CG listing")
def campaign_begun(cg: Hasl, agreed: Mapping[str, Any]) -> CampaignBegun:
    """Return the starting numbers of the card, with the balance provisions agreed on."""
    chosen = [item for item in cg.card.balance if item.id in agreed.get(BALANCE, ())]

    def total(side: str, what: str, printed: int, most: int) -> int:
        shifts = sum(getattr(item, what) for item in chosen if item.side == side)
        return int(min(most, max(0, printed + shifts)))

    texts = "; ".join(item.text.rstrip(".") for item in chosen)
    cards = {side: cg.side(side) for side in SIDES}
    return CampaignBegun(
        elr={side: total(side, "elr", half.elr, MAX_ELR) for side, half in cards.items()},
        san={side: total(side, "san", half.san, MAX_SAN) for side, half in cards.items()},
        cpp={side: total(side, "cp", half.cpp, 999) for side, half in cards.items()},
        ammunition={side: half.ammunition for side, half in cards.items()},
        why=f"as the card has it, with {texts}" if texts else "as the card has it",
    )


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
        chits={first.attacker: ATTACK, other(first.attacker): IDLE},
        counted=cg.variant.assumed_chits_count(cg),
        why="assumed for the Initial Scenario",
    )
    yield ScenarioDetermined(
        kind_of_scenario="Initial Scenario",
        sets_up_first=first.sets_up_first,
        moves_first=first.moves_first,
        why="as the card has it",
    )
