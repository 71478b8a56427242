"""Equivalency, and the leaders that follow from it (DYO H1.74 to H1.82)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.campaign.clauses import implements
from laager.campaign.questions import (
    Choice,
    Field,
    Number,
    Option,
    Question,
    Record,
    Rows,
    Several,
    YesNo,
)
from laager.campaign.steps import Procedure, ask, roll, step
from laager.catalogue.kinds import Column
from laager.dice import Dice
from laager.rules.design_your_own.charts import charts
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.equivalency import counts_of, equivalency
from laager.rules.design_your_own.facts import EquivalencyReckoned, LeadersSettled
from laager.rules.design_your_own.leaders import (
    LeaderCount,
    best_ladder,
    exchange,
    ladder_breaches,
    ladder_types,
    leader_count,
    odds_exchange,
    trade,
)
from laager.rules.design_your_own.lines import rule_lines
from laager.rules.design_your_own.missing import fill_gaps
from laager.rules.design_your_own.nations import leader_column
from laager.rules.design_your_own.ob import Dr, Leaders
from laager.rules.design_your_own.reckoning import Unknown

MOST_COMMISSARS = 20


@step("DYO H1.74", "Equivalency", each_side=True)
def equivalents(cg: Cg, side: str) -> Procedure[None]:
    """The Equivalent number of squads, bonus squads included."""
    yield from fill_gaps(cg, side, "DYO H1.8", "capabilities", "leaders", "support_weapons")
    lines = rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    found = equivalency(counts_of(lines), chosen=cg.chosen)
    yield EquivalencyReckoned(
        side=side,
        elite=found.elite.value,
        line=found.line.value,
        conscript=found.conscript.value,
        why=found.why,
        to=(side,),
    )


@step("DYO H1.8", "Leaders", each_side=True, also=("DYO H1.81",))
def leaders(cg: Cg, side: str) -> Procedure[None]:
    """The number is given; the owner chooses the quality, and may trade an 8-0."""
    lg = lg_factor(cg, side)
    if lg is None:
        why = "the LG factor of the nation is not known (DYO H1.8)"
        yield LeadersSettled(side=side, leaders=Leaders(count=0), why=why, to=(side,))
        return
    count = count_of(cg, side, lg)
    extra = yield from _extra(cg, side, count)
    types = yield from _types(cg, side)
    number = count.leaders.value
    rows = []
    if number:
        rows = yield from ask(_ladder_question(cg, side, types, number))
    ladder = {row["leader"]: row["number"] for row in rows if row["number"]}
    better = trade(ladder, types) if ladder else None
    traded = ""
    if better is not None:
        gained = next(type_ for type_ in types if better.get(type_, 0) > ladder.get(type_, 0))
        if (yield from ask(_trade_question(side, types[0], gained))):
            ladder, traded = dict(better), gained
    held = dict(ladder)
    if extra:
        held[extra] = held.get(extra, 0) + 1
    received = within_counters(cg, side, _ranked(held, column(cg, side)))
    made = Leaders(count=number, extra=extra, held=received, traded=traded)
    why = count.leaders.why
    if received != held:
        why += "; more than the counters of one game are not received (DYO H1.11)"
    yield LeadersSettled(side=side, leaders=made, why=why, to=(side,))


@step("DYO H1.82", "Leader exchange", each_side=True, also=("DYO H1.82-T",))
def leader_exchange(cg: Cg, side: str) -> Procedure[None]:
    """One DR can better the best leader; a 12 makes one of them worse."""
    own = cg.ob(side).leaders
    if own is None or not own.total:
        return
    if not (yield from ask(_exchange_question(cg, side, own))):
        return
    rolled = yield from roll(side, "Leader exchange", Dice.DR, secret=True)
    found = exchange(
        own.held, rolled.final, column(cg, side), missing=gone(cg, side, own), chosen=cg.chosen
    )
    lost = found.lost or ""
    if found.gained and found.choices:
        lost = yield from ask(_lost_question(side, found.gained, found.choices))
    made = exchanged(own, evidence(rolled), found.gained or "", lost, column(cg, side))
    why = f"DR {rolled.final}: {f'{lost} for {found.gained}' if found.gained else 'no effect'}"
    yield LeadersSettled(side=side, leaders=made, why=why, to=(side,))


@step("DYO H1.8", "Commissars", each_side=True)
def commissars(cg: Cg, side: str) -> Procedure[None]:
    """Commissars come last, as A25.22 has it; how many, the players know."""
    own = cg.ob(side).leaders
    if own is None or cg.nation(side).capabilities(cg.month).commissars is not True:
        return
    number = yield from ask(
        Question(
            key="commissars",
            side=side,
            text="How many Commissars do you receive by A25.22?",
            form=Number(0, MOST_COMMISSARS),
            rule="DYO H1.8",
            secret=True,
            default=0,
            help="They are allotted after the Leader Exchange DR.",
        )
    )
    if number:
        made = own.model_copy(update={"commissars": number})
        yield LeadersSettled(side=side, leaders=made, why="A25.22, by the players", to=(side,))


# What the catalogue says ------------------------------------------------------------------------


def lg_factor(cg: Cg, side: str) -> int | None:
    """Return the Leadership Generation factor of a side's nation, None if nobody knows it."""
    lg = cg.nation(side).capabilities(cg.month).lg
    return lg if isinstance(lg, int) else None


