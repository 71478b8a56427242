"""Campaigns with units on the map: played by chance once, then begun from their log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import ROOT, Entry, Loaded, encode, read_lines
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.web.campaigns.store import DatabaseStore
from laager.web.models import Game, Member, Role
from tests.web.conftest import People

REPORTS = ("battle-report", "scenario-report")


class Memory:
    """A store that keeps its entries in mind."""

    name = "campaign"

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def load(self) -> Loaded:
        data, head = b"", ROOT
        for entry in self.entries:
            line, head = encode(entry, head)
            data += line
        return read_lines(data, self.name)[0]

    def append(self, entries: Sequence[Entry]) -> None:
        self.entries += entries


@cache
def played(card: str, until: tuple[str, ...] = REPORTS, seed: int = 3) -> tuple[Entry, ...]:
    """Return the log of a shipped campaign, played by chance until nothing else is asked."""
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = Memory()
    store.append(opening_entries(rules, made.title, made.setting, False, bytes([seed]) * 32))
    campaign, rng = Campaign(store), Random(seed)
    campaign.advance()
    while True:
        wanted = [one for one in campaign.pending() if one.key not in until]
        if not wanted:
            return tuple(store.entries)
        if wanted[0].question is None:
            campaign.roll_for(wanted[0].side)
        else:
            campaign.answer(wanted[0].side, wanted[0].key, wanted[0].question.sample(rng))


def fielded(people: People, card: str = "rijnoord", until: tuple[str, ...] = REPORTS) -> Game:
    """Begin a campaign whose battle has been played: its reports are wanted now."""
    entries = played(card, until)
    rules = entries[0].body["ruleset"]
    game = Game.objects.create(title="Fielded", ruleset=rules, card=card, owner=people.anna)
    DatabaseStore(game.pk).append(entries)
    for name, user in (("axis", people.anna), ("allied", people.bert)):
        Member.objects.create(game=game, user=user, role=Role.PLAYER, side=name)
    Member.objects.create(game=game, user=people.cleo, role=Role.UMPIRE)
    game.refresh_from_db()
    return game
