"""Redeploying: the DRM of a party, and what the Redeployment Table and Heat of Battle do to it (PL 3.21).

Shared by 3.214 to 3.217 and by Option A of 2.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from laager.campaign import Choice, Fact, Option, Procedure, Question, ask, implements, roll
from laager.dice import Dice, Modifier, Rolled
from laager.hexmap import Situation, find_nearest
from laager.rules.board.changes import (
    INFANTRY,
    LEADERS,
    change_marks,
    eliminate,
    harden,
    place_unit,
    reduce_unit,
    replace_unit,
    reveal,
)
from laager.rules.board.numbering import join_unit
from laager.rules.board.units import Mark, Unit
from laager.rules.board.wording import public_name, without_names, yield_facts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.quality import leadership
from laager.rules.platoon_leader.redeployment.moving import moving
from laager.rules.platoon_leader.redeployment.parties import INFANTRY_COLUMN, Party, StayTerms, members_now
from laager.rules.platoon_leader.redeployment.situations import front_of, situation_of

STAYING = frozenset({"remains", "remains-reduced"})
"""Results that leave a unit in its hex."""

SQUAD = 2
"""Half-squads in a squad, as many as use one DR without DRM."""

# DRM --------------------------------------------------------------------------------------------


@implements("PL 3.21 DRM")
def redeployment_modifiers(cg: Cg, party: Party) -> list[Modifier]:
    """Return the DRM of a party's redeployment; where it stands when it starts decides."""
    table = cg.table("redeployment")
    where = {situation_of(cg, unit) for unit in party.units}
    modifiers = []
    if Situation.ISOLATED in where and is_far(cg, party):
        modifiers.append(table.modifier("isolated-far"))
    if Situation.FRIENDLY_MLR in where and crosses_uncontrolled(cg, party):
        modifiers.append(table.modifier("crosses-uncontrolled"))
    if Situation.NO_MANS_LAND in where:
        modifiers.append(table.modifier("nml"))
    if where & {Situation.ENEMY_MLR, Situation.ISOLATED}:
        modifiers.append(table.modifier("enemy-mlr"))
    modifiers.append(table.modifier("size", times=oversize(cg, party)))
    if is_near_mlr(cg, party):
        modifiers.append(table.modifier("near-fmlr"))
    if party.leader is not None:
        modifiers.append(table.modifier("leadership", value=leadership(cg, party.leader)))
    return [modifier for modifier in modifiers if modifier.value]


def is_far(cg: Cg, party: Party) -> bool:
    """True if an Isolated unit of the party is far (7 hexes) from the nearest friendly MLR."""
    own = front_of(cg).friendly_mlr[party.side]
    for unit in party.units:
        if situation_of(cg, unit) is Situation.ISOLATED:
            away = find_nearest(cg.map, unit.hex or "", own).distance
            if away is None or away >= int(cg.reading("isolated-far")):
                return True
    return False


def crosses_uncontrolled(cg: Cg, party: Party) -> bool:
    """True if a way of the party enters Uncontrolled Terrain."""
    return any(not front_of(cg).uncontrolled.isdisjoint(way[1:]) for way in party.ways)


def oversize(cg: Cg, party: Party) -> int:
    """Return the HS-equivalents beyond one squad: a squad is 2, an HS or crew 1, an SMC 0."""
    sizes = (cg.nation_of(unit).hs_equivalents(unit.type) for unit in members_now(cg, party))
    return max(0, sum(sizes) - SQUAD)


def is_near_mlr(cg: Cg, party: Party) -> bool:
    """True if all of the party start inside or adjacent to a friendly MLR."""
    own = front_of(cg).friendly_mlr[party.side]
    return all(unit.hex in own or not own.isdisjoint(cg.map.neighbours(unit.hex or "")) for unit in party.units)


# The table --------------------------------------------------------------------------------------


@implements("PL 3.21 table", "PL 3.21 note 1")
def redeployment_result(cg: Cg, rolled: Rolled, column: str) -> str:
    """Return the result of a DR; an Original 2 of Infantry always succeeds."""
    if is_heat(rolled, column):
        return "redeploys"
    return str(cg.table("redeployment").result(rolled.final, column))


