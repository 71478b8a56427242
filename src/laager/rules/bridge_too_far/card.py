"""What the rules say of a card: its calendar, who begins, the Balance, its charts (9.2, 9.31, 9.5a)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from laager.base import Problem
from laager.campaign import implements
from laager.hexmap import HexMap
from laager.rules.board.card.parts import ALLIED, AXIS, Balance, other
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
            what = f"{after.id} comes after {before.id} of the same day"
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


@implements("ABtF 5.1")
def blockhouse_doubts(map_: HexMap) -> Iterator[Problem]:
    """Yield a doubt if no hex of a map is the Blockhouse: no import of a board can tell it."""
    if not any(one.has("blockhouse") for one in map_.hexes.values()):
        what = "the map has no Blockhouse (ABtF 5.1), so nobody can have it as a Setup Area"
        yield Problem(what, "laager vasl mark MAP C4=blockhouse, with its hex; or leave it if there is none", "map")


GERMAN = Balance(
    id="german", side=AXIS, text="German Personnel with a FT or a DC, and those who man a Gun, are Fanatic (ABtF 9.31)."
)
BRITISH = Balance(
    id="british", side=ALLIED, text="British Infantry in Fortified Building Locations is Fanatic (ABtF 9.31)."
)


@implements("ABtF 9.31", "ABtF 9.31 German", "ABtF 9.31 British")
def with_balance(card: Card) -> Card:
    """Return a card with the Balance of the rules for each side that it has none for."""
    own = {balance.side for balance in card.balance}
    more = tuple(balance for balance in (GERMAN, BRITISH) if balance.side not in own)
    return card.model_copy(update={"balance": (*card.balance, *more)}) if more else card


KNOWN: Mapping[str, Sequence[str]] = {
    "rg axis": (
        "CG22 names CPP of German groups in its examples. Knaust: I1 5, A3 7, A4 5; Brinkmann: "
        "I2 7, A3 7, A4 5; Harder: I6 3, I7 4, A5 4, A6 4. Of Graebner it names none.",
    ),
    "ammunition": ("The levels and what they do (CG17) are in the rules; here is only the DR.",),
}
"""Sentences by chart (of one side: with its name), for whoever fills the charts in."""
