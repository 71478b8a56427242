"""Equivalency, and the leaders that follow from it (DYO H1.74 to H1.82)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from laager.base import Problem
from laager.base.counting import count_of
from laager.campaign import Number, Option, Procedure, Question, Rows, Several, YesNo, ask, roll, step
from laager.dice import Dice
from laager.rules.board.names import with_article
from laager.rules.design_your_own.answers import Missing
from laager.rules.design_your_own.context import Cg, evidence
from laager.rules.design_your_own.facts import EquivalencyReckoned, LeadersSettled
from laager.rules.design_your_own.lines import leaders as rules
from laager.rules.design_your_own.ob import Dr, Leaders
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.steps.buying import named_twice, pick, row_form
from laager.rules.design_your_own.steps.missing import NOT_RECEIVED, fill_gaps

MOST_COMMISSARS = 20


@step("DYO H1.74", "Equivalency", each_side=True, edition=2)
def equivalents(cg: Cg, side: str) -> Procedure[None]:
    """The Equivalent number of squads, bonus squads included (H1.74)."""
    wanted = ("capabilities", "leaders", "support_weapons")
    yield from fill_gaps(cg, side, "DYO H1.8", *wanted, without=NOT_RECEIVED)
    equivalencies = [rules.equivalents_of(cg, side, of) for of in cg.nations(side)]
    numbers = {name: part.value for name, part in rules.subsections(equivalencies).items()}
    yield EquivalencyReckoned(side=side, **numbers, why="; and ".join(part.why for part in equivalencies), to=(side,))


@step("DYO H1.8", "Leaders", each_side=True)
def leaders(cg: Cg, side: str) -> Procedure[None]:
    """The number is given; the owner chooses the quality, and may trade an 8-0 (H1.8)."""
    for of in cg.nations(side):
        if not of or rules.equivalents_of(cg, side, of).total:
            yield from _leaders_of(cg, side, of)


def _leaders_of(cg: Cg, side: str, of: str) -> Procedure[None]:
    """Settle the leaders of one nation of a side."""
    lg = rules.lg_factor(cg, side, of)
    if lg is None:
        why = "the LG factor of the nation is not known (DYO H1.8)"
        unknown = Leaders(count=0)
        yield LeadersSettled(side=side, leaders=unknown, contingent=of, why=why, to=(side,))
        return
    count = rules.count_of(cg, side, lg, of)
    extra = yield from _extra(cg, side, of, count)
    types = yield from _types(cg, side, of)
    number = count.leaders.value
    rows = []
    if number:
        rows = yield from ask(_ladder_question(cg, side, of, types, number))
    ladder = {row["leader"]: row["number"] for row in rows if row["number"]}
    better = rules.trade(ladder, types) if ladder else None
    traded = ""
    if better is not None:
        gained = next(type_ for type_ in types if better.get(type_, 0) > ladder.get(type_, 0))
        if (yield from ask(_trade_question(side, of, types[0], gained))):
            ladder, traded = dict(better), gained
    held = dict(ladder)
    if extra:
        held[extra] = held.get(extra, 0) + 1
    received = rules.within_counters(cg, side, rules.sort_by_quality(held), of)
    made = Leaders(count=number, extra=extra, held=received, traded=traded)
    why = count.leaders.why
    if received != held:
        why += "; more than the counters of one game are not received (DYO H1.11)"
    yield LeadersSettled(side=side, leaders=made, contingent=of, why=why, to=(side,))


@step("DYO H1.82", "Leader exchange", each_side=True)
def leader_exchange(cg: Cg, side: str) -> Procedure[None]:
    """One DR can better the best leader; a 12 makes one of them worse (H1.82)."""
    ob = cg.ob(side)
    led = [of for of in cg.nations(side) if (own := ob.leaders_of(of)) and own.total]
    if not led:
        return
    of = led[0] if len(led) == 1 else (yield from ask(_whose_question(cg, side, led)))
    of = "" if of == cg.terms.side(side).nation else of
    own = ob.leaders_of(of)
    assert own is not None
    if not (yield from ask(_exchange_question(cg, side, of, own))):
        return
    rolled = yield from roll(side, "Leader exchange", Dice.DR, secret=True, table=rules.TABLE)
    exchange = rules.exchange_of(cg, side, of, own, rolled.final)
    lost = exchange.lost or ""
    if exchange.gained and exchange.choices:
        text = f"Which leader goes for the {exchange.gained}?"
        lost = yield from ask(pick(side, "leader-lost", "DYO H1.82", text, map(Option, exchange.choices)))
    made = after_exchange(own, evidence(rolled), exchange.gained or "", lost)
    why = f"DR {rolled.final}: {f'{lost} for {exchange.gained}' if exchange.gained else 'no effect'}"
    yield LeadersSettled(side=side, leaders=made, contingent=of, why=why, to=(side,))


@step("DYO H1.8", "Commissars", each_side=True)
def commissars(cg: Cg, side: str) -> Procedure[None]:
    """Commissars come last, as A25.22 has it; how many, the players know (H1.8)."""
    for of in cg.nations(side):
        own = cg.ob(side).leaders_of(of)
        if own is not None and cg.nation(side, of).line.commissars.at(cg.month) is True:
            yield from _commissars_of(cg, side, of, own)


def _commissars_of(cg: Cg, side: str, of: str, own: Leaders) -> Procedure[None]:
    number = yield from ask(
        Question(
            key=_key("commissars", of),
            side=side,
            text=f"How many Commissars does A25.22 give {_troops_words(of)}?",
            form=Number(0, MOST_COMMISSARS),
            rule="DYO H1.8",
            secret=True,
            default=0,
            help="They are allotted after the Leader Exchange DR.",
        )
    )
    if number:
        made = own.model_copy(update={"commissars": number})
        yield LeadersSettled(side=side, leaders=made, contingent=of, why="A25.22, by the players", to=(side,))


# What the catalogue says ------------------------------------------------------------------------


def _key(key: str, of: str) -> str:
    """Return the key of a question about a contingent."""
    return f"{key}-{of}" if of else key


def _troops_words(of: str) -> str:
    """Say whom a question is about: `your Romanian troops`."""
    return f"your {of.replace('-', ' ').title()} troops" if of else "your side"


def _extra(cg: Cg, side: str, of: str, count: rules.LeaderCount) -> Procedure[str]:
    """Return the leader for the fraction; asked where the rules at hand don't name him."""
    if not isinstance(count.extra, Missing):
        return count.extra or ""
    known = rules.leader_types(cg, side, of)
    leader: str = yield from ask(
        pick(
            side,
            _key("fraction-leader", of),
            "DYO H1.8",
            f"Which leader does a fraction give {_troops_words(of)}?",
            map(Option, known),
            default=str(count.extra.suggestion),
            hint="Your rulebook has it; the rules at hand name a 7-0, and an 8-0 for Finns.",
        )
    )
    return leader


