"""Fortification clearance (PL 3.52)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from laager.campaign import (
    Choice,
    Fact,
    Field,
    Number,
    Procedure,
    Rows,
    SecretQuestion,
    ask,
    implements,
    no_decision,
    roll,
    step,
)
from laager.dice import Dice, Modifier
from laager.hexmap import is_water
from laager.rules.board.changes import MMC, reduce_unit
from laager.rules.board.facts import FireChanged, FortGone, TerrainChanged
from laager.rules.board.rows import repeated_names, unit_choice
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.platoon_leader.buying.works import DUMMY, KNOWN
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.hidden import may_hide

REAL_MINES = frozenset({"a-p-mines", "a-t-mines", "a-b-mines", KNOWN})

MINES = REAL_MINES | {DUMMY}
"""All mines of a Location count as one type; a Dummy Minefield looks like a Known one (F.7B)."""

CLEARABLE = MINES | {"wire", "roadblock", "set-dc", "panji"}
"""Fortifications that a side can clear; Panji as B24.7 and G9 allow."""

WENT_OFF = 6
"""The Original dr at which mines and Panji hurt those that clear them."""

BY_CLASS = ("elite", "first-line", "second-line", "green", "conscript")
"""The order in which classes suffer the casualty of an Original 6."""


@dataclass(frozen=True)
class Clearing:
    """Something that a side can try to clear: what, where, and the fortifications concerned."""

    what: str
    at: str
    forts: tuple[Fort, ...] = ()

    @property
    def name(self) -> str:
        """How it is named in answers: `wire H7`."""
        return f"{self.what} {self.at}"


@implements("PL 3.52")
def clearable(cg: Cg, side: str) -> list[Clearing]:
    """Return what a side can try to clear: in its clusters or MLR, and known to it."""
    front = cg.front
    ours = (front.controlled[side] | front.friendly_mlr[side]) if front else cg.setup_area(side)
    items: dict[str, Clearing] = {}
    for fort in cg.state.forts.values():
        known = fort.side == side or not fort.hidden
        if fort.at is None or fort.hex not in ours or not known or fort.kind not in CLEARABLE:
            continue
        kind = "mines" if fort.kind in MINES else fort.kind
        before = items.get(f"{kind} {fort.at}")
        forts = (*(before.forts if before else ()), fort)
        items[f"{kind} {fort.at}"] = Clearing(kind, fort.at, forts)
    for at in rubble_in(cg, ours):
        items[f"rubble {at}"] = Clearing("rubble", at)
    for name in cg.state.ground.flames:
        if name in ours:
            items[f"flame {name}"] = Clearing("flame", name)
    return sorted(items.values(), key=lambda item: (cg.sort([item.at]), item.what))


def rubble_in(cg: Cg, hexes: frozenset[str]) -> Iterator[str]:
    """Yield the Locations of rubble in some hexes, printed or not: at ground level, and upstairs in a building."""
    for name in hexes:
        if cg.map.hex(name).has("rubble"):
            yield name
    for at, changes in cg.state.ground.changes.items():
        name = at.partition(".")[0]
        if "rubble" in changes and at != name and name in hexes and at in cg.map.locations(name):
            yield at


@implements("PL 3.52 drm")
def clearance_modifiers(cg: Cg, side: str, item: Clearing, bulldozer: int) -> list[Modifier]:
    """Return the drm of one attempt."""
    table = cg.table("clearance")
    name = item.at.split(".")[0]
    enemy = cg.enemy_clusters(side)
    modifiers = []
    if item.what in {"panji", "mines", "wire"} and not enemy.isdisjoint(cg.map.neighbours(name)):
        modifiers.append(table.modifier("near-enemy"))
    if item.what == "roadblock" and _near_enemy(cg, item, enemy):
        modifiers.append(table.modifier("roadblock-near-enemy"))
    wet = item.what in CLEARABLE | {"mines"} and is_water(cg.map.hex(name))
    if wet:
        modifiers.append(table.modifier("water"))
    if len(engineer_squads(cg, side)) >= cg.charts.limit("engineers"):
        modifiers.append(table.modifier("engineers"))
    if bulldozer:
        modifiers.append(table.modifier("bulldozer", value=bulldozer))
    return modifiers


def _near_enemy(cg: Cg, item: Clearing, enemy: frozenset[str]) -> bool:
    """True if a roadblock's hexside is one of an enemy cluster hex, or of a hex next to one."""
    sides = {item.at.split(".")[0], *(fort.hexside for fort in item.forts if fort.hexside)}
    return not enemy.isdisjoint(cg.map.hexes_within(sides & cg.map.playable, 1))


def engineer_squads(cg: Cg, side: str) -> list[Unit]:
    """Return a side's Assault Engineer squads that are not Isolated."""
    squads = cg.state.units_of(side, "squad")
    return [unit for unit in squads if unit.has(Mark.ENGINEERS) and not unit.has(Mark.ISOLATED, Mark.PRISONER)]


