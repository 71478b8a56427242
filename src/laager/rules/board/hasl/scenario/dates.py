"""Another CG Date, the SAN of both sides on it, and the end of the campaign after the last."""

from __future__ import annotations

from laager.campaign import Number, Procedure, Question, implements, step
from laager.rules.board.facts import SanChanged
from laager.rules.board.hasl.asking import chart_roll
from laager.rules.board.hasl.conditions import conditions, number_of
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import DateBegun, RollTold
from laager.rules.board.hasl.refit.areas import control_at_the_end
from laager.rules.board.hasl.scenario.ending import victory
from laager.rules.board.hasl.victory import is_area

MAX_SAN = 7


@implements("HASL 2", "ABtF 9.612", "ER 1.512")
@step("HASL 16", "New CG Date")
def new_date(cg: Hasl) -> Procedure[None]:
    """The next CG Date begins; after the last one the campaign has ended before this."""
    date = cg.next_date
    assert date is not None, "the campaign ends on its last CG Date"
    yield DateBegun(number=cg.state.number + 1, why=f"{date.title} follows {cg.date.title}")


@implements("ABtF 9.2 CG End", "ER 1.5231")
@step("HASL 31", "End of the campaign")
def campaign_end(cg: Hasl) -> Procedure[None]:
    """If the scenario of the last CG Date has ended, victory is judged: the campaign is over.

    Blocks and areas are determined once more first, if a condition asks for them.
    """
    if cg.next_date is not None or not cg.state.scenario.ended:
        return
    named = {name for one in cg.card.victory.final for name in one.controls}
    if any(is_area(cg, name) for name in named):
        yield from control_at_the_end(cg)
    yield from victory(cg)


@implements("ABtF 9.612", "ER 1.512")
@step("HASL 16", "SAN adjustment", each_side=True)
def san_adjustment(cg: Hasl, side: str) -> Procedure[None]:
    """A side's SAN rises or falls by the table."""
    san = cg.state.side(side).san
    question = Question(
        key="san",
        side=side,
        text=f"What is your SAN now? It was {san}.",
        form=Number(0, MAX_SAN),
        default=san,
        help="Look up the adjustment in the module.",
    )
    known = conditions(cg, side)
    found = yield from chart_roll(cg, side, "san", "SAN adjustment", known, question)
    new = number_of(found.result, "san") if found.rolled is None else bounded(san + number_of(found.result, "san"))
    if new != san:
        # The number itself stays untold: a side may have raised its SAN in secret.
        yield SanChanged(side=side, by=new - san, why=f"SAN adjustment: {found.why}")
    elif found.rolled is not None:
        yield RollTold(text=f"{side} SAN stays as it is", why=f"SAN adjustment: {found.why}")


@implements("HASL 16")
def bounded(san: int) -> int:
    """Return a SAN within its bounds, 0 and 7."""
    return max(0, min(MAX_SAN, san))
