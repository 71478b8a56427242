"""Printing: the sheets of the shipped Platoon Leader campaign after a firefight."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files

import typst

from laager.base.files import check, read_document
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.cli.play.answers import AnswersFile, give_one
from laager.sheets import catalogue, print_pdf

CARD = "rzhavets"


@cache
def played() -> Campaign:
    """Return the campaign after its first firefight."""
    rules = find_ruleset("pl")
    made = rules.read_card(rules.shipped_cards()[CARD], {})
    store = MemoryStore()
    store.append(opening_entries("pl", made.title, made.setting, True, bytes(32)))
    campaign = Campaign(store)
    campaign.advance()
    with as_file(files("laager.packs") / "pl" / "demo" / f"{CARD}-1.yaml") as path:
        for entry in check(read_document(path), AnswersFile).answers:
            give_one(campaign, entry)
    return campaign


def roster() -> bytes:
    """Print one side's CG Roster."""
    return print_pdf(played(), "axis", ["roster-axis"])


def every() -> bytes:
    """Print all that one side can."""
    return print_pdf(played(), "axis", [one.id for one in catalogue(played(), "axis")])


def nothing() -> bytes:
    """Set an empty page."""
    made = typst.Compiler(b"", ignore_system_fonts=True).compile(format="pdf")
    assert isinstance(made, bytes)
    return made
