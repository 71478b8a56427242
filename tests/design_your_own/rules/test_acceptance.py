"""Every acceptance case of the purchase."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from laager.campaign.clauses import RulesIndex
from laager.rules.design_your_own.answers import PACKAGE
from tests.design_your_own.rules import acts, ops, plays
from tests.design_your_own.rules.example import german_chain

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("acceptance.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    given = case["given"]
    if case["op"] == "legality":
        assert acts.judge(case["id"], given) == case["expect"]
    elif case["op"] == "play":
        assert plays.PLAYS[case["id"]](given) == case["expect"]
    elif case["op"] == "chain":
        assert german_chain(given) == case["expect"]
    else:
        assert ops.OPS[case["op"]](given) == case["expect"]


def test_every_case_names_clauses_of_the_index() -> None:
    index = RulesIndex.load_packaged(PACKAGE)
    assert len(CASES) == len({case["id"] for case in CASES}) == 180
    assert {rule for case in CASES for rule in case["rules"]} <= set(index)


def test_every_operation_judge_and_play_is_used() -> None:
    assert {case["op"] for case in CASES} == set(ops.OPS) | {"legality", "play", "chain"}
    assert {case["id"] for case in CASES if case["op"] == "legality"} == set(acts.JUDGES)
    assert {case["id"] for case in CASES if case["op"] == "play"} == set(plays.PLAYS)