@step("PL 3.52", "Fortification clearance", each_side=True, also=("PL 3.52 table",), edition=3)
def fortification_clearance(cg: Cg, side: str) -> Procedure[None]:
    """Each side names what it tries to clear, in order; a failure ends the tries there.

    A side that could hide mines or Wire gets the question even if there is nothing, so that the enemy learns nothing.
    """
    items = {item.name: item for item in clearable(cg, side)}
    if not items and not may_hide(cg, side):
        return
    attempts = yield from ask(_question(side, list(items.values())))
    failed: set[str] = set()
    for attempt in attempts:
        item = items[attempt["item"]]
        if item.at in failed:
            continue
        modifiers = clearance_modifiers(cg, side, item, attempt["bulldozer"])
        secret = all(fort.hidden for fort in item.forts) and bool(item.forts)
        rolled = yield from roll(
            side, f"Clearance of {item.name}", Dice.dr, modifiers, secret=secret, table="clearance"
        )
        if cg.table("clearance").result(rolled.final) == "removed":
            yield from _clear(cg, item, rolled.final)
            continue
        failed.add(item.at)
        if rolled.original == WENT_OFF:
            yield from _expose_dummies(item)
            yield from _casualty(cg, side, item)


def _question(side: str, items: list[Clearing]) -> SecretQuestion:
    if not items:
        return no_decision("clearance", side, "There is nothing that you can clear.")

    form = Rows.of(
        Field("item", Choice.of(*(item.name for item in items)), "What"),
        Field("bulldozer", Number(-5, 0), "Bulldozer drm (B24.7)", 0),
    )
    return SecretQuestion(
        key="clearance",
        side=side,
        text="What do you try to clear? In this order; a failure ends the tries in that Location.",
        form=form,
        check=lambda rows: repeated_names(rows, "item"),
    )


@implements("PL 3.52 note *")
def _clear(cg: Cg, item: Clearing, final: int) -> Iterator[Fact]:
    """Take the item away; with a Known minefield all mines of the Location go, of both sides.

    The side that clears does not learn of hidden ones. A Dummy is not a minefield: it alone goes.
    """
    why = f"final dr {final}: cleared"
    for fort in (*item.forts, *_other_mines(cg, item)):
        yield FortGone(fort=fort.id, why=why, to=(fort.side,) if fort.hidden else None)
    if item.what == "rubble":
        yield TerrainChanged(at=item.at, what="rubble", gone=True, why=why)
    if item.what == "flame":
        ground = cg.state.ground
        yield FireChanged(flames=ground.flames - {item.at}, blazes=ground.blazes, why=why)


def _other_mines(cg: Cg, item: Clearing) -> list[Fort]:
    """Return the other mines that go with a Known minefield: all in its Location."""
    if not any(is_known(fort) for fort in item.forts if fort.kind in MINES):
        return []
    there = [fort for fort in cg.state.forts.values() if fort.at == item.at]
    return [fort for fort in there if fort.kind in MINES and fort not in item.forts]


def is_known(fort: Fort) -> bool:
    """True if mines are a Known minefield: bought as one, or seen by the enemy. A Dummy never is."""
    return fort.kind in REAL_MINES and (fort.known_minefield or not fort.hidden)


def _expose_dummies(item: Clearing) -> Iterator[Fact]:
    """An Original 6 gives Dummies away, since nothing goes off: they are taken off the map."""
    if any(is_known(fort) for fort in item.forts):
        return
    for fort in item.forts:
        if fort.kind == DUMMY:
            yield FortGone(fort=fort.id, why=f"Original {WENT_OFF}, nothing goes off: a Dummy")


@implements("PL 3.52 note dagger")
def casualty_candidates(cg: Cg, side: str) -> list[Unit]:
    """Return the MMC of which one is Reduced: Assault Engineers, else the best class there is.

    Prisoners, guarded or not, don't count. A reading decides if Isolated ones are spared where their
    class has others.
    """
    units = [unit for unit in cg.state.units_of(side, *MMC) if not unit.has(Mark.PRISONER)]
    engineers = [unit for unit in units if unit.has(Mark.ENGINEERS)]
    groups = [engineers]
    groups += [[u for u in units if cg.nation_of(u).grade(u.type) == grade] for grade in BY_CLASS]
    for group in groups:
        if group:
            free = [unit for unit in group if not unit.has(Mark.ISOLATED)]
            return free or group if cg.reading("isolated-clearers") == "spared" else group
    return []


def _casualty(cg: Cg, side: str, item: Clearing) -> Procedure[None]:
    """Reduce one MMC: what an Original 6 does against a Known minefield or Panji."""
    dangerous = item.what == "panji" or any(is_known(fort) for fort in item.forts)
    candidates = casualty_candidates(cg, side)
    if not dangerous or not candidates:
        return
    chosen = candidates[0].id
    if len(candidates) > 1:
        question = SecretQuestion(
            key="clearance-casualty",
            side=side,
            text=f"An Original 6 at {item.name}: which MMC is Reduced?",
            form=unit_choice(candidates),
            rule="PL 3.52 note dagger",
            default=candidates[0].id,
        )
        chosen = yield from ask(question)
    yield from reduce_unit(cg, cg.state.units[chosen], f"Original 6 clearing {item.name}")
