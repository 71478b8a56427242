"""Control of Strategic Terrain passes to another side (ASL A26.1), Military Crests with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from laager.campaign import Fact, implements
from laager.hexmap import crest_holders
from laager.rules.board.changes import change_control
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CrestTaken


@implements("PL 1.4 Military Crest")
def control_passes(cg: Cg, changes: Mapping[str, str], why: str) -> Iterator[Fact]:
    """Locations get another controller ("" for neither side); what changes nothing is left out.

    A side gains a crest only as a whole; until then the last side to hold it keeps it.
    """
    before = cg.state.ground.control
    yield from change_control(cg, changes, why)
    after = {at: side for at, side in {**before, **changes}.items() if side}
    known = cg.state.ground.crests
    held = crest_holders(cg.crests, before, known)
    for crest, holder in crest_holders(cg.crests, after, held).items():
        if known.get(crest) != holder:
            yield CrestTaken(crest=crest, side=holder, why=f"the crest at {crest} was last Controlled whole")
