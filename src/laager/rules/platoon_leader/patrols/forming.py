"""Forming patrols: both sides record theirs in secret before any is resolved (PL 2.7 to 2.73)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Placing,
    Question,
    Record,
    Rows,
    SecretQuestion,
    Several,
    Text,
    YesNo,
    implements,
    no_decision,
)
from laager.campaign.temperament import sensible
from laager.hexmap import find_nearest
from laager.rules.board.changes import LEADERS, MMC, hide, place_unit
from laager.rules.board.facts import Noted, UnitAttached
from laager.rules.board.rows import unit_options
from laager.rules.board.setup.hiding import is_in_cover
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.buying.offers import patrol_limit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.patrols import rules
from laager.rules.platoon_leader.patrols.judgement import judge_patrols

TYPES = (
    Option(rules.RECON, "Recon"),
    Option(rules.AMBUSH, "Ambush"),
    Option(rules.RAID, "Raid"),
    Option(rules.ANTI_VEHICLE, "Anti-vehicle"),
)
NO_HERO = "none"
TOO_HIGH = "only a Corporal, Sergeant or Lieutenant can lead a patrol"


@dataclass(frozen=True)
class Muster:
    """The units of a side from which patrols are formed."""

    mmc: tuple[Unit, ...]
    leaders: tuple[Unit, ...]
    heroes: tuple[Unit, ...]
    sw: tuple[Unit, ...]

    @property
    def possible(self) -> bool:
        """True if there can be a patrol at all."""
        return bool(self.mmc) and not all(unit.has(Mark.WOUNDED) for unit in self.leaders)


def muster(cg: Cg, side: str) -> Muster:
    """Return what can go on patrol: fit units, and SW in their Locations."""
    units = rules.fit(cg, side)
    places = {unit.at for unit in units}
    return Muster(
        mmc=tuple(unit for unit in units if unit.kind in MMC),
        leaders=tuple(unit for unit in units if unit.kind in LEADERS),
        heroes=tuple(unit for unit in units if unit.kind == "hero"),
        sw=tuple(u for u in cg.state.units_of(side, "sw") if u.on_map and u.at in places),
    )


# The question -----------------------------------------------------------------------------------


def patrol_question(cg: Cg, side: str) -> SecretQuestion:
    """Return the question for all patrols of a side; an empty one if it has none to form."""
    patrols, present = cg.state.side(side).patrols, muster(cg, side)
    if not patrols:
        return no_decision("patrols", side, "You bought no Patrol.", "PL 2.71")
    if not present.possible:
        text = "You can't form a patrol: it takes an MMC and a leader who isn't Wounded."
        return no_decision("patrols", side, text, "PL 2.71")
    times = "a Patrol" if patrols == 1 else f"{patrols} Patrols"
    return SecretQuestion(
        key="patrols",
        side=side,
        text=f"You bought {times}. Who goes, on which mission, to which hex?",
        form=Rows(_row(present), most=patrols),
        rule="PL 2.71",
        help="From one HS to three squads, a leader who isn't Wounded (give the rank on his "
        "counter), and a Hero if you like; all from one MLR, at most 10 hexes apart. Check that "
        "Infantry can enter the Mission Hex. A Patrol that you don't send is lost.",
        check=lambda rows: patrol_problems(cg, rows),
        suggest=lambda rng: suggested_patrols(cg, side, rng),
        default=cg.later(lambda now: judge_patrols(now, side, sensible())),
        judge=lambda temper: judge_patrols(cg, side, temper),
        placing=Placing(lambda: {leader.id: rules.mission_hexes(cg, leader) for leader in present.leaders}),
    )


def _row(present: Muster) -> Record:
    ranks = tuple(Option(rank, rank.capitalize()) for rank in rules.RANKS)
    heroes = (Option(NO_HERO, "no Hero"), *_options(present.heroes))
    return Record.of(
        Field("type", Choice(TYPES), "Type"),
        Field("units", Several(_options(present.mmc), least=1), "Squads, HS, crews"),
        Field("leader", Choice(_options(present.leaders)), "Leader"),
        Field("rank", Choice((*ranks, Option("captain", "Captain +", TOO_HIGH))), "His rank"),
        Field("hero", Choice(heroes), "Hero", NO_HERO),
        Field("sw", Several(_options(present.sw)), "SW", []),
        Field("hex", Text(limit=12), "Mission Hex"),
        Field("accessible", YesNo(), "Can Infantry enter it?", False),
    )


def _options(units: Sequence[Unit]) -> tuple[Option, ...]:
    return unit_options(units, placed=True)


def patrol_problems(cg: Cg, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return everything that is wrong with a side's patrols."""
    problems: list[Problem] = []
    gone: set[str] = set()
    for number, row in enumerate(rows, 1):
        leader = cg.state.units[row["leader"]]
        units = [cg.state.units[name] for name in unit_names(row)]
        faults = [
            *rules.composition_problems(cg, units, leader),
            *sw_problems(cg, units, [cg.state.units[name] for name in row["sw"]]),
            *rules.mission_hex_problems(cg, row["type"], row["hex"], leader),
        ]
        if not row["accessible"]:
            faults.append(Problem("the hex must be Accessible", "check the map, then say yes", "accessible"))
        twice = sorted(gone & {*unit_names(row), *row["sw"]})
        faults += [Problem(f"{name} already goes on another patrol", "one patrol each", "units") for name in twice]
        gone |= {*unit_names(row), *row["sw"]}
        problems += [problem.inside(f"[{number}]") for problem in faults]
    return problems


