"""Fortifications: which a side can buy, at which price, how many (PL 2.38 with its notes).

`Work` is one row of what a side wants, `fp_of` its price; `works_problems` checks all of it. All are pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.joining import forts_of
from laager.rules.board.units import Fort, Mark, Place, Unit
from laager.rules.platoon_leader.buying.groups import enters_because
from laager.rules.platoon_leader.card.card import Fortifications, Setup
from laager.rules.platoon_leader.charts import charts, known_minefield_fp, pillbox_fp
from laager.rules.platoon_leader.context import Cg

BOOBY_TRAPS, HIP, PILLBOX, KNOWN = "booby-traps", "hip", "pillbox", "known-minefield"
CAVE, COMPLEX, DUMMY = "cave", "cave-complex", "dummy-minefield"
SET_DC, DC = "set-dc", "DC"
HALVES: Mapping[str, int] = {"squad": 2, "half-squad": 1}
"""The units that count against the limit of HIP, in half-squads."""
BOOBY_LEVELS = ("C", "B", "A")
"""The levels of Booby Traps, the weakest first (B28.9)."""

MINES = {"a-p": "a-p-mines", "a-t": "a-t-mines", "a-b": "a-b-mines"}
"""What a Known Minefield is of, and the row that prices its factors."""

ALLOWANCES = frozenset({HIP, "concealment"})
"""What has no place of its own: recorded as one entry with a count."""

_PILLBOX = re.compile(r"([1-9])\+([1-9])\+([1-9])")


@dataclass(frozen=True)
class Work:
    """A number of equal fortifications.

    `size` is that of a foxhole (squads), a pillbox (`2+3+5`), what a Known Minefield is of (`a-p`)
    or what hides (`squad`); `factors` are the mine factors, or hexsides of Panji, of each; `fp` is
    the price agreed on for one where neither rules nor card have any.
    """

    kind: str
    count: int = 1
    size: str = ""
    factors: int = 0
    fp: int = 0

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Work:
        """Return the work that a row of an answer describes."""
        return cls(row["type"], row["count"], row["size"], row["factors"], row["fp"])

    @property
    def name(self) -> str:
        """What players call it."""
        name = charts().fortifications.row(self.kind).name
        return f"{name} {self.size}" if self.size else name

    @property
    def amount(self) -> int:
        """How much of its kind it is, as a card limits it: factors, hexsides or pieces."""
        return self.count * self.factors if counted(self.kind) else self.count


def counted(kind: str) -> bool:
    """True if a fortification has a number of factors or hexsides."""
    row = charts().fortifications.row(kind)
    return row.per in {"factor", "hexside"} or row.formula == KNOWN


# What a side can buy ----------------------------------------------------------------------------


@implements("PL 2.38 note S", "PL CG12")
def kind_refused(cg: Cg, side: str, kind: str) -> str:
    """Say why a kind of fortification can't be bought now; empty when it can."""
    card = cg.side(side).fortifications
    if card is None:
        return "the card lets this side buy no fortifications"
    row = charts().fortifications.row(kind)
    if card.allowed is not None and kind not in card.allowed:
        return f"the card does not allow {row.name}"
    if row.initial_only and not cg.initial:
        return f"{row.name} is for the Initial Firefight only"
    if kind == BOOBY_TRAPS and not card.booby_traps:
        return "the special rules of the card allow no Booby Traps"
    if not row.priced and kind != DUMMY and not _card_prices(card, kind):
        return f"{row.name} has no price; only a card can give it one"
    return ""


def _card_prices(card: Fortifications, kind: str) -> bool:
    return any(name == kind or name.startswith(f"{kind} ") for name in card.prices)


# Prices -----------------------------------------------------------------------------------------


@implements("PL 2.38 table", "PL 2.38 note 1", "PL 2.38 note 4", "PL 2.38 note 5")
def fp_of(cg: Cg, side: str, work: Work) -> int | None:
    """Return the FP for one of a work; None where there is no price or its size does not fit.

    A price of the card (under `kind size` or `kind`) goes before that of the rules.
    """
    if size_problem(cg, side, work):
        return None
    row = charts().fortifications.row(work.kind)
    each = _card_price(cg, side, work)
    if each is not None:
        return each * (work.factors if counted(work.kind) else 1)
    if row.formula == PILLBOX:
        parts = _PILLBOX.fullmatch(work.size)
        assert parts is not None, "its size was checked"
        return pillbox_fp(*(int(part) for part in parts.groups()))
    if row.formula == KNOWN:
        hidden = Work(MINES[work.size], factors=work.factors)
        full = fp_of(cg, side, hidden)
        return None if full is None else known_minefield_fp(full)
    if not row.priced:
        return work.fp or None
    return row.cost(work.factors if counted(work.kind) else 1, work.size or None)


