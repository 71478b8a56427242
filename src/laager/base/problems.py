"""Problems: what is wrong, where, and what would be right.

Every refusal has the same shape, be it of a file, an answer or a command, and all problems of one
input come together.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


LONGEST_WHAT_CHARS = 100
"""From this length on a message is looked at for what it repeats."""
_LONG_QUOTE = re.compile(r"""(?<![^\s(])(['"])([^\s'"][^'"]{58})[^'"]{20,}\1(?![\w'"])""")
"""What a message repeats of an input at such length that nobody reads on."""


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """Where the other end of a contradiction stands: in which file, in which field (as in a Problem)."""

    file: str
    field: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input, or doubtful.

    `what` says what is wrong, `right` what would be right. `file`, `line` (counted from 1) and
    `field` (dotted path, list positions from 1) say where, as far as it is known; `place` says it
    in the words of the form, for people who filled in a form and see no path. A contradiction names its `other` end,
    where it can be mended as well. `steps` has the names and places (from 0) on the way of `field`, if they are known:
    a name can have dots of its own.
    """

    what: str
    right: str = ""
    field: str = ""
    line: int | None = None
    file: str = ""
    place: str = dataclasses.field(default="", compare=False, repr=False)
    other: OtherEnd | None = dataclasses.field(default=None, compare=False, repr=False)
    steps: tuple[str | int, ...] = dataclasses.field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.what) > LONGEST_WHAT_CHARS:
            object.__setattr__(self, "what", _LONG_QUOTE.sub(r"\1\2…\1", self.what))

    @property
    def told(self) -> str:
        """The problem in the words of a form, if its place there is known."""
        text = f"{self.what}; {self.right}" if self.right else self.what
        return f"{self.place}: {text}" if self.place else str(self)

    def inside(self, field: str) -> Problem:
        """Return the same problem seen from one level further out."""
        if not self.field:
            return replace(self, field=field, steps=())
        joint = "" if self.field.startswith("[") else "."
        return replace(self, field=f"{field}{joint}{self.field}", steps=())

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        head = ": ".join(part for part in (place, self.field) if part)
        text = f"{self.what}; {self.right}" if self.right else self.what
        return f"{head}: {text}" if head else text


class DoubtInWords(str):
    """What is doubtful, in words: can be played, but may not be meant. `problem` says where it stands."""

    __slots__ = ("problem",)
    problem: Problem

    def __new__(cls, problem: Problem) -> DoubtInWords:
        """Return the words of a problem."""
        made = super().__new__(cls, str(problem))
        made.problem = problem
        return made

    def __getnewargs__(self) -> tuple[Problem]:  # type: ignore[override]
        return (self.problem,)


class Refusal(StrEnum):
    """Why a command or an answer was refused. The code is stable; the sentence may change."""

    BAD_DATA = "bad-data"
    BAD_ANSWER = "bad-answer"
    NOT_YOURS = "not-yours"
    NOT_ASKED = "not-asked"
    STALE = "stale"
    LOCKED = "locked"
    BROKEN_LOG = "broken-log"
    NO_SUCH = "no-such"
    NEEDS_CONSENT = "needs-consent"
    OVER = "over"
    TOO_OFTEN = "too-often"
    NOT_INSTALLED = "not-installed"


class LaagerError(Exception):
    """Base of everything that Laager refuses. `code` names the cause; a DataError carries `problems`."""

    code: Refusal = Refusal.BAD_DATA
    problems: tuple[Problem, ...] = ()
    heading: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickle would call the class with the sentence alone.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[LaagerError], args: tuple[Any, ...], parts: dict[str, Any]) -> LaagerError:
    made = kind.__new__(kind, *args)
    made.__dict__.update(parts)
    return made


class RefusedError(LaagerError):
    """A command that cannot be carried out; nothing has changed. `right` says what would work."""

    def __init__(self, code: Refusal, text: str, right: str = "") -> None:
        self.problem = Problem(text, right)
        super().__init__(str(self.problem))
        self.code = code

    def at(self, field: str) -> Problem:
        """Return it as a problem of a field of an input."""
        return replace(self.problem, field=field)


class WrongValueError(ValueError):
    """A value that a validator of a model refuses. `problem` says what is wrong and what would be right.

    A contradiction inside of the value stands `at` a place in it, its `other` end at another (as steps from the value).
    """

    def __init__(
        self, text: str, right: str = "", at: tuple[str | int, ...] = (), other: tuple[str | int, ...] | None = None
    ) -> None:
        self.problem = Problem(text, right)
        self.at, self.other = at, other
        super().__init__(str(self.problem))


class DataError(LaagerError):
    """An input with problems, all of them in `problems`; nothing was changed."""

    def __init__(self, problems: Iterable[Problem], code: Refusal = Refusal.BAD_DATA, heading: str = "") -> None:
        self.problems = tuple(problems)
        self.heading = heading
        self.code = code
        super().__init__("\n".join([heading] * bool(heading) + [str(p) for p in self.problems]))


def read_each(items: Iterable[A], read: Callable[[A], B]) -> tuple[list[B], list[Problem]]:
    """Read everything; return what can be read, and what is wrong with the rest."""
    values, problems = list[B](), list[Problem]()
    for item in items:
        try:
            values.append(read(item))
        except DataError as err:
            problems += err.problems
    return values, problems


def read_all(items: Iterable[A], read: Callable[[A], B]) -> list[B]:
    """Read everything. Raises DataError with what is wrong with all that can't be read."""
    values, problems = read_each(items, read)
    if problems:
        raise DataError(problems)
    return values


LONGEST = 200
"""Letters of a word that are compared with known words."""


def did_you_mean(word: object, known: Iterable[object], lead: str = "one of") -> str:
    """Return advice for an unknown word: the nearest known ones, otherwise all of them."""
    # Comparing takes the square of their lengths: the beginnings say enough.
    names = list(dict.fromkeys(str(name)[:LONGEST] or '""' for name in known))
    # A word that differs in case alone needs no guess; else case counts for nothing.
    typed, folded = str(word)[:LONGEST].casefold(), {name: name.casefold() for name in names}
    close = [name for name in names if folded[name] == typed][:2]
    if not close:
        near = difflib.get_close_matches(typed, list(dict.fromkeys(folded.values())), n=2, cutoff=0.6)
        close = [name for match in near for name in names if folded[name] == match][:2]
    if close:
        return f"did you mean {close[0]}?" if len(close) == 1 else f"did you mean {close[0]} or {close[1]}?"
    if not names:
        return "there are none to choose from"
    shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    return f"{lead} {shown}"


def find_named(known: Mapping[str, T], name: str, text: str, among: str = "one of") -> T:
    """Return a thing by its name. Raises RefusedError for an unknown one: `what`, and names that are near."""
    if name not in known:
        raise RefusedError(Refusal.NO_SUCH, text, did_you_mean(name, known, among))
    return known[name]
