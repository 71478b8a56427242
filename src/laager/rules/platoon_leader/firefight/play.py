"""Bombardments, and the beginning of play (PL CG4a, 2.8)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from laager.base import Problem
from laager.campaign import Choice, Field, Option, Procedure, Record, SecretQuestion, Text, ask, implements, step
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY, VEHICLES
from laager.rules.board.facts import GroupChanged, Noted
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.buying.groups import in_reserve
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.card.card import RgKind
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Group

KEEP = "keep"
"""The answer of a side that saves its Bombardment."""


@implements("PL CG4a")
def bombardments(cg: Cg, side: str) -> list[Group]:
    """Return the Bombardments that a side could use now; it may use one of them."""
    return [
        group
        for group in cg.state.groups_of(side)
        if (line := cg.side(side).group(group.rg)) is not None
        and line.kind is RgKind.BOMBARDMENT
        and not group.used
        and not group.lost
    ]


@step("PL CG4a", "Bombardment")
def bombardment(cg: Cg) -> Procedure[None]:
    """After all setup each side may resolve one; the side that moves first goes first."""
    first = cg.state.fight.moves_first
    for side in (first, other_side(first)):
        ready = bombardments(cg, side)
        if not ready:
            continue
        answer = yield from ask(_bombardment_question(cg, side, ready))
        if answer["use"] == KEEP:
            continue
        group = next(group for group in ready if group.id == answer["use"])
        line = cg.side(side).group(group.rg)
        extent = f"{line.hexes} hexes" if line is not None and line.hexes else "its area"
        where = f"{extent} around {answer['at']}"
        changes = {"used": True, "lost": f"used in firefight {cg.state.fight.number}"}
        yield GroupChanged(side=side, group=group.id, changes=changes, to=(side,), why=where)
        name = cg.side(side).name
        yield Noted(text=f"{name}: a Bombardment of {where}. {answer['outcome']}".strip())


def _bombardment_question(cg: Cg, side: str, ready: list[Group]) -> SecretQuestion:
    def check(answer: dict[str, str]) -> list[Problem]:
        known = answer["at"] in cg.map and cg.map.main(answer["at"]) in cg.map.playable
        if answer["use"] == KEEP or known:
            return []
        return [Problem(f"{answer['at']!r} is not a hex of this map", "name the centre hex", "at")]

    def suggest(rng: Random) -> dict[str, str]:
        centre = rng.choice(cg.sort(cg.map.playable))
        return {"use": rng.choice([KEEP, ready[0].id]), "at": centre, "outcome": ""}

    options = (Option(KEEP, "none now"), *(Option(group.id) for group in ready))
    return SecretQuestion(
        key="bombardment",
        side=side,
        text="Do you use a Bombardment before the first Wind Change DR? One at most.",
        form=Record.of(
            Field("use", Choice(options), "Which"),
            Field("at", Text(8), "Centre hex", ""),
            Field("outcome", Text(), "What it did", ""),
        ),
        default={"use": KEEP, "at": "", "outcome": ""},
        check=check,
        suggest=suggest,
        help="Resolve it on the table (C1.8); losses go into the battle report.",
    )


# Play begins ------------------------------------------------------------------------------------


@implements("PL CG6", "PL 1.4 Entry Area")
def may_enter(cg: Cg, side: str) -> list[Unit]:
    """Return the units that may enter on or after turn 1: held off the map, and no Reserves."""
    return [unit for unit in off_map(cg, side) if not in_reserve(cg, unit)]


@implements("PL 2.33")
def held_back(cg: Cg, side: str) -> list[Unit]:
    """Return the Reserves kept off the map: they cannot enter before a later firefight."""
    return [unit for unit in off_map(cg, side) if in_reserve(cg, unit)]


def off_map(cg: Cg, side: str) -> list[Unit]:
    """Return the personnel, vehicles and Guns of a side that are in its OB but off the map."""
    units = cg.state.units_of(side, *INFANTRY, *VEHICLES, "gun")
    return [u for u in units if u.place is Place.OFF_MAP and not u.has(Mark.PRISONER)]


def waiting_reserves(cg: Cg, side: str) -> list[Unit]:
    """Return the Reserves that wait on the map under Cloaking counters."""
    units = cg.state.units_of(side, *INFANTRY, *VEHICLES)
    return [unit for unit in units if unit.on_map and in_reserve(cg, unit)]


def edges(cg: Cg, side: str) -> Iterator[str]:
    """Yield where a side's units can enter, in words."""
    card = cg.side(side)
    yield from (f"the {edge} edge" for edge in card.friendly_edges)
    if card.entry_hexes:
        yield ", ".join(card.entry_hexes)


def _reminders(cg: Cg, side: str) -> Iterator[tuple[str, str]]:
    """Return what a side should keep in mind now: the clause and a sentence."""
    number, where = len(may_enter(cg, side)), " or ".join(edges(cg, side))
    if number and where:
        yield "PL CG6", f"{number} of your units may enter by {where}, from turn 1"
    elif number:
        yield "PL CG6", f"{number} of your units can't enter: the card names no map edge or hex for it"
    if number := len(held_back(cg, side)):
        yield "PL 2.33", f"{number} of your units In Reserve stay off map in this firefight"
    if number := len(waiting_reserves(cg, side)):
        near = cg.charts.limit("reserve-alarm")
        yield (
            "PL 2.331",
            f"{number} of your units In Reserve do nothing and aren't Sniper targets until they "
            "are activated: by fire in their Location, by an attack on them, or by a Known enemy "
            f"within {near} hexes",
        )
    usable = [module.id for module in modules(cg, side) if module.usable]
    if usable:
        yield "PL CG4", f"you may use OBA module {', '.join(usable)}"


@step("PL 2.8", "Play begins", also=("PL CG6",), edition=2)
def commencement(cg: Cg) -> Procedure[None]:
    """All setup and patrols are done: say who moves first, and remind each side of what it has."""
    first = cg.state.fight.moves_first
    yield Noted(text=f"Play begins; {cg.side(first).name} move first.")
    for side in (first, other_side(first)):
        for rule, text in _reminders(cg, side):
            if not cg.house.is_off(rule):
                yield Noted(text=text, to=(side,), rule=rule)
