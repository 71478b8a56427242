"""Numbers of units and fortifications are drawn: they tell not how many the enemy hides (1.7)."""

from __future__ import annotations

import json
import re
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from laager.campaign.audit import audit
from laager.campaign.cards import find_card
from laager.campaign.describing import export_view
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.campaign.log import MemoryStore
from laager.campaign.opening import DRAWN, opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from laager.rules.board.numbering import next_fort_id, next_unit_id

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva")
UNIT = re.compile(r"\bA[XL]F?\d+\b")
DRAWN_UNIT = re.compile(r"A[XL]F?[1-9]\d\d")


def begun(card: str, *, drawn: bool = True) -> Campaign:
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, made.setting, seed=bytes(32), drawn=drawn))
    campaign = Campaign(store)
    campaign.advance()
    return campaign


def words(campaign: Campaign, viewer: str) -> str:
    """All that a viewer can read of a campaign, but for the card."""
    seen = view(campaign, viewer)
    context, rules = campaign.context, find_ruleset(campaign.opening["ruleset"])
    lines = [one.line for one in log_in_words(campaign, seen)]
    sheets = [str(sheet) for sheet in rules.sheets(context, seen.state)]
    asked = [json.dumps(p.question.describe()) for p in seen.pending if p.question]
    return "\n".join([json.dumps(export_view(campaign, seen)), *lines, *sheets, *asked])


def look(campaign: Campaign) -> int:
    """Look through everybody's eyes; return how many of the enemy's units were seen."""
    met = 0
    key = campaign.opening[DRAWN]
    groups = {name for side, name in campaign.state.groups if side == "axis"}
    theirs = {name for side, name in campaign.state.groups if side == "allied"}
    for viewer, secret in (("axis", theirs - groups), ("allied", groups - theirs), (SPECTATOR, ())):
        text = words(campaign, viewer)
        assert key not in text + repr(view(campaign, viewer))
        ids = set(UNIT.findall(text)) & {*campaign.state.units, *campaign.state.forts}
        assert all(map(DRAWN_UNIT.fullmatch, ids)), ids
        met += sum(name[:2] != viewer[:2].upper() for name in ids)
        for name in secret:
            assert not re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", text), name
    return met


@pytest.mark.parametrize("card", CARDS)
def test_no_number_that_the_enemy_meets_tells_how_many_there_are(card: str) -> None:
    campaign, rng, met = begun(card), Random(3), 0
    for turn in range(120):
        waiting = campaign.pending()
        if not waiting:
            break
        question = waiting[0].question
        if question is None:
            campaign.roll_for(waiting[0].side)
        else:
            campaign.answer(question.side, question.key, question.sample(rng))
        if turn % 20 == 0 and not campaign.over:
            met += look(campaign)
    assert met > 0
    created = [name for name in campaign.state.units if name.startswith("AX")]
    assert created != sorted(created)
    assert audit(campaign).sound
    assert isinstance(campaign.store, MemoryStore)
    assert Campaign(MemoryStore(campaign.store.data)).state == campaign.state


def test_campaigns_of_old_go_on_counting() -> None:
    campaign = begun("rzhavets", drawn=False)
    assert DRAWN not in campaign.opening
    for pending in campaign.pending():
        assert pending.question is not None
        campaign.answer(pending.side, pending.key, pending.question.default)
    axis = [name for name in campaign.state.units if name.startswith("AX")]
    assert axis == [f"AX{i}" for i in range(1, len(axis) + 1)]


def ids(key: str, counts: range) -> tuple[list[str], list[str]]:
    """The units and fortifications of a side in the order in which they come."""
    units, forts = [], []
    for count in counts:
        numbers = SimpleNamespace(next_unit=count, next_fort=count)
        state = SimpleNamespace(sides={"axis": numbers}, units={}, forts={})
        cg: Any = SimpleNamespace(drawn=key, state=state)
        units.append(next_unit_id(cg, "axis"))
        forts.append(next_fort_id(cg, "axis"))
    return units, forts


def test_all_numbers_of_three_digits_are_drawn_before_longer_ones() -> None:
    units, forts = ids("key", range(1, 1200))
    assert len(set(units)) == len(set(forts)) == 1199
    assert {len(name) for name in units[:900]} == {5}
    assert {len(name) for name in units[900:]} == {6}
    assert units[:900] != sorted(units[:900])
    # Each key, and units and fortifications by the same, have orders of their own.
    assert [name.replace("F", "") for name in forts] != units
    assert ids("other", range(1, 9))[0] != units[:8]
    assert ids("", range(1, 4)) == (["AX1", "AX2", "AX3"], ["AXF1", "AXF2", "AXF3"])
