"""Reinforcement groups as they come into an OB, and the RG Purchase Record that lists them.

Functions that return facts return them for their own side only; the caller yields them one by
one, because each id follows from what the state has counted before. The units of a group join
when its strength is known (`strength.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import Fact, implements
from laager.catalogue import Kind as UnitKind
from laager.catalogue import Nation
from laager.rules.board.buying.works import ALLOWANCES
from laager.rules.board.card.parts import UnitLine
from laager.rules.board.facts import SanChanged, UnitJoined
from laager.rules.board.hasl.buying.offers import OBSERVER, equipments
from laager.rules.board.hasl.card.card import Given, GivenFort, GivenUnit
from laager.rules.board.hasl.charts import Kind, RgLine, SwLine
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import CppChanged, FppChanged, GroupJoined, UnitRetained
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.numbering import join_fort, join_units, next_group_id
from laager.rules.board.state import MAX_SAN
from laager.rules.board.units import Unit

_COUNTED = re.compile(r"([1-9][0-9]?)\s*(?:x\s*|\s)(.+)", re.IGNORECASE)

SW_KINDS = frozenset({UnitKind.SW, UnitKind.GUN})
"""Kinds that players can list as SW: a mortar is a Gun in some nations."""
UNIT_KINDS = frozenset(UnitKind) - {UnitKind.SW}


@implements("HASL 20", "ABtF 9.2 RG")
def join_group(
    cg: Hasl,
    side: str,
    line: RgLine,
    arrival: GroupArrival | None = None,
    area: str = "",
    *,
    cost: int = 0,
    given: bool = False,
    named: tuple[str, ...] | None = None,
    equipment: str = "",
    objective: str = "",
    setup: tuple[str, ...] = (),
    registers: bool = False,
    why: str = "",
) -> Iterator[Fact]:
    """Yield that a group is bought or given: its line on the record, its CPP, what it adds to FPP and SAN.

    `named` are leaders that the OB names for it (none: an empty tuple); None has them rolled for.
    """
    # What the owner enters where there is no chart stays with the group; a chart line is looked up.
    listed = cg.line(side, line.key) is not None
    group = Group(
        id=next_group_id(cg, side, line.key),
        side=side,
        rg=line.key,
        kind=line.kind,
        name=line.name,
        date=cg.state.number,
        cost=cost,
        given=given,
        arrival=arrival,
        area=area,
        units={} if listed else types_of(line.full),
        sw={} if listed else types_of(line.sw),
        named=named,
        objective=objective,
        setup=setup,
        registers=registers,
        black=line.module.black if line.module is not None else 0,
        red=line.module.red if line.module is not None else 0,
        equipment=equipment,
    )
    yield GroupJoined(group=group, why=why, to=(side,))
    if cost:
        yield CppChanged(side=side, by=-cost, why=f"{group.id}: {why}", to=(side,))
    if line.fpp:
        yield FppChanged(side=side, by=line.fpp, why=f"{group.id}, {line.name}", to=(side,))
    more = min(line.san, MAX_SAN - cg.state.side(side).san)
    if more > 0:
        yield SanChanged(side=side, by=more, why=f"{group.id}: SAN +{line.san}", to=(side,))


def types_of(lines: Iterable[UnitLine | SwLine]) -> dict[str, int]:
    """Return how many of each type some lines list."""
    counts = Counter[str]()
    for line in lines:
        counts[line.type] += line.count
    return dict(counts)


@implements("HASL 3", "HASL 18")
def join_given(cg: Hasl, side: str, given: Given, why: str) -> Iterator[Fact]:
    """Yield what the OB gives: groups of the chart (never counted as bought), units, points."""
    for item in given.groups:
        line = cg.line(side, item.rg)
        assert line is not None, "the card was checked against its charts"
        arrival = item.arrival or (GroupArrival.ON_MAP if item.setup else None)
        able = (OBSERVER,) if item.observer else equipments(cg, side, line)
        yield from join_group(
            cg,
            side,
            line,
            GroupArrival(arrival) if arrival is not None else None,
            item.area,
            given=True,
            named=item.leaders,
            equipment=able[0] if able else "",
            setup=item.setup,
            registers=item.pre_registered,
            why=why,
        )
    yield from _given_units(cg, side, given.units, why)
    yield from _given_forts(cg, side, given.fortifications, why)
    if given.cpp:
        yield CppChanged(side=side, by=given.cpp, why=why, to=(side,))
    if given.fpp:
        yield FppChanged(side=side, by=given.fpp, why=why, to=(side,))


def _given_units(cg: Hasl, side: str, lines: Iterable[GivenUnit], why: str) -> Iterator[Fact]:
    """Yield the single units of the OB, each part with the hexes or the area that the card has for it."""
    parts: dict[tuple[tuple[str, ...], str], list[GivenUnit]] = {}
    for line in lines:
        parts.setdefault((line.setup, line.area), []).append(line)
    for (setup, area), own in parts.items():
        for fact in join_units(cg, side, own, why=why):
            yield _bound_to(fact, setup)
            if isinstance(fact, UnitJoined) and area:
                yield UnitRetained(unit=fact.unit.id, area=area, why=why, to=(side,))


def _given_forts(cg: Hasl, side: str, lines: Iterable[GivenFort], why: str) -> Iterator[Fact]:
    """Fortifications of the OB come: an entry for each, of "?" and HIP one for all."""
    for line in lines:
        count = line.count if line.kind in ALLOWANCES else 1
        for _ in range(line.count // count):
            yield join_fort(cg, side, line.kind, line.size, count=count, given=True, setup=line.setup, why=why)


def _bound_to(fact: Fact, setup: tuple[str, ...]) -> Fact:
    """Return the fact with the only hexes where its unit sets up, if it has a unit and there are such."""
    if not setup or not isinstance(fact, UnitJoined):
        return fact
    return fact.but(unit=fact.unit.but(setup=setup))


def join_to_group(group: Group, fact: Fact, rule: str = "") -> Iterator[Fact]:
    """Yield that a unit of a group joins under a rule, Retained in the area recorded for the group."""
    fact = _bound_to(fact, group.setup)
    yield fact.but(rule=rule) if rule else fact
    if isinstance(fact, UnitJoined) and group.area:
        why = f"{group.id} is recorded there"
        yield UnitRetained(unit=fact.unit.id, area=group.area, rule=rule, why=why, to=(group.side,))


# What a group is ----------------------------------------------------------------------------------


def line_of(cg: Hasl, group: Group) -> RgLine:
    """Return the line of a group: that of the chart, else one made of what its owner entered.

    Such a line can be Depleted, but its owner has to say what comes then: its `depleted` is empty.
    """
    line = cg.line(group.side, group.rg)
    if line is not None:
        return line
    return entered_line(Kind(group.kind), group.rg, group.cost, units=group.units, sw=group.sw)


def entered_line(
    kind: Kind, name: str, cost: int, *, units: Mapping[str, int], sw: Mapping[str, int], **more: Any
) -> RgLine:
    """Return a line for a group that no chart lists; its name is its id."""
    return RgLine.model_construct(
        id=name,
        name=name,
        kind=kind,
        cost=cost,
        full=tuple(UnitLine(type=type_, count=count) for type_, count in units.items()),
        depleted=() if kind in (Kind.INFANTRY, Kind.HEAVY_WEAPONS) else None,
        sw=tuple(SwLine(type=type_, count=count) for type_, count in sw.items()),
        **more,
    )


def is_listed(cg: Hasl, group: Group) -> bool:
    """True if a group is of a line of the chart."""
    return cg.line(group.side, group.rg) is not None


def fresh_groups(cg: Hasl, side: str) -> list[Group]:
    """Return the groups that came for the present CG Date, in their order."""
    return [group for group in cg.state.groups_of(side) if group.date == cg.state.number]


def arrival_date(cg: Hasl, unit: Unit) -> int | None:
    """Return the CG Date on which a unit first set up or entered; None if it has yet to.

    What came into being on the map came with its group.
    """
    group = cg.state.groups.get((unit.side, unit.group))
    with_group = group.date if group is not None and unit.on_map else None
    return cg.state.arrived.get(unit.id, with_group)


def is_in_reserve(cg: Hasl, unit: Unit) -> bool:
    """True if a unit comes in Reserve on the present CG Date: its group does, and is not used."""
    group = cg.state.groups.get((unit.side, unit.group))
    if group is None or group.arrival is not GroupArrival.RESERVE:
        return False
    return arrival_date(cg, unit) in (None, cg.state.number)


def has_sat_out(cg: Hasl, group: Group) -> bool:
    """True if a scenario has been played since a group came into its side's OB."""
    return any(group.date <= past.number and past.play_ended and not past.idle for past in cg.state.past)


