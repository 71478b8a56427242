"""Campaigns to be printed: those that ship, as their demo goes, and one played by chance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.resources import as_file, files
from random import Random

from laager.base.files import Document, check, read_document
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.cli.play.answers import AnswerEntry, AnswersFile, give_all
from tests.platoon_leader.campaigns import answer_by_chance

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

SIDES = ("axis", "allied")

DEMOS = {
    "rzhavets": ("pl", ("rzhavets-1", "rzhavets-2")),
    "rijnoord": ("abtf", ("rijnoord-1", "rijnoord-2")),
    "kokusa-ridge": ("er", ("kokusa-ridge-1", "kokusa-ridge-2")),
    "sorgiva": ("hasl", ()),
    "vistula": ("dyo", ("vistula",)),
}
"""The shipped campaigns with their rulesets and answer files; without any, chance plays."""


def begun(card: str, title: str = "") -> Campaign:
    """A shipped campaign that has just begun; its clock stands still."""
    ruleset = DEMOS[card][0]
    rules = find_ruleset(ruleset)
    made = rules.read_card(rules.shipped_cards()[card], {})
    store = MemoryStore()
    store.append(opening_entries(ruleset, title or made.title, made.setting, True, bytes(32), NOON))
    campaign = Campaign(store, clock=lambda: NOON)
    campaign.advance()
    return campaign


def answers_of(card: str) -> Iterator[tuple[Document, tuple[AnswerEntry, ...]]]:
    """The answer files of a campaign, each with its entries."""
    ruleset, names = DEMOS[card]
    for name in names:
        with as_file(files("laager.packs") / ruleset / "demo" / f"{name}.yaml") as path:
            document = read_document(path)
            yield document, check(document, AnswersFile).answers


def steps(card: str) -> Iterator[AnswerEntry]:
    """The entries of the answer files of a campaign."""
    for _, entries in answers_of(card):
        yield from entries


@cache
def played(card: str) -> Campaign:
    """A shipped campaign as its demo leaves it. Not to be changed."""
    campaign = begun(card)
    for document, entries in answers_of(card):
        give_all(campaign, document, entries, None)
    if not DEMOS[card][1]:
        by_chance(campaign, 40)
    return campaign


def by_chance(campaign: Campaign, answers: int, seed: int = 3) -> None:
    """Answer so many questions by chance."""
    rng = Random(seed)
    for _ in range(answers):
        waiting = campaign.pending()
        if not waiting:
            return
        answer_by_chance(campaign, rng.choice(waiting), rng)
