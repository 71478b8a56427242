"""Whole HASL campaigns for tests: those that ship, played by chance, with what must hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any

from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.pending import Pending
from laager.campaign.readings import Readings
from laager.campaign.ruleset import NewCampaign, find_ruleset
from laager.campaign.views import view
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import HaslState
from laager.rules.board.units import Place, Unit
from tests.platoon_leader.campaigns import autoplay, taken

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))

SHIPPED = {"rijnoord": "abtf", "kokusa-ridge": "er", "sorgiva": "hasl"}
"""The campaigns that ship, and their rulesets."""


@cache
def made_of(card: str, readings: tuple[tuple[str, str], ...] = ()) -> NewCampaign:
    rules = find_ruleset(SHIPPED[card])
    return rules.read_card(rules.shipped_cards()[card], dict(readings))


def new_campaign(
    card: str,
    *,
    seed: bytes = SEED,
    readings: Mapping[str, str] | None = None,
    bare: bool = False,
    entered: bool = False,
) -> Campaign:
    """A shipped campaign gone on as far as it goes by itself.

    `bare`: the owner has filled in no charts and no tables, so that players are asked.
    """
    made = made_of(card, tuple(sorted((readings or {}).items())))
    setting = bared(made.setting) if bare else made.setting
    store = MemoryStore()
    store.append(opening_entries(SHIPPED[card], made.title, setting, entered, seed, NOON))
    return opened(store, card)


def opened(store: MemoryStore, card: str) -> Campaign:
    """The campaign in a store; its clock stands still."""
    campaign = Campaign(store, clock=lambda: NOON, ruleset=find_ruleset(SHIPPED[card]))
    campaign.advance()
    return campaign


def bared(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a log opens with, without charts, tables and what the OB gives of the charts."""
    kept = ("laager", "ruleset", "title", "source", "source_note")
    charts = {name: setting["charts"][name] for name in kept}
    card = dict(setting["card"])
    card["sides"] = {side: _ungiven(half, "ob") for side, half in card["sides"].items()}
    card["dates"] = [_plain_date(date) for date in card["dates"]]
    found = {**setting, "card": card, "charts": {**charts, "sides": {}}}
    found.pop("tables", None)
    return found


def _ungiven(half: Mapping[str, Any], field: str) -> dict[str, Any]:
    return {**half, field: {**half.get(field, {}), "groups": []}}


def _plain_date(date: Mapping[str, Any]) -> dict[str, Any]:
    given = {side: {**what, "groups": []} for side, what in date.get("given", {}).items()}
    plain = {name: value for name, value in date.items() if name not in ("exhaustion", "weather")}
    return {**plain, "given": given}


# Playing ------------------------------------------------------------------------------------------


def soak(card: str, number: int, looks: float = 0.05, wild: float = 0.0, bare: bool = False) -> None:
    """Play one campaign by chance and look at it after every answer.

    Every proposal has to be legal. `looks` is how often both sides' views are looked at, `wild` how
    often an answer is tried that nobody would give. Odd numbers play by readings chosen by chance.
    """
    rng = Random(number)
    readings = chosen_readings(card, rng) if number % 2 else {}
    campaign = new_campaign(card, seed=number.to_bytes(32, "big"), readings=readings, bare=bare)

    def look(campaign: Campaign, pending: Pending) -> None:
        where = f"{card} {number}, after {pending.step.id}/{pending.key}"
        found = list(faults(campaign))
        assert not found, f"{where}: {found}"
        for asked in campaign.pending():
            if asked.question is not None:
                assert asked.question.allows(asked.question.default), f"{where}: {asked.key}"
        if rng.random() < looks:
            assert not list(view_faults(campaign)), where

    autoplay(campaign, rng, after=look, wild=wild)
    assert campaign.state.ending
    assert not list(view_faults(campaign))
    assert audit(campaign).sound
    again = opened(campaign.store, card)  # type: ignore[arg-type]
    assert again.state == campaign.state


def chosen_readings(card: str, rng: Random) -> dict[str, str]:
    campaign = new_campaign(card)
    package = type(campaign.context).package  # type: ignore[attr-defined]
    readings = Readings.load_packaged(package)
    return {name: rng.choice(sorted(readings[name].options)) for name in readings}


def by_proposals(card: str, *, bare: bool = False) -> Campaign:
    """A campaign in which everybody takes what is proposed, to its end."""
    campaign = new_campaign(card, bare=bare)
    while campaign.pending():
        pending = campaign.pending()[0]
        assert pending.question is not None
        assert taken(campaign, pending, pending.question.default), pending.key
    return campaign


# What must hold -----------------------------------------------------------------------------------


