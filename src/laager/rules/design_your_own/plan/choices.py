"""A purchase as an integer program: what can be bought, what it costs, what must be.

The rules of a purchase have checked everything that the program may choose; the
limits that depend on numbers (points, counters, full sets, HIP) are rows of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.catalogue.dyo import DyoGun, DyoMmc, DyoVehicle
from laager.catalogue.kinds import Grade, Kind
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines import infantry as rules
from laager.rules.design_your_own.lines import pieces, vehicles
from laager.rules.design_your_own.ob import BatteryEntry, InfantryEntry, VehicleEntry
from laager.rules.design_your_own.plan.program import Program
from laager.rules.design_your_own.plan.wishes import PieceWish, SquadWish, Wishes
from laager.rules.design_your_own.steps import infantry
from laager.rules.design_your_own.steps.buying import MOST_OF_ONE


@dataclass(frozen=True)
class SquadChoice:
    """MMC of a type with capabilities: a variable counts them; `entry` is the line for one."""

    variable: int
    entry: InfantryEntry
    line: rules.InfantryLine

    def fulfils(self, wish: SquadWish) -> bool:
        """True if these are what a wish asks for."""
        if wish.type and wish.type != self.entry.type:
            return False
        if not wish.type and self.line.kind is not Kind.SQUAD:
            return False
        if wish.at_least and not self.line.grade >= Grade(wish.at_least):
            return False
        return set(wish.capabilities) <= set(self.entry.capabilities)


@dataclass(frozen=True)
class PieceChoice:
    """Guns or vehicles of a type."""

    variable: int
    piece: DyoGun | DyoVehicle

    @property
    def afv(self) -> bool:
        """True if they are AFV."""
        return isinstance(self.piece, DyoVehicle) and self.piece.afv is True

    def fulfils(self, wish: PieceWish) -> bool:
        """True if these are what a wish asks for; `tank` fits a medium tank."""
        if wish.type:
            return wish.type == self.piece.type
        sort = str(self.piece.sort)
        return not wish.sort or sort == wish.sort or sort.endswith(f" {wish.sort}")


@dataclass(frozen=True)
class BatteryChoice:
    """A battery that an OBA DR offers; no variable if there is nothing to buy."""

    entry: BatteryEntry
    variable: int | None = None


@dataclass
class PurchasePlan:
    """The program of a purchase, and what its variables stand for.

    `cost` are the points by variable, `fixed` those that are spent in any case. `barred` says why
    a wish can't be met whatever the numbers; `notes` what was assumed.
    """

    cg: Cg
    side: str
    wishes: Wishes
    program: Program = field(default_factory=Program)
    cost: dict[int, int] = field(default_factory=dict)
    fixed: int = 0
    squads: list[SquadChoice] = field(default_factory=list)
    guns: list[PieceChoice] = field(default_factory=list)
    vehicles: list[PieceChoice] = field(default_factory=list)
    batteries: list[BatteryChoice] = field(default_factory=list)
    barred: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def points(self) -> int:
        """The allotment of the side."""
        return self.cg.terms.side(self.side).points

    @property
    def extra_pieces(self) -> bool:
        """True if counters set no limit by agreement."""
        return self.cg.terms.agreements.extra_pieces

    def buy(self, price: int, most: int) -> int:
        """Add a variable for something with a price."""
        variable = self.program.variable(min(most, self.points // price if price else most))
        self.cost[variable] = price
        return variable

    def solve(self) -> list[int] | None:
        """Return the values of the best purchase, None if the wishes can't be met."""
        if self.barred:
            return None
        self.program.row(self.cost, most=self.points - self.fixed - self.wishes.reserve)
        return self.program.solve([self._goal(), self.cost], self._few_kinds())

    def _few_kinds(self) -> Mapping[int, int]:
        """Add a variable for each kind of piece that is bought: the fewer, the tidier the OB."""
        goal = {}
        kinds: tuple[SquadChoice | PieceChoice, ...] = (*self.squads, *self.guns, *self.vehicles)
        for choice in kinds:
            used = self.program.variable(1)
            self.program.row({choice.variable: 1, used: -self.program.most[choice.variable]}, most=0)
            goal[used] = -1
        return goal

    def _goal(self) -> Mapping[int, int]:
        if self.wishes.maximise == "equivalency":
            return _equivalents(self)
        if self.wishes.maximise == "squads":
            return {squad.variable: int(2 * squad.line.squads) for squad in self.squads}
        if self.wishes.maximise == "afv":
            return {vehicle.variable: 1 for vehicle in self.vehicles if vehicle.afv}
        return {gun.variable: 1 for gun in self.guns if self.wishes.maximise == "guns"}


