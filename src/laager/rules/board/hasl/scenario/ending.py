"""Another CG Date, or the end of the campaign: conditions, tested or asked."""

from __future__ import annotations

from collections.abc import Sequence

from laager.campaign import Procedure, YesNo, implements, step
from laager.rules.board.facts import CampaignEnded
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.card.card import Condition
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import DateBegun
from laager.rules.board.hasl.refit.areas import control_at_the_end
from laager.rules.board.hasl.victory import is_area, is_fulfilled, standing_in_words


@implements("HASL 2", "ABtF 9.612", "ER 1.512")
@step("HASL 16", "New CG Date")
def new_date(cg: Hasl) -> Procedure[None]:
    """The next CG Date begins; after the last one the campaign has ended before this."""
    date = cg.next_date
    assert date is not None, "the campaign ends on its last CG Date"
    yield DateBegun(number=cg.state.number + 1, why=f"{date.title} follows {cg.date.title}")


@implements("ABtF 9.2 CG End", "ER 1.5231")
@step("HASL 31", "End of the campaign")
def campaign_end(cg: Hasl) -> Procedure[None]:
    """If the scenario of the last CG Date has ended, victory is judged: the campaign is over.

    Blocks and areas are determined once more first, if a condition asks for them.
    """
    if cg.next_date is not None or not cg.state.scenario.ended:
        return
    named = {name for condition in cg.card.victory.final for name in condition.controls}
    if any(is_area(cg, name) for name in named):
        yield from control_at_the_end(cg)
    yield from victory(cg)


def first_fulfilled(cg: Hasl, conditions: Sequence[Condition], key: str) -> Procedure[Condition | None]:
    """Return the first condition, in the order of the card, that is fulfilled; None if none is."""
    for number, condition in enumerate(conditions, 1):
        if condition.asked:
            name = cg.side(condition.side).name
            met = yield from ask_and_confirm(
                f"{key}-{number}",
                condition.side,
                f"Is this fulfilled for {name}: {condition.text}?",
                YesNo(),
                False,
                tell=lambda yes: "yes" if yes else "no",
            )
        else:
            met = is_fulfilled(cg, condition)
        if met:
            return condition
    return None


def end_by_condition(cg: Hasl, condition: Condition, occasion: str) -> CampaignEnded:
    """Return the fact that a condition decides the campaign."""
    shown = standing_in_words(cg, condition)
    ending = f"{occasion}: {condition.text}"
    return CampaignEnded(
        winner=condition.side, ending=ending, rule=cg.variant.clause("victory"), why=shown or "as the players say"
    )


def victory(cg: Hasl) -> Procedure[None]:
    """At CG End the final conditions are judged; if none is fulfilled the card says who wins."""
    met = yield from first_fulfilled(cg, cg.card.victory.final, "victory")
    if met is not None:
        yield end_by_condition(cg, met, "CG End")
        return
    shown = "; ".join(standing_in_words(cg, condition) for condition in cg.card.victory.final if not condition.asked)
    winner = cg.card.victory.otherwise or ""
    who = f"{cg.side(winner).name} win" if winner else "a draw"
    yield CampaignEnded(
        winner=winner,
        ending=f"CG End: no condition is fulfilled, {who}",
        rule=cg.variant.clause("victory"),
        why=shown or "as the card has it",
    )
