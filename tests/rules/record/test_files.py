"""Records as files: everything wrong at once, in its line; whose secrets a file holds; what players may leave open."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from laager.base import DataError, RefusedError
from laager.base.files import parse_document
from laager.campaign import Question
from laager.campaign.audit import audit
from laager.campaign.describing import export_view
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.house import add_house
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.record import BegunOnPaper, begin_on_paper, copy_of, take_up, write_record
from laager.campaign.ruleset import find_ruleset
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import view
from laager.kinds import CHECKERS
from laager.rules.board.context import CardContext
from laager.rules.board.numbering import join_unit, next_fort_id
from tests.rules.record.logs import open_log
from tests.rules.record.test_from_record import lines_of_log

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
DOCS = Path(__file__).parents[3] / "docs"
CUT = 1500
"""Where the old campaign is cut off: purchases for the seventh firefight are asked for."""


@cache
def old() -> Campaign:
    campaign = Campaign(MemoryStore(b"".join(lines_of_log("pl-rzhavets")[:CUT])))
    campaign.advance()
    return campaign


@cache
def text(viewer: str = UMPIRE) -> str:
    return write_record(old(), viewer)


def read(record: str, name: str = "rzhavets") -> BegunOnPaper:
    ruleset = find_ruleset("pl")
    made = ruleset.read_card(ruleset.shipped_cards()[name], {})
    return begin_on_paper("pl", made, parse_document(record, "record.yaml"))


def begin(record: str) -> Campaign:
    on_paper = read(record)
    store = MemoryStore()
    store.append(opening_entries("pl", "On paper", on_paper.made.setting, seed=bytes(32), at=NOON, drawn=True))
    campaign = Campaign(store, clock=lambda: NOON)
    take_up(campaign, on_paper.secrets)
    return campaign


def guide_record() -> str:
    page = (DOCS / "guide" / "on-paper.md").read_text(encoding="utf-8")
    return page.partition("```yaml\n")[2].partition("```")[0]


def problems(record: str) -> list[str]:
    with pytest.raises(DataError) as caught:
        read(record)
    return [str(problem) for problem in caught.value.problems]


def everything_given_out(campaign: Campaign, viewer: str) -> str:
    seen = view(campaign, viewer)
    told = lines_of(log_in_words(campaign, seen))
    return json.dumps([export_view(campaign, seen), told, repr(seen.state), repr(seen.log), repr(seen.pending)])


def questions_of(campaign: Campaign, side: str) -> list[Question]:
    return [one.question for one in campaign.pending() if one.side == side and one.question]


# Wrong --------------------------------------------------------------------------------------------


def test_all_problems_come_at_once_with_their_lines() -> None:
    record = (
        text()
        .replace("card: Night March to Rzhavets", "card: Training")
        .replace("AL13: {type: 4-4-7, at: Z0}", "AL13: {type: 4-4-9, at: ZZ99, marks: [brocken]}")
        .replace("AL22: {type: HMG, at: BB13}", "AL22: {type: HMG, at: ZZ99}")
        .replace("numbers: {elr: 4, san: 3, tvp: 2}", "numbers: {elr: 4, san: 3, tvp: 9}")
        .replace("next: buying", "next: bying")
    )
    wrong = problems(record)
    lines = record.splitlines()
    for needle, says in {
        "card: Training": "this is a record of 'Training'",
        "next: bying": "this round has no step 'bying'; did you mean buying?",
        "AL13: {type: 4-4-9": "public.allied.units.AL13.marks",
        "AL22: {type: HMG": "public.allied.units.AL22.at: ",
        "tvp: 9}": "TVP 9 don't add up: the roster has 2",
    }.items():
        line = next(number for number, text_ in enumerate(lines, 1) if needle in text_)
        assert any(f"record.yaml:{line}: " in one and says in one for one in wrong), (needle, wrong)
    assert not any("which there isn't" in one for one in wrong), "what follows from another problem isn't one"


def test_two_units_with_one_number() -> None:
    record = text().replace("AL13: {type", "AL8: {type", 1)
    with pytest.raises(DataError, match="AL8: is here twice"):
        read(record)
    twice = text().replace("      AX36: {", "      AX36: {at: Z9, ", 1)
    assert twice != text()
    assert "AX36" in str(problems(twice.replace("secret:\n  axis:\n", "secret:\n  axis:\n    x: 1\n")))


def test_a_weapon_carried_by_nobody() -> None:
    # AL8 lies where nobody has it; AL15 is with a squad.
    record = text().replace("AL15: {type: MMG, at: Z0, with_unit: AL13}", "AL15: {type: MMG, at: Z0, with_unit: AL999}")
    assert problems(record) == [p for p in problems(record) if "AL15.with_unit: is with AL999, which there isn't" in p]
    apart = text().replace("AL15: {type: MMG, at: Z0, with_unit: AL13}", "AL15: {type: MMG, at: Z1, with_unit: AL13}")
    assert "AL13 that has it in Z0" in problems(apart)[0]


def test_what_only_a_side_knows_cant_stand_in_the_public_part() -> None:
    record = text().replace("numbers: {elr: 4, san: 3, tvp: 2}", "numbers: {elr: 4, san: 3, tvp: 2, cp: 13}")
    assert "public.axis.numbers.cp: only its side knows this" in problems(record)[0]
    record = text().replace("AL13: {type: 4-4-7, at: Z0}", "AL13: {type: 4-4-7, at: Z0, group: I1/1}", 1)
    assert "only its side knows this" in problems(record)[0]


@pytest.mark.parametrize(
    ("where", "what", "says"),
    [
        ("laager: pl-record/1", "laager: er-record/1", "isn't a record of this card's rules"),
        ("round: new", "round: gnu", "there is no round 'gnu'"),
        ("public:\n", "publik: {}\npublic:\n", "publik: is not known here; did you mean public?"),
        ("crests: {G3: allied", "crests: {G93: allied", "G93"),
        ("flames", "flames", ""),
        ("secret:\n  axis:\n", "secret:\n  german: {}\n  axis:\n", "'german' is no side"),
    ],
)
def test_each_slip_says_what_would_be_right(where: str, what: str, says: str) -> None:
    if says:
        assert any(says in problem for problem in problems(text().replace(where, what, 1)))


def test_the_record_of_the_guide_is_a_good_one() -> None:
    campaign = begin(guide_record())
    assert [one.key for one in campaign.pending()] == ["record"]


def test_control_of_a_level_that_has_fallen_stays_on_record() -> None:
    """Rubble takes the upper levels of a building away, and the record goes on saying who had them."""
    fallen = guide_record().replace("axis: [L18,", "axis: [O16.1, L18,")
    fallen = fallen.replace("  ground:\n", "  ground:\n    changes: {O16: [rubble]}\n")
    campaign = begin(fallen)
    cg = campaign.context
    assert isinstance(cg, CardContext)
    assert "O16.1" not in cg.map.locations("O16")
    assert campaign.state.ground.control["O16.1"] == "axis"
    assert "public.ground.control.O16.9" in str(problems(fallen.replace("O16.1", "O16.9")))


def test_what_players_dont_know_may_stay_open_where_no_rule_needs_it() -> None:
    record = text().replace("weather: Clear, attacker: axis", "weather: unknown, attacker: axis")
    record = record.replace("tvp: {axis: 1, allied: 15}", "tvp: unknown").replace("last_turn: 7", "last_turn: unknown")
    assert "unknown" in record
    assert begin(record).state.past[0].weather == ""
    assert "public.past.1.cvp" in str(problems(text().replace("cvp: {axis: 5, allied: 6}", "cvp: unknown")))


def test_a_file_that_is_no_record() -> None:
    with pytest.raises(DataError, match="isn't a record"):
        read("- a list")


def test_the_check_of_files_knows_records(tmp_path: Path) -> None:
    path = tmp_path / "record.yaml"
    path.write_text(text(), encoding="utf-8")
    assert CHECKERS["pl-record"](path) == []
    path.write_text(text().replace("at: Z0}", "at: ZZ99}", 1), encoding="utf-8")
    with pytest.raises(DataError, match="ZZ99"):
        CHECKERS["pl-record"](path)


# Right --------------------------------------------------------------------------------------------


def test_a_campaign_begun_from_a_file_verifies_and_goes_on() -> None:
    campaign = begin(text())
    assert [(one.side, one.key) for one in campaign.pending()] == [("axis", "purchases"), ("allied", "purchases")]
    for _ in range(6):
        pending = campaign.pending()[0]
        if pending.question is None:
            break
        campaign.answer(pending.side, pending.key, pending.question.default)
    assert audit(campaign).sound
    assert Campaign(MemoryStore(campaign.store.data)).state == campaign.state  # type: ignore[attr-defined]


@pytest.mark.parametrize("drawn", ["", "some key"])
def test_new_numbers_avoid_those_of_the_record(drawn: str) -> None:
    cg = begin(text()).context
    assert isinstance(cg, CardContext)
    cg.drawn, cg.state = drawn, cg.state.with_side("axis", next_unit=1, next_fort=1)
    for _ in range(40):
        fact = join_unit(cg, "axis", "4-6-7", "squad")
        assert fact.unit.id not in cg.state.units
        cg.state = fact.apply(cg.state)
    assert next_fort_id(cg, "axis") not in cg.state.forts


def test_a_side_that_the_file_leaves_out_is_asked() -> None:
    campaign = begin(text("axis"))
    assert [(one.side, one.key) for one in campaign.pending()] == [("allied", "record")]
    with pytest.raises(DataError, match="Z99"):
        campaign.answer("allied", "record", {"units": {"AL99": {"type": "4-4-7", "at": "Z99"}}})
    campaign.answer("allied", "record", {"numbers": {"cp": 27}})
    assert campaign.state.sides["allied"].cp == 27
    with pytest.raises(RefusedError):
        campaign.answer("allied", "record", {})


def test_the_story_so_far_is_told_to_everybody() -> None:
    campaign = begin(text().replace("public:\n", "story: We held the bridge.\npublic:\n", 1))
    assert "We held the bridge." in view(campaign, SPECTATOR).state.notes


def test_a_copy_goes_on_with_other_dice() -> None:
    on_paper = copy_of(old())
    store = MemoryStore()
    store.append(opening_entries("pl", "What if", on_paper.made.setting, seed=bytes(range(32)), drawn=True))
    campaign = Campaign(store)
    take_up(campaign, on_paper.secrets)
    assert [(one.side, one.key) for one in campaign.pending()] == [("axis", "purchases"), ("allied", "purchases")]
    assert campaign.opening["dice"] != old().opening["dice"]


def test_nothing_is_left_to_write_once_all_is_over() -> None:
    with pytest.raises(RefusedError, match="the campaign is over"):
        write_record(open_log("pl-rzhavets"), UMPIRE)


# Secrets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("viewer", "enemy"), [("axis", "allied"), ("allied", "axis"), (SPECTATOR, "axis")])
def test_a_file_of_one_side_has_nothing_of_the_other(viewer: str, enemy: str) -> None:
    record = text(viewer)
    state = old().state
    hidden = [unit.id for unit in state.units.values() if unit.side == enemy and not unit.known]
    forts = [fort.id for fort in state.forts.values() if fort.side == enemy and fort.hidden]
    assert hidden
    assert forts
    for name in (*hidden, *forts):
        assert f"{name}:" not in record, name
    assert f"\n  {enemy}:\n    numbers: {{cp" not in record


@pytest.mark.parametrize("viewer", ["allied", SPECTATOR])
def test_the_enemys_seat_has_the_same_bytes_whatever_a_side_enters(viewer: str) -> None:
    record = text()
    assert "cp: 13" in record
    axis = begin(record)
    other = begin(record.replace("cp: 13", "cp: 14", 1).replace("AX3: {group: I1/1", "AX3: {since: 3, group: I1/1", 1))
    assert other.state != axis.state
    assert everything_given_out(axis, viewer) == everything_given_out(other, viewer)


def test_what_is_asked_and_refused_doesnt_depend_on_the_enemys_part() -> None:
    first, then = begin(text(SPECTATOR)), begin(text(SPECTATOR))
    secrets = read(text()).secrets
    then.answer("axis", "record", secrets["axis"])
    asked = [one.describe() for campaign in (first, then) for one in questions_of(campaign, "allied")]
    assert asked[0] == asked[1]
    # A gun guarded by a unit that only the Axis knows: as unknown to the Soviets as one that there isn't.
    hidden = next(unit.id for unit in old().state.units.values() if unit.side == "axis" and not unit.known)
    said = []
    for campaign in (first, then):
        value = {"units": {"AL99": {"type": "4-4-7", "at": "Z0", "with_unit": hidden, "marks": ["prisoner", "x"]}}}
        with pytest.raises(DataError) as caught:
            campaign.answer("allied", "record", value)
        said.append(str(caught.value))
    assert said[0] == said[1]


def test_house_rules_go_along() -> None:
    ruleset = find_ruleset("pl")
    made = ruleset.read_card(ruleset.shipped_cards()["rzhavets"], {})
    house = "laager: house/1\nruleset: pl\nwhy: we like it\nrules: {PL 3.41: off}\n"
    store = MemoryStore()
    setting = add_house(ruleset, made, parse_document(house, "house.yaml")).setting
    store.append(opening_entries("pl", "House", setting, seed=bytes(32)))
    campaign = Campaign(store)
    campaign.advance()
    again = begin(write_record(campaign, UMPIRE)).context
    assert isinstance(again, CardContext)
    assert again.house == campaign.context.house


def test_the_present_battle_and_the_line_before_it_are_needed() -> None:
    """Rules look back to the battle before: a record without it would break in the middle of a step."""
    made = find_ruleset("pl").read_card(find_ruleset("pl").shipped_cards()["rzhavets"], {})
    bare = find_ruleset("pl").record_template(made.setting)
    assert [problem.split(": ", 1)[1] for problem in problems(bare)] == [
        "public.past: battle 1 has no line on the CG Roster; add it; what you don't know can be unknown"
    ]
    assert "the present one is the first" in problems(bare.replace("number: 2", "number: 1"))[0]
    assert "the card has no battle 99; 1 to" in problems(bare.replace("number: 2", "number: 99"))[0]
    begin(bare.replace("public:", "public:\n  past:\n    1: {}"))