def _types(cg: Cg, side: str, of: str) -> Procedure[tuple[str, ...]]:
    """Return the leader types of the ladder from below; asked where nobody has entered them."""
    types = rules.ladder_of(cg, side, of)
    if not isinstance(types, Missing):
        return types
    ranks = rules.leader_types(cg, side, of)
    chosen: list[str] = yield from ask(
        Question(
            key=_key("leader-types", of),
            side=side,
            text=f"Which leader types, from the lowest up, make the ladder of {_troops_words(of)}?",
            form=Several(tuple(Option(type_) for type_ in ranks), least=1),
            rule="DYO H1.81",
            secret=True,
            default=_likely_ladder(cg, side, of),
            help="The rules at hand name the common ones only (8-0 to 10-2).",
        )
    )
    return tuple(type_ for type_ in ranks if type_ in chosen)


def _likely_ladder(cg: Cg, side: str, of: str) -> list[str]:
    """Return the leaders of the nation's column, less the one that only a 12 gives (DYO H1.82-T)."""
    its_column, known = rules.column(cg, side, of), cg.charts.leaders
    ranks = known.ranks[its_column]
    return list(ranks[1:] if its_column in known.replaced else ranks)


# The questions ----------------------------------------------------------------------------------


def _ladder_question(cg: Cg, side: str, of: str, types: Sequence[str], number: int) -> Question:
    steps = rules.ladder_steps(cg.rulebook, types, rules.column(cg, side, of))
    best = rules.best_ladder(number, types)
    return Question(
        key=_key("leaders", of),
        side=side,
        text=f"Which types are the {count_of(number, 'leader')} of {_troops_words(of)}?",
        form=Rows(row_form("leader", "Leader", steps, number, least=0), most=len(steps)),
        rule="DYO H1.81",
        secret=True,
        default=ladder_rows(best),
        help="Fewer of each than of the type below it.",
        check=lambda rows: ladder_problems(cg.rulebook, steps, number, rows),
        suggest=lambda rng: _some_ladder(types, number, rng),
    )