def _equivalents(plan: PurchasePlan) -> Mapping[int, int]:
    """Add a variable for the Equivalents of each subsection (or line), rounded down (DYO H1.74)."""
    by_line = plan.cg.reading("equivalency-rounding") == "line"
    groups: dict[str, list[SquadChoice]] = {}
    for squad in plan.squads:
        name = squad.line.subsection.value
        groups.setdefault(f"{name} {squad.variable}" if by_line else name, []).append(squad)
    goal = {}
    for group in groups.values():
        factor = plan.cg.charts.equivalency.factors[group[0].line.subsection.value]
        number = plan.program.variable(4 * plan.points)
        halves = {squad.variable: int(2 * squad.line.squads) * factor.numerator for squad in group}
        plan.program.row({**halves, number: -2 * factor.denominator}, least=0)
        goal[number] = 1
    return goal


# Infantry ---------------------------------------------------------------------------------------


def add_infantry(plan: PurchasePlan) -> None:
    """Add all MMC that can be bought, and the rows of the wishes for them."""
    seen = set()
    for entry in _entries(plan):
        key = (entry.type, entry.capabilities)
        line = rules.rule_line(plan.cg.nation(plan.side), plan.cg.month, entry)
        if key in seen or rules.line_breaches(plan.cg.rulebook, line):
            continue
        seen.add(key)
        variable = plan.buy(entry.each, MOST_OF_ONE)
        plan.squads.append(SquadChoice(variable, entry, line))
    taken = rules.counters_taken(plan.cg.ob(plan.side).infantry)
    for type_ in dict.fromkeys(squad.entry.type for squad in plan.squads):
        counters = plan.cg.nation(plan.side).mmc(type_).counters
        if isinstance(counters, int) and not plan.extra_pieces:
            alike = {squad.variable: 1 for squad in plan.squads if squad.entry.type == type_}
            plan.program.row(alike, most=counters - taken.get(type_, 0))
    for wish in plan.wishes.squads:
        fitting = {squad.variable: 1 for squad in plan.squads if squad.fulfils(wish)}
        plan.program.row(fitting, least=wish.count)
        if not fitting:
            plan.barred.append(f"nobody at this date is what {wish.words} asks for")


def _entries(plan: PurchasePlan) -> Iterator[InfantryEntry]:
    """Yield a line for one MMC of each type, with each set of capabilities that is wished for."""
    sets = list(dict.fromkeys([(), *(wish.capabilities for wish in plan.wishes.squads)]))
    named = {wish.type for wish in plan.wishes.squads}
    for mmc in infantry.on_offer(plan.cg, plan.side):
        if not rules.has_price(mmc, plan.cg.month):
            continue
        if mmc.sort is not Kind.SQUAD and mmc.type not in named:
            continue
        for marks in sets:
            if _may_be(mmc, marks):
                yield from infantry.entries_of(
                    plan.cg, plan.side, "first", infantry_answer(plan.wishes, [(mmc.type, 1, marks)])
                )


def _may_be(mmc: DyoMmc, marks: Iterable[str]) -> bool:
    """True if the catalogue lets an MMC be bought this way; where it says nothing, only the rules count."""
    known = rules.may_be(mmc)
    return known is None or {mark for mark in marks if mark in rules.SPECIALISTS} <= known


def bought_infantry(plan: PurchasePlan, values: Sequence[int]) -> list[tuple[str, int, tuple[str, ...]]]:
    """Return the Infantry that a solved plan buys: type, number, capabilities."""
    numbers = ((squad.entry, values[squad.variable]) for squad in plan.squads)
    return [(entry.type, number, entry.capabilities) for entry, number in numbers if number]


def infantry_answer(wishes: Wishes, rows: Iterable[tuple[str, int, Iterable[str]]]) -> Mapping[str, Any]:
    """Return Infantry as the answer to the question for it: (type, number, capabilities)."""
    lines = []
    for type_, number, marks in rows:
        row: dict[str, Any] = {"type": type_, "number": number}
        row |= {name: mark.value in marks for name, mark in infantry.ROW_MARKS.items()}
        lines.append(row)
    wide = {name: mark.value in wishes.capabilities for name, mark in infantry.WIDE_MARKS.items()}
    return {"lines": lines, **wide}


