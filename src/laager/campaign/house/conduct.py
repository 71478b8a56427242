"""Steps as a house plays them: left out, left to the players, or with modifiers that the players are asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from laager.campaign.facts import Side
from laager.campaign.forms import Choice, Field, Number, Record, Text, YesNo
from laager.campaign.house.file import AGREE, OFF
from laager.campaign.house.rules import HouseRules, tables_of_clause
from laager.campaign.questions import Question
from laager.campaign.steps import Context, Procedure, Roll, Step, ask, ask_all
from laager.dice import Modifier
from laager.tables import Table, TableSet

SETTLED = Choice.of_labels({"settled": "We have settled it"})


def conduct_step(
    house: HouseRules, step: Step, procedure: Procedure[None], cg: Context, sides: Sequence[Side]
) -> Procedure[None]:
    """Go through a step as a house plays it; what it gathers is gone through by itself."""
    if step.gathers:
        return procedure
    switch = house.switch_of(step)
    if switch == OFF:
        return leave_out()
    # Without its table a step asks the players for the result.
    if switch == AGREE and not asks_for_result(house, step.clause, cg):
        return leave_to_players(house, step, cg, sides)
    return ask_for_modifiers(house, step, procedure, cg, sides) if house.adds_modifiers else procedure


def asks_for_result(house: HouseRules, clause: str, cg: Context) -> bool:
    """True if the step of a clause takes a result from the players where its table isn't at hand."""
    return bool(house.charts_of(clause) & frozenset(getattr(cg, "module_charts", ())))


def leave_out() -> Procedure[None]:
    """Do nothing."""
    yield from ()


def leave_to_players(house: HouseRules, step: Step, cg: Context, sides: Sequence[Side]) -> Procedure[None]:
    """Remind each side of what the players settle by themselves, and go on when they have.

    Everybody is asked, whatever there is to settle, so that being asked tells nothing.
    """
    text = f"{step.title}: your house rules leave this to you. {house.reason(step.clause)}".rstrip()
    yield from ask_all(
        Question(
            f"house-{step.id}",
            side,
            text,
            SETTLED,
            step.clause,
            secret=True,
            default="settled",
            shortcut="We have settled it",
            help="Settle it at the table. What it changes in the record, enter as a ruling.",
        )
        for side in sides or sides_of(cg)
    )


def sides_of(cg: Context) -> Sequence[Side]:
    """Return the sides of a campaign, in its order."""
    return tuple(getattr(cg, "sides", ("axis", "allied")))


# Modifiers that the rules don't have ----------------------------------------------------------------


def ask_for_modifiers(
    house: HouseRules, step: Step, procedure: Procedure[None], cg: Context, sides: Sequence[Side]
) -> Procedure[None]:
    """Ask each side at the beginning of a step which of the house's own modifiers hold; add them to its rolls.

    They are asked of everybody, whether or not a roll follows: who rolls in secret must not show by being asked.
    """
    tables = asked_tables(cg)
    counts: dict[tuple[Side, str], Mapping[str, Any]] = {}
    for table in _tables_of(step, house, tables):
        answers = yield from ask_all(_question(step, table, side) for side in sides or sides_of(cg))
        counts |= {(side, table.id): answer for side, answer in answers.items()}
    send: Any = None
    while True:
        try:
            command = procedure.send(send)
        except StopIteration:
            return
        if isinstance(command, Roll) and command.table in tables:
            table = tables[command.table]
            if (command.side, table.id) not in counts:
                counts[command.side, table.id] = yield from ask(_question(step, table, command.side))
            added = _modifiers(table, counts[command.side, table.id], command)
            command = replace(command, modifiers=(*command.modifiers, *added))
        send = yield command


def asked_tables(cg: Context) -> dict[str, Table]:
    """Return the tables of a campaign with modifiers that its house added, by id."""
    sets: list[TableSet | None] = [getattr(cg, "tables", None), getattr(cg, "chart_tables", None)]
    return {
        table.id: table
        for tables in sets
        for table in (tables or {}).values()
        if any(modifier.asked for modifier in table.modifiers)
    }


def _tables_of(step: Step, house: HouseRules, tables: Mapping[str, Table]) -> list[Table]:
    """Return those of the tables on which a step may roll."""
    known = TableSet(tables)
    rolled_on = {
        table.id: table for clause in step.__clauses__ for table in tables_of_clause(known, clause, house.index)
    }
    return list(rolled_on.values())


FOR = "-for"
"""Behind the id of a modifier: for which units it holds."""
EVERY_ROLL = "They count for every roll that you make on this table in this step, if you make any."
SOME_ROLLS = (
    "They count for the rolls that you make on this table in this step, if you make any: for those of the units that "
    "you name by number, or for all."
)


def _question(step: Step, table: Table, side: Side) -> Question:
    """Ask which modifiers hold. What holds for single units is asked here, too: whose roll comes shows to the enemy."""
    return Question(
        f"house-{step.id}-{table.id}",
        side,
        f"{table.title}: which of your own modifiers hold?",
        Record(tuple(_fields(table))),
        table.rule,
        secret=True,
        help=SOME_ROLLS if table.per_unit else EVERY_ROLL,
    )


def _fields(table: Table) -> Iterator[Field]:
    for modifier in table.modifiers:
        if modifier.asked and modifier.per:
            yield Field(modifier.id, Number(0, 20), f"{modifier.when} ({modifier.value:+d})", 0)
        elif modifier.asked:
            yield Field(modifier.id, YesNo(), f"{modifier.when} ({modifier.value:+d})", False)
        if modifier.asked and table.per_unit:
            label = f"{modifier.when}: for which units (numbers, such as AX12 AX14); empty: for all"
            yield Field(f"{modifier.id}{FOR}", Text(limit=200), label, "")


def _modifiers(table: Table, counts: Mapping[str, Any], roll: Roll) -> list[Modifier]:
    """Return the modifiers that hold for a roll; answers of old campaigns name no units."""
    asked = [modifier for modifier in table.modifiers if modifier.asked]
    counted = (
        table.modifier(modifier.id, times=int(counts.get(modifier.id, 0)))
        for modifier in asked
        if _is_meant(roll, str(counts.get(f"{modifier.id}{FOR}") or ""))
    )
    return [modifier for modifier in counted if modifier.value]


def _is_meant(roll: Roll, units: str) -> bool:
    """True if a roll is for one of the units named, or none are named."""
    named = {word.upper() for word in re.findall(r"[\w/-]+", units)}
    words = {word.upper() for word in re.findall(r"[\w/-]+", f"{roll.label} {roll.about}")}
    return not named or bool(named & words)
