"""Proposing a purchase that meets a side's wishes and spends its points: an integer program.

What is proposed is legal by construction, and the checks of the led purchase go over each section
before it is handed out. It begins with nothing bought, and nothing in it depends on chance: dice
that have fallen are kept, others are taken as the wishes say, and the proposal says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laager.base import Problem, Refusal, RefusedError
from laager.campaign import UMPIRE, Sheet
from laager.catalogue.dyo import DyoGun, DyoVehicle
from laager.rules.design_your_own.answers import Missing
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import ob_data
from laager.rules.design_your_own.lines import leaders, pieces
from laager.rules.design_your_own.lines import support as allotment
from laager.rules.design_your_own.lines import vehicles as vehicle_rules
from laager.rules.design_your_own.lines import works as work_rules
from laager.rules.design_your_own.ob import AirEntry, BatteryEntry, Dr, Leaders, OrderOfBattle, Ordnance, Vehicles
from laager.rules.design_your_own.plan import choices, support
from laager.rules.design_your_own.plan.wishes import PieceWish, WishedDice, Wishes, WishLine
from laager.rules.design_your_own.sheets import columns_of
from laager.rules.design_your_own.sheets.offers import points_sheet
from laager.rules.design_your_own.spelling import spell_wishes
from laager.rules.design_your_own.state import first_state
from laager.rules.design_your_own.steps import infantry, oba, ordnance, vehicles, works


@dataclass(frozen=True)
class Suggestion:
    """A proposed purchase: the order of battle and how it came about.

    `cg` is the purchase with it. `assumed` says which dice the proposal counts on,
    `reached` how much there is of what was to be maximised.
    """

    cg: Cg
    side: str
    wishes: Wishes
    ob: OrderOfBattle
    assumed: tuple[str, ...]
    reached: int

    @property
    def data(self) -> Mapping[str, Any]:
        """The proposal as the plain data of an order of battle file."""
        return ob_data(self.cg, self.side)

    def sheets(self) -> tuple[Sheet, ...]:
        """Return what would be bought, line by line, and the points after each section."""
        return (_lines_sheet(self), points_sheet(self.cg, self.side))


@dataclass
class _Draft:
    """A plan, and the parts of it that are not variables."""

    plan: choices.PurchasePlan
    final: dict[str, int | None]
    air: AirEntry | None
    works: tuple[work_rules.WorkLine, ...]
    san_cost: int
    motorized: int | None


def suggest(cg: Cg, side: str, wishes: Wishes) -> Suggestion:
    """Return the best purchase that meets all wishes. Deterministic.

    Raises RefusedError for names that the catalogue doesn't have, and if the wishes can't be met;
    then it names a smallest set of them that can't be met together.
    """
    wishes = _with_rolls(cg.ob(side), wishes)
    fresh = _fresh(cg)
    wishes = _with_known_names(fresh, side, spell_wishes(wishes, fresh.nation(side)))
    draft = _draft(fresh, side, wishes)
    if cg.ob(side).total:
        draft.plan.notes.append("nothing bought yet; what is on the Roster already is not counted")
    values = draft.plan.solve()
    if values is None:
        raise RefusedError(Refusal.NO_SUCH, _conflict(fresh, side, wishes))
    return _build_suggestion(draft, values)


def _with_rolls(ob: OrderOfBattle, wishes: Wishes) -> Wishes:
    """Return the wishes with the dice that have fallen in the purchase, unless they name others."""
    given = wishes.dice
    made = (ob.ordnance.availability, ob.vehicles.availability, ob.air.dr if ob.air else None)
    guns, vehicles_, air = (dr.final if dr else None for dr in made)
    dice = WishedDice(
        ordnance=guns if given.ordnance is None else given.ordnance,
        vehicles=vehicles_ if given.vehicles is None else given.vehicles,
        oba=given.oba or tuple(entry.dr.final for entry in ob.oba),
        air=air if given.air is None else given.air,
    )
    return wishes.model_copy(update={"dice": dice})


def _fresh(cg: Cg) -> Cg:
    """Return the same terms with nothing bought; given values and the weather remain."""
    state = first_state(cg.terms, UMPIRE, cg.rulebook)
    return cg.with_state(replace(state, weather=cg.state.weather, given=cg.state.given))


def _with_known_names(cg: Cg, side: str, wishes: Wishes) -> Wishes:
    """Return the wishes with sorts that stand for types moved to their place (`tank`, `at`).

    Raises RefusedError for names that the catalogue or the rules don't have.
    """
    nation = cg.nation(side)
    for squads in wishes.squads:
        if squads.type:
            nation.mmc(squads.type)
    for work in wishes.fortifications:
        cg.charts.fortifications.row(work.type)

    def with_sorts(
        wished: Sequence[PieceWish], section: str, look_up: Callable[[str], DyoGun | DyoVehicle]
    ) -> tuple[PieceWish, ...]:
        sorts = {str(getattr(entry, "sort", "")) for entry in nation.entries_of(section)}
        words = {word for sort in sorts for word in (sort, sort.rpartition(" ")[2])}
        spelled = []
        for wish in wished:
            if wish.type in words and not wish.sort:
                spelled.append(PieceWish(count=wish.count, sort=wish.type))
                continue
            if wish.type:
                look_up(wish.type)
            spelled.append(wish)
        return tuple(spelled)

    return wishes.model_copy(
        update={
            "platoons": with_sorts(wishes.platoons, "vehicles", nation.vehicle),
            "vehicles": with_sorts(wishes.vehicles, "vehicles", nation.vehicle),
            "guns": with_sorts(wishes.guns, "guns", nation.gun),
        }
    )


def _draft(cg: Cg, side: str, wishes: Wishes) -> _Draft:
    plan = choices.PurchasePlan(cg, side, wishes)
    goal = wishes.maximise
    rolls = {
        "ordnance": bool(wishes.guns) or goal in ("guns", "points"),
        "vehicles": bool(wishes.platoons or wishes.vehicles) or goal in ("afv", "points"),
    }
    final = {name: _availability(plan, name) if made else None for name, made in rolls.items()}
    choices.add_infantry(plan)
    choices.add_guns(plan, final["ordnance"])
    choices.add_vehicles(plan, final["vehicles"])
    support.add_oba(plan)
    air = support.add_air(plan)
    works = support.add_works(plan)
    san = support.add_san(plan)
    motorized = support.add_motorized(plan, san)
    return _Draft(plan, final, air, works, san, motorized)


def _availability(plan: choices.PurchasePlan, name: str) -> int:
    given: int | None = getattr(plan.wishes.dice, name)
    if given is not None:
        return given
    assumed = support.availability_dr(plan.cg.rulebook, plan.wishes.outlook)
    plan.notes.append(f"Availability, {name}: {assumed.words}")
    return assumed.final


# Wishes that can't be met -----------------------------------------------------------------------


def _conflict(cg: Cg, side: str, wishes: Wishes) -> str:
    """Return the sentence that names a smallest set of wishes that can't be met together."""
    kept = list(wishes.costly_wishes())
    for wish in list(kept):
        fewer = [other for other in kept if other != wish]
        if _draft(cg, side, wishes.only(fewer)).plan.solve() is None:
            kept = fewer
    reasons = dict.fromkeys(_draft(cg, side, wishes.only(kept)).plan.barred)
    points = cg.terms.side(side).points
    wishes_words = _conflict_words(kept, points)
    return f"{wishes_words}{': ' if reasons else ''}{'; '.join(reasons)}; wish for less of this"