def unit_names(row: Mapping[str, Any]) -> list[str]:
    """Return the units of a row: MMC, leader, Hero."""
    return [*row["units"], row["leader"], *([] if row["hero"] == NO_HERO else [row["hero"]])]


@implements("PL 2.72")
def sw_problems(cg: Cg, units: Sequence[Unit], weapons: Sequence[Unit]) -> Iterator[Problem]:
    """SW come from where the units are, and the patrol keeps 3 MF."""
    places = {unit.at for unit in units}
    for weapon in weapons:
        if weapon.at not in places:
            right = "an SW in a Location of the patrol's units"
            yield Problem(f"{weapon.label} is in {weapon.at}", right, "sw")
    if not rules.enough_mf(cg, units, weapons):
        mf = cg.charts.limit("patrol-mf")
        yield Problem("these SW are too heavy", f"the patrol must keep {mf} MF", "sw")


# Automatic play ---------------------------------------------------------------------------------


def suggested_patrols(cg: Cg, side: str, rng: Random) -> list[dict[str, Any]]:
    """Return legal patrols by chance; none if none came up."""
    rows: list[dict[str, Any]] = []
    for _ in range(cg.state.side(side).patrols):
        for _try in range(5):
            row = _suggest_patrol(cg, muster(cg, side), rng)
            if row is not None and not patrol_problems(cg, [*rows, row]):
                rows.append(row)
                break
    return rows


def _suggest_patrol(cg: Cg, present: Muster, rng: Random) -> dict[str, Any] | None:
    leader = rng.choice(present.leaders)
    near = [unit for unit in present.mmc if cg.map.distance(unit.hex or "", leader.hex or "") <= 5]
    type_ = rng.choice((rules.RECON, rules.AMBUSH, rules.RAID, rules.ANTI_VEHICLE))
    ours = rules.home(cg, leader)
    hexes = [
        name
        for name in cg.sort(rules.mission_hexes(cg, leader) - ours)
        if type_ != rules.AMBUSH or is_in_cover(cg, name)
    ]
    if not near or not hexes:
        return None
    units = rng.sample(near, rng.randint(1, min(3, len(near))))
    weapons = [weapon for weapon in present.sw if weapon.with_unit in {unit.id for unit in units}]
    heroes = [hero for hero in present.heroes if hero.at == leader.at]
    return {
        "type": type_,
        "units": [unit.id for unit in units],
        "leader": leader.id,
        "rank": rng.choice(rules.RANKS),
        "hero": heroes[0].id if heroes and rng.random() < 0.5 else NO_HERO,
        "sw": [weapon.id for weapon in weapons[: rng.randint(0, 2)]],
        "hex": rng.choice(hexes),
        "accessible": True,
    }


# What follows -----------------------------------------------------------------------------------


def patrols_of(cg: Cg, side: str, rows: Sequence[Mapping[str, Any]]) -> list[rules.Patrol]:
    """Return the patrols that a side recorded."""
    units = cg.state.units
    return [
        rules.Patrol(
            side=side,
            number=number,
            type=row["type"],
            hex=cg.map.main(row["hex"]),
            leader=row["leader"],
            rank=row["rank"],
            units=tuple(unit_names(row)),
            sw=tuple(row["sw"]),
            origins={name: units[name].at or "" for name in unit_names(row)},
        )
        for number, row in enumerate(rows, 1)
    ]


@implements("PL 2.71", "PL 2.72")
def set_out(cg: Cg, patrol: rules.Patrol) -> Iterator[Fact]:
    """Record a patrol for its own side, and put its units and SW into a Cloaking box."""
    side, units = patrol.side, cg.state.units
    names = ", ".join(units[name].label for name in (*patrol.units, *patrol.sw))
    away = find_nearest(cg.map, patrol.hex, rules.home(cg, units[patrol.leader])).distance
    text = f"{patrol.name}: {patrol.type} to {patrol.hex}, {away} hexes away: {names}"
    text += f"; {units[patrol.leader].label} is a {patrol.rank.capitalize()}"
    yield Noted(text=text, rule="PL 2.71", to=(side,))
    bearers = {name: units[name].at for name in patrol.units}
    for name in (*patrol.units, *patrol.sw):
        yield from hide(units[name], Mark.CLOAKED, "in a Cloaking box")
        yield place_unit(cg.state.units[name], None, Place.PATROL, f"on patrol {patrol.name}")
    for name in patrol.sw:
        weapon = units[name]
        if weapon.with_unit not in bearers:
            bearer = next(unit for unit, at in bearers.items() if at == weapon.at)
            why = f"taken along on patrol {patrol.name}"
            yield UnitAttached(unit=name, to_unit=bearer, why=why, to=(side,))


def forming(cg: Cg) -> Iterator[Question]:
    """Return the questions by which both sides form their patrols at the same time.

    A side that can buy Patrols is asked even if it has none: the question must not give that away.
    """
    for side in cg.card.sides:
        if patrol_limit(cg, side) or cg.state.side(side).patrols:
            yield patrol_question(cg, side)
