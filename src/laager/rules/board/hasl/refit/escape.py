"""Isolated units: which are, who tries to Escape, and what becomes of them (HASL 13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from laager.campaign import Choice, Fact, Field, Procedure, Rows, SecretQuestion, ask, implements, no_decision, step
from laager.campaign.temperament import Temperament, sensible
from laager.dice import Rolled, distribution
from laager.hexmap import PathTerms, enterable_path
from laager.rules.board.card.parts import other_side
from laager.rules.board.changes import INFANTRY, change_marks, eliminate, place_unit, reduce_unit, remove_unit
from laager.rules.board.hasl.areas import burning_hexes
from laager.rules.board.hasl.asking import roll_on_table
from laager.rules.board.hasl.conditions import conditions, word_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import UnitRetained
from laager.rules.board.hasl.guns import bound_by, guns_left_behind
from laager.rules.board.hasl.refit.areas import outside
from laager.rules.board.hasl.setup.oba import retain_radios
from laager.rules.board.moves import baggage, leave_behind
from laager.rules.board.rows import repeated_names, unit_choice, unit_list
from laager.rules.board.units import Mark, Place, Unit
from laager.tables import Table, Value

OUTCOMES = ("escapes", "escapes-reduced", "stays", "eliminated", "captured")
ESCAPES, REDUCED, STAYS, ELIMINATED, CAPTURED = OUTCOMES
"""Outcomes of an Escape; the table gives these words, or yes and no."""


@implements("ABtF 9.6054", "ER 1.505")
@step("HASL 13", "Isolated units and Escape", edition=3, each_side=True)
def escape(cg: Hasl, side: str) -> Procedure[None]:
    """A side says which of its units outside all areas are Isolated, and which try to Escape."""
    yield from _isolated_outside(cg, side)
    able, places = isolated_units(cg, side), destinations(cg, side)
    if not places:
        return
    if not able:
        # The enemy must not learn if a unit hides in an Isolated area.
        if any(area.isolated for area in cg.state.areas_of(side)):
            yield from ask(no_decision("escape", side, "None of your units can Escape."))
        return
    table = cg.chart_table("escape")
    rows = yield from ask(escape_question(cg, side, able, places, asked=table is None))
    for row in rows:
        unit = cg.state.units[row["unit"]]
        if table is None:
            outcome, why = row["outcome"], "as the players looked it up"
        else:
            rolled = yield from unit_roll(cg, table, unit, "Escape", unit.type)
            outcome, why = read_outcome(table.result(rolled.final)), str(rolled)
        yield from carry_out_escape(cg, unit, outcome, row["to"], why)


def unit_roll(cg: Hasl, table: Table, unit: Unit, purpose: str, name: str) -> Procedure[Rolled]:
    """Roll on a table for a unit, in secret if the enemy does not know it; `name` stands in the log."""
    known, secret = conditions(cg, unit.side), not unit.known
    label, asked = f"{purpose}: {name}", f"{purpose}: {unit.label}"
    return (yield from roll_on_table(table, unit.side, label, known, asked=asked, secret=secret, about=unit.id))


@implements("ABtF 9.6053")
def _isolated_outside(cg: Hasl, side: str) -> Procedure[None]:
    there = outside(cg, side)
    if not there:
        return
    chosen = yield from ask(
        SecretQuestion(
            key="isolated-units",
            side=side,
            text="Which of your units outside your Setup Areas are Isolated?",
            form=unit_list(there, placed=True),
            help="The module says which are; they set up where it lets them.",
            judge=lambda _: judge_isolated(cg, side, there),
        )
    )
    for unit in there:
        why = "outside all Setup Areas of its side"
        add = (Mark.ISOLATED,) if unit.id in chosen else ()
        yield from change_marks(unit, add=add, why=why)


def isolated_units(cg: Hasl, side: str) -> list[Unit]:
    """Return the Isolated units that can try to Escape; what is with another unit goes with it."""
    return [
        unit
        for unit in cg.state.units_of(side)
        if unit.has(Mark.ISOLATED) and not unit.has(Mark.PRISONER) and can_go_alone(unit)
    ]


def can_go_alone(unit: Unit) -> bool:
    """True if a unit can go elsewhere by itself: it is alone, and not an SW or a Gun."""
    return not unit.with_unit and unit.kind not in ("sw", "gun")


def destinations(cg: Hasl, side: str) -> list[str]:
    """Return where a unit can Escape to: Setup Areas that are not Isolated, and Entry Areas."""
    areas = [area.name for area in cg.state.areas_of(side) if not area.isolated]
    return [*areas, *cg.arrows(side)]


def escape_question(cg: Hasl, side: str, able: Sequence[Unit], places: Sequence[str], *, asked: bool) -> SecretQuestion:
    """Return the question which units try to Escape; `asked`: also what becomes of them."""
    fields = [Field("unit", unit_choice(able), "Unit"), Field("to", Choice.of(*places), "To", places[0])]
    if asked:
        fields.append(Field("outcome", Choice.of(*OUTCOMES), "Outcome", ESCAPES))

    def suggest(rng: Random) -> list[dict[str, Any]]:
        going = [name.id for name in able if rng.random() < 0.4]
        row = {"outcome": rng.choice(OUTCOMES)} if asked else {}
        return [{"unit": name, "to": rng.choice(list(places)), **row} for name in going]

    return SecretQuestion(
        key="escape",
        side=side,
        text="Which of your Isolated units try to Escape, and where to?",
        form=Rows.of(*fields),
        check=repeated_names,
        suggest=suggest,
        help="What a unit carries goes with it.",
        default=cg.later(lambda now: judge_escape(now, side, able, places, sensible())),
        judge=lambda temper: judge_escape(cg, side, able, places, temper),
    )


# Who should -------------------------------------------------------------------------------------


def judge_isolated(cg: Hasl, side: str, units: Sequence[Unit]) -> list[str]:
    """Return the units that are cut off: no way leads them home that avoids Enemy Setup Areas and fire (GEO-12).

    Nobody where players list the Setup Areas: who took enemy ground stands amid an area that is just not mended yet.
    """
    if not cg.blocks:
        return []
    homes = [name for area in cg.state.areas_of(side) if not area.isolated for name in area.hexes]
    homes += [name for arrow in cg.arrows(side) for name in cg.entry_hexes(arrow)]
    barred = burning_hexes(cg) | cg.state.friendly(other_side(side))
    terms, hexes = PathTerms(barred=barred), {unit.hex for unit in units if unit.hex}
    shut = {name for name in hexes if enterable_path(cg.map, [name], homes, terms) is None}
    return [unit.id for unit in units if unit.hex in shut]


def judge_escape(
    cg: Hasl, side: str, able: Sequence[Unit], places: Sequence[str], temper: Temperament
) -> list[dict[str, Any]]:
    """Return who of a temperament's units try to Escape, each to the nearest place.

    Who stays costs nothing, so that only those count who come through or are lost. Nobody is proposed where the players
    look the outcome up: it isn't known before.
    """
    table = cg.chart_table("escape")
    if table is None:
        return []
    return [
        {"unit": unit.id, "to": min(places, key=lambda place: _away(cg, unit, place))}
        for unit in able
        if chance_to_escape(cg, table, unit) >= temper["escape.risk"]
    ]


def chance_to_escape(cg: Hasl, table: Table, unit: Unit) -> float:
    """Return the chance that a unit comes through, of the results that don't leave it where it is.

    Conditions that only the players know don't count. A half-squad that is Reduced is lost.
    """
    known = conditions(cg, unit.side)
    drm = sum(
        known[row.id] if row.value is None else row.value * (known[row.id] if row.per else min(1, known[row.id]))
        for row in table.modifiers
        if row.id in known and not row.off
    )
    through = {ESCAPES} if unit.kind in ("half-squad", "crew") else {ESCAPES, REDUCED}
    ways = dict.fromkeys(OUTCOMES, 0)
    for final, number in distribution(table.dice, drm).weights.items():
        ways[read_outcome(table.result(final))] += number
    moved = sum(number for outcome, number in ways.items() if outcome != STAYS)
    return sum(ways[outcome] for outcome in through) / moved if moved else 0.0


def _away(cg: Hasl, unit: Unit, place: str) -> int:
    """Return how many hexes a place is from a unit; far if the map doesn't tell."""
    area, own = cg.state.area(unit.side, place), cg.state.area(unit.side, unit.area)
    ends = area.hexes if area is not None else (place,) if place in cg.map else ()
    starts = (unit.hex,) if unit.hex else own.hexes if own is not None else ()
    return min((cg.map.distance(start, end) for start in starts for end in ends), default=999)


