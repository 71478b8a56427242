"""ELR, SAN and Ammunition Shortage: the numbers of a side that a table raises or lowers."""

from __future__ import annotations

from collections.abc import Mapping

from laager.campaign import Number, Procedure, Question, implements, step
from laager.rules.board.facts import ElrChanged, SanChanged
from laager.rules.board.hasl.asking import roll_or_ask
from laager.rules.board.hasl.conditions import conditions, number_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import AmmunitionChanged, RollTold
from laager.rules.board.state import MAX_ELR, MAX_SAN

HIGHEST: Mapping[str, int] = {"elr": MAX_ELR, "san": MAX_SAN, "ammunition": 5}
"""The highest ELR, SAN and level of Ammunition Shortage, by the names of their tables."""


@implements("ABtF 9.620", "ABtF 9.6202")
@step("HASL 24", "ELR loss or gain", each_side=True)
def elr_change(cg: Hasl, side: str) -> Procedure[None]:
    """A side's ELR rises or falls by the table, for what it lost and did on the date just played."""
    elr = cg.state.side(side).elr
    known = {**conditions(cg, side), **cg.variant.elr_conditions(cg, side)}
    help_ = "Look up the loss or gain in the module."
    change, why, rolled = yield from _change_by_table(cg, side, "elr", elr, "ELR", "ELR loss or gain", help_, known)
    new = clamp_level("elr", elr + change)
    if new != elr:
        yield ElrChanged(side=side, by=new - elr, why=f"{why}: ELR {elr} to {new}")
    elif rolled:
        yield RollTold(text=f"{side} ELR stays {elr}", why=why)


@step("HASL 24", "Ammunition Shortage", each_side=True)
def ammunition_shortage(cg: Hasl, side: str, *, always: bool = False) -> Procedure[None]:
    """The level of a side's Ammunition Shortage rises or falls by the table.

    A side whose card gives no level to begin with has no such levels, unless it `always` has.
    """
    if not (always or cg.side(side).ammunition):
        return
    level, label = cg.state.side(side).ammunition, "Ammunition Shortage"
    help_ = "Look it up in the module; 0 stands for no shortage."
    change, why, rolled = yield from _change_by_table(cg, side, "ammunition", level, f"{label} level", label, help_)
    new = clamp_level("ammunition", level + change)
    if new != level:
        yield AmmunitionChanged(side=side, by=new - level, why=f"{why}: level {level} to {new}")
    elif rolled:
        yield RollTold(text=f"{side} Ammunition Shortage level stays {level}", why=why)


@implements("ABtF 9.612", "ER 1.512")
@step("HASL 16", "SAN adjustment", each_side=True, edition=2)
def san_adjustment(cg: Hasl, side: str) -> Procedure[None]:
    """A side's SAN rises or falls by the table.

    The enemy learns what becomes of the SAN that it knows. A side that has raised its SAN in secret since it was
    last announced learns by itself if its true one rises or falls otherwise, at the highest or at 0.
    """
    own, label = cg.state.side(side), "SAN adjustment"
    known = own.san - own.secret_san
    name = f"SAN, without the {own.secret_san} that you have bought in secret," if own.secret_san else "SAN"
    help_ = "Look up the adjustment in the module."
    change, why, rolled = yield from _change_by_table(cg, side, "san", known, name, label, help_)
    shown_change, true = clamp_level("san", known + change) - known, clamp_level("san", own.san + change) - own.san
    if shown_change:
        # The log does not show the number itself: the true one is the side's secret until it is announced.
        yield SanChanged(side=side, by=shown_change, why=f"{label}: {why}")
    elif rolled:
        yield RollTold(text=f"{side} SAN stays as it is", why=f"{label}: {why}")
    if true != shown_change:
        yield SanChanged(side=side, by=true - shown_change, why=f"{label}: with what was bought in secret", to=(side,))


def _change_by_table(
    cg: Hasl, side: str, table: str, now: int, name: str, label: str, help_: str, known: Mapping[str, int] | None = None
) -> Procedure[tuple[int, str, bool]]:
    """Roll for a number's change, or ask for the new number; return the change, why, and if there was a roll."""
    question = Question(
        key=table,
        side=side,
        text=f"What is your {name} now? It was {now}.",
        form=Number(0, HIGHEST[table]),
        default=now,
        help=help_,
    )
    outcome = yield from roll_or_ask(cg, side, table, label, known or conditions(cg, side), question)
    number = number_of(outcome.result, table)
    return (number - now if outcome.rolled is None else number), outcome.why, outcome.rolled is not None


@implements("HASL 16", "HASL 24")
def clamp_level(table: str, number: int) -> int:
    """Return an ELR, SAN or level within its bounds: 0 and the highest."""
    return max(0, min(HIGHEST[table], number))
