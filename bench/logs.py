"""A long log: a Platoon Leader campaign of so many facts, as units and numbers change."""

from __future__ import annotations

import random

from laager.base.files import load
from laager.campaign.facts import Fact
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.opening import opening_entries
from laager.hexmap import load_map
from laager.rules.board.card.files import MAP, shipped_files
from laager.rules.board.facts import UnitJoined, UnitMarked, UnitMoved
from laager.rules.board.units import Mark, Unit
from laager.rules.platoon_leader.card.card import Card
from laager.rules.platoon_leader.facts import CampaignBegun, CpChanged

AT = "2026-01-01T00:00:00+00:00"


def long_log(facts: int) -> bytes:
    """Return the bytes of a campaign file with that many facts, on the shipped card."""
    path = next(iter(shipped_files("pl", "").values()))
    card = load(path, Card)
    setting = {
        "card": card.model_dump(mode="json", exclude_defaults=True),
        "map": load_map(shipped_files("pl", MAP)[card.map]).to_data(),
        "readings": {},
    }
    store = MemoryStore()
    store.append(opening_entries("pl", "A long campaign", setting, seed=bytes(32)))
    made = [_fact(i) for i in range(facts)]
    entries = [
        Entry(i + 3, "fact", {"kind": fact.kind, "fact": fact.body()}, AT, "", fact.to) for i, fact in enumerate(made)
    ]
    store.append(entries)
    return store.data


def _fact(number: int) -> Fact:
    dice = random.Random(number)
    side = dice.choice(("axis", "allied"))
    if number == 0:
        both = {"axis": 3, "allied": 3}
        return CampaignBegun(elr=both, san=both, cp=both, rule="PL 1.1")
    if number <= 200:
        nation = {"axis": "german", "allied": "russian"}[side]
        unit = Unit(id=f"U{number}", side=side, nation=nation, type="4-6-7", kind="squad")
        return UnitJoined(unit=unit, rule="PL 2.3", to=(side,))
    unit_id = f"U{dice.randint(1, 200)}"
    match dice.randint(0, 2):
        case 0:
            return UnitMoved(unit=unit_id, at=f"C{dice.randint(1, 9)}", rule="PL 2.5", why="moved")
        case 1:
            marks = frozenset({dice.choice(tuple(Mark))})
            return UnitMarked(unit=unit_id, add=marks, rule="PL 3.15", why="marked")
        case _:
            return CpChanged(side=side, by=1, rule="PL 2.1", why="replenished", to=(side,))
