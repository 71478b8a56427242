"""Which squads enter as reinforcements, and when (DYO H1.7, H1.84)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Rows, ask, implements
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import ReinforcementsNamed
from laager.rules.design_your_own.ob import Arrival, InfantryEntry
from laager.rules.design_your_own.reckoning import Breach
from laager.rules.design_your_own.reinforcements import group_breach, least_reinforcements, reinforcement_breach
from laager.rules.design_your_own.terms import MOST_TURNS, Reinforcements

MOST_ROWS = 40

Lines = Mapping[str, InfantryEntry]
"""The squads of an order of battle by the number of their line."""


@implements("DYO H1.7", "DYO H1.84")
def naming(cg: Cg, side: str) -> Procedure[None]:
    """Ask which squads enter later, if the second purchase or the scenario makes some do so."""
    least = reinforcements_due(cg, side)
    lines = squads_of(cg, side)
    if not lines or not (least or cg.terms.side(side).reinforcements):
        return
    rows = yield from ask(_question(cg, side, lines, least))
    infantry = cg.ob(side).infantry
    numbers, arrivals = [], []
    for i in range(len(infantry)):
        own = [row for row in rows if row["line"] == str(i + 1)]
        numbers.append(sum(row["number"] for row in own))
        arrivals.append(
            tuple(Arrival(turn=row.get("turn", 0), number=row["number"]) for row in own if row.get("turn", 0))
        )
    why = f"at least {least} of the second purchase must enter as reinforcements"
    if not least:
        why = "the scenario has reinforcements"
    yield ReinforcementsNamed(
        side=side, numbers=tuple(numbers), arrivals=tuple(arrivals) if any(arrivals) else (), why=why, to=(side,)
    )


def reinforcements_due(cg: Cg, side: str) -> int:
    """Return how many squads of the second purchase must enter later at least (DYO H1.7)."""
    ob = cg.ob(side)
    squads = sum(entry.number for entry in ob.bought("second") if entry.kind == "squad")
    found = least_reinforcements(ob.mpv("first"), ob.mpv("second"), squads, chosen=cg.chosen)
    return int(found)


def squads_of(cg: Cg, side: str) -> dict[str, InfantryEntry]:
    """Return the lines of squads by their numbers on the Roster."""
    return {str(i + 1): entry for i, entry in enumerate(cg.ob(side).infantry) if entry.kind == "squad"}


def _question(cg: Cg, side: str, lines: Lines, least: int) -> Question:
    options = tuple(
        Option(name, f"{entry.number} {entry.type} {' '.join(entry.capabilities)}".strip())
        for name, entry in lines.items()
    )
    most = max(entry.number for entry in lines.values())
    fields = [Field("line", Choice(options), "Line"), Field("number", Number(1, most), "How many")]
    if not cg.of_old:
        fields.append(Field("turn", Number(0, MOST_TURNS), "Turn (0: not fixed)", 0))
    row = Record(tuple(fields))
    groups = cg.terms.side(side).reinforcements
    due = [f"At least {least} must."] if least else []
    if least and groups:
        due = [f"At least {least} of the second purchase must."]
    due += [f"In turn {one.turn} at least {one.squads} {one.type or 'squads'} enter." for one in groups]
    return Question(
        key="reinforcements",
        side=side,
        text=f"Which squads enter as reinforcements? {' '.join(due)}",
        form=Rows(row, most=MOST_ROWS),
        rule="DYO H1.7" if least else "DYO H1.84",
        secret=True,
        default=_proposal(lines, least, groups),
        help="Lines of the Roster by number, and how many of each in which turn.",
        check=lambda rows: _problems(lines, least, groups, rows),
        suggest=lambda rng: _proposal(_shuffled(lines, rng), least, groups),
    )


def _shuffled(lines: Lines, rng: Random) -> Lines:
    return dict(rng.sample(sorted(lines.items()), len(lines)))


def _proposal(lines: Lines, least: int, groups: Sequence[Reinforcements]) -> list[dict[str, Any]]:
    """Return the fewest squads that will do: what the scenario wants, then half of the second."""
    left = {name: entry.number for name, entry in lines.items()}
    # Squads of the second purchase count for both.
    order = sorted(lines, key=lambda name: lines[name].purchase != "second")
    rows: list[dict[str, Any]] = []

    def take(names: Sequence[str], missing: int, turn: int) -> None:
        for name in names:
            number = max(0, min(missing, left[name]))
            missing -= number
            left[name] -= number
            if number:
                rows.append({"line": name, "number": number, **({"turn": turn} if turn else {})})

    for group in groups:
        fit = [name for name in order if group.type in ("", lines[name].type)]
        take(fit, group.squads, group.turn)
    second = [name for name in lines if lines[name].purchase == "second"]
    named = sum(lines[name].number - left[name] for name in second)
    take(second, least - named, 0)
    return rows


def _problems(
    lines: Lines, least: int, groups: Sequence[Reinforcements], rows: Sequence[Mapping[str, Any]]
) -> list[Problem]:
    found = []
    keys = [(row["line"], row.get("turn", 0)) for row in rows]
    for i, (line, _) in enumerate(keys):
        here = f"[{i + 1}]"
        if keys.index(keys[i]) < i:
            found.append(Problem(f"line {line} is named twice", "name it once", here))
        have = lines[line].number
        if sum(row["number"] for row in rows if row["line"] == line) > have:
            found.append(Problem(f"line {line} has {have}", f"{have} at most", here))
    if found:
        return found
    second = [entry for entry in lines.values() if entry.purchase == "second"]
    named = sum(row["number"] for row in rows if lines[row["line"]].purchase == "second")
    short = reinforcement_breach(least, named, sum(entry.number for entry in second))
    entering = [
        lines[name].model_copy(
            update={
                "reinforcements": sum(row["number"] for row in rows if row["line"] == name),
                "arrivals": tuple(
                    Arrival(turn=row.get("turn", 0), number=row["number"])
                    for row in rows
                    if row["line"] == name and row.get("turn", 0)
                ),
            }
        )
        for name in lines
    ]
    every = [short, *group_breaches(groups, entering)]
    return [breach.problem() for breach in every if breach]


def group_breaches(groups: Sequence[Reinforcements], entries: Sequence[InfantryEntry]) -> list[Breach]:
    """Return the groups of the scenario that have fewer squads than the side could bring."""
    turns = {group.turn for group in groups}
    found = []
    for group in groups:
        fit = [one for one in entries if one.kind == "squad" and group.type in ("", one.type)]
        entering = sum(one.entering.get(group.turn, 0) for one in fit)
        used = sum(number for one in fit for turn, number in one.entering.items() if turn in turns)
        free = sum(one.number for one in fit) - used
        breach = group_breach(group.turn, group.squads, group.type, entering, free)
        found += [breach] if breach else []
    return found