def units_of_group(cg: Hasl, side: str, group: str) -> Iterator[Unit]:
    """Return the units of a group that are still in play."""
    return (unit for unit in cg.state.units_of(side) if unit.group == group)


# The record ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
@implements(
    "ER 1.5188 CG Date",
    "ER 1.5188 RG ID",
    "ER 1.5188 Group Type",
    "ER 1.5188 Str",
    "ER 1.5188 # Units",
    "ER 1.5188 SW Received",
    "ER 1.5188 Setup Area/Entry ID",
)
class PurchaseLine:
    """A group on the RG Purchase Record.

    `bought` (#P) are the groups of its line bought up to it, without those that the OB gives; `left` (#R)
    is the chart's Maximum less that number (None: no Maximum).
    """

    group: Group
    bought: int
    left: int | None


@implements("HASL 20", "HASL 9", "ER 1.5188", "ER 1.5188 #P", "ER 1.5188 #R")
def purchase_record(cg: Hasl, side: str) -> Iterator[PurchaseLine]:
    """Return a side's RG Purchase Record: its groups in the order they came, none that the viewer doesn't know."""
    bought = Counter[str]()
    for group in cg.state.groups_of(side):
        bought[group.rg] += not group.given
        chart = cg.line(side, group.rg)
        most = chart.total if chart is not None else None
        yield PurchaseLine(group, bought[group.rg], None if most is None else most - bought[group.rg])


