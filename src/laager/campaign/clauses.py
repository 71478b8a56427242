"""The rules index: an entry for every clause of a rule system, and what carries each clause out.

Entries are data (`rules-index/1`), one file per chapter in the ruleset's folder `index`, in the
order of the file names. Code names the clauses that it carries out with `implements`, steps with
their `clause` and `also`; `coverage` holds the two against each other. All values are immutable.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType, ModuleType
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, ValidationError, field_validator, model_validator

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, FilePart, parse_document, problems_of
from laager.campaign.steps import Step

FOLDER = "index"

T = TypeVar("T")
Text = Annotated[str, Field(min_length=1)]


class Handling(StrEnum):
    """What Laager does about a clause."""

    COMPUTED = "computed"
    """It carries the clause out by itself."""
    ASKED = "asked"
    """It asks the players for what only they know, and does the rest."""
    REMINDED = "reminded"
    """It shows the clause when it matters; the players do it."""


class Moment(StrEnum):
    """When a clause is shown to the players."""

    CREATION = "creation"
    WEATHER = "weather"
    PURCHASE = "purchase"
    SETUP = "setup"
    NIGHT = "night"
    PATROL = "patrol"
    REDEPLOYMENT = "redeployment"
    PLAY = "play"
    END_OF_PLAY = "end-of-play"
    CC = "cc"
    REPAIRS = "repairs"
    ALWAYS = "always"


class Switch(StrEnum):
    """What a house may do with a clause, besides changing its tables and figures."""

    OFF = "off"
    """Leave it out, or leave it to the players: nothing that follows needs it."""
    AGREE = "agree"
    """Leave it to the players, but not out: what follows needs its outcome."""
    NO = "no"
    """Neither."""


class Clause(FilePart):
    """An entry of the index: the clause in our own words, and how it is handled."""

    id: Text
    title: Text
    text: Text
    handling: Handling
    table: str | None = Field(None, description="the table that the clause is about")
    other_tables: tuple[Text, ...] = Field((), description="further tables that it uses")
    chart: str | None = Field(None, description="the chart that the clause is about")
    readings: tuple[Text, ...] = Field((), description="where groups read the clause differently")
    remind: tuple[Moment, ...] = Field((), description="the moments at which it is shown")
    see: tuple[Text, ...] = Field((), description="related clauses")
    house: Switch | None = Field(
        None, description="what a house may do with it; left out: what is only shown at some moment may be left out"
    )

    steps: tuple[Text, ...] = Field(
        (), description="the steps that a house leaves out with it; else those of the clause"
    )

    @property
    def switch(self) -> Switch:
        """What a house may do with the clause, besides changing its tables and figures."""
        if self.house is not None:
            return self.house
        # What is only a definition, or said at all times, can't be left out.
        at_times = set(self.remind) - {Moment.ALWAYS, Moment.CREATION}
        return Switch.OFF if self.handling is Handling.REMINDED and at_times else Switch.NO

    @property
    def heading(self) -> str:
        """The title for a line that begins with the id; "" where the id ends with it."""
        return "" if self.id.endswith(f" {self.title}") else self.title

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table that the clause uses, its own first."""
        return (*((self.table,) if self.table else ()), *self.other_tables)

    @model_validator(mode="after")
    def _check_reminder(self) -> Clause:
        if self.handling is Handling.REMINDED and not self.remind:
            moments = ", ".join(Moment)
            raise ValueError(f"{self.id} is reminded but never shown; add remind: [{moments}]")
        return self


class IndexFile(FilePart):
    """A file of the index: one chapter."""

    laager: Literal["rules-index/1"]
    ruleset: Text
    chapter: Text
    clauses: tuple[Clause, ...]

    @field_validator("clauses", mode="before")
    @classmethod
    def _check_filled(cls, value: Any) -> Any:
        # Pydantic's own check of the length would also complain of a list whose items are wrong.
        if value == []:
            raise ValueError("is empty; a chapter has a clause at least")
        return value


