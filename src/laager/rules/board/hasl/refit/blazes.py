"""Flames and Blazes after a scenario, and the wrecks in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Placing, Procedure, Record, Rows, Text, implements, step
from laager.hexmap.coords import LIST_EXAMPLE
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import FireChanged, UnitMarked
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.moves import collapse
from laager.rules.board.places import can_burn, hex_problem, main_location, may_burn, parse_hexes
from laager.rules.board.rows import repeated_names, unit_list
from laager.rules.board.units import Mark, Place, Unit

OUT, BURNS, BURNT = "out", "burns", "burnt-down"

OUTCOMES: Mapping[str, str] = {
    OUT: "extinguished",
    BURNS: "burns on as a Blaze",
    BURNT: "burnt down: a building is rubble, other terrain gone",
}


@implements("ABtF 9.609", "ER 1.509")
@step("HASL 15", "Flames and Blazes", edition=2)
def blazes(cg: Hasl) -> Procedure[None]:
    """The players say what becomes of each fire; wrecks in terrain Blazes burn out (computed)."""
    ground = cg.state.ground
    fires, in_blaze = cg.sort(ground.flames | ground.blazes), wrecks_in(cg, ground.blazes)
    burning = [wreck for wreck in wrecks(cg) if wreck.has(Mark.BURNING) and wreck not in in_blaze]
    # What burns now counts, not what is left of it.
    caught = [wreck for wreck in in_blaze if cg.variant.burns_out(cg, wreck)]
    if fires or burning:
        answer = yield from _ask_fires(cg, fires, burning)
        yield from fire_facts(cg, fires, answer)
        chosen = [wreck for wreck in burning if wreck.id in answer["wrecks"]]
        yield from burn_out_wrecks(chosen, "a burning wreck burnt out")
    yield from burn_out_wrecks(caught, "a wreck in a terrain Blaze")


# Wrecks -----------------------------------------------------------------------------------------


def wrecks(cg: Hasl) -> list[Unit]:
    """Return the wrecks on the map, in the stated order."""
    return [
        unit
        for unit in cg.state.units.values()
        if unit.place is Place.ELIMINATED and unit.has(Mark.WRECK) and unit.at is not None
    ]


def wrecks_in(cg: Hasl, hexes: frozenset[str]) -> list[Unit]:
    """Return the wrecks in some hexes."""
    return [wreck for wreck in wrecks(cg) if wreck.hex in hexes]


@implements("HASL 15", "ER 1.5091", "ER CG14(2)")
def burn_out_wrecks(units: Sequence[Unit], why: str) -> Iterator[Fact]:
    """Wrecks stay on the map as Burnt-out Wrecks."""
    for unit in units:
        if unit.has(Mark.BURNING) or not unit.has(Mark.BURNT_OUT):
            yield UnitMarked(
                unit=unit.id,
                add=frozenset({Mark.BURNT_OUT}),
                remove=frozenset({Mark.BURNING}),
                why=why,
                to=unit.audience,
            )


# Fires ------------------------------------------------------------------------------------------


def _ask_fires(cg: Hasl, fires: Sequence[str], burning: Sequence[Unit]) -> Procedure[Any]:
    answer = yield from ask_and_confirm(
        "blazes",
        cg.state.scenario.moves_first or SIDES[0],
        f"What becomes of the fires: {', '.join([*fires, *(w.label for w in burning)])}?",
        _form(fires, burning),
        {"rows": [{"at": at, "outcome": OUT} for at in fires], "wrecks": [wreck.id for wreck in burning]},
        help="; ".join(f"{word}: {label}" for word, label in OUTCOMES.items())
        + ". Fires that you do not list go out. `to` are hexes to which one has spread, as Blazes.",
        check=lambda given: fire_problems(cg, given),
        suggest=lambda rng: _suggest(cg, fires, rng),
        tell=_fires_in_words,
        placing=Placing(lambda: {at: spreads_to(cg, at) for at in fires}),
    )
    return answer


def _form(fires: Sequence[str], burning: Sequence[Unit]) -> Record:
    form = Rows.of(
        Field("at", Choice.of(*fires), "Hex"),
        Field("outcome", Choice.of(**OUTCOMES), "Outcome"),
        Field("to", Text(400), f"Hexes to which it spread, {LIST_EXAMPLE}", ""),
        most=200,
    )
    return Record.of(
        Field("rows", form, "Fires", []),
        Field("wrecks", unit_list(burning, placed=True), "Burning wrecks that burn out", []),
    )


def fire_problems(cg: Hasl, answer: Mapping[str, Any]) -> list[Problem]:
    """Return what is wrong with what became of fires."""
    problems = repeated_names(answer["rows"], "at", "rows")
    for number, row in enumerate(answer["rows"], 1):
        where = f"rows[{number}]"
        hexes, wrong = parse_hexes(cg, row["to"])
        problems += [problem.inside(f"{where}.to") for problem in wrong]
        for name in hexes:
            if unplayable := hex_problem(cg, name):
                problems.append(Problem(*unplayable, f"{where}.to"))
            elif not cg.map.are_adjacent(name, row["at"]):
                problems.append(
                    Problem(f"{name} is not next to {row['at']}", "fire spreads to adjacent hexes", f"{where}.to")
                )
            elif not may_burn(cg, name):
                problems.append(Problem(f"{name} can't burn", "another hex", f"{where}.to"))
    return problems


def spreads_to(cg: Hasl, at: str) -> list[str]:
    """Return the hexes to which a fire can have spread."""
    return [name for name in cg.map.neighbours(at) if may_burn(cg, name)]


def _suggest(cg: Hasl, fires: Sequence[str], rng: Random) -> dict[str, Any]:
    rows = []
    for at in fires:
        row: dict[str, Any] = {"at": at, "outcome": rng.choice(list(OUTCOMES))}
        near = [name for name in cg.sort(cg.map.neighbours(at)) if can_burn(cg, name)]
        if near and rng.random() < 0.3:
            row["to"] = rng.choice(near)
        rows.append(row)
    return {"rows": rows}


def _fires_in_words(answer: Mapping[str, Any]) -> str:
    parts = [
        f"{row['at']} {row['outcome']}" + (f", spread to {row['to']}" if row["to"] else "") for row in answer["rows"]
    ]
    parts += [f"{wreck} burns out" for wreck in answer["wrecks"]]
    return "; ".join(parts) or "all fires go out"


@implements("HASL 15")
def fire_facts(cg: Hasl, fires: Sequence[str], answer: Mapping[str, Any]) -> Iterator[Fact]:
    """Return what follows for the ground: fires as they are now, what has burnt down."""
    if not fires:
        return
    outcomes = {row["at"]: row["outcome"] for row in answer["rows"]}
    still_burning = {at for at, outcome in outcomes.items() if outcome == BURNS}
    burnt = {at for at, outcome in outcomes.items() if outcome == BURNT}
    spread = [name for row in answer["rows"] for name in parse_hexes(cg, row["to"])[0]]
    lit = {main_location(cg, name) for name in spread}
    built = [at for at in cg.sort(burnt) if cg.map.hex(at).building is not None]
    yield FireChanged(
        flames=frozenset(), blazes=frozenset(still_burning | lit), burnt=frozenset(burnt), why="as the players say"
    )
    for at in built:
        yield from collapse(cg, at, f"the Blaze in {at} has burnt it down")
