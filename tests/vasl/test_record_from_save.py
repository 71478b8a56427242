"""A campaign begun on paper takes its position from a save: what it says, whose secrets, what stays to fill in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.base.files import parse_document
from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR, UMPIRE
from laager.campaign.record import begin_on_paper, write_record
from laager.campaign.ruleset import find_ruleset
from laager.campaign.views import view
from laager.hexmap import HexMap
from laager.rules.board.context import CardContext
from laager.rules.board.units import HIDING, Mark, Unit
from laager.vasl import RecordFromSave, RecordToFill, put_save_into_record, setup_of
from laager.vasl.making.grid import WHOLE
from laager.vasl.saves.placing import Shapes, shapes_in
from laager.vasl.setup.board import boards_at
from tests.vasl.save_writer import board, layer

from ..cli.conftest import Laager, laager
from . import battle_saves
from .battle_saves import Battle, pixel
from .engine import MODULE, needs_module
from .fields import CODE, board_under, first_battle
from .test_round_trip import module_at
from .test_setup_writing import NOW

__all__ = ["laager"]

BOTH = ("axis", "allied")
SHARED = Path(__file__).parents[3] / "shared" / "data" / "saves"
CARDS = ("rzhavets", "rijnoord", "kokusa-ridge")
LEFT = int(WHOLE)
"""Pixels from the edge of a board of Laager's own to the middle of column A."""
MANY = 600
"""Rows enough for every map: a hex below its last is cut off at the edge."""


@cache
def card(name: str) -> tuple[str, Mapping[str, Any]]:
    path, rules = find_card(name, None)
    return rules, find_ruleset(rules).read_card(path, {}).setting


@cache
def template(name: str) -> str:
    rules, setting = card(name)
    return find_ruleset(rules).record_template(setting)


def read(
    name: str,
    data: bytes,
    shapes: Shapes,
    sides: Collection[str] = BOTH,
    text: str = "",
    choices: Mapping[str, str] | None = None,
) -> RecordFromSave:
    rules, setting = card(name)
    paper = RecordToFill(rules, setting, text or template(name), "record.yaml", sides)
    return put_save_into_record(paper, data, "game.vsav", shapes=shapes, choices=choices)


def played(name: str, folder: Path) -> tuple[Campaign, bytes, Shapes]:
    """Return a campaign at its first battle, with a save of it: hidden and concealed units are so there, too."""
    campaign = first_battle(name)
    board_under(campaign, folder)
    rows = max(int(re.sub(r"^[A-Z]+", "", hex_)) for hex_ in map_of(campaign).hexes)
    units = standing_units(campaign)
    battle = battle_saves.as_recorded(units, CODE, rows, left=LEFT)
    return campaign, battle.save(boards=board(0, 0, CODE)), shapes_in(folder)


def map_of(campaign: Campaign) -> HexMap:
    assert isinstance(campaign.context, CardContext)
    return campaign.context.map


def lines(record: Mapping[str, Any], part: str, *sections: str) -> Counter[tuple[Any, ...]]:
    """Return how often a record has a line: its side, its type or kind, where it is."""
    counted: Counter[tuple[Any, ...]] = Counter()
    for section in sections:
        for side in BOTH:
            for line in record.get(section, {}).get(side, {}).get(part, {}).values():
                if "at" in line:
                    counted[side, line.get("type") or line["kind"], line["at"].split(".")[0]] += 1
    return counted


def standing(campaign: Campaign, hidden: bool) -> Counter[tuple[Any, ...]]:
    """Return how often a unit of a campaign stands on the map; a unit that is cloaked has no counter for it here."""
    return Counter((unit.side, unit.type, unit.hex) for unit in standing_units(campaign) if is_hidden(unit) == hidden)


def standing_units(campaign: Campaign) -> list[Unit]:
    """Return the units on the map, but for those in its last column, whose middle the tests' board cuts off."""
    last = max(map_of(campaign).hexes.values(), key=lambda hex_: pixel(hex_.name)[0]).name
    edge = re.sub("[0-9]+", "", last)
    shown = (unit for unit in campaign.state.units.values() if unit.on_map)
    return [unit for unit in shown if re.sub(r"[0-9].*", "", unit.at or "") != edge]


def is_hidden(unit: Unit) -> bool:
    return unit.has(Mark.HIP, Mark.CONCEALED)