@dataclass(frozen=True, eq=False)
class RulesIndex(Mapping[str, Clause]):
    """The clauses of a rule system by id, in the order of its rulebook; `chapters` groups them."""

    chapters: Mapping[str, tuple[Clause, ...]]
    _clauses: Mapping[str, Clause] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "chapters", MappingProxyType(dict(self.chapters)))
        clauses = {clause.id: clause for group in self.chapters.values() for clause in group}
        object.__setattr__(self, "_clauses", MappingProxyType(clauses))

    def __getitem__(self, id: str) -> Clause:  # noqa: A002
        return self._clauses[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._clauses)

    def __len__(self) -> int:
        return len(self._clauses)

    @staticmethod
    def load_packaged(package: str) -> RulesIndex:
        """Return the index of a ruleset's package. Raises DataError with every problem."""
        return _load_packaged(package)

    @staticmethod
    def of(documents: Sequence[Document]) -> RulesIndex:
        """Return the index of these chapters, in order. Raises DataError with every problem."""
        chapters: dict[str, tuple[Clause, ...]] = {}
        problems: list[Problem] = []
        for document in documents:
            try:
                file = IndexFile.model_validate(document.data)
            except ValidationError as err:
                problems += problems_of(err, document, IndexFile)
                continue
            if file.chapter in chapters:
                wrong = f"there is a chapter “{file.chapter}” in another file"
                problems.append(document.problem(("chapter",), wrong, "give it another title"))
            chapters[file.chapter] = file.clauses
        problems += _between(documents)
        if problems:
            raise DataError(problems)
        return RulesIndex(chapters)

    def clause(self, id: str) -> Clause:  # noqa: A002
        """Return a clause. Raises RefusedError, with advice, for an unknown id."""
        if id in self._clauses:
            return self._clauses[id]
        advice = did_you_mean(id, self._clauses)
        raise RefusedError(Refusal.NO_SUCH, f"the index has no clause “{id}”", advice)

    def chapter_of(self, id: str) -> str:  # noqa: A002
        """Return the title of the chapter in which a clause stands. Raises RefusedError."""
        clause = self.clause(id)
        return next(title for title, group in self.chapters.items() if clause in group)

    def search(self, text: str) -> tuple[Clause, ...]:
        """Return the clauses with all these words, those with them in id or title first."""
        words = text.casefold().split()
        if not words:
            return ()
        heads, bodies = [], []
        for clause in self._clauses.values():
            head = f"{clause.id} {clause.title}".casefold()
            if all(word in head for word in words):
                heads.append(clause)
            elif all(word in f"{head} {clause.text.casefold()}" for word in words):
                bodies.append(clause)
        # Somebody who types a whole id wants that clause, not those that begin alike.
        heads.sort(key=lambda clause: clause.id.casefold() != " ".join(words))
        return (*heads, *bodies)

    def reminders(self, moment: Moment | str) -> tuple[Clause, ...]:
        """Return the clauses to be shown at a moment, those that are always shown included."""
        now = {Moment(moment), Moment.ALWAYS}
        return tuple(clause for clause in self._clauses.values() if now & set(clause.remind))


@cache
def _load_packaged(package: str) -> RulesIndex:
    # Kept: the values are immutable, and the pages that show clauses ask for them again and again.
    try:
        folder = files(package).joinpath(FOLDER)
        names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".yaml"))
    except (ModuleNotFoundError, FileNotFoundError, NotADirectoryError):
        names = []
    if not names:
        wrong = f"package {package} has no rules index"
        raise DataError([Problem(wrong, f"it belongs in its folder {FOLDER}", file=package)])
    texts = {name: folder.joinpath(name).read_text(encoding="utf-8") for name in names}
    return RulesIndex.of([parse_document(text, name) for name, text in texts.items()])


def _between(documents: Sequence[Document]) -> Iterator[Problem]:
    """Yield the problems that take several entries or files to see."""
    homes: dict[str, str] = {}
    for document, where, entry in _entries(documents):
        id_ = entry.get("id")
        if not isinstance(id_, str):
            continue
        here = (*where, "id")
        if id_ in homes:
            wrong = f"there is a clause {id_} already, at {homes[id_]}"
            yield document.problem(here, wrong, "give one of them another id")
        homes.setdefault(id_, f"{document.name}:{document.line(here)}")
        prefix = str(document.data.get("ruleset", "")).upper()
        # A module may write itself with small letters too: “ABtF 9.2”.
        if not id_.upper().startswith(f"{prefix} "):
            yield document.problem(here, f"“{id_}” is not a clause of {prefix}", f"{prefix} 1.23")
    for document, where, entry in _entries(documents):
        named = entry.get("see")
        for position, target in enumerate(named if isinstance(named, list) else ()):
            if isinstance(target, str) and target not in homes:
                wrong = f"the index has no clause “{target}”"
                here = (*where, "see", position)
                yield document.problem(here, wrong, did_you_mean(target, homes))


Located = tuple[Document, tuple[str | int, ...], dict[str, Any]]


