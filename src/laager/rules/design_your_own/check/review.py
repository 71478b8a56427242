"""A check under way: the order of battle with the prices of the rules, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from laager.base import RefusedError
from laager.base.files import FilePart, Where, field_path
from laager.catalogue.dyo import DyoNation, Month
from laager.rules.design_your_own.answers import Breach, Calculation, Missing, Reason
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.infantry import InfantryLine, rule_lines
from laager.rules.design_your_own.ob import Dr, OrderOfBattle

T = TypeVar("T")
P = TypeVar("P", bound=FilePart)


@dataclass(frozen=True)
class Found:
    """A breach and its place in the order of battle, as `infantry[2].number`."""

    where: Where
    breach: Breach

    @property
    def judged(self) -> bool:
        """True if a rule is broken; False if a value is missing, so that nobody can say."""
        return self.breach.reason is not Reason.UNKNOWN

    def __str__(self) -> str:
        return str(self.breach.problem(field_path(self.where)))


@dataclass
class Review:
    """A check under way: the purchase's context, the side, and all that was found so far.

    `cg.state` has the order of battle with the prices of the rules, without the lines that the
    catalogue doesn't know; `places` say which lines of the file those are. `facing`: the other
    side's order of battle is known too. `bought` is the purchase with the counters that the side
    could count on while it bought: of a nation that both sides have, those are fewer.
    """

    cg: Cg
    side: str
    facing: bool = False
    bought: Cg | None = None
    found: list[Found] = field(default_factory=list)
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def ob(self) -> OrderOfBattle:
        """The order of battle, as far as the catalogue knows it."""
        return self.cg.ob(self.side)

    @cached_property
    def nation(self) -> DyoNation:
        """The side's nation."""
        return self.cg.nation(self.side)

    @cached_property
    def month(self) -> Month:
        """The current month."""
        return self.cg.month

    @cached_property
    def lines(self) -> tuple[InfantryLine, ...]:
        """The Infantry as the rules see it; for use once it is in the review."""
        return rule_lines(self.nation, self.month, self.ob.infantry)

    def add(self, where: Where, *breaches: Breach | Missing | None) -> None:
        """Note what is wrong at a place, and what can't be checked there."""
        for breach in breaches:
            if isinstance(breach, Breach):
                self.found.append(Found(where, breach))
            elif breach is not None:
                self.found.append(Found(where, breach.breach()))

    def broken(self, where: Where, reason: Reason, rule: str, message: str, right: str) -> None:
        """Note a broken rule."""
        self.add(where, Breach(reason, rule, message, right))

    def missing(self, where: Where, name: str, rule: str) -> None:
        """Note a value that the catalogue lacks."""
        self.add(where, Missing(name, rule))

    def look_up(self, where: Where, rule: str, find: Callable[[str], T], name: str) -> T | None:
        """Return a piece of the catalogue by its name; note that the catalogue doesn't have it."""
        try:
            return find(name)
        except RefusedError as err:
            self.broken(where, Reason.NATION, rule, str(err), "take another, or add it to the catalogue")
            return None

    def with_prices(self, where: Where, entry: P, right: P, rule: str, **why: str) -> P:
        """Return an entry with the prices of the rules; note each that the file has otherwise.

        `why` names the prices and says how they came about. A price can be left out.
        """
        for name, reason in why.items():
            given = getattr(entry, name)
            if name in entry.model_fields_set and given != getattr(right, name):
                self.broken((*where, name), Reason.PRICE, rule, f"{name} is {given}", reason)
        return right

    def keep_known(self, section: str, entries: Iterable[P], line: Callable[[Where, P], P | None]) -> tuple[P, ...]:
        """Return the lines that the catalogue knows as `line` has them; note where they stand in the file."""
        made = {i: line(self.at(section, i), entry) for i, entry in enumerate(entries)}
        lines = {i: kept_line for i, kept_line in made.items() if kept_line is not None}
        self.places[section] = tuple(lines)
        return tuple(lines.values())

    def at(self, section: str, place: int, *more: str) -> Where:
        """Return where a line of the order of battle stands in the file."""
        outer: Where = ("ordnance", "guns") if section == "guns" else (section,)
        if section == "vehicles":
            outer = ("vehicles", "entries")
        known = self.places.get(section)
        return (*outer, known[place] if known else place, *more)


def explain(number: Calculation) -> str:
    """Return what a number should be, with how it came about if it has parts."""
    return number.why if len(number.parts) > 1 else str(number.value)


def twice(names: Iterable[str]) -> list[str]:
    """Return the names that come more than once, each once."""
    every = list(names)
    return [name for name in dict.fromkeys(every) if every.count(name) > 1]


def same_letter(review: Review, where: Where, noun: str, letters: str, rule: str = "DYO H1.21") -> None:
    """Note two of something with the same identity letter."""
    right = "a letter of its own for each"
    review.broken(where, Reason.IDENTITY, rule, f"two {noun} have the letter {letters}", right)


def within(review: Review, where: Where, names: Collection[str], allowed: Collection[str]) -> None:
    """Note the names that are not among those allowed."""
    for name in names:
        if name not in allowed:
            right = ", ".join(allowed) or "nothing"
            review.broken(where, Reason.CAPABILITY, "DYO H1.21", f"{name!r} is not a capability", right)


@dataclass(frozen=True)
class Thrown:
    """What dice a DR or dr is made of, for whom it is made, and by which rule."""

    dice: int
    rule: str
    drm: int | None = 0
    """What is added to it; None where the players supply a part of it."""
    table: str = ""
    """The table that it is made on; modifiers that a house adds to it are supplied by the players."""


def check_dr(review: Review, where: Where, dr: Dr | None, thrown: Thrown) -> bool:
    """Note dice that can't be right; return True if the roll can be used."""
    if dr is None:
        return False
    before = len(review.found)
    added = thrown.table and any(modifier.asked for modifier in review.cg.tables[thrown.table].modifiers)
    drm = None if added else thrown.drm
    name = "DR" if thrown.dice == 2 else "dr"
    if dr.faces:
        if len(dr.faces) != thrown.dice or not all(1 <= face <= 6 for face in dr.faces):
            message = f"{', '.join(map(str, dr.faces))} is not a {name}"
            right = f"{thrown.dice} dice of 1 to 6"
            review.broken((*where, "faces"), Reason.DICE, thrown.rule, message, right)
        elif drm is not None and dr.final != sum(dr.faces) + drm:
            right = f"{sum(dr.faces) + drm}: {' + '.join(map(str, dr.faces))}"
            right += f" {drm:+d}" if drm else ""
            message = f"the Final {name} is {dr.final}"
            review.broken((*where, "final"), Reason.DICE, thrown.rule, message, right)
    elif drm is not None and not thrown.dice + drm <= dr.final <= 6 * thrown.dice + drm:
        right = f"{thrown.dice + drm} to {6 * thrown.dice + drm}"
        review.broken((*where, "final"), Reason.DICE, thrown.rule, f"no {name} comes to {dr.final}", right)
    return len(review.found) == before
