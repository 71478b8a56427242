"""What is settled of fortifications when setup stands: upgrades, who sets off DC (1.520)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Procedure, Rows, SecretQuestion, ask, nothing_to_decide, step
from laager.rules.board.facts import FortGone
from laager.rules.board.hasl.buying.works import SET_DC
from laager.rules.board.telling import tell
from laager.rules.board.units import Fort, Unit
from laager.rules.edsons_ridge.context import Er
from laager.rules.edsons_ridge.facts import DcSet
from laager.rules.edsons_ridge.fortifications import (
    dc_unnoted,
    detonators,
    pending,
    place_problems,
    upgrade_places,
    upgraded,
)
from laager.rules.edsons_ridge.prices import UPGRADED
from laager.rules.edsons_ridge.public import may_buy


@step("ER 1.520 Note a", "Upgrades", each_side=True, edition=2)
def upgrades(cg: Er, side: str) -> Procedure[None]:
    """A side places the upgrades that it has yet to set up, one to a hex.

    What has no place then is lost, as FPP are that are not spent.
    """
    bought = pending(cg, side)
    if not bought:
        if may_buy(cg, side, *UPGRADED):
            text = "You have no upgrades left to place."
            yield from ask(nothing_to_decide("upgrades", side, text))
        return
    rows = yield from ask(upgrades_question(cg, side))
    chosen = {row["upgrade"]: row["at"] for row in rows}
    for fort in bought:
        if fort.id in chosen:
            yield from tell(upgraded(cg, side, fort, chosen[fort.id]))
        else:
            yield FortGone(fort=fort.id, why="no place is named for it", to=(side,))


def upgrades_question(cg: Er, side: str) -> SecretQuestion:
    """Return the secret question; as many as there are places for are proposed."""
    bought = pending(cg, side)
    able = {fort.id: upgrade_places(cg, side, fort.kind) for fort in bought}
    every = cg.sort(dict.fromkeys(at for found in able.values() for at in found))
    named = {fort.id: fort.kind.replace("-", " ") for fort in bought}
    form = Rows.of(
        Field("upgrade", Choice.named(named), "Upgrade"), Field("at", Choice.of(*every), "Location"), most=len(bought)
    )
    default: list[dict[str, str]] = []
    for fort in bought:
        for at in able[fort.id]:
            more = {one["upgrade"]: one["at"] for one in default} | {fort.id: at}
            if not list(place_problems(cg, side, more)):
                default.append({"upgrade": fort.id, "at": at})
                break
    return SecretQuestion(
        key="upgrades",
        side=side,
        text="Where are your upgrades made?",
        form=form,
        default=default,
        check=lambda rows: list(place_problems(cg, side, {one["upgrade"]: one["at"] for one in rows})),
        suggest=lambda rng: default,
        help="A 3S foxhole becomes a trench, a trench a 1+3+5 pillbox; one upgrade to a hex.",
    )


# DC that are Set ----------------------------------------------------------------------------------


@step("ER 1.520 Note g", "Set DC", each_side=True, edition=2)
def dc_noted(cg: Er, side: str) -> Procedure[None]:
    """A side notes in secret which unit sets off each DC that has been Set."""
    forts, units = dc_unnoted(cg, side), detonators(cg, side)
    if not forts or not units:
        if may_buy(cg, side, SET_DC):
            text = "You have no Set DC for which a unit could be noted."
            yield from ask(nothing_to_decide("detonators", side, text))
        return
    rows = yield from ask(detonators_question(side, forts, units))
    for row in rows:
        fort = cg.state.forts[row["dc"]]
        why = f"it sets off the DC in {fort.at}"
        yield DcSet(fort=fort.id, unit=row["unit"], why=why, to=(side,))


def detonators_question(side: str, forts: Sequence[Fort], units: Sequence[Unit]) -> SecretQuestion:
    """Return the secret question which unit sets off each DC."""
    dcs = Choice.named({fort.id: f"Set DC in {fort.at}" for fort in forts})
    who = Choice.named({unit.id: unit.label for unit in units})
    names = [fort.id for fort in forts]

    def check(rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
        told = [row["dc"] for row in rows]
        return [
            Problem(f"{name} is named {told.count(name)} times", "once each") for name in names if told.count(name) != 1
        ]

    def suggest(rng: Random) -> list[dict[str, str]]:
        return [{"dc": name, "unit": rng.choice(list(units)).id} for name in names]

    return SecretQuestion(
        key="detonators",
        side=side,
        text="Which unit sets off each DC that is Set?",
        form=Rows.of(Field("dc", dcs, "DC"), Field("unit", who, "Unit"), most=len(names)),
        default=[{"dc": name, "unit": units[0].id} for name in names],
        check=check,
        suggest=suggest,
        help="Searching can find a Set DC, and Random SW Destruction can remove it.",
    )
