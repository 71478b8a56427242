"""The end of the campaign: conditions tested, the players asked for those that only they know."""

from __future__ import annotations

from collections.abc import Sequence

from laager.campaign import Procedure, YesNo
from laager.rules.board.hasl.asking import agreed
from laager.rules.board.hasl.card.card import Condition
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import CampaignEnded
from laager.rules.board.hasl.victory import fulfilled, stands


def first_fulfilled(cg: Hasl, conditions: Sequence[Condition], key: str) -> Procedure[Condition | None]:
    """Return the first condition, in the order of the card, that is fulfilled; None if none is."""
    for number, condition in enumerate(conditions, 1):
        if condition.asked:
            name = cg.side(condition.side).name
            met = yield from agreed(
                f"{key}-{number}",
                condition.side,
                f"Is this fulfilled for {name}: {condition.text}?",
                YesNo(),
                False,
                tell=lambda yes: "yes" if yes else "no",
            )
        else:
            met = fulfilled(cg, condition)
        if met:
            return condition
    return None


def ended_by(cg: Hasl, condition: Condition, what: str) -> CampaignEnded:
    """Return the fact that a condition decides the campaign."""
    shown = stands(cg, condition)
    ending = f"{what}: {condition.text}"
    return CampaignEnded(
        winner=condition.side, ending=ending, rule=cg.variant.clause("victory"), why=shown or "as the players told"
    )


def victory(cg: Hasl) -> Procedure[None]:
    """At CG End the final conditions are judged; if none is fulfilled the card says who wins."""
    met = yield from first_fulfilled(cg, cg.card.victory.final, "victory")
    if met is not None:
        yield ended_by(cg, met, "CG End")
        return
    shown = "; ".join(stands(cg, one) for one in cg.card.victory.final if not one.asked)
    winner = cg.card.victory.otherwise or ""
    who = f"{cg.side(winner).name} win" if winner else "a draw"
    yield CampaignEnded(
        winner=winner,
        ending=f"CG End: no condition is fulfilled, {who}",
        rule=cg.variant.clause("victory"),
        why=shown or "as the card has it",
    )
