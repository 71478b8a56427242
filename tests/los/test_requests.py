"""What questions of the rules ask about LOS: from what a side sees alone, proposed, recorded, never leaking."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

import pytest

from laager.campaign import Choice, SightAsked, SightFound, Sights
from laager.campaign.audit import audit
from laager.campaign.describing import export_view
from laager.campaign.engine import Campaign
from laager.campaign.forms import YesNo
from laager.campaign.questions import Question
from laager.campaign.sighting import los_in_words
from laager.campaign.telling import log_in_words as log_of
from laager.campaign.views import view
from laager.los.questions.requests import changed_ground, location_of, look_up_los, read_los_request, settle_answer
from laager.rules.board.los_requests import enemy_watchers, locations_in
from laager.rules.board.state import BoardState
from laager.rules.board.units import HIDING
from tests.bridge_too_far import campaigns as abtf
from tests.edsons_ridge import campaigns as er
from tests.hexmap.helpers import plain
from tests.platoon_leader import campaigns as pl

WOODS = plain(5, 9, terrain={"woods": ["C4"]}, buildings=[{"material": "stone", "levels": 1, "hexes": ["A1"]}])


class Ground:
    """Stands in for a campaign's context: it has a map."""

    map = WOODS


def one(asked: SightAsked) -> SightFound:
    question = Question("q", "axis", "?", YesNo(), sights=Sights(lambda *_: [asked]))
    (result,) = look_up_los(read_los_request(Ground(), question, True, None))  # type: ignore[arg-type]
    return result


def test_the_first_line_that_sees_settles_it() -> None:
    result = one(SightAsked("x", "X", ("C1", "C2", "B3"), ("C6",), says=False))
    assert result.seen is True
    assert result.proof.startswith("B3 sees C6 (range 3).")
    assert (result.approximate, result.engine, result.followed) == (True, "hexes 2", False)
    assert result.record()["followed"] is False


def test_lines_that_see_nothing_are_told_or_counted() -> None:
    few = one(SightAsked("x", "X", ("C1", "C2"), ("C6",), says=False))
    assert few.seen is False
    assert few.followed
    assert few.proof.count("blocked at C4") == 2
    many = one(SightAsked("x", "X", ("C1", "C2", "C3", "C1.1"), ("C6", "C5"), counting="lookouts"))
    assert many.proof.startswith("None of 3 Locations sees it (lookouts).")


def test_nobody_looks_and_too_far() -> None:
    none = one(SightAsked("x", "X", (), ("C6",), says=False, counting="enemy units"))
    assert (none.seen, none.followed, none.proof) == (False, True, "No enemy units: nobody sees it.")
    far = one(SightAsked("x", "X", ("B1",), ("B6",), within=4, counting="enemy units"))
    assert far.seen is False


def test_locations_are_named_as_on_the_map() -> None:
    names = ["A1", "A1.1", "A1.c", "A1.roof", "A1.bridge", "A1.p", "A1.0"]
    kinds = [(at.kind, at.level) for at in map(location_of, names)]
    assert kinds == [
        ("ground", 0), ("level", 1), ("cellar", 0), ("rooftop", 0), ("bridge", 0), ("ground", 0), ("ground", 0),
    ]  # fmt: skip
    assert list(locations_in(WOODS, ["A1", "Z9", "B2"], rooftops=True)) == ["A1", "A1.1", "A1.roof", "B2"]


