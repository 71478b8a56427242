"""Radios and field phones: in which area each is between scenarios, and Security Areas (C1.23)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laager.base import Problem
from laager.campaign import Fact, implements
from laager.hexmap import Terms, enterable_path, path_problems
from laager.rules.board.card.parts import other
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.offers import PHONE, RADIO
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.units import Group
from laager.rules.board.places import hex_of
from laager.rules.board.units import Mark, Unit


def radios(cg: Hasl, side: str) -> list[Group]:
    """Return the Retained OBA modules of a side that a radio or phone directs."""
    directed = (group for group in cg.state.groups_of(side) if group.equipment in (RADIO, PHONE))
    return [group for group in directed if not group.lost]


def keeper(cg: Hasl, group: Group) -> Unit | None:
    """Return the unit that has had the radio or phone of a module since setup; None if it is gone."""
    unit = cg.state.units.get(group.holder)
    return unit if unit is not None and unit.in_play and not unit.has(Mark.PRISONER) else None


@implements("HASL 9")
def radios_follow(cg: Hasl, side: str) -> Iterator[Fact]:
    """A radio or phone is Retained in the area of its holder; one without a holder stays.

    If its side no longer has that area, it is in no area, and any unit can have it at setup.
    """
    places = {"", *(area.name for area in cg.state.areas_of(side)), *cg.arrows(side)}
    for group in radios(cg, side):
        holder = keeper(cg, group)
        area = holder.area if holder is not None else group.area
        area = area if area in places else ""
        if area != group.area:
            with_ = f"with {holder.label}" if holder is not None else f"{group.area} is gone"
            yield GroupChanged.of(group, f"the {group.equipment} of {group.id}: {with_}", area=area)


# Security Areas -----------------------------------------------------------------------------------


def shut_to(cg: Hasl, side: str) -> Terms:
    """Return what no Security Area leads through: Enemy Setup Areas and terrain Blazes."""
    enemy = cg.state.friendly(other(side))
    # Players can name an upper Location for a Blaze: it bars the whole hex.
    blazes = frozenset(hex_of(name) for name in cg.state.ground.blazes)
    return Terms(barred=enemy | blazes)


def way_ends(cg: Hasl, side: str) -> frozenset[str]:
    """Return the hexes of the side's Entry Areas."""
    return frozenset(name for arrow in cg.arrows(side) for name in cg.entry_hexes(arrow))


def security_problems(cg: Hasl, side: str, way: Sequence[str]) -> tuple[Problem, ...]:
    """Return what is wrong with a Security Area: hexes in order, from the phone to the edge."""
    found = list(path_problems(cg.map, way, shut_to(cg, side)))
    if way and cg.map.main(way[-1]) not in way_ends(cg, side):
        found.append(Problem(f"{way[-1]} is in no Friendly Entry Area", "lead it to one"))
    return tuple(found)


def some_way(cg: Hasl, side: str, *starts: str) -> tuple[str, ...]:
    """Return the first way for a Security Area from one of these hexes; empty if there is none."""
    ends = way_ends(cg, side)
    path = enterable_path(cg.map, starts, cg.map.in_order(ends), shut_to(cg, side))
    return path.hexes if path is not None else ()
