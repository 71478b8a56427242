"""Fortifications: which a side can buy in secret, at which price, how many (PL 2.38 with its notes).

`Work` is one row of what a side wants, `fp_of` its price. A side chooses their places at setup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, ClassVar

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Number, Option, Procedure, Record, Text, Total, implements, step
from laager.campaign.temperament import Temperament
from laager.rules.board.buying.shop import nothing_bought
from laager.rules.board.buying.works import HALF_SQUAD, SQUAD, AnyWork, HipCap, WorkShop
from laager.rules.board.facts import FortJoined, SideNumber
from laager.rules.board.numbering import forts_of, join_fort
from laager.rules.board.places import Fault
from laager.rules.board.units import Fort, Mark, Unit
from laager.rules.platoon_leader.buying.groups import in_reserve, sets_up
from laager.rules.platoon_leader.card.card import Fortifications
from laager.rules.platoon_leader.charts import FortificationPrice, charts, known_minefield_fp, pillbox_fp
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CpChanged, FpChanged

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


def _amount(works: Sequence[Work], kind: str) -> int:
    return sum(work.amount for work in works if work.kind == kind)


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
    if not cg.house.is_applied("PL 2.38 note 9"):
        return
    each = cg.charts.limit("caves-per-complex")
    caves = _amount(works, CAVE) + sum(1 for _ in forts_of(cg, side, CAVE))
    complexes = _amount(works, COMPLEX) + sum(1 for _ in forts_of(cg, side, COMPLEX))
    if _amount(works, COMPLEX) and complexes * each > caves:
        message = f"{complexes} Cave Complexes for {caves} caves"
        yield Problem(message, f"{each} caves for each", "works")


# Buying -----------------------------------------------------------------------------------------


@step("PL 2.38", "Fortifications", each_side=True, edition=2)
def fortifying(cg: Cg, side: str) -> Procedure[None]:
    """CP become FP, FP become fortifications; what is left over is kept."""
    if cg.side(side).fortifications is not None:
        yield from FpShop(cg, side).carry_out()
        yield from _leftover(cg, side)


class FpShop(WorkShop[Work]):
    """What one side can build for this firefight; it is asked even if it has nothing to spend."""

    cg: Cg
    points: ClassVar[str] = "FP"
    changed: ClassVar[type[SideNumber]] = FpChanged
    rule: ClassVar[str] = "PL 2.38"
    dc_words: ClassVar[str] = "with troops on map or setting up there (PL 2.38 note 8)"

    @property
    def card(self) -> Fortifications:
        """What the card lets the side build."""
        card = self.cg.side(self.side).fortifications
        assert card is not None, "asked of a side that can buy fortifications"
        return card

    def work(self, row: Mapping[str, Any]) -> Work:
        """Return the work that a row of an answer describes."""
        return Work.of(row)

    def price(self, work: Work) -> int:
        """Return the FP for one of a work; 0 if it has no price."""
        return fp_of(self.cg, self.side, work) or 0

    @implements("PL 1.4 Fortification Points")
    def points_held(self, answer: Mapping[str, Any]) -> int:
        """Return the FP that the side has when it turns CP into FP; kept ones count (PL CG7)."""
        turned: int = answer["cp"] * self.card.fp_per_cp
        return self.cg.state.side(self.side).fp + turned

    def held_note(self, answer: Mapping[str, Any]) -> str:
        """Return that CP turned into FP are among them."""
        return f" FP with {answer['cp']} CP turned into FP" if answer["cp"] else ""

    def held_words(self) -> str:
        """Return the FP and CP that the side has."""
        own = self.cg.state.side(self.side)
        return f"{own.fp} FP and {own.cp} CP"

    def more_fields(self) -> Iterator[Field]:
        """Yield the field for CP."""
        cp = Number(0, self.cg.state.side(self.side).cp)
        yield Field("cp", cp, f"CP to turn into FP, {self.card.fp_per_cp} FP each", 0)

    def more_totals(self, answer: Mapping[str, Any]) -> Iterator[Total]:
        """Yield the CP."""
        yield Total("CP turned into FP", answer["cp"], self.cg.state.side(self.side).cp)

    def help(self) -> str:
        """Return the help of the question."""
        return (
            "size: squads of a foxhole; capacity+CA+NCA of a pillbox (2+3+5); a-p, a-t or a-b "
            "of a Known Minefield; what hides with HIP. factors: of one minefield, or hexsides of "
            "Panji. You choose their places at setup."
        )

    def row(self) -> Record:
        """Return the form of a row: the kinds with their prices in words."""
        cg, side = self.cg, self.side
        rows = cg.charts.fortifications.rows
        kinds = tuple(
            Option(row.type, f"{row.name}: {price_words(cg, side, row)}", kind_refused(cg, side, row.type))
            for row in rows
        )
        return Record.of(
            Field("type", Choice(kinds), "Fortification"),
            Field("count", Number(1, 99), "How many", 1),
            Field("size", Text(limit=20), "Size", "", only_for=_kinds(rows, _has_sizes)),
            Field("factors", Number(0, 99), "Factors or hexsides of each", 0, only_for=_kinds(rows, _has_factors)),
            Field("fp", Number(0, 99), "FP for one, agreed", 0, only_for=_kinds(rows, self._is_agreed)),
        )

    def _is_agreed(self, row: FortificationPrice) -> bool:
        """True if neither rules nor card price a kind."""
        return not row.priced and not _card_prices(self.card, row.type)

    def goods(self) -> Iterator[tuple[str, Mapping[str, Any], str]]:
        """Yield every kind that can be bought, each size by itself; the cart changes factors and agreed prices."""
        for row in self.cg.charts.fortifications.rows:
            if kind_refused(self.cg, self.side, row.type):
                continue
            sizes = {PILLBOX: PILLBOXES, KNOWN: tuple(MINES)}.get(row.formula or "", tuple(row.sizes))
            for size in sizes or ("",):
                wanted: dict[str, Any] = {"type": row.type}
                wanted |= {"size": size} if size else {}
                wanted |= (
                    {"factors": 6 if A_P_MINES in (row.type, MINES.get(size)) else 1} if has_factors(row.type) else {}
                )
                wanted |= {"fp": 1} if self._is_agreed(row) else {}
                yield _name_of(row, size), wanted, self._price_of(row, wanted)

    def _price_of(self, row: FortificationPrice, wanted: Mapping[str, Any]) -> str:
        """Return the price of a line in words; "" where it is that of one."""
        if row.formula == KNOWN:
            price = self.price(Work(row.type, wanted["size"], factors=wanted["factors"]))
            return f"{price} FP for {wanted['factors']} factors"
        return price_words(self.cg, self.side, row) if row.per or self._is_agreed(row) else ""

    def irrevocable(self, answer: Mapping[str, Any]) -> str:
        """Say that the side builds nothing though it has FP."""
        return nothing_bought(answer["works"], self.cg.state.side(self.side).fp, "FP")

    # Checks ---------------------------------------------------------------------------------------

    def row_faults(self, work: Work) -> Iterator[Fault]:
        """Yield what the rules have against a work by itself."""
        if refused := kind_refused(self.cg, self.side, work.kind):
            yield refused, "leave it out", "type"
        elif fault := size_problem(self.cg, self.side, work):
            yield fault

    def more_problems(self, answer: Mapping[str, Any], works: Sequence[Work]) -> Iterator[Problem]:
        """Yield what is wrong with the CP, the card's limits, Booby Traps and Cave Complexes."""
        cp, held, most = answer["cp"], self.cg.state.side(self.side).cp, self.card.max_cp
        if cp > held:
            yield Problem(f"You want to turn {cp} CP into FP", f"you have {held}", "cp")
        if most is not None and cp > most:
            yield Problem(f"You want to turn {cp} CP into FP", f"the card allows {most}", "cp")
        for kind, most in self.card.limits.items():
            if (wanted := _amount(works, kind)) > most:
                yield Problem(f"You want {wanted} x {kind}", f"the card allows {most} in one firefight", "works")
        yield from _booby_problems(self.cg, self.side, works)
        yield from _cave_problems(self.cg, self.side, works)

    @implements("PL 2.38 note 3")
    def hip_cap(self) -> HipCap | None:
        """Return how many squads can use HIP: by day a tenth, with half-squads as half."""
        return hip_cap(self.cg, self.side)

    def carried_hip(self) -> int:
        """Return the half-squads hidden since an earlier firefight that count."""
        return carried_halves(self.cg, self.side)

    @implements("PL 2.38 note 8")
    def can_set(self, dc: Unit) -> bool:
        """True if a DC is on map or free to set up there, and not in Reserve."""
        return sets_up(self.cg, dc)

    # What follows ---------------------------------------------------------------------------------

    def exchange_points(self, answer: Mapping[str, Any]) -> Iterator[Fact]:
        """CP become FP."""
        if cp := answer["cp"]:
            rate, to = self.card.fp_per_cp, (self.side,)
            why = f"{cp} CP become {cp * rate} FP, {rate} for each"
            yield CpChanged(side=self.side, by=-cp, why=why, to=to)
            yield FpChanged(side=self.side, by=cp * rate, why=why, to=to)

    def entry(self, work: Work) -> dict[str, Any]:
        """Return the fields of the entries: a Known Minefield is what it is of."""
        if work.kind != KNOWN:
            return {**super().entry(work), "factors": work.factors}
        return {"kind": MINES[work.size], "factors": work.factors, "hidden": False, "known_minefield": True}

    def build(self, work: Work) -> Iterator[Fact]:
        """Let fortifications join; Booby Traps have levels."""
        if work.kind == BOOBY_TRAPS:
            yield from _booby_traps(self.cg, self.side, work.count, self.price(work))
        else:
            yield from super().build(work)

    def suggest(self, rng: Random) -> dict[str, Any]:
        """Return a legal purchase filled by chance."""
        held, most = self.cg.state.side(self.side).cp, self.card.max_cp
        most = held if most is None else min(held, most)
        cp = min(rng.randint(0, most), rng.randint(0, most))
        rows = self.cg.charts.fortifications.rows
        kinds = [row.type for row in rows if not kind_refused(self.cg, self.side, row.type)]
        works: list[dict[str, Any]] = []
        for _ in range(12 if kinds else 0):
            more = [*works, _suggest(rng.choice(kinds), rng)]
            if not self.problems({"cp": cp, "works": more}):
                works = more
        return {"cp": cp, "works": works}

    def judge(self, temper: Temperament) -> dict[str, Any]:
        """Return what somebody of a temperament builds."""
        from laager.rules.platoon_leader.judgement import judge_works

        return judge_works(self, temper)


