"""Tables as the program uses them: a final roll looks up its row, the row holds the results."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean, find_named
from laager.dice import Dice, Modifier, distribution
from laager.tables.bounds import Span, find_faults

Value = str | int | bool | None
"""A result: a word that the rules act on, a number, yes or no, or None for no result."""

RESULT = "result"
"""The name of the only column of a table that names none."""


@dataclass(frozen=True)
class Row:
    """A row: final rolls `low` to `high` (None is an open end) and the result of each column.

    The result of a table without columns stands under "result".
    """

    low: int | None
    high: int | None
    results: Mapping[str, Value] = field(hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "results", MappingProxyType(dict(self.results)))

    def __reduce__(self) -> tuple[type[Row], tuple[Any, ...]]:
        # A read-only view can't be copied to another process; what it shows can.
        return Row, (self.low, self.high, dict(self.results))

    @property
    def span(self) -> Span:
        """The final rolls of this row; as text `9 or less`, `10`, `11 to 13`, `14 or more`."""
        return Span(self.low, self.high)


@dataclass(frozen=True)
class TableModifier:
    """A condition that changes rolls on a table.

    `value` is None if whoever rolls supplies it (a leader's DRM, a number on the card). With `per`
    it counts once for each such thing.
    """

    id: str
    value: int | None
    when: str
    rule: str
    per: str = ""
    off: bool = False
    """True if a house leaves it out: it counts 0."""
    asked: bool = False
    """True if a house added it: the rules don't know if it holds, and the players are asked."""

    def __str__(self) -> str:
        head = "DRM as given" if self.value is None else f"{self.value:+d}"
        return f"{head} per {self.per}: {self.when}" if self.per else f"{head}: {self.when}"


class RowOdds(NamedTuple):
    """How often a row comes: `ways` out of `total`, and the result it has in the column asked for.

    `value` is None, too, for a table of several columns when none was asked for.
    """

    row: Row
    value: Value
    ways: int
    total: int

    @property
    def probability(self) -> Fraction:
        """The probability of this row."""
        return Fraction(self.ways, self.total)


@dataclass(frozen=True)
class Table:
    """A table: what each final roll of its dice means. Every integer has exactly one row.

    `columns` is empty if there is one result only; `results` holds the words for results. Raises
    DataError if rows leave a gap, overlap or are out of order.
    """

    id: str
    title: str
    rule: str
    dice: Dice
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    modifiers: tuple[TableModifier, ...] = ()
    results: Mapping[str, str] = field(default_factory=dict, hash=False)
    notes: tuple[str, ...] = ()
    own_modifiers: bool = True
    """False if a house can't add modifiers: players make the roll, or it's one of several on the same dice."""
    per_unit: bool = False
    """True if it's rolled on for single units, so that a house's own modifier can hold for some of them."""
    _highs: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        faults = find_faults([row.span for row in self.rows])
        if faults or not self.rows:
            problems = [Problem(f.what, f.right, f"rows[{f.position + 1}]") for f in faults]
            raise DataError(problems or [Problem("there are no rows", "add one", "rows")])
        object.__setattr__(self, "results", MappingProxyType(dict(self.results)))
        # In rows without gap or overlap the upper bounds alone find the row.
        highs = tuple(row.high for row in self.rows if row.high is not None)
        object.__setattr__(self, "_highs", highs)

    def __reduce__(self) -> tuple[type[Table], tuple[Any, ...]]:
        head = (self.id, self.title, self.rule, self.dice, self.columns, self.rows)
        return Table, (*head, self.modifiers, dict(self.results), self.notes, self.own_modifiers, self.per_unit)

    def row(self, final: int) -> Row:
        """Return the row of a final roll; any integer has one."""
        return self.rows[bisect_left(self._highs, final)]

    def result(self, final: int, column: str | None = None) -> Value:
        """Return what a final roll gives. Raises RefusedError for an unknown or missing column."""
        results = self.rows[bisect_left(self._highs, final)].results
        try:
            return results[RESULT if column is None else column]
        except KeyError:
            raise self._column_error(column) from None

    def words(self, value: Value) -> str:
        """Return a result in words: the table's own if it has them, else a plain spelling."""
        spelling = spell(value)
        if spelling in self.results:
            return self.results[spelling]
        if value is None:
            return "no result"
        return {"true": "yes", "false": "no"}[spelling] if isinstance(value, bool) else spelling

    def modifier(self, id: str, times: int = 1, value: int | None = None) -> Modifier:  # noqa: A002
        """Return the modifier of a condition that holds, with its reason and rule.

        `times` counts a modifier that has `per`; any may be counted 0 times, which gives a modifier
        of 0, and so does one that a house leaves out. `value` is for modifiers that whoever rolls must
        supply. Raises RefusedError.
        """
        condition = self._find_modifier(id)
        if condition.off:
            return Modifier(0, condition.when, condition.rule)
        if condition.value is None:
            if value is None:
                raise self._misuse_error(id, "has no value of its own; give its value")
            amount = value
        elif value is not None:
            raise self._misuse_error(id, f"is {condition.value:+d} by rule; give no value for it")
        else:
            amount = condition.value
        if times < 0:
            raise self._misuse_error(id, f"cannot count {times} times; 0 or more")
        if times > 1 and not condition.per:
            raise self._misuse_error(id, f"counts once, not {times} times; leave out the count")
        reason = f"{times} x {condition.when}" if times > 1 else condition.when
        return Modifier(amount * int(times), reason, condition.rule)

    def odds(self, drm: int = 0, column: str | None = None) -> tuple[RowOdds, ...]:
        """Return the exact odds of every row under this modifier, in the table's order.

        Raises RefusedError for an unknown column.
        """
        if column is not None and column not in self.rows[0].results:
            raise self._column_error(column)
        name = RESULT if column is None else column
        thrown = distribution(self.dice)
        ways = [0] * len(self.rows)
        for original, weight in thrown.weights.items():
            ways[bisect_left(self._highs, original + drm)] += weight
        return tuple(
            RowOdds(row, row.results.get(name), ways[position], thrown.total) for position, row in enumerate(self.rows)
        )

    def _find_modifier(self, id: str) -> TableModifier:  # noqa: A002
        known = {condition.id: condition for condition in self.modifiers}
        return find_named(known, id, f"table {self.id} has no modifier “{id}”")

    def _misuse_error(self, id: str, complaint: str) -> RefusedError:  # noqa: A002
        return RefusedError(Refusal.BAD_ANSWER, f"modifier “{id}” of table {self.id} {complaint}")

    def _column_error(self, column: str | None) -> RefusedError:
        if column is None:
            text = f"table {self.id} has several columns; name one of {', '.join(self.columns)}"
        elif not self.columns:
            text = f"table {self.id} has no column “{column}”; it has one result, name no column"
        else:
            advice = did_you_mean(column, self.columns)
            text = f"table {self.id} has no column “{column}”; {advice}"
        return RefusedError(Refusal.NO_SUCH, text)


def spell(value: Value) -> str:
    """Return a value as it is written in a data file."""
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, eq=False)
class TableSet(Mapping[str, Table]):
    """The tables of a file by id, in the file's order.

    `source` says where the figures come from.
    """

    tables: Mapping[str, Table]
    source: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", MappingProxyType(dict(self.tables)))

    def __reduce__(self) -> tuple[type[TableSet], tuple[Any, ...]]:
        return TableSet, (dict(self.tables), self.source)

    def __getitem__(self, id: str) -> Table:  # noqa: A002
        try:
            return self.tables[id]
        except KeyError:
            raise KeyError(f"there is no table {id}; {did_you_mean(id, self.tables)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def table(self, id: str) -> Table:  # noqa: A002
        """Return a table. Raises RefusedError, with advice, if there is none of that name."""
        return find_named(self.tables, id, f"there is no table “{id}”")
