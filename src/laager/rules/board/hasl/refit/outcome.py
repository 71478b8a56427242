"""Outcomes of units in a step whose rule only the module has: asked, checked, applied.

Players look up the rule, carry it out on their table and enter the result as rows of unit and
outcome. Shared steps are entered by one side and confirmed by the other, and know only what both
know; in the others each side enters its own units, in secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.campaign import Choice, Fact, Field, Procedure, Record, Rows, SecretQuestion, Text, ask_all, implements
from laager.rules.board.card.parts import SIDES
from laager.rules.board.facts import Noted
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.refit import outcome_rows as outcomes
from laager.rules.board.places import unit_id
from laager.rules.board.report.marks import FITS
from laager.rules.board.units import Unit

Suggested = Callable[[Hasl, str, Random], list[dict[str, Any]]]


@dataclass(frozen=True)
class OutcomeStep:
    """A step that the players carry out: its key, its title, its question, the outcomes it offers.

    `about` picks the units that the step is for, to be shown; rows can name others too. A shared
    step that is about no unit is skipped. `suggest` makes the rows of automatic play where each side
    enters its own units.
    """

    key: str
    title: str
    text: str
    offered: tuple[str, ...]
    about: Callable[[Hasl, Unit], bool]
    help: str = ""
    suggest: Suggested | None = None

    def units(self, cg: Hasl, side: str) -> list[Unit]:
        """Return the units of a side that the step is for."""
        return [unit for unit in cg.state.units_of(side) if self.about(cg, unit)]


# Asking -----------------------------------------------------------------------------------------


@implements("HASL 11", "HASL 12")
def shared_outcomes(cg: Hasl, asked: OutcomeStep) -> Procedure[list[outcomes.Row]]:
    """Have both sides enter together what became of units that both know; apply it."""
    about = [unit for side in SIDES for unit in asked.units(cg, side) if unit.known]
    if not about:
        return []
    known = [unit for unit in cg.state.units.values() if unit.known]
    answer = yield from ask_and_confirm(
        asked.key,
        cg.state.scenario.moves_first or SIDES[0],
        f"{asked.text} {_units_in_words(about)}".rstrip(),
        outcome_form(asked.offered),
        help=_help(asked),
        check=lambda given: outcomes.outcome_problems(cg, known, asked.offered, given["rows"]),
        suggest=lambda rng: {"rows": random_outcomes(cg, asked, about, rng)},
        tell=lambda given: outcomes_in_words(cg, given),
    )
    yield from outcomes.apply_all(cg, answer["rows"], asked.title)
    yield from _note(answer["note"])
    return list(answer["rows"])


@implements("HASL 11", "HASL 12")
def own_outcomes(cg: Hasl, asked: OutcomeStep) -> Procedure[dict[str, list[outcomes.Row]]]:
    """Ask both sides at once what became of their own units, in secret; apply it.

    A side without such a unit is asked too: the question must not give away that it has one.
    """
    then = dict(cg.state.units)
    answers = yield from ask_all(own_question(cg, asked, side) for side in SIDES)
    late = {side: _overtaken_rows(cg, asked, side, answer["rows"], then) for side, answer in answers.items()}
    for side, answer in answers.items():
        yield from outcomes.apply_all(cg, [row for row in answer["rows"] if row not in late[side]], asked.title)
        for row in late[side]:
            yield Noted(
                text=f"{row['unit']} {row['what']}: left out, the unit is no longer as it was",
                why=asked.title,
                to=(side,),
            )
        yield from _note(answer["note"], (side,))
    return {side: list(answer["rows"]) for side, answer in answers.items()}


def _overtaken_rows(
    cg: Hasl, asked: OutcomeStep, side: str, rows: Sequence[outcomes.Row], then: Mapping[str, Unit]
) -> list[outcomes.Row]:
    """Return the rows that no longer hold, because what was asked at the same time has changed their units."""
    units = list(cg.state.units_of(side))
    changed = [row for row in rows if cg.state.units[name := unit_id(row["unit"])] is not then[name]]
    in_play = {unit.id for unit in units if unit.in_play}
    return [
        row
        for row in changed
        if unit_id(row["unit"]) not in in_play or outcomes.outcome_problems(cg, units, asked.offered, [row])
    ]


def own_question(cg: Hasl, asked: OutcomeStep, side: str) -> SecretQuestion:
    """Return the question to a side what became of its own units."""
    units = list(cg.state.units_of(side))
    about = asked.units(cg, side)

    def suggest_rows(rng: Random) -> list[dict[str, Any]]:
        made = asked.suggest
        return random_outcomes(cg, asked, about, rng) if made is None else made(cg, side, rng)

    return SecretQuestion(
        key=asked.key,
        side=side,
        text=f"{asked.text} {_units_in_words(about)}".rstrip(),
        form=outcome_form(asked.offered),
        help=_help(asked),
        check=lambda given: outcomes.outcome_problems(cg, units, asked.offered, given["rows"]),
        suggest=lambda rng: {"rows": suggest_rows(rng)},
        needless=not about and asked.suggest is None,
    )


def outcome_form(offered: Sequence[str]) -> Record:
    """Return the form for what became of units."""
    marks = Choice.of_labels({"": "-"} | {mark.value: "" for mark in FITS})
    form = Rows.of(
        Field("unit", Text(40), "Unit"),
        Field("what", Choice.of_labels({w: outcomes.OUTCOMES[w].words for w in offered}), "Outcome"),
        Field("by", Text(40), "By or with which unit", ""),
        Field("at", Text(20), "Location", ""),
        Field("type", Text(40), "Type", ""),
        Field("marker", marks, "Marker", ""),
        most=200,
    )
    return Record.of(
        Field("rows", form, "What became of which unit", []), Field("note", Text(500), "Anything else to remember", "")
    )


def _units_in_words(units: Sequence[Unit]) -> str:
    if not units:
        return ""
    places = ", ".join(f"{unit.label} in {unit.at or 'no Location'}" for unit in units)
    return f"It is about {places}"


def _help(asked: OutcomeStep) -> str:
    words = "; ".join(f"{word}: {outcomes.OUTCOMES[word].words}" for word in asked.offered)
    return f"{asked.help} List only units to which something happened. {words}.".strip()


def _note(text: str, to: tuple[str, ...] | None = None) -> Iterator[Fact]:
    if text:
        yield Noted(text=text, why="as the players told", to=to)


PLAIN = (
    outcomes.ELIMINATED,
    outcomes.REDUCED,
    outcomes.REPLACED,
    outcomes.HARDENED,
    outcomes.RECOVERED,
    outcomes.STAYS,
    outcomes.REMOVED,
    outcomes.RECALLED,
)
"""Outcomes that need no further word."""


def random_outcomes(cg: Hasl, asked: OutcomeStep, units: Sequence[Unit], rng: Random) -> list[dict[str, Any]]:
    """Return some legal outcomes for some of the units that a step is about."""
    rows = []
    for unit in units:
        row = {"unit": unit.id, "what": rng.choice([w for w in asked.offered if w in PLAIN])}
        fits = not outcomes.outcome_problems(cg, [unit], asked.offered, [{**EMPTY, **row}])
        if fits and rng.random() < 0.4:
            rows.append(row)
    return rows


EMPTY: outcomes.Row = {"by": "", "at": "", "type": "", "marker": ""}
"""A row's further fields, left open."""


def outcomes_in_words(cg: Hasl, answer: Mapping[str, Any]) -> str:
    """Return an answer in words."""
    parts = []
    for row in answer["rows"]:
        unit = cg.state.units[unit_id(row["unit"])]
        more = " ".join(row[name] for name in ("marker", "type", "at", "by") if row[name])
        parts.append(f"{unit.label} {row['what']} {more}".rstrip())
    parts += [answer["note"]] if answer["note"] else []
    return "; ".join(parts) or "nothing happened"
