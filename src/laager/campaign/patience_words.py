"""What the table agreed on about time, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laager.campaign.facts import Side
from laager.campaign.log import Entry
from laager.campaign.patience import PATIENCE, Patience
from laager.campaign.sentences import Names, people, who_does
from laager.campaign.speech import ENGLISH, put, say

THEN: Mapping[str, str] = {
    "remind": "{days} for a move, then a reminder",
    "umpire": "{days} for a move, then the umpire can let the sensible commander answer",
    "sensible": "{days} for a move, then the other side can let the sensible commander answer",
}
"""The terms in words, by what then."""


def terms_in_words(terms: Patience, language: str = ENGLISH) -> str:
    """Return the terms as a clause."""
    if not terms.days:
        return say("as much time for a move as it takes", language)
    days = say("1 day", language) if terms.days == 1 else put("{n} days", language, n=terms.days)
    return put(THEN[terms.then], language, days=days)


def opening_terms(opening: Mapping[str, Any], language: str = ENGLISH) -> list[str]:
    """Return what the table agreed on about time when the campaign began; nothing if there is no limit."""
    return [terms_in_words(Patience(**opening[PATIENCE]), language)] if PATIENCE in opening else []


def patience_line(entry: Entry, names: Names, language: str) -> str:
    """Tell of a change of the terms, or that a commander answers for a late side."""
    body = entry.body
    who: Side = body["by"]
    match entry.type:
        case "patience-asked":
            asks = "{asks} for other terms: {terms}"
            return "── " + put(
                asks, language, asks=who_does(names, who, "asks", language), terms=_terms(body, language)
            )
        case "patience":
            agrees, terms = who_does(names, who, "agrees", language), _terms(body, language)
            return "── " + put("{agrees}; from now on: {terms}", language, agrees=agrees, terms=terms)
        case "late":
            late = "{side}: late; the sensible commander answers (asked by {who})"
            return "── " + put(
                late, language, side=people(names, body["side"], language), who=people(names, who, language)
            )
    verb = "withdraws" if body.get("withdrawn") else "refuses"
    refused = "{refuses} other terms about time"
    return "── " + put(refused, language, refuses=who_does(names, who, verb, language))


def _terms(body: Mapping[str, Any], language: str) -> str:
    return terms_in_words(Patience(body["days"], body["then"]), language)