def _entries(documents: Iterable[Document]) -> Iterator[Located]:
    for document in documents:
        clauses = document.data.get("clauses") if isinstance(document.data, dict) else None
        for position, entry in enumerate(clauses if isinstance(clauses, list) else ()):
            if isinstance(entry, dict):
                yield document, ("clauses", position), entry


# What carries clauses out ---------------------------------------------------------------------


def implements(*clauses: str) -> Callable[[T], T]:
    """Name the clauses that a function, class or step carries out; they add to those it has."""
    if not clauses:
        raise ValueError("implements() names no clause; write implements('PL 3.47')")

    def mark(thing: T) -> T:
        if isinstance(thing, Step):
            return replace(thing, also=(*thing.also, *clauses))
        # A class does not carry out what its base class does: ask it, not its bases.
        own = vars(thing).get("__clauses__", ())
        thing.__clauses__ = tuple(dict.fromkeys((*clauses, *own)))  # type: ignore[attr-defined]
        return thing

    return mark


@cache
def implementers(package: str) -> Mapping[str, tuple[str, ...]]:
    """Return by clause what carries it out, as `module:name`, in stated order.

    Looks through the package and through the one that it is based on, if its `BASED_ON` names one, and
    imports every module of both. Raises ImportError if one cannot be imported.
    """
    names: dict[str, set[str]] = {}
    base = getattr(importlib.import_module(package), "BASED_ON", None)
    for module in (module for name in (package, base) if name for module in _modules(name)):
        for name, thing in _things(vars(module), module.__name__):
            for clause in _clauses_of(thing):
                names.setdefault(clause, set()).add(name)
    return MappingProxyType({clause: tuple(sorted(by)) for clause, by in sorted(names.items())})


def _modules(package: str) -> Iterator[ModuleType]:
    # Not pkgutil.walk_packages: that passes over modules that cannot be imported.
    module = importlib.import_module(package)
    yield module
    for info in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{package}."):
        yield from _modules(info.name)


def _things(members: Mapping[str, Any], module: str, within: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what a module or class defines itself, as `module:name`; imported things are not its.

    A step stands for the function that it runs, which can be one of another package.
    """
    # A copy: looking at some members makes their class fill in others.
    for name, member in tuple(members.items()):
        if isinstance(member, Step):
            if "<locals>" not in member.run.__qualname__:
                yield f"{member.run.__module__}:{member.run.__qualname__}", member
            continue
        thing = unwrap(member)
        if getattr(thing, "__module__", None) != module or not hasattr(thing, "__qualname__"):
            continue
        yield f"{module}:{thing.__qualname__}", thing
        # Only where it was defined: under another name a class may hold what holds it.
        if isinstance(thing, type) and thing.__qualname__ == within + name:
            yield from _things(vars(thing), module, f"{within}{name}.")


def unwrap(member: Any) -> Any:
    """Return the function inside a property, cached property, class or static method."""
    for name in ("fget", "func", "__func__"):
        inner = getattr(member, name, None)
        if callable(inner):
            return inner
    return member


def _clauses_of(thing: Any) -> tuple[str, ...]:
    if isinstance(thing, Step):
        return (*thing.__clauses__, *_clauses_of(thing.run))
    own: tuple[str, ...] = vars(thing).get("__clauses__", ())
    return own


@dataclass(frozen=True)
class Coverage:
    """A clause and what carries it out: code, and the moments at which it is shown."""

    clause: str
    handling: Handling
    by: tuple[str, ...]

    @property
    def covered(self) -> bool:
        """True if anything does."""
        return bool(self.by)


def coverage(index: RulesIndex, package: str) -> tuple[Coverage, ...]:
    """Return for every clause of the index what carries it out in a package.

    Being shown is enough for a clause that is only reminded; the others need code.
    """
    code = implementers(package)
    rows = []
    for clause in index.values():
        by = code.get(clause.id, ())
        if clause.handling is Handling.REMINDED:
            by += tuple(f"shown: {moment}" for moment in clause.remind)
        rows.append(Coverage(clause.id, clause.handling, by))
    return tuple(rows)


def unknown_clauses(index: RulesIndex, package: str) -> Mapping[str, tuple[str, ...]]:
    """Return the clauses of this system that code names but the index does not have, and the code that names them."""
    systems = {_system(clause) for clause in index}
    code = implementers(package)
    return {clause: by for clause, by in code.items() if clause not in index and _system(clause) in systems}


def _system(clause: str) -> str:
    return clause.partition(" ")[0]
