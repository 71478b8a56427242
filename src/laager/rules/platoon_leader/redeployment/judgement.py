"""Who redeploys where nobody must: who is cut off, and who stands far from where he is needed (PL 2.5, 3.215)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from laager.campaign.temperament import Temperament
from laager.dice import Dice, distribution
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import MMC
from laager.rules.board.judgement.strength import own_strength
from laager.rules.board.moves import baggage
from laager.rules.board.places import hex_of
from laager.rules.board.setup.posts import steps_from
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.parties import Party, group_units
from laager.rules.platoon_leader.redeployment.redeploying import redeployment_modifiers

if TYPE_CHECKING:
    from laager.rules.platoon_leader.redeployment.orders import Orders
    from laager.rules.platoon_leader.redeployment.setting_up_again import SetUpAgain

COMES_THROUGH = frozenset({"redeploys", "replaced", "reduced"})
"""Results of the Redeployment Table with which a unit gets where it goes, if it may not stay."""

NEARER = 3
"""Hexes that a unit must come nearer to where it is needed: fewer aren't worth a DR, which can Reduce it."""

SURE = 0.6
"""Part of the way that units can go at best, by which they surely get there: woods cost more than one MF."""

STACKED = 2
"""Most squads to which another one goes: three are all that a Location holds (A5.1)."""

Row = Mapping[str, Any]


# The option -------------------------------------------------------------------------------------


def judge_option(cg: Cg, side: str, temper: Temperament, before: Mapping[str, str], number: int) -> str:
    """Return the Redeployment Option that somebody of a temperament wants.

    `before` are the answers over which the sides disagreed, `number` how often they did: then the sides give way in
    turn, the first one first, so that two commanders come to an end and a player has his way by the second time.
    """
    if before and number % len(SIDES) != SIDES.index(side):
        return next(option for other, option in before.items() if other != side)
    return "B" if looks_forward(cg, side, temper) else "A"


def looks_forward(cg: Cg, side: str, temper: Temperament) -> bool:
    """True if somebody of a temperament would attack with what he has: Option B brings it forward without a DR."""
    from laager.rules.platoon_leader.judgement import enemy_strength, urgency

    ratio = own_strength(cg, side) / max(1.0, enemy_strength(cg, side))
    return ratio >= temper[f"attack.{urgency(cg, side)}"]


# Who goes where ---------------------------------------------------------------------------------


def judge_orders(orders: Orders, temper: Temperament) -> list[dict[str, Any]]:
    """Return the orders that somebody of a temperament gives."""
    if orders.task.must:
        return orders.default()
    return break_out(orders, temper) if orders.task.terms.fatal else go_where_needed(orders)


# Cut off ----------------------------------------------------------------------------------------


def break_out(orders: Orders, temper: Temperament) -> list[dict[str, Any]]:
    """Return the Isolated units that try to get out: those with a good enough chance, as who fails is lost."""
    rows = orders.rows_for(unit for unit in orders.units.values() if not unit.has(Mark.PRISONER))
    return [
        row
        for row in rows
        for party in orders.parties([row])
        if chance_to_get_through(orders.cg, party) >= temper["escape.risk"]
    ]


def chance_to_get_through(cg: Cg, party: Party) -> float:
    """Return the chance that a party reaches where it goes, whatever it loses on the way."""
    drm = sum(modifier.value for modifier in redeployment_modifiers(cg, party))
    table, odds = cg.table("redeployment"), distribution(Dice.DR, drm)
    good = sum(ways for final, ways in odds.weights.items() if table.result(final, party.column) in COMES_THROUGH)
    return float(good / sum(odds.weights.values()))


# Far from where it counts -----------------------------------------------------------------------


def go_where_needed(orders: Orders) -> list[dict[str, Any]]:
    """Return the squads that go elsewhere: an attacker's nearer to what he wants, a defender's to what is bare."""

    def ends(group: Sequence[Unit]) -> list[str]:
        start = group[0].hex or ""
        limit = SURE * orders.limit(group, orders.row(group))
        return orders.ways.reachable(start, limit, orders.aims() - {start})

    spare = _spare_groups(orders.cg, orders.side, group_units(orders.cg, orders.units.values()))
    rows = [orders.row(group, to) for group, to in _find_moves(orders.cg, orders.side, list(spare), ends, NEARER)]
    # Nobody goes twice, and nobody must go: what is legal by itself is so with the others.
    return [row for row in rows if not orders.problems([row])]


