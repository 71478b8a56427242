"""Changes of tables: rows cut where a house has another result, modifiers changed, left out or added."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from laager.base import did_you_mean
from laager.base.files import Where
from laager.base.schema_words import explain
from laager.campaign.house.file import COLUMN, MODIFIERS, OFF, ROWS, NewModifier
from laager.tables import Row, Table, TableModifier, Value
from laager.tables.bounds import Span
from laager.tables.model import RESULT, spell

Complain = Callable[[Where, str, str], None]
"""Takes where something is wrong, what, and what would be right."""

MOST = 99
_LABELS: tuple[tuple[str, Callable[[str], Span]], ...] = (
    (r"(-?\d+)", lambda low: Span(int(low), int(low))),
    (r"(-?\d+) or less", lambda high: Span(None, int(high))),
    (r"(-?\d+) or more", lambda low: Span(int(low), None)),
)
NAME = r"[a-z0-9]+(-[a-z0-9]+)*"


def read_span(label: str) -> Span | None:
    """Return the final rolls that a label names (`9 or less`, `10`, `11 to 13`, `14 or more`); None if it is none."""
    text = " ".join(label.split())
    for pattern, span in _LABELS:
        matched = re.fullmatch(pattern, text)
        if matched:
            return span(matched[1])
    between = re.fullmatch(r"(-?\d+) to (-?\d+)", text)
    if between and int(between[1]) <= int(between[2]):
        return Span(int(between[1]), int(between[2]))
    return None


def change_table(table: Table, change: Mapping[str, Any], rule: str, where: Where, complain: Complain) -> Table:
    """Return a table as a house has it: `column NAME` or `rows`, and `modifiers`. `rule` is the clause changed."""
    for key, value in change.items():
        here = (*where, key)
        if key == MODIFIERS:
            table = _change_modifiers(table, value, rule, here, complain)
            continue
        column = key.removeprefix(COLUMN).strip() if key.startswith(COLUMN) else RESULT
        known = [f"{COLUMN}{name}" for name in table.columns] or [ROWS]
        if key not in known:
            complain(here, f"table {table.id} has no “{key}”", did_you_mean(key, [*known, MODIFIERS]))
        elif not isinstance(value, Mapping) or not value:
            complain(here, "names no rows", _example(table, column))
        else:
            table = _change_column(table, column, value, here, complain)
    return table


def _example(table: Table, column: str) -> str:
    row = table.rows[0]
    return f"write it as {{{row.span}: {spell(row.results[column])}}}"


def _change_column(table: Table, column: str, cells: Mapping[str, Any], where: Where, complain: Complain) -> Table:
    rows = list(table.rows)
    taken: list[Span] = []
    # YAML reads the words of some tables as numbers: RF 1.6.
    words = {label: str(value) if isinstance(value, float) else value for label, value in cells.items()}
    for label, value in words.items():
        span = read_span(label)
        if span is None:
            known = [str(row.span) for row in table.rows]
            complain(
                (*where, label), f"“{label}” isn't a row of table {table.id}", did_you_mean(label, known, "rows are")
            )
        elif any(_overlap(span, other) for other in taken):
            complain((*where, label), "is here twice", "each final roll once")
        elif wrong := _why_not(table, column, value):
            complain((*where, label), *wrong)
        else:
            taken.append(span)
            rows = _cut_rows(rows, span, column, value)
    return replace_rows(table, rows)


def replace_rows(table: Table, rows: Sequence[Row]) -> Table:
    """Return a table with other rows."""
    return replace(table, rows=tuple(rows))


def _overlap(first_span: Span, other: Span) -> bool:
    def before(first: Span, second: Span) -> bool:
        return first.high is not None and second.low is not None and first.high < second.low

    return not before(first_span, other) and not before(other, first_span)


def allowed_results(table: Table, column: str) -> list[Value] | None:
    """Return the results that a column may have; None if it holds numbers, which may be any."""
    values = list(dict.fromkeys(row.results[column] for row in table.rows))
    if any(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return None
    if all(isinstance(value, bool) for value in values):
        return [True, False]
    # The rules know what to do with the words of a column (a nation has no leaders of another's), and with no others.
    if table.columns:
        return values
    words = [word for word in table.results if word != "null"]
    return list(dict.fromkeys([*values, *words, *([None] if "null" in table.results else [])]))


def _why_not(table: Table, column: str, value: Any) -> tuple[str, str] | None:
    """Return what is wrong with a result and what would be right; None if nothing is."""
    known = allowed_results(table, column)
    if known is None:
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
            return f"“{spell(value)}” isn't a number", f"a whole number from -{MOST} to {MOST}"
        return None
    if not any(value is other or (value == other and type(value) is type(other)) for other in known):
        shown = str(value) if isinstance(value, dict | list) else spell(value)
        return f"“{shown}” is not among the table's results", did_you_mean(shown, map(spell, known))
    return None


def _cut_rows(rows: Sequence[Row], span: Span, column: str, value: Value) -> list[Row]:
    """Return rows of which those final rolls have another result; rows that are only partly among them are cut."""
    return [
        replace(row, results={**row.results, column: value}) if _overlap(row.span, span) else row
        for row in split_rows(rows, span)
    ]


def split_rows(rows: Sequence[Row], span: Span) -> tuple[Row, ...]:
    """Return rows of which each lies wholly inside of a span or outside of it."""
    made: list[Row] = []
    for row in rows:
        if not _overlap(row.span, span):
            made.append(row)
            continue
        low = row.low if span.low is None else span.low if row.low is None else max(row.low, span.low)
        high = row.high if span.high is None else span.high if row.high is None else min(row.high, span.high)
        if low is not None and (row.low is None or row.low < low):
            made.append(replace(row, high=low - 1))
        made.append(replace(row, low=low, high=high))
        if high is not None and (row.high is None or row.high > high):
            made.append(replace(row, low=high + 1))
    return tuple(made)


def covered_rows(table: Table, span: Span) -> list[Row]:
    """Return the rows of a table that have final rolls of a span."""
    return [row for row in table.rows if _overlap(row.span, span)]


# Modifiers ----------------------------------------------------------------------------------------


def _change_modifiers(table: Table, changes: Any, rule: str, where: Where, complain: Complain) -> Table:
    if not isinstance(changes, Mapping) or not changes:
        complain(where, "names no modifiers", "write them as {id: number}, or {id: off}")
        return table
    known = {modifier.id: modifier for modifier in table.modifiers}
    for id_, value in changes.items():
        here = (*where, id_)
        made = (
            _changed_modifier(known[id_], value, here, complain)
            if id_ in known
            else _new_modifier(table, id_, value, rule, here, complain)
        )
        if made is not None:
            known[id_] = made
    return replace(table, modifiers=tuple(known.values()))


def _changed_modifier(was: TableModifier, value: Any, where: Where, complain: Complain) -> TableModifier | None:
    if value == OFF or value is False:
        return replace(was, off=True)
    if was.value is None:
        complain(where, "has no value of its own, so it can only be left out", "off")
    elif isinstance(value, bool) or not isinstance(value, int) or abs(value) > 20:
        complain(where, f"“{value}” isn't a modifier", f"a whole number instead of {was.value:+d}, or off")
    else:
        return replace(was, value=value)
    return None


def _new_modifier(
    table: Table, id_: str, value: Any, rule: str, where: Where, complain: Complain
) -> TableModifier | None:
    known = [modifier.id for modifier in table.modifiers]
    if not table.own_modifiers:
        complain(where, "a modifier can't be added: Laager doesn't make this roll by itself", "change its rows")
        return None
    if not isinstance(value, Mapping):
        advice = did_you_mean(id_, known)
        complain(
            where, "isn't a modifier of this table", f"{advice}; a new one needs {{value: 1, when: the condition}}"
        )
        return None
    if not re.fullmatch(NAME, id_):
        complain(where, f"“{id_}” is not a name", "small letters and digits, words joined by hyphens")
        return None
    try:
        new = NewModifier.model_validate(value)
    except ValidationError as err:
        for error in err.errors(include_url=False):
            wrong, right = explain(error)
            complain((*where, *error["loc"]), wrong, right or "{value: 1, when: the condition in words}")
        return None
    return TableModifier(id_, new.value, new.when, rule, new.per or "", asked=True)
