"""What a side may buy, at which price, and why not (PL 2.3 to 2.34).

`Cart` is what a side wants; `offers` is its chart as data for screens; `cart_problems` is the one
judge of whether a cart is legal. All are pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.rules.board.state import MAX_SAN
from laager.rules.platoon_leader.buying.groups import platoons_of
from laager.rules.platoon_leader.buying.oba import modules
from laager.rules.platoon_leader.buying.replenishment import intensity
from laager.rules.platoon_leader.card.card import ReinforcementGroup, RgKind, Setup
from laager.rules.platoon_leader.charts import charts
from laager.rules.platoon_leader.context import Cg

SETTING_UP = frozenset({RgKind.INFANTRY, RgKind.HEAVY_WEAPONS, RgKind.GUN, RgKind.AFV, RgKind.VEHICLE})
"""The kinds of groups that have a form of setup (PL 2.34); the others are bought as such."""


@dataclass(frozen=True)
class Wanted:
    """One row of a cart: so many groups of one line of the chart in one form of setup."""

    rg: str
    setup: Setup
    count: int


@dataclass(frozen=True)
class Cart:
    """All that a side wants to buy in one firefight (PL 2.3), beside fortifications."""

    groups: tuple[Wanted, ...] = ()
    attack: bool = False
    patrols: int = 0
    pre_registered: tuple[str, ...] = ()

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Cart:
        """Return the cart that an answer to the purchase question describes."""
        rows = answer.get("groups", ())
        return cls(
            tuple(Wanted(row["rg"], Setup(row["setup"]), row["count"]) for row in rows),
            bool(answer.get("attack", False)),
            int(answer.get("patrols", 0)),
            tuple(row["hex"] for row in answer.get("pre_registered", ())),
        )

    def count(self, rg: str) -> int:
        """Return how many groups of an RG are in it, whatever their setup."""
        return sum(wanted.count for wanted in self.groups if wanted.rg == rg)


@dataclass(frozen=True)
class Price:
    """What an RG costs in one form of setup; `why_not` is empty where it may be bought so."""

    setup: Setup
    cost: int
    why_not: str = ""


@dataclass(frozen=True)
class Offer:
    """A line of the chart as it stands for a side.

    `bought` in the whole campaign, `bought_now` for this firefight, both with the cart; `left` how
    many more may be bought now (None: no limit but CP). `why_not` says why none may be.
    """

    group: ReinforcementGroup
    prices: tuple[Price, ...]
    bought: int
    bought_now: int
    left: int | None
    why_not: str = ""


# Prices -----------------------------------------------------------------------------------------


@implements("PL 2.34")
def price(cg: Cg, line: ReinforcementGroup, setup: Setup) -> int:
    """Return the CP for a group in a form of setup; one that sets up costs 1 at least."""
    zero = cg.reading("zero-price") == "as-printed"
    return charts().setup_costs.price(line.kind, setup.value, line.cost, zero=zero)


@implements("PL 2.33", "PL 1.4 In Reserve", "PL 1.4 Reserve")
def setup_refused(cg: Cg, side: str, line: ReinforcementGroup, setup: Setup) -> str:
    """Say why a group can't be bought in a form of setup; empty when it can."""
    if setup is Setup.OFF_MAP:
        return ""
    if line.kind not in SETTING_UP:
        return f"{line.id} does not set up; buy it off-map"
    if setup is Setup.RESERVE and not cg.side(side).reserves:
        return f"the {cg.side(side).name} have no Reserves here; buy {line.id} off-map or on-map"
    if setup is Setup.RESERVE and not line.may_reserve:
        return f"{line.id} may not be In Reserve; buy it off-map or on-map"
    return ""


def cost(cg: Cg, side: str, cart: Cart) -> int:
    """Return the CP that a cart costs. Lines that are not on the chart cost nothing."""
    card = cg.side(side)
    total = card.attack_cost * cart.attack + card.patrol_cost * cart.patrols
    for wanted in cart.groups:
        line = card.group(wanted.rg)
        if line is not None:
            total += price(cg, line, wanted.setup) * wanted.count
    return total


# Limits -----------------------------------------------------------------------------------------


@implements("PL 2.31")
def patrol_limit(cg: Cg, side: str) -> int:
    """Return how many Patrols a side may buy for a firefight: by the card, or by intensity."""
    card = cg.side(side)
    if not card.patrols:
        return 0
    if card.max_patrols is not None:
        return card.max_patrols
    return charts().patrols.most[intensity(cg, side).value]


