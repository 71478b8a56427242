"""What a card must have by the rules of this module, and what they print of its charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from laager.base import Problem, did_you_mean
from laager.campaign import implements
from laager.rules.board.card.parts import AXIS
from laager.rules.board.hasl.card.card import Card
from laager.rules.board.hasl.charts import Charts
from laager.rules.edsons_ridge.groups import chart_problems

DATES = ("12 Sept Night", "13 Sept Day", "13 Sept Night I", "13 Sept Night II", "14 Sept Day")
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
        known = [*half.arrows, *(name for one in half.formations for name in one.arrows)]
        for arrow, date in half.arrow_dates.items():
            where = f"sides.{side}.arrow_dates.{arrow}"
            if date not in ids:
                yield Problem(f"there is no CG Date {date!r}", did_you_mean(date, ids), where)
            if known and arrow not in known:
                what = f"{arrow} isn't an Entry Area of {half.name}"
                yield Problem(what, did_you_mean(arrow, known), where)


@implements("ER CHART CG dates")
def date_doubts(card: Card) -> Iterator[Problem]:
    """Yield a doubt if a published campaign doesn't have its five dates."""
    if card.source == "published" and len(card.dates) != len(DATES):
        what = f"the campaign has {len(card.dates)} CG Dates"
        yield Problem(what, f"we know five: {', '.join(DATES)}", "dates")


def problems(card: Card, charts: Charts) -> list[Problem]:
    """Return all that is wrong with a card and its charts by this module's rules."""
    return [*card_problems(card), *chart_problems(charts)]


KNOWN: Mapping[str, Sequence[str]] = {
    "fortifications": ("The prices of ER 1.520 are in the rules; leave this empty to use them.",),
    "scenario-types": ("The matrix of ER 1.5222 is in the rules; leave this empty to use it.",),
    "rg": ("On map +1 CPP, in Reserve -1 (ER CG7): cost is that of a group that enters.",),
    "strength": ("The table of ER 1.5191 is in the rules, and is used unless one stands here.",),
    "leaders": (
        "The table of ER 1.5193 is in the rules, and is used unless one stands here; "
        "its columns are american, american-armor and japanese.",
    ),
}
"""Sentences by chart, for whoever fills the charts in."""
