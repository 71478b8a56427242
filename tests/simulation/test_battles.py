"""The stated model: legal reports with all that happens in battles, and nothing that a side may not know."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.campaign.engine import Campaign
from laager.commanders import load_commander
from laager.commanders.answering import answer_pending
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.changes import INFANTRY, VEHICLES
from laager.rules.board.report import REPORT_KEYS
from laager.rules.board.state import evolve
from laager.rules.board.units import Mark
from laager.rules.platoon_leader.context import Cg
from laager.simulation.battles import load_battles
from laager.simulation.battles.field import Luck, hit_chance, mmc_kinds, odds
from laager.simulation.battles.fight import Engagement
from laager.simulation.battles.parameters import SHIPPED, read_battles, shipped_battles
from laager.simulation.battles.reports import side_answer
from laager.simulation.battles.targets import TAKEN
from laager.simulation.plan import read_plan
from laager.simulation.play import begin, play_campaign, settle_battle

CARDS = ("rzhavets", "kokusa-ridge", "rijnoord", "sorgiva")


def battles_of(card: str, number: int) -> Iterator[Campaign]:
    """Yield a campaign each time when it waits for the units' reports of a battle."""
    plan = read_plan(card, axis="chance", allied="chance")
    campaign, commander = begin(plan, number), load_commander("chance")
    chance, model = plan.chance(number, "both"), load_battles("stated")
    while waiting := campaign.pending():
        if waiting[0].key not in REPORT_KEYS:
            answer_pending(campaign, waiting[0], commander, chance)
            continue
        if waiting[0].key != "ground-report":
            yield campaign
        settle_battle(campaign, model, "test")


def engagement(context: Any, luck: str = "test", setting: str = "usual", **figures: float) -> Engagement:
    model = shipped_battles()
    changed = {name.replace("_", ".", 1): value for name, value in figures.items()}
    battle = Engagement(context, {**model.figures_of(setting), **changed}, model.hits, luck)
    battle.resolve()
    return battle


@pytest.mark.parametrize("card", CARDS)
def test_a_report_says_nothing_of_what_its_side_has_not_seen(card: str) -> None:
    hidden = 0
    for campaign in battles_of(card, 1):
        battle = engagement(campaign.context)
        for side in SIDES:
            said = json.dumps(side_answer(battle, side))
            for fate in battle.of(other_side(side)):
                assert fate.unit.id not in said
                hidden += not (fate.unit.known or fate.engaged)
    assert hidden


@pytest.mark.parametrize("card", CARDS)
def test_two_worlds_that_differ_in_what_stays_unseen_give_the_same_report(card: str) -> None:
    compared = 0
    for campaign in battles_of(card, 2):
        context, state = campaign.context, campaign.state
        battle = engagement(context)
        for side in SIDES:
            unseen = [
                fate.unit
                for fate in battle.of(other_side(side), "leader", "sw", "gun", "crew")
                if fate.on_map and not fate.unit.known and not fate.engaged and not fate.has_changed
            ]
            for unit in unseen[:3]:
                units = {name: held for name, held in state.units.items() if unit.id not in {name, held.with_unit}}
                other = engagement(context.with_state(evolve(state, units=units)))
                assert side_answer(other, side) == side_answer(battle, side)
                compared += 1
    assert compared


def test_a_unit_divides_its_fire_among_the_contests_in_which_it_stands() -> None:
    campaign = next(battles_of("sorgiva", 1))
    battle = engagement(campaign.context)
    parts = Counter(fate.unit.id for contest in battle.here for fate in contest.everybody)
    shared = [fate for contest in battle.here for fate in contest.defenders if parts[fate.unit.id] > 1]
    assert shared
    for fate in shared:
        assert battle.fire_from_nearby([fate]) * parts[fate.unit.id] == pytest.approx(battle.worth(fate))


def test_who_has_won_a_location_goes_on_and_one_unit_stays_there() -> None:
    again = stay = 0
    for campaign in battles_of("sorgiva", 1):
        battle = engagement(campaign.context)
        stay += len(battle.holding)
        went = Counter(fate.unit.id for contest in battle.contests for fate in contest.attackers)
        again += sum(times > 1 for times in went.values())
        assert battle.waves > 1 or max(went.values(), default=1) == 1
        for fate in map(battle.fates.get, battle.holding):
            assert fate is not None
            taken = [
                contest.hex for contest in battle.contests if fate in contest.attackers and contest.result == TAKEN
            ]
            assert taken, "who holds has won"
            assert [contest for contest in battle.contests if fate in contest.attackers][-1].hex == taken[-1]
        assert len(battle.contests) <= sum(
            1 + round(battle.fights_each(side) * len([f for f in battle.of(side) if f.unit.kind in mmc_kinds()]) / 3)
            for side in SIDES
        )
    assert again
    assert stay


def test_a_side_goes_for_what_the_campaign_counts() -> None:
    """A prize far away comes before a Location nearby that decides nothing."""
    fought: Counter[float] = Counter()
    # A single campaign has few battles: two, so that it isn't chance which prizes are near.
    for campaign in chain(battles_of("rzhavets", 1), battles_of("rzhavets", 2)):
        assert isinstance(campaign.context, Cg)
        tvp = campaign.context.card.tvp
        for pull in (0.0, 3.0):
            battle = engagement(campaign.context, target_prize=pull)
            assert (
                battle.prizes["axis"]
                .keys()
                .isdisjoint(at for at in tvp if battle.holder_of(at) == "axis" and "." not in at)
            )
            fought[pull] += sum(contest.hex in battle.prizes[contest.side] for contest in battle.contests)
    assert fought[3.0] > 1.5 * fought[0.0] > 0