def _card_price(cg: Cg, side: str, work: Work) -> int | None:
    card = cg.side(side).fortifications
    prices = card.prices if card is not None else {}
    return prices.get(f"{work.kind} {work.size}", prices.get(work.kind))


def size_problem(cg: Cg, side: str, work: Work) -> tuple[str, str, str] | None:
    """Return what is wrong with size, factors or agreed price: field, fault, what is right."""
    row = charts().fortifications.row(work.kind)
    sizes = tuple(MINES) if row.formula == KNOWN else tuple(row.sizes)
    if row.formula == PILLBOX:
        if not _PILLBOX.fullmatch(work.size):
            return ("size", f"{work.size!r} is not a pillbox", "capacity + CA DRM + NCA DRM, as 2+3+5")
    elif sizes and work.size not in sizes:
        return ("size", f"{row.name} has no size {work.size!r}", f"one of {', '.join(sizes)}")
    elif not sizes and work.size:
        return ("size", f"{row.name} has no sizes", "leave it out")
    if counted(work.kind) and work.factors < 1:
        what = "hexsides" if row.per == "hexside" else "factors"
        return ("factors", f"{row.name} without {what}", f"say how many {what} each has")
    if not counted(work.kind) and work.factors:
        return ("factors", f"{row.name} has no factors", "leave them out")
    priced = row.priced or _card_price(cg, side, work) is not None
    if not priced and not work.fp:
        return ("fp", f"neither rules nor card price {row.name}", "give the FP for one (F.7B)")
    if priced and work.fp:
        return ("fp", f"{row.name} has a price", "leave it out")
    return None


# Limits -----------------------------------------------------------------------------------------


@implements("PL 2.38 note 3")
def hip_limit(cg: Cg, side: str) -> int | None:
    """Return how many squads of a side can set up hidden; None at night, when there is no limit."""
    if cg.slot.night is not None:
        return None
    squads = sum(1 for _ in hip_base(cg, side))
    return charts().hip_squads(squads, japanese=cg.nation(side).group == "japanese")


def hip_base(cg: Cg, side: str) -> Iterator[Unit]:
    """Return the squads of which a tenth can hide: those that set up on map and not In Reserve."""
    whole_ob = cg.reading("hip-base") == "all"
    for unit in cg.state.units_of(side, "squad"):
        if unit.has(Mark.PRISONER) or in_reserve(cg, unit):
            continue
        if whole_ob or sets_up(cg, unit):
            yield unit


def in_reserve(cg: Cg, unit: Unit) -> bool:
    """True if a unit belongs to a group bought In Reserve for this firefight (PL 2.33)."""
    group = cg.state.groups.get((unit.side, unit.group))
    if group is None or group.setup is not Setup.RESERVE:
        return False
    return group.firefight == cg.state.fight.number


def sets_up(cg: Cg, unit: Unit) -> bool:
    """True if a unit is on the map or can set up there in this firefight (PL 2.32)."""
    if unit.place is not Place.OFF_MAP:
        return unit.place in {Place.MAP, Place.POOL}
    return not (in_reserve(cg, unit) or enters_because(cg, unit))


@implements("PL 2.38 note 3")
def hip_halves(counts: Mapping[str, int]) -> int:
    """Return the half-squads that count against the limit, of so many units of each size."""
    return sum(halves * counts.get(size, 0) for size, halves in HALVES.items())


def carried_halves(cg: Cg, side: str) -> int:
    """Return the half-squads hidden since an earlier firefight that count (reading `hip-carry`)."""
    if cg.reading("hip-carry") != "counts":
        return 0
    units = cg.state.units_of(side, *HALVES)
    return sum(HALVES[unit.kind] for unit in units if unit.on_map and unit.has(Mark.HIP))


def booby_levels(cg: Cg) -> tuple[str, ...]:
    """Return the levels of Booby Traps from the one that is opened first (PL 2.38 note 6)."""
    return BOOBY_LEVELS[BOOBY_LEVELS.index(cg.reading("booby-first-level")) :]


def booby_traps(cg: Cg, side: str) -> Fort | None:
    """Return the Booby Trap capability that a side has."""
    return next(forts_of(cg, side, BOOBY_TRAPS), None)


# Judging ----------------------------------------------------------------------------------------


def works_problems(cg: Cg, side: str, cp: int, works: Sequence[Work]) -> tuple[Problem, ...]:
    """Return everything that the rules have against turning CP into FP and these into works."""
    return (
        *_cp_problems(cg, side, cp),
        *_row_problems(cg, side, works),
        *_card_limits(cg, side, works),
        *_hip_problems(cg, side, works),
        *_set_dc_problems(cg, side, works),
        *_booby_problems(cg, side, works),
        *_cave_problems(cg, side, works),
        *_fp_problems(cg, side, cp, works),
    )