def _conflict_words(kept: Sequence[WishLine], points: int) -> str:
    if not kept:
        return f"not even a purchase without wishes can be made with {points} points"
    words = "; ".join(wish.words for wish in kept)
    if len(kept) == 1:
        return f"this wish can't be met with {points} points and these dice: {words}"
    return f"these wishes can't be met together with {points} points and these dice: {words}"


# From numbers to an order of battle -------------------------------------------------------------


def _build_suggestion(draft: _Draft, values: Sequence[int]) -> Suggestion:
    plan = draft.plan
    side = plan.side
    cg = plan.cg.with_state(plan.cg.state)
    _buy_infantry(cg, draft, values)
    cg.state = cg.state.with_ob(side, san=plan.wishes.san, san_cost=draft.san_cost)
    _buy_guns(cg, draft, values)
    _buy_vehicles(cg, draft, values)
    _buy_support(cg, draft, values)
    spent = plan.fixed + sum(price * values[variable] for variable, price in plan.cost.items())
    assert cg.ob(side).total == spent, "the program and the rules agree on the points"
    _allot(cg, side)
    return Suggestion(
        cg=cg,
        side=side,
        wishes=plan.wishes,
        ob=cg.ob(side),
        assumed=tuple(plan.notes),
        reached=_goal_value(cg, side, plan.wishes),
    )


