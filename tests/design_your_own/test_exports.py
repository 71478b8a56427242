"""Orders of battle for campaign cards and for vasl-templates."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
import yaml

from laager.base import RefusedError
from laager.catalogue.dyo import load_dyo
from laager.catalogue.dyo.spelling import find_piece, pieces_of, type_of
from laager.catalogue.load import load_packaged, packaged_nations
from laager.rules.board.card.files import shipped_files
from laager.rules.board.hasl.card.loading import load_card as load_hasl
from laager.rules.bridge_too_far.ruleset import RULESET as ABTF
from laager.rules.design_your_own import exports
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports import vasl_templates as vasl
from laager.rules.design_your_own.exports.cards import card_part, force_of
from laager.rules.design_your_own.exports.forms import FORMS
from laager.rules.design_your_own.exports.vasl_templates import vasl_templates
from laager.rules.design_your_own.ob import (
    Arm,
    BatteryEntry,
    Dr,
    GunEntry,
    InfantryEntry,
    Leaders,
    Ordnance,
    SwAllotment,
    VehicleEntry,
    Vehicles,
    WorkEntry,
)
from laager.rules.design_your_own.plan.wishes import PieceWish, Wishes
from laager.rules.design_your_own.spelling import spell_ob, spell_wishes
from laager.rules.platoon_leader.card.loading import load_card as load_pl
from tests.design_your_own.harness import by_chance, cg_of, new_purchase

SCHEMA = json.loads(files(exports).joinpath("vasl_scenario.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)


def bought() -> Cg:
    """A purchase with something in every section."""
    cg = cg_of(boards=[{"id": "3"}, {"id": "16", "whole": False}], weather="Clear & cold")
    cg.state = cg.state.with_ob(
        "axis",
        san=3,
        infantry=(
            InfantryEntry(type="8-3-8", number=3, capabilities=("assault-engineer",)),
            InfantryEntry(type="4-6-8", number=4, capabilities=("sapper",)),
            InfantryEntry(type="4-6-7", number=50, reinforcements=2),
        ),
        ordnance=Ordnance(guns=(GunEntry(type="75L AT PaK 40", number=2), GunEntry(type="88L AA FlaK 41", number=1))),
        vehicles=Vehicles(
            entries=(
                VehicleEntry(type="PzIVH", id="A", fittings=("Sz",), armor_leader="9-1"),
                VehicleEntry(type="PzIVH", id="B", arms=(Arm(name="AAMG", cost=2),)),
                VehicleEntry(type="Wagon", id="A", without_dr=True),
                VehicleEntry(type="PzIVJ", id="A", op="A"),
            )
        ),
        oba=(
            BatteryEntry(dr=Dr(final=7), size="100+", bought=True, letter="A", contact="op-tank"),
            BatteryEntry(dr=Dr(final=2), size="80+", sort="M"),
        ),
        fortifications=(
            WorkEntry(type="wire", number=4),
            WorkEntry(type="pillbox", number=1, capacity=1, ca_drm=3, nca_drm=5),
        ),
        leaders=Leaders(count=3, held={"8-0": 2, "9-1": 1}, commissars=1),
        sw=(SwAllotment(type="LMG", number=6, reinforcement=1), SwAllotment(type="FT", number=0)),
        reinforcement_leaders=("8-0",),
    )
    return cg


# Cards ------------------------------------------------------------------------------------------


def test_a_force_is_told_in_units_of_the_catalogue() -> None:
    part = card_part(bought(), "axis", noted=False)
    assert part.data["ob"]["units"] == [
        {"type": "8-3-8", "count": 3, "engineers": True},
        {"type": "4-6-8", "count": 4},
        {"type": "4-6-7", "count": 40},
        {"type": "4-6-7", "count": 10},
        {"type": "8-0", "count": 2},
        {"type": "9-1"},
        {"type": "LMG", "count": 6},
        {"type": "75L AT PaK 40", "count": 2},
        {"type": "88L AA FlaK 41"},
        {"type": "PzIVH", "count": 2},
        {"type": "PzIVJ"},
    ]
    assert (part.data["nation"], part.data["elr"], part.data["san"]) == ("german", 3, 3)


def test_what_a_card_has_no_place_for_is_told() -> None:
    assert card_part(bought(), "axis", noted=False).notes == (
        "1 x Wagon: not in the catalogue of German, left out",
        "capabilities: 4 x 4-6-8 sapper",
        "reinforcements: 2 x 4-6-7",
        "with the reinforcements: 8-0, 1 x LMG",
        "Commissars: 1",
        "optional armament and fittings: PzIVH A Sz, PzIVH B AAMG",
        "Armor Leaders: 9-1 in PzIVH A",
        "OP tanks: PzIVJ A of A",
        "OBA: 100+ by op-tank",
        "fortifications: 4 x wire, 1 x pillbox 1+3+5",
    )


def test_nothing_bought_is_an_empty_part() -> None:
    part = card_part(cg_of(), "allied", noted=True)
    assert part.data["ob"] == {}
    assert not part.notes
    assert card_part(cg_of(), "allied", noted=False).data["ob"] == {"units": []}


def laid_in(card: dict[str, Any], text: str) -> dict[str, Any]:
    """A card with an exported part pasted over a side of it."""
    for side, part in yaml.safe_load(text)["sides"].items():
        card["sides"][side] |= part
    return card


def test_a_platoon_leader_card_with_the_part_loads(tmp_path: Path) -> None:
    card = yaml.safe_load(shipped_files("pl", "")["rzhavets"].read_text("utf-8"))
    path = tmp_path / "card.yaml"
    laid = laid_in(card, card_part(bought(), "axis", noted=False).text)
    path.write_text(yaml.safe_dump(laid, sort_keys=False), "utf-8")
    half = load_pl(path).card.sides["axis"]
    assert half.san == 3
    assert sum(unit.count for unit in half.ob.units) == 72
    assert half.ob.units[0].engineers


def test_a_historical_card_with_the_part_loads(tmp_path: Path) -> None:
    card = yaml.safe_load(ABTF.shipped_cards()["rijnoord"].read_text("utf-8"))
    part = card_part(bought(), "axis", noted=True)
    assert part.data["ob"]["note"].startswith("1 x Wagon")
    path = tmp_path / "card.yaml"
    laid = laid_in(card, part.text)
    path.write_text(yaml.safe_dump(laid, sort_keys=False, allow_unicode=True), "utf-8")
    half = load_hasl(path, ABTF.system).card.sides["axis"]
    assert sum(unit.count for unit in half.ob.units) == 72
    assert half.ob.note == ". ".join(part.notes)


def test_the_part_stands_in_yaml_with_its_notes_as_comments() -> None:
    text = card_part(bought(), "axis", noted=False).text
    comments = [line[2:] for line in text.splitlines() if line.startswith("# ")]
    part = card_part(bought(), "axis", noted=False)
    assert tuple(comments) == part.notes
    assert yaml.safe_load(text) == {"sides": {"axis": part.data}}


@pytest.mark.parametrize("nation", ["german", "russian"])
def test_every_unit_that_can_be_bought_is_in_the_catalogue_of_cards(nation: str) -> None:
    from laager.catalogue import load_packaged

    dyo, cards = load_dyo(nation).nation(nation), load_packaged(nation)[nation]
    sections = ("squads", "guns", "vehicles", "support_weapons", "leaders", "armor_leaders")
    missing = [one.key for name in sections for one in dyo.entries_of(name) if one.key not in cards]
    assert missing == []
    assert force_of(cg_of().ob("axis"), cards).units == ()


# Lists ------------------------------------------------------------------------------------------

PLAIN = """\
Bridgehead on the Vistula
German (axis), 1944-09: 1000 points, 998 left; ELR 3, SAN 3

