"""How rules answer: a calculation with its parts, a breach of a rule, or what must be supplied.

All values are immutable, all sums exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import ceil, floor

from laager.base import Problem
from laager.base.counting import plural
from laager.campaign import Readings

PACKAGE = "laager.rules.design_your_own"


def format_amount(amount: Fraction) -> str:
    """Return a number as players write it: `19`, `19.5`, `52/3`."""
    if amount.denominator == 1:
        return str(amount.numerator)
    if 100 % amount.denominator == 0:
        return f"{float(amount):.2f}".rstrip("0")
    return str(amount)


def format_count(number: int | Fraction, noun: str) -> str:
    """Return a number of things in words: `1 leader`, `2 leaders`, `2.5 squads`."""
    return f"{format_amount(Fraction(number))} {plural(number, noun)}"


def reading(name: str, chosen: Mapping[str, str]) -> str:
    """Return the option in force of a reading. Raises RefusedError for an unknown one."""
    return Readings.load_packaged(PACKAGE).value(chosen, name)


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a calculation: its sign (`+`, `x`, `/`, `FRU` ...), amount, what it is, its rule."""

    sign: str
    amount: Fraction
    what: str = ""
    rule: str = ""

    def __str__(self) -> str:
        number = format_amount(self.amount)
        if self.sign in ROUNDINGS:
            return f"({self.sign} {number})"
        return " ".join(word for word in (self.sign, number, self.what) if word)


ROUNDINGS = ("FRU", "FRD")


@dataclass(frozen=True, slots=True)
class Calculation:
    """A number and how it came about, part by part. Each method returns a longer calculation.

    Multiplying applies to everything before it, as the parts are read from the left.
    """

    amount: Fraction
    parts: tuple[Term, ...]

    @classmethod
    def of(cls, amount: int | Fraction, label: str = "", rule: str = "") -> Calculation:
        """Return a calculation that begins with this amount."""
        exact = Fraction(amount)
        return cls(exact, (Term("", exact, label, rule),))

    def plus(self, amount: int | Fraction, label: str, rule: str = "") -> Calculation:
        """Add an amount; a negative one is shown as taken off."""
        sign = "-" if amount < 0 else "+"
        return self._with(self.amount + amount, Term(sign, abs(Fraction(amount)), label, rule))

    def times(self, factor: int | Fraction, label: str, rule: str = "") -> Calculation:
        """Multiply all so far."""
        return self._with(self.amount * factor, Term("x", Fraction(factor), label, rule))

    def over(self, divisor: int | Fraction, label: str, rule: str = "") -> Calculation:
        """Divide all so far."""
        return self._with(self.amount / divisor, Term("/", Fraction(divisor), label, rule))

    def fru(self, rule: str = "") -> Calculation:
        """Round a fraction up; a whole number stays without a part of its own."""
        return self._round_to("FRU", ceil(self.amount), rule)

    def frd(self, rule: str = "") -> Calculation:
        """Round a fraction down; a whole number stays without a part of its own."""
        return self._round_to("FRD", floor(self.amount), rule)

    def at_most(self, most: int, label: str, rule: str = "") -> Calculation:
        """Cut what exceeds a limit; a smaller number stays without a part of its own."""
        if self.amount <= most:
            return self
        return self._with(Fraction(most), Term("at most", Fraction(most), label, rule))

    def _round_to(self, sign: str, amount: int, rule: str) -> Calculation:
        if amount == self.amount:
            return self
        return self._with(Fraction(amount), Term(sign, Fraction(amount), "", rule))

    def _with(self, amount: Fraction, part: Term) -> Calculation:
        return replace(self, amount=amount, parts=(*self.parts, part))

    @property
    def value(self) -> int:
        """The number; only a calculation without a fraction has one."""
        if self.amount.denominator != 1:
            raise ValueError(f"{self.why} is not a whole number; round it first")
        return self.amount.numerator

    def __int__(self) -> int:
        return self.value

    @property
    def why(self) -> str:
        """The whole calculation on a line: `13 BPV x 1.5 Sappers (FRU 20) + 2 PF range = 22`."""
        head, sum_ = "", False
        for part in self.parts:
            # Factors apply to all before them, so a sum before a factor stands in brackets.
            head = f"({head})" if sum_ and part.sign in ("x", "/") else head
            sum_ = part.sign in ("+", "-") or (sum_ and part.sign in ROUNDINGS)
            head = f"{head} {part}".lstrip()
        return head if len(self.parts) == 1 else f"{head} = {format_amount(self.amount)}"

    @property
    def rules(self) -> tuple[str, ...]:
        """The clauses that it rests on, each once, in order."""
        return tuple(dict.fromkeys(part.rule for part in self.parts if part.rule))


def total(parts: Iterable[tuple[int | Fraction, str]], rule: str = "") -> Calculation:
    """Return the sum of amounts, each with what it is; nothing at all is 0."""
    sum_: Calculation | None = None
    for amount, label in parts:
        sum_ = Calculation.of(amount, label, rule) if sum_ is None else sum_.plus(amount, label, rule)
    return Calculation.of(0, "nothing", rule) if sum_ is None else sum_


class Reason(StrEnum):
    """Why something is illegal. The code is stable; the sentence of a breach may change."""

    ALL_OR_NONE = "not selective"
    ARRANGEMENT = "arrangement"
    BATTERY = "battery type"
    BONUS = "bonus"
    CAPABILITY = "capability"
    COUNTERS = "counter limit"
    DATE = "date"
    DICE = "dice"
    IDENTITY = "identity letters"
    LEADERS = "leader types"
    LIMIT = "limit"
    LIMIT_PER_BOARD = "limit per board"
    MOTORIZED = "not motorized"
    NATION = "nationality"
    NOT_FOR_SALE = "not purchasable"
    ONE_ROLL = "one DR only"
    ORDER = "category order"
    POINTS = "points"
    PRICE = "price"
    RARITY = "RF"
    RECORDED = "recorded piece"
    REINFORCEMENTS = "reinforcements"
    SIZE = "size"
    TRIO = "own trio only"
    UNKNOWN = "value missing"


@dataclass(frozen=True, slots=True)
class Breach:
    """One rule that is broken: why in a word, which clause, what is wrong, what would be right."""

    reason: Reason
    rule: str
    what: str
    right: str = ""

    def problem(self, field: str = "") -> Problem:
        """Return it as a problem of an input."""
        return Problem(f"{self.what} ({self.rule})", self.right, field)

    def __str__(self) -> str:
        return str(self.problem())


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that the source has lost and that somebody must supply; it counts as false.

    `suggestion` is what a reading of the remains proposes, None if nothing does.
    """

    what: str
    rule: str
    suggestion: int | str | None = None

    def __bool__(self) -> bool:
        return False

    def breach(self) -> Breach:
        """Return the breach of going on without it."""
        return Breach(Reason.UNKNOWN, self.rule, f"{self.what} is not known", "enter it in a catalogue file")
