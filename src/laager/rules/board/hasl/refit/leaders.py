"""Wounded leaders, Recombining, Battle Hardening after a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Procedure, Rows, SecretQuestion, ask_all, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import (
    LEADERS,
    MMC,
    carried_by,
    change_marks,
    change_type,
    eliminate,
    hand_to_guard,
    harden,
    remove_unit,
)
from laager.rules.board.facts import UnitAttached, UnitHidden
from laager.rules.board.hasl.asking import roll_on_table
from laager.rules.board.hasl.conditions import conditions, number_of, word_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import RollTold
from laager.rules.board.hasl.refit.escape import unit_roll
from laager.rules.board.hasl.refit.outcome import OutcomeStep, own_outcomes
from laager.rules.board.hasl.refit.outcome_rows import CHANGED, ELIMINATED, HARDENED, MARKED, RECOVERED
from laager.rules.board.markers import merge_marks
from laager.rules.board.rows import unit_list
from laager.rules.board.units import HIDING, Mark, Place, Unit
from laager.rules.board.wording import public_name
from laager.tables import Table, Value

# Wounded leaders --------------------------------------------------------------------------------

HEALED, WOUNDED, DIES = "recovered", "wounded", "eliminated"

WOUNDED_LEADERS = OutcomeStep(
    key="wounded-leaders",
    title="Wounded leaders",
    text="What became of your wounded leaders?",
    offered=(RECOVERED, ELIMINATED),
    about=lambda _, unit: _is_hurt(unit),
    help="Leaders that you do not list stay wounded.",
)


def _is_hurt(unit: Unit) -> bool:
    return unit.kind in LEADERS and unit.has(Mark.WOUNDED) and not unit.has(Mark.PRISONER)


@implements("ABtF 9.610", "ER 1.510")
@step("HASL 15", "Wounded leaders", edition=2)
def wounded_leaders(cg: Hasl) -> Procedure[None]:
    """Wounded leaders recover or not: by a roll on the table, else as their side says."""
    table = cg.chart_table("wounded-leaders")
    if table is None:
        yield from own_outcomes(cg, WOUNDED_LEADERS)
        return
    for side in SIDES:
        for unit in [leader for leader in cg.state.units_of(side) if _is_hurt(leader)]:
            yield from _roll_recovery(cg, unit, table)


def _roll_recovery(cg: Hasl, unit: Unit, table: Table) -> Procedure[None]:
    rolled = yield from unit_roll(cg, table, unit, "Wounded leader", public_name(unit))
    outcome = read_healing(table.result(rolled.final))
    if outcome == HEALED:
        yield from change_marks(unit, remove=[Mark.WOUNDED], why=f"recovered: {rolled}")
    elif outcome == DIES:
        yield from eliminate(cg, unit, "died of his wounds")
    else:
        yield RollTold(text=f"{unit.label} stays wounded", why=str(rolled), to=unit.audience)


@implements("HASL 15")
def read_healing(result: Value) -> str:
    """Return what a result of the table means. Raises RefusedError for another word."""
    return word_of(result, "wounded-leaders", (HEALED, WOUNDED, DIES), HEALED, WOUNDED)


# Recombining ------------------------------------------------------------------------------------


@implements("ABtF 9.611", "ER 1.511")
@step("HASL 15", "Recombining and hardening", edition=3)
def recombining_and_hardening(cg: Hasl) -> Procedure[None]:
    """HS Recombine as their sides choose; then units Battle Harden, by the table or as the players say."""
    answers = yield from ask_all(recombining_question(cg, side) for side in SIDES)
    for rows in answers.values():
        for row in rows:
            first, second = cg.state.units[row["one"]], cg.state.units[row["two"]]
            yield from recombine(cg, first, second)
    yield from _hardening(cg)


@implements("HASL 15")
def can_recombine(cg: Hasl, first: Unit, second: Unit) -> bool:
    """True if two HS of one type are together, in a Location or an area off the map (A1.32)."""
    alike = (first.side, first.nation, first.type) == (second.side, second.nation, second.type)
    together = first.at == second.at if first.on_map else first.area == second.area
    return first.id != second.id and alike and first.place is second.place and together


def half_squads(cg: Hasl, side: str) -> list[Unit]:
    """Return a side's HS that can Recombine with another one."""
    able = [
        unit
        for unit in cg.state.units_of(side, "half-squad")
        if not unit.has(Mark.PRISONER, Mark.BROKEN) and cg.nation_of(unit).recombined_type(unit.type) is not None
    ]
    return [half for half in able if any(can_recombine(cg, half, mate) for mate in able)]


def recombining_question(cg: Hasl, side: str) -> SecretQuestion:
    """Ask a side which HS Recombine; each side is asked, whatever it has."""
    able = half_squads(cg, side)
    halves = Choice.of_labels({unit.id: f"{unit.label} in {unit.at or unit.area}" for unit in able})
    form = Rows.of(Field("one", halves, "HS"), Field("two", halves, "with"), most=100)
    return SecretQuestion(
        key="recombining",
        side=side,
        text="Which of your half-squads Recombine, two of a type that are together?",
        form=form,
        help="A Walking Wounded one makes the squad Walking Wounded.",
        check=lambda rows: recombining_problems(cg, rows),
        suggest=lambda rng: _pairs(cg, able, rng),
    )


