"""Fortifications: what a side buys in secret (PL 2.38). It chooses their places at setup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Number, Option, Procedure, Record, Text, Total, implements, step
from laager.campaign.temperament import Temperament
from laager.rules.board.buying.shop import nothing_bought
from laager.rules.board.buying.works import HipCap, WorkShop
from laager.rules.board.facts import FortJoined, SideNumber
from laager.rules.board.numbering import join_fort
from laager.rules.board.places import Fault
from laager.rules.board.units import Unit
from laager.rules.platoon_leader.buying.groups import sets_up
from laager.rules.platoon_leader.buying.works import (
    A_P_MINES,
    BOOBY_LEVELS,
    BOOBY_TRAPS,
    KNOWN,
    MINES,
    PILLBOX,
    PILLBOXES,
    Work,
    amount_of,
    booby_levels,
    booby_problems,
    booby_traps,
    card_prices,
    carried_halves,
    cave_problems,
    fp_of,
    has_factors,
    hip_cap,
    kind_refused,
    price_words,
    size_problem,
)
from laager.rules.platoon_leader.card.card import Fortifications
from laager.rules.platoon_leader.charts import FortificationPrice, charts
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import CpChanged, FpChanged


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
        return not row.priced and not card_prices(self.card, row.type)

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
            if (wanted := amount_of(works, kind)) > most:
                yield Problem(f"You want {wanted} x {kind}", f"the card allows {most} in one firefight", "works")
        yield from booby_problems(self.cg, self.side, works)
        yield from cave_problems(self.cg, self.side, works)

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