def _kinds(rows: Iterable[FortificationPrice], has: Callable[[FortificationPrice], bool]) -> frozenset[str]:
    return frozenset(row.type for row in rows if has(row))


def _has_sizes(row: FortificationPrice) -> bool:
    return bool(row.sizes or row.formula)


def _has_factors(row: FortificationPrice) -> bool:
    return has_factors(row.type)


def _name_of(row: FortificationPrice, size: str) -> str:
    """Return what a line of the shop is called: `Foxhole 3S`, `HIP, squad`, `Pillbox 2+3+5`."""
    if size.isdigit():
        return f"{row.name} {size}S"
    return f"{row.name}, {size}" if size.islower() else f"{row.name} {size}".rstrip()


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


def _suggest(kind: str, rng: Random) -> dict[str, Any]:
    row = charts().fortifications.row(kind)
    size = rng.choice(tuple(row.sizes)) if row.sizes else ""
    if row.formula is not None:
        size = rng.choice(tuple(MINES)) if row.formula == KNOWN else rng.choice(("1+3+5", "2+3+5"))
    factors = rng.randint(1, 12) if row.per in {"factor", "hexside"} or row.formula == KNOWN else 0
    agreed = 0 if row.priced else rng.randint(1, 4)
    return {"type": kind, "count": 1, "size": size, "factors": factors, "fp": agreed}