def judge_new_setup(again: SetUpAgain) -> list[dict[str, Any]]:
    """Return where units set up by Option B: as without thought those that must, and the spare squads where needed.

    It costs no DR, so that one hex nearer is worth it.
    """
    standing = [unit for unit in again.units.values() if unit.on_map and not again.follows(unit)]

    def ends(group: Sequence[Unit]) -> list[str]:
        return [name for name in again.areas.get(again.letter(group[0]), ()) if name != group[0].hex]

    spare = _spare_groups(again.cg, again.side, group_units(again.cg, standing))
    moves = _find_moves(again.cg, again.side, list(spare), ends, 1)
    rows = [again.row([unit.id for unit in group], to) for group, to in moves]
    return [*again.default(), *(row for row in rows if not list(again.row_problems(row)))]


Group = Sequence[Unit]
Ends = Callable[[Group], list[str]]
"""The hexes to which units that stand together can go."""


def _find_moves(cg: Cg, side: str, spare: Sequence[Group], ends: Ends, nearer: int) -> Iterator[tuple[Group, str]]:
    find = partial(_forward, nearer=nearer) if cg.state.side(side).attack else _to_bare_ground
    return find(cg, side, spare, ends)


def _spare_groups(cg: Cg, side: str, groups: Iterable[Group]) -> Iterator[Group]:
    """Yield the squads that can go, with who goes along: not who mans a Gun, nor who is dug in or alone on TVP."""
    worth = {hex_of(at) for at in cg.card.tvp}
    works = {fort.at for fort in cg.state.forts.values() if fort.side == side}
    left = _squads_by_hex(cg, side)
    for group in groups:
        first, here = group[0], group[0].hex or ""
        if first.kind not in MMC or first.kind == "crew" or first.at in works:
            continue
        if any(item.kind == "gun" for unit in group for item in baggage(cg, unit)):
            continue
        if here in worth and left.get(here, 0) < 2:
            continue
        left[here] = left.get(here, 0) - 1
        yield group


def _squads_by_hex(cg: Cg, side: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for unit in cg.state.units_of(side, *MMC):
        if unit.on_map and unit.hex and not unit.has(Mark.PRISONER):
            counts[unit.hex] = counts.get(unit.hex, 0) + 1
    return counts


def _forward(cg: Cg, side: str, spare: Sequence[Group], ends: Ends, nearer: int) -> Iterator[tuple[Group, str]]:
    """Yield where squads go that come nearer to Locations that are worth TVP and not the side's."""
    control = cg.state.ground.control
    wanted = {hex_of(at) for at in cg.card.tvp if control.get(at) != side}
    stacked = _squads_by_hex(cg, side)
    away = steps_from(cg.map, wanted)
    for group in spare if wanted else ():
        start = cg.map.main(group[0].hex or "")
        room = [name for name in ends(group) if stacked.get(name, 0) <= STACKED]
        best = min(room, key=away.__getitem__, default=start)
        if room and away[start] - away[best] >= nearer:
            stacked[best] = stacked.get(best, 0) + 1
            yield group, best


def _to_bare_ground(cg: Cg, side: str, spare: Sequence[Group], ends: Ends) -> Iterator[tuple[Group, str]]:
    """Yield who goes to each Location that is worth TVP and that nobody holds, the dearest first."""
    control, held = cg.state.ground.control, _squads_by_hex(cg, side)
    own = {hex_of(at): tvp for at, tvp in cg.card.tvp.items() if control.get(at) == side}
    free = list(spare)
    for name in sorted(cg.sort(own), key=lambda name: -own[name]):
        near = [group for group in free if not held.get(name) and name in ends(group)]
        if near:
            group = min(near, key=lambda group: cg.map.distance(group[0].hex or "", name))
            free.remove(group)
            yield group, name
