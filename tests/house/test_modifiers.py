"""Modifiers of a house's own: for every roll of a step, or for the units that a side names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from laager.campaign.house import printed_tables
from laager.campaign.house.conduct import ask_for_modifiers
from laager.campaign.steps import Ask, Roll, Step
from laager.dice import Dice
from tests.house.campaigns import printed, read

TABLE = "repair-vehicle"
PACKAGE = "laager.rules.platoon_leader"


def rolled_with(answer: dict[str, Any]) -> tuple[list[str], list[tuple[int, ...]]]:
    """The fields that are asked, and the modifiers of two repairs with this answer."""
    clause = printed().tables[TABLE].rule
    change = "{modifiers: {shop: {value: -2, when: a workshop is near}}}"
    house = read(f"  {clause}: {{{TABLE}: {change}}}\n" if len(tables_of(clause)) > 1 else f"  {clause}: {change}\n")
    cg: Any = SimpleNamespace(tables=house.tables(printed_tables(PACKAGE)), sides=("axis", "allied"))
    seen: list[tuple[int, ...]] = []

    def procedure() -> Any:
        for label, about in (("Repair: PzIVH (AX12)", ""), ("Repair: StuG", "AX14")):
            yield Roll("axis", label, Dice.dr, (), about=about, table=TABLE)

    step = Step("repairs", clause, "Repairs", lambda cg: procedure())
    run = ask_for_modifiers(house, step, procedure(), cg, ("axis",))
    fields: list[str] = []
    command: Any = next(run)
    while True:
        if isinstance(command, Ask):
            (question,) = command.questions
            assert question.secret
            fields += [field.name for field in question.form.fields]  # type: ignore[attr-defined]
            send: Any = {("axis", question.key): answer}
        else:
            seen.append(tuple(modifier.value for modifier in command.modifiers))
            send = None
        try:
            command = run.send(send)
        except StopIteration:
            return fields, seen


def tables_of(clause: str) -> list[str]:
    return [table.id for table in printed().tables.values() if table.rule == clause or table.id in named(clause)]


def named(clause: str) -> tuple[str, ...]:
    return printed().index[clause].tables


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        ({"shop": True}, [(-2,), (-2,)]),
        ({"shop": True, "shop-for": ""}, [(-2,), (-2,)]),
        ({"shop": True, "shop-for": "ax12"}, [(-2,), ()]),
        ({"shop": True, "shop-for": "AX14, AX99"}, [(), (-2,)]),
        ({"shop": False, "shop-for": "AX12"}, [(), ()]),
    ],
)
def test_a_modifier_holds_for_the_units_that_are_named(answer: dict[str, Any], values: list[tuple[int, ...]]) -> None:
    """Old campaigns answered without naming units: then it holds for all."""
    fields, seen = rolled_with(answer)
    assert fields == ["shop", "shop-for"]
    assert seen == values