@pytest.mark.parametrize("name", CARDS)
def test_what_is_on_the_map_comes_onto_the_record(name: str, tmp_path: Path) -> None:
    campaign, data, shapes = played(name, tmp_path)
    made = read(name, data, shapes)
    record = made.proposal.report
    assert not made.proposal.open
    assert lines(record, "units", "public") == standing(campaign, hidden=False)
    assert lines(record, "units", "secret") == standing(campaign, hidden=True)
    assert parse_document(made.text, "record.yaml").data == record
    # What has a possessor has one in its Location.
    units = {key: line for section in ("public", "secret") for side in BOTH
             for key, line in record[section].get(side, {}).get("units", {}).items()}  # fmt: skip
    carried = [line for line in units.values() if "with_unit" in line]
    assert carried
    assert all(units[line["with_unit"]]["at"] == line["at"] for line in carried)
    # The record is one that a campaign can go on from, but for what no save tells.
    rules, setting = card(name)
    whole = made.text.replace("public:\n", "public:\n  past:\n    1: {}\n") if rules == "pl" else made.text
    ruleset, path = find_ruleset(rules), find_card(name, None)[0]
    assert setting
    begin_on_paper(rules, ruleset.read_card(path, {}), parse_document(whole, "record.yaml"))


@pytest.mark.parametrize("name", CARDS)
def test_a_sides_secrets_are_read_only_where_it_says_so(name: str, tmp_path: Path) -> None:
    campaign, data, shapes = played(name, tmp_path)
    hidden = standing(campaign, hidden=True)
    assert hidden
    for sides in ((), ("axis",), ("allied",)):
        made = read(name, data, shapes, sides)
        mine = Counter({line: count for line, count in hidden.items() if line[0] in sides})
        assert lines(made.proposal.report, "units", "public", "secret") == standing(campaign, False) + mine
        others = [side for side in BOTH if side not in sides]
        assert not set(made.proposal.report.get("secret", {})) & set(others)
        assert len([text for text in made.proposal.not_told if text.startswith("what the")]) == len(others)


def test_by_numbers_nobody_can_tell_how_many_are_hidden(tmp_path: Path) -> None:
    _, data, shapes = played("rzhavets", tmp_path)
    record = read("rzhavets", data, shapes).proposal.report
    for side in BOTH:
        known = [int(key[2:]) for key in record["public"][side]["units"]]
        assert known == list(range(1, len(known) + 1))
        hidden = [int(key[2:]) for key in record["secret"].get(side, {}).get("units", ())]
        assert all(number >= 100 for number in hidden)


@pytest.mark.parametrize("name", CARDS)
def test_read_again_nothing_changes_and_comments_stay(name: str, tmp_path: Path) -> None:
    _, data, shapes = played(name, tmp_path)
    once = read(name, data, shapes).text
    commented = once.replace("public:\n", "# What both know.\npublic:\n")
    again = read(name, data, shapes, text=commented)
    assert again.text == commented
    assert not again.proposal.open


def test_a_unit_of_the_record_keeps_its_number_and_its_own_things(tmp_path: Path) -> None:
    campaign, data, shapes = played("rzhavets", tmp_path)
    record = parse_document(write_record(campaign, UMPIRE), "r").data
    # A side's squad that is known, by its group; and one that isn't in the save.
    unit = next(unit for unit in campaign.state.units.values() if unit.known and unit.on_map and unit.kind == "squad")
    text = write_record(campaign, UMPIRE).replace(f"at: {unit.at}", "at: Q10")
    made = read("rzhavets", data, shapes, text=text).proposal.report
    line = made["public"][unit.side]["units"][unit.id]
    assert line["at"] == unit.at
    assert made["secret"][unit.side]["units"][unit.id] == record["secret"][unit.side]["units"][unit.id]


def test_a_hidden_unit_that_came_into_view_is_known_and_its_group_stays_secret(tmp_path: Path) -> None:
    campaign, data, shapes = played("rzhavets", tmp_path)
    text = write_record(campaign, UMPIRE)
    cloaked = [unit for unit in campaign.state.units.values() if unit.has(Mark.CLOAKED) and unit.on_map]
    assert cloaked
    made = read("rzhavets", data, shapes, text=text).proposal.report
    for unit in cloaked:
        assert made["public"][unit.side]["units"][unit.id]["at"] == unit.at
        assert set(made["secret"][unit.side]["units"][unit.id]) <= {"group", "fought", "since", "setup"}


