"""Clauses that a house leaves out or leaves to the players: the campaign goes on to its end all the same."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import laager.rules
from laager.campaign import Handling, RulesIndex, find_ruleset
from laager.campaign.audit import audit
from laager.campaign.clauses import Switch
from laager.campaign.engine import Campaign
from laager.campaign.views import view
from laager.rules.platoon_leader.buying.works import hip_cap
from tests.historical import campaigns as historical
from tests.house.campaigns import CARDS, new_campaign
from tests.platoon_leader import campaigns as platoon
from tests.platoon_leader.campaigns import answer_by_chance, autoplay

SYSTEMS = {"pl": "training", "abtf": "rijnoord", "er": "kokusa-ridge", "hasl": "sorgiva", "dyo": "vistula"}


def index(ruleset: str) -> RulesIndex:
    return RulesIndex.load_packaged(find_ruleset(ruleset).package)


def switchable(ruleset: str, *switches: Switch) -> list[str]:
    """The clauses that a house can leave out (or leave to the players) and that the engine carries out."""
    return [
        clause.id
        for clause in index(ruleset).values()
        if clause.switch in switches and clause.handling is not Handling.REMINDED
    ]


def faults(campaign: Campaign) -> list[str]:
    if campaign.ruleset.id == "pl":
        return list(platoon.faults(campaign.state, platoon.playable(campaign)))
    if campaign.ruleset.id == "dyo":
        cg: Any = campaign.context
        return [side for side in campaign.ruleset.sides if cg.points_left(side) < 0]
    return list(historical.faults(campaign))


def play_on(campaign: Campaign, rng: Random, answers: int) -> None:
    """Play by chance; every proposal is legal, and the state makes sense."""
    for _ in islice(iter(campaign.pending, ()), answers):
        for asked in campaign.pending():
            if asked.question is not None:
                assert asked.question.allows(asked.question.default), asked.key
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
        assert not faults(campaign)


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_campaigns_go_on_with_all_switchable_clauses_left_out(ruleset: str) -> None:
    rules = "".join(f"  {clause}: off\n" for clause in switchable(ruleset, Switch.OFF))
    campaign = new_campaign(SYSTEMS[ruleset], rules)
    play_on(campaign, Random(5), 45)
    assert audit(campaign).sound


@pytest.mark.parametrize(
    "ruleset", ["er", *(pytest.param(one, marks=pytest.mark.soak) for one in ("pl", "abtf", "hasl"))]
)
def test_campaigns_go_on_with_all_switchable_clauses_left_to_the_players(ruleset: str) -> None:
    clauses = switchable(ruleset, Switch.OFF, Switch.AGREE)
    campaign = new_campaign(SYSTEMS[ruleset], "".join(f"  {clause}: agree\n" for clause in clauses))
    play_on(campaign, Random(6), 45)
    assert audit(campaign).sound


SWITCHES = [
    (ruleset, clause, how)
    for ruleset in SYSTEMS
    for how, switches in (("off", (Switch.OFF,)), ("agree", (Switch.OFF, Switch.AGREE)))
    for clause in switchable(ruleset, *switches)
]


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "clause", "how"), SWITCHES)
def test_each_clause_can_be_left_out_or_to_the_players(ruleset: str, clause: str, how: str) -> None:
    for card in [card for card, rules in CARDS.items() if rules == ruleset]:
        campaign = new_campaign(card, f"  {clause}: {how}\n")
        play_on(campaign, Random(clause), 5000)
        assert campaign.state.ending
        assert audit(campaign).sound


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_every_switch_does_something(ruleset: str) -> None:
    """A clause that can be left out is a reminder, a step, or a rule that asks if it is left out."""
    steps = find_ruleset(ruleset).steps.values()
    clauses = {part.clause for step in steps for part in (step, *step.parts) if not part.gathers}
    clauses |= {clause for step in steps if step.gathers for clause in step.__clauses__}
    ids = {part.id for step in steps for part in (step, *step.parts)}
    code = "".join(path.read_text() for path in Path(laager.rules.__file__).parent.rglob("*.py"))
    asking = set(re.findall(r'is_(?:off|applied)\("([^"]+)"\)', code))
    for clause in index(ruleset).values():
        assert set(clause.steps) <= ids
        if clause.switch is not Switch.NO and clause.handling is not Handling.REMINDED:
            assert clause.steps or clause.id in clauses | asking, clause.id


@pytest.mark.parametrize(("switch", "applied"), [("", True), ("off", False), ("agree", False)])
def test_a_rule_that_is_left_to_the_players_is_not_applied(switch: str, applied: bool) -> None:
    campaign = new_campaign("training", f"  PL 2.38 note 3: {switch}\n" if switch else "")
    assert campaign.context.slot.night is None  # type: ignore[attr-defined]
    assert (hip_cap(campaign.context, "axis") is not None) == applied  # type: ignore[arg-type]


def test_a_clause_left_to_the_players_is_settled_by_both_sides() -> None:
    campaign = new_campaign("training", "  PL 3.47: agree\n")
    rng = Random(2)
    while not any(pending.key == "house-elr-change" for pending in campaign.pending()):
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    asked = [pending for pending in campaign.pending() if pending.key == "house-elr-change"]
    assert {pending.side for pending in asked} == {"axis", "allied"}
    assert asked[0].question is not None
    assert "We like it better." in asked[0].question.text
    for pending in asked:
        campaign.answer(pending.side, pending.key, "settled")
    autoplay(campaign, rng)
    assert not any(entry.body.get("label") == "ELR change" for entry in campaign.entries)
    assert audit(campaign).sound


def test_what_is_left_out_is_asked_and_rolled_nowhere() -> None:
    campaign = new_campaign("training", "  PL 3.47: off\n  PL 3.44: off\n  PL 3.45: off\n")
    autoplay(campaign, Random(2))
    labels = {entry.body["label"] for entry in campaign.entries if entry.type == "roll"}
    assert not labels & {"ELR change", "Battlefield promotions", "Leader generation"}
    asked = {entry.body["key"] for entry in campaign.entries if entry.type == "answer"}
    assert "nothing-to-decide" in asked
    assert audit(campaign).sound


RAIN = """\
  PL 3.47: {modifiers: {rain: {value: 3, when: it rained}, dead: {value: -1, when: leaders died, per: leader}}}
  PL 2.12: {modifiers: {late: {value: -2, when: they came late}}}