# Units and SW as players write them: `3 x 4-6-7, LMG` --------------------------------------------


def counts_of(text: str, nation: Nation, kinds: Collection[UnitKind]) -> dict[str, int]:
    """Return how many of each type a text lists. What it can't read is left out."""
    known, counts = _type_names(nation, kinds), Counter[str]()
    for count, type_ in _split_counts(text, known):
        counts[type_] += count * (type_ in known)
    return dict(+counts)


def count_problems(text: str, nation: Nation, kinds: Collection[UnitKind], field: str) -> Iterator[Problem]:
    """Yield what is wrong with such a text, as the answer to a field."""
    known = _type_names(nation, kinds)
    word = "SW or Gun" if UnitKind.SW in kinds else "unit"
    for _, type_ in _split_counts(text, known):
        if type_ not in known:
            yield Problem(nation.lacks(word, repr(type_)), did_you_mean(type_, known), field)


def _type_names(nation: Nation, kinds: Collection[UnitKind]) -> list[str]:
    return [name for kind in UnitKind if kind in kinds for name in nation.types(kind)]


def _split_counts(text: str, known: Collection[str]) -> Iterator[tuple[int, str]]:
    for part in filter(None, map(str.strip, text.split(","))):
        # Some types begin with a number themselves (88 ART): those aren't counts.
        matched = None if part in known else _COUNTED.fullmatch(part)
        yield (int(matched[1]), matched[2]) if matched else (1, part)
