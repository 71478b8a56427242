"""Results that are computed if the module's charts are filled in, and asked if they aren't.

A printed module refers to tables that Laager doesn't have. The owner can enter them; until then
the players look the result up and enter it. `chart_roll` is the one place that knows the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem
from laager.campaign import Field, Form, Number, Placing, Procedure, Question, Record, YesNo, ask, implements, roll
from laager.dice import Modifier, Rolled
from laager.rules.board.card.parts import other_side
from laager.rules.board.hasl.context import Hasl
from laager.tables import Table, TableModifier, Value


@dataclass(frozen=True)
class ChartResult:
    """A result of a table, with its roll, if any, and the reason in words."""

    result: Value
    why: str
    rolled: Rolled | None = None


@implements("HASL 1")
def roll_or_ask(
    cg: Hasl,
    side: str,
    name: str,
    label: str,
    known: Mapping[str, int],
    otherwise: Question,
    *,
    column: str | None = None,
    extra: Sequence[Modifier] = (),
    secret: bool = False,
    rule: str = "",
) -> Procedure[ChartResult]:
    """Roll on a table of the module; if it is not filled in, ask the players for the result.

    `known` says how often each condition applies (or the value of a condition that is `given`).
    The players are asked for conditions of the table that the step doesn't know. `otherwise` is the question for
    the result itself.
    """
    table = cg.chart_table(name)
    if table is None:
        value = yield from ask(otherwise)
        return ChartResult(value, "as the players looked it up")
    rolled = yield from roll_on_table(table, side, label, known, extra=extra, secret=secret, rule=rule)
    return ChartResult(table.result(rolled.final, column), str(rolled), rolled)


def roll_on_table(
    table: Table,
    side: str,
    label: str,
    known: Mapping[str, int],
    *,
    asked: str = "",
    extra: Sequence[Modifier] = (),
    secret: bool = False,
    rule: str = "",
    about: str = "",
) -> Procedure[Rolled]:
    """Make a side's roll on a table; `asked` is what to call it in the question for conditions, if not `label`.

    `about` is the unit for which it is rolled, if it is for one.
    """
    modifiers = [*extra, *(yield from ask_modifiers(table, side, asked or label, known, secret=secret, rule=rule))]
    return (yield from roll(side, label, table.dice, modifiers, rule=rule, secret=secret, about=about, table=table.id))


def ask_modifiers(
    table: Table, side: str, label: str, known: Mapping[str, int], *, secret: bool = False, rule: str = ""
) -> Procedure[list[Modifier]]:
    """Return the modifiers of a table's conditions, asking for those that are not known."""
    own = [modifier for modifier in table.modifiers if not modifier.asked and not modifier.off]
    unknown = [modifier for modifier in own if modifier.id not in known]
    answers: Mapping[str, int] = {}
    if unknown:
        fields = tuple(
            Field(
                modifier.id,
                _count_of(modifier),
                f"{modifier.when}: " + ("its value" if modifier.value is None else "how often"),
                0,
            )
            for modifier in unknown
        )
        answers = yield from ask(
            Question(
                key=f"{table.id}-conditions",
                side=side,
                text=f"{label}: which of these conditions apply?",
                form=Record(fields),
                rule=rule or table.rule,
                secret=secret,
            )
        )
    counts = {**known, **answers}
    return [
        table.modifier(condition.id, value=counts[condition.id])
        if condition.value is None
        else table.modifier(condition.id, times=counts[condition.id] if condition.per else min(1, counts[condition.id]))
        for condition in own
    ]


def _count_of(modifier: TableModifier) -> Number:
    if modifier.value is None:
        return Number(-20, 20)
    return Number(0, 20) if modifier.per else Number(0, 1)


def ask_and_confirm(
    key: str,
    first: str,
    text: str,
    form: Form,
    default: Any = None,
    *,
    rule: str = "",
    help: str = "",  # noqa: A002
    check: Callable[[Any], Sequence[Problem]] = lambda _: (),
    suggest: Callable[[Any], Any] | None = None,
    tell: Callable[[Any], str] = str,
    placing: Placing | None = None,
) -> Procedure[Any]:
    """Have one side enter what happened on the table, and the other confirm it.

    A side that doesn't agree enters it itself, and the other side confirms, until both agree.
    """
    side, proposal = first, form.blank if default is None else default
    while True:
        answer = yield from ask(
            Question(
                key=key,
                side=side,
                text=text,
                form=form,
                rule=rule,
                default=proposal,
                help=help,
                check=check,
                suggest=suggest,
                placing=placing,
            )
        )
        said = "nothing" if answer in ([], {}) else tell(answer)
        yes = yield from ask(
            Question(
                key=f"{key}-agreed",
                side=other_side(side),
                text=f"{text} The other side says: {said}. Is that right?",
                form=YesNo(),
                rule=rule,
                default=True,
                help="If not, you enter it, and the other side is asked.",
                suggest=lambda rng: rng.random() < 0.9,
            )
        )
        if yes:
            return answer
        side, proposal = other_side(side), answer
