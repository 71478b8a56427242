"""Terms and catalogues read together: what is settled, warned of, refused, and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.campaign.forms import Choice, Record, Rows
from laager.rules.design_your_own.files import load_terms, shipped_terms
from laager.rules.design_your_own.ruleset import RULESET
from laager.rules.design_your_own.steps.infantry import infantry
from laager.rules.design_your_own.steps.opening import beginning
from laager.rules.design_your_own.steps.ordnance import ordnance
from tests.design_your_own.harness import cg_of, new_purchase, play, published_cg
from tests.steps import refusals

TERMS = """
laager: dyo/1
id: mine
title: Mine
date: {date}
catalogue: {catalogue}
own: [{own}]
readings: {readings}
sides:
  axis: {{nation: {axis}, points: 500}}
  allied: {{nation: {allied}, points: 400}}
"""


def written(folder: Path, **changes: str) -> Path:
    words = {
        "date": "1944-09",
        "catalogue": "house",
        "own": "",
        "readings": "{}",
        "axis": "german",
        "allied": "russian",
    }
    path = folder / "mine.yaml"
    path.write_text(TERMS.format(**{**words, **changes}), encoding="utf-8")
    return path


def refused(path: Path, readings: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(DataError) as caught:
        load_terms(path, readings)
    return [str(problem) for problem in caught.value.problems]


def test_the_chart_settles_the_elr(tmp_path: Path) -> None:
    loaded = load_terms(written(tmp_path))
    assert [loaded.terms.side(side).elr for side in ("axis", "allied")] == [3, 4]
    assert loaded.warnings == ()


def test_a_dash_of_the_chart_must_be_agreed_on(tmp_path: Path) -> None:
    told = refused(written(tmp_path, date="1938-05", catalogue="published"))
    assert len(told) == 2
    assert "sides.axis: the ELR Chart doesn't give" in told[0]
    assert "agree on one and write elr: 0 to 5 for axis (--elr 3/4 for new terms)" in told[0]
    assert "its row German has numbers from the column “9/39" in told[0]
    assert ":10:" in told[0]


def test_what_is_missing_is_warned_of(tmp_path: Path) -> None:
    warnings = [str(one) for one in load_terms(written(tmp_path, catalogue="published")).warnings]
    assert "the catalogue of German lacks" in warnings[0]
    assert "they are asked for when they are needed" in warnings[0]


def test_one_nation_on_both_sides_is_warned_of(tmp_path: Path) -> None:
    warnings = [str(one) for one in load_terms(written(tmp_path, allied="german")).warnings]
    assert "both sides buy from the counters of one nation, german" in warnings[0]
    assert "each has half of them" in warnings[0]
    opened = written(tmp_path, allied="german")
    opened.write_text(opened.read_text() + "open: true\nfirst: allied\n")
    assert "allied buys first, and the other has what is left" in str(load_terms(opened).warnings[0])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"axis": "martian"}, "martian"),
        ({"own": "nowhere.yaml"}, "nowhere.yaml: there is no such file"),
        ({"readings": "{half-squads: perhaps}"}, "half-squads"),
        ({"readings": "{no-such: x}"}, "no-such"),
        ({"date": "yesterday"}, "is not a month"),
    ],
)
def test_refusals(changes: dict[str, str], words: str, tmp_path: Path) -> None:
    assert any(words in told for told in refused(written(tmp_path, **changes)))


def test_readings_of_the_command_line_are_checked(tmp_path: Path) -> None:
    assert any("engineer-class" in told for told in refused(written(tmp_path), {"engineer-class": "x"}))


def test_an_own_file_is_laid_over_and_kept(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "laager: dyo-catalogue/1\nnation: german\nname: German\nsource: mine\nsquads: [{type: 4-6-7, bpv: 11}]\n",
        encoding="utf-8",
    )
    made = RULESET.read_card(written(tmp_path, own="own.yaml"), {})
    own.unlink()
    cg = RULESET.context(made.setting)
    assert cg.catalogue.nation("german").mmc("4-6-7").bpv == 11
    assert made.title == "Mine"


def test_a_nation_of_ones_own_says_as_which_it_counts(tmp_path: Path) -> None:
    text = "laager: dyo-catalogue/1\nnation: romanian\nname: Romanian\nsource: mine\n{}squads: []\n"
    own = tmp_path / "own.yaml"
    own.write_text(text.format(""), encoding="utf-8")
    path = written(tmp_path, own="own.yaml", axis="romanian")
    told = refused(path)
    assert len(told) == 1
    assert "sides.axis.nation: no table of the rules has Romanian; write in its catalogue" in told[0]
    own.write_text(text.format("group: axis-minor\n"), encoding="utf-8")
    assert load_terms(path).terms.side("axis").elr == 1


def test_every_shipped_purchase_can_be_begun() -> None:
    for path in shipped_terms().values():
        assert RULESET.read_card(path, {}).warnings == ()


# Before anything is bought ----------------------------------------------------------------------


def test_the_weather_is_asked_if_the_terms_leave_it_open() -> None:
    cg = cg_of(weather="")
    assert play(beginning, cg, None, {"weather": "Overcast"}).keys == ["weather"]
    assert cg.state.weather == "Overcast"
    assert play(beginning, cg_of(), None).keys == []


# What a catalogue lacks -------------------------------------------------------------------------


def types_of(form: Any) -> Choice:
    assert isinstance(form, Record)
    rows = form.fields[0].form
    assert isinstance(rows, Rows)
    choice = rows.row.fields[0].form
    assert isinstance(choice, Choice)
    return choice


def test_missing_values_are_asked_and_used() -> None:
    cg = published_cg()
    rows = [
        {"what": "squads 5-4-8 bpv", "value": "13"},
        {"what": "squads 4-4-7 bpv", "value": "8"},
        {"what": "squads 4-4-7 class", "value": "second line"},
    ]
    played = play(infantry, cg, "axis", {"values-squads": rows[:1]})
    assert played.keys == ["values-squads", "infantry"]
    assert "5-4-8" in types_of(played.question("infantry").form)
    assert cg.nation("axis").mmc("5-4-8").bpv == 13
    told = types_of(played.question("infantry").form).why_not("4-4-7")
    assert told == "4-4-7 lacks values; add them to the catalogue"


def test_a_value_that_will_not_do_is_refused() -> None:
    cg = published_cg()
    question = play(infantry, cg, "axis").question("values-squads")
    wrong = [{"what": "squads 5-4-8 bpv", "value": "dear"}]
    assert refusals(question, wrong)[0].startswith("[1].value: ")
    twice = [{"what": "squads 5-4-8 bpv", "value": "13"}] * 2
    assert "[2]: squads 5-4-8 bpv is named twice; name it once" in refusals(question, twice)


def test_told_by_one_side_for_itself() -> None:
    cg = published_cg("german", "german")
    rows = [{"what": "squads 5-4-8 bpv", "value": "13"}]
    play(infantry, cg, "axis", {"values-squads": rows})
    assert cg.nation("axis").mmc("5-4-8").bpv == 13
    assert cg.nation("allied").mmc("5-4-8").bpv != 13


def test_who_has_no_guns_to_choose_from_is_asked_for_them_and_makes_no_dr_without() -> None:
    assert play(ordnance, published_cg(), "axis").keys == ["sections-guns"]
    gun = {"type": "47L AT", "sort": "at", "bpv": 30, "rf": "1.1", "counters": "4"}
    gun |= {"dm": "no", "tow": "6"}
    answers = {"sections-guns": {"guns": [gun]}, "ordnance-dr": False}
    cg = published_cg("british", "russian")
    assert play(ordnance, cg, "axis", answers).keys == ["sections-guns", "ordnance-dr"]
    assert str(cg.nation("axis").gun("47L AT").rf.at(cg.month)) == "1.1"


# The ruleset ------------------------------------------------------------------------------------


def test_what_players_meet() -> None:
    campaign = new_purchase()
    cg = campaign.context
    assert RULESET.headline(cg, campaign.state)[0] == "1944-09, bought in secret; weather: Clear"
    assert RULESET.moment("buying") == "purchase"
    assert RULESET.moment("announcing") == ""
    with pytest.raises(RefusedError, match="no map"):
        RULESET.drawing(cg, campaign.state)


def test_giving_up_ends_it_without_opening_a_roster() -> None:
    campaign = new_purchase()
    campaign.answer("axis", "infantry", {"lines": [{"type": "4-6-7", "number": 5}]})
    campaign.declare(RULESET.concession_fact("allied"))
    assert campaign.state.over
    assert campaign.state.ending == "given up by allied"
    assert not campaign.state.shown
    assert campaign.pending() == ()
    assert "given up by both sides" in RULESET.concession_fact(None).tell()


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("infantry", "Infantry on offer"),
        ("second-infantry", "Infantry on offer"),
        ("ordnance-dr", "Guns on offer"),
        ("vehicles", "Vehicles on offer"),
        ("oba-dr", "OBA, DR 1 of 2, 1944"),
        ("fortifications", "Fortifications on offer"),
    ],
)
@pytest.mark.parametrize("published", [False, True])
def test_what_is_on_offer_stands_beside_the_question(key: str, title: str, published: bool) -> None:
    cg = published_cg() if published else cg_of()
    offered, *_, points = RULESET.sheets_beside(cg, cg.state, key, "axis")
    assert offered.title == title
    assert points.rows[0] == ("Allotment", "", "1000")
    assert all(len(row) == len(offered.columns) for row in offered.rows)


def test_offers_tell_prices_odds_and_why_not() -> None:
    cg = cg_of(axis={"points": 60})
    [infantry_offer, _] = RULESET.sheets_beside(cg, cg.state, "infantry", "axis")
    rows = {row[0]: row for row in infantry_offer.rows}
    assert rows["4-6-7"] == ("4-6-7", "line squad", "10", "12", "26", "published", "")
    assert infantry_offer.notes == ("before buying: in North Africa F.6 (H1.201)",)
    [before, *_] = RULESET.sheets_beside(cg, cg.state, "ordnance-dr", "axis")
    rows = {row[0]: row for row in before.rows}
    assert rows["120* MTR GrW 42"][2:4] == ("1.1", "21/36")
    play(ordnance, cg, "axis", {"ordnance": []}, [[4, 5]])
    [after, _] = RULESET.sheets_beside(cg, cg.state, "ordnance", "axis")
    rows = {row[0]: row for row in after.rows}
    assert rows["120* MTR GrW 42"][5:] == ("house", "RF above 0.9 (DYO H1.3)")
    assert after.notes == ("RF 0.9 or less by the Availability DR",)
    [chart, _] = RULESET.sheets_beside(cg, cg.state, "oba-dr", "axis")
    assert chart.rows[5] == ("10", "3/36", "70+ for 63", "3 points too dear")
    [works, _] = RULESET.sheets_beside(cg, cg.state, "fortifications", "axis")
    assert works.columns[2].title == "From"
    assert {row[2] for row in works.rows} == {"published"}


def test_beside_other_questions_only_the_points() -> None:
    cg = cg_of()
    assert len(RULESET.sheets_beside(cg, cg.state, "san", "axis")) == 1
