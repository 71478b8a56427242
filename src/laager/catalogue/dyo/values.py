"""What a catalogue of Design Your Own knows of a value: the value, that there is none, or nothing.

`None` says that there is none, or that it cannot be had; `UNKNOWN` that nobody has entered it, so
that it must be asked. A series gives a value to each month.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from laager.base import Problem, WrongValueError

T = TypeVar("T")

FIRST_YEAR, LAST_YEAR = 1930, 1950
"""Dates outside of these years count as typing errors."""

OTHER = "other"
"""How a series names all months that it does not mention."""

_MONTH = re.compile(r"^(\d{4})-(\d{1,2})$|^(\d{1,2})/(\d{4})$")
_RIGHT = "write a year (1944), a month (1944-09 or 9/1944) or from..to (1943..1944-06)"


class Unknown(Enum):
    """The value of what nobody has entered. It counts as false."""

    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown.UNKNOWN


class Dated(Protocol):
    """Anything that names a month."""

    @property
    def year(self) -> int:
        """The year, four figures."""
        ...

    @property
    def month(self) -> int:
        """The month, 1 to 12."""
        ...


class Month(NamedTuple):
    """A month of a year. Later ones are greater."""

    year: int
    month: int

    @classmethod
    def of(cls, text: str) -> Month:
        """Return the month that a text names: 1944-09 or 9/1944. ValueError for others."""
        match = _MONTH.match(text.strip())
        if not match:
            raise WrongValueError(f"{text!r} is not a month", "write it as 1944-09 or 9/1944")
        year, month = (match[1], match[2]) if match[1] else (match[4], match[3])
        return cls(int(year), int(month)).check(text)

    @classmethod
    def from_ordinal(cls, number: int) -> Month:
        """Return the month of a number that `ordinal` gave."""
        return cls(number // 12, number % 12 + 1)

    @property
    def ordinal(self) -> int:
        """The number of the month in the run of all months."""
        return self.year * 12 + self.month - 1

    def check(self, text: str) -> Month:
        """Return the month itself. ValueError if there is no such month, or far from the war."""
        if not 1 <= self.month <= 12:
            raise WrongValueError(f"{text!r} has no such month", "months are 1 to 12")
        if not FIRST_YEAR <= self.year <= LAST_YEAR:
            raise WrongValueError(f"{text!r} is outside the war", f"years are {FIRST_YEAR} to {LAST_YEAR}")
        return self

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02}"


BEGINNING, END = Month(FIRST_YEAR, 1), Month(LAST_YEAR, 12)


@cache
def all_months() -> tuple[Month, ...]:
    """Return every month that a catalogue can speak of."""
    return tuple(map(Month.from_ordinal, range(BEGINNING.ordinal, END.ordinal + 1)))


@dataclass(frozen=True, slots=True)
class Period:
    """The months from `first` to `last`, both included."""

    first: Month = BEGINNING
    last: Month = END

    @classmethod
    def of(cls, text: str) -> Period:
        """Return the period of a text: 1944, 1944-09, 1943..1944-06, 1943.., ..1942, always.

        ValueError with a sentence for others.
        """
        word = text.strip()
        if word == "always":
            return cls()
        begin, dots, end = word.partition("..")
        if not dots:
            end = begin
        elif not begin.strip() and not end.strip():
            raise WrongValueError(f"{text!r} is not a period", _RIGHT)
        first = _edge(begin, text, 1) if begin.strip() else BEGINNING
        last = _edge(end, text, 12) if end.strip() else END
        if last < first:
            raise WrongValueError(f"{text!r} ends before it begins", "write the earlier month first")
        return cls(first, last)

    def __str__(self) -> str:
        first, last = _short(self.first, 1), _short(self.last, 12)
        if first == last:
            return first
        if (self.first, self.last) == (BEGINNING, END):
            return "always"
        begin = "" if self.first == BEGINNING else first
        return f"{begin}..{'' if self.last == END else last}"


def _edge(text: str, whole: str, month: int) -> Month:
    word = text.strip()
    if re.fullmatch(r"\d{4}", word):
        return Month(int(word), month).check(word)
    if not _MONTH.match(word):
        raise WrongValueError(f"{whole!r} is not a period", _RIGHT)
    return Month.of(word)


def _short(month: Month, edge: int) -> str:
    """Return the year alone if the month is the edge of it that is meant anyway."""
    return str(month.year) if month.month == edge else str(month)


@dataclass(frozen=True, slots=True)
class DatedValue(Generic[T]):
    """A value for the months of a period."""

    period: Period
    value: T | Unknown | None


@dataclass(frozen=True, slots=True)
class Series(Generic[T]):
    """The value of each month. Months that no span has are `other`: none, if not said."""

    spans: tuple[DatedValue[T], ...] = ()
    other: T | Unknown | None = None

    @classmethod
    def always(cls, value: T | Unknown | None) -> Series[T]:
        """Return the series that is the same in every month."""
        return cls((), value)

    @classmethod
    def of_months(cls, values: Sequence[T | Unknown | None]) -> Series[T]:
        """Return the series of the values of all months, in order."""
        spans: list[DatedValue[T]] = []
        for month, value in zip(all_months(), values, strict=True):
            if spans and spans[-1].value == value:
                spans[-1] = DatedValue(Period(spans[-1].period.first, month), value)
            else:
                spans.append(DatedValue(Period(month, month), value))
        if len(spans) == 1:
            return cls.always(spans[0].value)
        other = UNKNOWN if any(span.value is UNKNOWN for span in spans) else None
        return cls(tuple(span for span in spans if span.value is not other), other)

    def at(self, month: Dated) -> T | Unknown | None:
        """Return the value of a month; None if there is none, UNKNOWN if nobody entered it."""
        wanted = (month.year, month.month)
        for span in self.spans:
            if span.period.first <= wanted <= span.period.last:
                return span.value
        return self.other

    @property
    def months(self) -> tuple[T | Unknown | None, ...]:
        """The values of all months."""
        months = all_months()
        values = [self.other] * len(months)
        # The first span that has a month counts.
        for span in reversed(self.spans):
            begin = max(span.period.first.ordinal - BEGINNING.ordinal, 0)
            end = min(span.period.last.ordinal - BEGINNING.ordinal + 1, len(months))
            values[begin:end] = [span.value] * (end - begin)
        return tuple(values)

    @property
    def values(self) -> tuple[T | Unknown | None, ...]:
        """Every value that stands in it, each once."""
        return tuple(dict.fromkeys([*(span.value for span in self.spans), self.other]))

    @property
    def is_unknown(self) -> bool:
        """True if nothing is known of any month."""
        return set(self.values) == {UNKNOWN} or (self.other is UNKNOWN and not self.spans)

    def fill_from(self, base: Series[T]) -> Series[T]:
        """Return it with the months that are unknown taken from another series."""
        if UNKNOWN not in self.values:
            return self
        if self.is_unknown:
            return base
        mine = self.months
        pairs = zip(mine, base.months, strict=True)
        filled = tuple(theirs if own is UNKNOWN else own for own, theirs in pairs)
        return self if filled == mine else Series.of_months(filled)

    def differs(self, other: Series[T]) -> Month | None:
        """Return the first month in which both know a value, and not the same."""
        if UNKNOWN not in (*self.values, *other.values) and self == other:
            return None
        for month in all_months():
            mine, two = self.at(month), other.at(month)
            if mine is not UNKNOWN and two is not UNKNOWN and mine != two:
                return month
        return None


def read_series(raw: Any, read: Callable[[Any], T]) -> Series[T]:
    """Return the series that plain data writes down.

    A single value; a mapping of periods to values; a list of `{from, to, value}`; or a text
    `1941..1942: 1.1; 1943..: .9`. Raises ValueError with everything that is wrong in it.
    """
    if isinstance(raw, Series):
        return raw
    if isinstance(raw, str) and (";" in raw or ":" in raw):
        raw = _split_pairs(raw)
    if isinstance(raw, Mapping):
        pairs: Iterable[tuple[Any, Any]] = raw.items()
    elif isinstance(raw, list | tuple):
        pairs = _read_pairs(raw)
    else:
        return Series.always(read_value(raw, read))
    return _build_series(pairs, read)


def read_value(raw: Any, read: Callable[[Any], T]) -> T | Unknown | None:
    """Return a value, None for `none`, UNKNOWN for `unknown`; ValueError if `read` refuses it."""
    if raw is UNKNOWN or raw == "unknown":
        return UNKNOWN
    return None if raw is None or raw == "none" else read(raw)


def _split_pairs(text: str) -> list[tuple[str, str]]:
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        period, colon, value = part.rpartition(":")
        if not colon:
            raise WrongValueError(f"{part!r} has no value", "write period: value; period: value")
        pairs.append((period.strip(), value.strip()))
    return pairs


def _read_pairs(items: Sequence[Any]) -> list[tuple[Any, Any]]:
    pairs: list[tuple[Any, Any]] = []
    for item in items:
        if isinstance(item, tuple):
            pairs.append(item)
            continue
        if not isinstance(item, Mapping) or set(item) - {"from", "to", "value"}:
            raise WrongValueError(f"{item!r} is not part of a series", "write {from: …, to: …, value: …}")
        begin, end = item.get("from", ""), item.get("to", "")
        period = f"{begin}..{end}" if begin or end else "always"
        pairs.append((period, item.get("value", True)))
    return pairs


def _build_series(pairs: Iterable[tuple[Any, Any]], read: Callable[[Any], T]) -> Series[T]:
    spans: list[DatedValue[T]] = []
    other: T | Unknown | None = None
    faults: list[Problem] = []
    for key, raw in pairs:
        try:
            value = read_value(raw, read)
            if str(key) == OTHER:
                other = value
                continue
            spans.append(DatedValue(Period.of(str(key)), value))
        except WrongValueError as err:
            faults.append(err.problem)
    spans.sort(key=lambda span: (span.period.first, span.period.last))
    for first, two in pairwise(spans):
        if two.period.first <= first.period.last:
            faults.append(Problem(f"{first.period} and {two.period} overlap", "give each month one value at most"))
    if faults:
        rights = dict.fromkeys(fault.right for fault in faults if fault.right)
        raise WrongValueError(", and ".join(fault.what for fault in faults), "; ".join(rights))
    return Series(tuple(spans), other)


def plain_series(series: Series[Any], plain: Callable[[Any], Any]) -> Any:
    """Return a series as plain data, as short as possible."""

    def plain_value(value: Any) -> Any:
        if value is UNKNOWN:
            return "unknown"
        return "none" if value is None else plain(value)

    if not series.spans:
        return plain_value(series.other)
    values = {str(span.period): plain_value(span.value) for span in series.spans}
    return values if series.other is None else {**values, OTHER: plain_value(series.other)}