def is_heat(rolled: Rolled, column: str) -> bool:
    """True if a DR brings Heat of Battle: an Original 2, and not for vehicles."""
    return column == INFANTRY_COLUMN and rolled.original == 2


def redeploy(cg: Cg, party: Party, terms: StayTerms) -> Procedure[None]:
    """Roll for a party and apply the result at once (PL 3.21)."""
    modifiers = redeployment_modifiers(cg, party)
    rolled = yield from roll(
        party.side,
        f"Redeployment of {party.name(terms.secret)}",
        Dice.DR,
        modifiers,
        secret=terms.secret,
        table="redeployment",
    )
    result = redeployment_result(cg, rolled, party.column)
    why = f"Final DR {rolled.final}: {cg.table('redeployment').words(result)}"
    if result == "eliminated" or (result in STAYING and terms.fatal):
        fate = f"{why}, and so is eliminated" if result in STAYING else why
        yield from yield_facts(lose(cg, members_now(cg, party), fate, terms))
        return
    if result in {"replaced", "reduced", "remains-reduced"}:
        yield from suffer(cg, party, result, why, terms)
    if result in STAYING:
        yield from yield_facts(stays(members_now(cg, party), why, terms))
        return
    yield from moving(cg, party, why, terms)
    if is_heat(rolled, party.column):
        able = members_now(cg, party)
        purpose = "Heat of Battle"
        chosen = yield from random_selection(party.side, able, purpose, secret=terms.secret, rule="PL 3.21 note 3")
        yield from heat_of_battle(cg, chosen, terms)


@implements("PL 3.21 note 2")
def suffer(cg: Cg, party: Party, result: str, why: str, terms: StayTerms) -> Procedure[None]:
    """Units that Random Selection finds are Replaced or Reduced; those that can't be Replaced are Reduced."""
    foot = [unit for unit in members_now(cg, party) if unit.kind in INFANTRY]
    chosen = yield from random_selection(party.side, foot, "losses", secret=terms.secret, rule="PL 3.21 note 3")
    for unit in chosen:
        if result == "replaced":
            facts = replace_or_wound(cg, unit, why, terms.firefight)
        else:
            facts = reduce_unit(cg, unit, why, firefight=terms.firefight)
        yield from yield_facts(without_names(unit, facts))


def replace_or_wound(cg: Cg, unit: Unit, why: str, firefight: int | None = None) -> Iterator[Fact]:
    """ELR replacement; a leader of the lowest type takes a Wound, a Hero nothing."""
    if unit.kind in LEADERS and _is_worst(cg, unit):
        yield from reduce_unit(cg, unit, f"{why}; it cannot be Replaced", firefight=firefight)
    elif unit.kind != "hero":
        yield from replace_unit(cg, unit, why, firefight=firefight)


def _is_worst(cg: Cg, leader: Unit) -> bool:
    return cg.nation_of(leader).leader_down(leader.type, leader.kind == "armor-leader") is None


def lose(cg: Cg, units: Iterable[Unit], why: str, terms: StayTerms) -> Iterator[Fact]:
    """Units are eliminated; vehicles become wrecks, and their crews don't survive."""
    for unit in units:
        yield from without_names(unit, eliminate(cg, unit, why, firefight=terms.firefight))


@implements("PL 3.216", "PL 3.217")
def stays(units: Iterable[Unit], why: str, terms: StayTerms) -> Iterator[Fact]:
    """Units remain where they are and have redeployed for this time; where so, Isolated."""
    marks = {Mark.REDEPLOYED} | ({Mark.ISOLATED} if terms.isolates else set())
    for unit in units:
        yield from change_marks(unit, add=marks, why=why)


# Random Selection -----------------------------------------------------------------------------


