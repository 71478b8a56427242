"""Cards that bring nations and unit types of their own: what is refused, what a campaign keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.base.files import parse_document
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.rules.platoon_leader.card.loading import load_card
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.ruleset import RULESET
from tests.platoon_leader.campaigns import CARDS, NOON, SEED, opened
from tests.platoon_leader.small import card_data, map_data

LEGION = """\
laager: catalogue/1
nation: legion
name: Legion
group: russian
side: allied
source: made up for tests
squads:
  - {type: 3-4-7, class: first-line, half: 1-3-7, replaced: 3-3-6, hardened: fanatic}
  - {type: 3-3-6, class: green, half: 1-2-6, replaced: disrupted, hardened: 3-4-7}
  - {type: 1-3-7, kind: half-squad, whole: 3-4-7}
  - {type: 1-2-6, kind: half-squad, whole: 3-3-6}
leaders:
  ladder: [6+1, 7-0, 8-0, 8-1, 9-1, 9-2, 10-2]
  hero: 1-4-9
support_weapons:
  - {type: Old MG, sort: mg, pp: 2}
"""

MORE = """\
laager: catalogue/1
nation: german
name: German
source: made up for tests, too
vehicles:
  - {sort: heavy tank, kind: afv, cvp: 9, types: [Maus]}
"""

CARD = (CARDS / "walkthrough.yaml").read_text(encoding="utf-8")
NAMED = "map: walkthrough-map.yaml\n"


def card_text(*names: str) -> str:
    """The walkthrough's card with a Maus in it, and with the Legion in place of the Soviets."""
    head, axis, allied = CARD.partition("  allied:\n    name: Soviets\n")
    chart = """\
    chart:
      - id: I1
        name: Legionaries
        kind: infantry
        size: platoon
        troops: first-line
        cost: 3
        units: [{type: 3-4-7, count: 3}, {type: Old MG}]
"""
    allied = allied[: allied.index("    chart:")].replace("nation: russian", "nation: legion")
    allied = allied.replace("    commissars: true\n", "")
    assert head.count("{type: PzIVF2, count: 3}") == 1
    head = head.replace("{type: PzIVF2, count: 3}", "{type: Maus}")
    listed = f"catalogue: [{', '.join(names)}]\n" if names else ""
    return head.replace(NAMED, NAMED + listed) + axis + allied + chart


def write(folder: Path, text: str, **files: str) -> Path:
    """Write a card, its map and catalogues into a folder; return the card's path."""
    folder.mkdir(exist_ok=True)
    texts = {name.replace("_", ".", 1): content for name, content in files.items()}
    beside = (CARDS / "walkthrough-map.yaml").read_text(encoding="utf-8")
    for name, content in {"walkthrough-map.yaml": beside, "card.yaml": text, **texts}.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder / "card.yaml"


def own_card(folder: Path, legion: str = LEGION, more: str = MORE) -> Path:
    return write(folder, card_text("legion.yaml", "more.yaml"), legion_yaml=legion, more_yaml=more)


def told(path: Path) -> list[str]:
    """What is wrong with a card, with the names of files without their folder."""
    with pytest.raises(DataError) as caught:
        load_card(path)
    return [str(problem).replace(f"{path.parent}/", "") for problem in caught.value.problems]


def line_of(path: Path, piece: str) -> int:
    text = path.read_text(encoding="utf-8")
    return text[: text.index(piece)].count("\n") + 1


# Loading ----------------------------------------------------------------------------------------


def test_a_card_brings_a_nation_and_adds_to_another(tmp_path: Path) -> None:
    loaded = load_card(own_card(tmp_path))
    assert loaded.warnings == ()
    assert loaded.card.catalogue == tuple(loaded.catalogue) == ("legion.yaml", "more.yaml")
    (tmp_path / "units").mkdir()
    (tmp_path / "legion.yaml").rename(tmp_path / "units" / "legion.yaml")
    below = card_text("units/legion.yaml", "more.yaml")
    assert next(iter(load_card(write(tmp_path, below)).catalogue)) == "units/legion.yaml"