Set up:
  3 x 8-3-8 assault-engineer
  4 x 4-6-8 sapper
  48 x 4-6-7
  1 x 8-0
  1 x 9-1
  1 x Commissar
  5 x LMG
  2 x 75L AT PaK 40
  1 x 88L AA FlaK 41
  2 x PzIVH (A: 9-1, Sz; B: AAMG)
  1 x Wagon
  1 x PzIVJ (A: OP A)

Enter as reinforcements:
  2 x 4-6-7
  1 x 8-0
  1 x LMG

OBA and Air Support:
  1 x 100+ (A, by op-tank)

Fortifications:
  4 x Wire
  1 x Pillbox 1+3+5
"""


def test_a_list_has_every_entry_by_when_it_comes() -> None:
    assert FORMS["list"](bought(), ("axis",)) == PLAIN


def test_a_forum_gets_the_same_list_and_reads_no_codes_in_it() -> None:
    cg = bought()
    cg.terms = cg.terms.model_copy(update={"title": "A [b]Purchase"})
    lines = FORMS["bbcode"](cg, ("axis",)).splitlines()
    assert lines[0] == "[b]A (b)Purchase[/b]"
    assert lines[2:7] == ["", "[b]Set up[/b]", "[list]", "[*]3 x 8-3-8 assault-engineer", "[*]4 x 4-6-8 sapper"]
    entries = [line.removeprefix("[*]") for line in lines if line.startswith("[*]")]
    assert entries == [line.strip() for line in PLAIN.splitlines() if line.startswith("  ")]


# vasl-templates ---------------------------------------------------------------------------------


def test_a_scenario_as_vasl_templates_has_it() -> None:
    scenario = vasl_templates(bought())
    VALID.validate(scenario)
    assert scenario["SCENARIO_NAME"] == "Bridgehead on the Vistula"
    assert scenario["SCENARIO_DATE"] == "1944-09-01"
    assert scenario["SCENARIO_THEATER"] == "ETO"
    assert (scenario["PLAYER_1"], scenario["PLAYER_1_ELR"], scenario["PLAYER_1_SAN"]) == ("german", "3", "3")
    assert (scenario["PLAYER_2"], scenario["PLAYER_2_ELR"]) == ("russian", "4")
    vehicles = pieces_of("german")["vehicles"]
    assert scenario["OB_VEHICLES_1"] == [
        {"id": vehicles["PzIVH"].id, "seq_id": 1, "name": "PzKpfw IVH"},
        {"id": vehicles["PzIVJ"].id, "seq_id": 2, "name": "PzKpfw IVJ"},
    ]
    gun = pieces_of("german")["ordnance"]["75L AT PaK 40"]
    assert scenario["OB_ORDNANCE_1"] == [{"id": gun.id, "seq_id": 1, "name": "7.5cm PaK 40"}]
    assert scenario["OB_VEHICLES_2"] == scenario["OB_SETUPS_2"] == []
    assert [one["caption"] for one in scenario["OB_SETUPS_1"]] == [
        "Set up: 3 x 8-3-8 assault-engineer, 4 x 4-6-8 sapper, 48 x 4-6-7, 1 x 8-0, 1 x 9-1, "
        "5 x LMG, 2 x 75L AT PaK 40, 1 x 88L AA FlaK 41, 2 x PzIVH, 1 x Wagon, 1 x PzIVJ",
        "Enter as reinforcements: 2 x 4-6-7, 1 x 8-0, 1 x LMG",
    ]
    assert scenario["OB_NOTES_1"][-1]["caption"] == ("not known to vasl-templates: Wagon, 88L AA FlaK 41")
    assert scenario["SSR"] == ["Boards: 3, 16 (part).", "Weather: Clear &amp; cold."]


@pytest.mark.parametrize(
    ("type_", "id_", "name"),
    [
        ("T-26S M37/39", "ru/v:008", "T-26S M37/39"),
        ("M5(a)", "ru/v:086", "M5(a)"),
        ("M9A1(a)", "ru/v:087", "M9A1(a)"),
        ("Carrier A", "ru/v:089", "Carrier A"),
        ("Carrier B", "ru/v:090", "Carrier B"),
        ("Komsomolets", "ru/v:064", "Komsomolet"),
        ("2-1/2 ton Truck(a)", "ru/v:096", "2&#189;-Ton Truck(a)"),
    ],
)
def test_vehicles_that_the_program_has(type_: str, id_: str, name: str) -> None:
    assert pieces_of("russian")["vehicles"][type_] == (id_, name)


@pytest.mark.parametrize(
    ("theatre", "theater"),
    [
        ("North Africa", "DTO"),
        ("north-africa", "DTO"),
        ("desert", "DTO"),
        ("Burma", "Burma"),
        ("pacific", "PTO"),
        ("africa", "DTO"),
        ("cbi", "Burma"),
        ("Korea", "Korea"),
        ("China", "PTO"),
        ("eastern-front", "ETO"),
        ("", "ETO"),
    ],
)
def test_theatres(theatre: str, theater: str) -> None:
    scenario = vasl_templates(cg_of(theatre=theatre))
    VALID.validate(scenario)
    assert scenario["SCENARIO_THEATER"] == theater


def test_texts_of_the_terms_are_escaped() -> None:
    axis = {"name": "Hans & <Fritz>"}
    scenario = vasl_templates(cg_of(title="Guns & <Butter>", victory="A < B", axis=axis))
    assert scenario["SCENARIO_NAME"] == "Guns &amp; &lt;Butter&gt;"
    assert scenario["PLAYER_1_DESCRIPTION"] == "Hans &amp; &lt;Fritz&gt;"
    assert scenario["VICTORY_CONDITIONS"] == "A &lt; B"


def test_a_san_that_the_program_does_not_offer_is_a_note() -> None:
    cg = bought()
    cg.state = cg.state.with_ob("axis", san=12)
    scenario = vasl_templates(cg)
    VALID.validate(scenario)
    assert scenario["PLAYER_1_SAN"] == ""
    assert scenario["OB_NOTES_1"][-1]["caption"] == "SAN: 12"


def test_a_side_that_is_not_named_shows_nothing_of_its_purchase() -> None:
    cg = bought()
    scenario = vasl_templates(cg, ["allied"])
    VALID.validate(scenario)
    assert scenario["PLAYER_1_SAN"] == ""
    for name in ("SETUPS", "NOTES", "VEHICLES", "ORDNANCE"):
        assert scenario[f"OB_{name}_1"] == []
    assert "4-6-7" not in json.dumps(scenario)


@pytest.mark.parametrize("seed", range(6))
def test_every_purchase_can_be_exported(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    campaign = new_purchase(axis={"points": 2000}, allied={"points": 2500})
    by_chance(campaign, rng)
    cg = campaign.context
    assert isinstance(cg, Cg)
    VALID.validate(vasl_templates(cg))
    for side in ("axis", "allied"):
        units = card_part(cg, side, noted=False).data["ob"]["units"]
        squads = sum(entry.number for entry in cg.ob(side).infantry)
        named = {entry.type for entry in cg.ob(side).infantry}
        assert sum(one.get("count", 1) for one in units if one["type"] in named) == squads
        assert card_part(cg, side, noted=True).data["ob"].get("units", []) == units


@pytest.mark.parametrize("nation", ["german", "russian"])
def test_names_are_those_of_the_catalogue_and_different(nation: str) -> None:
    names = pieces_of(nation)
    dyo = load_dyo(nation).nation(nation)
    for kind, section in (("vehicles", "vehicles"), ("ordnance", "guns")):
        types = {one.key for one in dyo.entries_of(section)}
        assert set(names[kind]) <= types
        assert len({piece.id for piece in names[kind].values()}) == len(names[kind])
        letter = kind[0]
        assert all(f"/{letter}:" in piece.id for piece in names[kind].values())
        assert len(types - set(names[kind])) <= 1


def test_a_nation_without_names_is_told_whole_in_a_note() -> None:
    assert pieces_of("martian") == {"vehicles": {}, "ordnance": {}}


@pytest.mark.parametrize(
    ("nations", "kind", "type_", "id_"),
    [
        (("italian",), "vehicles", "M13/40", "it/v:008"),
        (("american",), "vehicles", "M4A1", "am/v:008"),
        (("romanian", "axis-minor"), "vehicles", "L3/35(i)", "axc/v:000"),
        (("japanese",), "vehicles", "TYPE 95 HA-GO", "ja/v:006"),
        (("japanese",), "vehicles", "M13/40", None),
    ],
)
def test_pieces_of_other_nations(nations: tuple[str, ...], kind: str, type_: str, id_: str | None) -> None:
    found = find_piece(pieces_of(*nations)[kind], type_)
    assert (found and found.id) == id_


@pytest.mark.parametrize("nation", packaged_nations())
def test_what_the_catalogue_has_the_program_has(nation: str) -> None:
    """Nearly all: a few counters are VASL's alone."""
    types = load_packaged(nation).nation(nation)
    pieces = pieces_of(nation, "axis-minor" if nation == "hungarian" else "")
    if any(pieces.values()) and "minor" not in nation:
        for kind, known in (("vehicles", types.vehicles), ("ordnance", types.guns)):
            lacking = [type_ for type_ in known if find_piece(pieces[kind], type_) is None]
            assert len(lacking) <= max(6, len(known) // 4), lacking


@pytest.mark.parametrize("text", ["PzKpfw IVH", "pzkpfw-ivh", "PzIVH", "pz IVH"])
def test_a_vehicle_is_known_however_it_is_spelt(text: str) -> None:
    assert type_of(text, ["PzIVH", "PzIVJ", "T-34"], "vehicles", "german") == "PzIVH"


def test_a_spelling_of_several_types_names_none() -> None:
    assert type_of("pz-ivh", ["Pz IVH", "PzIVH"], "vehicles") == "pz-ivh"
    assert type_of("Tank", ["PzIVH"], "vehicles", "german") == "Tank"


def test_lines_of_the_victory_conditions_stay_lines() -> None:
    scenario = vasl_templates(cg_of(victory="The Germans win if:\n- <A>\n- B\n"))
    assert scenario["VICTORY_CONDITIONS"] == "The Germans win if:<br>- &lt;A&gt;<br>- B"


def test_a_nation_that_vasl_templates_does_not_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    cg = bought()
    monkeypatch.setattr(vasl, "NATIONALITIES", {"german": "german"})
    with pytest.raises(RefusedError, match="no nationality for russian; export as ob, pl or hasl"):
        vasl_templates(cg)


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"SCENARIO_DATE": "9/1944"}, "does not match"),
        ({"PLAYER_1": "prussian"}, "is not one of"),
        ({"OB_VEHICLES_1": [{"seq_id": 1}]}, "'id' is a required property"),
        ({"OB_SETUPS_3": []}, "match any of the regexes"),
        ({"PLAYER_1_ELR": 3}, "is not of type 'string'"),
        ({"OB_NOTES_2": [{"caption": ""}]}, "should be non-empty"),
    ],
)
def test_the_schema_refuses_other_forms(changes: dict[str, Any], what: str) -> None:
    broken = {**vasl_templates(bought()), **changes}
    assert any(what in error.message for error in VALID.iter_errors(broken))


def test_orders_of_battle_and_wishes_may_be_spelt_as_vasl_spells() -> None:
    cg = bought()
    ob = cg.ob("axis")
    tank, *rest = ob.vehicles.entries
    entries = (tank.model_copy(update={"type": "PzKpfw IVH"}), *rest)
    works = tuple(WorkEntry(type=type_, number=1) for type_ in ("Wire", "HIP squad", "moat"))
    vehicles = ob.vehicles.model_copy(update={"entries": entries})
    other = ob.model_copy(update={"vehicles": vehicles, "fortifications": works})
    made = spell_ob(other, cg.nation("axis"))
    assert made.vehicles.entries[0].type == "PzIVH"
    assert [one.type for one in made.fortifications] == ["wire", "hip-squad", "moat"]
    wishes = spell_wishes(Wishes(platoons=(PieceWish(count=3, type="pzkpfw ivh"),)), cg.nation("axis"))
    assert wishes.platoons[0].type == "PzIVH"
