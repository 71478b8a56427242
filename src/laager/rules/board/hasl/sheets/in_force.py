"""What players keep in mind in the present scenario, as each system of the family tells it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from laager.campaign import UMPIRE, Column, Sheet
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.context import Hasl


@dataclass(frozen=True)
class Reminder:
    """A sentence to keep in mind in this scenario, with its clause."""

    clause: str
    text: str


def seen_sides(cg: Hasl) -> tuple[str, ...]:
    """Return the sides whose own affairs the viewer of this state may see."""
    viewer = cg.state.viewer
    return SIDES if viewer == UMPIRE else tuple(side for side in SIDES if side == viewer)


def rules_sheet(cg: Hasl, found: Iterable[Reminder]) -> Sheet:
    """Return the sheet of what holds in the scenario of this CG Date."""
    return Sheet(
        "rules-now",
        f"Rules in force on {cg.date.title}",
        (Column("Rule"), Column("What holds")),
        tuple((one.clause, one.text) for one in found),
    )