def test_without_its_files_the_card_is_refused(tmp_path: Path) -> None:
    problems = told(write(tmp_path, card_text()))
    assert len(problems) == 2
    assert "the German catalogue has no 'Maus' (type)" in problems[0]
    assert "there is no nation 'legion'; known are allied-minor, american" in problems[1]


def test_types_and_nations_are_looked_for_in_the_files_too(tmp_path: Path) -> None:
    path = own_card(tmp_path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Old MG", "Odd MG").replace("{type: Maus}", "{type: Mau}"))
    assert told(path) == [
        f"card.yaml:{line_of(path, '{type: Mau}')}: sides.axis.chart[3].units[1].type: "
        "the German catalogue has no 'Mau' (type); did you mean Maus?",
        f"card.yaml:{line_of(path, 'Odd MG')}: sides.allied.chart[1].units[2].type: "
        "the Legion catalogue has no 'Odd MG' (type); did you mean Old MG?",
    ]
    path.write_text(text.replace("nation: legion", "nation: leigon"), encoding="utf-8")
    assert told(path) == [
        f"card.yaml:{line_of(path, 'leigon')}: sides.allied.nation: there is no nation 'leigon'; did you mean legion?"
    ]


def test_what_is_wrong_in_the_files_is_told_with_file_line_and_field(tmp_path: Path) -> None:
    legion = LEGION.replace("pp: 2", "pp: 2, weight: 3")
    assert told(own_card(tmp_path, legion, MORE.replace("cvp: 9", "cvp: many"))) == [
        "legion.yaml:16: support_weapons[1].weight: is not known here; "
        "known are house, note, type, sort, firepower, range, pp, dm_pp",
        'more.yaml:6: vehicles[1].cvp: "many" is not a whole number; write a number such as 3',
    ]
    (problem,) = told(own_card(tmp_path, LEGION.replace("[6+1", "[6+1, [")))
    assert problem.startswith("legion.yaml:13: ")


def test_what_is_wrong_in_card_and_files_comes_together(tmp_path: Path) -> None:
    legion = LEGION.replace("whole: 3-4-7", "whole: 3-4-8")
    path = own_card(tmp_path, legion, MORE.replace("[Maus]", "[PzIVF2]"))
    text = path.read_text(encoding="utf-8").replace("elr: 3\n    san: 5", "elr: 9\n    san: 5")
    path.write_text(text, encoding="utf-8")
    card, own, added = told(path)
    assert card.startswith(f"card.yaml:{line_of(path, 'elr: 9')}: sides.allied.elr: 9 ")
    assert own == ("legion.yaml:10: squads[3].whole: there is no type '3-4-8'; did you mean 3-4-7 or 3-3-6?")
    assert added == (
        "more.yaml:6: vehicles[1].types[1]: 'PzIVF2' is an AFV already (catalogue/german.yaml); remove one of the two"
    )


def test_a_nation_that_ships_is_not_entered_anew(tmp_path: Path) -> None:
    problems = told(own_card(tmp_path, more=f"{MORE}leaders: {{ladder: [9-0]}}\n"))
    assert problems[0] == (
        "more.yaml:7: leaders: stands in catalogue/german.yaml already; give it in one file of the nation only"
    )


def test_files_that_change_nothing_are_doubted(tmp_path: Path) -> None:
    finns = MORE.replace("german", "finnish").replace("German", "Finnish")
    path = own_card(tmp_path, LEGION.replace("group: russian", "group: rusian"))
    path = write(tmp_path, card_text("legion.yaml", "more.yaml", "f.yaml"), f_yaml=finns)
    doubts = [str(one).replace(f"{tmp_path}/", "") for one in load_card(path).warnings]
    assert doubts == [
        "card.yaml:10: catalogue[3]: 'f.yaml' is about the nation 'finnish', "
        "which neither side is; the sides are german and legion",
        "legion.yaml:4: group: there is no nation 'rusian', so no special rules apply; "
        "name the nation whose rules this one follows, or leave it out",
    ]


def test_a_nation_has_every_leader_that_the_table_can_give(tmp_path: Path) -> None:
    few = LEGION.replace("[6+1, 7-0, 8-0, 8-1, 9-1, 9-2, 10-2]", "[7-0, 8-0, 8-1, 9-1, 9-2]")
    path = own_card(tmp_path, few)
    assert told(path) == [
        "legion.yaml:13: leaders.ladder: the Legion catalogue has no 10-2, 6+1 (leaders); "
        "enter them: the leader table may give them (PL 2.361)"
    ]
    guns = "\nvehicles:\n  - {sort: tank, kind: afv, cvp: 5, types: [Tin]}\n"
    own_card(tmp_path, few.replace("[7-0", "[6+1, 7-0").replace("9-2]", "9-2, 10-2]") + guns)
    assert load_card(path).warnings == (), "no AFV, no armor leaders"
    text = path.read_text(encoding="utf-8")
    tanks = "      - {id: A1, name: Tins, kind: afv, size: platoon, cost: 3, units: [{type: Tin}]}\n"
    path.write_text(text + tanks, encoding="utf-8")
    assert told(path) == [
        "legion.yaml:12: leaders.armor: the Legion catalogue has no 10-2, 9-2, 9-1, 8-1 (armor leaders); "
        "enter them: the leader table may give them (PL 2.361)"
    ]


def test_a_nation_that_ships_may_lack_armor_leaders(tmp_path: Path) -> None:
    bands = MORE.replace("german", "partisan").replace("German", "Partisan")
    path = write(tmp_path, CARD, more_yaml=bands)
    text = CARD.replace(NAMED, f"{NAMED}catalogue: [more.yaml]\n")
    head, axis, allied = text.partition("  allied:\n")
    allied = allied[: allied.index("    chart:")].replace("russian", "partisan")
    allied = allied.replace("    commissars: true\n", "").replace("[{rg: I1}]", "[]")
    group = "id: A1, name: Mice, kind: afv, size: section, cost: 3, units: [{type: Maus}]"
    text = f"{head}{axis}{allied}    chart:\n      - {{{group}, leader_rolls: 1}}\n"
    path.write_text(text, encoding="utf-8")
    assert told(path) == [
        f"card.yaml:{line_of(path, 'nation: partisan')}: sides.allied.nation: "
        "the Partisan catalogue has no 10-2, 9-2, 9-1, 8-1 (armor leaders); "
        "bring a nation that has them, or give its AFV leader_rolls: 0 (PL 2.361)"
    ]
    path.write_text(text.replace("leader_rolls: 1", "leader_rolls: 0"), encoding="utf-8")
    assert load_card(path).warnings == ()


def test_a_gun_without_a_crew_is_doubted(tmp_path: Path) -> None:
    guns = "guns:\n  - {sort: at, cvp: 2, types: [Old Gun]}\n"
    crews = LEGION.replace(
        "leaders:", "  - {type: 1-2-8, kind: crew, class: elite, replaced: disrupted, hardened: fanatic}\nleaders:"
    )
    group = "      - {id: G1, name: Gun, kind: gun, cost: 3, units: [{type: Old Gun}]}\n"
    path = own_card(tmp_path, crews + guns)
    text = path.read_text(encoding="utf-8") + group
    path.write_text(text, encoding="utf-8")
    (doubt,) = load_card(path).warnings
    assert doubt.what == "G1 brings a Gun without a crew"
    assert doubt.line == line_of(path, "units: [{type: Old Gun}]")
    path.write_text(text.replace("Gun}]", "Gun}, {type: 1-2-8}]"), encoding="utf-8")
    assert load_card(path).warnings == ()
    path.write_text(text, encoding="utf-8")
    (tmp_path / "legion.yaml").write_text(f"{crews}{guns}gun_crew: 1-2-8\n", encoding="utf-8")
    assert load_card(path).warnings == ()


# Paths ------------------------------------------------------------------------------------------

OUT = "leads out of the card's folder"


@pytest.mark.parametrize(
    "name", ["../secret.yaml", "units/../../secret.yaml", "units/../more.yaml", "/etc/passwd", "..", "//x"]
)
def test_no_path_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(LEGION, encoding="utf-8")
    folder = tmp_path / "card"
    own_card(folder)
    (folder / "units").mkdir()
    path = write(folder, card_text("more.yaml", name))
    assert told(path) == [f"card.yaml:10: catalogue[2]: {name!r} {OUT}; keep the catalogue next to the card"]


def test_an_absolute_path_is_refused_wherever_it_leads(tmp_path: Path) -> None:
    path = own_card(tmp_path)
    write(tmp_path, card_text("legion.yaml", str(tmp_path / "more.yaml")))
    (problem,) = told(path)
    assert OUT in problem


@pytest.mark.parametrize(("field", "where"), [("catalogue", "catalogue[1]"), ("map", "map")])
def test_no_link_leads_out_of_the_folder(field: str, where: str, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("password: 12345\n", encoding="utf-8")
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "secret.yaml").write_text("password: 12345\n", encoding="utf-8")
    folder = tmp_path / "card"
    own_card(folder)
    (folder / "link.yaml").symlink_to("../secret.yaml")
    (folder / "door").symlink_to(tmp_path / "all", target_is_directory=True)
    for name in ("link.yaml", "door/secret.yaml"):
        text = card_text("legion.yaml", "more.yaml")
        text = text.replace(NAMED, f"map: {name}\n") if field == "map" else text.replace("[legion.yaml", f"[{name}")
        problems = told(write(folder, text))
        assert [one for one in problems if f"{where}: {name!r} {OUT}" in one] == problems
        assert "12345" not in "".join(problems)


def test_links_within_the_folder_and_to_the_folder_are_followed(tmp_path: Path) -> None:
    own_card(tmp_path / "card")
    (tmp_path / "card" / "link.yaml").symlink_to("more.yaml")
    write(tmp_path / "card", card_text("legion.yaml", "link.yaml"))
    (tmp_path / "other").symlink_to(tmp_path / "card", target_is_directory=True)
    assert load_card(tmp_path / "other" / "card.yaml").warnings == ()


@pytest.mark.parametrize("name", ["none.yaml", '""', ".", "units", "x" * 300, r'"a\0b"', "loop"])
def test_what_is_no_file_is_told(name: str, tmp_path: Path) -> None:
    own_card(tmp_path)
    (tmp_path / "units").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    (problem,) = told(write(tmp_path, card_text("legion.yaml", name)))
    assert problem.startswith("card.yaml:10: catalogue[2]: there is no catalogue ")
    assert problem.endswith("; name a file next to the card")


def test_a_file_is_named_once(tmp_path: Path) -> None:
    own_card(tmp_path)
    assert told(write(tmp_path, card_text("legion.yaml", "more.yaml", "./more.yaml"))) == [
        "card.yaml:10: catalogue[3]: './more.yaml' is there twice; remove one of the two"
    ]


@pytest.mark.parametrize("value", ["more.yaml", "3", "[3]", "[[]]", "{a: b}", "[null]", "null"])
def test_what_is_no_list_of_names_is_told_at_the_field(value: str, tmp_path: Path) -> None:
    text = card_text().replace(NAMED, f"{NAMED}catalogue: {value}\n")
    problems = told(write(tmp_path, text))
    assert problems
    assert all(one.startswith("card.yaml:10: catalogue") for one in problems)


# Campaigns --------------------------------------------------------------------------------------


def begun(folder: Path, reach: str) -> Campaign:
    """A campaign of the card, its files deleted, that has come to a question, by proposals."""
    made = RULESET.read_card(own_card(folder), {})
    store = MemoryStore()
    store.append(opening_entries("pl", made.title, made.setting, False, SEED, NOON))
    for file in folder.iterdir():
        file.unlink()
    return on(opened(MemoryStore(store.data)), reach)


def on(campaign: Campaign, reach: str) -> Campaign:
    for _ in range(60):
        waiting = campaign.pending()
        if any(pending.key == reach for pending in waiting):
            return campaign
        for pending in waiting:
            if pending.question is None:
                campaign.roll_for(pending.side)
            else:
                campaign.answer(pending.side, pending.key, pending.question.default)
    raise AssertionError(f"{reach} is never asked")


def test_a_campaign_needs_none_of_the_files(tmp_path: Path) -> None:
    campaign = begun(tmp_path, "purchases")
    group = {"setup": "off-map", "count": 1}
    campaign.answer("axis", "purchases", {"groups": [{"rg": "A1", **group}]})
    campaign.answer("allied", "purchases", {"groups": [{"rg": "I1", **group}]})
    on(campaign, "setup")
    units = campaign.state.units.values()
    bought = {unit.type: (unit.nation, unit.kind) for unit in units if unit.group in ("A1/1", "I1/2")}
    assert bought["Maus"] == ("german", "afv")
    assert bought["Old MG"] == ("legion", "sw")
    assert bought["3-4-7"] == ("legion", "squad")
    cg = Cg(campaign.opening)
    legion = cg.nation("allied")
    assert (legion.group, legion.replaced_type("3-4-7"), legion.cvp("3-4-7")) == ("russian", "3-3-6", 2)
    assert cg.nation("axis").cvp("Maus") == 9
    assert set(cg.catalogue) == {"german", "legion"}, "no other nation is needed"
    leaders = [unit.type for unit in units if unit.side == "allied" and unit.kind == "leader"]
    assert set(leaders) <= set(legion.leaders.types)
    assert leaders
    assert audit(campaign).sound


def test_the_opening_keeps_names_and_data_of_the_files_and_no_more(tmp_path: Path) -> None:
    setting = RULESET.read_card(own_card(tmp_path), {}).setting
    assert setting["catalogue"] == [
        {"file": "legion.yaml", "data": parse_document(LEGION, "").data},
        {"file": "more.yaml", "data": parse_document(MORE, "").data},
    ]
    assert str(tmp_path) not in repr(setting)
    plain = RULESET.read_card(CARDS / "walkthrough.yaml", {}).setting
    assert set(plain) == {"card", "map", "readings"}


def opening(*files: dict[str, Any]) -> dict[str, Any]:
    return {"card": card_data(), "map": map_data(), "catalogue": list(files)}


def kept(text: str) -> dict[str, Any]:
    return {"file": "own.yaml", "data": parse_document(text, "own").data}


def test_a_campaign_keeps_its_types_though_laager_ships_them_by_now() -> None:
    later = Cg(opening(kept(MORE.replace("Maus", "PzIVF2"))))
    assert later.nation("axis").cvp("PzIVF2") == 9
    assert later.nation("axis").cvp("PzIVJ") == 6
    whole = LEGION.replace("legion", "german").replace("Legion", "German")
    of_its_own = Cg(opening(kept(whole))).nation("axis")
    assert "4-6-7" not in of_its_own
    assert of_its_own.hs_equivalents("3-4-7") == 2
    assert Cg(opening()).nation("axis").cvp("PzIVF2") == 6


def test_an_opening_that_was_tampered_with_is_told() -> None:
    with pytest.raises(DataError, match=r"own\.yaml: vehicles\[1\]\.cvp: 900 is too high"):
        _ = Cg(opening(kept(MORE.replace("cvp: 9", "cvp: 900")))).catalogue
    strange: dict[str, Any]
    for strange in ({"file": "own.yaml"}, {"data": {}}):
        with pytest.raises(RefusedError, match="can't be read"):
            Cg(opening(strange))
    with pytest.raises(RefusedError, match="can't be read"):
        Cg({**opening(), "catalogue": 3})