def faults(campaign: Campaign) -> Iterator[str]:
    """Everything about the whole state that can't be; nothing if it is sound."""
    yield from faults_of(campaign.context)  # type: ignore[arg-type]


def faults_of(cg: Hasl) -> Iterator[str]:
    """The same of a campaign in any state."""
    state = cg.state
    for side in SIDES:
        yield from _number_faults(cg, state, side)
        yield from _group_faults(cg, state, side)
    for key, unit in state.units.items():
        if key != unit.id:
            yield f"{unit.label} is listed under {key}"
        yield from _misplaced(state, unit, cg.map.playable)
    for fort in state.forts.values():
        if fort.at is not None and fort.hex not in cg.map.playable:
            yield f"{fort.id} is in {fort.at}"
    hexes = [name for area in state.areas for name in area.hexes]
    if len(hexes) != len(set(hexes)):
        yield "Setup Areas overlap"
    numbers = [line.number for line in (*state.past, state.scenario)]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the dates are {numbers}"
    if state.number > len(cg.card.dates):
        yield f"there is no CG Date {state.number}"


def _number_faults(cg: Hasl, state: HaslState, side: str) -> Iterator[str]:
    own, chits = state.side(side), cg.side(side).chits
    for what, most in (("cpp", 999), ("fpp", 999), ("elr", 5), ("san", 7), ("ammunition", 5)):
        if not 0 <= getattr(own, what) <= most:
            yield f"{side} has {what} {getattr(own, what)}"
    if chits.attack is not None and own.attacks > chits.attack + 1:
        yield f"{side} attacked {own.attacks} times"
    if own.cvp > own.cvp_total or own.cvp < 0:
        yield f"{side} amassed {own.cvp} of {own.cvp_total} CVP"


def _group_faults(cg: Hasl, state: HaslState, side: str) -> Iterator[str]:
    own = state.side(side)
    for line in cg.lines(side):
        bought, now = own.bought.get(line.key, 0), own.bought_now.get(line.key, 0)
        if line.total is not None and bought > line.total:
            yield f"{side} bought {bought} {line.key}"
        if line.per_date is not None and now > line.per_date:
            yield f"{side} bought {now} {line.key} for one date"
    for unit in state.units_of(side):
        if unit.group and (side, unit.group) not in state.groups:
            yield f"{unit.label} is of {unit.group}, which there is not"


def _misplaced(state: HaslState, unit: Unit, playable: frozenset[str]) -> Iterator[str]:
    if unit.on_map and unit.hex not in playable:
        yield f"{unit.label} is on the map at {unit.at}"
    if unit.place is Place.OFF_MAP and unit.at is not None:
        yield f"{unit.label} is off the map and in {unit.at}"
    if not unit.with_unit or not unit.in_play:
        return
    holder = state.units.get(unit.with_unit)
    if holder is None or not holder.in_play:
        yield f"{unit.label} is with {unit.with_unit}, who is not there"
    elif (unit.place, unit.at) != (holder.place, holder.at):
        yield f"{unit.label} ({unit.at}) is not where {holder.label} is ({holder.at})"


def view_faults(campaign: Campaign) -> Iterator[str]:
    """Everything that a side's view holds and should not, or holds otherwise than it is."""
    truth: HaslState = campaign.state
    if campaign.over:
        hidden = (side for side in SIDES if view(campaign, side).state != truth)
        yield from (f"{side} does not see all though the campaign is over" for side in hidden)
        return
    for side in SIDES:
        seen: HaslState = view(campaign, side).state
        if seen.side(side) != truth.side(side):
            yield f"{side} holds its own numbers otherwise than they are"
        for unit in seen.units.values():
            yield from _held_wrong(side, unit, truth.units[unit.id])
        for real in truth.units.values():
            if (real.side == side or (real.known and real.in_play)) and real.id not in seen.units:
                yield f"{side} does not know {real.label}"
        for fort in seen.forts.values():
            same = truth.forts.get(fort.id)
            if fort.side == other_side(side) and (same is None or same.hidden):
                yield f"{side} knows the enemy's hidden {fort.kind} {fort.id}"
        yield from (f"{side} knows {group} of {owner}" for owner, group in seen.groups if owner != side)
        if seen.side(other_side(side)).bought:
            yield f"{side} knows what the enemy bought"


def _held_wrong(side: str, unit: Unit, real: Unit) -> Iterator[str]:
    if real.side == side:
        if unit != real:
            yield f"{side} holds its own {real.label} otherwise than it is: {unit} / {real}"
    elif not real.known:
        yield f"{side} knows the enemy's {real.label}"
    elif real.in_play:
        here, there = (f"{u.type} {u.place} {u.at}" for u in (unit, real))
        if here != there:
            yield f"{side} holds {real.label} as {here}, it is {there}"