@implements("PL 2.38 note 6", "PL 2.38 note 7", "PL CG12")
def _booby_traps(cg: Cg, side: str, levels: int, each: int) -> Iterator[Fact]:
    """Open the first level of Booby Traps, or raise the present one.

    They act in the area that was friendly when they were laid; raising them does not widen it.
    """
    for _ in range(levels):
        present = booby_traps(cg, side)
        if present is None:
            area, level = tuple(cg.sort(cg.friendly_area(side))), booby_levels(cg)[0]
            why = f"Booby Traps, now level {level}: {each} FP"
            yield join_fort(cg, side, BOOBY_TRAPS, level, fp=each, area=area, why=why)
        else:
            level = BOOBY_LEVELS[BOOBY_LEVELS.index(present.size) + 1]
            fort = present.but(size=level, fp=present.fp + each)
            yield FortJoined(fort=fort, why=f"Booby Traps, now level {level}: {each} FP", to=(side,))


@implements("PL 1.4 Fortification Points")
def _leftover(cg: Cg, side: str) -> Iterator[Fact]:
    """FP not spent are kept, unless the group plays that they are lost."""
    rest = cg.state.side(side).fp
    if rest and cg.reading("unspent-fp") == "lost":
        yield FpChanged(side=side, by=-rest, why=f"{rest} FP not spent are lost", to=(side,))