@implements("PL 3.21 note 3")
def random_selection(
    side: str, units: Sequence[Unit], purpose: str, *, secret: bool = False, rule: str = ""
) -> Procedure[tuple[Unit, ...]]:
    """Return the selected units: a dr for each, and the highest counts, with ties.

    A single unit needs no dr. `secret` is for dice that the enemy must not see; open ones do not
    show what a concealed unit is.
    """
    if len(units) < 2:
        return tuple(units)
    thrown = []
    for number, unit in enumerate(units, start=1):
        label = f"Random Selection, {purpose}: {unit.label if secret else public_name(unit, number)}"
        rolled = yield from roll(side, label, Dice.dr, rule=rule, secret=secret)
        thrown.append(rolled.final)
    highest = max(thrown)
    return tuple(unit for unit, dr in zip(units, thrown, strict=True) if dr == highest)


# Heat of Battle -------------------------------------------------------------------------------


HARDENING, HERO, BERSERK, SURRENDER, NONE = "hardened", "hero", "berserk", "surrender", "none"

RULE = "PL 3.21 note 1"


def heat_of_battle(cg: Cg, units: Sequence[Unit], terms: StayTerms) -> Procedure[None]:
    """Ask for each unit what Heat of Battle did (A15), and apply it."""
    for unit in units:
        outcome: str = yield from ask(_question(cg, unit))
        now = cg.state.units[unit.id]
        yield from yield_facts(without_names(now, came_of_heat(cg, now, outcome, terms)))


def _question(cg: Cg, unit: Unit) -> Question:
    options = [
        Option(HARDENING, "Battle Hardening"),
        Option(BERSERK, "Berserk: here it is Battle Hardened"),
        Option(SURRENDER, "Surrender: here it is eliminated"),
        Option(NONE, "nothing that lasts"),
    ]
    if unit.kind in LEADERS or cg.nation_of(unit).leaders.hero is not None:
        made = "becomes heroic" if unit.kind in LEADERS else "a Hero is created"
        options.insert(1, Option(HERO, f"Hero creation: {made}"))
    hint = "Roll Heat of Battle (A15) on the table and enter the result."
    if unit.has(Mark.HARDENED):
        hint = "Roll Heat of Battle (A15) on the table. The unit was hardened in this RePh: not again (3.44)."
    return Question(
        key=f"heat-of-battle-{unit.id.lower()}",
        side=unit.side,
        text=f"An Original 2: {unit.label} redeploys. What does its Heat of Battle DR give?",
        form=Choice(tuple(options)),
        rule=RULE,
        secret=not unit.known,
        default=HARDENING,
        help=hint,
    )


@implements("PL 3.21 note 1", "PL 3.44")
def came_of_heat(cg: Cg, unit: Unit, outcome: str, terms: StayTerms) -> Iterator[Fact]:
    """Return what follows from an outcome: Berserk hardens, Surrender eliminates; nobody is hardened twice."""
    if outcome in (HARDENING, BERSERK) and unit.kind != "hero" and not unit.has(Mark.HARDENED):
        yield from harden(cg, unit, f"Heat of Battle: {outcome}")
    elif outcome == SURRENDER:
        yield from eliminate(cg, unit, "Heat of Battle: surrender", firefight=terms.firefight)
    elif outcome == HERO and unit.kind in LEADERS:
        yield from change_marks(unit, add=[Mark.HEROIC], why="Heat of Battle: heroic")
    elif outcome == HERO:
        yield from _hero(cg, unit, terms)


def _hero(cg: Cg, unit: Unit, terms: StayTerms) -> Iterator[Fact]:
    """A Hero is created with the unit; the enemy sees him if it sees the unit, and can look."""
    type_ = cg.nation_of(unit).leaders.hero
    assert type_ is not None, "otherwise it is not an option"
    why = f"Heat of Battle: created by {unit.label}"
    marks = unit.marks & {Mark.REDEPLOYED}
    joined = join_unit(cg, unit.side, type_, "hero", unit.group, marks=marks, why=why)
    yield joined
    hero = cg.state.units[joined.unit.id]
    yield place_unit(hero, unit.at, why=why)
    if unit.known and not terms.secret:
        yield from reveal(cg.state.units[hero.id], why)