def column(cg: Cg, side: str) -> Column:
    """Return the column of the Leader Exchange Table."""
    entered = cg.nation(side).capabilities(cg.month).column
    return entered if isinstance(entered, Column) else leader_column(cg.group(side))


def count_of(cg: Cg, side: str, lg: int) -> LeaderCount:
    """Return how many leaders a side has, and the one for a fraction."""
    entered = cg.nation(side).capabilities(cg.month).fraction_leader
    return leader_count(
        sum(cg.ob(side).equivalents.values()),
        lg,
        column(cg, side),
        fraction_leader=entered if isinstance(entered, str) else None,
    )


def gone(cg: Cg, side: str, own: Leaders) -> tuple[str, ...]:
    """Return the leader types without a counter left; unknown numbers are no limit (DYO H1.11)."""
    if cg.terms.agreements.extra_pieces:
        return ()
    return tuple(
        type_
        for type_, counters in cg.nation(side).leader_counters.items()
        if isinstance(counters, int) and own.held.get(type_, 0) >= counters
    )


@implements("DYO H1.11")
def within_counters(cg: Cg, side: str, held: Mapping[str, int]) -> dict[str, int]:
    """Return the leaders for whom one game has counters; unknown numbers are no limit."""
    counters = cg.nation(side).leader_counters
    if cg.terms.agreements.extra_pieces or cg.reading("free-pieces") != "limited":
        counters = {}
    cut = {
        type_: min(number, limit) if isinstance(limit := counters.get(type_), int) else number
        for type_, number in held.items()
    }
    return {type_: number for type_, number in cut.items() if number}


def _ranks(of: Column) -> tuple[str, ...]:
    return charts().leaders.ranks[of]


def _ranked(held: Mapping[str, int], of: Column) -> dict[str, int]:
    """Return leaders in the order of their quality, from below."""
    ranks = _ranks(of)
    return {type_: held[type_] for type_ in sorted(held, key=ranks.index) if held[type_]}


def _extra(cg: Cg, side: str, count: LeaderCount) -> Procedure[str]:
    """Return the leader for the fraction; asked where the rules at hand don't name him."""
    if not isinstance(count.extra, Unknown):
        return count.extra or ""
    ranks = _ranks(column(cg, side))
    default = count.extra.suggestion if count.extra.suggestion in ranks else ranks[0]
    found: str = yield from ask(
        Question(
            key="fraction-leader",
            side=side,
            text="Which leader does a fraction give?",
            form=Choice(tuple(Option(type_) for type_ in ranks)),
            rule="DYO H1.8",
            secret=True,
            default=default,
            help="Your rulebook has it; the rules at hand name a 7-0, and an 8-0 for Finns.",
        )
    )
    return found


