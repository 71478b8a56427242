"""Rulings as lines of the log: who asked for them, who agreed, why, and what they put right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from laager.campaign.sentences import Names, side_name, who_does, with_names
from laager.campaign.speech import ENGLISH, put, say
from laager.campaign.telling import number_seen, tell_fact

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.facts import Fact, Side
    from laager.campaign.log import Entry
    from laager.campaign.rulings import Outcome
    from laager.campaign.views import Seen

MOST_FACTS_SHOWN = 3
"""The most facts that the line of a request for a ruling lists."""


def ruling_line(campaign: Campaign, entry: Entry, log: Sequence[Seen], names: Names, language: str = ENGLISH) -> str:
    """Tell of a ruling: that it is asked for, refused, or counts, with the reason in the players' own words."""
    body = entry.body
    who = body.get("by", "")
    name = names.get(who) or side_name(who, language)
    match entry.type:
        case "undo":
            at = number_seen(log, body["to"])
            text = "taken back to {at} for a ruling" if "again" in body else "ruling taken back (asked by {who})"
            return "── " + put(text, language, at=at, who=name)
        case "ruling-asked":
            asks = who_does(names, who, "asks", language)
            said = put("{asks} for a ruling: “{why}”", language, asks=asks, why=body["why"])
            return "── " + "; ".join(filter(None, (said, *_ruling_parts(campaign, body, names, language))))
        case "ruling-secret":
            secret = [_fact_of(campaign, stored) for stored in body["facts"]]
            said = "; ".join(ruling_changes(secret, "", names, language))
            return "   " + put("only for you: {what}", language, what=said) if said else ""
        case "ruling-agreed":
            return "── " + put("{agrees} to the ruling", language, agrees=who_does(names, who, "agrees", language))
        case "ruling-refused" if body.get("withdrawn"):
            return "── " + put(
                "{withdraws} the ruling", language, withdraws=who_does(names, who, "withdraws", language)
            )
        case "ruling-refused":
            return "── " + put("{refuses} the ruling", language, refuses=who_does(names, who, "refuses", language))
        case "reopened":
            asked = say(body.get("text", body["key"]), language)
            return "   " + put("to be answered anew: {question}", language, question=asked)
    agreed = [names.get(side) or side_name(side, language) for side in body["agreed"]]
    head = "Ruling, proposed by {who}, agreed by {agreed}: “{why}”" if agreed else "Ruling by {who}: “{why}”"
    said = put(head, language, who=name, agreed=", ".join(agreed), why=body["why"])
    return "── " + "; ".join(filter(None, (said, *_ruling_parts(campaign, body, names, language))))


def _ruling_parts(campaign: Campaign, body: Mapping[str, Any], names: Names, language: str) -> Iterator[str]:
    """Yield what a ruling puts right: its public facts, what it reopens, what all may know of its secret facts."""
    facts = [_fact_of(campaign, stored) for stored in body.get("facts", ())]
    changes = ruling_changes(facts, body.get("reopens", ""), names, language)
    yield from changes[:MOST_FACTS_SHOWN]
    if len(changes) > MOST_FACTS_SHOWN:
        yield put("and {count} more", language, count=len(changes) - MOST_FACTS_SHOWN)
    yield secrets_in_words(body["secret"], names, language)


def _fact_of(campaign: Campaign, stored: Mapping[str, Any]) -> Fact:
    return campaign.ruleset.facts[stored["kind"]].model_validate(stored["fact"])


def ruling_changes(facts: Sequence[Fact], reopens: str, names: Names, language: str = ENGLISH) -> tuple[str, ...]:
    """Return what a ruling changes as lines: its facts, and the step of which an answer is reopened."""
    clause, _, title = reopens.rpartition(": ")
    step = f"{clause} {say(title, language)}"
    again = (put("an answer of {step} is reopened", language, step=step),) if reopens else ()
    return (*again, *(with_names(tell_fact(fact, language), names, language) for fact in facts))


TERMS: Mapping[tuple[str, Any], str] = {
    ("corrections", "agreed"): "secret records are corrected if the other side agrees",
    ("corrections", "umpire"): "only the umpire lets secret records be corrected",
    ("corrections", "none"): "secret records are not corrected",
    ("umpire_alone", True): "the umpire rules alone",
    ("umpire_alone", False): "the umpire's rulings need both sides",
}
"""What the opening says of rulings, in words, where the table agreed on other terms than the usual ones."""


def terms_in_words(opening: Mapping[str, Any], language: str = ENGLISH) -> list[str]:
    """Return what the table agreed on about rulings when the campaign began; nothing of the usual terms."""
    chosen = ((part, opening[part]) for part in ("corrections", "umpire_alone") if part in opening)
    return [say(TERMS[term], language) for term in chosen if isinstance(term[1], str | bool) and term in TERMS]


def secrets_in_words(secret: Mapping[Side, Mapping[str, int]], names: Names, language: str = ENGLISH) -> str:
    """Return what all may know of corrections in secret records: how many things of whose; "" if there are none."""
    parts = []
    for side, counts in secret.items():
        things = ", ".join(_many(noun, count, language) for noun, count in counts.items())
        whose = names.get(side) or side_name(side, language)
        parts.append(put("correction of the secret record ({whose}): {things}", language, whose=whose, things=things))
    return "; ".join(parts)


MOST_LISTED = 8
"""The most answers and rolls of each kind that are named after a ruling."""


def aftermath_lines(outcome: Outcome, language: str = ENGLISH) -> tuple[str, ...]:
    """Return what became of what a ruling took away, in lines: what stands, what is asked again, what fell away."""
    lines = []
    if outcome.stayed:
        lines.append(put("as before: {count} answers and rolls", language, count=len(outcome.stayed)))
    lines += _list_entries("to be answered or rolled again: {things}", outcome.asked, language)
    lines += _list_entries("fell away: {things}", outcome.fallen, language)
    return tuple(lines)


def _list_entries(text: str, entries: Sequence[Entry], language: str) -> Iterator[str]:
    if not entries:
        return
    things = [about_entry(entry, language) for entry in entries[:MOST_LISTED]]
    if len(entries) > MOST_LISTED:
        things.append(put("and {count} more", language, count=len(entries) - MOST_LISTED))
    yield put(text, language, things="; ".join(things))


def about_entry(entry: Entry, language: str = ENGLISH) -> str:
    """Return what an answer or a roll was about."""
    text = entry.body["text"].partition("\n")[0] if entry.type == "answer" else entry.body["label"]
    return say(text, language)


def _many(noun: str, count: int, language: str) -> str:
    """Return a count of things: `1 unit`, `2 entries`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {say(noun if count == 1 else plural, language)}"
