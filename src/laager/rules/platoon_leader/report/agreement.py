"""Do the two battle reports fit together? What contradicts is asked again (PL 2.9).

Both sides tell of what both can see: Control, fires, the map, Melees, prisoners, captured weapons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from laager.campaign import implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.places import main_location
from laager.rules.board.report.agreement import Contradiction, amend_units, unit_contradictions
from laager.rules.board.report.outcome import Report
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.report.desk import Desk

Reports = Mapping[str, Report]

WITHOUT = frozenset({Mark.BROKEN, Mark.DISRUPTED, Mark.PRISONER})
"""Who carries one of these guards nobody (A20.5)."""


@implements("PL 2.9")
def contradictions(cg: Cg, reports: Reports) -> list[Contradiction]:
    """Return everything that the two reports say differently, in a stated order."""
    desks = {side: Desk.of(cg, side, reports[side]) for side in SIDES}
    return [*_public(cg, reports), *unit_contradictions(cg, desks)]


# What lies open ---------------------------------------------------------------------------------


def _claims(cg: Cg, report: Report) -> dict[str, str]:
    """Return by subject what a report says of Control, fires and the map."""
    found = {}
    for row in report["control"]:
        found[f"Control of {main_location(cg, row['location'])}"] = row["side"]
    for row in report["fires"]:
        found[f"fire in {main_location(cg, row['at'])}"] = row["now"]
    for row in report["terrain"]:
        word = "gone" if row["gone"] else "there"
        found[f"{row['what']} in {main_location(cg, row['at'])}"] = word
    return found


def _public(cg: Cg, reports: Reports) -> Iterator[Contradiction]:
    claims = {side: _claims(cg, reports[side]) for side in SIDES}
    one, two = (claims[side] for side in SIDES)
    for about in one:
        if about in two and one[about] != two[about]:
            yield Contradiction(about, {side: claims[side][about] for side in SIDES})


# A proposal -------------------------------------------------------------------------------------


def amended(cg: Cg, reports: Reports) -> dict[str, dict[str, Any]]:
    """Return both reports without what contradicts; they fit together.

    Disputed Control, fires and terrain stay as the record has them, one-sided Melees are off,
    prisoners without a guard are unguarded, weapons that the enemy did not lose are left out.
    """
    new = {side: deepcopy(dict(reports[side])) for side in SIDES}
    disputed = {item.about for item in _public(cg, reports)}
    desks = {side: Desk.of(cg, side, reports[side]) for side in SIDES}
    for side in SIDES:
        for field in ("control", "fires", "terrain"):
            new[side][field] = [
                row for row in new[side][field] if disputed.isdisjoint(_claims(cg, {**_NOTHING, field: [row]}))
            ]
    amend_units(cg, desks, new)
    return new


_NOTHING: Mapping[str, Any] = {"control": (), "fires": (), "terrain": ()}
