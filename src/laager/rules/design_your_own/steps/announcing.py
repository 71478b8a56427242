"""Both sides announce their ELR; the lower one receives bonus squads (DYO H1.71, H1.72)."""

from __future__ import annotations

from fractions import Fraction

from laager.campaign import Number, Procedure, Question, ask, step
from laager.rules.design_your_own.bonus import bonus_number
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.elr import announced_elr, squads_by_elr
from laager.rules.design_your_own.facts import BonusDue, ElrAnnounced
from laager.rules.design_your_own.lines import rule_lines
from laager.rules.design_your_own.reckoning import Reckoning
from laager.rules.design_your_own.terms import SIDES, other


@step("DYO H1.71", "ELR are announced", also=("DYO H1.72", "DYO H1.27", "DYO H1.71-T"))
def announcing(cg: Cg) -> Procedure[None]:
    """Each side announces the ELR of most of its squads; how many they are stays its secret."""
    for side in SIDES:
        yield from _announced(cg, side)
    for side in SIDES:
        number = bonus_of(cg, side)
        if number.amount:
            yield BonusDue(side=side, number=squads_words(number.amount), why=number.why, to=(side,))


def _announced(cg: Cg, side: str) -> Procedure[None]:
    capabilities = cg.nation(side).capabilities(cg.month)
    if capabilities.partisan:
        elr = capabilities.announced_elr
        if not isinstance(elr, int):
            elr = yield from ask(_partisans(side, side_elr(cg, side)))
        yield ElrAnnounced(side=side, elr=elr, rule="DYO H1.27", why="that of Partisans")
        return
    lines = rule_lines(cg.nation(side), cg.month, cg.ob(side).infantry)
    found = announced_elr(squads_by_elr(lines, side_elr(cg, side)))
    # A side without squads announces that of its nation; nobody is told that it has none.
    elr = found.elr if found else side_elr(cg, side)
    yield ElrAnnounced(side=side, elr=elr, why="the ELR of the greatest number of its squads")


def side_elr(cg: Cg, side: str) -> int:
    """Return the ELR of a side by its terms, which had it from the chart or by agreement."""
    elr = cg.terms.side(side).elr
    assert elr is not None, "loading the terms settles it"
    return elr


def _partisans(side: str, default: int) -> Question:
    return Question(
        key="partisan-elr",
        side=side,
        text="Which ELR do your Partisans announce?",
        form=Number(0, 5),
        rule="DYO H1.27",
        default=default,
        help="The rule that has it is cut off in the copy at hand; your rulebook knows.",
    )


def bonus_of(cg: Cg, side: str) -> Reckoning:
    """Return the bonus number of a side once both have announced."""
    own, enemy = cg.ob(side), cg.ob(other(side))
    spent = {one: cg.ob(one).mpv("first") + cg.ob(one).mpv("second") for one in SIDES}
    assert own.announced_elr is not None
    assert enemy.announced_elr is not None
    return bonus_number(own.announced_elr, enemy.announced_elr, spent[side], spent[other(side)])


def squads_words(number: Fraction) -> str:
    """Return a number of squads as the chart prints it: 5, 2½, ½."""
    whole, half = divmod(number, 1)
    return f"{whole or ''}{'½' if half else ''}" or "0"
