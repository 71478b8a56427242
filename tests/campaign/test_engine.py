from __future__ import annotations

from pathlib import Path

import pytest

from laager.base import DataError, Refusal, RefusedError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import FileStore, MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.steps import Procedure, step
from laager.campaign.telling import log_in_words
from laager.campaign.views import find, state_at, view
from laager.dice import ScriptedDice
from tests.campaign.toy import (
    SEED,
    TOY,
    PointsChanged,
    Toy,
    ToyState,
    bidding,
    closing,
    fresh_store,
    play_round,
    toy_campaign,
)


def keys(campaign: Campaign) -> list[tuple[str, str]]:
    return [(pending.side, pending.key) for pending in campaign.pending()]


def test_each_side_answers_without_waiting_for_the_other() -> None:
    campaign = toy_campaign()
    assert keys(campaign) == [("red", "amount"), ("blue", "amount")]
    campaign.answer("blue", "amount", 2)
    assert keys(campaign) == [("red", "amount")]
    campaign.answer("red", "amount", 2)
    assert keys(campaign) == [("red", "bid"), ("blue", "bid")]


def test_simultaneous_answers_are_sealed_until_all_are_in() -> None:
    campaign = toy_campaign()
    campaign.answer("red", "amount", 0)
    campaign.answer("blue", "amount", 0)
    campaign.answer("red", "bid", 77)
    blue = view(campaign, "blue")
    assert not any(seen.entry.type == "answer" and seen.entry.body["key"] == "bid" for seen in blue.log)
    assert [pending.key for pending in blue.pending] == ["bid"]
    assert blue.waiting_for == ("blue",)


def test_a_campaign_goes_round_until_it_is_over() -> None:
    campaign = toy_campaign()
    play_round(campaign)
    play_round(campaign, more=False)
    assert campaign.pending() == ()
    assert campaign.state.over
    with pytest.raises(RefusedError, match="red isn't asked anything"):
        campaign.answer("red", "more", True)


@pytest.mark.parametrize(
    ("side", "key", "raw", "code", "sentence"),
    [
        ("red", "bid", 1, Refusal.NOT_ASKED, "red isn't asked 'bid' now"),
        ("green", "amount", 1, Refusal.NO_SUCH, "there is no side 'green'"),
        ("red", "amount", 10, Refusal.BAD_ANSWER, "from 0 to 9"),
        ("red", "amount", "many", Refusal.BAD_ANSWER, "from 0 to 9"),
    ],
)
def test_refusals_have_a_code_and_change_nothing(
    side: str, key: str, raw: object, code: Refusal, sentence: str
) -> None:
    campaign = toy_campaign()
    before = campaign.version, campaign.state
    with pytest.raises((RefusedError, DataError), match=sentence) as caught:
        campaign.answer(side, key, raw)
    assert caught.value.code == code
    assert (campaign.version, campaign.state) == before


def test_an_answer_to_an_older_version_is_stale() -> None:
    campaign = toy_campaign()
    seen = campaign.version
    campaign.answer("red", "amount", 1, expect=seen)
    with pytest.raises(RefusedError, match="moved on") as caught:
        campaign.answer("blue", "amount", 1, expect=seen)
    assert caught.value.code == Refusal.STALE
    assert keys(campaign) == [("blue", "amount")]


def test_a_campaign_says_where_it_stands() -> None:
    campaign = toy_campaign()
    assert repr(campaign) == ("<Campaign 'A toy' (toy), 3 entries, in TOY 1 (Saving), waiting for red and blue>")
    campaign.answer("red", "amount", 3)
    assert repr(campaign).endswith("in TOY 1 (Saving), waiting for blue>")
    over = toy_campaign()
    play_round(over, more=False)
    assert repr(over).endswith("between steps, waiting for nobody>")


