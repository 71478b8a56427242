"""Where a question says that hexes can be, for the map on which they are picked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.questions import Question
from laager.campaign.ruleset import find_ruleset

NAME = re.compile(r"[A-Z]+\d+")
AT_MOST = 260
"""Most answers given in a campaign."""
CAMPAIGNS = 20
"""Most campaigns that are played; two to five are enough."""


def begun(card: str) -> Campaign:
    path, rules = find_card(card, None)
    made = find_ruleset(rules).read_card(path, {})
    store = MemoryStore()
    store.append(opening_entries(rules, made.title, made.setting, False, bytes(32)))
    campaign = Campaign(store)
    campaign.advance()
    return campaign


def rows_of(answer: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of an answer."""
    for part in (answer, *(answer.values() if isinstance(answer, dict) else ())):
        if isinstance(part, list):
            yield from (row for row in part if isinstance(row, dict))


FIELDS = ("hex", "hexes", "to", "at", "corner", "opposite")


def named(row: Mapping[str, Any], allowed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields of a row of which `allowed` speaks, with the name under which it does."""
    chosen = [value for value in row.values() if isinstance(value, str) and value in allowed]
    for field in FIELDS:
        key = next(iter(chosen), field)
        if key in allowed and row.get(field) and row[field] not in chosen:
            yield field, key


def picked(question: Question, everywhere: Collection[str], rng: Random) -> int:
    """Check the hexes of likely answers, and of the same ones with a hex from elsewhere; return how many there were."""
    assert question.placing is not None
    allowed, count = question.placing.allowed(), 0
    for _ in range(3):
        answer = question.sample(rng)
        for row in rows_of(answer):
            for field, key in named(row, allowed):
                hexes = set(NAME.findall(row[field]))
                assert hexes <= set(allowed[key]), (question.key, row)
                count += len(hexes)
                elsewhere = sorted(set(everywhere) - set(allowed[key]))
                if elsewhere:
                    before, row[field] = row[field], rng.choice(elsewhere)
                    assert not question.allows(answer), (question.key, row)
                    row[field] = before
    return count


@pytest.mark.parametrize(
    ("card", "keys"),
    [
        (
            "rzhavets",
            {"patrols", "patrol-placement", "mlr-links", "redeploy", "redeploy-from-enemy-mlr", "set-up-in-mlr"},
        ),
        ("kokusa-ridge", {"blast-areas", "reserve-counters", "blazes", "bombardment", "jungle-paths"}),
    ],
)
def test_hexes_can_be_where_the_map_shows_it(card: str, keys: set[str]) -> None:
    """Campaigns are played by chance until each of these was asked; one that no campaign asks is gone."""
    missing = set(keys)
    for seed in range(CAMPAIGNS):
        missing -= seen_in(begun(card), seed, missing)
        if not missing:
            return
    pytest.fail(f"no hexes were picked for {sorted(missing)}")


def seen_in(campaign: Campaign, seed: int, wanted: Collection[str]) -> set[str]:
    """Play a campaign by chance, checking each question with hexes; return the keys of which hexes were picked."""
    answers, picks, seen = Random(seed), Random(seed), set[str]()
    cg: Any = campaign.context
    for _ in range(AT_MOST):
        if campaign.over or seen >= set(wanted):
            break
        pending = campaign.pending()[0]
        question = pending.question
        assert question is not None
        if (
            question.placing is not None
            and question.placing.placed is None
            and picked(question, cg.map.playable, picks)
        ):
            seen.add(question.key)
        campaign.answer(pending.side, pending.key, question.sample(answers))
    return seen
