"""Heat of Battle brought by an Original 2 (PL 3.21 note 1): the players tell what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from laager.campaign import Choice, Fact, Option, Procedure, Question, ask, implements
from laager.rules.board.changes import LEADERS, eliminate, harden, marked, moved, reveal
from laager.rules.board.joining import unit_joins
from laager.rules.board.telling import discreet, tell
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.parties import Terms

HARDENING, HERO, BERSERK, SURRENDER, NONE = "hardened", "hero", "berserk", "surrender", "none"

RULE = "PL 3.21 note 1"


def heat_of_battle(cg: Cg, units: Sequence[Unit], terms: Terms) -> Procedure[None]:
    """Ask for each unit what Heat of Battle did (A15), and apply it."""
    for unit in units:
        outcome: str = yield from ask(_question(cg, unit))
        now = cg.state.units[unit.id]
        yield from tell(discreet(now, came_of_heat(cg, now, outcome, terms)))


def _question(cg: Cg, unit: Unit) -> Question:
    options = [
        Option(HARDENING, "Battle Hardening"),
        Option(BERSERK, "Berserk: here it is Battle Hardened"),
        Option(SURRENDER, "Surrender: here it is eliminated"),
        Option(NONE, "nothing that lasts"),
    ]
    if unit.kind in LEADERS or cg.nation_of(unit).leaders.hero is not None:
        made = "becomes heroic" if unit.kind in LEADERS else "a Hero is created"
        options.insert(1, Option(HERO, f"Hero creation: {made}"))
    return Question(
        key=f"heat-of-battle-{unit.id.lower()}",
        side=unit.side,
        text=f"An Original 2: {unit.label} redeploys. What does its Heat of Battle DR give?",
        form=Choice(tuple(options)),
        rule=RULE,
        secret=not unit.known,
        default=HARDENING,
        help="Roll Heat of Battle (A15) on the table and tell what came of it.",
    )


@implements("PL 3.21 note 1")
def came_of_heat(cg: Cg, unit: Unit, outcome: str, terms: Terms) -> Iterator[Fact]:
    """Return what follows from an outcome: Berserk hardens, Surrender eliminates."""
    if outcome in (HARDENING, BERSERK) and unit.kind != "hero":
        yield from harden(cg, unit, f"Heat of Battle: {outcome}")
    elif outcome == SURRENDER:
        yield from eliminate(cg, unit, "Heat of Battle: surrender", firefight=terms.firefight)
    elif outcome == HERO and unit.kind in LEADERS:
        yield from marked(unit, add=[Mark.HEROIC], why="Heat of Battle: heroic")
    elif outcome == HERO:
        yield from _hero(cg, unit, terms)


def _hero(cg: Cg, unit: Unit, terms: Terms) -> Iterator[Fact]:
    """A Hero is created with the unit; the enemy sees him if it sees the unit, and may look."""
    type_ = cg.nation_of(unit).leaders.hero
    assert type_ is not None, "otherwise it is no option"
    why = f"Heat of Battle: created by {unit.label}"
    marks = unit.marks & {Mark.REDEPLOYED}
    joined = unit_joins(cg, unit.side, type_, "hero", unit.group, marks=marks, why=why)
    yield joined
    hero = cg.state.units[joined.unit.id]
    yield moved(hero, unit.at, why=why)
    if unit.known and not terms.secret:
        yield from reveal(cg.state.units[hero.id], why)
