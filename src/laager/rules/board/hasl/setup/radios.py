"""Radios and field phones between scenarios: in which area each is, with its holder or without."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from laager.campaign import Fact, implements
from laager.rules.board.hasl.buying.offers import PHONE, RADIO
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import GroupChanged
from laager.rules.board.hasl.units import Group
from laager.rules.board.units import Mark, Unit


def radios(cg: Hasl, side: str) -> list[Group]:
    """Return the Retained OBA modules of a side that a radio or phone directs."""
    directed = (group for group in cg.state.groups_of(side) if group.equipment in (RADIO, PHONE))
    return [group for group in directed if not group.lost]


def keeper(cg: Hasl, group: Group) -> Unit | None:
    """Return who has had the radio or phone of a module since setup; None if he is gone."""
    unit = cg.state.units.get(group.holder)
    return unit if unit is not None and unit.in_play and not unit.has(Mark.PRISONER) else None


@implements("HASL 9")
def radios_follow(cg: Hasl, side: str) -> Iterator[Fact]:
    """A radio or phone is Retained in the area of its holder; one without a holder stays.

    If its side has that area no more, it is in no area, and may be with anybody at setup.
    """
    places = {"", *(area.name for area in cg.state.areas_of(side)), *cg.arrows(side)}
    for group in radios(cg, side):
        holder = keeper(cg, group)
        area = holder.area if holder is not None else group.area
        area = area if area in places else ""
        if area != group.area:
            with_ = f"with {holder.label}" if holder is not None else f"{group.area} is gone"
            yield relocated(group, {"area": area}, f"the {group.equipment} of {group.id}: {with_}")


def relocated(group: Group, changes: dict[str, Any], why: str) -> Fact:
    """Return that the radio or phone of a module is elsewhere; its owner's secret."""
    side = group.side
    return GroupChanged(side=side, group=group.id, changes=changes, why=why, to=(side,))
