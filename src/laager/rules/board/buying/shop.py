"""A side's chart of groups as a shop: what the side can buy, at which price, and why not.

`Shop` does what all campaigns do alike; a rule system fills in its hooks. All of it is pure.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from laager.base import Problem, RefusedError, did_you_mean
from laager.campaign import Field, Question, Record, SecretQuestion, ShopLine, Total, Ware, each_row
from laager.campaign.temperament import Temperament, sensible
from laager.rules.board.card.parts import ChartLine
from laager.rules.board.context import CardContext
from laager.rules.board.state import MAX_SAN

MOST_OF_ONE = 20
"""A bound on the count of one row: it catches a slip of the finger."""


LineT = TypeVar("LineT", bound=ChartLine)
WayT = TypeVar("WayT")


@dataclass(frozen=True)
class CartRow(Generic[WayT]):
    """One row of a cart: groups of one line of the chart that come in one way."""

    key: str
    way: WayT
    count: int


RowT = TypeVar("RowT", bound=CartRow[Any])


@dataclass(frozen=True)
class GroupCart(Generic[RowT]):
    """All groups that a side wants to buy at once."""

    groups: tuple[RowT, ...] = ()

    def count(self, key: str) -> int:
        """Return how many groups of a line are in it, in whatever way they come."""
        return sum(row.count for row in self.groups if row.key == key)


CartT = TypeVar("CartT", bound=GroupCart[Any])


@dataclass(frozen=True)
class WayPrice(Generic[WayT]):
    """What a group costs if it comes in one way; `why_not` is empty if the side can buy it."""

    way: WayT
    cost: int
    why_not: str = ""


@dataclass(frozen=True)
class ShopOffer(Generic[LineT, WayT]):
    """A line of the chart as it stands for a side.

    `bought` counts the whole campaign, `bought_now` the present battle, both with the cart. `left` is how
    many more the side can buy now (None: only its points limit it). `why_not` says why it can buy none; `barred` does
    for another reason than its points.
    """

    line: LineT
    prices: tuple[WayPrice[WayT], ...]
    bought: int
    bought_now: int
    left: int | None
    why_not: str = ""
    barred: str = ""


@dataclass(frozen=True)
class Shop(ABC, Generic[LineT, WayT, RowT, CartT]):
    """What one side can buy now."""

    cg: CardContext
    side: str

    points: ClassVar[str]
    """What it pays with: CP, CPP."""
    battle: ClassVar[str]
    """What the chart's limits are for: one firefight, one CG Date."""
    words: ClassVar[Mapping[Any, str]]
    """The ways in which groups come."""

    # Hooks ----------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def lines(self) -> Sequence[LineT]:
        """The chart."""

    @property
    @abstractmethod
    def points_held(self) -> int:
        """The points that the side has."""

    @abstractmethod
    def cart(self, answer: Mapping[str, Any]) -> CartT:
        """Return the cart that an answer describes."""

    @abstractmethod
    def ways(self, line: LineT) -> Sequence[WayT]:
        """Return the ways in which groups of a line can come."""

    @abstractmethod
    def price(self, line: LineT, way: WayT) -> int:
        """Return what one group costs that comes in a way."""

    @abstractmethod
    def contents(self, line: LineT) -> Iterable[str]:
        """Return the types of the units in a group of a line, as far as they are known before it comes."""

    @abstractmethod
    def unavailable(self, line: LineT) -> str:
        """Say why the chart doesn't offer a line now; "" if it does."""

    @abstractmethod
    def most_now(self, line: LineT) -> int | None:
        """Return how many of a line the side can buy for the present battle; None: no limit."""

    @abstractmethod
    def san(self, line: LineT) -> int:
        """Return by how much a group of a line raises the SAN."""

    @abstractmethod
    def way_problem(self, line: LineT, way: WayT) -> Problem | None:
        """Return why a group of a line can't come in a way; None if it can."""

    @abstractmethod
    def row_problems(self, line: LineT, row: RowT) -> Iterator[Problem]:
        """Yield what the rules have against a row by itself."""

    @abstractmethod
    def cart_problems(self, cart: CartT) -> Iterator[Problem]:
        """Yield what the rule system has against a cart as a whole."""

    @abstractmethod
    def choose_row(self, line: LineT, way: WayT, rng: Random) -> RowT:
        """Return a row with one group that comes in a way, the rest of it by chance."""

    @abstractmethod
    def row_for(self, line: LineT, way: WayT) -> Mapping[str, Any]:
        """Return what a row of the answer holds for one group that comes in a way, as far as it follows from that."""

    def shared_limits(self, line: LineT, cart: CartT) -> Iterator[tuple[int, str]]:
        """Yield limits that a line shares with others: how many more, and the limit in words."""
        yield from ()

    def other_cost(self, cart: CartT) -> int:
        """Return what a cart costs besides its groups."""
        return 0

    def other_totals(self, cart: CartT) -> Iterator[Total]:
        """Yield what a cart uses besides points."""
        yield from ()

    # Sums -----------------------------------------------------------------------------------------

    @property
    def numbers(self) -> Any:
        """The side's numbers."""
        return self.cg.state.side(self.side)

    def line(self, key: str) -> LineT | None:
        """Return the line with a key."""
        return next((line for line in self.lines if line.key == key), None)

    def rows(self, cart: CartT) -> Iterator[tuple[LineT, RowT]]:
        """Return the rows of a cart with their lines, without those that aren't on the chart."""
        lines = {line.key: line for line in self.lines} if cart.groups else {}
        for row in cart.groups:
            if (line := lines.get(row.key)) is not None:
                yield line, row

    def cost(self, cart: CartT) -> int:
        """Return the points that a cart costs. Rows that aren't on the chart cost nothing."""
        groups = sum(self.price(line, row.way) * row.count for line, row in self.rows(cart))
        return groups + self.other_cost(cart)

    def limits(self, line: LineT, cart: CartT) -> Iterator[tuple[int, str]]:
        """Yield how many more of a line each of its limits allows on top of the cart, and the limit in words."""
        here, key = cart.count(line.key), line.key
        if line.total is not None:
            yield line.total - self.numbers.bought.get(key, 0) - here, f"the limit is {line.total} for the campaign"
        if (most := self.most_now(line)) is not None:
            yield most - self.numbers.bought_now.get(key, 0) - here, f"the limit is {most} for {self.battle}"
        if each := self.san(line):
            more = sum(self.san(other_line) * row.count for other_line, row in self.rows(cart))
            yield (MAX_SAN - self.numbers.san - more) // each, f"SAN can't exceed {MAX_SAN}"

    # Offers ---------------------------------------------------------------------------------------

    def offers(self, cart: CartT | None = None) -> tuple[ShopOffer[LineT, WayT], ...]:
        """Return every line of the chart: prices, how many are bought and left, what is possible on top of a cart."""
        cart = self.cart({}) if cart is None else cart
        rest = self.points_held - self.cost(cart)
        return tuple(self._offer(line, cart, rest) for line in self.lines)

    def _offer(self, line: LineT, cart: CartT, rest: int) -> ShopOffer[LineT, WayT]:
        limits = [*self.limits(line, cart), *self.shared_limits(line, cart)]
        barred = self.unavailable(line) or next((words for left, words in limits if left <= 0), "")
        prices = tuple(self._price(line, way, rest, barred) for way in self.ways(line))
        why_not = barred or (prices[0].why_not if all(price.why_not for price in prices) else "")
        key = line.key
        here = cart.count(key)
        bought, now = self.numbers.bought.get(key, 0) + here, self.numbers.bought_now.get(key, 0) + here
        left = max(0, min(left for left, _ in limits)) if limits else None
        return ShopOffer(line, prices, bought, now, left, why_not, barred)

    def _price(self, line: LineT, way: WayT, rest: int, why_not: str) -> WayPrice[WayT]:
        cost = self.price(line, way)
        problem = None if why_not else self.way_problem(line, way)
        if problem is not None:
            why_not = str(problem)
        elif not why_not and cost > rest:
            why_not = f"it costs {cost} {self.points}, and you have {max(0, rest)} left"
        return WayPrice(way, cost, why_not)

    def option(self, offer: ShopOffer[LineT, WayT]) -> ShopLine:
        """Return an offer as a choice, with its prices in words, and as a line of the shop."""
        able = [price for price in offer.prices if not price.why_not] or offer.prices
        parts = ", ".join(f"{self.words.get(price.way, '')} {price.cost}".strip() for price in able)
        left = "" if offer.left is None else f", {offer.left} left"
        label = f"{offer.line.name}: {parts} {self.points}; {offer.bought} bought{left}"
        wares = tuple(
            Ware(
                self.row_for(offer.line, price.way),
                self.words.get(price.way, ""),
                f"{price.cost} {self.points}",
                price.why_not,
            )
            for price in offer.prices
        )
        looks = tuple(self._looks(offer.line))
        return ShopLine(offer.line.key, label, offer.why_not, offer.line.name, wares, offer.left, offer.barred, looks)

    def _looks(self, line: LineT) -> Iterator[tuple[str, ...]]:
        for type_ in dict.fromkeys(self.contents(line)):
            # The owner of a module may enter a type that the catalogue doesn't have.
            with suppress(RefusedError):
                yield self.cg.nation(self.side).unit(type_).looks

    # Checks ---------------------------------------------------------------------------------------

    def problems(self, cart: CartT) -> tuple[Problem, ...]:
        """Return everything that the rules have against a cart; nothing if it is legal."""
        problems: list[Problem] = []
        for number, row in enumerate(cart.groups, 1):
            problems += (problem.inside(f"groups[{number}]") for problem in self._row_problems(row))
        for line in self.lines:
            if here := cart.count(line.key):
                message = f"You want {here} {line.key}"
                problems += (Problem(message, words, "groups") for left, words in self.limits(line, cart) if left < 0)
        return (*problems, *self.cart_problems(cart), *cost_problems(self.cost(cart), self.points_held, self.points))

    def _row_problems(self, row: RowT) -> Iterator[Problem]:
        line = self.line(row.key)
        if line is None:
            advice = did_you_mean(row.key, [item.key for item in self.lines], "it has")
            yield Problem(f"{row.key} is not on the chart", advice, "rg")
            return
        if refused := self.unavailable(line):
            yield Problem(refused, "leave it out", "rg")
        yield from self.row_problems(line, row)

    # The question ---------------------------------------------------------------------------------

    def question(self, text: str, fields: Sequence[Field], help_: str, rule: str = "") -> Question:
        """Return the question for all purchases of the side.

        It is asked whatever the side has: not asking would tell the enemy that it has nothing.
        """
        form = Record.of(*fields)
        return SecretQuestion(
            "purchases",
            self.side,
            f"{text} You have {self.points_held} {self.points}.",
            form,
            rule,
            help=help_,
            check=lambda answer: self.problems(self.cart(answer)),
            suggest=self.suggest,
            default=self.cg.later(lambda cg: replace(self, cg=cg).judge(sensible())),
            judge=self.judge,
            totals=self.totals,
            irrevocable=self._nothing_bought,
            offers=self.shop_lines,
        )

    def shop_lines(self, answer: Mapping[str, Any]) -> list[ShopLine]:
        """Return the lines of the shop as they stand with an answer; what the cart as a whole forbids counts, too."""
        cart = self.cart(answer)
        now = self.problems(cart)
        return [self._try_wares(self.option(offer), answer, now) for offer in self.offers(cart)]

    def _try_wares(self, line: ShopLine, answer: Mapping[str, Any], now: Sequence[Problem]) -> ShopLine:
        if line.why_not:
            return line
        wares = tuple(ware if ware.why_not else self._try_ware(ware, answer, now) for ware in line.wares)
        return replace(line, wares=wares, barred=wares[0].why_not if all(ware.why_not for ware in wares) else "")

    def _try_ware(self, ware: Ware, answer: Mapping[str, Any], now: Sequence[Problem]) -> Ware:
        rows = [*answer["groups"], {**ware.row, "count": 1}]
        more = self.problems(self.cart({**answer, "groups": rows}))
        # What the row leaves to the player isn't wrong yet.
        judged = [problem for problem in more if problem.field.rpartition(".")[2] in {*ware.row, "", "groups"}]
        return replace(ware, why_not=new_problem(now, judged))

    def totals(self, answer: Mapping[str, Any]) -> tuple[Total, ...]:
        """Return what a cart uses."""
        cart = self.cart(answer)
        each = each_row("groups", answer["groups"], lambda row: self.cost(self.cart({"groups": [row]})))
        return (Total(self.points, self.cost(cart), self.points_held, each), *self.other_totals(cart))

    def _nothing_bought(self, answer: Mapping[str, Any]) -> str:
        cart = self.cart(answer)
        return nothing_bought(cart.groups or self.cost(cart), self.points_held, self.points)

    @abstractmethod
    def suggest(self, rng: Random) -> dict[str, Any]:
        """Return a legal answer by chance, for automatic play."""

    @abstractmethod
    def judge(self, temper: Temperament) -> dict[str, Any]:
        """Return what somebody of a temperament buys."""

    def fill_cart(self, cart: CartT, rng: Random) -> CartT:
        """Return a legal cart with groups added by chance."""
        while rng.random() < 0.75:
            offered = ((offer.line, price) for offer in self.offers(cart) for price in offer.prices)
            free = [(line, price.way) for line, price in offered if not price.why_not]
            if not free:
                break
            line, way = rng.choice(free)
            more = replace(cart, groups=(*cart.groups, self.choose_row(line, way, rng)))
            if not self.problems(more):
                cart = more
        return cart

    def price_in_words(self, line: LineT, way: WayT, paid: int) -> str:
        """Say how a group comes and how its price is made."""
        how = f"{line.name}, {self.words[way]}" if way in self.words else line.name
        change = "" if paid == line.cost else f"{line.cost} {paid - line.cost:+d} = "
        return f"{how}: {change}{paid} {self.points}"


def new_problem(before: Sequence[Problem], after: Sequence[Problem]) -> str:
    """Return the first problem that one thing more brings, in words; "" if it brings none."""
    known = {problem.what for problem in before}
    return next((str(replace(problem, field="")) for problem in after if problem.what not in known), "")


def cost_problems(cost: int, held: int, points: str, note: str = "") -> Iterator[Problem]:
    """Yield that something costs more than a side has."""
    if cost > held:
        yield Problem(f"This costs {cost} {points}, and you have {held}{note}")


def nothing_bought(bought: object, held: int, points: str) -> str:
    """Say that an answer buys nothing though there are points; "" if it buys, or there are none.

    The points are kept, but the chance to spend them now is gone.
    """
    return "" if bought or not held else f"You buy nothing now. Your {held} {points} are kept."