def _sound(problems: Sequence[Problem]) -> None:
    """Stop at a proposal that the rules refuse: the program and the rules disagree."""
    if problems:
        raise AssertionError("; ".join(map(str, problems)))


def _buy_infantry(cg: Cg, draft: _Draft, values: Sequence[int]) -> None:
    side = draft.plan.side
    answer = choices.infantry_answer(draft.plan.wishes, choices.bought_infantry(draft.plan, values))
    _sound(infantry.infantry_problems(cg, side, "first", answer))
    entries = infantry.entries_of(cg, side, "first", answer)
    cg.state = cg.state.with_ob(side, infantry=entries)


def _rows(choices: Sequence[choices.PieceChoice], values: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {"type": choice.piece.type, "number": values[choice.variable]} for choice in choices if values[choice.variable]
    ]


def _buy_guns(cg: Cg, draft: _Draft, values: Sequence[int]) -> None:
    side, final = draft.plan.side, draft.final["ordnance"]
    if final is None:
        return
    rows = _rows(draft.plan.guns, values)
    _sound(ordnance.gun_problems(cg, side, rows, pieces.rf_limit(cg.rulebook, final)))
    guns = ordnance.entries_of(cg, side, rows)
    cg.state = cg.state.with_ob(side, ordnance=Ordnance(availability=Dr(final=final), guns=guns))


def _buy_vehicles(cg: Cg, draft: _Draft, values: Sequence[int]) -> None:
    side, final = draft.plan.side, draft.final["vehicles"]
    motorized = None
    if draft.plan.wishes.motorized:
        cost = vehicle_rules.motorized_price(cg, side)
        motorized = int(cost)
        cg.state = cg.state.with_ob(side, vehicles=Vehicles(motorized=motorized))
    if final is None:
        return
    rows = _rows(draft.plan.vehicles, values)
    limit = pieces.rf_limit(cg.rulebook, final, motorized=motorized is not None)
    _sound(vehicles.vehicle_problems(cg, side, rows, limit))
    entries = vehicles.entries_of(cg, side, rows)
    sets = vehicle_rules.full_sets(cg.nation_with_all_counters(side), cg.month, entries)
    armed = tuple(
        entry.model_copy(update={"arms": carried.arms, "automatic": True, "disabled": carried.disabled})
        if (carried := sets.get(entry.key))
        else entry
        for entry in entries
    )
    section = Vehicles(motorized=motorized, availability=Dr(final=final), entries=armed)
    cg.state = cg.state.with_ob(side, vehicles=section)


def _buy_support(cg: Cg, draft: _Draft, values: Sequence[int]) -> None:
    side = draft.plan.side
    for entry in _batteries_rolled(draft.plan, values):
        taken = entry
        if entry.bought:
            taken = oba.buy_battery(cg, side, entry, {"contact": "radio", "ammunition": ""})
        cg.state = cg.state.with_ob(side, oba=(*cg.ob(side).oba, taken))
    cg.state = cg.state.with_ob(side, air=draft.air)
    _sound(works.work_problems(cg, side, draft.works))
    bought = tuple(works.entry_of(cg.rulebook, work, cg.month.year) for work in draft.works)
    cg.state = cg.state.with_ob(side, fortifications=bought)


def _batteries_rolled(plan: choices.PurchasePlan, values: Sequence[int]) -> tuple[BatteryEntry, ...]:
    """Return the OBA DR that are made: those given, and as many more as batteries are bought."""
    entries = [
        battery.entry.model_copy(update={"bought": battery.variable is not None and bool(values[battery.variable])})
        for battery in plan.batteries
    ]
    given = len(plan.wishes.dice.oba)
    last = max((i + 1 for i, entry in enumerate(entries) if entry.bought), default=0)
    return tuple(entries[: max(given, last)])


# What follows from the Infantry -----------------------------------------------------------------


