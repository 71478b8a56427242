"""Bravery, battlefield promotions, leader generation and improvement (PL 3.44, 3.45)."""

from __future__ import annotations

from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign.clauses import implements
from laager.campaign.questions import Choice, Field, Number, Option, Question, Record, Several
from laager.campaign.steps import Procedure, ask, roll, step
from laager.dice import Dice, Modifier
from laager.rules.common.changes import LEADERS, MMC, harden, moved
from laager.rules.common.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.steps.leaders import commissar_choice, leader_joins, roll_leader


@implements("PL 3.44 table")
def promotion_modifiers(cg: Cg, side: str, for_leaders: bool = False) -> list[Modifier]:
    """Return the drm on the promotion table; the second dr (PL 3.45) has +2 and no CVP drm."""
    table = cg.table("promotion")
    card = cg.side(side)
    found = [
        table.modifier("card", value=card.drm.promotion),
        table.modifier("historical", value=card.historical.promotion),
    ]
    if cg.state.fight.winner == side:
        found.append(table.modifier("won"))
    if for_leaders:
        found.append(table.modifier("leaders"))
    else:
        scored = cg.state.fight.cvp.get(side, cg.state.side(side).cvp)
        found.append(table.modifier("cvp-scored", times=max(0, scored) // 20))
    return found


def _eligible(cg: Cg, side: str) -> list[Unit]:
    units = cg.state.units_of(side, *MMC)
    return [unit for unit in units if not unit.has(Mark.HARDENED, Mark.PRISONER)]


@step("PL 3.44", "Bravery and battlefield promotions", each_side=True)
def promotions(cg: Cg, side: str) -> Procedure[None]:
    """A secret dr gives how many MMC may be Battle Hardened."""
    modifiers = promotion_modifiers(cg, side)
    rolled = yield from roll(side, "Battlefield promotions", Dice.dr, modifiers, secret=True)
    number = cg.table("promotion").result(rolled.final)
    assert isinstance(number, int)
    units = _eligible(cg, side)
    if not number or not units:
        return
    question = Question(
        key="promotions",
        side=side,
        text=f"Which MMC are Battle Hardened? {number} at most (final dr {rolled.final}).",
        form=Several(tuple(Option(unit.id, unit.label) for unit in units), 0, number),
        rule="PL 3.44",
        secret=True,
        default=[unit.id for unit in units[:number]],
        help="An Elite MMC becomes Fanatic until the next firefight is over.",
    )
    for name in (yield from ask(question)):
        yield from harden(cg, cg.state.units[name], f"promoted, final dr {rolled.final}")


@implements("PL 3.45")
def most_generated(cg: Cg, side: str) -> int:
    """Return how many leaders may be generated: one fewer than were lost, no more than MMC left."""
    lost = cg.state.side(side).leaders_lost
    on_board = sum(unit.on_map or unit.mlr != "" for unit in cg.state.units_of(side, *MMC))
    return max(0, min(lost - 1, on_board))


def can_rise(cg: Cg, leader: Unit) -> bool:
    """Whether a leader may be Battle Hardened: there is a better one, and not twice in a RePh."""
    if leader.has(Mark.HARDENED, Mark.PRISONER):
        return False
    return (
        cg.nation_of(leader).leader_up(leader.type, armor=leader.kind == "armor-leader") is not None
    )


@step("PL 3.45", "Leader generation and improvement", each_side=True)
def leader_generation(cg: Cg, side: str) -> Procedure[None]:
    """A second secret dr: so many leaders may be hardened or generated."""
    modifiers = promotion_modifiers(cg, side, for_leaders=True)
    rolled = yield from roll(side, "Leader generation", Dice.dr, modifiers, secret=True)
    number = cg.table("promotion").result(rolled.final)
    assert isinstance(number, int)
    rising = [unit for unit in cg.state.units_of(side, *LEADERS) if can_rise(cg, unit)]
    limit = min(number, most_generated(cg, side))
    if not number or not (rising or limit):
        return
    answer = yield from ask(_which(side, number, limit, rising))
    for name in answer["harden"]:
        yield from harden(cg, cg.state.units[name], f"improved, final dr {rolled.final}")
    for _ in range(answer["generate"]):
        yield from _generate(cg, side)


def _generate(cg: Cg, side: str) -> Procedure[None]:
    """Roll one new leader and let him join: with an MMC on the map, or as a reinforcement."""
    found = yield from roll_leader(cg, side, "New leader")
    if found.type is None:
        return
    commissars = yield from commissar_choice(cg, side, [found])
    joined = leader_joins(cg, side, found, commissars.get(0))
    yield joined
    hosts = _hosts(cg, side)
    if hosts and (host := (yield from ask(_placing(side, hosts, joined.unit.type)))) != "off-map":
        mmc = cg.state.units[host]
        yield moved(joined.unit, mmc.at, why=f"placed with {mmc.label}")


def _hosts(cg: Cg, side: str) -> list[Unit]:
    """Return the MMC with which a new leader may be placed: on the map, not Isolated."""
    units = cg.state.units_of(side, *MMC)
    return [unit for unit in units if unit.on_map and not unit.has(Mark.ISOLATED, Mark.PRISONER)]


def _which(side: str, number: int, limit: int, rising: list[Unit]) -> Question:
    def check(answer: dict[str, Any]) -> list[Problem]:
        used = len(answer["harden"]) + answer["generate"]
        return [Problem(f"{used} leaders in all", f"{number} at most")] if used > number else []

    def suggest(rng: Random) -> dict[str, Any]:
        generate = rng.randint(0, limit)
        room = min(number - generate, len(rising))
        picked = rng.sample([unit.id for unit in rising], rng.randint(0, room))
        return {"harden": picked, "generate": generate}

    default = {
        "harden": [unit.id for unit in rising[: number - limit]],
        "generate": limit,
    }
    return Question(
        key="leaders",
        side=side,
        text=f"{number} leaders may be hardened or generated, {limit} of them generated.",
        form=Record(
            (
                Field(
                    "harden", Several(tuple(Option(u.id, u.label) for u in rising)), "Harden", []
                ),
                Field("generate", Number(0, limit), "Generate", 0),
            )
        ),
        rule="PL 3.45",
        secret=True,
        default=default,
        check=check,
        suggest=suggest,
    )


def _placing(side: str, hosts: list[Unit], what: str) -> Question:
    """Ask where a new leader joins: with an MMC on the map, or as a reinforcement."""
    options = (Option("off-map", "as a reinforcement"), *(Option(u.id, u.label) for u in hosts))
    return Question(
        key="new-leader",
        side=side,
        text=f"Where does the new {what} join?",
        form=Choice(options),
        rule="PL 3.45",
        secret=True,
        default="off-map",
    )