def test_replaying_the_log_at_any_point_gives_the_same_campaign() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    play_round(campaign)
    play_round(campaign, more=False)
    lines = store.data.splitlines(keepends=True)
    for cut in range(2, len(lines) + 1):
        again = Campaign(MemoryStore(b"".join(lines[:cut])), ruleset=TOY)
        again.advance()
        for entry in campaign.entries[cut:]:
            if entry.type == "answer" and (entry.body["side"], entry.body["key"]) in keys(again):
                again.answer(entry.body["side"], entry.body["key"], entry.body["value"])
        assert again.state == campaign.state
        assert [e.body for e in again.entries] == [e.body for e in campaign.entries]


def test_entered_dice_are_asked_for_and_checked() -> None:
    campaign = toy_campaign(entered=True)
    campaign.answer("red", "amount", 3)
    assert keys(campaign) == [("red", "roll"), ("blue", "amount")]
    with pytest.raises(DataError):
        campaign.answer("red", "roll", [7])
    campaign.answer("red", "roll", [5])
    assert campaign.state.points == {"red": 8}
    campaign.answer("blue", "amount", 0)
    campaign.roll_for("blue")
    assert 1 <= campaign.state.points["blue"] <= 6
    sources = [e.body["source"] for e in campaign.entries if e.type == "roll"]
    assert sources == ["entered", "rolled"]


def test_scripted_dice_stand_in_for_the_app() -> None:
    campaign = toy_campaign(dice=ScriptedDice([(6,), (1,), (3, 4)]))
    campaign.answer("red", "amount", 0)
    campaign.answer("blue", "amount", 0)
    campaign.answer("red", "bid", 1)
    campaign.answer("blue", "bid", 0)
    assert campaign.state.points == {"red": 13, "blue": 1}


def test_secret_rolls_have_streams_of_their_own() -> None:
    campaign = toy_campaign()
    play_round(campaign)
    numbers = [(e.body["stream"], e.body["number"]) for e in campaign.entries if e.type == "roll"]
    assert numbers == [("red", 1), ("blue", 1), ("open", 1)]


def test_a_view_holds_nothing_of_the_other_side() -> None:
    campaign = toy_campaign()
    play_round(campaign)
    blue = view(campaign, "blue")
    assert blue.state.secrets.keys() == {"blue"}
    assert "red saved" not in repr(blue.log)
    assert [seen.number for seen in blue.log] == list(range(1, len(blue.log) + 1))
    assert SEED.hex() not in repr(blue)
    assert campaign.state.secrets.keys() == {"red", "blue"}
    with pytest.raises(RefusedError, match="there is no side 'green'"):
        view(campaign, "green")


def test_the_state_at_an_earlier_moment() -> None:
    campaign = toy_campaign()
    play_round(campaign)
    umpire = view(campaign, "umpire")
    points = [seen for seen in umpire.log if seen.entry.body.get("kind") == "points-changed"]
    first = state_at(campaign, "umpire", points[0].number)
    assert first.points.keys() == {"red"}
    with pytest.raises(RefusedError, match="there is no entry 999"):
        find(umpire, 999)


def test_a_sound_campaign_is_proven() -> None:
    campaign = toy_campaign()
    play_round(campaign)
    result = audit(campaign)
    assert result.sound
    assert (result.rolls, result.entered, result.facts) == (3, 0, 6)


def test_an_audit_finds_a_fact_that_the_rules_do_not_give() -> None:
    store = fresh_store()
    campaign = toy_campaign(store)
    play_round(campaign)
    forged = MemoryStore()
    for entry in campaign.entries:
        body = entry.body
        if entry.type == "fact" and entry.body["fact"].get("by"):
            body = {**entry.body, "fact": {**entry.body["fact"], "by": 50}}
        if entry.type == "roll" and entry.body["stream"] == "open":
            body = {**entry.body, "faces": [6, 6], "final": 11}
        forged.append([type(entry)(entry.number, entry.type, body, entry.at, entry.lane, entry.to)])
    result = audit(Campaign(forged, ruleset=TOY))
    told = [finding.what for finding in result.findings]
    assert "the faces aren't those of seed and number" in told
    assert "the final result isn't faces plus modifiers" in told
    assert any(what.startswith("the rules give another fact") for what in told)


