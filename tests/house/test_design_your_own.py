"""House rules of Design Your Own: figures that hold in every step, clauses left out, the check by them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laager.base import DataError
from laager.base.files import Document, parse_document, read_document
from laager.campaign import find_ruleset
from laager.campaign.audit import audit
from laager.campaign.describing import explain_entry
from laager.campaign.engine import Campaign
from laager.campaign.house import add_house, printed_of
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.views import view
from laager.catalogue.kinds import Column
from laager.rules.design_your_own.check.check import check_file, check_ob
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import load_ob, load_terms, ob_data, shipped_terms
from laager.rules.design_your_own.lines import infantry, leaders, oba, pieces, support, vehicles, works
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.rulebook import Rulebook
from laager.rules.design_your_own.sheets.prospects import all_prospects
from laager.rules.design_your_own.terms import SIDES
from tests.house.campaigns import NOON, house_text, made_of, new_campaign, read
from tests.house.test_by_chance import rules_by_chance
from tests.platoon_leader.campaigns import answer_by_chance

FIGURES = """\
  DYO H1.11: {squads_of_a_type: 3}
  DYO H1.26: {sapper: {factor: 2}, mol: {adds: 4}}
  DYO H1.28-T: {german: {7/44-12/44: 5}}
  DYO H1.29: {base: 3, price: 7}
  DYO H1.3-T: {column rf: {7: 1.6}}
  DYO H1.4: {percent: 25, rf: 0.4}
  DYO H1.5: {points_for_each: 400, plentiful: 1/2}
  DYO H1.531: {german: {1944: 9 e2}, 1944-45: {points: 60}}
  DYO H1.6: {wire: {bpv: 9}, pillbox_factor: 5, hip_percent: 50}
  DYO H1.7: {reinforcements: 1}
  DYO H1.74: {elite: 2}
  DYO H1.82-T: {column general: {7: 10-3}}