@implements("PL 2.3")
def platoons_bought(cg: Cg, side: str, cart: Cart = Cart()) -> int:
    """Return the infantry platoons bought for this firefight, those in the cart included."""
    lines = ((cg.side(side).group(wanted.rg), wanted.count) for wanted in cart.groups)
    in_cart = sum(platoons_of(cg, line) * count for line, count in lines if line is not None)
    return sum(cg.state.side(side).platoons.values()) + in_cart


@implements("PL 1.34", "PL 1.4 Attack Option")
def attack_refused(cg: Cg, side: str) -> str:
    """Say why a side may not buy the Attack Option; empty when it may."""
    if cg.initial:
        return "the card assigns the attack of the Initial Firefight"
    if cg.state.side(side).attack:
        return "this side has the Attack Option already"
    historical = historical_attacker(cg)
    if historical and historical != side:
        return f"it was agreed to follow history, and the ATTACKER is {cg.side(historical).name}"
    return ""


def historical_attacker(cg: Cg) -> str:
    """Return the side that must attack because history is followed; "" if nobody must."""
    if "attacker" not in cg.state.agreed.get("historical", ()):
        return ""
    return cg.slot.historical_attacker or ""


def must_attack(cg: Cg, side: str) -> bool:
    """Whether a side must buy the Attack Option: agreed history, as far as its CP allow."""
    return (
        historical_attacker(cg) == side
        and not attack_refused(cg, side)
        and cg.side(side).attack_cost <= cg.state.side(side).cp
    )


def _window_refused(cg: Cg, line: ReinforcementGroup) -> str:
    number = cg.state.fight.number
    if number < line.first:
        return f"{line.id} is available from firefight {line.first}"
    if line.last is not None and number > line.last:
        return f"{line.id} was available up to firefight {line.last}"
    return ""


