"""Bounds of rows: every final roll must find exactly one row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple


class Span(NamedTuple):
    """The final rolls of one row, both ends included; None is an open end."""

    low: int | None
    high: int | None

    def __str__(self) -> str:
        if self.low is None:
            return "any" if self.high is None else f"{self.high} or less"
        if self.high is None:
            return f"{self.low} or more"
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"

    def covers(self, final: int) -> bool:
        """Return True if this final roll is one of the row's."""
        return (self.low is None or self.low <= final) and (self.high is None or final <= self.high)


class Fault(NamedTuple):
    """What is wrong with the bounds of the row at `position` (from 0), and what would be right."""

    position: int
    what: str
    right: str


def faults(spans: Sequence[Span | None]) -> list[Fault]:
    """Return what keeps these rows from covering every integer exactly once, in rising order.

    None stands for a row that could not be read: gaps that it might fill are not reported.
    """
    known = [(position, span) for position, span in enumerate(spans) if span is not None]
    found = list(_out_of_order(known))
    # Told apart from disorder: rows in the wrong order need not leave gaps.
    known.sort(key=lambda item: _low(item[1]))
    found += _overlaps(known)
    if len(known) == len(spans):
        found += _gaps(known)
    return sorted(found)


def _low(span: Span) -> float:
    return -inf if span.low is None else span.low


def _high(span: Span) -> float:
    return inf if span.high is None else span.high


Known = Sequence[tuple[int, Span]]


def _out_of_order(known: Known) -> Iterator[Fault]:
    for (before, first), (position, span) in pairwise(known):
        if _low(span) < _low(first):
            what = f"the row for {span} stands after row {before + 1} for {first}"
            yield Fault(position, what, "order the rows from the lowest roll to the highest")


def _overlaps(known: Known) -> Iterator[Fault]:
    widest: tuple[int, Span] | None = None
    for position, span in known:
        if widest is not None and _low(span) <= _high(widest[1]):
            shared = Span(span.low, _lower(span.high, widest[1].high))
            what = f"row {widest[0] + 1} for {widest[1]} has {_rolls(shared)} as well"
            yield Fault(position, what, "each final roll belongs to one row")
        if widest is None or _high(span) > _high(widest[1]):
            widest = position, span


def _gaps(known: Known) -> Iterator[Fault]:
    reached: float | None = None
    last = 0
    for position, span in known:
        if reached is None and span.low is not None:
            missing = Span(None, span.low - 1)
            yield Fault(position, f"no row has {_rolls(missing)}", _open("lowest", "from"))
        elif reached is not None and span.low is not None and span.low > reached + 1:
            missing = Span(int(reached) + 1, span.low - 1)
            yield Fault(position, f"no row has {_rolls(missing)}", "close the gap before this row")
        if reached is None or _high(span) > reached:
            reached, last = _high(span), position
    if reached is not None and reached != inf:
        missing = Span(int(reached) + 1, None)
        yield Fault(last, f"no row has {_rolls(missing)}", _open("highest", "to"))


def _lower(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _rolls(span: Span) -> str:
    return "every final roll" if span == (None, None) else f"final roll {span}"


def _open(row: str, name: str) -> str:
    return f"the {row} row is open: leave out its `{name}` (and write no `at`)"
