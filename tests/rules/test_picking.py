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
"""So many answers of a campaign are given."""


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
    ("card", "seed", "keys"),
    [
        ("rzhavets", 0, {"patrols", "patrol-placement", "mlr-links", "redeploy", "redeploy-from-enemy-mlr"}),
        ("rzhavets", 3, {"set-up-in-mlr"}),
        ("kokusa-ridge", 0, {"blast-areas", "reserve-counters"}),
        ("kokusa-ridge", 4, {"blazes", "bombardment", "jungle-paths"}),
    ],
)
def test_hexes_can_be_where_the_map_shows_it(card: str, seed: int, keys: set[str]) -> None:
    seen: dict[str, int] = {}
    campaign, answers, picks = begun(card), Random(seed), Random(seed)
    cg: Any = campaign.context
    for _ in range(AT_MOST):
        if campaign.over:
            break
        wanted = campaign.pending()[0]
        question = wanted.question
        assert question is not None
        if question.placing is not None and question.placing.placed is None:
            found = picked(question, cg.map.playable, picks)
            seen[question.key] = seen.get(question.key, 0) + found
        campaign.answer(wanted.side, wanted.key, question.sample(answers))
    assert keys <= {key for key, count in seen.items() if count}
