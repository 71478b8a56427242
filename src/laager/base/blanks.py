"""Blanks: places in a file that its owner still has to fill in.

A blank is a text that begins with `<fill in>` and says what belongs there and where to look. It can stand
for a value, for a name in a mapping, or for further items of a list. A file with blanks can be checked as
far as it is filled in, but nothing can be begun with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from laager.base.files import Document, Where, field_path
from laager.base.gaps import without_stand_ins
from laager.base.problems import DataError, OtherEnd, Problem
from laager.base.schema_words import BLANK

T = TypeVar("T")

MARK = BLANK
SHOWN = 12
"""Most blanks that are listed when something can't begin because of them."""


@dataclass(frozen=True)
class Blank:
    """A blank: what belongs there, and where it stands in its file; `in_list` if it stands for further items."""

    text: str
    problem: Problem
    where: Where
    in_list: bool = False


class BlanksError(DataError):
    """Files that are right as far as they are filled in, with all their `blanks` and with `warnings`."""

    def __init__(self, blanks: Sequence[Blank], warnings: Sequence[str] = ()) -> None:
        self.blanks = tuple(blanks)
        self.warnings = tuple(warnings)
        problems = [blank.problem for blank in blanks[:SHOWN]]
        if len(blanks) > SHOWN:
            problems.append(Problem(f"and {len(blanks) - SHOWN} more", "laager check lists all of them"))
        super().__init__(problems, heading=f"{self.told}. Fill them in before you begin:")

    @property
    def told(self) -> str:
        """How many blanks are left, and in which file."""
        return count_in_words(self.blanks)


def count_in_words(blanks: Sequence[Blank]) -> str:
    """Return in words how many blanks are left, and in which file."""
    files = Counter(blank.problem.file for blank in blanks)
    where = ", ".join(f"{count} in {file}" for file, count in files.items())
    if len(blanks) == 1:
        return f"1 blank is left: {where}"
    return f"{len(blanks)} blanks are left: {where}"


def is_blank(value: object) -> bool:
    """True if a value is a blank."""
    return isinstance(value, str) and value.startswith(MARK)


def meaning(value: str) -> str:
    """Return what belongs in a blank."""
    return value.removeprefix(MARK).strip() or "whatever belongs here"


# Taking blanks out --------------------------------------------------------------------------------


def without_blanks(document: Document, whole_rows: bool = False) -> tuple[Document, tuple[Blank, ...]]:
    """Return a document without its blanks, and the blanks.

    With `whole_rows` the items of lists go that have a blank in them: the others can be checked.
    """
    stripping = _Stripping(document, whole_rows)
    data = stripping.strip(document.data, (), ())
    if not stripping.blanks:
        return document, ()
    made = Document(data, document.name, stripping.lines, stripping.moved, frozenset(stripping.gaps))
    return made, tuple(stripping.blanks)


@dataclass
class _Stripping:
    document: Document
    whole_rows: bool
    lines: dict[Where, int] = field(default_factory=dict)
    moved: dict[Where, Where] = field(default_factory=dict)
    blanks: list[Blank] = field(default_factory=list)
    gaps: set[Where] = field(default_factory=set)

    def strip(self, value: Any, was: Where, now: Where) -> Any:
        """Return a value without its blanks; it stood at `was` and stands at `now`."""
        if was in self.document.lines:
            self.lines[now] = self.document.lines[was]
        if was != now:
            self.moved[now] = was
        if isinstance(value, Mapping):
            return self._mapping(value, was, now)
        if isinstance(value, list):
            return self._list(value, was, now)
        return value

    def _mapping(self, value: Mapping[Any, Any], was: Where, now: Where) -> dict[Any, Any]:
        kept = {}
        for key, item in value.items():
            if is_blank(key):
                self._blank(key, (*was, key), in_list=True)
            elif is_blank(item):
                self._blank(item, (*was, key))
                self.gaps.add((*now, key))
            else:
                kept[key] = self.strip(item, (*was, key), (*now, key))
        return kept

    def _list(self, value: list[Any], was: Where, now: Where) -> list[Any]:
        kept: list[Any] = []
        for i, item in enumerate(value):
            if is_blank(item):
                self._blank(item, (*was, i), in_list=True)
                self.gaps.add(now)
                continue
            before = len(self.blanks)
            made = self.strip(item, (*was, i), (*now, len(kept)))
            if not self.whole_rows or len(self.blanks) == before:
                kept.append(made)
        return kept

    def _blank(self, text: str, where: Where, in_list: bool = False) -> None:
        place = where[:-1] if in_list else where
        problem = Problem(
            f"fill in {meaning(text)}",
            "",
            field_path(place),
            self.document.line(where),
            self.document.name,
            steps=place,
        )
        self.blanks.append(Blank(meaning(text), problem, where, in_list))


# Reading what has blanks --------------------------------------------------------------------------


def real(problems: Iterable[Problem], blanks: Sequence[Blank]) -> list[Problem]:
    """Return the problems that don't come of blanks, each once.

    What a part says of itself as a whole counts only once the part has no blank, and a name that stands nowhere yet
    may be in a blank.
    """
    places = {(blank.problem.file, blank.problem.field) for blank in blanks}
    places |= {(blank.problem.file, field_path(blank.where[:-1])) for blank in blanks if not blank.in_list}
    inside = {(blank.problem.file, blank.problem.field) for blank in blanks if not blank.in_list}
    return [
        problem
        for problem in without_stand_ins(list(dict.fromkeys(problems)))
        if (problem.file, problem.field) not in places
        and not any(
            problem.file == file and problem.field.startswith((f"{name}.", f"{name}[")) for file, name in inside
        )
        and not any(_may_be_in(blank, problem.other) for blank in blanks)
    ]


def _may_be_in(blank: Blank, other: OtherEnd | None) -> bool:
    """True if what a contradiction misses at its other end may be what a blank there stands for."""
    if other is None or other.file != blank.problem.file:
        return False
    holders = [blank.where[:-1]] if blank.in_list else [blank.where]
    if blank.where[-1] == "id":
        holders.append(blank.where[:-2])
    return other.field in map(field_path, holders)


def reading(document: Document, read: Callable[[Document], T]) -> T:
    """Return what `read` makes of a document.

    Raises BlanksError if only blanks are in the way, DataError for anything that is wrong besides.
    """
    filled, blanks = without_blanks(document)
    if not blanks:
        return read(document)
    # First all there is. If it can't be read only because of blanks, then the rows without any: those can be checked.
    for form in (filled, without_blanks(document, whole_rows=True)[0]):
        try:
            read(form)
        except DataError as err:
            if real(err.problems, blanks):
                raise DataError(real(err.problems, blanks)) from None
        else:
            break
    raise BlanksError(blanks)
