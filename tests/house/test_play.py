"""Campaigns played with house rules: what they change, what is proven and said."""

from __future__ import annotations

from random import Random

from laager.campaign.audit import audit
from laager.campaign.log import MemoryStore
from tests.house.campaigns import new_campaign
from tests.platoon_leader.campaigns import answer_by_chance, autoplay

ELR = """\
  PL 3.47: {column inclusive: {2 or less: 0, 3: 0, 4 to 12: -1, 13: -1, 14 or more: -1}}
"""


def elr_changes(rules: str) -> list[int]:
    """The ELR changes of a training campaign played by chance."""
    campaign = new_campaign("training", rules)
    autoplay(campaign, Random(1))
    assert audit(campaign).sound
    return [
        entry.body["fact"]["by"]
        for entry in campaign.history.counted
        if entry.type == "fact" and entry.body["kind"] == "elr-changed"
    ]


def test_a_row_changed_in_a_file_counts_in_play_and_verify_lists_it() -> None:
    changes = elr_changes(ELR)
    assert changes
    assert set(changes) == {-1}
    campaign = new_campaign("training", ELR)
    assert audit(campaign).house == (
        "PL 3.47: 2 or less (inclusive): ELR stays instead of ELR rises by 1; 3 (inclusive): ELR stays instead of ELR "
        "rises by 1; 4 to 12 (inclusive): ELR falls by 1 instead of ELR stays; 13 (inclusive): ELR falls by 1 instead "
        "of ELR falls by 1; 14 or more (inclusive): ELR falls by 1 instead of ELR falls by 1 (We like it better)",
    )


def test_without_house_rules_the_opening_says_nothing_of_them() -> None:
    campaign = new_campaign("training")
    assert "house" not in campaign.opening
    assert audit(campaign).house == ()


def test_played_by_the_rules_as_printed_such_a_log_is_not_sound() -> None:
    campaign = new_campaign("training", ELR)
    rng = Random(1)
    while not any(entry.body.get("kind") == "elr-changed" for entry in campaign.entries):
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    store = MemoryStore()
    first = campaign.entries[0]
    plain = {name: part for name, part in first.body.items() if name != "house"}
    store.append([first.__class__(first.number, first.type, plain, first.at), *campaign.entries[1:]])
    found = audit(campaign.__class__(store, clock=campaign._clock))
    assert not found.sound
    assert "the rules give" in found.findings[0].what