def _amount(works: Sequence[Work], kind: str, size: str | None = None) -> int:
    return sum(w.amount for w in works if w.kind == kind and size in (None, w.size))


def _cp_problems(cg: Cg, side: str, cp: int) -> Iterator[Problem]:
    held = cg.state.side(side).cp
    if cp > held:
        yield Problem(f"You want to turn {cp} CP into FP", f"you have {held}", "cp")
    card = cg.side(side).fortifications
    if card is not None and card.max_cp is not None and cp > card.max_cp:
        yield Problem(f"You want to turn {cp} CP into FP", f"the card allows {card.max_cp}", "cp")


def _row_problems(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    for number, work in enumerate(works, 1):
        refused = kind_refused(cg, side, work.kind)
        if refused:
            yield Problem(refused, "leave it out", f"works[{number}].type")
            continue
        wrong = size_problem(cg, side, work)
        if wrong is not None:
            field, what, right = wrong
            yield Problem(what, right, f"works[{number}].{field}")


def _card_limits(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    card = cg.side(side).fortifications
    limits = card.limits if card is not None else {}
    for kind, most in limits.items():
        wanted = _amount(works, kind)
        if wanted > most:
            right = f"the card allows {most} in one firefight"
            yield Problem(f"You want {wanted} x {kind}", right, "works")


def _hip_problems(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    """HIP bought and not yet used counts with what is wanted; half-squads count half."""
    wanted = hip_halves({size: _amount(works, HIP, size) for size in HALVES})
    limit = hip_limit(cg, side)
    if not wanted or limit is None:
        return
    bought = {size: sum(f.count for f in forts_of(cg, side, HIP) if f.size == size) for size in HALVES}
    halves = wanted + hip_halves(bought) + carried_halves(cg, side)
    if halves > 2 * limit:
        squads = sum(1 for _ in hip_base(cg, side))
        right = f"the limit is {limit} of {squads} by day (PL 2.38 note 3)"
        yield Problem(f"You want HIP for {halves / 2:g} squads", right, "works")


@implements("PL 2.38 note 8")
def _set_dc_problems(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    """A DC that is Set is one that the side has on map or free to set up there, and not in Reserve."""
    wanted = _amount(works, SET_DC)
    there = sum(u.type == DC and sets_up(cg, u) for u in cg.state.units_of(side, "sw"))
    waiting = sum(fort.at is None for fort in forts_of(cg, side, SET_DC))
    free = max(0, there - waiting)
    if wanted > free:
        right = f"your troops on map or setting up there have {free} (PL 2.38 note 8)"
        yield Problem(f"You want to Set {wanted} DC", right, "works")


@implements("PL 2.38 note 6")
def _booby_problems(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    wanted = _amount(works, BOOBY_TRAPS)
    present = booby_traps(cg, side)
    levels = booby_levels(cg) if present is None else BOOBY_LEVELS
    left = len(levels) if present is None else len(levels) - 1 - levels.index(present.size)
    if wanted > left:
        right = f"you can buy {left}, up to level {levels[-1]}"
        yield Problem(f"You want {wanted} levels of Booby Traps", right, "works")


@implements("PL 2.38 note 9")
def _cave_problems(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    each = charts().limit("caves-per-complex")
    caves = _amount(works, CAVE) + sum(1 for _ in forts_of(cg, side, CAVE))
    complexes = _amount(works, COMPLEX) + sum(1 for _ in forts_of(cg, side, COMPLEX))
    if _amount(works, COMPLEX) and complexes * each > caves:
        what = f"{complexes} Cave Complexes for {caves} caves"
        yield Problem(what, f"{each} caves for each", "works")


def _fp_problems(cg: Cg, side: str, cp: int, works: Sequence[Work]) -> Iterator[Problem]:
    turned = f"FP with {cp} CP turned into FP" if cp else "FP"
    total, held = total_fp(cg, side, works), fp_with(cg, side, cp)
    if total > held:
        yield Problem(f"This costs {total} FP, and you have {held} {turned}")


def total_fp(cg: Cg, side: str, works: Sequence[Work]) -> int:
    """Return the FP that works cost together; those without a price count nothing."""
    return sum((fp_of(cg, side, work) or 0) * work.count for work in works)


@implements("PL 1.4 Fortification Points")
def fp_with(cg: Cg, side: str, cp: int) -> int:
    """Return the FP that a side has when it turns so many CP into FP; kept ones count (PL CG7)."""
    card = cg.side(side).fortifications
    rate = card.fp_per_cp if card is not None else 0
    return cg.state.side(side).fp + cp * rate
