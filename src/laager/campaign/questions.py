"""Questions: what a side is asked, what it can answer, and why not.

Its form (`forms`) says which answers are well formed; the question's own `check` says which of those
the rules allow. Questions are immutable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, Self

from laager.base import DataError, Problem, Refusal
from laager.campaign.forms import NO_CHOICE, Form, Option, leaves_nothing
from laager.campaign.placing import Placing
from laager.campaign.sighting import Sights
from laager.campaign.temperament import Temperament


@dataclass(frozen=True)
class Total:
    """What an answer uses up of something that is counted: CP, FPP, points, pieces.

    `limit` is how much there is (None: no limit); `each` says what the parts of the answer use, by
    their path as in problems (`groups[2]`).
    """

    label: str
    used: int
    limit: int | None = None
    each: Mapping[str, int] = field(default_factory=dict)

    @property
    def left(self) -> int | None:
        """How much is left; below 0 if the answer uses more than there is."""
        return None if self.limit is None else self.limit - self.used

    @property
    def over(self) -> int:
        """By how much the answer uses more than there is."""
        return 0 if self.limit is None else max(0, self.used - self.limit)


def each_row(name: str, rows: Sequence[Any], cost: Callable[[Any], int]) -> Mapping[str, int]:
    """Return what each row of a list in an answer uses; `name` is "" if the answer is the list."""
    return {f"{name}[{number}]": cost(row) for number, row in enumerate(rows, 1)}


@dataclass(frozen=True)
class Ware:
    """One way to buy a line of a shop.

    `row` is what a row of the answer holds for it, `way` how it comes in words ("" if there is one way only), `price`
    what one costs in words, `why_not` why it can't be bought on top of the answer so far.
    """

    row: Mapping[str, Any]
    way: str = ""
    price: str = ""
    why_not: str = ""


@dataclass(frozen=True)
class ShopLine(Option):
    """A line of a shop: its name, the ways to buy it, how many are left (None: only the points limit it).

    `barred` says why no more can be bought for another reason than the points; "" if there is none. `looks` is what the
    counters in one show, each once: its kind, its type, and as far as they are known the catalogue's sort and class.
    """

    name: str = ""
    wares: tuple[Ware, ...] = ()
    left: int | None = None
    barred: str = ""
    looks: tuple[tuple[str, ...], ...] = ()


Check = Callable[[Any], Sequence[Problem]]
Totals = Callable[[Any], Sequence[Total]]
Offers = Callable[[Any], Sequence[ShopLine]]
Suggest = Callable[[Random], Any]
Irrevocable = Callable[[Any], str]
Judge = Callable[[Temperament], Any]


@dataclass(frozen=True)
class Later:
    """A proposal that is made when somebody reads it; most questions are answered without.

    `make` must give the same whenever it is called: a step takes `Context.later`, which sees to that.
    """

    make: Callable[[], Any]

    @cached_property
    def proposal(self) -> Any:
        """The proposal: one and the same for all copies of a question."""
        return self.make()


class _Proposal:
    """The field of a question that holds its proposal: one that comes `Later` is made here, once."""

    def __get__(self, question: Question | None, owner: type[Question]) -> Any:
        if question is None:
            return None
        given = vars(question)["default"]
        if isinstance(given, Later):
            self.__set__(question, given.proposal)
        return vars(question)["default"]

    def __set__(self, question: Question, proposal: Any) -> None:
        vars(question)["default"] = question.form.blank if proposal is None else proposal


def _all_right(_: Any) -> Sequence[Problem]:
    return ()


@dataclass(frozen=True)
class Question:
    """Something that a side must answer, under a rule.

    `key` names it among the questions open at once. `secret` keeps the answer to its side.
    `default` is a legal answer, proposed and never given silently; the form's `blank` if left out. It can come `Later`.
    `check` returns what the rules have against a well-formed answer; `suggest` makes a likely legal
    one (automatic play); `totals` says what a well-formed answer uses up: a purchase has it.
    `offers` gives the lines of the shop from which its rows are filled, as they stand with what a well-formed
    answer holds already. `irrevocable` says in a sentence what a well-formed
    answer spends or closes for good, so that the side can't take it back alone; "" if nothing. See
    `warning`. `nothing` is the label for a proposal that gives something up ("Buy nothing"). `sights` says
    what it asks about LOS, `placing` what a map shows of its hexes. `needless` if the record has nothing that it is
    about. `shortcut` is what the proposal is called where one click takes it ("Make the dr"). `judge` proposes for
    somebody of another temperament, from what the side knows and nothing else; None where all propose the same.
    """

    key: str
    side: str
    text: str
    form: Form
    rule: str = ""
    secret: bool = False
    default: _Proposal = _Proposal()
    help: str = ""
    check: Check = field(default=_all_right, compare=False)
    suggest: Suggest | None = field(default=None, compare=False)
    totals: Totals | None = field(default=None, compare=False)
    offers: Offers | None = field(default=None, compare=False)
    irrevocable: Irrevocable | None = field(default=None, compare=False)
    nothing: str = "Buy nothing"
    sights: Sights | None = field(default=None, compare=False)
    placing: Placing | None = field(default=None, compare=False)
    needless: bool = field(default=False, compare=False)
    shortcut: str = field(default="", compare=False)
    judge: Judge | None = field(default=None, compare=False)

    def but(self, **changes: Any) -> Self:
        """Return the same question with some fields changed; its proposal isn't made for that."""
        made = object.__new__(type(self))
        vars(made).update(vars(self))
        for name, value in changes.items():
            object.__setattr__(made, name, value)
        return made

    @property
    def empty(self) -> bool:
        """True if there is nothing to decide and it is asked only to keep that secret."""
        return self.needless or leaves_nothing(self.form)

    def accept(self, raw: Any) -> Any:
        """Return the answer to store. Raises DataError with everything that is wrong with it."""
        try:
            value = self.form.parse(raw)
            problems = tuple(self.check(value))
        except DataError as err:
            problems = err.problems
        if problems:
            raise DataError(self._with_places(raw, problems), Refusal.BAD_ANSWER)
        return value

    def _with_places(self, raw: Any, problems: Sequence[Problem]) -> list[Problem]:
        """Return problems with their places in the words of the form."""
        from laager.campaign.wording import place_words

        return [replace(problem, place=place_words(self.form, raw, problem.field)) for problem in problems]

    def allows(self, raw: Any) -> bool:
        """True if an answer would be accepted."""
        try:
            self.accept(raw)
        except DataError:
            return False
        return True

    def warning(self, raw: Any) -> str:
        """Return what an answer spends or closes for good; "" if nothing, or if it's malformed.

        Players who give such an answer by hand are asked again, unless what they clicked says it
        (`nothing`). Such a proposal is never the answer to a bare Enter. A purchase (`totals`) always has a warning.
        """
        say = self.irrevocable or (self._spending_words if self.totals else None)
        try:
            return say(self.form.parse(raw)) if say else ""
        except DataError:
            return ""

    def _spending_words(self, value: Any) -> str:
        assert self.totals is not None
        spent = [f"{total.used} {total.label}" for total in self.totals(value) if total.used]
        if spent:
            return f"This uses {', '.join(spent)} for good."
        return "You buy nothing, and can't come back to this."

    @property
    def proposal_title(self) -> str:
        """The label for taking the proposal: `nothing` if that gives something up."""
        return self.label_for(self.default) or "Take the proposal"

    def label_for(self, answer: Any) -> str:
        """Return the label for a proposal or an empty cart that gives something up (`nothing`), else ""."""
        if not self.warning(answer):
            return ""
        if self.totals is None:
            return self.nothing if answer == self.default else ""
        return "" if any(total.used for total in self.totals(self.form.parse(answer))) else self.nothing

    def sample(self, rng: Random, tries: int = 20) -> Any:
        """Return a legal answer chosen at random; the default if chance finds none."""
        for _ in range(tries):
            value = self.suggest(rng) if self.suggest else self.form.sample(rng)
            if self.allows(value):
                return value
        return self.default

    def propose(self, temperament: Temperament) -> Any:
        """Return what somebody of a temperament proposes: a likely legal answer, to be checked like any other."""
        return self.default if self.judge is None else self.judge(temperament)

    def describe(self) -> dict[str, Any]:
        """Return the question as JSON, for its own side only."""
        warning = self.warning(self.default)
        given_up = {"warning": warning, "nothing": self.label_for(self.default)} if warning else {}
        return {
            "key": self.key,
            "side": self.side,
            "text": self.text,
            "rule": self.rule,
            "secret": self.secret,
            "help": self.help,
            "default": self.default,
            "form": self.form.describe(),
            **given_up,
        }


@dataclass(frozen=True)
class SecretQuestion(Question):
    """A question whose answer is for its side alone."""

    secret: bool = True


def no_decision(key: str, side: str, text: str, rule: str = "", form: Form = NO_CHOICE) -> SecretQuestion:
    """Ask a side that has nothing to decide, where the enemy could learn that from its not being asked.

    `form` is an empty list, or `Record(())` where the answer is a record otherwise.
    """
    explained = f"{text} (You are asked anyway, so that the enemy learns nothing from it.)"
    return SecretQuestion(key, side, explained, form, rule)
