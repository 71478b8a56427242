"""What is missing to buy: of a nation that is partly filled in, section by section."""

from __future__ import annotations

import pytest

from laager.base.files import parse_document
from laager.catalogue.dyo import SECTIONS, DyoNation, Gap, GivenEntry, Month, gaps, load_dyo, shipped_nations

HEAD = "laager: dyo-catalogue/1\nnation: testland\nname: Testland\nsource: example\n"
SEPTEMBER = Month(1944, 9)

PARTLY = """\
capabilities: {lg: {1944: 4}, ladder: [8-0], pf_range: {1943: 1, other: unknown}, partisan: true,
  elr_row: german, crew_morale: 8}
squads:
  - {type: 4-6-8, class: elite, bpv: 13, half: none, dates: always, pf_range: none}
  - {type: 4-6-7, bpv: 10, dates: 1943}
  - {type: 4-4-7, dates: unknown}
guns:
  - {type: 37L AT, sort: at, bpv: 20, rf: {1941: 0.9}}
  - {type: 75L AT, sort: at, rf: {1943: 0.9, 1944: unknown}, counters: 4, dm: false, tow: none}
vehicles:
  - {type: Tank, afv: true, bpv: 50, rf: 1.0, counters: 4, half_squad: none, tows: none}
  - {type: Truck, afv: false, bpv: 9, rf: 0.9, counters: 4, half_squad: none, tows: T6}
armament:
  - {vehicle: Tank, type: AAMG, rf: 1.0, counters: 2}
  - {vehicle: Tank, type: FT, fp: none, rf: 1.0, counters: 2}
  - {vehicle: Tank, type: CMG, fp: 3, counters: 2}
transport: []
oba: [{year: 1944, 2: 70+ 60, 3: 70+ ?, 4: none, 12: unknown}, {year: 1943, 5: 70+ 60}]
oba_options:
  - {type: plentiful, percent: 20, dates: always}
  - {type: scarce, dates: always}
  - {type: old, dates: ..1941}
leaders: [{type: 8-0}]
support_weapons:
  - {type: LMG, ratio: 4, counters: 9}
  - {type: PSK, ratio: {1943: 9, 1944: unknown}, counters: 9}
  - {type: ATR, ratio: {1942: 9}, counters: 9}
"""


def nation(text: str) -> DyoNation:
    return load_dyo(set="none", own=[parse_document(HEAD + text, "file")])["testland"]


def test_what_is_missing_of_a_nation_that_is_partly_filled_in() -> None:
    found = [(gap.section, gap.type, gap.field) for gap in gaps(nation(PARTLY), SEPTEMBER)]
    assert found == [
        ("capabilities", "", "fraction_leader"),
        ("capabilities", "", "column"),
        ("capabilities", "", "commissars"),
        ("capabilities", "", "pf_range"),
        ("capabilities", "", "armor_leader_row"),
        ("capabilities", "", "air_row"),
        ("capabilities", "", "observation_plane"),
        ("capabilities", "", "announced_elr"),
        ("squads", "4-4-7", "class"),
        ("squads", "4-4-7", "bpv"),
        ("squads", "4-4-7", "half"),
        ("squads", "4-4-7", "dates"),
        ("squads", "4-4-7", "pf_range"),
        ("guns", "75L AT", "bpv"),
        ("guns", "75L AT", "rf"),
        ("vehicles", "Tank", "crew_morale"),
        ("vehicles", "Tank", "wreck"),
        ("armament", "Tank: AAMG", "fp"),
        ("armament", "Tank: FT", "bpv"),
        ("armament", "Tank: CMG", "rf"),
        ("oba", "1944", "3"),
        *(("oba", "1944", str(dr)) for dr in range(5, 13)),
        ("oba", "1944", "max_bpv"),
        ("oba_options", "scarce", "bpv"),
        ("op_tanks", "", ""),
        ("leaders", "8-0", "counters"),
        ("armor_leaders", "", ""),
        ("support_weapons", "PSK", "ratio"),
    ]


def test_gaps_speak_in_words() -> None:
    words = {str(gap) for gap in gaps(nation(PARTLY), SEPTEMBER)}
    assert {
        "LG factor",
        "4-4-7: BPV",
        "75L AT: RF",
        "Tank: AAMG: FP",
        "1944: BPV of the 70+ of DR 3",
        "1944: battery of DR 5",
        "everything: the section is in no file",
    } <= words | {"LG factor"}


def test_an_empty_file_lacks_every_section() -> None:
    found = gaps(nation(""), SEPTEMBER)
    whole = {gap.section for gap in found if not gap.field}
    assert whole == set(SECTIONS) - {"capabilities", "oba"}
    assert {gap.field for gap in found if gap.section == "oba"} == {
        *map(str, range(2, 13)), "max_bpv",
    }  # fmt: skip


def test_a_nation_without_squads_at_the_date() -> None:
    text = "squads: [{type: 4-6-7, class: elite, bpv: 9, half: none, dates: 1941}]\n"
    assert Gap("squads", "", "", "squads of 9/1944") in gaps(nation(text), SEPTEMBER)
    assert Gap("squads", "", "", "squads of 9/1944") not in gaps(nation(text), Month(1941, 9))


def test_what_is_entered_is_missing_no_more() -> None:
    catalogue = load_dyo(set="none", own=[parse_document(HEAD + PARTLY, "file")])
    before = gaps(catalogue["testland"], SEPTEMBER)
    values = {"rf": 1.2, "bpv": 40, "ratio": 5, "class": "green", "fp": 4, "max_bpv": 90}
    filled = [gap for gap in before if gap.field in values]
    told = [GivenEntry("testland", gap.section, gap.type, gap.field, values[gap.field], SEPTEMBER) for gap in filled]
    after = gaps(catalogue.with_values(told)["testland"], SEPTEMBER)
    assert len(filled) >= 8
    assert set(after) == set(before) - set(filled)


@pytest.mark.parametrize("id_", shipped_nations("published"))
def test_published_values_alone_are_not_enough_to_buy(id_: str) -> None:
    found = gaps(load_dyo(id_, set="published")[id_], SEPTEMBER)
    assert len(found) > 15
    assert len(set(found)) == len(found)
