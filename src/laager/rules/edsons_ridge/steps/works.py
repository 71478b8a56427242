"""Upgrades of foxholes and trenches, made when setup stands (1.520 Note a)."""

from __future__ import annotations

from laager.campaign.clauses import implements
from laager.campaign.questions import Choice, Field, Option, Question, Record, Rows
from laager.campaign.steps import Procedure, ask
from laager.rules.common.facts import FortGone
from laager.rules.common.telling import tell
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.fortifications import (
    pending,
    place_problems,
    upgrade_places,
    upgraded,
)


@implements("ER 1.520 Note a")
def upgrades(cg: Er, side: str) -> Procedure[None]:
    """A side says which foxholes become trenches and which trenches pillboxes, one to a hex.

    What has no place is lost, as FPP are that are not spent.
    """
    bought = pending(cg, side)
    if not bought:
        return
    rows = yield from ask(upgrades_question(cg, side))
    chosen = {row["upgrade"]: row["at"] for row in rows}
    for fort in bought:
        if fort.id in chosen:
            yield from tell(upgraded(cg, side, fort, chosen[fort.id]))
        else:
            yield FortGone(fort=fort.id, why="no place is named for it", to=(side,))


def upgrades_question(cg: Er, side: str) -> Question:
    """Return the secret question; as many as there are places for are proposed."""
    bought = pending(cg, side)
    able = {fort.id: upgrade_places(cg, side, fort.kind) for fort in bought}
    every = cg.sort(dict.fromkeys(at for found in able.values() for at in found))
    named = tuple(Option(fort.id, fort.kind.replace("-", " ")) for fort in bought)
    row = Record(
        (Field("upgrade", Choice(named), "Upgrade"), Field("at", Choice.of(*every), "Location"))
    )
    default: list[dict[str, str]] = []
    for fort in bought:
        for at in able[fort.id]:
            more = {one["upgrade"]: one["at"] for one in default} | {fort.id: at}
            if not list(place_problems(cg, side, more)):
                default.append({"upgrade": fort.id, "at": at})
                break
    return Question(
        key="upgrades",
        side=side,
        text="Where are your upgrades made?",
        form=Rows(row, most=len(bought)),
        secret=True,
        default=default,
        check=lambda rows: list(
            place_problems(cg, side, {one["upgrade"]: one["at"] for one in rows})
        ),
        suggest=lambda rng: default,
        help="A 3S foxhole becomes a trench, a trench a 1+3+5 pillbox; one upgrade to a hex.",
    )