def test_control_forts_fires_and_rubble_are_read(tmp_path: Path) -> None:
    campaign = first_battle("rzhavets")
    board_under(campaign, tmp_path)
    battle = Battle(CODE, 20, left=LEFT)
    battle.put("L18", battle.counter("4-6-7 1sq", code="ge"), battle.counter("Foxhole", layer("3S Foxhole")))
    battle.put("M19", battle.marker("Wire"))
    battle.put("H9", battle.marker("Blaze"), battle.counter("Rubble", layer("Stone Rubble Ground Level")))
    battle.put("N18", battle.counter("Axis Control", code="ge"))
    battle.put("A8", battle.counter("Axis Control", code="ge"), battle.marker("Trench"))
    made = read("rzhavets", battle.save(boards=board(0, 0, CODE)), shapes_in(tmp_path))
    public = made.proposal.report["public"]
    assert public["ground"]["control"] == {"axis": ["A8", "N18"]}
    assert public["ground"]["blazes"] == ["H9"]
    assert public["ground"]["changes"] == {"H9": ["rubble"]}
    forts = {line["kind"]: line for line in public["axis"]["forts"].values()}
    assert forts["foxhole"] == {"kind": "foxhole", "size": "3", "at": "L18"}
    assert forts["trench"]["at"] == "A8"
    (open_one,) = made.proposal.open
    assert open_one.what == "Wire"
    settled = read("rzhavets", battle.save(boards=board(0, 0, CODE)), shapes_in(tmp_path),
                   choices={open_one.key: "allied"})  # fmt: skip
    assert not settled.proposal.open
    assert settled.proposal.report["public"]["allied"]["forts"] == {"ALF1": {"kind": "wire", "at": "M19"}}


def test_a_prisoner_has_the_enemy_in_its_location_as_guard(tmp_path: Path) -> None:
    campaign = first_battle("rzhavets")
    board_under(campaign, tmp_path)
    battle = Battle(CODE, 20, left=LEFT)
    battle.put("L18", battle.counter("ruLDR", layer("Prisoner +"), layer("8-0"), code="ru"))
    battle.put("L18", battle.counter("4-6-7 1sq", code="ge"), pile=1)
    made = read("rzhavets", battle.save(boards=board(0, 0, CODE)), shapes_in(tmp_path)).proposal.report
    assert made["public"]["allied"]["units"] == {
        "AL1": {"type": "8-0", "at": "L18", "marks": ["prisoner"], "with_unit": "AX1"}
    }


@pytest.mark.parametrize("name", ["rzhavets", "rijnoord", pytest.param("kokusa-ridge", marks=needs_module)])
def test_what_laager_wrote_is_read_as_everybody_knows_it(name: str, tmp_path: Path) -> None:
    campaign = first_battle(name)
    board_under(campaign, tmp_path)
    data = setup_of(campaign, None, module_at(tmp_path), boards_at(tmp_path), CODE, [CODE]).save(NOW).data
    made = read(name, data, shapes_in(tmp_path), ())
    public = view(campaign, SPECTATOR).state
    units = Counter((u.side, u.type, u.hex) for u in public.units.values() if u.on_map and not u.has(*HIDING))
    shown = lines(made.proposal.report, "units", "public")
    control = made.proposal.report["public"].get("ground", {}).get("control", {})
    held = {at: side for side, places in control.items() for at in places}
    if MODULE.is_file():
        assert (shown, held) == (units, dict(public.ground.control))
    else:
        # Our own small module has counters for some of them only.
        assert held
        assert shown <= units
        assert held.items() <= public.ground.control.items()


