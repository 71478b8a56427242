"""Checks of a card's dates, chits, victory, readings and balance provisions."""

from __future__ import annotations

from itertools import pairwise

from laager.base.files import Where
from laager.rules.board.card.findings import Findings, check_choices, check_day
from laager.rules.board.hasl.card.card import Card, CgDate
from laager.rules.board.hasl.card.charts_checks import game_end
from laager.rules.board.hasl.system import Named


def check_dates(named: Named) -> None:
    """Check what the card says of time and numbers."""
    card, found = named.card, named.found
    for i, one in enumerate(card.dates):
        _date(one, ("dates", i), found)
    for i, (before, after) in enumerate(pairwise(card.dates), 1):
        if (before.day, before.part) == (after.day, after.part):
            what = f"{after.id} is the same part of the same day as {before.id}"
            found.doubtful(("dates", i, "part"), what, "give it another part")
    _never_used(card.dates[0], found)
    _chits(card, found)
    _victory(card, found)
    check_choices(card, named.system.package, found)
    _available(named)


def _date(one: CgDate, where: Where, found: Findings) -> None:
    check_day(one.day, (*where, "day"), found)
    game_end(one.circled or {}, (*where, "circled"), found)
    for name in ("nvr", "moon"):
        if getattr(one, name) not in (None, "") and not one.night:
            what = f"{one.id} is not a night and has no {name}"
            found.doubtful((*where, name), what, "part: N, or leave it out")
    for side, points in one.cpp.items():
        if points.fixed < 0:
            found.wrong((*where, "cpp", side), f"{points.fixed} CPP is too low", "0 or more")


def _never_used(first: CgDate, found: Findings) -> None:
    """Doubt what the first date says of the Refit Phase steps that come only later."""
    for name, right in (("cpp", "say it under sides: cpp"), ("given", "say it under sides: ob")):
        if getattr(first, name):
            what = f"the Initial Scenario brings no {name} of its date"
            found.doubtful(("dates", 0, name), what, right)


def _chits(card: Card, found: Findings) -> None:
    later = len(card.dates) - 1
    for side, half in card.sides.items():
        attack, idle = half.chits.attack, half.chits.idle
        if attack is not None and idle is not None and attack + idle < later:
            what = f"{attack} Attack and {idle} Idle chits for {later} CG Dates are too few"
            right = "once all are chosen it goes on with Idle"
            found.doubtful(("sides", side, "chits"), what, right)


def _victory(card: Card, found: Findings) -> None:
    victory = card.victory
    if not victory.final and victory.otherwise is None:
        what = "nobody can win at CG End: there is neither a condition nor otherwise"
        found.doubtful(("victory",), what, "list final conditions, or otherwise: a side")
    for part in ("sudden", "final"):
        for i, one in enumerate(getattr(victory, part)):
            for j, name in enumerate(one.controls):
                if name in one.controls[:j]:
                    where = ("victory", part, i, "controls", j)
                    found.wrong(where, f"{name} is there twice", "name each place once")


def _available(named: Named) -> None:
    """The dates on which the charts offer a group are dates of the card."""
    ids = [one.id for one in named.card.dates]
    for side, chart in named.charts.sides.items():
        for i, line in enumerate(chart.rg or ()):
            strange = [name for name in line.dates if name not in ids]
            if strange and len(strange) == len(line.dates):
                what = f"{line.key} can never be bought: the card has no CG Date {strange[0]!r}"
                where: Where = ("sides", side, "rg", i, "dates")
                named.inside.doubtful(where, what, f"the card has {', '.join(ids)}")
