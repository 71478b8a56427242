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


def find_faults(spans: Sequence[Span | None]) -> list[Fault]:
    """Return what keeps these rows from covering every integer exactly once, in rising order.

    None stands for a row that could not be read: gaps that it might fill are not reported.
    """
    known = [(position, span) for position, span in enumerate(spans) if span is not None]
    faults = list(_find_disorder(known))
    # Told apart from disorder: rows in the wrong order need not leave gaps.
    known.sort(key=lambda item: _low(item[1]))
    faults += _find_overlaps(known)
    if len(known) == len(spans):
        faults += _find_gaps(known)
    return sorted(faults)


def _low(span: Span) -> float:
    return -inf if span.low is None else span.low


def _high(span: Span) -> float:
    return inf if span.high is None else span.high


Known = Sequence[tuple[int, Span]]


def _find_disorder(known: Known) -> Iterator[Fault]:
    for (before, first), (position, span) in pairwise(known):
        if _low(span) < _low(first):
            message = f"the row for {span} stands after row {before + 1} for {first}"
            yield Fault(position, message, "order the rows from the lowest roll to the highest")


def _find_overlaps(known: Known) -> Iterator[Fault]:
    widest: tuple[int, Span] | None = None
    for position, span in known:
        if widest is not None and _low(span) <= _high(widest[1]):
            shared = Span(span.low, _lower_end(span.high, widest[1].high))
            message = f"row {widest[0] + 1} for {widest[1]} has {_describe_rolls(shared)} as well"
            yield Fault(position, message, "each final roll belongs to one row")
        if widest is None or _high(span) > _high(widest[1]):
            widest = position, span


def _find_gaps(known: Known) -> Iterator[Fault]:
    reached: float | None = None
    last = 0
    for position, span in known:
        if reached is None and span.low is not None:
            missing = Span(None, span.low - 1)
            yield Fault(position, f"no row has {_describe_rolls(missing)}", _advise_open_end("lowest", "from"))
        elif reached is not None and span.low is not None and span.low > reached + 1:
            missing = Span(int(reached) + 1, span.low - 1)
            yield Fault(position, f"no row has {_describe_rolls(missing)}", "close the gap before this row")
        if reached is None or _high(span) > reached:
            reached, last = _high(span), position
    if reached is not None and reached != inf:
        missing = Span(int(reached) + 1, None)
        yield Fault(last, f"no row has {_describe_rolls(missing)}", _advise_open_end("highest", "to"))


def _lower_end(first: int | None, other: int | None) -> int | None:
    if first is None or other is None:
        return other if first is None else first
    return min(first, other)


def _describe_rolls(span: Span) -> str:
    return "every final roll" if span == (None, None) else f"final roll {span}"


def _advise_open_end(row: str, name: str) -> str:
    sign = {"lowest": "≤", "highest": "≥"}[row]
    return f"leave the {row} row open: write {sign} in a chart, leave out `{name}` and `at` in a file"