"""


def test_own_modifiers_are_asked_in_secret_of_both_sides_and_count() -> None:
    campaign = new_campaign("training", RAIN)
    rng = Random(4)
    while not any(pending.key.startswith("house-elr-change") for pending in campaign.pending()):
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    asked = [pending for pending in campaign.pending() if pending.key.startswith("house-elr-change")]
    assert {pending.side for pending in asked} == {"axis", "allied"}
    assert all(pending.secret for pending in asked)
    campaign.answer("axis", asked[0].key, {"rain": True, "dead": 2})
    before = view(campaign, "allied").log[-1].entry
    assert before.type != "answer"
    campaign.answer("allied", asked[0].key, {"rain": False, "dead": 0})
    rolls = [entry for entry in campaign.entries if entry.type == "roll" and entry.body["label"] == "ELR change"]
    told = {entry.body["side"]: {m["reason"]: m["value"] for m in entry.body["modifiers"]} for entry in rolls}
    assert (told["axis"]["it rained"], told["axis"]["2 x leaders died"]) == (3, -2)
    assert not {"it rained", "leaders died"} & set(told["allied"])
    autoplay(campaign, rng)
    assert audit(campaign).sound


def test_reminders_that_are_left_out_are_not_shown() -> None:
    from laager.campaign.house.in_campaign import list_reminders

    shown = index("pl").reminders("play")
    left = next(clause.id for clause in shown if clause.switch is Switch.OFF)
    campaign = new_campaign("training", f"  {left}: off\n")
    package = find_ruleset("pl").package
    assert [clause.id for clause in list_reminders(campaign.context, package, "play")] == [
        c.id for c in shown if c.id != left
    ]
