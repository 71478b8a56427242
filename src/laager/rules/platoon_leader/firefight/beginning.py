"""The campaign begins: what is agreed, what the OB gives, who Controls what (PL 1.1 to 1.34)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laager.campaign import Choice, Fact, Field, Option, Procedure, Several, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.course.beginning import agreements, balance_fields, starting_numbers
from laager.rules.board.facts import ControlChanged, MassacreInvoked
from laager.rules.board.numbering import join_units
from laager.rules.platoon_leader.buying.groups import given_groups_join
from laager.rules.platoon_leader.card.card import Intensity
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import AttackOptionTaken, CampaignBegun, CpChanged

AS_CARD = "as-card"
"""The answer that leaves the intensity as the card has it."""

ATTACKER, WEATHER = "attacker", "weather"
"""The variables that a card may state as history (PL 1.34)."""


@step("PL 1.1", "The campaign begins", also=("PL 1.2", "PL 1.4 CG Card", "PL 1.4 SR", "PL 4.1"))
def beginning(cg: Cg) -> Procedure[None]:
    """Agree on what is left to the players, then set up both sides as the card has them."""
    agreed = yield from agreements(options(cg), "PL 1.3")
    yield campaign_begun(cg, agreed)
    for side in SIDES:
        yield from ob_joins(cg, side)
    yield from initial_attack(cg)
    yield from massacre_from_the_start(cg)


# What the players agree on ----------------------------------------------------------------------


@implements("PL 1.3")
def options(cg: Cg) -> tuple[Field, ...]:
    """Return what players agree on at the start: balance, history to follow, intensity."""
    return (*balance_fields(cg, cg.card.balance), *_history(cg), *_intensity(cg))


@implements("PL 1.34")
def _history(cg: Cg) -> Iterator[Field]:
    slots = cg.card.firefights
    options = []
    if any(slot.historical_attacker for slot in slots):
        label = "the historical ATTACKER of each firefight buys the Attack Option, and only he"
        options.append(Option(ATTACKER, label))
    if cg.card.weather_table is not None and any(slot.weather for slot in slots):
        options.append(Option(WEATHER, "the weather that the card lists, where it lists one"))
    if options:
        yield Field("historical", Several(tuple(options)), "History to be followed", [])


@implements("PL 2.11")
def _intensity(cg: Cg) -> Iterator[Field]:
    lowest = min((cg.card.intensity_of(side) for side in SIDES), key=list(Intensity).index)
    higher = list(Intensity)[list(Intensity).index(lowest) + 1 :]
    if higher:
        options = [Option(AS_CARD, "as the card has it")]
        options += [Option(level.value, f"at least {level} for both") for level in higher]
        yield Field("intensity", Choice(tuple(options)), "Intensity", AS_CARD)


def campaign_begun(cg: Cg, agreed: Mapping[str, Any]) -> CampaignBegun:
    """Return the starting numbers of the card, with the balance provisions agreed on (PL 1.3)."""
    printed = {name: {side: getattr(cg.side(side), name) for side in SIDES} for name in ("elr", "san", "cp")}
    numbers, why = starting_numbers(printed, cg.card.balance, agreed)
    return CampaignBegun(**numbers, agreed=dict(agreed), why=why)


# What the OB gives ------------------------------------------------------------------------------


def ob_joins(cg: Cg, side: str) -> Iterator[Fact]:
    """The groups and units of a side's OB join; the leaders among them that the card names."""
    yield from given_groups_join(cg, side)
    yield from join_units(cg, side, cg.side(side).ob.units, why="given by the OB")


def massacre_from_the_start(cg: Cg) -> Iterator[Fact]:
    """Massacre is in force from the start for the sides whose card says so (PL CG9)."""
    for side in SIDES:
        if cg.side(side).starts_massacre:
            why = f"the card of {cg.side(side).name}"
            yield MassacreInvoked(side=side, why=why, rule="PL CG9")


@implements("PL 1.4 Attacking Side")
def initial_attack(cg: Cg) -> Iterator[Fact]:
    """The card's initial attacker has the Attack Option, paid for if the card prints a price."""
    side = cg.card.initial_attacker
    price = cg.card.initial_attack_cost or 0
    yield AttackOptionTaken(
        side=side,
        assigned=True,
        rule="PL 1.4 Attack Option",
        why=f"the card assigns the attack of the Initial Firefight to {cg.side(side).name}",
    )
    # CP are never negative, whatever a card prints.
    paid = min(price, cg.state.side(side).cp)
    if paid:
        yield CpChanged(
            side=side,
            by=-paid,
            rule="PL 1.4 Attack Option",
            why=f"the card's price of the assigned Attack Option: {price} CP",
            to=(side,),
        )


# Control ----------------------------------------------------------------------------------------


@step("PL 1.32", "Control at the start", also=("PL 1.4 Initial Firefight setup area",))
def initial_control(cg: Cg) -> Procedure[None]:
    """Each side Controls the Strategic Terrain Locations of its setup area."""
    for side in SIDES:
        locations = starting_control(cg, side)
        if locations:
            yield ControlChanged(
                side=side, locations=locations, why="Strategic Terrain in the Initial Firefight setup area"
            )


def starting_control(cg: Cg, side: str) -> tuple[str, ...]:
    """Return the Locations that a side Controls at the start, in the stated order (PL 1.32).

    What lies in both setup areas belongs to neither side.
    """
    both = cg.setup_area("axis") & cg.setup_area("allied")
    mine = cg.setup_area(side) - both
    return tuple(cg.sort(at for at in cg.strategic() if at.split(".")[0] in mine))
