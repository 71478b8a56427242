"""Schuerzen and Gyrostabilizers: a dr for each AFV that can have them (DYO H1.42)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Rows, Several, ask, roll, step
from laager.catalogue.dyo import UNKNOWN
from laager.dice import Dice, Modifier
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.dates import Month
from laager.rules.design_your_own.facts import FittingsSettled
from laager.rules.design_your_own.fittings import Fitting, column_of, fitted, fitting_modifiers, odds_fitting
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.ob import VehicleEntry
from laager.rules.design_your_own.steps.buying import declined, taken_words, too_dear, why_not

MOST_DRM = 6
"""A bound on what the players supply by D11.1, so that a slip of the finger is told as such."""


@step("DYO H1.42", "Schuerzen and Gyrostabilizers", each_side=True, also=("DYO H1.42-T",))
def schuerzen_and_gyros(cg: Cg, side: str) -> Procedure[None]:
    """The owner names the AFV for which he rolls; what he receives he may still decline."""
    month = Month(*cg.month)
    fit = {entry.key: entry for entry in cg.ob(side).vehicles.entries if signs(cg, side, entry)}
    if not fit or column_of(month) is None:
        return
    for row in (yield from ask(_which(cg, side, fit))):
        yield from _one(cg, side, fit[row["afv"]], row["drm"])


def signs(cg: Cg, side: str, entry: VehicleEntry) -> tuple[Fitting, ...]:
    """Return what the wreck side of an AFV allows (D11); OP tanks carry none."""
    if entry.op or entry.without_dr:
        return ()
    shown = cg.nation(side).vehicle(entry.type).wreck
    return () if shown is UNKNOWN else tuple(one for one in Fitting if one.value in (shown or ()))


def _which(cg: Cg, side: str, fit: Mapping[str, VehicleEntry]) -> Question:
    options = tuple(Option(key, f"{entry.type} {entry.id}: {_chances(cg, side, entry)}") for key, entry in fit.items())
    row = Record((Field("afv", Choice(options), "AFV"), Field("drm", Number(-MOST_DRM, MOST_DRM), "drm by D11.1", 0)))
    return Question(
        key="fittings",
        side=side,
        text=f"For which AFV do you roll for Schuerzen or a Gyrostabilizer? You have {cg.left(side)} points.",
        form=Rows(row, most=len(fit)),
        rule="DYO H1.42",
        secret=True,
        default=[],
        help="One dr for each AFV. The drm of D11.1 are in your rulebook.",
        check=_once,
        irrevocable=declined("Without a dr there are no Schuerzen or Gyrostabilizer."),
        nothing="No dr",
        suggest=lambda rng: _some(fit, rng),
    )


def _chances(cg: Cg, side: str, entry: VehicleEntry) -> str:
    month = Month(*cg.month)
    parts = []
    for one in signs(cg, side, entry):
        drm = sum(modifier.value for modifier in modifiers(cg, side, entry, [one], 0))
        parts.append(f"{one.value} {odds_fitting(one, month, drm)[True] * 6}/6")
    return ", ".join(parts)


def _once(rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    names = [row["afv"] for row in rows]
    return [
        Problem(f"{name} is named twice", "one dr for each AFV", f"[{i + 1}]")
        for i, name in enumerate(names)
        if names.index(name) < i
    ]


def _some(fit: Mapping[str, VehicleEntry], rng: Random) -> list[dict[str, Any]]:
    return [{"afv": key, "drm": 0} for key in fit if rng.random() < 0.5]


def modifiers(cg: Cg, side: str, entry: VehicleEntry, wanted: Iterable[Fitting], other: int) -> tuple[Modifier, ...]:
    """Return the drm of an AFV's dr, each once."""
    vehicle = cg.nation(side).vehicle(entry.type)
    found = [
        modifier
        for one in wanted
        for modifier in fitting_modifiers(
            one, lend_lease=vehicle.lend_lease, us_crew=cg.group_of(side, entry.type) is Group.AMERICAN, other=other
        )
    ]
    return tuple(dict.fromkeys(found))


def _one(cg: Cg, side: str, entry: VehicleEntry, other: int) -> Procedure[None]:
    shown = signs(cg, side, entry)
    drm = modifiers(cg, side, entry, shown, other)
    rolled = yield from roll(side, f"Schuerzen or Gyrostabilizer, {entry.type} {entry.id}", Dice.dr, drm, secret=True)
    month = Month(*cg.month)
    costs = {}
    for one in shown:
        # The Lend-Lease drm is the Gyrostabilizer's alone.
        own = modifiers(cg, side, entry, [one], other)
        result = fitted(one, month, rolled.original + sum(modifier.value for modifier in own))
        if result.received:
            costs[one] = result.cost
    taken: list[str] = []
    if any(not too_dear(cg, side, cost, one.value) for one, cost in costs.items()):
        taken = yield from ask(_take(cg, side, entry, costs))
    kept = tuple(one for one in costs if one.value in taken)
    cost = sum(costs[one] for one in kept)
    offered = " and ".join(one.words for one in costs) or "nothing"
    yield FittingsSettled(
        side=side,
        vehicle=entry.key,
        fittings=tuple(one.value for one in kept),
        dr=evidence(rolled),
        cost=cost,
        why=f"dr {rolled}: {offered}",
        to=(side,),
    )


def _take(cg: Cg, side: str, entry: VehicleEntry, costs: Mapping[Fitting, int]) -> Question:
    options = tuple(
        Option(one.value, f"{one.words}: {cost}", why_not(too_dear(cg, side, cost, one.words)))
        for one, cost in costs.items()
    )
    return Question(
        key="fitting",
        side=side,
        text=f"Does {entry.type} {entry.id} take what the dr gives? You have {cg.left(side)}.",
        form=Several(options),
        rule="DYO H1.42",
        secret=True,
        default=[],
        check=lambda names: _dear(cg, side, costs, names),
        irrevocable=lambda names: taken_words(cg, side, _cost(costs, names)),
        nothing="Take nothing",
    )


def _cost(costs: Mapping[Fitting, int], names: Sequence[str]) -> int:
    return sum(cost for one, cost in costs.items() if one.value in names)


def _dear(cg: Cg, side: str, costs: Mapping[Fitting, int], names: Sequence[str]) -> list[Problem]:
    short = too_dear(cg, side, sum(costs[Fitting(name)] for name in names), "both together")
    return [short.problem()] if short else []
