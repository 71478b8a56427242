"""Checks a card by the rules, and adds their Balance: calendar, who begins, notes on charts (9.2, 9.31, 9.5a)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from laager.base import Problem
from laager.campaign import implements
from laager.hexmap import HexMap
from laager.rules.board.card.parts import ALLIED, AXIS, Balance, other_side
from laager.rules.board.hasl.card.card import Card, CgDate

DAY_PARTS = ("AM", "PM", "Eve", "N")
"""The parts of a day in their order: Dawn, Afternoon, Evening, Night."""


@implements("ABtF 9.1", "ABtF 9.2 CG Date")
def date_problems(card: Card) -> Iterator[Problem]:
    """Yield what is wrong with the CG Dates of a card: four parts a day, each once, in order."""
    for number, date in enumerate(card.dates, 1):
        if date.part not in DAY_PARTS:
            yield Problem(
                f"{date.id} has the part {date.part!r}",
                f"a CG Date is one of {', '.join(DAY_PARTS)}",
                f"dates[{number}].part",
            )
    for number, (before, after) in enumerate(itertools.pairwise(card.dates), 2):
        if before.day == after.day and _part_rank(after) <= _part_rank(before):
            yield Problem(
                f"{after.id} comes after {before.id} of the same day",
                f"the parts follow as {', '.join(DAY_PARTS)}",
                f"dates[{number}].part",
            )


def _part_rank(date: CgDate) -> int:
    return DAY_PARTS.index(date.part) if date.part in DAY_PARTS else len(DAY_PARTS)


@implements("ABtF 9.5a")
def order_doubts(card: Card) -> Iterator[Problem]:
    """Yield where the Initial Scenario of a card differs from all three printed ones.

    In those the attacker moves first, and the other side sets up first.
    """
    first = card.initial
    if first.moves_first != first.attacker:
        yield Problem(
            f"{first.moves_first} moves first in the Initial Scenario, {first.attacker} attacks",
            "the attacker moves first in those printed",
            "initial.moves_first",
        )
    if first.sets_up_first != other_side(first.attacker):
        yield Problem(
            f"{first.sets_up_first} sets up first in the Initial Scenario and attacks",
            "the other side does in those printed",
            "initial.sets_up_first",
        )


@implements("ABtF 5.1")
def blockhouse_doubts(map_: HexMap) -> Iterator[Problem]:
    """Yield a doubt if no hex of a map is the Blockhouse: no import of a board can tell it."""
    if not any(hex_.has("blockhouse") for hex_ in map_.hexes.values()):
        yield Problem(
            "the map has no Blockhouse (ABtF 5.1), so nobody can have it as a Setup Area",
            "laager vasl mark MAP C4=blockhouse, with its hex; or leave it if there is none",
            "map",
        )


GERMAN_BALANCE = Balance(
    id="german", side=AXIS, text="German Personnel with a FT or a DC, and those who man a Gun, are Fanatic (ABtF 9.31)."
)
BRITISH_BALANCE = Balance(
    id="british", side=ALLIED, text="British Infantry in Fortified Building Locations is Fanatic (ABtF 9.31)."
)


@implements("ABtF 9.31", "ABtF 9.31 German", "ABtF 9.31 British")
def with_balance(card: Card) -> Card:
    """Return a card with the Balance of the rules for each side that it has none for."""
    covered = {balance.side for balance in card.balance}
    missing = tuple(balance for balance in (GERMAN_BALANCE, BRITISH_BALANCE) if balance.side not in covered)
    return card.model_copy(update={"balance": (*card.balance, *missing)}) if missing else card


CHART_NOTES: Mapping[str, Sequence[str]] = {
    "rg axis": (
        "CG22 names CPP of German groups in its examples. Knaust: I1 5, A3 7, A4 5; Brinkmann: "
        "I2 7, A3 7, A4 5; Harder: I6 3, I7 4, A5 4, A6 4. Of Graebner it names none.",
    ),
    "ammunition": ("The levels and what they do (CG17) are in the rules; here is only the DR.",),
}
"""Help for filling in the charts: sentences by chart, with the side's name if the chart is one side's."""
