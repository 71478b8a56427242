"""Bravery, battlefield promotions, leader generation and improvement (PL 3.44, 3.45)."""

from __future__ import annotations

from random import Random
from typing import Any

from laager.base import Problem
from laager.base.counting import count_of
from laager.campaign import Choice, Field, Number, Procedure, Record, SecretQuestion, ask, implements, roll, step
from laager.dice import Dice, Modifier
from laager.rules.board.changes import LEADERS, MMC, harden, place_unit
from laager.rules.board.rows import unit_list
from laager.rules.board.units import Mark, Place, Unit
from laager.rules.platoon_leader.buying.leaders import commissar_choice, leader_joins, roll_leader
from laager.rules.platoon_leader.context import Cg

ALWAYS_ASKED = "Both sides get this question whatever they rolled, so that your answer does not show your roll."


@implements("PL 3.44 table")
def promotion_modifiers(cg: Cg, side: str, for_leaders: bool = False) -> list[Modifier]:
    """Return the drm on the promotion table; the second dr (PL 3.45) has +2 and no CVP drm."""
    table = cg.table("promotion")
    card = cg.side(side)
    modifiers = [
        table.modifier("card", value=card.drm.promotion),
        table.modifier("historical", value=card.historical.promotion),
    ]
    if cg.state.fight.winner == side:
        modifiers.append(table.modifier("won"))
    if for_leaders:
        modifiers.append(table.modifier("leaders"))
    else:
        scored = cg.state.fight.cvp.get(side, cg.state.side(side).cvp)
        modifiers.append(table.modifier("cvp-scored", times=max(0, scored) // 20))
    return modifiers


def _eligible(cg: Cg, side: str) -> list[Unit]:
    units = cg.state.units_of(side, *MMC)
    return [unit for unit in units if not unit.has(Mark.HARDENED, Mark.PRISONER)]


@step("PL 3.44", "Bravery and battlefield promotions", each_side=True, edition=2)
def promotions(cg: Cg, side: str) -> Procedure[None]:
    """A secret dr gives how many MMC can be Battle Hardened.

    Both sides get the question whatever they rolled and have, so that it tells nothing.
    """
    modifiers = promotion_modifiers(cg, side)
    rolled = yield from roll(side, "Battlefield promotions", Dice.dr, modifiers, secret=True, table="promotion")
    number = cg.table("promotion").result(rolled.final)
    assert isinstance(number, int)
    for name in (yield from ask(_promotion_question(cg, side, number, rolled.final))):
        yield from harden(cg, cg.state.units[name], f"promoted, final dr {rolled.final}")


def _promotion_question(cg: Cg, side: str, number: int, final: int) -> SecretQuestion:
    units = _eligible(cg, side)
    most = max(0, min(number, len(units)))
    text = f"Which MMC are Battle Hardened? {most} at most (final dr {final})."
    if not most:
        why = "you have no MMC for it" if number else f"the final dr is {final}"
        text = f"None of your MMC is Battle Hardened: {why}."
    return SecretQuestion(
        key="promotions",
        side=side,
        text=text,
        form=unit_list(units, 0, most),
        default=[unit.id for unit in units[:most]],
        help="An Elite MMC becomes Fanatic until the next firefight is over. " + ALWAYS_ASKED,
    )


@implements("PL 3.45")
def most_generated(cg: Cg, side: str) -> int:
    """Return how many leaders a side can generate: one fewer than were lost, no more than MMC left."""
    lost = cg.state.side(side).leaders_lost
    return max(0, min(lost - 1, len(_on_board(cg, side))))


def _on_board(cg: Cg, side: str) -> list[Unit]:
    """Return a side's MMC among the Survivors: on the map, or taken off it by Option B (PL 3.34).

    Prisoners, even unguarded ones, do not count.
    """
    units = cg.state.units_of(side, *MMC)
    return [unit for unit in units if unit.place in {Place.MAP, Place.POOL} and not unit.has(Mark.PRISONER)]


def can_rise(cg: Cg, leader: Unit) -> bool:
    """True if a leader can be Battle Hardened: there is a better one, and not twice in a RePh."""
    if leader.has(Mark.HARDENED, Mark.PRISONER):
        return False
    return cg.nation_of(leader).leader_up(leader.type, armor=leader.kind == "armor-leader") is not None


@step("PL 3.45", "Leader generation and improvement", each_side=True, edition=2)
def leader_generation(cg: Cg, side: str) -> Procedure[None]:
    """A second secret dr gives how many leaders can be hardened or generated. Both sides get the question."""
    modifiers = promotion_modifiers(cg, side, for_leaders=True)
    rolled = yield from roll(side, "Leader generation", Dice.dr, modifiers, secret=True, table="promotion")
    number = cg.table("promotion").result(rolled.final)
    assert isinstance(number, int)
    rising = [unit for unit in cg.state.units_of(side, *LEADERS) if can_rise(cg, unit)]
    limit = min(number, most_generated(cg, side))
    answer = yield from ask(_leaders_question(side, number, limit, rising))
    for name in answer["harden"]:
        yield from harden(cg, cg.state.units[name], f"improved, final dr {rolled.final}")
    for _ in range(answer["generate"]):
        yield from _generate(cg, side)


def _generate(cg: Cg, side: str) -> Procedure[None]:
    """Roll one new leader and let him join: with an MMC on the map, or as a reinforcement."""
    leader = yield from roll_leader(cg, side, "New leader")
    if leader.type is None:
        return
    commissars = yield from commissar_choice(cg, side, [leader])
    joined = leader_joins(cg, side, leader, commissars.get(0))
    yield joined
    hosts = _hosts(cg, side)
    if hosts and (host := (yield from ask(_placing(side, hosts, joined.unit.type)))) != "off-map":
        mmc = cg.state.units[host]
        yield place_unit(joined.unit, mmc.spot, mmc.place, f"placed with {mmc.label}", mmc.mlr)


def _hosts(cg: Cg, side: str) -> list[Unit]:
    """Return the MMC with which a new leader can be placed: not Isolated ones."""
    return [unit for unit in _on_board(cg, side) if not unit.has(Mark.ISOLATED)]


def _leaders_question(side: str, number: int, limit: int, rising: list[Unit]) -> SecretQuestion:
    def check(answer: dict[str, Any]) -> list[Problem]:
        used = len(answer["harden"]) + answer["generate"]
        count = f"{count_of(used, 'leader')} in all"
        return [Problem(count, f"{number} at most")] if used > number else []

    def suggest(rng: Random) -> dict[str, Any]:
        generate = rng.randint(0, limit)
        room = min(number - generate, len(rising))
        picked = rng.sample([unit.id for unit in rising], rng.randint(0, room))
        return {"harden": picked, "generate": generate}

    most = min(number, len(rising))
    text = "No leader is hardened or generated this time."
    if most or limit:
        text = f"{count_of(number, 'leader')} can be hardened or generated, {limit} of them generated."
    return SecretQuestion(
        key="leaders",
        side=side,
        text=text,
        form=Record.of(
            Field("harden", unit_list(rising, 0, most), "Harden", []),
            Field("generate", Number(0, limit), "Generate", 0),
        ),
        default={"harden": [u.id for u in rising[: number - limit]], "generate": limit},
        help=ALWAYS_ASKED,
        check=check,
        suggest=suggest,
    )


def _placing(side: str, hosts: list[Unit], type_: str) -> SecretQuestion:
    """Ask where a new leader joins: with an MMC on the map, or as a reinforcement."""
    places = {"off-map": "as a reinforcement"} | {unit.id: unit.label for unit in hosts}
    return SecretQuestion(
        key="new-leader",
        side=side,
        text=f"Where does the new {type_} join?",
        form=Choice.of_labels(places),
        default="off-map",
    )