def test_an_audit_finds_another_seed() -> None:
    store = MemoryStore()
    opening, seed = opening_entries("toy", "A toy", {}, seed=SEED)
    other = type(seed)(2, "seed", {"seed": "00" * 32}, seed.at, to=())
    store.append([opening, other])
    assert "the dice seed isn't the one" in audit(toy_campaign(store)).findings[0].what


def test_a_step_cut_off_under_older_rules_is_refused_with_advice() -> None:
    @step("TOY 2", "Bidding")
    def bidding_otherwise(cg: object) -> Procedure[None]:
        yield closing.run(cg).send(None)

    store = fresh_store()
    campaign = toy_campaign(store, toy=Toy(bidding, closing))
    campaign.answer("red", "bid", 4)
    changed = Toy(bidding_otherwise, closing)
    changed.steps = {"bidding": bidding_otherwise, "closing": closing}
    with pytest.raises(RefusedError, match="take the step back"):
        Campaign(MemoryStore(store.data), ruleset=changed)


def corrected() -> Toy:
    @step("TOY 2", "Bidding", edition=2)
    def bidding(cg: object) -> Procedure[None]:
        yield PointsChanged(side="red", by=1)

    return Toy(bidding, closing)


def test_a_step_cut_off_before_its_correction_begins_again() -> None:
    store = fresh_store()
    toy_campaign(store, toy=Toy(bidding, closing)).answer("red", "bid", 4)
    before = store.data
    opened = Campaign(store, ruleset=corrected())
    assert opened.begun_again
    assert store.data == before, "a look writes nothing"
    undone = opened.entries[-1]
    assert (undone.type, undone.body["corrected"]) == ("undo", "TOY 2")
    assert not any(entry.type == "answer" for entry in opened.history.counted)
    opened.advance()
    assert [one.key for one in opened.pending()] == ["more"]
    again = Campaign(MemoryStore(store.data), ruleset=corrected())
    assert not again.begun_again
    lines = [one.text for one in log_in_words(again, view(again, "red"))]
    assert "── TOY 2 begins again: its rule was corrected" in lines
    assert audit(again).sound


def test_steps_played_before_a_correction_stand_as_recorded() -> None:
    store = fresh_store()
    campaign = toy_campaign(store, toy=Toy(bidding, closing))
    campaign.answer("red", "bid", 4)
    campaign.answer("blue", "bid", 3)
    campaign.answer("red", "more", True)
    again = Campaign(MemoryStore(store.data), ruleset=corrected())
    # The step under way has recorded nothing that does not fit: it is played as it was begun.
    found = audit(again)
    assert found.sound
    assert found.corrected == ("TOY 2",)
    assert again.state.points == campaign.state.points
    again.advance()
    begun = [entry.body.get("edition") for entry in again.entries if entry.type == "step"]
    assert begun[0] is None
    assert audit(again).sound


def test_a_campaign_lives_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.laager"
    with FileStore(path) as store:
        store.create(opening_entries("toy", "A toy", {}, seed=SEED))
        campaign = Campaign(store, ruleset=TOY)
        campaign.advance()
        campaign.answer("red", "amount", 3)
        known: ToyState = campaign.state
    with FileStore(path) as store:
        again = Campaign(store, ruleset=TOY)
        assert again.state == known
        assert keys(again) == [("blue", "amount")]
        with pytest.raises(RefusedError, match="exists already"):
            store.create([])


def test_two_processes_cannot_hold_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.laager"
    with FileStore(path) as store:
        store.create(opening_entries("toy", "A toy", {}, seed=SEED))
        with pytest.raises(RefusedError, match="another laager is using") as caught, FileStore(path):
            pass
        assert caught.value.code == Refusal.LOCKED


def test_nothing_counts_that_could_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.laager"
    with FileStore(path) as store:
        store.create(opening_entries("toy", "A toy", {}, seed=SEED))
        campaign = Campaign(store, ruleset=TOY)
        campaign.advance()
        before = path.read_bytes()
        store.path = tmp_path / "gone" / "a.laager"
        with pytest.raises(RefusedError, match="could not be written"):
            campaign.answer("red", "amount", 3)
        assert path.read_bytes() == before