# Guns and vehicles ------------------------------------------------------------------------------


def add_guns(plan: PurchasePlan, final_dr: int | None) -> None:
    """Add the Guns that a DR allows; None: no DR, so no Guns."""
    guns = [] if final_dr is None else plan.cg.nation(plan.side).guns(plan.cg.month)
    wishes = plan.wishes.guns
    every = plan.wishes.maximise in ("guns", "points")
    plan.guns += _pieces(plan, guns, final_dr, wishes, every=every, rule="DYO H1.3")
    _add_wish_rows(plan, plan.guns, wishes, "Gun")


def add_vehicles(plan: PurchasePlan, final_dr: int | None) -> None:
    """Add the vehicles that a DR allows; None: no DR, so none. Platoons are AFV."""
    vehicles = [] if final_dr is None else plan.cg.nation(plan.side).vehicles(plan.cg.month)
    wishes = (*plan.wishes.platoons, *plan.wishes.vehicles)
    every = plan.wishes.maximise in ("afv", "points")
    plan.vehicles += _pieces(plan, vehicles, final_dr, wishes, every=every, rule="DYO H1.4")
    for vehicle in plan.vehicles:
        _full_set(plan, vehicle)
    afv = [vehicle for vehicle in plan.vehicles if vehicle.afv]
    used = _add_wish_rows(plan, afv, plan.wishes.platoons, "AFV")
    _add_wish_rows(plan, plan.vehicles, plan.wishes.vehicles, "vehicle", used)


def _pieces(
    plan: PurchasePlan,
    listed: Sequence[DyoGun] | Sequence[DyoVehicle],
    final_dr: int | None,
    wishes: Sequence[PieceWish],
    *,
    every: bool,
    rule: str,
) -> Iterator[PieceChoice]:
    if final_dr is None:
        return
    limit = pieces.rf_limit(plan.cg.rulebook, final_dr, motorized=plan.wishes.motorized and rule == "DYO H1.4")
    for piece in listed:
        if not pieces.has_price_and_rf(piece, plan.cg.month):
            continue
        if any(pieces.piece_breaches(plan.cg, piece, 1, limit, rule)):
            continue
        choice = PieceChoice(-1, piece)
        if not every and not any(choice.fulfils(wish) for wish in wishes):
            continue
        assert isinstance(piece.bpv, int)
        most = piece.counters if isinstance(piece.counters, int) else MOST_OF_ONE
        yield PieceChoice(plan.buy(piece.bpv, most), piece)


def _add_wish_rows(
    plan: PurchasePlan,
    choices: Sequence[PieceChoice],
    wishes: Sequence[PieceWish],
    noun: str,
    used: Mapping[int, Mapping[int, int]] | None = None,
) -> Mapping[int, Mapping[int, int]]:
    """Let each wish have its own pieces, all of one type; return what of each type is taken."""
    taken: dict[int, dict[int, int]] = {key: dict(terms) for key, terms in (used or {}).items()}
    for wish in wishes:
        picks = {}
        for choice in choices:
            if choice.fulfils(wish):
                pick = plan.program.variable(1)
                picks[pick] = 1
                taken.setdefault(choice.variable, {})[pick] = wish.count
        plan.program.row(picks, least=1)
        if not picks:
            plan.barred.append(f"no {noun} within the RF is what {wish.words_for(noun)} asks for")
    for variable, terms in taken.items():
        plan.program.row({variable: 1, **{pick: -n for pick, n in terms.items()}}, least=0)
    return taken


def _full_set(plan: PurchasePlan, choice: PieceChoice) -> None:
    """Add the price of optional armament to buying all vehicles of a type (DYO H1.12)."""
    counters = choice.piece.counters
    if not isinstance(counters, int):
        return
    all_ = [VehicleEntry(type=choice.piece.type, id=pieces.id_letters(i, 1)) for i in range(counters)]
    forced = vehicles.full_set_cost(plan.cg.nation_with_all_counters(plan.side), plan.cg.month, all_)
    if forced:
        whole = plan.program.variable(1)
        plan.cost[whole] = forced
        plan.program.row({choice.variable: 1, whole: -1}, most=counters - 1)
        plan.program.row({choice.variable: 1, whole: -counters}, least=0)
