"""A side's fortifications as a shop: what it wants built, the checks that all campaigns share, what follows.

`WorkShop` does what all campaigns do alike; a rule system fills in its hooks. Places are chosen at setup.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from laager.base import Problem
from laager.campaign import (
    Fact,
    Field,
    Procedure,
    Question,
    Record,
    Rows,
    SecretQuestion,
    ShopLine,
    Total,
    Ware,
    ask,
    each_row,
)
from laager.campaign.temperament import Temperament, sensible
from laager.rules.board.buying.shop import cost_problems, new_problem
from laager.rules.board.context import CardContext
from laager.rules.board.facts import SideNumber
from laager.rules.board.numbering import forts_of, join_fort
from laager.rules.board.places import Fault
from laager.rules.board.setup.forts import DC
from laager.rules.board.setup.hiding import HIP, QUESTION_MARK, SET_DC
from laager.rules.board.units import Unit, fort_words

ALLOWANCES = frozenset({HIP, QUESTION_MARK})
"""What has no place of its own: recorded as one entry with a count."""

SQUAD, HALF_SQUAD = "squad", "half-squad"


@dataclass(frozen=True)
class HipCap:
    """How many squads can use HIP, out of a number of half-squads. `halves`: half-squads count as half."""

    squads: int
    of: int
    halves: bool = True
    note: str = ""

    def count_half_squads(self, counts: Mapping[str, int]) -> int:
        """Return the half-squads that count, of the units counted by kind."""
        return 2 * counts.get(SQUAD, 0) + (counts.get(HALF_SQUAD, 0) if self.halves else 0)

    @property
    def words(self) -> str:
        """The cap as players say it."""
        return f"{self.squads} of {self.of / 2:g}{self.note}"


@dataclass(frozen=True)
class AnyWork:
    """A number of equal fortifications that a side wants: a row of the chart, with its size or what hides by HIP."""

    kind: str
    size: str = ""
    count: int = 1

    @property
    def name(self) -> str:
        """What players call one."""
        return f"{self.kind} {self.size}".rstrip()


WorkT = TypeVar("WorkT", bound=AnyWork)


class WorkShop(ABC, Generic[WorkT]):
    """What one side can build now, in secret."""

    points: ClassVar[str]
    """What it pays with: FP, FPP."""
    changed: ClassVar[type[SideNumber]]
    """The fact that it gained or spent points."""
    rule: ClassVar[str] = ""
    dc_words: ClassVar[str] = "for it"
    """Where a DC has to be that can be Set, in words."""

    def __init__(self, cg: CardContext, side: str) -> None:
        self.cg, self.side = cg, side

    def carry_out(self) -> Procedure[None]:
        """Ask for all fortifications of the side, and let them join."""
        answer = yield from ask(self.question())
        yield from self.exchange_points(answer)
        works = self.works(answer)
        for work in works:
            yield from self.build(work)
        if spent := self.cost(works):
            why = f"fortifications: {spent} {self.points}"
            yield self.changed(side=self.side, by=-spent, why=why, to=(self.side,))

    # Hooks ----------------------------------------------------------------------------------------

    @abstractmethod
    def work(self, row: Mapping[str, Any]) -> WorkT:
        """Return the work that a row of an answer describes."""

    @abstractmethod
    def price(self, work: WorkT) -> int:
        """Return the points for one of a work; 0 if it has no price."""

    @abstractmethod
    def points_held(self, answer: Mapping[str, Any]) -> int:
        """Return the points that the side has with an answer."""

    @abstractmethod
    def held_words(self) -> str:
        """Return what the side has to spend, in words."""

    @abstractmethod
    def row(self) -> Record:
        """Return the form of a row of the answer."""

    @abstractmethod
    def goods(self) -> Iterator[tuple[str, Mapping[str, Any], str]]:
        """Yield what the shop has: a name, what a row of the answer holds for it, its price in words where it varies.

        Nothing where the owner enters everything.
        """

    @abstractmethod
    def help(self) -> str:
        """Return the help of the question."""

    @abstractmethod
    def row_faults(self, work: WorkT) -> Iterator[Fault]:
        """Yield what the rules have against a work by itself."""

    @abstractmethod
    def more_problems(self, answer: Mapping[str, Any], works: Sequence[WorkT]) -> Iterator[Problem]:
        """Yield what the rule system has against an answer as a whole."""

    @abstractmethod
    def hip_cap(self) -> HipCap | None:
        """Return how many squads can use HIP now; None: as many as it pays for."""

    @abstractmethod
    def can_set(self, dc: Unit) -> bool:
        """True if a DC can be Set."""

    @abstractmethod
    def suggest(self, rng: Random) -> dict[str, Any]:
        """Return a legal answer by chance, for automatic play."""

    @abstractmethod
    def judge(self, temper: Temperament) -> dict[str, Any]:
        """Return what somebody of a temperament builds."""

    @abstractmethod
    def irrevocable(self, answer: Mapping[str, Any]) -> str:
        """Say what an answer loses or leaves for good; "" if nothing."""

    def more_fields(self) -> Iterator[Field]:
        """Yield the fields of the question before the works."""
        yield from ()

    def held_note(self, answer: Mapping[str, Any]) -> str:
        """Return what to say behind the points that the side has with an answer."""
        return ""

    def more_totals(self, answer: Mapping[str, Any]) -> Iterator[Total]:
        """Yield what an answer uses besides points."""
        yield from ()

    def carried_hip(self) -> int:
        """Return the half-squads hidden since an earlier battle that count against the limit of HIP."""
        return 0

    def exchange_points(self, answer: Mapping[str, Any]) -> Iterator[Fact]:
        """Turn other points into those that fortifications cost."""
        yield from ()

    def entry(self, work: WorkT) -> dict[str, Any]:
        """Return the fields of the entries that a work makes on the record."""
        return {"kind": work.kind, "size": work.size}

    # The question ---------------------------------------------------------------------------------

    def question(self) -> Question:
        """Return the question for all fortifications of the side."""
        form = Record.of(*self.more_fields(), Field("works", Rows(self.row(), most=100), "Fortifications", []))
        return SecretQuestion(
            "fortifications",
            self.side,
            f"Which fortifications do you buy? You have {self.held_words()}.",
            form,
            self.rule,
            help=self.help(),
            check=self.problems,
            suggest=self.suggest,
            default=self.cg.later(lambda cg: type(self)(cg, self.side).judge(sensible())),
            judge=self.judge,
            totals=self.totals,
            irrevocable=self.irrevocable,
            offers=self.offers,
        )

    def offers(self, answer: Mapping[str, Any]) -> Sequence[ShopLine]:
        """Return each line of the shop, with why one more can't be bought on top of an answer."""
        now = self.problems(answer)
        return tuple(self._offer(name, row, price, answer, now) for name, row, price in self.goods())

    def _offer(
        self, name: str, row: Mapping[str, Any], price: str, answer: Mapping[str, Any], now: Sequence[Problem]
    ) -> ShopLine:
        line = self.row().parse({**row, "count": 1})
        more = self.problems({**answer, "works": [*answer["works"], line]})
        why_not = new_problem(now, more)
        work = self.work(line)
        ware = Ware(row, "", price or f"{self.price(work)} {self.points}", why_not)
        barred = "" if any(problem.field == "" for problem in more) else why_not
        looks = (("fort", work.kind, work.size),)
        return ShopLine(name, name, why_not, name, (ware,), barred=barred, looks=looks)

    def works(self, answer: Mapping[str, Any]) -> list[WorkT]:
        """Return the works that an answer describes."""
        return [self.work(row) for row in answer["works"]]

    def cost(self, works: Sequence[WorkT]) -> int:
        """Return the points that works cost together."""
        return sum(self.price(work) * work.count for work in works)

    def totals(self, answer: Mapping[str, Any]) -> tuple[Total, ...]:
        """Return what an answer uses."""
        each = each_row("works", answer["works"], lambda row: self.cost([self.work(row)]))
        spent = Total(self.points, self.cost(self.works(answer)), self.points_held(answer), each)
        return (spent, *self.more_totals(answer))

    # Checks ---------------------------------------------------------------------------------------

    def problems(self, answer: Mapping[str, Any]) -> tuple[Problem, ...]:
        """Return everything that the rules have against an answer; nothing if it is legal."""
        works = self.works(answer)
        return (
            *(
                Problem(message, right, f"works[{number}].{field}")
                for number, work in enumerate(works, 1)
                for message, right, field in self.row_faults(work)
            ),
            *self.more_problems(answer, works),
            *self._hip_problems(works),
            *self._set_dc_problems(works),
            *cost_problems(self.cost(works), self.points_held(answer), self.points, self.held_note(answer)),
        )

    def _hip_problems(self, works: Sequence[WorkT]) -> Iterator[Problem]:
        """HIP bought and not yet used counts with what is wanted."""
        cap = self.hip_cap()
        if cap is None:
            return
        counts = Counter[str]()
        for work in works:
            counts[work.size] += work.count * (work.kind == HIP)
        wanted = cap.count_half_squads(counts)
        for fort in forts_of(self.cg, self.side, HIP):
            counts[fort.size] += fort.count
        used = cap.count_half_squads(counts) + self.carried_hip()
        if wanted and used > 2 * cap.squads:
            yield Problem(f"You want HIP for {used / 2:g} squads", f"the limit is {cap.words}", "works")

    def _set_dc_problems(self, works: Sequence[WorkT]) -> Iterator[Problem]:
        """A DC that is Set is one that the side has, and that none of its Set DC waits for."""
        wanted = sum(work.count for work in works if work.kind == SET_DC)
        there = sum(unit.type == DC and self.can_set(unit) for unit in self.cg.state.units_of(self.side, "sw"))
        waiting = sum(fort.count for fort in forts_of(self.cg, self.side, SET_DC) if fort.at is None)
        free = max(0, there - waiting)
        if wanted > free:
            yield Problem(f"You want to Set {wanted} DC", f"you have {free} {self.dc_words}", "works")

    # What follows ---------------------------------------------------------------------------------

    def build(self, work: WorkT) -> Iterator[Fact]:
        """Let fortifications join: an entry for each, of an allowance one for all."""
        each = self.price(work)
        count = work.count if work.kind in ALLOWANCES else 1
        why = f"{fort_words(work.name)}: {each} {self.points}"
        if count > 1:
            why = f"{count} x {fort_words(work.name)}: {count} x {each} {self.points}"
        for _ in range(work.count // count):
            yield join_fort(self.cg, self.side, **self.entry(work), count=count, fp=each * count, why=why)
