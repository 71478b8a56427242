"""The rulings of a campaign as a record sheet: what the table decided otherwise, why, who agreed."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import UMPIRE, Column, Sheet
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry
from laager.campaign.ruling_words import secrets_in_words
from laager.campaign.sentences import Names, names_of, side_name, with_names
from laager.campaign.speech import in_words_of_card, say
from laager.campaign.views import View

COLUMNS = (Column("Day"), Column("Proposed by"), Column("Agreed by"), Column("Reason"), Column("Put right"))


@in_words_of_card
def ruling_sheets(campaign: Campaign, seen: View, language: str = "en") -> tuple[Sheet, ...]:
    """Return the sheet of the rulings that count, as far as a viewer may know them; none without rulings."""
    rows = tuple(_rows(campaign, seen, names_of(campaign, language), language))
    return (Sheet("rulings", "Rulings", COLUMNS, rows),) if rows else ()


def _rows(campaign: Campaign, seen: View, names: Names, language: str) -> Iterator[tuple[str, ...]]:
    head: Entry | None = None
    changes: list[str] = []
    for entry in (line.entry for line in seen.log if line.counts):
        if head is not None and entry.type != "ruled":
            yield _row(head, changes, seen.eyes, names, language)
            head = None
        if entry.type == "ruling":
            head, changes = entry, []
        elif entry.type == "ruled":
            changes.append(with_names(say(campaign.fact_of(entry).tell(), language), names, language))
    if head is not None:
        yield _row(head, changes, seen.eyes, names, language)


def _row(head: Entry, changes: list[str], eyes: str, names: Names, language: str) -> tuple[str, ...]:
    body = head.body

    def name(side: str) -> str:
        return names.get(side) or side_name(side, language)

    # Whoever reads the facts needs no count of them.
    hidden = {side: counts for side, counts in body["secret"].items() if eyes not in (UMPIRE, side)}
    said = (body.get("reopens", ""), *changes, secrets_in_words(hidden, names, language))
    agreed = ", ".join(map(name, body["agreed"]))
    return head.at[:10], name(body["by"]), agreed, body["why"], "; ".join(filter(None, said))
