"""Armor Leaders: a DR for every three AFV bought (DYO H1.43)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Option, Procedure, Question, Several, ask, roll, step
from laager.dice import Dice
from laager.rules.design_your_own.armor_leaders import (
    armor_leader,
    armor_leader_drm,
    armor_leader_drs,
    odds_armor_leader,
    substitute,
    trio_breaches,
)
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import ArmorLeaderSettled
from laager.rules.design_your_own.ob import VEHICLES, Trio, VehicleEntry
from laager.rules.design_your_own.steps.buying import closing


@step("DYO H1.43", "Armor Leaders", each_side=True, also=("DYO H1.43-T", "DYO H1.13"))
def armor_leaders(cg: Cg, side: str) -> Procedure[None]:
    """The owner names three AFV, rolls for their leader, and seats him in one of them."""
    for of in cg.nations(side):
        yield from _leaders_of(cg, side, of)
    yield closing(cg, side, VEHICLES)


def _leaders_of(cg: Cg, side: str, of: str) -> Procedure[None]:
    """Make the DR of one nation of a side: the table tells nations apart, so threes are of one."""
    row = cg.row(side, "armor_leader_row", of)
    drm = armor_leader_drm(row, cg.month.year, cg.terms.theatre)
    nation = cg.nation(side)
    free = {key: one for key, one in afv(cg, side).items() if nation.ally(one.type) == of}
    entitled = int(armor_leader_drs(len(free))) if drm is not None else 0
    for number in range(1, entitled + 1):
        assert drm is not None
        named = yield from ask(_which(free, side, number, entitled, drm.value))
        if not named:
            break
        rolled = yield from roll(side, f"Armor Leader, DR {number} of {entitled}", Dice.DR, [drm], secret=True)
        leader = armor_leader(rolled.final) or ""
        if leader and not counters_left(cg, side, leader, of):
            leader = ""
        trio = Trio(vehicles=tuple(named), dr=evidence(rolled))
        if leader:
            trio = yield from _seated(cg, side, of, trio, leader)
        why = f"DR {rolled}: {trio.leader or 'no Armor Leader'}"
        yield ArmorLeaderSettled(side=side, trio=trio, why=why, to=(side,))
        free = {key: entry for key, entry in free.items() if key not in named}


def afv(cg: Cg, side: str) -> dict[str, VehicleEntry]:
    """Return the AFV that earn Armor Leader DR; OP tanks don't."""
    nation = cg.nation(side)
    transport = {item.type for item in nation.transport(cg.month)}
    return {
        entry.key: entry
        for entry in cg.ob(side).vehicles.entries
        if not entry.op and entry.type not in transport and nation.vehicle(entry.type).afv is True
    }


def trios_of(cg: Cg, side: str, of: str) -> tuple[Trio, ...]:
    """Return the threes of one nation of a side, by the AFV that come first in them."""
    nation = cg.nation(side)
    every = cg.ob(side).vehicles.trios
    return tuple(one for one in every if nation.ally(_first(one)) == of)


def _first(trio: Trio) -> str:
    return next(iter(trio.vehicles), "").rpartition(":")[0]


def counters_left(cg: Cg, side: str, leader: str, of: str = "", more: int = 1) -> bool:
    """Whether one game has `more` counters of an Armor Leader; an unknown number is no limit."""
    if cg.terms.agreements.extra_pieces:
        return True
    total = cg.nation(side, of).armor_leaders.get(leader)
    held = [trio.leader for trio in trios_of(cg, side, of)].count(leader)
    return not isinstance(total, int) or held + more <= total


def _which(free: Mapping[str, VehicleEntry], side: str, number: int, entitled: int, drm: int) -> Question:
    each = charts().armor_leaders.afv_for_each
    options = tuple(Option(key, f"{entry.type} {entry.id}") for key, entry in free.items())
    odds = ", ".join(f"{leader or 'none'} {chance * 36}/36" for leader, chance in odds_armor_leader(drm).items())
    return Question(
        key="armor-leader-dr",
        side=side,
        text=f"Which three AFV make Armor Leader DR {number} of {entitled}? None: no DR.",
        form=Several(options, most=each),
        rule="DYO H1.43",
        secret=True,
        default=list(free)[:each],
        help=f"The leader serves in one of them. {odds}.",
        check=lambda names: _problems(free, names),
        suggest=lambda rng: _some(list(free), each, rng),
    )


def _problems(free: Mapping[str, VehicleEntry], names: Sequence[str]) -> list[Problem]:
    return [breach.problem() for breach in trio_breaches([names] if names else [], list(free))]


def _some(free: list[str], each: int, rng: Random) -> list[Any]:
    return rng.sample(free, each) if rng.random() < 0.9 else []


def _seated(cg: Cg, side: str, of: str, trio: Trio, leader: str) -> Procedure[Trio]:
    """Take the leader or the better one that the crews allow, and choose his AFV."""
    nation = cg.nation(side)
    vehicles = [cg.ob(side).vehicles.find(key) for key in trio.vehicles]
    types = [entry.type for entry in vehicles if entry is not None]
    morale = [nation.vehicle(type_).crew_morale for type_ in types]
    known = [value for value in morale if isinstance(value, int)]
    if len(known) == len(types):
        better = substitute(leader, known, cg.nation(side, of).armor_leaders or None)
        if better != leader and counters_left(cg, side, better, of):
            options = (Option(leader, leader), Option(better, f"{better}, as the crews' morale"))
            leader = yield from ask(
                Question(
                    key="armor-leader",
                    side=side,
                    text=f"The DR gives a {leader}; which leader do you take?",
                    form=Choice(options),
                    rule="DYO H1.43",
                    secret=True,
                    default=better,
                )
            )
    seats = tuple(Option(key) for key in trio.vehicles)
    vehicle = yield from ask(
        Question(
            key="armor-leader-afv",
            side=side,
            text=f"Which AFV carries the Armor Leader {leader}?",
            form=Choice(seats),
            rule="DYO H1.43",
            secret=True,
            default=trio.vehicles[0],
        )
    )
    return trio.model_copy(update={"leader": leader, "vehicle": vehicle})
