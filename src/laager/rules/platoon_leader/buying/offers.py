"""What a side can buy for a firefight, at which price, and why not (PL 2.3 to 2.34)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import Total, implements
from laager.campaign.temperament import Temperament
from laager.rules.board.buying import shop
from laager.rules.board.buying.shop import CartRow, GroupCart, Shop
from laager.rules.platoon_leader.buying.groups import platoons_of
from laager.rules.platoon_leader.buying.oba import RADIO, modules
from laager.rules.platoon_leader.buying.replenishment import intensity
from laager.rules.platoon_leader.card.card import ReinforcementGroup, RgKind, Setup
from laager.rules.platoon_leader.context import Cg

SETTING_UP = frozenset({RgKind.INFANTRY, RgKind.HEAVY_WEAPONS, RgKind.GUN, RgKind.AFV, RgKind.VEHICLE})
"""The kinds of groups that have a form of setup (PL 2.34); the others are bought as such."""

Offer = shop.ShopOffer[ReinforcementGroup, Setup]
Price = shop.WayPrice[Setup]


@dataclass(frozen=True)
class Wanted(CartRow[Setup]):
    """One row of a cart: a number of groups of one line of the chart in one form of setup."""

    equipment: str = RADIO


@dataclass(frozen=True)
class Cart(GroupCart[Wanted]):
    """All that a side wants to buy in one firefight besides fortifications (PL 2.3)."""

    attack: bool = False
    patrols: int = 0
    pre_registered: tuple[str, ...] = ()

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Cart:
        """Return the cart that an answer to the purchase question describes."""
        rows = answer.get("groups", ())
        return cls(
            tuple(Wanted(row["rg"], Setup(row["setup"]), row["count"], row.get("equipment", RADIO)) for row in rows),
            bool(answer.get("attack", False)),
            int(answer.get("patrols", 0)),
            tuple(row["hex"] for row in answer.get("pre_registered", ())),
        )


class FirefightShop(Shop[ReinforcementGroup, Setup, Wanted, Cart]):
    """What a side can buy for the present firefight."""

    cg: Cg
    points = "CP"
    battle = "one firefight"
    words = {Setup.OFF_MAP: "off map", Setup.ON_MAP: "On Map", Setup.RESERVE: "In Reserve"}

    @property
    def lines(self) -> Sequence[ReinforcementGroup]:
        """The side's chart."""
        return self.cg.side(self.side).chart

    @property
    def points_held(self) -> int:
        """The side's CP."""
        return self.cg.state.side(self.side).cp

    def cart(self, answer: Mapping[str, Any]) -> Cart:
        """Return the cart that an answer describes."""
        return Cart.of(answer)

    def ways(self, line: ReinforcementGroup) -> Sequence[Setup]:
        """Return the forms of setup."""
        if line.kind not in SETTING_UP:
            return (Setup.OFF_MAP,)
        return tuple(way for way in Setup if way is not Setup.RESERVE or self.cg.side(self.side).reserves)

    @implements("PL 2.34")
    def price(self, line: ReinforcementGroup, way: Setup) -> int:
        """Return the CP for a group in a form of setup; one that sets up costs 1 at least."""
        zero = self.cg.reading("zero-price") == "as-printed"
        return self.cg.charts.setup_costs.price(line.kind, way.value, line.cost, zero=zero)

    def contents(self, line: ReinforcementGroup) -> Iterable[str]:
        """Return the types of its units."""
        return (units.type for units in line.units)

    def unavailable(self, line: ReinforcementGroup) -> str:
        """Say why a line isn't on offer in this firefight; "" if it is."""
        number = self.cg.state.fight.number
        if number < line.first:
            return f"{line.id} is available from firefight {line.first}"
        if line.last is not None and number > line.last:
            return f"{line.id} was available up to firefight {line.last}"
        return ""

    def most_now(self, line: ReinforcementGroup) -> int | None:
        """Return the chart's limit for one firefight."""
        return line.per_firefight

    def san(self, line: ReinforcementGroup) -> int:
        """Return the SAN increase."""
        return line.san if line.kind is RgKind.SAN else 0

    def shared_limits(self, line: ReinforcementGroup, cart: Cart) -> Iterator[tuple[int, str]]:
        """Yield the limit of infantry platoons."""
        if each := platoons_of(self.cg, line):
            most = self.cg.side(self.side).max_platoons
            yield (most - self.platoons(cart)) // each, self.platoon_limit()

    @implements("PL 2.33", "PL 1.4 In Reserve", "PL 1.4 Reserve")
    def way_problem(self, line: ReinforcementGroup, way: Setup) -> Problem | None:
        """Return why a side can't buy a group in a form of setup; None if it can."""
        if way is Setup.OFF_MAP:
            return None
        if line.kind not in SETTING_UP:
            return Problem(f"{line.id} does not set up", "buy it off-map")
        if way is Setup.RESERVE and not self.cg.side(self.side).reserves:
            message = f"the {self.cg.side(self.side).name} have no Reserves here"
            return Problem(message, f"buy {line.id} off-map or on-map")
        if way is Setup.RESERVE and not line.may_reserve:
            return Problem(f"{line.id} can't be In Reserve", "buy it off-map or on-map")
        return None

    def row_problems(self, line: ReinforcementGroup, row: Wanted) -> Iterator[Problem]:
        """Yield what is wrong with the form of setup."""
        if problem := self.way_problem(line, row.way):
            yield problem.inside("setup")

    def cart_problems(self, cart: Cart) -> Iterator[Problem]:
        """Yield what is wrong with platoons, options and pre-registered hexes."""
        platoons, most = self.platoons(cart), self.cg.side(self.side).max_platoons
        if platoons > most:
            right = f"the limit is {most} for one firefight (PL 2.3)"
            if self.cg.reading("platoon-limit") == "campaign":
                right = f"the limit is {most} for the campaign (PL 2.3)"
            yield Problem(f"You want {platoons} infantry platoons", right, "groups")
        yield from _option_problems(self.cg, self.side, cart)
        yield from self._hex_problems(cart)

    @implements("PL CG4")
    def _hex_problems(self, cart: Cart) -> Iterator[Problem]:
        cg = self.cg
        for number, name in enumerate(cart.pre_registered, 1):
            if name not in cg.map or cg.map.main(name) not in cg.map.playable:
                advice = did_you_mean(name, cg.sort(cg.map.playable), "its hexes are")
                yield Problem(f"{name!r} is not a hex in play", advice, f"pre_registered[{number}].hex")
        most = sum(1 for _ in modules(cg, self.side))
        most += sum(row.count for line, row in self.rows(cart) if line.kind is RgKind.OBA)
        if len(cart.pre_registered) > most:
            message = f"You want {len(cart.pre_registered)} pre-registered hexes"
            yield Problem(message, f"the limit is one for each OBA module: {most}", "pre_registered")

    @implements("PL 2.3")
    def platoons(self, cart: Cart = Cart()) -> int:
        """Return the infantry platoons bought so far that the limit counts, those in the cart included."""
        in_cart = sum(platoons_of(self.cg, line) * row.count for line, row in self.rows(cart))
        if self.cg.reading("platoon-limit") == "firefight":
            return sum(self.cg.state.side(self.side).platoons.values()) + in_cart
        bought = (group for group in self.cg.state.groups_of(self.side) if not group.given)
        lines = (self.cg.side(self.side).group(group.rg) for group in bought)
        return sum(platoons_of(self.cg, line) for line in lines if line is not None) + in_cart

    def platoon_limit(self) -> str:
        """Return in words how many infantry platoons a side can buy, and in what time."""
        most = self.cg.side(self.side).max_platoons
        if self.cg.reading("platoon-limit") == "campaign":
            return f"the limit is {most} infantry platoons for the campaign"
        return f"the limit is {most} infantry platoons for one firefight"

    def other_cost(self, cart: Cart) -> int:
        """Return what the Attack Option and Patrols cost."""
        card = self.cg.side(self.side)
        return card.attack_cost * cart.attack + card.patrol_cost * cart.patrols

    def other_totals(self, cart: Cart) -> Iterator[Total]:
        """Yield the infantry platoons."""
        yield Total("Infantry platoons", self.platoons(cart), self.cg.side(self.side).max_platoons)

    def choose_row(self, line: ReinforcementGroup, way: Setup, rng: Random) -> Wanted:
        """Return a row with one group."""
        return Wanted(line.id, way, 1)

    def row_for(self, line: ReinforcementGroup, way: Setup) -> Mapping[str, Any]:
        """Return the line and the form of setup."""
        return {"rg": line.id, "setup": way.value}

    def suggest(self, rng: Random) -> dict[str, Any]:
        """Return a legal cart by chance."""
        barred = attack_refused(self.cg, self.side)
        cart = Cart(attack=must_attack(self.cg, self.side))
        if not barred and rng.random() < 0.5:
            cart = self._if_legal(cart, Cart(attack=True))
        if rng.random() < 0.3:
            cart = self._if_legal(cart, Cart(attack=cart.attack, patrols=1))
        cart = self.fill_cart(cart, rng)
        rows = [{"rg": row.key, "setup": row.way.value, "count": 1} for row in cart.groups]
        answer: dict[str, Any] = {"groups": rows}
        if not barred:
            answer["attack"] = cart.attack
        if patrol_limit(self.cg, self.side):
            answer["patrols"] = cart.patrols
        return answer

    def judge(self, temper: Temperament) -> dict[str, Any]:
        """Return what somebody of a temperament buys."""
        from laager.rules.platoon_leader.judgement import judge_purchases

        return judge_purchases(self.cg, self.side, temper)

    def _if_legal(self, old: Cart, new: Cart) -> Cart:
        return old if self.problems(new) else new


