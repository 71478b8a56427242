"""The start of a campaign: what both sides agree on, and the card's numbers with the balance agreed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from laager.campaign import Field, Option, Procedure, Question, Record, Several, ask_all
from laager.rules.board.card.parts import SIDES, Balance
from laager.rules.board.context import CardContext
from laager.rules.board.state import MAX_ELR, MAX_SAN

BALANCE = "balance"
"""The name under which players agree on balance provisions."""

HIGHEST = {"elr": MAX_ELR, "san": MAX_SAN, "cp": 999}


def balance_fields(cg: CardContext, provisions: Sequence[Balance]) -> Iterator[Field]:
    """Yield the field for the card's balance provisions, if it has any."""
    options = tuple(Option(item.id, f"for the {cg.side(item.side).name}: {item.text}") for item in provisions)
    if options:
        yield Field(BALANCE, Several(options), "Balance provisions in force", [])


def agreements(fields: Sequence[Field], rule: str = "") -> Procedure[Mapping[str, Any]]:
    """Ask both sides what they want; what both want is agreed. With nothing to choose there is no question."""
    if not fields:
        return {}
    form = Record.of(*fields)
    answers = yield from ask_all(
        Question(
            key="agreements",
            side=side,
            text="Which optional rules do you want? A rule is used only if both sides choose it.",
            form=form,
            rule=rule,
            help="Both sides answer before either sees what the other wants.",
        )
        for side in SIDES
    )
    return both_chose(form.blank, answers["axis"], answers["allied"])


def both_chose(default: Mapping[str, Any], first: Mapping[str, Any], second: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what both answers have in common: of lists the common members, else the default."""
    agreed: dict[str, Any] = {}
    for name, value in first.items():
        if isinstance(value, list):
            agreed[name] = [item for item in value if item in second[name]]
        else:
            agreed[name] = value if value == second[name] else default[name]
    return agreed


def starting_numbers(
    printed: Mapping[str, Mapping[str, int]], provisions: Sequence[Balance], agreed: Mapping[str, Any]
) -> tuple[Mapping[str, dict[str, int]], str]:
    """Return each number (`elr`, `san`, `cp`) by side, with the balance provisions agreed on, and why."""
    chosen = [item for item in provisions if item.id in agreed.get(BALANCE, ())]
    numbers: dict[str, dict[str, int]] = {}
    for key, values in printed.items():
        shifts = {side: sum(getattr(item, key) for item in chosen if item.side == side) for side in SIDES}
        numbers[key] = {side: min(HIGHEST[key], max(0, values[side] + shifts[side])) for side in SIDES}
    texts = "; ".join(item.text.rstrip(".") for item in chosen)
    return numbers, f"as the card has it, with {texts}" if texts else "as the card has it"
