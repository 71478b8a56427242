"""Campaigns made by Laager 0.1.0 as of November 2026 open, show the same, go on and verify.

`logs` has a campaign of each ruleset, played by chance with answers that nobody would give, things
taken back and brought back; beside each stands what its umpire and its sides were shown of it then,
and what they were shown before its last step (`before`).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.telling import log_in_words
from laager.campaign.views import view

LOGS = Path(__file__).parent / "logs"
NAMES = sorted(path.name.partition(".")[0] for path in LOGS.glob("*.laager.gz"))
CUTS = 6
"""At how many places each campaign is cut off."""


@cache
def text(name: str) -> bytes:
    return gzip.decompress((LOGS / f"{name}.laager.gz").read_bytes())


def shown(name: str, when: str = "views") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((LOGS / f"{name}.{when}.json.gz").read_bytes()))
    return found


def test_every_ruleset_has_a_log() -> None:
    rulesets = {json.loads(text(name).partition(b"\n")[0])["body"]["ruleset"] for name in NAMES}
    assert rulesets == {"pl", "abtf", "er", "hasl", "dyo"}


@pytest.mark.parametrize("name", NAMES)
def test_everybody_is_shown_what_was_shown_then(name: str) -> None:
    # Once the dice are shown everybody sees all: the sides' own views are those before that.
    lines = text(name).splitlines(keepends=True)
    over = json.loads(lines[-1])["type"] == "revealed"
    campaign = Campaign(MemoryStore(b"".join(lines[: len(lines) - over])))
    assert not campaign.over
    # A step under way whose rule was corrected since, and that no longer fits, begins again.
    when = "before" if campaign.begun_again else "views"
    for viewer, before in shown(name, when).items():
        now = campaign.ruleset.describe(view(campaign, viewer).state)
        assert not list(changed(before, json.loads(json.dumps(now)))), viewer
        assert log_in_words(campaign, view(campaign, viewer))


@pytest.mark.parametrize("name", NAMES)
def test_a_log_still_verifies(name: str) -> None:
    store = MemoryStore(text(name))
    found = audit(Campaign(store))
    assert found.sound, found.findings[:3]
    assert store.data == text(name), "verifying writes nothing"


@pytest.mark.parametrize("name", NAMES)
def test_a_campaign_cut_off_anywhere_goes_on(name: str) -> None:
    lines = text(name).splitlines(keepends=True)
    rng = Random(name)
    for cut in sorted(rng.sample(range(3, len(lines)), CUTS)):
        campaign = Campaign(MemoryStore(b"".join(lines[:cut])))
        campaign.advance()
        for _ in range(3):
            for pending in campaign.pending()[:1]:
                assert pending.question is not None, (name, cut)
                campaign.answer(pending.side, pending.key, pending.question.default)
        again = Campaign(campaign.store)
        assert again.state == campaign.state, (name, cut)
        assert [(one.side, one.key) for one in again.pending()] == [
            (one.side, one.key) for one in campaign.pending()
        ], (name, cut)
        assert audit(again).sound, (name, cut, audit(again).findings[:2])


def changed(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Yield where something differs from what was shown then; what is new does not matter."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key, value in before.items():
            yield from changed(value, now.get(key), f"{where}.{key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, value in enumerate(before):
            yield from changed(value, now[i], f"{where}[{i}]")
    elif before != now:
        yield f"{where}: {before} is now {now}"
