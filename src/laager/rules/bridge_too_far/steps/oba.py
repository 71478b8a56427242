"""OBA modules at the end of a scenario: those in play are counted, those used are gone (CG6)."""

from __future__ import annotations

from laager.campaign.steps import Procedure
from laager.rules.bridge_too_far.context import Abtf
from laager.rules.bridge_too_far.facts import ModulesUsed
from laager.rules.bridge_too_far.oba import in_play
from laager.rules.common.card import SIDES


def modules_counted(cg: Abtf) -> Procedure[None]:
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
