"""Which step follows which (DYO H1.1): in secret each side goes its own way, in the open together.

In secret buying all categories are one step that each side does by itself; the other side learns
only when both are through. In the open both do one category at once, or one side before the other,
and then show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from laager.campaign import Context, Procedure, Step, conduct, implements, one_after_the_other, without_missed
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.ob import FORTIFICATIONS, INFANTRY, OBA, ORDNANCE, SAN, SECOND, VEHICLES
from laager.rules.design_your_own.plan.proposal import with_proposals
from laager.rules.design_your_own.state import DyoState
from laager.rules.design_your_own.steps import (
    bonus,
    fittings,
    infantry,
    leaders,
    oba,
    opening,
    ordnance,
    support,
    vehicles,
    works,
)
from laager.rules.design_your_own.steps.buying import close_category
from laager.rules.design_your_own.terms import SIDES, other_side

_CATEGORIES: Mapping[str, tuple[Step, ...]] = {
    "infantry": (infantry.infantry, close_category(INFANTRY), works.san),
    "ordnance": (ordnance.ordnance, close_category(ORDNANCE)),
    "vehicles": (
        vehicles.vehicles,
        fittings.optional_armament,
        fittings.schuerzen_and_gyros,
        fittings.armor_leaders,
        close_category(VEHICLES),
    ),
    "oba": (oba.air_support_first, oba.oba, oba.air_support, vehicles.op_tanks_taken, close_category(OBA)),
    "fortifications": (works.fortifications, close_category(FORTIFICATIONS)),
    "second-infantry": (infantry.second_infantry, close_category(SECOND), works.san_last),
}


def _unless_closed(category: str, part: Step) -> Step:
    """Return a part of a category that a side leaves out once it is closed: by the record that it goes on from.

    Its questions have the proposals of a balanced purchase.
    """

    def run(cg: Cg, side: str) -> Procedure[None]:
        if category not in cg.state.closed.get(side, ()):
            yield from with_proposals(conduct(part, cg, side), cg)

    return replace(part, run=run, gathers=True)


def _parts(category: str, parts: Iterable[Step]) -> tuple[Step, ...]:
    sans = (works.san.id, works.san_last.id)
    return tuple(_unless_closed(SAN if part.id in sans else category, part) for part in parts)


CATEGORIES: Mapping[str, tuple[Step, ...]] = {name: _parts(name, parts) for name, parts in _CATEGORIES.items()}
"""The parts of each category, in the order in which categories are bought."""

ALLOTMENTS = (
    bonus.bonus_squads,
    leaders.equivalents,
    leaders.leaders,
    leaders.leader_exchange,
    leaders.commissars,
    support.support_weapons,
    support.reinforcement_share,
)

TITLES = {"oba": "OBA and Air Support", "second-infantry": "Second Infantry"}


def _all_at_once(name: str, title: str, parts: tuple[Step, ...], otherwise: str = "") -> Step:
    return one_after_the_other(name, "DYO H1.1", title, *parts, otherwise=otherwise, apart=True)


def _alone(step: Step, side: str) -> Step:
    """Return the step that one side does while the other waits."""

    def run(cg: Context) -> Procedure[None]:
        yield from conduct(step, cg, side)

    return replace(step, id=f"{step.id}-{side}", title=f"{step.title}, {side}", run=run, each_side=False)


def _in_the_open() -> Iterator[tuple[str, dict[str, tuple[Step, ...]]]]:
    """Yield the steps of each category in open buying, by who buys first."""
    for category, parts in CATEGORIES.items():
        step = _all_at_once(f"buying-{category}", TITLES.get(category, category.capitalize()), parts)
        both = opening.showing(f"showing-{category}", *SIDES)
        orders: dict[str, tuple[Step, ...]] = {"both": (step, both)}
        for side in SIDES:
            orders[side] = tuple(
                each
                for buyer in (side, other_side(side))
                for each in (_alone(step, buyer), opening.showing(f"showing-{category}-{buyer}", buyer))
            )
        yield category, orders


_OPEN = dict(_in_the_open())
_SECRET = _all_at_once("buying", "Purchases", tuple(part for parts in CATEGORIES.values() for part in parts))
_ALLOTTING = _all_at_once("allotting", "Leaders and SW", ALLOTMENTS, "You have nothing to choose of leaders and SW.")


def _sequence(*buying: Step) -> tuple[Step, ...]:
    return (opening.beginning, *buying, bonus.announcing, _ALLOTTING, opening.rosters_opened)


SEQUENCES: Mapping[str, tuple[Step, ...]] = {
    "secret": _sequence(_SECRET),
    **{first: _sequence(*(step for orders in _OPEN.values() for step in orders[first])) for first in ("both", *SIDES)},
}
"""The steps of a purchase in secret, and of one in the open by who buys first."""

STEPS: Mapping[str, Step] = {step.id: step for steps in SEQUENCES.values() for step in steps}


@implements("DYO H1.1", "DYO H1.13", "DYO H1.7")
def next_step(state: DyoState) -> Step | None:
    """Return the first step that is not done; None when the purchase is over (H1.1, H1.13, H1.7)."""
    if state.over:
        return None
    for step in steps_of(state):
        if step.id not in state.done:
            return step
    return None


def is_bought(state: DyoState) -> bool:
    """True if both sides have bought: only leaders and SW, which each chooses for itself, may still be open."""
    step = next_step(state)
    return step is None or step.id in (_ALLOTTING.id, opening.rosters_opened.id)


def steps_of(state: DyoState) -> tuple[Step, ...]:
    """Return the steps of this purchase, in order."""
    return without_missed(SEQUENCES[state.first if state.open else "secret"], state.done)