def _types(cg: Cg, side: str) -> Procedure[tuple[str, ...]]:
    """Return the leader types of the ladder from below; asked where nobody has entered them."""
    entered = cg.nation(side).capabilities(cg.month).ladder
    types = entered if isinstance(entered, tuple) and entered else ladder_types(column(cg, side))
    if not isinstance(types, Unknown):
        return types
    ranks = _ranks(column(cg, side))
    chosen: list[str] = yield from ask(
        Question(
            key="leader-types",
            side=side,
            text="Which leader types, from the lowest up, make your ladder?",
            form=Several(tuple(Option(type_) for type_ in ranks), least=1),
            rule="DYO H1.81",
            secret=True,
            default=list(ranks),
            help="The rules at hand name the common ones only (8-0 to 10-2).",
        )
    )
    return tuple(type_ for type_ in ranks if type_ in chosen)


# The questions ----------------------------------------------------------------------------------


def _ladder_question(cg: Cg, side: str, types: Sequence[str], number: int) -> Question:
    stand_in = charts().leaders.fraction[Column.GENERAL]
    steps = (*types, stand_in) if stand_in not in types else tuple(types)
    best = best_ladder(number, types)
    row = Record(
        (
            Field("leader", Choice(tuple(Option(type_) for type_ in steps)), "Leader"),
            Field("number", Number(0, number), "How many"),
        )
    )
    return Question(
        key="leaders",
        side=side,
        text=f"Of which quality are your {number} leaders?",
        form=Rows(row, most=len(steps)),
        rule="DYO H1.81",
        secret=True,
        default=ladder_rows(best),
        help="Fewer of each than of the type below it.",
        check=lambda rows: ladder_problems(types, number, rows),
        suggest=lambda rng: _some_ladder(types, number, rng),
    )


def ladder_rows(ladder: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return leaders as an answer has them."""
    return [{"leader": type_, "number": count} for type_, count in ladder.items() if count]


def ladder_problems(
    types: Sequence[str], number: int, rows: Sequence[Mapping[str, Any]]
) -> list[Problem]:
    """Return everything that the rules have against these leaders."""
    names = [row["leader"] for row in rows]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    found = [Problem(f"{name} is named twice", "name it once") for name in twice]
    ladder = {row["leader"]: row["number"] for row in rows}
    return [*found, *(breach.problem() for breach in ladder_breaches(ladder, types, number))]


def _some_ladder(types: Sequence[str], number: int, rng: Random) -> list[dict[str, Any]]:
    height = rng.randint(1, len(types))
    return ladder_rows(best_ladder(number, types[:height]))


def _trade_question(side: str, lowest: str, gained: str) -> Question:
    return Question(
        key="trade",
        side=side,
        text=f"Do you trade one {lowest} for a {gained}?",
        form=YesNo(),
        rule="DYO H1.81",
        secret=True,
        default=True,
        help="The next better leader that you do not have yet.",
    )


def _exchange_question(cg: Cg, side: str, own: Leaders) -> Question:
    odds = odds_exchange(own.held, column(cg, side), chosen=cg.chosen)
    told = ", ".join(f"{gained or 'nothing'} {chance * 36}/36" for gained, chance in odds.items())
    return Question(
        key="leader-exchange-dr",
        side=side,
        text="Do you make the Leader Exchange DR?",
        form=YesNo(),
        rule="DYO H1.82",
        secret=True,
        default=True,
        help=f"Once made, it binds. What comes: {told}.",
    )


def _lost_question(side: str, gained: str, choices: Sequence[str]) -> Question:
    return Question(
        key="leader-lost",
        side=side,
        text=f"Which leader goes for the {gained}?",
        form=Choice(tuple(Option(type_) for type_ in choices)),
        rule="DYO H1.82",
        secret=True,
        default=choices[0],
    )


def exchanged(own: Leaders, dr: Dr, gained: str, lost: str, of: Column) -> Leaders:
    """Return the leaders after the exchange DR, whether it did anything or not."""
    held = dict(own.held)
    if gained:
        held[lost] -= 1
        held[gained] = held.get(gained, 0) + 1
    return own.model_copy(
        update={"held": _ranked(held, of), "exchange": dr, "gained": gained, "lost": lost}
    )