@implements("HASL 13")
def read_outcome(result: Value) -> str:
    """Return what a result of the table means. Raises RefusedError for another word."""
    return word_of(result, "escape", OUTCOMES, ESCAPES, STAYS)


@implements("ABtF 9.2 Escape", "ER 1.2 Escape")
def carry_out_escape(cg: Hasl, unit: Unit, outcome: str, to: str, why: str) -> Iterator[Fact]:
    """Yield the outcome of a unit that tried to Escape."""
    if outcome == ELIMINATED:
        yield from eliminate(cg, unit, f"Escape: {why}")
    elif outcome == CAPTURED:
        yield from remove_unit(cg, unit, Place.CAPTURED, f"Escape: {why}")
    elif outcome != STAYS:
        if outcome == REDUCED and unit.kind in INFANTRY:
            yield from reduce_unit(cg, unit, f"Escape: {why}")
        left = cg.state.units[unit.id]
        if left.in_play:
            yield from retain_elsewhere(cg, left, to, Mark.ESCAPED, f"Escape: {why}")


def retain_elsewhere(cg: Hasl, unit: Unit, to: str, mark: Mark, why: str) -> Iterator[Fact]:
    """A unit and all that is with it are Retained in another area, off the map until setup.

    A Gun that must set up too far from there stays where it is.
    """
    stays = frozenset(gun.id for gun in guns_left_behind(cg, unit, to, mark))
    yield from leave_behind(cg, unit, stays)
    for mover in (unit, *baggage(cg, unit, stays)):
        ended = mover.spot or "" if bound_by(cg, mover, mark) else ""
        yield place_unit(mover, None, Place.OFF_MAP, why)
        yield UnitRetained(unit=mover.id, area=to, ended=ended, why=why, to=mover.audience)
        yield from change_marks(mover, add=(mark,), remove=(Mark.ISOLATED,), why=why)
    yield from retain_radios(cg, unit.side)
