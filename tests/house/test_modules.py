"""House rules of campaigns whose card brings charts and tables of its own; and those that a card brings."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from laager.base import DataError
from laager.base.files import parse_document
from laager.campaign import find_ruleset
from laager.campaign.audit import audit
from laager.campaign.house import add_house, check_house, printed_of
from laager.rules.board.card.files import shipped_files
from tests.house.campaigns import house_text, made_of, new_campaign
from tests.platoon_leader.campaigns import answer_by_chance

RIDGE = """\
  ER CHART RG charts: {allied: {I1: {cost: 9}, cpp: {fixed: 20}}}
  ER 1.520 Table: {wire: {price: 3}}
  ER 1.512: {rows: {5: -1}, modifiers: {attacked: 2}}
  ER CG18: {most: 5}
"""


def test_charts_and_tables_of_a_module_are_changed_with_those_of_its_rules() -> None:
    plain, cg = (new_campaign("kokusa-ridge", rules).context for rules in ("", RIDGE))
    key = next(line.key for line in plain.lines("allied") if line.id == "I1")  # type: ignore[attr-defined]
    assert cg.line("allied", key).cost == 9  # type: ignore[attr-defined]
    assert cg.line("axis", "I1") == plain.line("axis", "I1")  # type: ignore[attr-defined]
    assert cg.side_charts("allied").cpp.fixed == 20  # type: ignore[attr-defined]
    prices = {price.key: price.cost for price in cg.charts.fortifications}  # type: ignore[attr-defined]
    assert prices["wire"] == 3
    assert prices == {price.key: price.cost for price in plain.charts.fortifications} | {"wire": 3}  # type: ignore[attr-defined]
    assert cg.chart_table("san").result(5) == -1  # type: ignore[attr-defined]
    assert cg.chart_table("san").modifier("attacked").value == 2  # type: ignore[attr-defined]
    assert cg.rule_charts.fpf.most == 5  # type: ignore[attr-defined]


def test_what_only_a_card_has_is_checked_when_the_campaign_begins() -> None:
    text = house_text("  ER CHART RG charts: {allied: {I99: {cost: 9}}}\n", "er")
    rules = find_ruleset("er")
    doubts = check_house(parse_document(text, "h.yaml"), printed_of(rules))[1]
    assert "only the card has that chart" in doubts[0]
    with pytest.raises(DataError, match=r"h.yaml:5: rules.ER CHART RG charts.allied.I99: there is no “I99” here"):
        add_house(rules, made_of("kokusa-ridge"), parse_document(text, "h.yaml"))


def test_a_table_of_a_module_left_to_the_players_is_asked_for() -> None:
    campaign = new_campaign("rijnoord", "  ABtF 9.6202: agree\n")
    rng = Random(8)
    for _ in range(200):
        asked = [pending for pending in campaign.pending() if pending.step.id == "elr-change"]
        if asked:
            break
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    assert asked
    assert not any(pending.key.startswith("house-") for pending in asked)
    assert not any(entry.body.get("rule") == "ABtF 9.6202" for entry in campaign.entries if entry.type == "roll")
    assert audit(campaign).sound


CARD = """
house:
  why: So the designer wants it.
  rules:
    PL 3.47: {elr-gain: 3}
    PL 2.34: {minimum: 2}
"""


def test_a_card_brings_its_house_rules_and_a_file_goes_before_them(tmp_path: Path) -> None:
    packs = shipped_files("pl", "")["rzhavets"].parent
    for name in ("rzhavets-map.yaml",):
        (tmp_path / name).write_text((packs / name).read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "card.yaml"
    text = (packs / "rzhavets.yaml").read_text(encoding="utf-8")
    path.write_text(text + CARD, encoding="utf-8")
    rules = find_ruleset("pl")
    made = rules.read_card(path, {})
    assert rules.context(made.setting).charts.limit("elr-gain") == 3  # type: ignore[attr-defined]
    document = parse_document(house_text("  PL 2.34: {minimum: 4}\n"), "h.yaml")
    both = rules.context(add_house(rules, made, document).setting)
    assert both.charts.limit("elr-gain") == 3  # type: ignore[attr-defined]
    assert both.charts.setup_costs.minimum == 4  # type: ignore[attr-defined]
    assert both.house is not None
    assert both.house.reason("PL 3.47") == "So the designer wants it."
    assert both.house.reason("PL 2.34") == "We like it better."
    path.write_text(text + CARD.replace("elr-gain", "elr-gian"), encoding="utf-8")
    with pytest.raises(DataError, match=r"house.rules.PL 3.47.elr-gian: the clause has no “elr-gian”") as caught:
        rules.read_card(path, {})
    assert caught.value.problems[0].line == text.count("\n") + 5
