"""OBA at setup: who has radios and phones, limits, Security Areas."""

from __future__ import annotations

from typing import Any

from laager.rules.board.hasl.setup.setup import setting_up
from laager.rules.board.units import Mark
from tests.historical.driver import run
from tests.historical.setting import BridgeCg, folded, group, question, ready, refusals, views
from tests.historical.small import add, scene


def oba(cg: Any, number: int = 1, by: str = "radio", **more: Any) -> str:
    return group(cg, "axis", f"O1/{number}", "O", equipment=by, **more).id


def module(name: str, by: str, **more: Any) -> dict[str, Any]:
    return {"module": name, "equipment": by, **more}


def said(cg: Any, *rows: dict[str, Any]) -> list[str]:
    return refusals(cg, "axis", modules=list(rows))


def test_by_default_somebody_on_the_map_has_the_radio() -> None:
    cg = ready(scene(), "axis")
    squad = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    name = oba(cg)
    before = views(cg)
    facts = run(setting_up, cg).facts
    held = cg.state.groups["axis", name]
    assert (held.holder, held.area) == (squad.id, "NE")
    assert not folded(before["allied"], facts).groups
    run(setting_up, cg, answers={"setup@axis": {"modules": [module(name, "radio", use=False)]}})
    assert cg.state.groups["axis", name].holder == ""


def test_a_phone_has_a_security_area_to_an_entry_area() -> None:
    cg = ready(scene(), "axis")
    squad = add(cg, "axis", "4-6-7", "squad", "I1", area="NE")
    name = oba(cg, by="phone")
    row = question(cg, "axis").default["modules"][0]
    assert (row["with"], row["way"]) == (squad.id, "I1")
    told = {
        "": "the way has no hexes; name every hex on it, in order",
        "Q9": "'Q9' are not hexes of the map; hexes from end to end, such as E4-F4-G5",
        "H1, H0": "the Security Area begins in H1; in I1",
        "I1, I2": "I2 is in no Friendly Entry Area; lead it to one",
    }
    for way, wrong in told.items():
        rows = said(cg, module(name, "phone", way=way, **{"with": squad.id}))
        assert rows == [f"modules[1].way: {wrong}"]
    run(setting_up, cg)
    assert cg.state.groups["axis", name].security == ("I1",)


def test_without_a_way_the_phone_gives_way_to_a_radio() -> None:
    cg = ready(scene(map_=None), "axis")
    squad = add(cg, "axis", "4-6-7", "squad", area="G1")
    name = oba(cg, by="phone")
    row = question(cg, "axis").default["modules"][0]
    assert (row["equipment"], row["with"]) == ("radio", squad.id)
    assert said(cg, module(name, "phone", **{"with": squad.id})) == [
        "modules[1].with: a field phone sets up on the map; a radio, or a unit on the map"
    ]


def test_who_may_have_it() -> None:
    cg = ready(scene(), "axis")
    squad = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    lost = add(cg, "axis", "4-6-7", "squad", "F6", Mark.ISOLATED)
    name = oba(cg)
    kept = oba(cg, 2, date=0, area="G1")
    for who in ("AX99", ""):
        assert said(cg, module(name, "radio", **{"with": who})) == [
            f"modules[1].with: nobody has the radio of {name}; personnel of yours that set up or enter"
        ]
    assert said(cg, module(name, "radio", **{"with": lost.id})) == [
        f"modules[1].with: {lost.label} is Isolated; a unit that is not",
        "modules[1].with: F6 is not in a Friendly Setup Area; a unit in one, or entering",
    ]
    assert said(cg, module(kept, "radio", **{"with": squad.id})) == [
        f"modules[1].with: {squad.label} is in NE; {kept} is in G1"
    ]
    twice = module(name, "radio", **{"with": squad.id})
    assert said(cg, twice, twice)[0] == f"modules[1]: {name} is there twice; once each"
    assert said(cg, module(name, "radio", way="C4", **{"with": squad.id})) == [
        "modules[1].way: a radio has no Security Area; leave it out"
    ]


def test_an_observer_is_with_nobody() -> None:
    cg = ready(scene(), "axis")
    squad = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    name = oba(cg, by="observer")
    assert question(cg, "axis").default["modules"][0]["use"]
    assert said(cg, module(name, "observer", **{"with": squad.id})) == [
        "modules[1].with: an Offboard Observer is not with a unit; leave it out"
    ]
    assert said(cg, module(name, "radio", **{"with": squad.id})) == [
        f"modules[1].equipment: radio can't direct {name}; observer"
    ]
    run(setting_up, cg)
    assert cg.state.groups["axis", name].holder == ""


def test_no_more_than_the_system_lets_be_used() -> None:
    cg = ready(scene(context=BridgeCg), "axis")
    squad = add(cg, "axis", "4-6-7", "squad", "G3", area="NE")
    names = [oba(cg, number) for number in (1, 2)]
    default = question(cg, "axis").default["modules"]
    assert [row["use"] for row in default] == [True, False]
    both = [module(name, "radio", **{"with": squad.id}) for name in names]
    assert said(cg, *both) == ["modules: 2 OBA modules; one in a scenario"]


def test_a_module_without_anybody_is_not_used() -> None:
    cg = ready(scene(), "axis")
    add(cg, "axis", "PzIVH", "afv", "G3", area="NE")
    oba(cg)
    assert not question(cg, "axis").default["modules"][0]["use"]