def test_known_resistance_counts_cover_and_only_what_is_seen() -> None:
    compared = 0
    for campaign in battles_of("sorgiva", 1):
        battle = Engagement(campaign.context, shipped_battles().figures_of("usual"), {}, "test")
        seen = [fate for fate in battle.fighters("allied") if fate.unit.known]
        for fate in battle.fighters("allied"):
            near = battle.near(seen, [fate.hex], 3)
            assert (battle.resistance(fate.hex, battle.known_enemies("axis")) > 0) == bool(near)
            compared += 1
    assert compared


def test_all_that_happens_in_battles_happens() -> None:
    seen: Counter[str] = Counter()
    for number in range(1, 4):
        for card in ("sorgiva", "rijnoord"):
            for campaign in battles_of(card, number):
                battle = engagement(campaign.context)
                for fate in battle.fates.values():
                    seen[fate.fate] += 1
                    seen.update(mark.value for mark in fate.marks - fate.unit.marks)
                    seen["type"] += fate.type != fate.unit.type
                seen.update(contest.result for contest in battle.contests)
                seen["fire"] += len(battle.fires())
                seen["weapon taken"] += sum(map(len, battle.taken.values()))
    for event in (
        "eliminated",
        "captured",
        "broken",
        "wounded",
        "melee",
        "malfunctioned",
        "type",
        "taken",
        "held",
        "fire",
    ):
        assert seen[event], event
    assert seen["weapon taken"]


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("setting", ["mild", "bloody"])
@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_the_rules_accept_what_the_model_reports(card: str, setting: str, number: int) -> None:
    outcome = play_campaign(read_plan(card, axis="chance", allied="chance", intensity=setting), number).outcome
    assert (outcome.refused, outcome.dead_end) == (0, "")


def test_a_bloody_setting_costs_more_than_a_mild_one() -> None:
    # The same battle each time: whole campaigns go different ways, and a short one loses little however bloody.
    context = next(battles_of("sorgiva", 1)).context
    hits = {
        setting: sum(len(engagement(context, f"luck {number}", setting).hit) for number in range(20))
        for setting in ("mild", "usual", "bloody")
    }
    assert hits["mild"] < hits["usual"] < hits["bloody"]


def test_luck_has_a_name() -> None:
    luck = Luck("seed")
    assert luck("hit", "AX1") == luck("hit", "AX1") != luck("hit", "AX2")
    values = [luck("n", str(number)) for number in range(4000)]
    assert 0.47 < sum(values) / len(values) < 0.53
    normal = [luck.normal(str(number)) for number in range(1000)]
    assert abs(sum(normal) / 1000) < 0.1
    assert 0.9 < (sum(n * n for n in normal) / 1000) ** 0.5 < 1.1


def test_odds_and_hits_grow_with_strength() -> None:
    assert odds(1, 1.6, 1) == pytest.approx(0.5)
    assert odds(2, 1.6, 0.8) > odds(1, 1.6, 0.8) > odds(0.5, 1.6, 0.8)
    assert hit_chance(0.3, 0.6, 1, 1, 1) == pytest.approx(1 - 2.718281828**-0.3)
    assert hit_chance(0.3, 0.6, 2, 1, 1) > hit_chance(0.3, 0.6, 1, 1, 1)


def test_what_is_wrong_with_figures_of_ones_own_is_said(tmp_path: Path) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    file = tmp_path / "mine.yaml"
    file.write_text(text.replace("mild: {losses.rate", "mild: {loses.rate"), encoding="utf-8")
    with pytest.raises(DataError, match=r"loses\.rate"):
        read_battles(file)
    file.write_text(text.replace("immobilized: 2", "immobilised: 2"), encoding="utf-8")
    with pytest.raises(DataError, match="immobilised"):
        read_battles(file)
    file.write_text(text.replace("  worth.mg:", "  worth.mgs:"), encoding="utf-8")
    with pytest.raises(DataError, match=r"worth\.mg"):
        read_battles(file)
    file.write_text(text, encoding="utf-8")
    assert read_battles(file) == shipped_battles()
    with pytest.raises(RefusedError, match="did you mean"):
        load_battles("statd")


def test_prisoners_and_melees_have_two_sides() -> None:
    for card in CARDS:
        for campaign in battles_of(card, 3):
            battle = engagement(campaign.context)
            by_place: dict[str, set[str]] = {}
            for fate in battle.fates.values():
                if fate.on_map and Mark.MELEE in fate.marks:
                    by_place.setdefault(fate.at, set()).add(fate.unit.side)
            assert all(len(sides) == 2 for sides in by_place.values())


def test_a_vehicle_that_the_enemy_has_left_alone_is_no_longer_in_melee() -> None:
    marked = 0
    for campaign in battles_of("rzhavets", 3):
        context = campaign.context
        for unit in context.state.units.values():
            if unit.kind in VEHICLES and unit.on_map:
                context.state = context.state.with_unit(unit.id, lambda u: u.but(marks=u.marks | {Mark.MELEE}))
                marked += 1
        battle = engagement(context)
        foot = {(f.unit.side, f.at) for f in battle.fates.values() if f.on_map and f.unit.kind in INFANTRY}
        for fate in battle.fates.values():
            if fate.on_map and fate.unit.kind in VEHICLES and Mark.MELEE in fate.marks:
                assert (other_side(fate.unit.side), fate.at) in foot
        if marked:
            return
    assert marked