def recombining_problems(cg: Hasl, rows: Sequence[Mapping[str, str]]) -> list[Problem]:
    """Return what is wrong with the HS chosen to Recombine."""
    problems = []
    seen: set[str] = set()
    for number, row in enumerate(rows, 1):
        pair = [cg.state.units[row[name]] for name in ("one", "two")]
        if not can_recombine(cg, *pair):
            problems.append(
                Problem(
                    f"{pair[0].label} and {pair[1].label} can't Recombine",
                    "two HS of a type that are together",
                    f"[{number}]",
                )
            )
        twice = (unit for unit in pair if unit.id in seen)
        problems += (Problem(f"{unit.label} is named twice", "name it once", f"[{number}]") for unit in twice)
        seen |= {unit.id for unit in pair}
    return problems


def _pairs(cg: Hasl, able: Sequence[Unit], rng: Random) -> list[dict[str, str]]:
    left, rows = list(able), []
    while left:
        first = left.pop(0)
        second = next((unit for unit in left if can_recombine(cg, first, unit)), None)
        if second is not None and rng.random() < 0.6:
            left.remove(second)
            rows.append({"one": first.id, "two": second.id})
    return rows


@implements("HASL 15")
def recombine(cg: Hasl, first: Unit, second: Unit) -> Iterator[Fact]:
    """Yield that two HS are one squad: the first becomes it, with all that the other had. No CVP are scored."""
    whole = cg.nation_of(first).recombined_type(first.type)
    assert whole is not None, "the HS were checked"
    if first.known and not second.known:
        # The squad is under the marker of the one that the enemy does not know.
        first, second = second, first
    yield change_type(cg, first, whole, "Recombined", f"Recombined with {second.id}")
    marks = merge_marks(first, second)
    if second.known and not first.known:
        marks |= first.marks & HIDING
    yield from change_marks(first, add=marks, remove=first.marks - marks, why=f"Recombined with {second.id}")
    for item in list(carried_by(cg, second)):
        if item.has(Mark.PRISONER):
            yield from change_marks(item, remove=[Mark.UNGUARDED], why="Recombined")
            yield from hand_to_guard(item, first, "Recombined")
            continue
        if item.known and not first.known:
            yield UnitHidden(unit=item.id, side=item.side, why="with a concealed unit")
        to = first.audience if item.known else (item.side,)
        yield UnitAttached(unit=item.id, to_unit=first.id, why="Recombined", to=to)
    yield from cg.variant.pass_on(cg, second, first)
    yield from remove_unit(cg, second, Place.REMOVED, "Recombined")


# Battle Hardening -------------------------------------------------------------------------------


def able_to_harden(cg: Hasl, side: str) -> list[Unit]:
    """Return a side's MMC and leaders that can become better."""
    return [
        unit for unit in cg.state.units_of(side, *MMC, *LEADERS) if not unit.has(Mark.PRISONER) and _better(cg, unit)
    ]


def _better(cg: Hasl, unit: Unit) -> bool:
    nation = cg.nation_of(unit)
    if unit.kind in LEADERS:
        return nation.leader_up(unit.type, armor=unit.kind == "armor-leader") is not None
    return nation.hardened_type(unit.type) is not None


def _by_chance(cg: Hasl, side: str, rng: Random) -> list[dict[str, Any]]:
    able = able_to_harden(cg, side)
    if not able or rng.random() < 0.6:
        return []
    return [{"unit": rng.choice(able).id, "what": HARDENED}]


HARDENING = OutcomeStep(
    key="hardening",
    title="Battle Hardening",
    text="Which of your units Battle Harden?",
    offered=(HARDENED, CHANGED, MARKED),
    about=lambda _cg, _unit: False,
    help="Roll as the module says.",
    suggest=_by_chance,
)


def _hardening(cg: Hasl) -> Procedure[None]:
    table = cg.chart_table("battle-hardening")
    if table is None:
        yield from own_outcomes(cg, HARDENING)
        return
    counts: dict[str, int] = {}
    for side in SIDES:
        known = conditions(cg, side)
        rolled = yield from roll_on_table(table, side, "Battle Hardening", known)
        counts[side] = how_many(table.result(rolled.final))
        yield RollTold(text=f"{side}: {hardening_in_words(counts[side])}", why=str(rolled))
    answers = yield from ask_all(_hardening_question(cg, side, count) for side, count in counts.items() if count)
    for side in answers:
        for name in answers[side]:
            yield from harden(cg, cg.state.units[name], "Battle Hardening")


@implements("HASL 15")
def how_many(result: Value) -> int:
    """Return how many units of a side harden: the table gives a number, or yes for one."""
    if isinstance(result, bool):
        return int(result)
    return max(0, number_of(result, "battle-hardening"))


def hardening_in_words(count: int) -> str:
    """Say what a Battle Hardening roll gives; a side can keep to itself which units harden."""
    if not count:
        return "no unit Battle Hardens"
    return "one unit may Battle Harden" if count == 1 else f"{count} units may Battle Harden"


def _hardening_question(cg: Hasl, side: str, count: int) -> SecretQuestion:
    able = able_to_harden(cg, side)
    units = "one unit" if count == 1 else f"{count} units"
    return SecretQuestion(
        key="hardening",
        side=side,
        text=f"Up to {units} of yours Battle Harden. Which?",
        form=unit_list(able, 0, count),
        help="By Random Selection or by choice, as the module says.",
    )
