"""Campaigns with house rules for tests."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

from laager.base.files import parse_document
from laager.campaign.engine import Campaign
from laager.campaign.house import HouseRules, Printed, add_house, check_house, printed_of
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import NewCampaign, find_ruleset

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))

CARDS = {
    "training": "pl",
    "walkthrough": "pl",
    "rijnoord": "abtf",
    "kokusa-ridge": "er",
    "sorgiva": "hasl",
    "vistula": "dyo",
}


def house_text(rules: str, ruleset: str = "pl") -> str:
    """A file of house rules; `rules` are the lines under `rules:`, each indented by two."""
    return f"laager: house/1\nruleset: {ruleset}\nwhy: We like it better.\nrules:\n{rules}"


@cache
def printed(ruleset: str = "pl") -> Printed:
    return printed_of(find_ruleset(ruleset))


def read(rules: str, ruleset: str = "pl") -> HouseRules:
    """House rules that have been checked."""
    return check_house(parse_document(house_text(rules, ruleset), "house.yaml"), printed(ruleset))[0]


@cache
def made_of(card: str) -> NewCampaign:
    from tests.platoon_leader.campaigns import card_path

    rules = find_ruleset(CARDS[card])
    path = card_path(card) if CARDS[card] == "pl" else rules.shipped_cards()[card]
    return rules.read_card(path, {})


def new_campaign(card: str, rules: str = "", **how: Any) -> Campaign:
    """A campaign of a card with these house rules, gone on as far as it goes by itself."""
    ruleset = CARDS[card]
    made = made_of(card)
    if rules:
        made = add_house(find_ruleset(ruleset), made, parse_document(house_text(rules, ruleset), "house.yaml"))
    store = MemoryStore()
    store.append(opening_entries(ruleset, made.title, made.setting, False, how.get("seed", SEED), NOON))
    campaign = Campaign(store, clock=lambda: NOON)
    campaign.advance()
    return campaign
