"""Check of Equivalents, leaders, SW and what comes with reinforcements (H1.74 to H1.84)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, islice

from laager.base.files import Where
from laager.campaign import implements
from laager.rules.design_your_own.answers import Breach, Missing, Reason, total
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.check.desk import Desk, Thrown, check_dr
from laager.rules.design_your_own.lines.infantry import Subsection
from laager.rules.design_your_own.lines.leaders import LeaderCount, exchange, ladder_breaches, ladder_types, trade
from laager.rules.design_your_own.ob import GroupShare, Leaders, OrderOfBattle
from laager.rules.design_your_own.steps.leaders import column, count_of, equivalents_of, gone, lg_factor
from laager.rules.design_your_own.steps.support import Group, allotted_to, stock_of

EQUIVALENTS, COUNT, LADDER, EXCHANGE, SW, SHARE = (
    "DYO H1.74", "DYO H1.8", "DYO H1.81", "DYO H1.82", "DYO H1.83", "DYO H1.84",
)  # fmt: skip

MOST_WAYS = 500
"""How many ways are tried to tell which leaders the counters did not allow."""


# Equivalents ------------------------------------------------------------------------------------


@implements("DYO H1.74")
def equivalents_line(desk: Desk, ob: OrderOfBattle) -> OrderOfBattle:
    """Return an order of battle with its Equivalents as the rules reckon them."""
    every = [equivalents_of(desk.cg, desk.side, of) for of in desk.cg.nations(desk.side)]
    parts = {
        name: total(((one.of(Subsection(name)).value, "Equivalents") for one in every), EQUIVALENTS)
        if len(every) > 1
        else every[0].of(Subsection(name))
        for name in map(str, Subsection)
    }
    for name, given in ob.equivalents.items():
        if name not in parts:
            right = ", ".join(parts)
            desk.broken(("equivalents", name), Reason.SIZE, "DYO H1.74", f"{name!r} is none", right)
        elif given != parts[name].value:
            what = f"{name} is {given}"
            desk.broken(("equivalents", name), Reason.PRICE, "DYO H1.74", what, parts[name].why)
    due = {name: part.value for name, part in parts.items()}
    return ob.model_copy(update={"equivalents": due})


# Leaders ----------------------------------------------------------------------------------------


@implements("DYO H1.8")
def leader_rules(desk: Desk) -> None:
    """Note leaders beyond their number, a broken ladder, a trade or an exchange that is none.

    Each nation of a side has its own; the exchange DR is one for the side.
    """
    for of in desk.cg.nations(desk.side):
        own = desk.ob.leaders_of(of)
        if own is not None:
            _leaders_of(desk, of, own)
    known = desk.cg.nations(desk.side)
    for of in desk.ob.allied_leaders:
        if of not in known:
            what, right = f"{of} is no contingent of the side", "name it in the terms"
            desk.broken(("allied_leaders", of), Reason.NATION, COUNT, what, right)
    rolls = [of for of in known if (own := desk.ob.leaders_of(of)) and own.exchange is not None]
    if len(rolls) > 1:
        what, right = f"{len(rolls)} Leader Exchange DR", "a side makes one"
        desk.broken((*_place(rolls[-1]), "exchange"), Reason.LIMIT, EXCHANGE, what, right)


def _place(of: str) -> Where:
    """Return where the leaders of a contingent (or "" of the side's own nation) stand."""
    return ("allied_leaders", of) if of else ("leaders",)


def _leaders_of(desk: Desk, of: str, own: Leaders) -> None:
    ranks = charts().leaders.ranks[column(desk.cg, desk.side, of)]
    strange = [type_ for type_ in own.held if type_ not in ranks]
    for type_ in strange:
        what, right = f"{type_} is no leader of the nation", ", ".join(ranks)
        desk.broken((*_place(of), "held", type_), Reason.LEADERS, LADDER, what, right)
    negative = [type_ for type_, number in own.held.items() if number < 0]
    for type_ in negative:
        what = f"{own.held[type_]} x {type_}"
        desk.broken((*_place(of), "held", type_), Reason.SIZE, LADDER, what, "none or more")
    _commissars(desk, of, own)
    lg = lg_factor(desk.cg, desk.side, of)
    if lg is None:
        if own.total:
            desk.missing((*_place(of), "count"), "the LG factor of the nation", COUNT)
        return
    if strange or negative:
        return
    count = count_of(desk.cg, desk.side, lg, of)
    if own.count != count.leaders.value:
        right = count.leaders.why
        desk.broken((*_place(of), "count"), Reason.LEADERS, COUNT, f"count is {own.count}", right)
    before = _before_exchange(desk, of, own)
    if before is not None:
        _ladder(desk, of, own, count, before)
    _counters(desk, of, own)


def _commissars(desk: Desk, of: str, own: Leaders) -> None:
    allowed = desk.cg.nation(desk.side, of).capabilities(desk.month).commissars
    if not own.commissars or allowed is True:
        return
    where = (*_place(of), "commissars")
    if allowed is False:
        what, right = f"{own.commissars} Commissars", "the nation has none at this date"
        desk.broken(where, Reason.NATION, COUNT, what, right)
    else:
        desk.missing(where, "whether the nation has Commissars", COUNT)


@implements("DYO H1.82")
def _before_exchange(desk: Desk, of: str, own: Leaders) -> Mapping[str, int] | None:
    """Return the leaders before the exchange DR; None if what is told of it cannot be."""
    if own.exchange is None:
        if own.gained or own.lost:
            what = f"{own.gained or own.lost} without a Leader Exchange DR"
            right = "one DR, with exchange: {final: ...}"
            desk.broken((*_place(of), "gained"), Reason.LEADERS, EXCHANGE, what, right)
            return None
        return own.held
    before = Counter(own.held)
    if own.gained:
        before[own.gained] -= 1
    if own.lost:
        before[own.lost] += 1
    if not check_dr(desk, (*_place(of), "exchange"), own.exchange, Thrown(2, EXCHANGE)):
        return None
    if min(before.values(), default=0) < 0:
        what = f"the {own.gained} gained is not among the leaders"
        desk.broken((*_place(of), "gained"), Reason.LEADERS, EXCHANGE, what, "count him in held")
        return None
    ladder = {type_: number for type_, number in before.items() if number}
    _exchanged(desk, of, own, ladder)
    return ladder


def _exchanged(desk: Desk, of: str, own: Leaders, before: Mapping[str, int]) -> None:
    assert own.exchange is not None
    as_it_was = own.model_copy(update={"held": dict(before)})
    found = exchange(
        before,
        own.exchange.final,
        column(desk.cg, desk.side, of),
        missing=gone(desk.cg, desk.side, as_it_was, of),
        chosen=desk.cg.chosen,
    )
    legal = {found.lost} if found.lost else set(found.choices)
    lost = not found.gained and not own.lost
    if own.gained != (found.gained or "") or not (lost or own.lost in legal):
        told = f"{own.lost or 'nobody'} for {own.gained or 'nobody'}"
        what = f"{told} by a Final DR of {own.exchange.final}"
        goes = " or ".join(sorted(legal))
        right = f"{goes} for {found.gained}" if found.gained else "it has no effect"
        desk.broken((*_place(of), "gained"), Reason.LEADERS, EXCHANGE, what, right)


@implements("DYO H1.81")
def _ladder(desk: Desk, of: str, own: Leaders, count: LeaderCount, held: Mapping[str, int]) -> None:
    """Note leaders who are more than their number, and a ladder that is broken."""
    extra = count.extra
    if isinstance(extra, Missing):
        desk.add((*_place(of), "extra"), extra)
        extra = own.extra
    elif own.extra != (extra or ""):
        what = f"the leader for the fraction is {own.extra or 'none'}"
        right = extra or "there is no fraction"
        desk.broken((*_place(of), "extra"), Reason.LEADERS, COUNT, what, right)
        return
    types = _types(desk, of)
    if types is None:
        return
    ladder = Counter(held)
    if extra:
        # Counters may have run out of him too.
        ladder[extra] = max(ladder[extra] - 1, 0)
    number = count.leaders.value
    lacking = number - sum(ladder.values())
    ways = _ways(desk, of, {t: n for t, n in ladder.items() if n}, held, lacking, types, extra)
    found = [_breaches(way, types, number, own.traded) for way in ways]
    best = min(found, key=len)
    for breach in best:
        where = (*_place(of), "traded") if "traded" in breach.what else (*_place(of), "held")
        desk.add(where, breach)


def _types(desk: Desk, of: str) -> Sequence[str] | None:
    entered = desk.cg.nation(desk.side, of).capabilities(desk.month).ladder
    types = entered if isinstance(entered, tuple) and entered else ladder_types(column(desk.cg, desk.side, of))
    if isinstance(types, Missing):
        desk.add((*_place(of), "held"), types)
        return None
    return types


def _ways(
    desk: Desk,
    of: str,
    ladder: Mapping[str, int],
    held: Mapping[str, int],
    lacking: int,
    types: Sequence[str],
    extra: str | None,
) -> list[Mapping[str, int]]:
    """Return what the leaders may have been before the counters of one game cut them (H1.11)."""
    short = gone(desk.cg, desk.side, Leaders(count=0, held=dict(held)), of)
    cut = [type_ for type_ in short if type_ in types or type_ == extra]
    if lacking <= 0 or not cut or desk.cg.reading("free-pieces") != "limited":
        return [ladder]
    every = islice(combinations_with_replacement(cut, lacking), MOST_WAYS)
    return [Counter(ladder) + Counter(more) for more in every]


def _breaches(ladder: Mapping[str, int], types: Sequence[str], number: int, traded: str) -> list[Breach]:
    if not traded:
        return list(ladder_breaches(ladder, types, number))
    lowest = types[0]
    before = Counter(ladder)
    before[lowest] += 1
    before[traded] -= 1
    plain = {type_: count for type_, count in before.items() if count}
    legal = trade(plain, types) if min(before.values()) >= 0 else None
    if legal != {type_: count for type_, count in ladder.items() if count}:
        what = f"a {lowest} was traded for a {traded}"
        right = f"one {lowest} for the lowest type that is absent, once"
        return [Breach(Reason.LEADERS, LADDER, what, right)]
    return list(ladder_breaches(plain, types, number))


@implements("DYO H1.11")
def _counters(desk: Desk, of: str, own: Leaders) -> None:
    """Note more leaders of a type than one game has."""
    if desk.cg.terms.agreements.extra_pieces or desk.cg.reading("free-pieces") != "limited":
        return
    for type_, number in own.held.items():
        limit = desk.cg.nation(desk.side, of).leader_counters.get(type_)
        if isinstance(limit, int) and number > limit:
            right = f"one game has {limit}"
            where = (*_place(of), "held", type_)
            desk.broken(where, Reason.COUNTERS, "DYO H1.11", f"{number} x {type_}", right)


# SW ---------------------------------------------------------------------------------------------


@implements("DYO H1.83")
def sw_rules(desk: Desk) -> None:
    """Note SW above the allotment, and those that the chart doesn't have."""
    chart = {one.type: one for one in desk.nation.sw_chart(desk.month)}
    for i, entry in enumerate(desk.ob.sw):
        where = ("sw", i)
        if [one.type for one in desk.ob.sw].index(entry.type) < i:
            what = f"{entry.type} is listed twice"
            desk.broken((*where, "type"), Reason.LIMIT, SW, what, "one line for each type")
        column_ = chart.get(entry.type)
        if column_ is None:
            right = ", ".join(chart) or "none at this date"
            what = f"{entry.type} is not on the SW Allotment Chart of {desk.month}"
            desk.broken((*where, "type"), Reason.DATE, SW, what, right)
            continue
        due = allotted_to(desk.cg, desk.side, column_)
        if due is None:
            desk.missing(where, f"the ratio of {entry.type}", SW)
        elif entry.number > due.value:
            what, right = f"{entry.number} {entry.type}", due.why
            desk.broken((*where, "number"), Reason.LIMIT, SW, what, right)


@implements("DYO H1.84")
def share_rules(desk: Desk) -> None:
    """Note reinforcements that bring too few leaders and SW, or more than there are."""
    ob = desk.ob
    brought = {entry.type: entry.reinforcement for entry in ob.sw if entry.reinforcement}
    if not ob.turns:
        if ob.reinforcement_leaders or brought:
            what = "leaders or SW come with reinforcements, and there are none"
            right = "name the squads that enter later"
            where = ("reinforcement_leaders",) if ob.reinforcement_leaders else ("sw",)
            desk.broken(where, Reason.REINFORCEMENTS, SHARE, what, right)
        return
    if ob.leaders is None and not ob.allied_leaders:
        return
    short = Counter(ob.reinforcement_leaders) - Counter(ob.all_leaders)
    for type_, number in short.items():
        what = f"{number} x {type_} too many come with the reinforcements"
        right = f"the OB has {ob.all_leaders.get(type_, 0)}"
        desk.broken(("reinforcement_leaders",), Reason.REINFORCEMENTS, SHARE, what, right)
    if len(ob.turns) > 1 and not ob.reinforcement_groups and (ob.reinforcement_leaders or brought):
        what, right = "it is not told what comes in which turn", "write reinforcement_groups"
        desk.broken(("reinforcement_leaders",), Reason.REINFORCEMENTS, SHARE, what, right)
        return
    _shares(desk, ob, brought)


def _shares(desk: Desk, ob: OrderOfBattle, brought: Mapping[str, int]) -> None:
    """Note groups of reinforcements without their share, and sums that are not theirs."""
    groups = ob.reinforcement_groups
    told = sum((Counter(one.sw) for one in groups), Counter[str]())
    led = Counter(leader for one in groups for leader in one.leaders)
    if groups and (+told != Counter(brought) or led != Counter(ob.reinforcement_leaders)):
        what = "the groups together bring other leaders or SW than all reinforcements"
        right = "the same in both places"
        desk.broken(("reinforcement_groups",), Reason.REINFORCEMENTS, SHARE, what, right)
    taken: list[GroupShare] = []
    for turn in ob.turns:
        stock = stock_of(desk.cg, desk.side, taken)
        group = Group.of(desk.cg, desk.side, turn, stock)
        own = ob.share_of(turn)
        for breach in group.breaches(stock, own.leaders, own.sw):
            where: Where = ("reinforcement_leaders",) if "leader" in breach.what else ("sw",)
            desk.add(where, breach)
        taken.append(own)