def _left(cg: Cg, side: str, line: ReinforcementGroup, cart: Cart) -> int | None:
    """Return how many more of a line its maxima and that of platoons allow beside the cart."""
    own = cg.state.side(side)
    here = cart.count(line.id)
    limits = []
    if line.per_firefight is not None:
        limits.append(line.per_firefight - own.bought_now.get(line.id, 0) - here)
    if line.total is not None:
        limits.append(line.total - own.bought.get(line.id, 0) - here)
    each = platoons_of(cg, line)
    if each:
        limits.append((cg.side(side).max_platoons - platoons_bought(cg, side, cart)) // each)
    if line.kind is RgKind.SAN:
        limits.append((MAX_SAN - own.san - _san_in(cg, side, cart)) // line.san)
    return max(0, min(limits)) if limits else None


def _san_in(cg: Cg, side: str, cart: Cart) -> int:
    lines = ((cg.side(side).group(wanted.rg), wanted.count) for wanted in cart.groups)
    return sum(line.san * n for line, n in lines if line is not None and line.kind is RgKind.SAN)


# The chart for screens --------------------------------------------------------------------------


def offers(cg: Cg, side: str, cart: Cart = Cart()) -> tuple[Offer, ...]:
    """Return every line of a side's chart: prices, how many are bought and left, what is possible.

    With a cart: what stands beside what is already in it.
    """
    rest = cg.state.side(side).cp - cost(cg, side, cart)
    return tuple(_offer(cg, side, line, cart, rest) for line in cg.side(side).chart)


def _offer(cg: Cg, side: str, line: ReinforcementGroup, cart: Cart, rest: int) -> Offer:
    own = cg.state.side(side)
    left = _left(cg, side, line, cart)
    why_not = _window_refused(cg, line)
    if not why_not and left == 0:
        why_not = _exhausted(cg, side, line, cart)
    prices = []
    for setup in Setup if line.kind in SETTING_UP else (Setup.OFF_MAP,):
        costs = price(cg, line, setup)
        refused = why_not or setup_refused(cg, side, line, setup)
        if not refused and costs > rest:
            refused = f"costs {costs} CP, {max(0, rest)} are left"
        prices.append(Price(setup, costs, refused))
    if not why_not and all(item.why_not for item in prices):
        why_not = prices[0].why_not
    here = cart.count(line.id)
    return Offer(
        line, tuple(prices), own.bought.get(line.id, 0) + here, own.bought_now.get(line.id, 0) + here, left, why_not
    )


def _exhausted(cg: Cg, side: str, line: ReinforcementGroup, cart: Cart) -> str:
    own = cg.state.side(side)
    here = cart.count(line.id)
    if line.total is not None and own.bought.get(line.id, 0) + here >= line.total:
        return f"all {line.total} of the campaign are bought"
    now = own.bought_now.get(line.id, 0) + here
    if line.per_firefight is not None and now >= line.per_firefight:
        return f"{line.per_firefight} in one firefight at most"
    if line.kind is RgKind.SAN:
        return f"SAN cannot exceed {MAX_SAN}"
    return f"{cg.side(side).max_platoons} infantry platoons in one firefight at most"


# Judging a cart ---------------------------------------------------------------------------------


def cart_problems(cg: Cg, side: str, cart: Cart) -> tuple[Problem, ...]:
    """Return everything that the rules have against a cart; nothing if it is legal."""
    return (
        *_row_problems(cg, side, cart.groups),
        *_count_problems(cg, side, cart),
        *_option_problems(cg, side, cart),
        *_hex_problems(cg, side, cart),
        *_cp_problems(cg, side, cart),
    )


def _row_problems(cg: Cg, side: str, rows: Sequence[Wanted]) -> Iterator[Problem]:
    for number, wanted in enumerate(rows, 1):
        line = cg.side(side).group(wanted.rg)
        if line is None:
            known = [item.id for item in cg.side(side).chart]
            advice = did_you_mean(wanted.rg, known, "it has")
            what = f"{wanted.rg} is not on the chart"
            yield Problem(what, advice, f"groups[{number}].rg")
            continue
        refused = _window_refused(cg, line)
        if refused:
            yield Problem(refused, "leave it out", f"groups[{number}].rg")
        what, _, right = setup_refused(cg, side, line, wanted.setup).partition("; ")
        if what:
            yield Problem(what, right, f"groups[{number}].setup")


@implements("PL 2.3")
def _count_problems(cg: Cg, side: str, cart: Cart) -> Iterator[Problem]:
    own, card = cg.state.side(side), cg.side(side)
    for line in card.chart:
        here = cart.count(line.id)
        now = own.bought_now.get(line.id, 0) + here
        ever = own.bought.get(line.id, 0) + here
        if here and line.per_firefight is not None and now > line.per_firefight:
            right = f"{line.per_firefight} in one firefight at most"
            yield Problem(f"{now} {line.id} are too many", right, "groups")
        if here and line.total is not None and ever > line.total:
            right = f"{line.total} in the whole campaign at most"
            yield Problem(f"{ever} {line.id} are too many", right, "groups")
    platoons = platoons_bought(cg, side, cart)
    if platoons > card.max_platoons:
        right = f"{card.max_platoons} in one firefight at most (PL 2.3)"
        yield Problem(f"{platoons} infantry platoons are too many", right, "groups")
    san = _san_in(cg, side, cart)
    if san and own.san + san > MAX_SAN:
        right = f"{MAX_SAN} is the highest there is"
        yield Problem(f"this would make the SAN {own.san + san}", right, "groups")


def _option_problems(cg: Cg, side: str, cart: Cart) -> Iterator[Problem]:
    if cart.attack and (refused := attack_refused(cg, side)):
        yield Problem(refused, "leave it out", "attack")
    if not cart.attack and must_attack(cg, side):
        what = "it was agreed to follow history, and this side is the ATTACKER"
        yield Problem(what, "buy the Attack Option", "attack")
    limit = patrol_limit(cg, side)
    if cart.patrols > limit:
        yield Problem(f"{cart.patrols} Patrols are too many", f"{limit} at most", "patrols")


@implements("PL CG4")
def _hex_problems(cg: Cg, side: str, cart: Cart) -> Iterator[Problem]:
    for number, name in enumerate(cart.pre_registered, 1):
        if name not in cg.map or cg.map.main(name) not in cg.map.playable:
            advice = did_you_mean(name, cg.sort(cg.map.playable), "its hexes are")
            yield Problem(f"{name!r} is no hex in play", advice, f"pre_registered[{number}].hex")
    most = module_count(cg, side, cart)
    if len(cart.pre_registered) > most:
        what = f"{len(cart.pre_registered)} pre-registered hexes are too many"
        yield Problem(what, f"one for each OBA module: {most}", "pre_registered")


def module_count(cg: Cg, side: str, cart: Cart) -> int:
    """Return how many OBA modules a side has, those in the cart included."""
    lines = ((cg.side(side).group(wanted.rg), wanted.count) for wanted in cart.groups)
    fresh = sum(n for line, n in lines if line is not None and line.kind is RgKind.OBA)
    return fresh + sum(1 for _ in modules(cg, side))


def _cp_problems(cg: Cg, side: str, cart: Cart) -> Iterator[Problem]:
    total, held = cost(cg, side, cart), cg.state.side(side).cp
    if total > held:
        yield Problem(f"this costs {total} CP", f"{held} CP are there")
