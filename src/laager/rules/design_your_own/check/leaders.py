"""Check of Equivalents, leaders, SW and what comes with reinforcements (H1.74 to H1.84)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, islice

from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue.dyo import UNKNOWN
from laager.rules.design_your_own.answers import Breach, Missing, Reason
from laager.rules.design_your_own.check.review import Review, Thrown, check_dr
from laager.rules.design_your_own.lines import leaders, support
from laager.rules.design_your_own.ob import GroupShare, Leaders, OrderOfBattle
from laager.rules.design_your_own.rulebook import Rulebook

COUNT, LADDER, EXCHANGE, SW, SHARE = "DYO H1.8", "DYO H1.81", "DYO H1.82", "DYO H1.83", "DYO H1.84"

MOST_WAYS = 500
"""How many ways are tried to tell which leaders the counters did not allow."""


# Equivalents ------------------------------------------------------------------------------------


@implements("DYO H1.74")
def equivalents_line(review: Review, ob: OrderOfBattle) -> OrderOfBattle:
    """Return an order of battle with its Equivalents by the rules (H1.74)."""
    every = [leaders.equivalents_of(review.cg, review.side, of) for of in review.cg.nations(review.side)]
    parts = leaders.subsections(every)
    for name, given in ob.equivalents.items():
        if name not in parts:
            right = ", ".join(parts)
            review.broken(("equivalents", name), Reason.SIZE, "DYO H1.74", f"{name!r} is not a subsection", right)
        elif given != parts[name].value:
            message = f"{name} is {given}"
            review.broken(("equivalents", name), Reason.PRICE, "DYO H1.74", message, parts[name].why)
    due = {name: part.value for name, part in parts.items()}
    return ob.model_copy(update={"equivalents": due})


# Leaders ----------------------------------------------------------------------------------------


@implements("DYO H1.8")
def leader_rules(review: Review) -> None:
    """Note leaders beyond their number, a broken ladder, an impossible trade or exchange (H1.8).

    Each nation of a side has its own; the exchange DR is one for the side.
    """
    for of in review.cg.nations(review.side):
        own = review.ob.leaders_of(of)
        if own is not None:
            _leaders_of(review, of, own)
    known = review.cg.nations(review.side)
    for of in review.ob.allied_leaders:
        if of not in known:
            message, right = f"{of} is not a contingent of the side", "name it in the terms"
            review.broken(("allied_leaders", of), Reason.NATION, COUNT, message, right)
    rolls = [of for of in known if (own := review.ob.leaders_of(of)) and own.exchange is not None]
    if len(rolls) > 1:
        message, right = f"{len(rolls)} Leader Exchange DR", "a side makes one"
        review.broken((*_place(rolls[-1]), "exchange"), Reason.LIMIT, EXCHANGE, message, right)


def _place(of: str) -> Where:
    """Return where the leaders of a contingent (or "" of the side's own nation) stand."""
    return ("allied_leaders", of) if of else ("leaders",)


def _leaders_of(review: Review, of: str, own: Leaders) -> None:
    known = leaders.leader_types(review.cg, review.side, of)
    named: dict[Where, str] = {("held", type_): type_ for type_ in own.held}
    named |= {(name,): type_ for name in ("gained", "lost") if (type_ := getattr(own, name))}
    strange = {where: type_ for where, type_ in named.items() if type_ not in known}
    for where, type_ in strange.items():
        message, right = f"{type_} is not a leader of the nation", ", ".join(known)
        review.broken((*_place(of), *where), Reason.LEADERS, LADDER, message, right)
    negative = [type_ for type_, number in own.held.items() if number < 0]
    for type_ in negative:
        message = f"{own.held[type_]} x {type_}"
        review.broken((*_place(of), "held", type_), Reason.SIZE, LADDER, message, "none or more")
    _commissars(review, of, own)
    lg = leaders.lg_factor(review.cg, review.side, of)
    if lg is None:
        if own.total:
            review.missing((*_place(of), "count"), "the LG factor of the nation", COUNT)
        return
    if strange or negative:
        return
    count = leaders.count_of(review.cg, review.side, lg, of)
    if own.count != count.leaders.value:
        review.broken((*_place(of), "count"), Reason.LEADERS, COUNT, f"count is {own.count}", count.leaders.why)
    before = _before_exchange(review, of, own)
    if before is not None:
        _ladder(review, of, own, count, before)
    _counters(review, of, own)


def _commissars(review: Review, of: str, own: Leaders) -> None:
    allowed = review.cg.nation(review.side, of).line.commissars.at(review.month)
    if not own.commissars or allowed is True:
        return
    where = (*_place(of), "commissars")
    if allowed is UNKNOWN:
        review.missing(where, "whether the nation has Commissars", COUNT)
    else:
        message, right = f"{own.commissars} Commissars", "the nation has none at this date"
        review.broken(where, Reason.NATION, COUNT, message, right)


@implements("DYO H1.82")
def _before_exchange(review: Review, of: str, own: Leaders) -> Mapping[str, int] | None:
    """Return the leaders before the exchange DR; None if what the file says of it is impossible."""
    if own.exchange is None:
        if own.gained or own.lost:
            message = f"{own.gained or own.lost} without a Leader Exchange DR"
            right = "one DR, with exchange: {final: ...}"
            review.broken((*_place(of), "gained"), Reason.LEADERS, EXCHANGE, message, right)
            return None
        return own.held
    before = Counter(own.held)
    if own.gained:
        before[own.gained] -= 1
    if own.lost:
        before[own.lost] += 1
    if not check_dr(review, (*_place(of), "exchange"), own.exchange, Thrown(2, EXCHANGE, table=leaders.TABLE)):
        return None
    if min(before.values(), default=0) < 0:
        message = f"the {own.gained} gained is not among the leaders"
        review.broken((*_place(of), "gained"), Reason.LEADERS, EXCHANGE, message, "count him in held")
        return None
    ladder = {type_: number for type_, number in before.items() if number}
    _check_exchange(review, of, own, ladder)
    return ladder


def _check_exchange(review: Review, of: str, own: Leaders, before: Mapping[str, int]) -> None:
    assert own.exchange is not None
    as_it_was = own.model_copy(update={"held": dict(before)})
    # Counters decide who comes: those that there are, or those that the side could count on.
    possible = [
        leaders.exchange_of(cg, review.side, of, as_it_was, own.exchange.final)
        for cg in (review.cg, review.bought)
        if cg is not None
    ]
    if any(_is_exchange(own, exchange) for exchange in possible):
        return
    trade = f"{own.lost or 'nobody'} for {own.gained or 'nobody'}"
    message = f"{trade} by a Final DR of {own.exchange.final}"
    due = possible[0]
    goes = due.lost or " or ".join(sorted(due.choices))
    right = f"{goes} for {due.gained}" if due.gained else "it has no effect"
    review.broken((*_place(of), "gained"), Reason.LEADERS, EXCHANGE, message, right)


def _is_exchange(own: Leaders, due: leaders.Exchange) -> bool:
    """True if these leaders were exchanged as they are due to be."""
    legal = (due.lost,) if due.lost else due.choices or ("",)
    return own.gained == (due.gained or "") and own.lost in legal


@implements("DYO H1.81")
def _ladder(review: Review, of: str, own: Leaders, count: leaders.LeaderCount, held: Mapping[str, int]) -> None:
    """Note leaders who are more than their number, and a ladder that is broken."""
    extra = count.extra
    if isinstance(extra, Missing):
        review.add((*_place(of), "extra"), extra)
        extra = own.extra
    elif own.extra != (extra or ""):
        message = f"the leader for the fraction is {own.extra or 'none'}"
        review.broken((*_place(of), "extra"), Reason.LEADERS, COUNT, message, extra or "there is no fraction")
        return
    types = leaders.ladder_of(review.cg, review.side, of)
    if isinstance(types, Missing):
        review.add((*_place(of), "held"), types)
        return
    steps = leaders.ladder_steps(review.cg.rulebook, types, leaders.column(review.cg, review.side, of))
    ladder = Counter(held)
    if extra:
        # Counters may have run out of him too.
        ladder[extra] = max(ladder[extra] - 1, 0)
    number = count.leaders.value
    lacking = number - sum(ladder.values())
    ways = _ways(review, of, {t: n for t, n in ladder.items() if n}, held, lacking, types, extra)
    best = min([_breaches(review.cg.rulebook, way, types, steps, number, own.traded) for way in ways], key=len)
    for breach in best:
        review.add((*_place(of), "traded") if "traded" in breach.what else (*_place(of), "held"), breach)


def _ways(
    review: Review,
    of: str,
    ladder: Mapping[str, int],
    held: Mapping[str, int],
    lacking: int,
    types: Sequence[str],
    extra: str | None,
) -> list[Mapping[str, int]]:
    """Return what the leaders may have been before the counters of one game cut them (H1.11)."""
    # The side had no more than the counters that it could count on.
    short = leaders.used_up_types(review.bought or review.cg, review.side, Leaders(count=0, held=dict(held)), of)
    cut = [type_ for type_ in short if type_ in types or type_ == extra]
    if lacking <= 0 or not cut or review.cg.reading("free-pieces") != "limited":
        return [ladder]
    every = islice(combinations_with_replacement(cut, lacking), MOST_WAYS)
    return [Counter(ladder) + Counter(more) for more in every]


def _breaches(
    rulebook: Rulebook, ladder: Mapping[str, int], types: Sequence[str], steps: Sequence[str], number: int, traded: str
) -> list[Breach]:
    if not traded:
        return list(leaders.ladder_breaches(rulebook, ladder, steps, number))
    lowest = types[0]
    before = Counter(ladder)
    before[lowest] += 1
    before[traded] -= 1
    plain = {type_: count for type_, count in before.items() if count}
    legal = leaders.trade(plain, types) if min(before.values()) >= 0 else None
    if legal != {type_: count for type_, count in ladder.items() if count}:
        message = f"a {lowest} was traded for a {traded}"
        return [Breach(Reason.LEADERS, LADDER, message, f"one {lowest} for the lowest type that is absent, once")]
    return list(leaders.ladder_breaches(rulebook, plain, steps, number))


@implements("DYO H1.11")
def _counters(review: Review, of: str, own: Leaders) -> None:
    """Note more leaders of a type than one game has."""
    if review.cg.terms.agreements.extra_pieces or review.cg.reading("free-pieces") != "limited":
        return
    for type_, number in own.held.items():
        limit = review.cg.nation(review.side, of).leader_counters.get(type_)
        if isinstance(limit, int) and number > limit:
            right = f"one game has {limit}"
            where = (*_place(of), "held", type_)
            review.broken(where, Reason.COUNTERS, "DYO H1.11", f"{number} x {type_}", right)


# SW ---------------------------------------------------------------------------------------------


@implements("DYO H1.83")
def sw_rules(review: Review) -> None:
    """Note SW above the allotment, and those that the chart doesn't have (H1.83)."""
    chart = {sw.type: sw for sw in review.nation.sw_chart(review.month)}
    for i, entry in enumerate(review.ob.sw):
        where = ("sw", i)
        if [sw.type for sw in review.ob.sw].index(entry.type) < i:
            message = f"{entry.type} is listed twice"
            review.broken((*where, "type"), Reason.LIMIT, SW, message, "one line for each type")
        column_ = chart.get(entry.type)
        if column_ is None:
            right = ", ".join(chart) or "none at this date"
            message = f"{entry.type} is not on the SW Allotment Chart of {review.month}"
            review.broken((*where, "type"), Reason.DATE, SW, message, right)
            continue
        due = support.allotted_to(review.cg, review.side, column_)
        if due is None:
            review.missing(where, f"the ratio of {entry.type}", SW)
        elif entry.number > due.value:
            message, right = f"{entry.number} {entry.type}", due.why
            review.broken((*where, "number"), Reason.LIMIT, SW, message, right)


@implements("DYO H1.84")
def share_rules(review: Review) -> None:
    """Note reinforcements that bring too few leaders and SW, or more than there are (H1.84)."""
    ob = review.ob
    brought = {entry.type: entry.reinforcement for entry in ob.sw if entry.reinforcement}
    if not ob.turns:
        if ob.reinforcement_leaders or brought:
            message = "leaders or SW come with reinforcements, and there are none"
            right = "name the squads that enter later"
            where = ("reinforcement_leaders",) if ob.reinforcement_leaders else ("sw",)
            review.broken(where, Reason.REINFORCEMENTS, SHARE, message, right)
        return
    if ob.leaders is None and not ob.allied_leaders:
        return
    short = Counter(ob.reinforcement_leaders) - Counter(ob.all_leaders)
    for type_, number in short.items():
        message = f"{number} x {type_} too many come with the reinforcements"
        right = f"the OB has {ob.all_leaders.get(type_, 0)}"
        review.broken(("reinforcement_leaders",), Reason.REINFORCEMENTS, SHARE, message, right)
    if len(ob.turns) > 1 and not ob.reinforcement_groups and (ob.reinforcement_leaders or brought):
        message, right = "it does not say what comes in which turn", "write reinforcement_groups"
        review.broken(("reinforcement_leaders",), Reason.REINFORCEMENTS, SHARE, message, right)
        return
    _shares(review, ob, brought)


def _shares(review: Review, ob: OrderOfBattle, brought: Mapping[str, int]) -> None:
    """Note groups of reinforcements without their share, and sums that are not theirs."""
    groups = ob.reinforcement_groups
    brought_sw = sum((Counter(group.sw) for group in groups), Counter[str]())
    led = Counter(leader for group in groups for leader in group.leaders)
    if groups and (+brought_sw != Counter(brought) or led != Counter(ob.reinforcement_leaders)):
        message = "the groups together bring other leaders or SW than all reinforcements"
        review.broken(("reinforcement_groups",), Reason.REINFORCEMENTS, SHARE, message, "the same in both places")
    taken: list[GroupShare] = []
    for turn in ob.turns:
        stock = support.stock_of(review.cg, review.side, taken)
        group = support.Needs.of(review.cg, review.side, turn, stock)
        own = ob.share_of(turn)
        for breach in group.breaches(stock, own.leaders, own.sw):
            where: Where = ("reinforcement_leaders",) if "leader" in breach.what else ("sw",)
            review.add(where, breach)
        taken.append(own)
