"""OBA modules at the end of a scenario: those in play are counted, those used are gone (CG6)."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Fact, Procedure, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.refit import end
from laager.rules.board.telling import tell
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.facts import ModulesUsed
from laager.rules.bridge_too_far.oba import in_play


@implements("ABtF CG10", "ABtF CG10c")
@step("ABtF 9.602", "Marker Removal")
def marker_removal(cg: Abtf) -> Procedure[None]:
    """Modules in play count for their day; then markers go, and modules that were used."""
    yield from tell(modules_counted(cg))
    yield from end.marker_removal.run(cg)
    yield from tell(out_of_play(cg))


def modules_counted(cg: Abtf) -> Iterator[Fact]:
    """The modules that were in play count against the limits of their calendar day."""
    for side in SIDES:
        modules = in_play(cg, side)
        if modules:
            yield ModulesUsed(
                side=side,
                date=cg.state.number,
                modules=modules,
                why="their radio, phone or observer was in play",
                rule="ABtF CG6b",
                to=(side,),
            )


def out_of_play(cg: Abtf) -> Iterator[Fact]:
    """What was counted once is not counted again: no module is in play between scenarios."""
    for side in SIDES:
        for name in in_play(cg, side):
            why = "the scenario is over"
            yield GroupChanged(side=side, group=name, changes={"in_play": False}, why=why, to=(side,))
