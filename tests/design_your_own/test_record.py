"""Records of purchases: begun from again, a purchase that is half done asks, offers, shows and does the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from laager.base import DataError
from laager.base.files import parse_document
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.log import MemoryStore
from laager.campaign.opening import RECORD, opening_entries
from laager.campaign.record import ENGINE, copy_of, take_up, write_record
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.dice import Dice
from laager.kinds import CHECKERS
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.terms import SIDES
from tests.design_your_own.harness import setting
from tests.platoon_leader.campaigns import answer_by_chance

RULES = find_ruleset("dyo")
DOCS = Path(__file__).parents[2] / "docs"


class SameDice:
    """Dice that follow from how often a side has rolled, by whatever number."""

    def __init__(self) -> None:
        self.rngs: dict[str, Random] = {}

    def faces(self, dice: Dice, stream: str, number: int) -> tuple[int, ...]:
        rng = self.rngs.setdefault(stream, Random(stream))
        return tuple(rng.randint(1, 6) for _ in range(2 if dice is Dice.DR else 1))


def begin(made: dict[str, Any], text: str = "") -> Campaign:
    """Begin a purchase, from a record if there is one."""
    read = RULES.read_record(parse_document(text, "record.yaml"), made) if text else None
    whole = {**made, RECORD: read.opening} if read else made
    store = MemoryStore()
    store.append(opening_entries("dyo", "Again", whole, seed=bytes(32)))
    campaign = Campaign(store, SameDice())
    if read:
        take_up(campaign, read.secrets)
    campaign.advance()
    return campaign


def copy_with_new_dice(campaign: Campaign) -> Campaign:
    """Return the same campaign, going on with fresh dice."""
    store = MemoryStore(campaign.store.data)  # type: ignore[attr-defined]
    same = Campaign(store, SameDice())
    same.advance()
    return same


def shown(campaign: Campaign, viewer: str) -> Iterator[tuple[str, Any]]:
    """Yield what a viewer is shown: headline, sheets, questions with what they offer, and what stands beside them."""
    seen = view(campaign, viewer)
    yield "headline", RULES.headline(campaign.context, seen.state)
    yield "state", replace(seen.state, closed=dict(seen.state.closed))
    for sheet in RULES.sheets(campaign.context, seen.state):
        yield f"sheet {sheet.title}", sheet
    for pending in seen.pending:
        assert pending.question is not None
        yield f"question {pending.key}", json.dumps(pending.question.describe(), sort_keys=True, default=str)
        for sheet in RULES.sheets_beside(campaign.context, seen.state, pending.key, pending.side):
            yield f"beside {pending.key}: {sheet.title}", sheet
    yield "waiting", seen.waiting_for


def check_same(old: Campaign, new: Campaign) -> None:
    for viewer in (UMPIRE, *SIDES, SPECTATOR):
        before, now = list(shown(old, viewer)), list(shown(new, viewer))
        assert [name for name, _ in before] == [name for name, _ in now], viewer
        for (name, was), (_, is_) in zip(before, now, strict=True):
            assert is_ == was, (viewer, name)


def play_both(old: Campaign, new: Campaign, rng: Random) -> None:
    """Give both the same answers to the end."""
    while old.pending():
        assert [(one.side, one.key) for one in old.pending()] == [(one.side, one.key) for one in new.pending()]
        pending = rng.choice(old.pending())
        assert pending.question is not None
        value = pending.question.sample(rng) if rng.random() < 0.7 else pending.question.default
        for campaign in (old, new):
            campaign.answer(pending.side, pending.key, value)
    assert old.over
    assert new.over


def is_settled(campaign: Campaign) -> bool:
    """True if each side has just closed a category or begun the step: then nothing of it is left out of a record."""
    if campaign.step is None:
        return True
    begun = max(entry.number for entry in campaign.history.counted if entry.type == "step")
    since = [entry for entry in campaign.history.counted if entry.number > begun]
    if campaign.step.each_side:
        own = [[entry for entry in since if entry.lane == side] for side in SIDES]
        return all(entries[-1].body.get("kind") == "category-closed" for entries in own if entries)
    return not since


def go_through(terms: dict[str, Any], number: int, every: int) -> None:
    """Buy by chance; go on from the record at every so manieth answer, and at some of them to the end."""
    rng = Random(number)
    made = setting(**terms)
    campaign = begin(made)
    answers = 0
    while campaign.pending():
        answers += 1
        if answers % every == 0:
            new = begin(made, write_record(campaign, UMPIRE))
            if is_settled(campaign):
                old = copy_with_new_dice(campaign)
                check_same(old, new)
                if answers % (2 * every) == 0:
                    play_both(old, new, Random(answers))
                    check_same(old, new)
                    # These dice are the tests' own, so their faces aren't those of the seed.
                    assert all("faces" in finding.what for finding in audit(new).findings)
        answer_by_chance(campaign, campaign.pending()[0], rng)


TERMS: list[dict[str, Any]] = [{}, {"open": True}, {"open": True, "first": "allied"}]


@pytest.mark.parametrize("terms", TERMS)
def test_what_is_half_bought_goes_on_as_it_was(terms: dict[str, Any]) -> None:
    go_through(terms, 1, 6)


@pytest.mark.soak
@pytest.mark.parametrize("terms", TERMS)
@pytest.mark.parametrize("number", range(2, 8))
def test_so_it_does_at_every_point(terms: dict[str, Any], number: int) -> None:
    go_through(terms, number, 1)


def test_one_side_is_further_on_than_the_other() -> None:
    made = setting()
    campaign, rng = begin(made), Random(3)
    while len(campaign.context.state.closed.get("axis", ())) < 4:
        answer_by_chance(campaign, next(one for one in campaign.pending() if one.side == "axis"), rng)
    if not is_settled(campaign):
        pytest.fail("the axis has something to decide behind its fourth category")
    old, new = copy_with_new_dice(campaign), begin(made, write_record(campaign, UMPIRE))
    assert {one.side: one.key for one in new.pending()}["allied"] == "infantry"
    check_same(old, new)
    play_both(old, new, Random(4))
    check_same(old, new)


def half_bought(rng: Random, answers: int = 14, **terms: Any) -> Campaign:
    campaign = begin(setting(**terms))
    for _ in range(answers):
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    return campaign


def test_each_sides_part_is_its_own() -> None:
    campaign = half_bought(Random(5))
    texts = {viewer: write_record(campaign, viewer) for viewer in (*SIDES, SPECTATOR, UMPIRE)}
    for side in SIDES:
        data: Any = parse_document(texts[side], "r").data
        assert list(data["secret"]) == [side]
        assert data["secret"][side]["ob"]["infantry"]
    assert "secret" not in parse_document(texts[SPECTATOR], "r").data
    assert set(parse_document(texts[UMPIRE], "r").data["secret"]) == set(SIDES)
    # The public part is the same whatever the sides have done.
    assert parse_document(texts["axis"], "r").data["public"] == parse_document(texts["allied"], "r").data["public"]
    again = begin(setting(), texts["axis"])
    assert [(one.side, one.key) for one in again.pending()] == [("allied", "record")]
    seen = str([line.entry.body for line in view(again, "allied").log])
    own: Any = again.context
    assert own.ob("axis").infantry
    assert own.ob("axis").infantry[0].type not in seen.replace(str(again.opening["catalogue"]), "")
    again.answer("allied", "record", texts["allied"] and parse_document(texts["allied"], "r").data)
    assert not view(again, "axis").state.given.get("allied")
    assert own.ob("allied") == campaign.context.ob("allied") or own.ob("allied").infantry  # type: ignore[attr-defined]


def test_a_copy_for_what_if_has_the_house_rules_and_the_elr() -> None:
    from tests.house.campaigns import new_campaign

    campaign = new_campaign("vistula", "  DYO H1.28-T: {german: {7/44-12/44: 5}}\n  DYO H1.29: {price: 3}\n")
    rng = Random(1)
    for _ in range(8):
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    begun = copy_of(campaign)
    made = {name: part for name, part in campaign.opening.items() if name not in ENGINE and name != "house"}
    for whole in (begun.made.setting, {**made, RECORD: begun.made.setting[RECORD]}):
        cg: Any = RULES.context(whole)
        assert isinstance(cg, Cg)
        assert (cg.charts.san.price, cg.terms.side("axis").elr) == (3, 5)


def test_prices_can_be_left_out_and_slips_are_named_with_their_cell() -> None:
    campaign = half_bought(Random(5))
    text = write_record(campaign, UMPIRE)
    data: Any = parse_document(text, "r").data
    made = setting()
    plain = json.loads(json.dumps(data))
    for line in plain["secret"]["axis"]["ob"]["infantry"]:
        line.pop("total", None)
        line.pop("each", None)
    read = RULES.read_record(parse_document(json.dumps(plain), "r"), made)
    assert read.secrets["axis"]["ob"]["infantry"] == data["secret"]["axis"]["ob"]["infantry"]

    def problems(change: Any) -> str:
        wrong = json.loads(json.dumps(data))
        change(wrong)
        with pytest.raises(DataError) as caught:
            RULES.read_record(parse_document(json.dumps(wrong, indent=1), "r.yaml"), made)
        return "\n".join(map(str, caught.value.problems))

    first = "secret.axis.ob.infantry[1]"
    assert f"{first}.total" in problems(lambda it: it["secret"]["axis"]["ob"]["infantry"][0].update(total=3))
    assert "there is no step" in problems(lambda it: it.update(next="bying"))
    assert "this is a record of 'X'" in problems(lambda it: it.update(card="X"))
    assert "is not the nation of axis" in problems(lambda it: it["secret"]["axis"]["ob"].update(nation="russian"))
    assert "is bought again" in problems(lambda it: it["secret"]["axis"].update(closed=[]))
    assert "is there twice" in problems(lambda it: it["secret"]["axis"].update(closed=["infantry", "infantry"]))
    assert "infantry[1].number" in problems(lambda it: it["secret"]["axis"]["ob"]["infantry"][0].update(number=0))


def test_the_template_is_a_record() -> None:
    made = setting()
    text = RULES.record_template(made)
    assert "# Where your purchase stands" in text
    campaign = begin(made, text)
    assert {one.key for one in campaign.pending()} == {"record"}
    for side in SIDES:
        campaign.answer(side, "record", {})
    assert {one.key for one in campaign.pending()} == {"infantry"}


def test_the_record_of_the_guide_is_a_good_one(tmp_path: Path) -> None:
    page = (DOCS / "guide" / "on-paper.md").read_text(encoding="utf-8")
    text = page.partition("A purchase that is half done")[2].partition("```yaml\n")[2].partition("```")[0]
    path = tmp_path / "record.yaml"
    path.write_text(text, encoding="utf-8")
    assert CHECKERS["dyo-record"](path) == []
    campaign = begin(setting(), text)
    campaign.answer("allied", "record", {})
    assert {one.side: one.key for one in campaign.pending()} == {"axis": "ordnance-dr", "allied": "infantry"}
    axis = campaign.context.ob("axis")  # type: ignore[attr-defined]
    assert (axis.san, axis.san_cost, axis.infantry[0].total) == (3, 10, 12 * axis.infantry[0].each)
