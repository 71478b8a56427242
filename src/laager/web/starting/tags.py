"""What pages say of the cards that people choose from."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop, ngettext

from laager.campaign.summary import CardSummary, PlayingTime
from laager.web.shared.names import side_name
from laager.web.shared.translation import translate

register = template.Library()

_RULES = {
    "pl": gettext_noop("Firefights of platoons and companies; between them CP, Patrols, redeployment along the MLR."),
    "abtf": gettext_noop("Fighting from Block to Block, attack chits, ammunition that runs short."),
    "er": gettext_noop("Nights and days in the jungle, Reserves, reconnaissance, barrages."),
    "hasl": gettext_noop("The common rules of historical campaigns; all the rest is in the card's charts."),
    "dyo": gettext_noop("Buy your order of battle with points (chapter H), then fight one scenario."),
}
_SOURCES = {
    "house": gettext_noop("house data"),
    "own": gettext_noop("somebody's own data"),
    "published": gettext_noop("published data, typed in by an owner of the module"),
}


@register.filter
def card_side(side: str, summary: CardSummary | None) -> str:
    """Return what a card calls a side; what pages call it, and the umpire, if the card doesn't say."""
    named = {each.id: each.name for each in summary.sides} if summary else {}
    return translate(named[side]) if named.get(side) else side_name(side)


@register.filter
def commander_of(commanders: Mapping[str, str], side: str) -> str:
    """Return the commander who is to hold a side; "" for a person."""
    return commanders.get(side, "")


@register.filter
def rules_words(rules: str) -> str:
    """Return in a sentence what a rule system is like; "" for one that isn't ours."""
    return gettext(_RULES[rules]) if rules in _RULES else ""


@register.filter
def source_words(source: str) -> str:
    """Return where a card's figures come from."""
    return gettext(_SOURCES[source]) if source in _SOURCES else source


@register.filter
def days(summary: CardSummary) -> str:
    """Return the days of a campaign: 12 to 16 July 1943."""
    first, last = summary.first, summary.last or summary.first
    if first is None or last is None:
        return ""
    if summary.by_month:
        return date_format(first, gettext("F Y"))
    whole = date_format(last, "DATE_FORMAT")
    if first == last:
        return whole
    return gettext("{first} to {last}").format(first=_without(first, last), last=whole)


def _without(first: date, last: date) -> str:
    """Return a day without what a later one repeats."""
    if first.year != last.year:
        return date_format(first, "DATE_FORMAT")
    return date_format(first, gettext("j") if first.month == last.month else gettext("j F"))


@register.filter
def battles(summary: CardSummary) -> str:
    """Return how many battles a campaign has, in the words of its rules."""
    count = summary.battles
    match summary.battle:
        case "firefight":
            text = ngettext("{count} firefight", "{count} firefights", count)
        case "CG Date":
            text = ngettext("{count} CG Date", "{count} CG Dates", count)
        case _:
            text = ngettext("{count} scenario", "{count} scenarios", count)
    return text.format(count=count) if count else ""


@register.filter
def takes(time: PlayingTime) -> str:
    """Return how long something takes: 6 to 8 evenings."""
    most = time.most or time.least
    match time.unit:
        case "minutes":
            unit = ngettext("{time} minute", "{time} minutes", most)
        case "hours":
            unit = ngettext("{time} hour", "{time} hours", most)
        case _:
            unit = ngettext("{time} evening", "{time} evenings", most)
    span = str(most) if most == time.least else gettext("{least} to {most}").format(least=time.least, most=most)
    return unit.format(time=span)