# Options ----------------------------------------------------------------------------------------


@implements("PL 2.31")
def patrol_limit(cg: Cg, side: str) -> int:
    """Return how many Patrols a side can buy for a firefight: by the card, or by intensity."""
    card = cg.side(side)
    if not card.patrols:
        return 0
    if card.max_patrols is not None:
        return card.max_patrols
    return cg.charts.patrols.most[intensity(cg, side).value]


@implements("PL 1.34", "PL 1.4 Attack Option")
def attack_refused(cg: Cg, side: str) -> str:
    """Say why a side can't buy the Attack Option; "" if it can."""
    if cg.initial:
        return "the card assigns the attack of the Initial Firefight"
    if cg.state.side(side).attack:
        return "this side has the Attack Option already"
    historical = historical_attacker(cg)
    if historical and historical != side:
        return f"you agreed to follow history, and the ATTACKER is {cg.side(historical).name}"
    return ""


def historical_attacker(cg: Cg) -> str:
    """Return the side that must attack because history is followed; "" if neither must."""
    if "attacker" not in cg.state.agreed.get("historical", ()):
        return ""
    return cg.slot.historical_attacker or ""


def must_attack(cg: Cg, side: str) -> bool:
    """True if a side must buy the Attack Option: history is followed, and the side has the CP."""
    affordable = cg.side(side).attack_cost <= cg.state.side(side).cp
    return historical_attacker(cg) == side and not attack_refused(cg, side) and affordable


def _option_problems(cg: Cg, side: str, cart: Cart) -> Iterator[Problem]:
    if cart.attack and (refused := attack_refused(cg, side)):
        yield Problem(refused, "leave it out", "attack")
    if not cart.attack and must_attack(cg, side):
        message = "you agreed to follow history, and this side is the ATTACKER"
        yield Problem(message, "buy the Attack Option", "attack")
    limit = patrol_limit(cg, side)
    if cart.patrols > limit:
        yield Problem(f"You want {cart.patrols} Patrols", f"the limit is {limit}", "patrols")