def test_what_cannot_be_is_refused_and_nothing_made(tmp_path: Path) -> None:
    _, data, shapes = played("rzhavets", tmp_path)
    with pytest.raises(DataError, match="this is a record of 'Another'"):
        read("rzhavets", data, shapes, text=template("rzhavets").replace("Night March to Rzhavets", "Another"))
    with pytest.raises(DataError, match="isn't a record of this card's rules"):
        read("rzhavets", data, shapes, text=template("rijnoord"))
    with pytest.raises(RefusedError, match="'germans' is no side"):
        read("rzhavets", data, shapes, ("germans",))
    with pytest.raises(DataError, match="there is nothing called 'piece:nobody' to settle"):
        read("rzhavets", data, shapes, choices={"piece:nobody": "leave"})
    with pytest.raises(DataError, match="not"):
        read("rzhavets", b"PK not a save", shapes)
    elsewhere = Battle("01", 10)
    elsewhere.put("C3", elsewhere.counter("4-6-7 1sq", code="ge"))
    with pytest.raises(DataError, match="not those of the map"):
        read("rzhavets", elsewhere.save(boards=board(0, 0, "01") + board(0, 1, "02")), shapes)
    purchase = find_ruleset("dyo").read_card(find_card("vistula", None)[0], {}).setting
    with pytest.raises(RefusedError, match="has no record"):
        put_save_into_record(RecordToFill("dyo", purchase, "laager: dyo/1"), data)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the example saves are not in ../shared/data")
def test_counters_beside_the_boards_are_units_off_the_map_if_one_says_so(laager: Laager) -> None:
    """A real save of a scenario before its setup: everything lies beside the boards."""
    text = (find_card("training", None)[0]).read_text()
    head, rest = text.split("map: training-map", 1)
    rest = re.sub(r"(?<![\w/-])(?!I1)([A-J][0-9]{1,2})(?![\w/-])", r"4\1", rest.replace("HW1", "HW1"))
    rest = re.sub(r"(?<![\w])([A-L][0-9]{1,2})-([A-L][0-9]{1,2})", r"4\1-4\2", rest)
    (laager.folder / "hill.yaml").write_text(head.replace("id: training", "id: hill") + "map: hill-map.yaml" + rest)
    boards = "".join(
        f"  - {{board: '{number}', columns: 33, rows: 10, half_rows: true{below}}}\n"
        for number, below in ((2, ""), (4, ", below: '2'"), (3, ", below: '4'"))
    )
    (laager.folder / "hill-map.yaml").write_text(
        f"laager: map/1\nid: hill-map\ntitle: Hill 621\nsource: own\nboards:\n{boards}"
    )
    save = SHARED / "Hill 621 (Scenario E).vsav"
    out = laager.well("vasl", "record", save, "hill.yaml", "--side", "axis", "--side", "allied")
    assert "44 pieces of the Germans: lie beside the boards" in out
    assert "No save tells points, ELR, SAN, CVP and TVP" in out
    yes = ("--choose", "beside:axis=yes", "--choose", "beside:allied=yes")
    laager.well("vasl", "record", save, "hill.yaml", "--side", "axis", "--side", "allied", *yes, "--force")
    record = parse_document((laager.folder / "record.yaml").read_text(), "r").data
    assert len(record["secret"]["axis"]["units"]) == 44
    assert len(record["secret"]["allied"]["units"]) == 80
    text = (laager.folder / "record.yaml").read_text().replace("public:\n", "public:\n  past: {1: {}}\n")
    (laager.folder / "record.yaml").write_text(text)
    laager.well("new", "hill.yaml", "--from", "record.yaml", "--file", "hill.laager")


def test_at_the_terminal_a_record_is_made_and_filled_in(laager: Laager, tmp_path: Path) -> None:
    folder = tmp_path / "boards"
    folder.mkdir()
    _, data, _ = played("rzhavets", folder)
    (laager.folder / "game.vsav").write_bytes(data)
    words = ("vasl", "record", "game.vsav", "rzhavets", "--boards", folder)
    out = laager.well(*words)
    assert "written: record.yaml" in out
    assert "laager new rzhavets --from record.yaml" in out
    assert "exists" in laager(*words).err
    before = (laager.folder / "record.yaml").read_text()
    laager.well(*words, "--into", "record.yaml", "--side", "axis")
    after = (laager.folder / "record.yaml").read_text()
    assert set(before.splitlines()) <= set(after.splitlines())
    assert (
        "don't go" in laager(*words, "--into", "record.yaml", "-o", "b.yaml").err
        or "name one" in laager(*words, "--into", "record.yaml", "-o", "b.yaml").err
    )
    told = parse_document(laager.well(*words, "--force", "--json"), "json").data
    assert told["record"] == "record.yaml"
    assert told["report"]["laager"] == "pl-record/1"
    assert told["settled"] is True
