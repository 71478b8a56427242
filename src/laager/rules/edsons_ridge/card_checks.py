"""What a card must have by the rules of this module, and what they print of its charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.rules.board.card.parts import AXIS
from laager.rules.board.hasl.card.card import Card

PUBLISHED_DATES = ("12 Sept Night", "13 Sept Day", "13 Sept Night I", "13 Sept Night II", "14 Sept Day")
"""The five CG Dates of the published campaign, as we know them."""


@implements("ER 1.522", "ER CHART CG listing")
def card_problems(card: Card) -> Iterator[Problem]:
    """Yield what is wrong with a card: who attacks first, Blocks, dates of Entry Areas."""
    if card.initial.attacker != AXIS:
        yield Problem("the Japanese attack in the Initial Scenario", "attacker: axis", "initial")
    if card.areas != "listed":
        yield Problem("Setup Areas are listed in this campaign", "areas: listed", "areas")
    ids = [date.id for date in card.dates]
    for side, half in card.sides.items():
        arrows = [*half.arrows, *(name for formation in half.formations for name in formation.arrows)]
        for arrow, date in half.arrow_dates.items():
            where = f"sides.{side}.arrow_dates.{arrow}"
            if date not in ids:
                yield Problem(f"there is no CG Date {date!r}", did_you_mean(date, ids), where)
            if arrows and arrow not in arrows:
                yield Problem(f"{arrow} isn't an Entry Area of {half.name}", did_you_mean(arrow, arrows), where)


@implements("ER CHART CG dates")
def date_doubts(card: Card) -> Iterator[Problem]:
    """Yield a doubt if a published campaign doesn't have its five dates."""
    if card.source == "published" and len(card.dates) != len(PUBLISHED_DATES):
        yield Problem(
            f"the campaign has {len(card.dates)} CG Dates", f"we know five: {', '.join(PUBLISHED_DATES)}", "dates"
        )


CHART_NOTES: Mapping[str, Sequence[str]] = {
    "fortifications": ("The prices of ER 1.520 are in the rules; leave this empty to use them.",),
    "scenario-types": ("The matrix of ER 1.5222 is in the rules; leave this empty to use it.",),
    "rg": ("On map +1 CPP, in Reserve -1 (ER CG7): cost is that of a group that enters.",),
    "strength": ("The table of ER 1.5191 is in the rules, and is used unless one stands here.",),
    "leaders": (
        "The table of ER 1.5193 is in the rules, and is used unless one stands here; "
        "its columns are american, american-armor and japanese.",
    ),
}
"""Help for filling in the charts: sentences by chart."""