def test_an_answer_that_follows() -> None:
    question = Question(
        "q", "axis", "?", Choice.of("a", "b"),
        sights=Sights(lambda value, _: [SightAsked("k", "K", ("C1",), ("C3",))], lambda _, by: "b" if by["k"] else "a"),
    )  # fmt: skip
    results = look_up_los(read_los_request(Ground(), question, "a", None))  # type: ignore[arg-type]
    assert settle_answer(question, "a", results) == "b"
    assert read_los_request(Ground(), question, "c", None) is None  # type: ignore[arg-type]
    assert read_los_request(object(), question, "a", None) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("los", "said"),
    [
        (None, ""), ("x", ""), ([], ""), ([{"seen": None}], ""),
        ([{"seen": True, "followed": True}], "As the LOS has it."),
        ([{"seen": False, "followed": True, "approximate": True}], "As the approximate LOS has it."),
        ([{"seen": True, "followed": False, "proof": "B3 sees C6."}], "Against the LOS that was found: B3 sees C6."),
    ],
)  # fmt: skip
def test_the_log_says_how_an_answer_stands_to_it(los: Any, said: str) -> None:
    assert los_in_words({"los": los}) == said


# Whole campaigns ----------------------------------------------------------------------------------


def play(make: Callable[..., Campaign], rng: Random, answers: int) -> tuple[Campaign, dict[str, int]]:
    """Play by chance; what is found about LOS goes into the log. Return the campaign, and how often which key asked."""
    campaign = make()
    keys: dict[str, int] = {}
    for _ in range(answers):
        waiting = campaign.pending()
        if not waiting:
            break
        pending = rng.choice(waiting)
        if pending.question is None:
            campaign.roll_for(pending.side)
            continue
        value = pending.question.sample(rng)
        state = view(campaign, pending.side).state
        wanted = read_los_request(campaign.context, pending.question, value, state)
        results = look_up_los(wanted)
        if wanted is not None:
            keys[pending.key] = keys.get(pending.key, 0) + 1
            _check_sources(wanted.asked, state, pending.side)
        campaign.answer(pending.side, pending.key, value, sights=results)
    return campaign, keys


def _check_sources(asked: tuple[SightAsked, ...], state: BoardState, side: str) -> None:
    """Nothing stands behind a proposal but what its side sees."""
    shown = {unit.at for unit in state.units.values() if unit.side != side and not unit.has(*HIDING)}
    assert set(enemy_watchers(state, side)) <= shown
    for one_ in asked:
        if one_.rule == "A12.12" and "Setup Areas" not in one_.counting:
            assert set(one_.sources) <= shown


@pytest.mark.parametrize(
    ("module", "expected", "first"),
    [(abtf, {"headquarters", "vehicle-status"}, 0), (er, {"blast-areas", "status-notes"}, 8), (pl, {"conceal"}, 0)],
)
def test_campaigns_with_what_is_found_about_los(module: ModuleType, expected: set[str], first: int) -> None:
    every: dict[str, int] = {}
    for seed in range(first, first + 40):  # A few of the questions are rare; the first campaign that asks all will do.
        if expected <= set(every):
            break
        campaign, keys = play(module.new_campaign, Random(seed), 400)
        every |= keys
        assert audit(campaign).sound
        assert Campaign(campaign.store, ruleset=campaign.ruleset).state == campaign.state
        for entry in campaign.entries:
            if "los" in entry.body:
                assert entry.to == (entry.body["side"],)
        if campaign.over:
            continue
        for side in campaign.ruleset.sides:
            mine = view(campaign, side)
            text = json.dumps(export_view(campaign, mine), ensure_ascii=False, default=str)
            text += "\n".join(line.text for line in log_of(campaign, mine))
            for entry in campaign.entries:
                if entry.to and side not in entry.to:
                    for record in entry.body.get("los", ()):
                        assert record["proof"] not in text or record["proof"].startswith("No ")
    assert expected <= set(every)


def test_what_has_burnt_or_collapsed_counts() -> None:
    campaign = pl.new_campaign()
    state = view(campaign, "axis").state
    name = next(iter(campaign.context.map.hexes))  # type: ignore[attr-defined]
    state = state.with_ground(burnt=frozenset({name}), changes={f"{name}.1": frozenset({"rubble", "breach"})})
    assert changed_ground(state) == {name: {"burnt", "rubble"}}