def ladder_rows(ladder: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return leaders as an answer has them."""
    return [{"leader": type_, "number": count} for type_, count in ladder.items() if count]


def ladder_problems(
    rulebook: Rulebook, types: Sequence[str], number: int, rows: Sequence[Mapping[str, Any]]
) -> list[Problem]:
    """Return everything that the rules have against these leaders."""
    problems = named_twice([row["leader"] for row in rows])
    ladder = {row["leader"]: row["number"] for row in rows}
    return [*problems, *(breach.problem() for breach in rules.ladder_breaches(rulebook, ladder, types, number))]


def _some_ladder(types: Sequence[str], number: int, rng: Random) -> list[dict[str, Any]]:
    height = rng.randint(1, len(types))
    return ladder_rows(rules.best_ladder(number, types[:height]))


def _trade_question(side: str, of: str, lowest: str, gained: str) -> Question:
    among = f" among {_troops_words(of)}" if of else ""
    return Question(
        key=_key("trade", of),
        side=side,
        text=f"Do you trade one {lowest} for {with_article(gained)}{among}?",
        form=YesNo(),
        rule="DYO H1.81",
        secret=True,
        default=True,
        help="The next better leader that you don't have yet.",
    )


def _whose_question(cg: Cg, side: str, led: Sequence[str]) -> Question:
    """Ask for which nation's leaders the one DR of the side is made (DYO H1.14, H1.82)."""
    names = [of or cg.terms.side(side).nation for of in led]
    options = (Option(name, name.replace("-", " ").title()) for name in names)
    text = "Leaders of which nation is the Leader Exchange DR for?"
    return pick(side, "leader-exchange-nation", "DYO H1.82", text, options, hint="A side makes one DR.")


def _exchange_question(cg: Cg, side: str, of: str, own: Leaders) -> Question:
    odds = rules.odds_exchange(cg.rulebook, own.held, rules.column(cg, side, of))
    odds_text = ", ".join(f"{gained or 'nothing'} {chance * 36}/36" for gained, chance in odds.items())
    return Question(
        key="leader-exchange-dr",
        side=side,
        text="Do you make the Leader Exchange DR?",
        form=YesNo(),
        rule="DYO H1.82",
        secret=True,
        default=True,
        help=f"Once made, it binds. What comes: {odds_text}.",
        irrevocable=lambda made: "What the DR gives binds." if made else "It can't be made later.",
    )


def after_exchange(own: Leaders, dr: Dr, gained: str, lost: str) -> Leaders:
    """Return the leaders after the exchange DR (H1.82), also if it changed nothing."""
    held = dict(own.held)
    if gained:
        held[lost] -= 1
        held[gained] = held.get(gained, 0) + 1
    return own.model_copy(update={"held": rules.sort_by_quality(held), "exchange": dr, "gained": gained, "lost": lost})
