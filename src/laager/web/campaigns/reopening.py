"""Which answers of a seat can be opened again, and what it can answer as before a ruling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from laager.campaign import UMPIRE, rulings
from laager.campaign.again import still_holds
from laager.campaign.ruling_words import MOST_LISTED, about_entry
from laager.campaign.speech import say
from laager.rules.board.report import REPORT_KEYS
from laager.web.campaigns.tables import Table
from laager.web.shared.translation import language

MOST_OFFERED = 30
"""The most answers that are offered to be opened again: the last ones."""


@dataclass(frozen=True)
class OldAnswer:
    """An answer that can be opened again: its entry in the viewer's log, the question, the step, when it was given."""

    number: int
    text: str
    step: str
    at: str
    report: bool


def find_answers(table: Table) -> Sequence[OldAnswer]:
    """Return the answers that a seat can open again: battle reports first, then the latest."""
    answers: list[OldAnswer] = []
    step = ""
    for seen in table.view.log:
        body = seen.entry.body
        if seen.entry.type == "step":
            known = table.campaign.ruleset.steps.get(body["step"])
            step = say(known.title, language()) if known else body["step"]
        elif may_reopen(table, seen.number):
            text = say(body["text"].partition("\n")[0], language())
            answers.append(OldAnswer(seen.number, text, step, seen.entry.at, body["key"] in REPORT_KEYS))
    last = answers[::-1]
    reports = [answer for answer in last if answer.report]
    return [*reports, *(answer for answer in last if not answer.report)][:MOST_OFFERED]


def may_reopen(table: Table, number: int) -> bool:
    """True if a seat may ask to open the answer with this number of its log again."""
    seen = table.view.log[number - 1]
    own = table.seat.viewer in (UMPIRE, seen.entry.body.get("side"))
    return seen.entry.type == "answer" and seen.counts and own and not table.campaign.over


def has_reported(table: Table) -> bool:
    """True if a battle report can be opened again."""
    given = (seen for seen in reversed(table.view.log) if seen.entry.body.get("key") in REPORT_KEYS)
    return any(may_reopen(table, seen.number) for seen in given)


@dataclass(frozen=True)
class Aftermath:
    """What became of what a ruling took away, in words, as far as a seat may know."""

    stayed: int
    asked: tuple[str, ...]
    fallen: tuple[str, ...]


def find_aftermath(table: Table) -> Aftermath | None:
    """Return what became of what the last ruling took away; None if nothing of it is open any more."""
    result = rulings.outcome(table.campaign, table.view.viewer)
    if not result.asked:
        return None
    asked, fallen = (
        tuple(about_entry(entry, language()) for entry in entries[:MOST_LISTED])
        for entries in (result.asked, result.fallen)
    )
    return Aftermath(len(result.stayed), asked, fallen)


def count_as_before(table: Table) -> int:
    """Return how many questions that a seat is asked can be answered as before a ruling."""
    return sum(
        asked.pending.former is not None
        and asked.pending.question is not None
        and still_holds(asked.pending.question, asked.pending.former)
        for asked in table.asked
        if asked.pending.side == table.seat.viewer
    )