"""


def cg_with(rules: str = "") -> Cg:
    cg = new_campaign("vistula", rules).context
    assert isinstance(cg, Cg)
    return cg


def rulebook(rules: str) -> Rulebook:
    return Rulebook(house=read(rules, "dyo"))


def test_each_figure_holds_where_the_rules_use_it() -> None:
    book, plain = rulebook(FIGURES.replace("{elite: 2}", "{factors: {elite: 2}}")), Rulebook()
    sappers = {infantry.Capability.SAPPER, infantry.Capability.MOL}
    assert (int(infantry.mpv_each(book, 10, sappers)), int(infantry.mpv_each(plain, 10, sappers))) == (24, 16)
    assert (int(works.san_cost(book, 5)), int(works.san_cost(plain, 5))) == (14, 30)
    limits = [str(pieces.rf_limit(either, 7, motorized=True)) for either in (book, plain)]
    assert limits == ["2.0", "1.3"]
    assert pieces.chance_of(book, "1.6") == pieces.chance_of(plain, "1.6") + Fraction(1, 6), "the odds go by it, too"
    assert (int(vehicles.motorized_cost(book, 1000)), int(vehicles.motorized_cost(plain, 1000))) == (250, 100)
    assert (int(oba.oba_drs(book, 1000)), int(oba.oba_drs(plain, 1000))) == (3, 2)
    wire, pillbox = works.WorkLine("wire", 2), works.WorkLine("pillbox", 1, 1, 3, 5)
    assert (int(works.work_cost(book, wire, 1944)), int(works.work_cost(book, pillbox, 1944))) == (18, 45)
    assert (int(works.hip_limit(book, 9)), int(works.hip_limit(plain, 9))) == (5, 1)
    assert int(support.least_reinforcements(book, 100, 100, 8)) == 8
    counts = {infantry.Subsection.ELITE: [3]}
    assert (leaders.equivalency(book, counts).total, leaders.equivalency(plain, counts).total) == (6, 4)
    assert leaders.exchange_leader(book, 7, Column.GENERAL) == "10-3"
    assert oba.air_price(book, 1944) == 60
    assert oba.bomb_exponent(book, Group.GERMAN, 1944) == 2


def test_a_purchase_begins_by_them_and_shows_them() -> None:
    rules = "  DYO H1.28-T: {german: {7/44-12/44: 5}}\n  DYO H1.29: {base: 3}\n  DYO H1.11: {squads_of_a_type: 3}\n"
    plain, campaign = new_campaign("vistula"), new_campaign("vistula", rules)
    cg: Any = campaign.context
    assert plain.context.month.year == 1944  # type: ignore[attr-defined]
    assert (plain.context.terms.side("axis").elr, cg.terms.side("axis").elr) == (3, 5)  # type: ignore[attr-defined]
    assert cg.terms.side("allied").elr == plain.context.terms.side("allied").elr  # type: ignore[attr-defined]
    assert {cg.ob(side).san for side in SIDES} == {3}
    assert {squad.counters for squad in cg.nation("axis").squads(cg.month)} == {3}
    assert any("House rules: DYO H1.28-T, DYO H1.29" in line for line in campaign.ruleset.headline(cg, campaign.state))  # type: ignore[attr-defined]
    assert any("ELR Chart" in line or "DYO H1.28-T" in line for line in audit(campaign).house)


def test_what_is_changed_is_told_where_the_clause_is_cited() -> None:
    campaign = new_campaign("vistula", "  DYO H1.531: {1944-45: {points: 60}}\n")
    package = find_ruleset("dyo").package
    rng = Random(3)
    while campaign.pending():
        answer_by_chance(campaign, campaign.pending()[0], rng)
    seen = view(campaign, "umpire")
    cited, other = (
        next(entry.number for entry in campaign.entries if entry.body.get("rule") == rule)
        for rule in ("DYO H1.531", "DYO H1.6")
    )
    assert "60 instead of 150" in explain_entry(campaign, seen, cited, package)["house"][0]
    assert explain_entry(campaign, seen, other, package)["house"] == []


def test_terms_bring_their_own_and_a_file_goes_before_them(tmp_path: Path) -> None:
    terms = yaml.safe_load(shipped_terms()["vistula"].read_text(encoding="utf-8"))
    rules_of_terms = {"DYO H1.29": {"price": 4}, "DYO H1.28-T": {"german": {"7/44-12/44": 1}}}
    terms["house"] = {"why": "So we play.", "rules": rules_of_terms}
    path = tmp_path / "terms.yaml"
    path.write_text(yaml.safe_dump(terms), encoding="utf-8")
    loaded = load_terms(path)
    assert loaded.terms.side("axis").elr == 1
    rules = find_ruleset("dyo")
    made = rules.read_card(path, {})
    assert "house" not in made.setting["terms"]
    both = add_house(rules, made, parse_document(house_text("  DYO H1.29: {price: 2}\n", "dyo"), "h.yaml"))
    cg: Any = rules.context(both.setting)
    assert (cg.charts.san.price, cg.terms.side("axis").elr) == (2, 1)
    terms["house"]["rules"]["DYO H1.29"] = {"prise": 4}
    path.write_text(yaml.safe_dump(terms), encoding="utf-8")
    with pytest.raises(DataError, match=r"house.rules.DYO H1.29.prise: the clause has no “prise”"):
        load_terms(path)


def test_an_agreed_elr_stays() -> None:
    made = made_of("vistula")
    terms = {**made.setting["terms"], "sides": {**made.setting["terms"]["sides"]}}
    terms["sides"]["axis"] = {**terms["sides"]["axis"], "elr": 2}
    by_chart = [part for part in made.setting["elr_by_chart"] if part[0] != "axis"]
    agreed = type(made)(made.title, {**made.setting, "terms": terms, "elr_by_chart": by_chart})
    document = parse_document(house_text("  DYO H1.28-T: {german: {7/44-12/44: 5}}\n", "dyo"), "h.yaml")
    rules = find_ruleset("dyo")
    assert rules.context(add_house(rules, agreed, document).setting).terms.side("axis").elr == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("rules", "wrong"),
    [
        ("  DYO H1.43: {afv_for_each: 0}\n", "out of bounds"),
        ("  DYO H1.28-T: {german: {7/44-12/44: 9}}\n", "9 is out of bounds"),
        ("  DYO H1.28-T: {german: {7/44: 3}}\n", "there is no “7/44” here"),
        ("  DYO H1.71: {for_each: 1/3}\n", "can't be picked"),
        ("  DYO H1.29: {base: 8}\n", "more than the highest"),
        ("  DYO H1.81: {ranks: {general: [general]}}\n", "ranks"),
        ("  DYO H1.83: off\n", "can't be off: what follows needs it"),
        ("  DYO H1.531: {1942-43: {to: 1941}}\n", "stands after"),
    ],
)
def test_figures_that_the_rules_could_not_go_by_are_refused(rules: str, wrong: str) -> None:
    with pytest.raises(DataError, match=wrong):
        read(rules, "dyo")


def bought(campaign: Campaign, rng: Random) -> Any:
    """Go on by chance until both sides have bought; return the context."""
    while campaign.pending():
        for asked in campaign.pending():
            assert asked.question is None or asked.question.allows(asked.question.default), asked.key
        answer_by_chance(campaign, rng.choice(campaign.pending()), rng)
    return campaign.context


LEFT_OUT = ("DYO H1.29", "DYO H1.41", "DYO H1.43", "DYO H1.5", "DYO H1.531", "DYO H1.6", "DYO H1.7", "DYO H1.82")


def test_what_is_left_out_is_neither_asked_nor_forecast_nor_legal(tmp_path: Path) -> None:
    campaign = new_campaign("vistula", "".join(f"  {clause}: off\n" for clause in LEFT_OUT))
    begun: Any = campaign.context
    keys = {prospect.key for prospect in all_prospects(begun, "axis")}
    assert keys <= {"ordnance-dr", "vehicles-dr", "fittings"}
    cg = bought(campaign, Random(9))
    asked = {entry.body.get("key") for entry in campaign.entries if entry.type == "answer"}
    assert not asked & {"san", "fortifications", "oba-dr", "air-support-dr", "second-infantry", "leader-exchange-dr"}
    closed = set(cg.state.closed["axis"])
    assert {"vehicles", "oba", "fortifications", "second-infantry"} <= closed, "closed all the same"
    for side in SIDES:
        assert check_ob(cg, side, facing=True).broken == ()
    rich = bought(new_campaign("vistula"), Random(9))
    data = ob_data(rich, "axis")
    path = tmp_path / "ob.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    assert check_file(load_ob(path)).legal
    house = tmp_path / "house.yaml"
    house.write_text(house_text("".join(f"  {clause}: off\n" for clause in LEFT_OUT), "dyo"), encoding="utf-8")
    found = check_file(load_ob(path, read_document(house))).broken
    left_out = {find.breach.rule for find in found if "leave this out" in find.breach.what}
    assert left_out
    assert left_out <= set(LEFT_OUT)


def test_an_order_of_battle_takes_its_house_rules_along(tmp_path: Path) -> None:
    cg = bought(new_campaign("vistula", FIGURES.replace("{elite: 2}", "{factors: {elite: 2}}")), Random(4))
    for side in SIDES:
        path = tmp_path / f"{side}.yaml"
        path.write_text(yaml.safe_dump(ob_data(cg, side)), encoding="utf-8")
        loaded = load_ob(path)
        assert loaded.terms.house is not None
        assert check_file(loaded).broken == ()


OWN = "  DYO H1.3-T: {modifiers: {mud: {value: -1, when: it has rained for days}}}\n"


def test_modifiers_of_ones_own_are_asked_in_secret_and_count() -> None:
    campaign = new_campaign("vistula", OWN)
    rng = Random(2)
    seen = set()
    while campaign.pending():
        asked = rng.choice(campaign.pending())
        assert "'mud': True" not in str([seen_entry.entry.body for seen_entry in view(campaign, "allied").log])
        if asked.question is not None and asked.key.startswith("house-"):
            assert asked.question.secret
            seen.add(asked.key)
            campaign.answer(asked.side, asked.key, {"mud": asked.side == "axis"})
        else:
            answer_by_chance(campaign, asked, rng)
    assert "house-ordnance-availability" in seen
    rolls = [entry.body for entry in campaign.entries if entry.type == "roll" and "Availability" in entry.body["label"]]
    modified = [roll["side"] for roll in rolls if "it has rained" in str(roll)]
    assert set(modified) == {"axis"}
    assert audit(campaign).sound
    for side in SIDES:
        assert check_ob(campaign.context, side, facing=True).broken == ()  # type: ignore[arg-type]


def begin(rules: dict[str, Any], seed: int) -> Campaign | None:
    """A purchase with these house rules, or None where nothing of them is left that the check accepts."""
    ruleset = find_ruleset("dyo")
    for _ in range(3):
        document = Document({"laager": "house/1", "ruleset": "dyo", "why": "By chance.", "rules": rules}, "h.yaml")
        try:
            made = add_house(ruleset, made_of("vistula"), document)
            break
        except DataError as err:
            wrong = " ".join(problem.field for problem in err.problems)
            rules = {clause: change for clause, change in rules.items() if f"rules.{clause}" not in wrong}
    else:
        return None
    store = MemoryStore()
    store.append(opening_entries("dyo", made.title, made.setting, False, bytes([seed % 256]) * 32, NOON))
    campaign = Campaign(store, clock=lambda: NOON)
    campaign.advance()
    return campaign


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000))
def test_random_house_rules_leave_purchases_whole(number: int) -> None:
    """Buy to the end: every proposal legal, the log sound, and the check of both orders of battle at one with it."""
    rng = Random(number)
    campaign = begin(rules_by_chance(printed_of(find_ruleset("dyo")), rng), number)
    if campaign is None:
        return
    cg = bought(campaign, rng)
    assert cg.state.over
    assert audit(campaign).sound
    assert audit(campaign).house
    for side in SIDES:
        assert cg.points_left(side) >= 0
        assert check_ob(cg, side, facing=True).broken == ()
