"""What a good player buys: what is worth most for its points, without too much of one kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Generic, TypeVar

from laager.campaign.temperament import Temperament
from laager.rules.board.buying.shop import GroupCart, Shop
from laager.rules.board.card.parts import ChartLine
from laager.rules.board.judgement.strength import worth_of
from laager.rules.board.units import Mark

INFANTRY, GUNS, ARMOUR, ARTILLERY, OTHER = "infantry", "guns", "armour", "artillery", "other"

SHARES = {INFANTRY: 0.5, GUNS: 0.15, ARMOUR: 0.25, ARTILLERY: 0.1, OTHER: 0.05}
"""The part of its strength that a balanced force has in each kind."""

LEAST_GOOD = 1.2
"""Worth for a point below which points are kept: a platoon brings about three."""

SAME = 1.0
"""How much less a group is worth for each one of its line that was bought before: another kind does what it can't."""

MOST_TRIED = 5
"""Best groups that are tried before the cart is full: one may fit nothing that is in it."""

MOST_GROUPS = 12
"""Most groups that are bought at once."""

_KINDS = {"gun": GUNS, "afv": ARMOUR, "vehicle": ARMOUR}

LineT = TypeVar("LineT", bound=ChartLine)


class Buyer(ABC, Generic[LineT]):
    """Fills a cart for a side that knows if it attacks."""

    def __init__(self, shop: Shop[LineT, Any, Any, Any], temper: Temperament, *, attacks: bool) -> None:
        self.shop, self.cg, self.side = shop, shop.cg, shop.side
        self.temper, self.attacks = temper, attacks
        self.held = self._forces()
        self._worths: dict[str, float] = {}

    @abstractmethod
    def kind_of(self, line: LineT) -> str:
        """Return what kind of forces a group is."""

    @abstractmethod
    def worth(self, line: LineT) -> float:
        """Return what a group is worth."""

    @abstractmethod
    def weigh_way(self, line: LineT, way: Any) -> float:
        """Return how good it is that a group comes in a way, from 0 to 1; 0 if not at all."""

    @abstractmethod
    def row(self, line: LineT, way: Any) -> Any:
        """Return the row of a cart for one group."""

    def fill(self, cart: Any, points: int) -> Any:
        """Return a cart with groups for at most `points` more, the best for its price first."""
        spent_before = self.shop.cost(cart)
        while len(cart.groups) < MOST_GROUPS:
            left = points - (self.shop.cost(cart) - spent_before)
            ranked = sorted(self._choices(cart, left), key=lambda choice: -choice[0])
            for _, line, way in ranked[:MOST_TRIED]:
                more = replace(cart, groups=(*cart.groups, self.row(line, way)))
                if not self.shop.problems(more):
                    cart = more
                    kind = self.kind_of(line)
                    self.held[kind] = self.held.get(kind, 0.0) + self.worth(line)
                    break
            else:
                break
        return cart

    def strength(self, cart: GroupCart[Any]) -> float:
        """Return what the groups of a cart are worth."""
        return float(sum(self.worth(line) * row.count for line, row in self.shop.rows(cart)))

    def _choices(self, cart: Any, left: int) -> Iterator[tuple[float, LineT, Any]]:
        total = sum(self.held.values()) or 1.0
        for offer in self.shop.offers(cart):
            if offer.why_not:
                continue
            kind = self.kind_of(offer.line)
            scarce = 1 / (0.5 + self.held.get(kind, 0.0) / total / SHARES[kind])
            value = self._worth(offer.line) * self.temper[f"buy.{kind}"]
            for price in offer.prices:
                if price.why_not or price.cost > left:
                    continue
                good = value * self.weigh_way(offer.line, price.way) / max(price.cost, 1)
                # A kind of which there is much comes later, but the points are spent all the same.
                if good * max(1.0, scarce) >= LEAST_GOOD:
                    yield good * scarce / (1 + SAME * offer.bought), offer.line, price.way

    def _worth(self, line: LineT) -> float:
        if line.key not in self._worths:
            self._worths[line.key] = self.worth(line)
        return self._worths[line.key]

    def _forces(self) -> dict[str, float]:
        held: dict[str, float] = {}
        for unit in self.cg.state.units_of(self.side):
            if not unit.has(Mark.PRISONER):
                kind = _KINDS.get(unit.kind, INFANTRY)
                held[kind] = held.get(kind, 0.0) + worth_of(self.cg, unit)
        return held
