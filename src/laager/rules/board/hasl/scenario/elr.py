"""Losses weighed: Ammunition Shortage, and ELR loss or gain."""

from __future__ import annotations

from laager.campaign import Number, Procedure, Question, implements, step
from laager.rules.board.facts import ElrChanged
from laager.rules.board.hasl.asking import chart_roll
from laager.rules.board.hasl.conditions import conditions, number_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import AmmunitionChanged, RollTold

HIGHEST = 5
"""The highest ELR, and the highest level of Ammunition Shortage."""


@step("HASL 24", "Ammunition Shortage", each_side=True)
def ammunition_shortage(cg: Hasl, side: str, *, always: bool = False) -> Procedure[None]:
    """The level of a side's Ammunition Shortage rises or falls by the table.

    A side whose card gives no level to begin with has no such levels, unless it `always` has.
    """
    if not (always or cg.side(side).ammunition):
        return
    level = cg.state.side(side).ammunition
    question = Question(
        key="ammunition",
        side=side,
        text=f"What is your Ammunition Shortage level now? It was {level}.",
        form=Number(0, HIGHEST),
        default=level,
        help="Look it up in the module; 0 stands for no shortage.",
    )
    label = "Ammunition Shortage"
    known = conditions(cg, side)
    found = yield from chart_roll(cg, side, "ammunition", label, known, question)
    if found.rolled is None:
        new = number_of(found.result, "ammunition")
    else:
        new = bounded(level + number_of(found.result, "ammunition"))
    if new != level:
        why = f"{found.why}: level {level} to {new}"
        yield AmmunitionChanged(side=side, by=new - level, why=why)
    elif found.rolled is not None:
        yield RollTold(text=f"{side} Ammunition Shortage level stays {level}", why=found.why)


@implements("ABtF 9.620", "ABtF 9.6202")
@step("HASL 24", "ELR loss or gain", each_side=True)
def elr_change(cg: Hasl, side: str) -> Procedure[None]:
    """A side's ELR rises or falls by the table, by what it lost and did on the date just played."""
    elr = cg.state.side(side).elr
    question = Question(
        key="elr",
        side=side,
        text=f"What is your ELR now? It was {elr}.",
        form=Number(0, HIGHEST),
        default=elr,
        help="Look up the loss or gain in the module.",
    )
    known = {**conditions(cg, side), **cg.variant.elr_conditions(cg, side)}
    found = yield from chart_roll(cg, side, "elr", "ELR loss or gain", known, question)
    new = number_of(found.result, "elr") if found.rolled is None else bounded(elr + number_of(found.result, "elr"))
    if new != elr:
        yield ElrChanged(side=side, by=new - elr, why=f"{found.why}: ELR {elr} to {new}")
    elif found.rolled is not None:
        yield RollTold(text=f"{side} ELR stays {elr}", why=found.why)


@implements("HASL 24")
def bounded(number: int) -> int:
    """Return an ELR or level within its bounds, 0 and 5."""
    return max(0, min(HIGHEST, number))