def _allot(cg: Cg, side: str) -> None:
    """Allot what Equivalents give before any bonus: leaders of the best quality, and SW."""
    every = leaders.subsections(leaders.equivalents_of(cg, side, of) for of in cg.nations(side))
    cg.state = cg.state.with_ob(side, equivalents={name: part.value for name, part in every.items()})
    allied = {of: led for of in cg.nations(side)[1:] if (led := _leaders(cg, side, of))}
    sw = tuple(entry for entry, _ in allotment.sw_of(cg, side))
    cg.state = cg.state.with_ob(side, leaders=_leaders(cg, side, ""), allied_leaders=allied, sw=sw)


def _leaders(cg: Cg, side: str, of: str) -> Leaders | None:
    """Return the best leaders before any DR; None where the rules at hand can't tell."""
    lg = leaders.lg_factor(cg, side, of)
    types = leaders.ladder_of(cg, side, of)
    if lg is None or isinstance(types, Missing):
        return None
    count = leaders.count_of(cg, side, lg, of)
    if isinstance(count.extra, Missing):
        return None
    number, extra = count.leaders.value, count.extra or ""
    held = {type_: n for type_, n in leaders.best_ladder(number, types).items() if n}
    if extra:
        held = {extra: held.get(extra, 0) + 1, **held}
    return Leaders(count=number, extra=extra, held=leaders.within_counters(cg, side, held, of))


def _goal_value(cg: Cg, side: str, wishes: Wishes) -> int:
    ob = cg.ob(side)
    if wishes.maximise == "equivalency":
        return sum(ob.equivalents.values())
    if wishes.maximise == "squads":
        return sum(entry.number for entry in ob.infantry if entry.kind == "squad")
    if wishes.maximise == "guns":
        return sum(entry.number for entry in ob.ordnance.guns)
    if wishes.maximise == "afv":
        nation = cg.nation(side)
        return sum(nation.vehicle(entry.type).afv is True for entry in ob.vehicles.entries)
    return ob.total


# On paper ---------------------------------------------------------------------------------------


def _lines_sheet(suggestion: Suggestion) -> Sheet:
    ob, wishes = suggestion.ob, suggestion.wishes
    columns = columns_of("Section", "#>", "What", "Each>", "Points>")
    names = {row.type: row.name for row in work_rules.fortification_types(suggestion.cg.rulebook)}
    rows = tuple(tuple(map(str, row)) for row in _sheet_rows(ob, names))
    equivalents = sum(ob.equivalents.values())
    led = ", ".join(f"{number} x {type_}" for type_, number in ob.all_leaders.items()) or "none"
    sw = ", ".join(f"{entry.number} {entry.type}" for entry in ob.sw) or "none"
    notes = (
        f"most {wishes.maximise}: {suggestion.reached}; {ob.left} points left",
        *(f"assumed: {words}" for words in suggestion.assumed),
        f"before any bonus: {equivalents} Equivalents; leaders at best {led}; SW {sw}",
    )
    name = suggestion.cg.terms.name(suggestion.side)
    return Sheet("suggestion", f"Suggested purchase, {name}", columns, rows, notes, side=suggestion.side)


def _sheet_rows(ob: OrderOfBattle, names: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield section, number, what it is, its price and the points of each line; `names` are those of works."""
    for line in ob.infantry:
        yield "Infantry", line.number, " ".join((line.type, *line.capabilities)), line.each, line.total
    if ob.san_cost:
        yield "SAN", "", ob.san, "", ob.san_cost
    for gun in ob.ordnance.guns:
        yield "Ordnance", gun.number, gun.type, gun.each, gun.total
    if ob.vehicles.motorized is not None:
        yield "Vehicles", "", "motorized unit", "", ob.vehicles.motorized
    for type_ in dict.fromkeys(entry.type for entry in ob.vehicles.entries):
        alike = [entry for entry in ob.vehicles.entries if entry.type == type_]
        arms = sum(arm.cost for entry in alike for arm in entry.arms)
        words = f"{type_}, with optional armament for {arms} (H1.12)" if arms else type_
        yield "Vehicles", len(alike), words, alike[0].bpv, sum(entry.total for entry in alike)
    for entry in ob.oba:
        taken = f"{entry.text} OBA" if entry.bought else f"{entry.text or 'no'} OBA, not bought"
        yield "OBA", "1" if entry.bought else "", f"{taken} (DR {entry.dr.final})", entry.bpv, entry.total
    if ob.air is not None:
        yield "OBA", "", f"Air Support (DR {ob.air.dr.final})", "", ob.air.cost
    for work in ob.fortifications:
        yield "Fortifications", work.number, names[work.type], "", work.total
