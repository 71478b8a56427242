"""The calendar of a campaign, and who begins it (9.2 CG Date, 9.5a)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.card.parts import other
from laager.rules.board.hasl.card.card import Card, CgDate

PARTS = ("AM", "PM", "Eve", "N")
"""The parts of a day in their order: Dawn, Afternoon, Evening, Night."""


@implements("ABtF 9.1", "ABtF 9.2 CG Date")
def date_problems(card: Card) -> Iterator[Problem]:
    """Yield what is wrong with the CG Dates of a card: four parts a day, each once, in order."""
    for number, date in enumerate(card.dates, 1):
        if date.part not in PARTS:
            what = f"{date.id} has the part {date.part!r}"
            yield Problem(what, f"a CG Date is one of {', '.join(PARTS)}", f"dates[{number}].part")
    for number, (before, after) in enumerate(itertools.pairwise(card.dates), 2):
        if before.day == after.day and _rank(after) <= _rank(before):
            what = f"{after.id} stands behind {before.id} of the same day"
            yield Problem(what, f"the parts follow as {', '.join(PARTS)}", f"dates[{number}].part")


def _rank(date: CgDate) -> int:
    return PARTS.index(date.part) if date.part in PARTS else len(PARTS)


@implements("ABtF 9.5a")
def order_doubts(card: Card) -> Iterator[Problem]:
    """Yield where the Initial Scenario of a card differs from all three printed ones.

    In those the side that is taken to attack moves first, and the other sets up first.
    """
    first = card.initial
    if first.moves_first != first.attacker:
        what = f"{first.moves_first} moves first in the Initial Scenario, {first.attacker} attacks"
        yield Problem(what, "the attacker moves first in those printed", "initial.moves_first")
    if first.sets_up_first != other(first.attacker):
        what = f"{first.sets_up_first} sets up first in the Initial Scenario and attacks"
        yield Problem(what, "the other side does in those printed", "initial.sets_up_first")
