"""Fortifications: which a side can buy, at which price, how many (PL 2.38 with its notes).

`Work` is one row of what a side wants, `fp_of` its price. `fortifications` asks which it wants.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from laager.base import Problem
from laager.campaign import implements
from laager.rules.board.buying.works import HALF_SQUAD, SQUAD, AnyWork, HipCap
from laager.rules.board.numbering import forts_of
from laager.rules.board.places import Fault
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.platoon_leader.buying.groups import in_reserve, sets_up
from laager.rules.platoon_leader.card.card import Fortifications
from laager.rules.platoon_leader.charts import FortificationPrice, charts, known_minefield_fp, pillbox_fp
from laager.rules.platoon_leader.context import Cg

BOOBY_TRAPS, PILLBOX, KNOWN = "booby-traps", "pillbox", "known-minefield"
CAVE, COMPLEX, DUMMY = "cave", "cave-complex", "dummy-minefield"
BOOBY_LEVELS = ("C", "B", "A")
"""The levels of Booby Traps, the weakest first (B28.9)."""

A_P_MINES = "a-p-mines"
"""Their counters have 6, 8 or 12 factors, those of other mines 1 to 5 (B28)."""
MINES = {"a-p": A_P_MINES, "a-t": "a-t-mines", "a-b": "a-b-mines"}
"""What a Known Minefield is of, and the row that prices its factors."""


PILLBOXES = ("1+3+5", "1+5+7", "2+3+5", "2+5+7", "3+3+5", "3+5+7")
"""The pillboxes of which there are counters: capacity, CA DRM and NCA DRM (B30)."""
_PILLBOX = re.compile(r"([1-9])\+([1-9])\+([1-9])")


@dataclass(frozen=True)
class Work(AnyWork):
    """A number of equal fortifications.

    `size` is that of a foxhole (squads), a pillbox (`2+3+5`), what a Known Minefield is of (`a-p`)
    or what hides (`squad`); `factors` are the mine factors, or hexsides of Panji, of each; `fp` is
    the price agreed on for one where neither rules nor card have any.
    """

    factors: int = 0
    fp: int = 0

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Work:
        """Return the work that a row of an answer describes."""
        return cls(row["type"], row["size"], row["count"], row["factors"], row["fp"])

    @property
    def name(self) -> str:
        """What players call one: `pillbox 2+3+5`, `A-P mines of 6`."""
        name = charts().fortifications.row(self.kind).name
        name = f"{name} {self.size}" if self.size else name
        return f"{name} of {self.factors}" if self.factors else name

    @property
    def amount(self) -> int:
        """How much of its kind it is, as a card limits it: factors, hexsides or pieces."""
        return self.count * self.factors if has_factors(self.kind) else self.count


def has_factors(kind: str) -> bool:
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
    row = cg.charts.fortifications.row(kind)
    if card.allowed is not None and kind not in card.allowed:
        return f"the card does not allow {row.name}"
    if row.initial_only and not cg.initial and cg.house.is_applied("PL 2.38 note S"):
        return f"{row.name} is for the Initial Firefight only"
    if kind == BOOBY_TRAPS and not card.booby_traps:
        return "the special rules of the card allow no Booby Traps"
    if not row.priced and kind != DUMMY and not card_prices(card, kind):
        return f"{row.name} has no price; only a card can give it one"
    return ""


def card_prices(card: Fortifications, kind: str) -> bool:
    """True if a card has a price for a kind, or for one of its sizes."""
    return any(name == kind or name.startswith(f"{kind} ") for name in card.prices)


# Prices -----------------------------------------------------------------------------------------


@implements("PL 2.38 table", "PL 2.38 note 1", "PL 2.38 note 4", "PL 2.38 note 5")
def fp_of(cg: Cg, side: str, work: Work) -> int | None:
    """Return the FP for one of a work; None where there is no price or its size does not fit.

    A price of the card (under `kind size` or `kind`) goes before that of the rules.
    """
    if size_problem(cg, side, work):
        return None
    row = cg.charts.fortifications.row(work.kind)
    each = _card_price(cg, side, work)
    if each is not None:
        return each * (work.factors if has_factors(work.kind) else 1)
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
    return row.cost(work.factors if has_factors(work.kind) else 1, work.size or None)


def _card_price(cg: Cg, side: str, work: Work) -> int | None:
    card = cg.side(side).fortifications
    prices = card.prices if card is not None else {}
    return prices.get(f"{work.kind} {work.size}", prices.get(work.kind))


def size_problem(cg: Cg, side: str, work: Work) -> Fault | None:
    """Return what is wrong with size, factors or agreed price."""
    row = cg.charts.fortifications.row(work.kind)
    sizes = tuple(MINES) if row.formula == KNOWN else tuple(row.sizes)
    if row.formula == PILLBOX:
        if not _PILLBOX.fullmatch(work.size):
            return f"{work.size!r} is not a pillbox", "capacity + CA DRM + NCA DRM, as 2+3+5", "size"
    elif sizes and work.size not in sizes:
        return f"{row.name} has no size {work.size!r}", f"one of {', '.join(sizes)}", "size"
    elif not sizes and work.size:
        return f"{row.name} has no sizes", "leave it out", "size"
    if has_factors(work.kind) and work.factors < 1:
        unit = "hexsides" if row.per == "hexside" else "factors"
        return f"{row.name} without {unit}", f"say how many {unit} each has", "factors"
    if not has_factors(work.kind) and work.factors:
        return f"{row.name} has no factors", "leave them out", "factors"
    priced = row.priced or _card_price(cg, side, work) is not None
    if not priced and not work.fp:
        return f"neither rules nor card price {row.name}", "give the FP for one (F.7B)", "fp"
    if priced and work.fp:
        return f"{row.name} has a price", "leave it out", "fp"
    return None


def price_words(cg: Cg, side: str, row: FortificationPrice) -> str:
    """Return the price of a kind of fortification in words, as a player reads it on the chart."""
    card = cg.side(side).fortifications
    own = {} if card is None else card.prices
    if row.type in own:
        return f"{own[row.type]} FP" + (f" per {row.per}" if row.per else "")
    if row.sizes:
        priced = {size: own.get(f"{row.type} {size}", fp) for size, fp in row.sizes.items()}
        return ", ".join(f"{size} {fp} FP" for size, fp in priced.items())
    if row.formula == KNOWN:
        return "0.8 of the price of its factors (FRU)"
    if row.formula is not None:
        return "capacity x (CA DRM + NCA DRM) FP"
    if row.fp is None:
        return "as agreed"
    return f"{row.fp} FP" + (f" per {row.per}" if row.per else "")


# Limits -----------------------------------------------------------------------------------------


@implements("PL 2.38 note 3")
def hip_cap(cg: Cg, side: str, does: Callable[[Unit], bool] | None = None) -> HipCap | None:
    """Return how many squads of a side can set up hidden: a tenth by day; None at night, when there is no limit.

    `does` says which units set up by the answer in hand; without it all count that can.
    """
    if cg.slot.night is not None or not cg.house.is_applied("PL 2.38 note 3"):
        return None
    base = sum(1 for _ in hip_base(cg, side, does or partial(sets_up, cg)))
    most = cg.charts.hip_squads(base, japanese=cg.nation(side).group == "japanese")
    return HipCap(most, 2 * base, note=" by day (PL 2.38 note 3)")


def hip_base(cg: Cg, side: str, does: Callable[[Unit], bool]) -> Iterator[Unit]:
    """Return the squads of which a tenth can hide: those that set up on map (`does`) and not In Reserve.

    By the reading `hip-base` all of the OB that are not In Reserve.
    """
    whole_ob = cg.reading("hip-base") == "all"
    for unit in cg.state.units_of(side, "squad"):
        if unit.has(Mark.PRISONER) or in_reserve(cg, unit):
            continue
        if whole_ob or does(unit):
            yield unit


def carried_halves(cg: Cg, side: str) -> int:
    """Return the half-squads hidden since an earlier firefight that count (reading `hip-carry`)."""
    if cg.reading("hip-carry") != "counts":
        return 0
    units = cg.state.units_of(side, SQUAD, HALF_SQUAD)
    return sum(2 if unit.kind == SQUAD else 1 for unit in units if unit.on_map and unit.has(Mark.HIP))


def booby_levels(cg: Cg) -> tuple[str, ...]:
    """Return the levels of Booby Traps from the one that is opened first (PL 2.38 note 6)."""
    return BOOBY_LEVELS[BOOBY_LEVELS.index(cg.reading("booby-first-level")) :]


def booby_traps(cg: Cg, side: str) -> Fort | None:
    """Return the Booby Trap capability that a side has."""
    return next(forts_of(cg, side, BOOBY_TRAPS), None)


def amount_of(works: Sequence[Work], kind: str) -> int:
    """Return how much of a kind the works are: factors, hexsides or pieces."""
    return sum(work.amount for work in works if work.kind == kind)


@implements("PL 2.38 note 6")
def booby_problems(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    """Yield that a side wants more levels of Booby Traps than are left."""
    wanted = amount_of(works, BOOBY_TRAPS)
    present = booby_traps(cg, side)
    levels = booby_levels(cg) if present is None else BOOBY_LEVELS
    left = len(levels) if present is None else len(levels) - 1 - levels.index(present.size)
    if wanted > left:
        right = f"you can buy {left}, up to level {levels[-1]}"
        yield Problem(f"You want {wanted} levels of Booby Traps", right, "works")


@implements("PL 2.38 note 9")
def cave_problems(cg: Cg, side: str, works: Sequence[Work]) -> Iterator[Problem]:
    """Yield that a side wants more Cave Complexes than its caves allow."""
    if not cg.house.is_applied("PL 2.38 note 9"):
        return
    each = cg.charts.limit("caves-per-complex")
    caves = amount_of(works, CAVE) + sum(1 for _ in forts_of(cg, side, CAVE))
    complexes = amount_of(works, COMPLEX) + sum(1 for _ in forts_of(cg, side, COMPLEX))
    if amount_of(works, COMPLEX) and complexes * each > caves:
        message = f"{complexes} Cave Complexes for {caves} caves"
        yield Problem(message, f"{each} caves for each", "works")
